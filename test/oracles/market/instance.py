"""What the three oracles share: the bid, the three modes, the line format, the command line.

Nothing here solves anything, so an error in one oracle cannot reach another.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

MECHANISMS = ("nash", "kalai-smorodinsky")


class Bid(NamedTuple):
    """One bid, in the order in which a line writes it."""

    floor: int
    need: int
    ceiling: int
    weight: float

    @property
    def counted(self) -> int:
        """The need that counts: within floor and ceiling, whatever was asked for."""
        return min(max(self.need, self.floor), self.ceiling)

    @property
    def width(self) -> int:
        """How far above its floor the bid can go; 0 takes it out of the bargaining."""
        return self.counted - self.floor


def mode(bids: list[Bid], capacity: int) -> str:
    """Whole numbers decide the mode, so no rounding can."""
    if sum(bid.counted for bid in bids) <= capacity:
        return "uncongested"
    if sum(bid.floor for bid in bids) > capacity:
        return "overloaded"
    return "congested"


def short(number: float | None) -> float | None:
    """Write 1200 rather than 1200.0: the files are committed, so bytes count."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number


def line(mechanism: str, capacity: int, bids: list[Bid], **answer: object) -> str:
    """One instance as a compact JSON line; `answer` follows the question."""
    rows = [[*bid[:3], short(bid.weight)] for bid in bids]
    record = {"m": mechanism, "c": capacity, "b": rows, **answer}
    return json.dumps(record, separators=(",", ":"))


class Dropped:
    """Counts what an oracle refused to vouch for, by reason: silence would hide a bias."""

    def __init__(self) -> None:
        self.reasons: dict[str, int] = {}

    def add(self, reason: str) -> None:
        self.reasons[reason] = self.reasons.get(reason, 0) + 1


def distinct(lines: Iterable[str], dropped: Dropped) -> Iterator[str]:
    """Tiny instances repeat by chance; a repeated line tests nothing new."""
    seen: set[str] = set()
    for text in lines:
        if text in seen:
            dropped.add("repeated")
            continue
        seen.add(text)
        yield text


def main(doc: str, stored: int, generate: Callable[[int, Dropped], Iterator[str]]) -> None:
    """Print `--count` kept lines; the defaults are those of the stored data."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--count", type=int, default=stored, help="lines to print")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dropped = Dropped()
    kept = 0
    for text in islice(distinct(generate(options.seed, dropped), dropped), options.count):
        print(text)
        kept += 1
    print(f"kept {kept}, dropped {dropped.reasons}", file=sys.stderr)
