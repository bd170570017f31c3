"""Congested Nash instances answered by Clarabel, a general interior-point solver, through cvxpy.

The solver sees only the definition - logarithms, boxes, one capacity - and nothing of the
structure which the market solver uses. Its answer is written only when a certificate,
computed apart from it, bounds the error by 1e-9.
"""

from __future__ import annotations

import math
import random
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from instance import Bid, Dropped, line, main, mode, short

# This file bears the solver's own name; out of the path, so that cvxpy imports the package.
sys.path.pop(0)

import cvxpy as cp
import numpy as np

# The full tolerances cannot be met in doubles: the solver goes on until it makes no more
# progress, and calls the result (almost) solved only if it meets the reduced ones.
SETTINGS = {
    **dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-17),
    **dict.fromkeys(("reduced_tol_gap_abs", "reduced_tol_gap_rel", "reduced_tol_feas"), 1e-12),
    "tol_ktratio": 1e-14,
    "max_step_fraction": 0.9,
    "min_terminate_step_length": 1e-10,
    "iterative_refinement_reltol": 1e-15,
    "iterative_refinement_abstol": 1e-15,
    "iterative_refinement_max_iter": 50,
    "direct_solve_method": "qdldl",
    "max_threads": 1,
}
CERTIFIED = 1e-9
STORED = 2200


class Market(NamedTuple):
    """The compiled problem for one number of bids; compiling anew would cost more than solving."""

    problem: cp.Problem
    shares: cp.Variable
    capacity: cp.Constraint
    boxes: cp.Parameter
    bounds: cp.Parameter
    weights: cp.Parameter


@cache
def market(size: int) -> Market:
    """Each variable is scaled by its box, so that boxes of 1 and of 64000 condition alike."""
    shares = cp.Variable(size)
    boxes, bounds, weights = (cp.Parameter(size, nonneg=True) for _ in range(3))
    capacity = boxes @ shares == 1
    problem = cp.Problem(cp.Maximize(weights @ cp.log(shares)), [capacity, shares <= bounds])
    return Market(problem, shares, capacity, boxes, bounds, weights)


def solve(widths: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, float] | None:
    """Share of the free capacity for each bid, and its price; None if the solver gave up.

    Free capacity and total weight are 1 here. No warm start: a line must not depend on the
    lines before it.
    """
    prepared = market(len(widths))
    boxes = np.minimum(widths, 1)
    prepared.boxes.value = boxes
    prepared.bounds.value = widths / boxes
    prepared.weights.value = weights
    try:
        prepared.problem.solve(solver=cp.CLARABEL, warm_start=False, **SETTINGS)
    except cp.SolverError:
        return None
    if prepared.shares.value is None:
        return None
    return boxes * prepared.shares.value, float(prepared.capacity.dual_value)


def certified(widths: np.ndarray, weights: np.ndarray, shares: np.ndarray, price: float) -> bool:
    """Is the answer within 1e-9 of the optimum, by the optimality conditions alone?

    The optimum at a given price is min(width, weight / price), and what is asked for in
    all falls as the price rises. So if it is at most 1 a little above the solver's price
    and at least 1 a little below, then the true price lies between the two, and each true
    share between its values there; the solver's shares must be near both.
    """
    above, below = (1 + CERTIFIED / 2) * price, (1 - CERTIFIED / 2) * price
    least, most = np.minimum(widths, weights / above), np.minimum(widths, weights / below)
    between = math.fsum(least) <= 1 <= math.fsum(most)
    return between and max(abs(shares - least).max(), abs(shares - most).max()) <= CERTIFIED


def answer(bids: list[Bid], capacity: int, dropped: Dropped) -> tuple[list[float], float] | None:
    """Allocation and price in the market's own units, or None (and counted) if not certain."""
    open_bids = [bid for bid in bids if bid.width > 0]
    free = capacity - sum(bid.floor for bid in bids)
    total = math.fsum(bid.weight for bid in open_bids)
    widths = np.array([bid.width / free for bid in open_bids])
    weights = np.array([bid.weight / total for bid in open_bids])
    solved = solve(widths, weights)
    if solved is None:
        dropped.add("not solved to 1e-12")
        return None
    shares, price = solved
    if not certified(widths, weights, shares, price):
        dropped.add("not certified to 1e-9")
        return None
    given = iter(shares)
    allocation = [bid.floor + (free * float(next(given)) if bid.width else 0.0) for bid in bids]
    return allocation, price * total / free


def draw_size(rng: random.Random, index: int) -> int:
    """Mostly small (many instances in few bytes), now and then as large as a full node."""
    if index % 800 == 250:
        return 110
    if index % 80 == 30:
        return rng.randint(20, 60)
    return 2 + int(11 * rng.random() ** 2.5)


def draw_floors(rng: random.Random, size: int, capacity: int) -> list[int]:
    """Floors take from nothing to most of the capacity, and always leave some of it."""
    parts = [rng.random() ** 2 * (rng.random() < 0.8) for _ in range(size)]
    taken = rng.choice((0, 0.1, 0.4, 0.8)) * capacity / max(1e-9, sum(parts))
    return [min(int(taken * part), capacity // 2) for part in parts]


def draw_widths(rng: random.Random, weights: list[float], free: int) -> list[int]:
    """Boxes which no bid, every other bid, or nearly every bid fills, and some of no width."""
    style = rng.choice(("open", "near share", "near share", "near share", "any"))
    total = sum(weights)

    def width(weight: float) -> float:
        if rng.random() < 0.04:
            return 0
        if style == "open":
            return free * rng.uniform(1, 3)
        if style == "near share":
            return free * weight / total * math.exp(rng.uniform(-1.5, 2))
        return free ** rng.uniform(0, 1.1)

    return [math.ceil(width(weight)) for weight in weights]


def draw_bid(rng: random.Random, floor: int, width: int, weight: float) -> Bid:
    """Place need and ceiling around the box: either may be what closes it."""
    top = floor + width
    if width == 0:
        return Bid(floor, rng.randint(0, floor), floor + rng.randint(0, 999), weight)
    if rng.random() < 0.25:
        return Bid(floor, top + rng.randint(1, 999), top, weight)
    return Bid(floor, top, top + rng.choice((0, 100, 1000)), weight)


def draw(rng: random.Random, index: int) -> tuple[list[Bid], int]:
    """One question; it may turn out not to be congested."""
    size = draw_size(rng, index)
    capacity = round(math.exp(rng.uniform(math.log(20), math.log(64000))))
    weights = [float(f"{10 ** rng.uniform(-2, 2):.4g}") for _ in range(size)]
    floors = draw_floors(rng, size, capacity)
    free = max(1, capacity - sum(floors))
    widths = draw_widths(rng, weights, free)
    return [draw_bid(rng, *parts) for parts in zip(floors, widths, weights)], capacity


def rounded(allocation: list[float], capacity: int) -> list[float | None]:
    """Digits finer than 1e-10 of the capacity would only cost bytes."""
    digits = 10 - math.floor(math.log10(capacity))
    return [short(round(x, digits)) for x in allocation]


def generate(seed: int, dropped: Dropped) -> Iterator[str]:
    """Endless certified lines; each instance has its own generator, so none shifts the next."""
    index = 0
    while True:
        bids, capacity = draw(random.Random(f"clarabel {seed} {index}"), index)
        index += 1
        if mode(bids, capacity) != "congested" or capacity == sum(bid.floor for bid in bids):
            continue
        found = answer(bids, capacity, dropped)
        if found is not None:
            allocation, price = found
            yield line(
                "nash", capacity, bids, x=rounded(allocation, capacity), p=float(f"{price:.9g}")
            )


if __name__ == "__main__":
    # Every result is "inaccurate" measured by tolerances that cannot be met; see SETTINGS.
    warnings.filterwarnings("ignore", message="Solution may be inaccurate")
    main(__doc__, STORED, generate)
