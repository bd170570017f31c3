"""Small instances in whole units, answered by trying every allocation.

The answer is found twice: by comparing all allocations, and by handing out one unit at a
time; the two must agree. Gains are computed with 50 digits, fractions exactly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from instance import MECHANISMS, Bid, Dropped, line, main, mode

getcontext().prec = 50

STORED = 640
MOST_BIDS = 5
MOST_UNITS = 14
# Tied sums of 50 digits may come out some 1e-48 apart; nothing else comes this near by chance.
TIE = Decimal("1e-40")
# Costs nearer than this (relative) but not tied are one number to a solver in doubles.
BLUR = Fraction(1, 10**12)

# Below the cost of any later unit: a bid's first unit takes it above its floor.
FIRST = Decimal(-(10**9))

Units = tuple[int, ...]
Question = tuple[str, list[Bid], list[str], int]


class Claim(NamedTuple):
    """A bid's part in the handing out: what it starts from, and how many units it can take."""

    name: str
    weight: float
    base: int
    room: int


def claims_of(bids: list[Bid], names: list[str], overload: bool) -> list[Claim]:
    """In overload a bid claims its floor from nothing, else its box from its floor.

    They come in the order in which ties are decided: larger weight, then smaller name.
    """
    claims = [
        Claim(name, bid.weight, 0, bid.floor)
        if overload
        else Claim(name, bid.weight, bid.floor, bid.width)
        for bid, name in zip(bids, names)
    ]
    return sorted(claims, key=lambda claim: (-claim.weight, claim.name))


def allocations(rooms: Units, units: int) -> Iterator[Units]:
    """Every way to hand out exactly so many units."""
    if not rooms:
        if units == 0:
            yield ()
        return
    for first in range(min(rooms[0], units) + 1):
        for rest in allocations(rooms[1:], units - first):
            yield (first, *rest)


@cache
def logarithm(number: int) -> Decimal:
    return Decimal(number).ln()


# What a bid's next unit costs; it goes where that is least. Both costs rise with every unit.


def nash_cost(claim: Claim, held: int) -> Decimal:
    """The gain in weight * log(held), negated.

    Two gains tie only for equal weights and units held, and then are computed alike: no two
    different ratios (k + 1) / k are powers of one fraction.
    """
    if held == 0:
        return FIRST
    return -Decimal(claim.weight) * (logarithm(held + 1) - logarithm(held))


def fraction_cost(claim: Claim, held: int) -> Fraction:
    """The weighted fraction that the bid already has."""
    return held / (Fraction(claim.weight) * claim.room)


def greedy(claims: list[Claim], units: int, nash: bool) -> Units:
    """Hand out one unit at a time; of tied bids the first in the order of `claims`."""
    cost = nash_cost if nash else fraction_cost
    held = [0] * len(claims)
    for _ in range(units):
        costs = {
            at: cost(claim, held[at]) for at, claim in enumerate(claims) if held[at] < claim.room
        }
        least = min(costs.values())
        held[next(at for at, own in costs.items() if own == least)] += 1
    return tuple(held)


# The same by brute force, from the definitions.


def brute_nash(claims: list[Claim], units: int) -> Units:
    """Most bids above their floor, then the largest sum of weight * log, then the tie order."""
    every = list(allocations(tuple(claim.room for claim in claims), units))
    above = {held: sum(one > 0 for one in held) for held in every}
    most = max(above.values())
    every = [held for held in every if above[held] == most]
    if units < sum(claim.room > 0 for claim in claims):
        assert all(max(held) <= 1 for held in every)
        return max(every)
    values = {held: nash_value(claims, held) for held in every}
    best = max(values.values())
    return max(held for held, value in values.items() if best - value < TIE)


def nash_value(claims: list[Claim], held: Units) -> Decimal:
    """The objective over the bids which are in the bargaining."""
    terms = (Decimal(claim.weight) * logarithm(one) for claim, one in zip(claims, held) if one)
    return sum(terms, Decimal(0))


def brute_leximin(claims: list[Claim], units: int) -> Units:
    """No unit given at a higher fraction than need be, then the tie order.

    Compared are the fractions at which units were given, highest first. That is leximin,
    save that among bids tied for the last unit leximin on the fractions reached would
    prefer the smaller claim, where the market prefers the larger weight.
    """
    every = list(allocations(tuple(claim.room for claim in claims), units))
    served = {held: levels_served(claims, held) for held in every}
    least = min(served.values())
    best = max(held for held, levels in served.items() if levels == least)
    check_leximin(claims, every, best)
    return best


def levels_served(claims: list[Claim], held: Units) -> list[Fraction]:
    """The fraction each unit's receiver had before it, highest first."""
    levels = (fraction_cost(claim, unit) for claim, one in zip(claims, held) for unit in range(one))
    return sorted(levels, reverse=True)


def check_leximin(claims: list[Claim], every: list[Units], best: Units) -> None:
    """Assert that the sorted vector of fractions is leximin-optimal.

    Up to the fraction at which the last unit was given; in full if no other bid was tied
    for that unit.
    """
    last = max(levels_served(claims, best), default=Fraction(0))
    waiting = (fraction_cost(claim, one) for claim, one in zip(claims, best) if one < claim.room)
    top = last if last in waiting else None

    def fractions(held: Units) -> list[Fraction]:
        reached = (fraction_cost(claim, one) for claim, one in zip(claims, held) if claim.room)
        return sorted(one if top is None else min(one, top) for one in reached)

    assert fractions(best) == max(fractions(held) for held in every)


def blurred(claims: list[Claim], held: Units, nash: bool) -> bool:
    """Could doubles confuse a unit given with one not given, though they are not tied?

    Within `BLUR`, relative, they could.
    """
    cost = nash_cost if nash else fraction_cost
    given = [cost(claim, one - 1) for claim, one in zip(claims, held) if one]
    refused = [cost(claim, one) for claim, one in zip(claims, held) if one < claim.room]
    apart = ((one, abs(Fraction(one) - Fraction(other))) for one in given for other in refused)
    return any(0 < gap <= BLUR * abs(Fraction(one)) for one, gap in apart)


# Drawing.


def draw_weights(rng: random.Random, size: int) -> list[float]:
    """Equal, small whole, or decimals of one or two digits: all ties and none."""
    style = rng.choice(("equal", "whole", "whole", "decimal", "wide"))
    if style == "equal":
        return [rng.choice((0.3, 1.0, 7.0))] * size
    if style == "whole":
        return [float(rng.randint(1, 4)) for _ in range(size)]
    if style == "decimal":
        return [round(rng.uniform(0.1, 4), 1) for _ in range(size)]
    return [rng.choice((0.01, 0.25, 1.0, 12.5, 100.0)) for _ in range(size)]


def draw_names(rng: random.Random, size: int) -> list[str]:
    """Shuffled, and with b10, which sorts before b2."""
    return rng.sample([f"b{number}" for number in range(11)], size)


def draw_bid(rng: random.Random, floor: int, weight: float) -> Bid:
    """Boxes of up to 14 units, with the need now and then outside of them."""
    width = rng.choice((0, 1, 2, 3, 4, 6, 9, 14))
    need = floor + width if width or not floor else rng.randint(0, floor)
    if width and rng.random() < 0.2:
        return Bid(floor, need + 5, floor + width, weight)
    return Bid(floor, need, floor + width + 7, weight)


def draw(rng: random.Random, index: int) -> Question:
    """Of every four, two Nash, one Kalai-Smorodinsky and one overloaded, and some of plenty."""
    size = rng.choice((1, 2, 2, 3, 3, 4, 4, MOST_BIDS, MOST_BIDS))
    overload = index % 4 == 3
    tops = (0, 1, 2, 3, 5, 8) if overload else (0, 0, 100, 250, 1000)
    weights = draw_weights(rng, size)
    bids = [draw_bid(rng, rng.choice(tops), weight) for weight in weights]
    floors = sum(bid.floor for bid in bids)
    counted = sum(bid.counted for bid in bids)
    least, most = (0, max(0, floors - 1)) if overload else (floors, counted)
    capacity = rng.randint(least, min(most, least + MOST_UNITS))
    mechanism = MECHANISMS[rng.randrange(2) if overload else index % 4 // 2]
    return mechanism, bids, draw_names(rng, size), capacity


def solve(question: Question) -> tuple[list[int], bool]:
    """The allocation, found both ways, and whether doubles could get it wrong."""
    mechanism, bids, names, capacity = question
    case = mode(bids, capacity)
    if case == "uncongested":
        return [bid.counted for bid in bids], False
    claims = claims_of(bids, names, case == "overloaded")
    units = capacity - sum(claim.base for claim in claims)
    nash = case == "congested" and mechanism == "nash"
    held = greedy(claims, units, nash)
    assert held == (brute_nash if nash else brute_leximin)(claims, units)
    totals = {claim.name: claim.base + one for claim, one in zip(claims, held)}
    assert sum(totals.values()) == capacity
    return [totals[name] for name in names], blurred(claims, held, nash)


def generate(seed: int, dropped: Dropped) -> Iterator[str]:
    """Endless verified lines."""
    index = 0
    while True:
        question = draw(random.Random(f"integer {seed} {index}"), index)
        index += 1
        allocation, unclear = solve(question)
        if unclear:
            dropped.add("near-tie that doubles cannot see")
        else:
            mechanism, bids, names, capacity = question
            yield line(mechanism, capacity, bids, i=names, x=allocation)


if __name__ == "__main__":
    main(__doc__, STORED, generate)
