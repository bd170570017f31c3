"""Degenerate instances of every mode and mechanism, answered in exact rational arithmetic.

A weight counts as exactly the fraction which its double is; allocation and price are exact
fractions, checked exactly against the optimality conditions, and rounded only when written.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor as whole

from instance import MECHANISMS, Bid, Dropped, line, main, mode, short

STORED = 1100
LARGEST = 2**50
# Nearer to a kink than this, but not at it, doubles cannot tell the two sides apart.
BLUR = Fraction(1, 10**12)


# Solving: every rule is x = base + min(cap, t * rate), with t such that all is given out.


class Filling:
    """Caps and rates of one rule: a bid rises by its rate until it reaches its cap."""

    def __init__(self, bases: list[int], caps: list[int], rates: list[Fraction]) -> None:
        self.bases, self.caps, self.rates = bases, caps, rates

    def breakpoints(self) -> list[Fraction]:
        """The levels at which some bid reaches its cap, in order."""
        return sorted(cap / rate for cap, rate in zip(self.caps, self.rates) if cap)

    def given(self, level: Fraction) -> Fraction:
        """How much of the capacity is given out at a level, bases included."""
        raised = (min(Fraction(cap), level * rate) for cap, rate in zip(self.caps, self.rates))
        return sum(self.bases) + sum(raised, Fraction(0))

    def level(self, capacity: int) -> Fraction:
        """The level at which exactly the capacity is given out: walk the pieces in order."""
        start = Fraction(0)
        for end in self.breakpoints():
            if self.given(end) >= capacity:
                slope = (self.given(end) - self.given(start)) / (end - start)
                return start + (capacity - self.given(start)) / slope
            start = end
        raise ArithmeticError("more capacity than the caps can take")

    def shares(self, level: Fraction) -> list[Fraction]:
        """Every bid's allocation at a level."""
        parts = zip(self.bases, self.caps, self.rates)
        return [base + min(Fraction(cap), level * rate) for base, cap, rate in parts]


def filling(bids: list[Bid], rule: str) -> Filling:
    """The rule as caps and rates; for nash the level is 1 / price."""
    weights = [Fraction(bid.weight) for bid in bids]
    floors = [bid.floor for bid in bids]
    widths = [bid.width for bid in bids]
    if rule == "overload":
        return Filling([0] * len(bids), floors, [w * f for w, f in zip(weights, floors)])
    if rule == "nash":
        return Filling(floors, widths, weights)
    return Filling(floors, widths, [w * width for w, width in zip(weights, widths)])


Answer = tuple[list[Fraction], Fraction | None]


def solve(mechanism: str, bids: list[Bid], capacity: int) -> Answer:
    """Exact allocation and price, verified."""
    case = mode(bids, capacity)
    if case == "uncongested":
        return [Fraction(bid.counted) for bid in bids], Fraction(0)
    rule = "overload" if case == "overloaded" else mechanism
    rising = filling(bids, rule)
    level = rising.level(capacity)
    shares = rising.shares(level)
    assert sum(shares) == capacity
    floors = [bid.floor for bid in bids]
    if rule == "overload":
        check_proportional([0] * len(bids), floors, bids, shares)
        return shares, None
    if rule == "nash":
        price = 1 / level if level else None
        check_nash(bids, shares, price)
        return shares, price
    check_proportional(floors, [bid.counted for bid in bids], bids, shares)
    return shares, right_slope(bids, shares)


def right_slope(bids: list[Bid], shares: list[Fraction]) -> Fraction:
    """What one more unit of capacity adds to the common level, just to the right."""
    growing = (bid for bid, share in zip(bids, shares) if share < bid.counted)
    return 1 / sum((Fraction(bid.weight) * bid.width for bid in growing), Fraction(0))


# Checking: stated from the definitions, without the level found above.


def check_nash(bids: list[Bid], shares: list[Fraction], price: Fraction | None) -> None:
    """Karush-Kuhn-Tucker: the marginal gain is the price, or above it at a binding need."""
    for bid, share in zip(bids, shares):
        assert bid.floor <= share <= bid.counted
        if price is None:
            assert share == bid.floor
        elif bid.width:
            gain = Fraction(bid.weight) / (share - bid.floor)
            assert price > 0
            assert gain == price if share < bid.counted else gain >= price


def check_proportional(
    lows: list[int], highs: list[int], bids: list[Bid], shares: list[Fraction]
) -> None:
    """Leximin: bids below their top have equal weighted fractions, and none at its top has more."""
    below: list[Fraction] = []
    full: list[Fraction] = []
    for low, high, bid, share in zip(lows, highs, bids, shares):
        assert low <= share <= high
        if low < high:
            fraction = (share - low) / (high - low) / Fraction(bid.weight)
            (below if share < high else full).append(fraction)
    assert len(set(below)) == 1 and max(full, default=below[0]) <= below[0]


def blurred(bids: list[Bid], shares: list[Fraction]) -> bool:
    """Is some bid so near its need that doubles would see it at its need, or the reverse?

    Only the Kalai-Smorodinsky price jumps there; everything else is continuous.
    """
    widths = ((bid.counted - share, bid.width) for bid, share in zip(bids, shares) if bid.width)
    return any(0 < missing < BLUR * width for missing, width in widths)


# Drawing bids, one function for each way in which they can be degenerate.


def small_weight(rng: random.Random) -> float:
    """Weights with small ratios: breakpoints can then fall on whole capacities."""
    return rng.choice((0.25, 0.5, 1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0))


def plain(rng: random.Random, size: int) -> list[Bid]:
    """Nothing special: the ground against which the others are degenerate."""
    return [box(rng.randint(0, 500), rng.randint(1, 2000), small_weight(rng)) for _ in range(size)]


def box(floor: int, width: int, weight: float) -> Bid:
    return Bid(floor, floor + width, floor + width + 100, weight)


def equal_weights(rng: random.Random, size: int) -> list[Bid]:
    """All Kalai-Smorodinsky breakpoints coincide; the weight itself is an awkward double."""
    weight = rng.choice((0.1, 0.7, 1.0, 3.3, 1e6))
    return [bid._replace(weight=weight) for bid in plain(rng, size)]


def proportional(rng: random.Random, size: int) -> list[Bid]:
    """All Nash breakpoints coincide: each box is as wide as its bid is heavy."""
    unit = 4 * rng.randint(1, 200)
    weights = [small_weight(rng) for _ in range(size)]
    return [box(rng.randint(0, 300), int(unit * weight), weight) for weight in weights]


def twins(rng: random.Random, size: int) -> list[Bid]:
    """The same two bids over and over: every tie there can be."""
    pair = plain(rng, 2)
    return [rng.choice(pair) for _ in range(size)]


def zero_width(rng: random.Random, size: int) -> list[Bid]:
    """Some bids want just their floor, and drop out of the bargaining."""
    bids = plain(rng, size)
    return [bid._replace(need=bid.floor) if rng.random() < 0.5 else bid for bid in bids]


def outside(rng: random.Random, size: int) -> list[Bid]:
    """Needs below the floor or above the ceiling do not count as asked."""
    bids = plain(rng, size)
    return [
        bid._replace(need=rng.choice((bid.floor // 2, bid.need, bid.ceiling + rng.randint(1, 999))))
        for bid in bids
    ]


def extreme_weights(rng: random.Random, size: int) -> list[Bid]:
    """Twelve orders of magnitude between weights, the ends included."""
    weights = [
        rng.choice((1e-6, 1e6, float(f"{10 ** rng.uniform(-6, 6):.4g}"))) for _ in range(size)
    ]
    return [bid._replace(weight=weight) for bid, weight in zip(plain(rng, size), weights)]


def zero_floors(rng: random.Random, size: int) -> list[Bid]:
    """Most bids have nothing that is theirs."""
    bids = plain(rng, size)
    return [box(0, bid.width, bid.weight) if rng.random() < 0.7 else bid for bid in bids]


def units(rng: random.Random, size: int) -> list[Bid]:
    """Boxes of a unit or two: neighbouring whole capacities are far apart in level."""
    return [box(rng.randint(0, 2), rng.randint(0, 2), small_weight(rng)) for _ in range(size)]


def few(rng: random.Random, _size: int) -> list[Bid]:
    """One bid, or none."""
    return plain(rng, int(rng.random() < 0.8))


def in_bytes(rng: random.Random, size: int) -> list[Bid]:
    """Values up to 2^50; at most seven bids, so that every sum is still a whole double."""
    bids = []
    for bid in extreme_weights(rng, min(size, 7)):
        floor = rng.randint(0, 2 ** rng.randint(1, 49))
        width = rng.randint(1, 2 ** rng.randint(1, 49))
        bids.append(Bid(floor, floor + width, rng.choice((floor + width, LARGEST)), bid.weight))
    return bids


# Drawing capacities. Each may replace the bids as well.

Question = tuple[list[Bid], int]


def floors_of(bids: list[Bid]) -> int:
    return sum(bid.floor for bid in bids)


def needs_of(bids: list[Bid]) -> int:
    return sum(bid.counted for bid in bids)


def at_breakpoint(rng: random.Random, bids: list[Bid], rule: str) -> Question:
    """The capacity at which some bid just reaches its cap; bids are scaled to make it whole."""
    rising = filling(bids, rule)
    capacity = rising.given(rng.choice(rising.breakpoints() or [Fraction(0)]))
    scale = capacity.denominator
    if scale * max((bid.ceiling for bid in bids), default=0) > LARGEST:
        return bids, whole(capacity)
    scaled = [
        Bid(scale * bid.floor, scale * bid.need, scale * bid.ceiling, bid.weight) for bid in bids
    ]
    return scaled, int(scale * capacity)


def inside(rng: random.Random, bids: list[Bid], _mechanism: str) -> Question:
    """Anywhere between floors and needs."""
    return bids, rng.randint(floors_of(bids), needs_of(bids))


def overloaded(rng: random.Random, bids: list[Bid], _mechanism: str) -> Question:
    """Anywhere below the floors, near them as often as not, so that some are capped."""
    least = rng.choice((0, floors_of(bids) * 3 // 4))
    return bids, rng.randint(least, max(least, floors_of(bids) - 1))


def overload_breakpoint(rng: random.Random, bids: list[Bid], _mechanism: str) -> Question:
    """Below the floors, where a capped floor is just reached."""
    return at_breakpoint(rng, bids, "overload")


def edge(capacity: Callable[[list[Bid]], int]) -> Callable[..., Question]:
    """A capacity which the bids alone decide."""
    return lambda _rng, bids, _mechanism: (bids, max(0, capacity(bids)))


# Thirteen, eleven and two have no common divisor: stepping all three lists at once meets every
# combination, and meets every kind within the first lines of a short run.
CAPACITIES = (
    at_breakpoint,
    edge(floors_of),
    inside,
    edge(lambda bids: floors_of(bids) + 1),
    overloaded,
    at_breakpoint,
    edge(needs_of),
    inside,
    edge(lambda bids: needs_of(bids) - 1),
    at_breakpoint,
    overload_breakpoint,
    inside,
    edge(lambda _bids: 0),
)
BIDS = (
    plain,
    equal_weights,
    proportional,
    twins,
    zero_width,
    outside,
    extreme_weights,
    zero_floors,
    units,
    few,
    in_bytes,
)


def draw(rng: random.Random, index: int) -> tuple[str, list[Bid], int]:
    """One question of the index's own kind; sizes lean to the small, to save bytes."""
    mechanism = MECHANISMS[index % len(MECHANISMS)]
    bids = BIDS[index % len(BIDS)](rng, 2 + int(11 * rng.random() ** 2))
    bids, capacity = CAPACITIES[index % len(CAPACITIES)](rng, bids, mechanism)
    return mechanism, bids, capacity


def generate(seed: int, dropped: Dropped) -> Iterator[str]:
    """Endless verified lines."""
    index = 0
    while True:
        mechanism, bids, capacity = draw(random.Random(f"rational {seed} {index}"), index)
        index += 1
        shares, price = solve(mechanism, bids, capacity)
        congested = mode(bids, capacity) == "congested"
        if congested and mechanism != "nash" and blurred(bids, shares):
            dropped.add("price on a kink that doubles cannot see")
            continue
        allocation = [short(float(share)) for share in shares]
        written = None if price is None else short(float(price))
        yield line(mechanism, capacity, bids, x=allocation, p=written)


if __name__ == "__main__":
    main(__doc__, STORED, generate)
