"""The look-ups of `propagate` against the expressions that say what it has to find."""

import re
from collections.abc import Iterator, Sequence

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubbers.finding import Finding
from scrubbers.propagate import propagate
from scrubbers.words import word_list

START, END = r"(?<![^\W_])", r"(?![^\W_])"
WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
# Turned round, each word begins with a capital.
CAPITAL = f"(?-i:(?![{''.join(c for c in map(chr, range(0x250)) if c.islower())}]))"
Want = tuple[str, str]  # type, expression


def expressions(kind: str, value: str) -> Iterator[Want]:
    """What one confirmed value makes `propagate` look for; names here are no common words."""
    if kind == "PERSON":
        words = [re.escape(word) for word in WORD.findall(value)]
        if len(words) > 1:
            yield kind, r"\.?,?\s{1,2}".join(words)
            turned = [CAPITAL + word for word in words]
            yield kind, rf"{turned[-1]},?\s{{1,2}}" + r"\s{1,2}".join(turned[:-1])
        yield from ((kind, word) for word in words if len(word) > 3)
    elif kind in {"PHONE_NUMBER", "OTHER_ID"}:
        packed = re.sub(r"[\W_]", "", value)
        yield kind, r"[\s\-./]{0,2}".join(packed)
        if kind == "PHONE_NUMBER" and packed.isdigit() and len(packed) >= 9:
            tail = packed[-9:] if len(packed) >= 11 else packed[-8:]
            country = r"(?:(?:00)?\d{1,3}[\s().\-/]{0,3})?(?:\(?0\)?[\s().\-/]{0,3})?"
            yield kind, country + r"[\s().\-/]{0,3}".join(tail)
    else:
        yield kind, r"\s+".join(map(re.escape, value.split()))


def reference(texts: Sequence[str], values: Sequence[Want]) -> list[set[tuple[int, str]]]:
    """(place, type) of each character that the values cover in each text."""
    wanted: dict[str, list[str]] = {}
    for kind, expression in {e for value in values for e in expressions(*value)}:
        name_part = kind == "PERSON" and r"\s" not in expression
        wanted.setdefault(f"{kind} part" if name_part else kind, []).append(expression)
    found: list[set[tuple[int, str]]] = [set() for _ in texts]
    for group, sources in wanted.items():
        kind = group.partition(" ")[0]
        longest_first = "|".join(sorted(sources, key=lambda s: (-len(s), s)))
        case = 0 if kind == "PASSWORD" else re.IGNORECASE
        pattern = re.compile(f"{START}(?:{longest_first}){END}", case)
        for text, places in zip(texts, found, strict=True):
            for match in pattern.finditer(text):
                places |= {(at, kind) for at in range(*match.span())}
    return found


VALUES: tuple[Want, ...] = (
    ("PERSON", "Zélie O'Dwyer"),
    ("PERSON", "Anne-Sofie Zélie Strauß"),
    ("PHONE_NUMBER", "+44 7462 118903"),
    ("PHONE_NUMBER", "600 123 456"),
    ("OTHER_ID", "LMB-70-55218"),
    ("ADDRESS", "31 Coopers  Rise"),
    ("USERNAME", "@zelie_o.dwyer"),
    ("PASSWORD", "Tr0ub  4dor&"),
)
FIRST = " ; ".join(value for _, value in VALUES)
PIECES = (
    *(piece for _, value in VALUES for piece in value.split()),
    *word_list("ZÉLIE strauß STRAUẞ o'dwyer O Dwyer Anne sofie tr0ub COOPERS rise 07462 118 903 00 44 0 7 4"),
    *word_list("600123 456 lmb 70-552 18 zelie_o dwyer @ ſ İ x _ é"),
)  # fmt: skip
GAPS = ("", " ", " ", "  ", "\n", "-", ".", ",", ", ", ". ", "/", "(", ") ", "'", "\u00a0")
texts = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(GAPS)), max_size=14).map(
    lambda pairs: "".join(piece + gap for piece, gap in pairs)
)


@given(st.lists(texts, min_size=1, max_size=3))
@example(["DWYER", "o'dwyer, zélie and Anne-Sofie  Zélie. Strauß", "(0)746 211 8903 600-123-456"])
@example(["07462118903/07462118903 07462 118 90 3", "44 0 7462118903 0044(0)7462-118903"])
@example(["lmb- 70..552 /18, LMB - 7055218", "00346 - (0) - 00123456, 00346 - (0) -  00123456"])
@settings(max_examples=300)
def test_look_ups_find_what_the_expressions_find(others: list[str]) -> None:
    leaves = [FIRST, *others]
    confirmed = [
        Finding(start, start + len(value), kind, 0.9, "test")
        for kind, value in VALUES
        for start in [FIRST.index(value)]
    ]
    added = propagate(leaves, [confirmed, *([] for _ in others)])[1:]
    covered = [
        {(at, found.type) for found in group for at in range(found.start, found.end)}
        for group in added
    ]
    wanted = reference(others, VALUES)
    for got, all_places in zip(covered, wanted, strict=True):
        # One type is enough where two lie over each other, so places are compared without it.
        assert {at for at, _ in got} == {at for at, _ in all_places}
        assert got <= all_places
