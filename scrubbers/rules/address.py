"""Street lines with a number, and postal codes beside them, in the languages of the project."""

from __future__ import annotations

import re
from bisect import bisect, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import finding, holds, runs, words
from scrubbers.rules.street_forms import (
    ALONE,
    CODE_AFTER,
    EN,
    EN_BARE,
    EN_DIRECTIONS,
    EN_NEVER,
    EN_PLAIN,
    EN_TYPES,
    EN_UNIT,
    EN_WORDS,
    FR,
    FR_PLACE,
    FR_TYPES,
    GERMANIC,
    GERMANIC_HINT,
    GERMANIC_IN,
    GERMANIC_SURE,
    LINE_CODE,
    PLACE_HINT,
    PLACE_TYPES,
    ROMANCE,
    ROMANCE_HINT,
    ROMANCE_PLAIN,
    STRONG_ENDS,
    SURE_HINT,
    UNIT_BEFORE,
    UNIT_HINT,
    UNIT_TYPES,
)

_MOST_DIGITS = 6  # of a house number
_INNER = frozenset(".:/-_")
_CODE_DIGITS = 5
_LINE_LANGUAGES = frozenset({"de", "fr", "es", "it", "und"})


def streets(passage: Passage) -> Iterable[Finding]:
    """Street, number and unit; the postal code that follows is a finding of its own."""
    text = passage.text
    taken: list[tuple[int, int]] = []
    for match in _candidates(text, passage.language):
        start, end = match.start(), match.start() + len(match.group().rstrip(" ,.;"))
        if _overlaps(taken, start, end):
            continue
        if unit := UNIT_BEFORE.search(text, max(0, start - 24), start):
            start = unit.start()
        insort(taken, (start, end))
        yield finding((start, end), "ADDRESS", 0.8)
        if code := CODE_AFTER.match(text, end):
            yield finding(code.span(1), "ADDRESS", 0.8)


def _overlaps(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of the sorted spans holds a character of start..end."""
    at = bisect(taken, (start, end))
    return (at > 0 and start < taken[at - 1][1]) or (at < len(taken) and taken[at][0] < end)


def _candidates(text: str, language: str) -> Iterable[re.Match[str]]:
    """Street matches around the text's house numbers: number first, then number last."""
    first = [form for form in _FIRST.get(language, _FIRST_ANY) if _named(form, text)]
    last = [form for form in _LAST.get(language, _LAST_ANY) if _named(form, text)]
    done = seen = 0
    for start, end in _house_numbers(text) if first or last else ():
        for form in first:
            match = form.pattern.match(text, start)
            if match and form.accept(match.group()):
                yield match
        begin = max(done, start - 80)
        lettered = any(c.isalpha() for c in text[max(begin, seen) : start])
        seen = end
        for form in last if lettered else ():
            if not form.before(text, max(begin, start - 56), start):
                continue
            for match in form.pattern.finditer(text, begin, min(len(text), end + 80)):
                if match.start() < start and form.accept(match.group()):
                    done = max(done, match.end())
                    yield match


def _house_numbers(text: str) -> Iterable[tuple[int, int]]:
    """Runs of up to six digits that no larger number or word holds."""
    for start, end in runs(text):
        before = text[start - 1 : start]
        if end - start <= _MOST_DIGITS and not (before.isalnum() or before in _INNER):
            yield start, end


def named_streets(passage: Passage) -> Iterable[Finding]:
    """English streets without a number ("a van on Mallow Lane"); not the famous ones."""
    text = passage.text
    if passage.language in {"en", "und"} and holds(text, EN_WORDS):
        for match in EN_BARE.finditer(text):
            yield finding(match.span(), "ADDRESS", 0.6)


def _english_street(value: str) -> bool:
    """A capital in the name, or few enough words that "14 elm ave" is a street."""
    found = re.findall(r"[A-Za-z][\w.'-]{0,30}", value)
    if any(word.lower() in EN_NEVER for word in found):
        return False
    while found and found[-1].lower().rstrip(".") in EN_DIRECTIONS:
        found.pop()
    if any(word[:1].isupper() for word in found[:-1]):
        return True
    return len(found) == 2 and found[-1].lower().rstrip(".") in EN_PLAIN


def _romance_street(value: str) -> bool:
    """A capital in the name, or a type word that means nothing else."""
    kind, _, rest = value.partition(" ")
    named = any(w[:1].isupper() for w in re.findall(r"[^\W\d_][\w.'-]*", rest))
    return named or kind.lower().rstrip(".") in ROMANCE_PLAIN


def _sure_before(text: str, start: int, end: int) -> bool:
    """Whether a word for a street ends right before a number at `end`."""
    ends = [word.lower() for word in text[start:end].split()[-2:]]
    likely = any(word.endswith(STRONG_ENDS) or "-" in word for word in ends)
    return likely and SURE_HINT.search(text, start, end) is not None


@dataclass(frozen=True, slots=True)
class _Form:
    """A way of writing a street.

    `words`: without one of them in the text there is none (empty: unknown). `accept`: whether a
    match is one. `before`: whether text[start:end], before a number, may hold one (number last).
    """

    pattern: re.Pattern[str]
    words: frozenset[str] = frozenset()
    accept: Callable[[str], bool] = bool
    before: Callable[[str, int, int], object] = lambda *_: True


def _named(form: _Form, text: str) -> bool:
    return not form.words or not words(text).isdisjoint(form.words)


_ENGLISH = _Form(EN, EN_TYPES, _english_street)
_FRENCH = _Form(FR, FR_TYPES)
_ROMANCE_LAST = _Form(ROMANCE, accept=_romance_street, before=ROMANCE_HINT.search)
_SURE_LAST = _Form(GERMANIC_SURE, before=_sure_before)
_GERMANIC_LAST = _Form(GERMANIC, before=GERMANIC_HINT.search)
_INSIDE_LAST = _Form(GERMANIC_IN, before=GERMANIC_HINT.search)
_UNITS_LAST = _Form(EN_UNIT, UNIT_TYPES, before=UNIT_HINT.search)
_PLACE_LAST = _Form(FR_PLACE, PLACE_TYPES, before=PLACE_HINT.search)
# Forms with the number first and last, by language; in all others any may stand.
_FIRST: dict[str, tuple[_Form, ...]] = {
    "en": (_ENGLISH, _FRENCH), "es": (), "it": (), "pt": (), "fr": (_FRENCH,), "de": (_FRENCH,),
    "nl": (_FRENCH,),
}  # fmt: skip
_FIRST_ANY = (_ENGLISH, _FRENCH)
_LAST: dict[str, tuple[_Form, ...]] = {
    "en": (_UNITS_LAST, _SURE_LAST),
    **dict.fromkeys(("es", "it", "pt"), (_ROMANCE_LAST, _SURE_LAST)),
    "fr": (_PLACE_LAST, _SURE_LAST),
    **dict.fromkeys(("de", "nl"), (_SURE_LAST, _GERMANIC_LAST, _INSIDE_LAST)),
}
_LAST_ANY = (_ROMANCE_LAST, _SURE_LAST, _GERMANIC_LAST, _INSIDE_LAST)


def postcodes(passage: Passage) -> Iterable[Finding]:
    """Postal codes that stand before or behind a town in an address line."""
    text = passage.text
    alone = ALONE.get(passage.language)
    if alone:
        for match in alone.finditer(text):
            yield finding(match.span(), "ADDRESS", 0.7)
    if passage.language in _LINE_LANGUAGES and any(b - a == _CODE_DIGITS for a, b in runs(text)):
        for match in LINE_CODE.finditer(text):
            yield finding(match.span(1), "ADDRESS", 0.65)
