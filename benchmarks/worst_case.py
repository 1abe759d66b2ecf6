"""How the time of each rule grows with hostile texts: the ratio time(2n) / time(n).

    python benchmarks/worst_case.py [--characters 20000] [--worst 25]

About 2 is linear, about 4 quadratic. Each unit of `UNITS`, repeated to n and 2n characters, is
read by each rule in three languages; printed are the rows with the highest ratio, and those that
take longest. Times under 5 ms are noise and left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from scrubbers.passage import Passage
from scrubbers.rules import RULES

UNITS = (
    "a.", "@", "A.", "1 ", "1.", "A1-", "a@", "\n", "(", "Aa ", "password ", "calle 1 ", "0:", "x",
    "1 Aa ", "my name is ", "Dr Aa ", "token ", "1a-", "+1(", "\\", "://", "Im A 1 ", "user: ",
)  # fmt: skip
LANGUAGES = ("en", "es", "de")
LEAST = 0.005


class Row(NamedTuple):
    """One rule on one unit: `ratio` of the times, and the longer `seconds`."""

    ratio: float
    seconds: float
    rule: str
    unit: str
    language: str


def seconds(rule: Callable[[Passage], Iterable[object]], passage: Passage) -> float:
    """The best of three runs."""
    times = []
    for _ in range(3):
        began = time.process_time()
        list(rule(passage))
        times.append(time.process_time() - began)
    return min(times)


def rows(characters: int) -> Iterable[Row]:
    for unit in UNITS:
        short, long = (unit * (n // len(unit)) for n in (characters, 2 * characters))
        for language in LANGUAGES:
            for name, rule in RULES:
                once = seconds(rule, Passage(short, language))
                twice = seconds(rule, Passage(long, language))
                if once >= LEAST:
                    yield Row(twice / once, twice, name, unit, language)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--characters", type=int, default=20_000)
    parser.add_argument("--worst", type=int, default=25)
    given = parser.parse_args()
    found = list(rows(given.characters))
    show("highest ratio", sorted(found, key=lambda row: -row.ratio)[: given.worst])
    show("longest", sorted(found, key=lambda row: -row.seconds)[: given.worst])


def show(title: str, worst: Iterable[Row]) -> None:
    print(title)
    for row in worst:
        print(
            f"  {row.ratio:5.2f}  {row.seconds:7.3f} s  {row.rule:16} {row.unit!r} {row.language}"
        )


if __name__ == "__main__":
    main()
