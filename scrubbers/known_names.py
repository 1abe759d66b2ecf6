"""The full names that a record confirms, and how their parts are spelled in identifiers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scrubbers.catalog import MODELS
from scrubbers.finding import Finding
from scrubbers.propagate import DETECTOR, NAME_WORD, lowered
from scrubbers.rules.common import plain
from scrubbers.surrogates.words import DIGRAPHS
from scrubbers.words import PARTICLES, TITLES

__all__ = ["FullName", "full_names", "lowered", "without_neighbours"]

_MOST = 200  # full names of one record whose forms are looked for
_JOINTS = ("", ".", "_", "-")
_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"}
)
_ONE = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ı": "i"})


@dataclass(frozen=True, slots=True)
class FullName:
    """A name of two words at least; all forms in lower case.

    `surnames`: a surname's spelling in identifiers -> the given names and initials that may stand
    beside it. `given`: the given names; `lasts`: the surnames without particles; `spaced`: with
    them, as in running text, and without, each also with the words behind it.
    """

    surnames: Mapping[str, frozenset[str]]
    given: tuple[str, ...]
    lasts: tuple[str, ...]
    spaced: tuple[str, ...]


def full_names(texts: Sequence[str], findings: Sequence[Sequence[Finding]]) -> list[FullName]:
    """The full names among the confirmed findings, each once, in the order of their words."""
    values = {
        words
        for text, group in zip(texts, findings, strict=True)
        for found in group
        if found.type == "PERSON" and found.detector != DETECTOR
        and (words := _words(text[found.start : found.end]))
    }  # fmt: skip
    return [_full_name(words) for words in sorted(values)[:_MOST]]


def _words(value: str) -> tuple[str, ...]:
    """The words of a full name, given names first; () where it is none."""
    last, comma, first = value.partition(",")
    words = NAME_WORD.findall(f"{first} {last}" if comma else value)
    words = [word for word in words if plain(word) not in TITLES]
    named = [word for word in words if len(word) > 1 and plain(word) not in PARTICLES]
    cases = {word[0].islower() for word in named}
    if len(named) < 2 or len(words) > 6 or len(cases) > 1 or "\n" in value.strip():
        return ()
    return tuple(words) if len(words[0]) > 1 and words[0] in named else ()


def _full_name(words: Sequence[str]) -> FullName:
    surnames: dict[str, set[str]] = {}
    lasts, spaced = [], []
    named = [i for i, word in enumerate(words) if len(word) > 1 and plain(word) not in PARTICLES]
    for place in named[1:]:
        first = place
        while plain(words[first - 1]) in PARTICLES and len(words[first - 1]) > 1:
            first -= 1
        given = [words[i] for i in named if i < place]
        sides = _sides(given)
        for form in {*_spelled(words[first : place + 1]), *_spelled(words[place : place + 1])}:
            surnames.setdefault(form, set()).update(sides)
        spaced += [lowered(" ".join(words[first:])), lowered(words[place])]
        if place == named[-1] or first < place:
            lasts.append(lowered(words[place]))
            spaced.append(lowered(" ".join(words[first : place + 1])))
    for several in (words[named[1] :],) if len(named) > 2 else ():
        for form in _spelled(several):
            surnames.setdefault(form, set()).update(_sides(words[: named[1]]))
    return FullName(
        {form: frozenset(sides) for form, sides in surnames.items()},
        tuple(plain(words[i]) for i in named[:-1]), tuple(lasts), tuple(spaced),
    )  # fmt: skip


def _sides(given: Sequence[str]) -> set[str]:
    """What stands beside a surname: given names, one or all, and their initials."""
    parts = [part for word in given for part in word.split("-")]
    folded = [plain(part) for part in parts if plain(part)]
    found = {form for word in given for form in _spelled([word])} | set(_spelled(given))
    found |= {form for part in parts for form in _spelled([part])}
    found |= {part[0] for part in folded[:1]} | {"".join(part[0] for part in folded)}
    found |= {part[:2] for part in folded[:1] if part[:2] in DIGRAPHS}
    return {form for form in found if len(form) > 2 or form.isalpha()}


def _spelled(words: Sequence[str]) -> Iterator[str]:
    """The words joined in each way, with and without their accents."""
    parts = [part for word in words for part in re.split("-", lowered(re.sub("['’]", "", word)))]
    for joint in _JOINTS if len(parts) > 1 else ("",):
        plainly = joint.join(parts)
        yield plainly
        yield _bare(plainly)
        yield _bare(plainly.translate(_WRITTEN_OUT))


def _bare(text: str) -> str:
    apart = unicodedata.normalize("NFD", text.translate(_ONE))
    return "".join(char for char in apart if not unicodedata.combining(char))


# --- what models took too much of ---------------------------------------------------------------


def without_neighbours(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]]
) -> list[list[Finding]]:
    """The findings; those of models without words beside a known name that are none of it.

    "Hunter mark it" and "Neumanns Konto" beside "Mark Hunter" and "Paul Neumann"; a surname with
    its particles is whole, and no street takes its last word.
    """
    names = full_names(texts, findings)
    if not names:
        return [list(group) for group in findings]
    found = []
    for text, group in zip(texts, findings, strict=True):
        cut = [_cut(one, text, names) for one in group]
        found.append(_with_particles(text, cut, names))
    return found


def _cut(found: Finding, text: str, names: Sequence[FullName]) -> Finding:
    """A model's name of two words without the second where that is a verb or what is owned."""
    value = text[found.start : found.end]
    words = value.split()
    if found.type != "PERSON" or found.detector not in MODELS or not 0 < len(words) <= 2:
        return found
    if len(words) == 1:
        several = value[-2:] == "es" and value[-3:-2] in {*"sxzh"}
        joneses = several and any(lowered(value[:-2]) in name.lasts for name in names)
        return replace(found, end=found.start + len(value) - 2) if joneses else found
    first, second = map(lowered, words)
    for name in names:
        verb = words[1].islower() and first in name.lasts and second in name.given
        owned = first.endswith("s") and first[:-1] in name.lasts and first not in name.lasts
        other = second not in name.lasts and second not in name.given and second not in PARTICLES
        if verb or (owned and other and words[0][0].isupper()):
            return replace(found, end=found.start + len(words[0]))
    return found


def _with_particles(text: str, group: list[Finding], names: Sequence[FullName]) -> list[Finding]:
    """Surnames with particles as one finding each, what others took of them cut off."""
    low = lowered(text)
    for surname in {one for name in names for one in name.spaced if _particled(one)}:
        words = surname.split()
        pieces = r"\s+".join(map(re.escape, words))
        for match in re.finditer(rf"(?<!\w){pieces}(?!\w)", low) if words[-1] in low else ():
            start, end = match.span()
            if any(f.start <= start and end <= f.end for f in group):
                continue
            over = any(f.start < end and start < f.end - len(words[-1]) for f in group)
            if len(words) > 2 or over:
                group = [rest for f in group if (rest := _outside(f, start, end, text))]
                group.append(Finding(start, end, "PERSON", 0.8, DETECTOR))
    return group


def _particled(surname: str) -> bool:
    first, _, rest = surname.partition(" ")
    return bool(rest) and plain(first) in PARTICLES


def _outside(found: Finding, start: int, end: int, text: str) -> Finding | None:
    """What is left of a finding beside a name; None where that is nothing."""
    if found.end <= start or end <= found.start:
        return found
    if found.start >= start:
        left = end
        while left < found.end and not text[left].isalnum():
            left += 1
        return replace(found, start=left) if left < found.end else None
    right = start
    while right > found.start and not text[right - 1].isalnum():
        right -= 1
    return replace(found, end=right) if right > found.start else None
