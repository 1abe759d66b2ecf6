"""Settling: injective, order free, never an original, also where a space is full."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.naming import made_up
from scrubbers.surrogates.normal import Unit, units
from scrubbers.surrogates.overlap import first_counter, overlaps
from scrubbers.surrogates.people import name_unit, number_unit
from scrubbers.surrogates.settle import settle
from scrubbers.surrogates.stream import Stream
from tests.scrubbers.surrogates.lookup import unit_digest

GENERATORS = {
    "email": lambda r, i: units("EMAIL_ADDRESS", f"ana.u{i}@d{r.randrange(10**9)}.example"),
    "phone": lambda r, _: units("PHONE_NUMBER", f"+34 6{r.randrange(10**8):08d}"),
    "phone-us": lambda r, _: units("PHONE_NUMBER", f"+1 212 {r.randrange(200, 999)} {r.randrange(10**4):04d}"),
    "iban": lambda r, _: units("IBAN_CODE", f"DE{r.randrange(10**20):020d}"),
    "card": lambda r, _: units("CREDIT_CARD", f"4{r.randrange(10**15):015d}"),
    "surname": lambda r, i: [name_unit(made_up(r.choice(("es", "de", "en", "pl")), Stream(b"t", i)))],
    "birth": lambda r, _: units("DATE_OF_BIRTH", f"19{r.randrange(40, 99)}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d}"),
}  # fmt: skip


def distinct(found: Iterable[Unit]) -> dict[bytes, Unit]:
    return {unit_digest(unit): unit for unit in found}


def settled(
    by_digest: dict[bytes, Unit], full_names: Iterable[tuple[bytes, ...]] = ()
) -> dict[bytes, str]:
    counters = settle(
        [u.space for u in by_digest.values()], list(by_digest), full_names, unit_digest
    )
    assert all(count > 0 for count in counters.values())
    return {d: draw(u.space, d, counters.get(d, 0)) for d, u in by_digest.items()}


def check_injective(by_digest: dict[bytes, Unit], *, full: bool = False) -> None:
    made = settled(by_digest)
    surrogates = {(by_digest[d].family, norm) for d, norm in made.items()}
    assert len(surrogates) == len(by_digest)
    assert all(by_digest[d].norm != norm for d, norm in made.items())
    originals = {(unit.family, unit.norm) for unit in by_digest.values()}
    assert full or not surrogates & originals


@pytest.mark.parametrize("kind", GENERATORS)
def test_as_many_surrogates_as_values_and_none_is_an_original(kind: str) -> None:
    rng = random.Random(kind)
    found = distinct(unit for i in range(1500) for unit in GENERATORS[kind](rng, i))
    large = {
        d: unit
        for d, unit in found.items()
        if unit.family not in ("last4", "initial", "digits", "code")  # the numbers in mailboxes
    }
    check_injective(large, full=kind == "birth")


@pytest.mark.slow
@pytest.mark.parametrize("kind", GENERATORS)
def test_a_hundred_thousand_values(kind: str) -> None:
    rng = random.Random(kind)
    found = distinct(unit for i in range(100_000) for unit in GENERATORS[kind](rng, i))
    check_injective(found, full=True)
    made = settled(found)
    large = [
        d for d, unit in found.items() if unit.family not in ("last4", "date", "digits", "code")
    ]
    originals = {(found[d].family, found[d].norm) for d in large}
    assert not any((found[d].family, made[d]) in originals for d in large)


@pytest.mark.parametrize("count", [1, 2])
def test_a_space_that_is_full_is_permuted(count: int) -> None:
    lowest = 10 ** (count - 1)
    check_injective(distinct(number_unit(str(n)) for n in range(lowest, 10**count)), full=True)


def test_all_initials_are_permuted() -> None:
    check_injective(distinct(name_unit(c) for c in "abcdefghijklmnopqrstuvwxyz"), full=True)


@given(
    st.lists(
        st.sampled_from(
            ["ana", "eva", "luis", "reyes", "lopez", "smith", "iglesias", "wolf", "kim", "7", "42"]
        ),
        min_size=1,
    ),
    st.randoms(),
)
@settings(max_examples=40, deadline=None)
def test_the_order_of_the_units_does_not_matter(words: list[str], rng: random.Random) -> None:
    found = [number_unit(w) if w.isdigit() else name_unit(w) for w in words]
    shuffled = rng.sample(found, len(found))
    results = [
        settle([u.space for u in row], [unit_digest(u) for u in row], [], unit_digest)
        for row in (found, shuffled)
    ]
    assert results[0] == results[1]


def test_digests_may_come_as_bytes_or_pairs() -> None:
    row = [name_unit(f"{a}{b}rez") for a in "bcdfgl" for b in "aeiou"]
    digests = [unit_digest(unit) for unit in row]
    spaces = [unit.space for unit in row]
    assert settle(spaces, digests, [], unit_digest) == settle(
        spaces, b"".join(digests), [], unit_digest
    )


def test_no_full_name_becomes_another_full_name_of_the_set() -> None:
    given_names = ["ana", "eva", "luis", "carmen", "pedro", "maria", "jose"]
    by_digest = distinct(name_unit(n) for n in given_names)
    first = settled(by_digest)
    target = tuple(first[unit_digest(name_unit(n))] for n in ("ana", "luis"))
    by_digest |= distinct(name_unit(n) for n in target)
    names = [("ana", "luis"), target]
    tuples = [tuple(unit_digest(name_unit(n)) for n in name) for name in names]
    made = settled(by_digest, tuples)
    surrogates = {tuple(made[d] for d in name) for name in tuples}
    assert not surrogates & set(names)


def test_no_full_name_keeps_a_part_of_itself_in_another_place() -> None:
    """Of given names alone any may be somebody's, but not a part of the very name it stands in."""
    rng = random.Random(4)
    drawn = {draw(name_unit("martin").space, bytes([n]) * 16, 0) for n in range(200)}
    given = [unit for unit in map(name_unit, sorted(drawn)) if unit.space.startswith("name:given")]
    by_digest = distinct(given)
    names = [tuple(rng.sample(sorted(by_digest), 2)) for _ in range(2000)]
    made = settled(by_digest, names)
    for name in names:
        assert not {made[one] for one in name} & {by_digest[one].norm for one in name}


def test_surrogates_that_hold_their_original_are_left_out() -> None:
    unit = name_unit("martin")
    assert overlaps(unit, "martinez")
    assert overlaps(unit, "martin")
    assert overlaps(name_unit("ann"), "marianna")
    assert overlaps(name_unit("ann"), "alba")  # an initial would stay
    assert not overlaps(name_unit("ann"), "ela")
    start = first_counter(unit, unit_digest(unit))
    counters = settle(
        [unit.space], [unit_digest(unit)], [], unit_digest, {unit_digest(unit): start + 3}
    )
    assert counters[unit_digest(unit)] >= start + 3
