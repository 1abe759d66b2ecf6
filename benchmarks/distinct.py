"""Many values of one kind: as many surrogates, none an original, memory and redraws.

    python benchmarks/distinct.py [--number N] [KIND ...]

Made-up values of each kind go through units, settling and writing, as in the settle pass. Values
that have one normal form (José Gomes, Jose Gomes) count once.
"""

from __future__ import annotations

import argparse
import random
import resource
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from faker import Faker

from scrubbers.keys import digest
from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.normal import Unit, units
from scrubbers.surrogates.overlap import first_counter
from scrubbers.surrogates.settle import settle
from scrubbers.surrogates.unit import ALONE
from scrubbers.surrogates.write import write

LOCALES = ("en_US", "en_GB", "es_ES", "fr_FR", "de_DE", "it_IT", "pt_BR", "nl_NL", "pl_PL")
Values = Iterator[str]


def names(rng: random.Random) -> Values:
    """Full names of nine countries, some with two surnames."""
    fakers = [Faker(locale) for locale in LOCALES]
    for faker in fakers:
        faker.seed_instance(rng.random())
    while True:
        faker = rng.choice(fakers)
        second = f"-{faker.last_name()}" if rng.random() < 0.4 else ""
        yield f"{faker.first_name()} {faker.last_name()}{second}"


def mails(rng: random.Random) -> Values:
    """Mailboxes of people at made-up hosts."""
    for name in names(rng):
        local = name.lower().replace(" ", rng.choice("._-")).replace("'", "")
        yield f"{local}{rng.randrange(100) or ''}@host{rng.randrange(40_000)}.example"


def phones(rng: random.Random) -> Values:
    """Numbers behind the codes of eight countries."""
    while True:
        code = rng.choice(("34 6", "44 7", "49 15", "33 6", "39 3", "1 212", "48 5", "31 6"))
        yield f"+{code}{rng.randrange(10**7, 10**8)}"


def ibans(rng: random.Random) -> Values:
    """German and Spanish accounts with right check digits."""
    while True:
        country, size, mark = rng.choice((("DE", 18, "1314"), ("ES", 20, "1428")))
        body = f"{rng.randrange(10**size):0{size}d}"
        yield f"{country}{98 - int(f'{body}{mark}00') % 97:02d}{body}"


def cards(rng: random.Random) -> Values:
    """Sixteen digits of two networks."""
    while True:
        yield f"{rng.choice('45')}{rng.randrange(10**15):015d}"


KINDS: dict[str, Callable[[random.Random], Values]] = {
    "PERSON": names, "EMAIL_ADDRESS": mails, "PHONE_NUMBER": phones, "IBAN_CODE": ibans,
    "CREDIT_CARD": cards,
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What many values came to."""

    values: int
    surrogates: int
    originals: int
    redraws: int


def distinct(kind: str, number: int) -> Iterator[tuple[str, tuple[Unit, ...]]]:
    """So many values with different normal forms, and their units."""
    seen: set[tuple[Unit, ...]] = set()
    for value in KINDS[kind](random.Random(kind)):
        parts = tuple(units(kind, value))
        if parts not in seen:
            seen.add(parts)
            yield value, parts
        if len(seen) == number:
            return


def judged(kind: str, number: int, key: bytes) -> Outcome:
    """Settle and write so many values of a kind; normal forms are compared."""

    def hashed(unit: Unit) -> bytes:
        return digest(key, unit.family, unit.norm)

    values = list(islice(distinct(kind, number), number))
    spaces: dict[bytes, str] = {}
    starts: dict[bytes, int] = {}
    for _, parts in values:
        for unit in parts:
            mark = hashed(unit)
            if mark not in spaces:
                spaces[mark] = unit.space
                if start := first_counter(unit, mark):
                    starts[mark] = start
    names = [tuple(map(hashed, p)) for _, p in values if kind == "PERSON" and len(p) > 1]
    counters = settle(list(spaces.values()), list(spaces), names, hashed, starts)

    def lookup(unit: Unit) -> str:
        mark = hashed(unit)
        return draw(unit.space, mark, counters.get(mark, 0))

    written = {normal(kind, write(kind, value, ALONE, lookup)) for value, _ in values}
    originals = {tuple((u.family, u.norm) for u in parts) for _, parts in values}
    redraws = sum(count > starts.get(mark, 0) for mark, count in counters.items())
    return Outcome(len(values), len(written), len(written & originals), redraws)


def normal(kind: str, text: str) -> tuple[tuple[str, str], ...]:
    """Family and norm of the units of a text."""
    return tuple((unit.family, unit.norm) for unit in units(kind, text))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=100_000)
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    asked = parser.parse_args(arguments)
    key = secrets.token_bytes(32)
    print("kind             values  surrogates  originals among them  redraws  peak MiB")
    for kind in asked.kinds:
        found = judged(kind, asked.number, key)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{kind:14} {found.values:8,} {found.surrogates:11,} {found.originals:21,} "
            f"{found.redraws:8,} {peak:9,}",
            flush=True,
        )


if __name__ == "__main__":
    main()
