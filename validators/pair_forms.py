"""How a value may stand in an earlier text: word for word, turned round, as a date, a number, a part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubbers.jsontext import Leaf
from scrubbers.surrogates.numbering import code_at
from scrubbers.surrogates.text import digits_of, squeeze
from scrubbers.surrogates.text import fold as fold_word
from scrubbers.words import PARTICLES, TITLES
from validators.pair_dates import Dates, date_keys
from validators.pair_index import LONGEST, Hit, Index, Words, has_digit, readings, words_of
from validators.pair_worth import says_enough

# How a value agrees with an earlier one, strongest first.
KINDS = ("exact", "case", "chars", "spacing", "date", "order", "phone", "part", "tail")
EXACT, CASE, CHARS, SPACING, DATE, ORDER, PHONE, PART, TAIL = range(len(KINDS))
Found = tuple[int, Hit]  # a number of KINDS, and where
Mark = tuple[int, int, str]  # start, end, type of an identifier in a leaf's text
Marks = Mapping[int, Sequence[Mark]]

MOST_WORDS = 8  # of a value that is looked for in another order or in part
NEAR = 12  # words within which all parts of a value must stand
MOST_KNOWN = 4096  # answers that are remembered, since tables repeat their values
_PHONE = re.compile(r"[\d\s().+/\-‐‑‒–—]{7,32}")
_TAIL = re.compile(r"(?P<mask>[xX*#•●·…. -]*[xX*#•●·…][. -]*)?(?P<digits>\d{4,6})")


@dataclass(frozen=True, slots=True)
class Sought:
    """A value of an answer: its text as it is read, its words, the types of identifiers in it."""

    text: str
    words: Words
    packed: str
    types: frozenset[str]

    @property
    def source(self) -> str:
        """The text from its first word to its last."""
        spans = self.words.spans
        if not spans:
            return ""
        start, end = self.words.read.original(spans[0][0], spans[-1][1])
        return self.text[start:end]


def sought(leaf: Leaf, number: int, marks: Marks | None) -> Sought:
    """What is looked for of a leaf."""
    text = list(readings(leaf.text))[-1]
    words = words_of(text)
    types = frozenset(kind for _, _, kind in (marks or {}).get(number, ()))
    return Sought(text, words, words.packed, types)


class Finder:
    """Looks for values in an index; `marks` as in `pairs`."""

    def __init__(self, index: Index, marks: Marks | None) -> None:
        self._index, self._marks = index, marks
        self._dates = Dates(index)
        self._known: dict[tuple[str, frozenset[str], int], Found | None] = {}

    def best(self, value: Sought) -> Found | None:
        """Where a value stands, if that is no accident (`pair_worth`), and in which kind.

        The same type goes first, then the strongest kind, what no answer says, and the newest.
        """
        key = (value.text, value.types, len(self._index.norms))
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._best(value)
        return self._known[key]

    def _best(self, value: Sought) -> Found | None:
        year = _YEAR.fullmatch(value.words.read.text.strip())
        for least, form in _FORMS if value.packed else ():
            if year and least == TAIL:  # by accident; what stands for an end may look like one
                break
            found: tuple[tuple[bool, int, bool], Hit] | None = None
            for strength, hit in form(self, value):
                if not self._enough(value, strength, hit):
                    continue
                answer = self._index.segment(hit.first).role == "assistant"
                rating = (self._is_other(value, hit), strength, answer)
                if found is None or rating < found[0]:
                    found = rating, hit
                if rating == _NONE_BETTER:
                    break
            if found is not None:
                (_, strength, _), hit = found
                return _as_date(value, strength), hit
        return None

    def stands(self, value: Sought, limit: int) -> bool:
        """Whether a value stands there in a kind that is at least as strong."""
        return any(
            strength <= limit
            for least, form in _FORMS
            if least <= limit and value.packed
            for strength, _ in form(self, value)
        )

    def _marks_at(self, hit: Hit) -> list[Mark]:
        """The identifiers that a hit touches."""
        segment = self._index.segment(hit.first)
        told = (self._marks or {}).get(segment.leaf, ())
        if not told or not segment.own:
            return list(told)
        start, end = segment.words.read.original(*self._index.span(hit))
        return [mark for mark in told if mark[0] < end and start < mark[1]]

    def _is_other(self, value: Sought, hit: Hit) -> bool:
        """Whether the hit is of another type than the value, or one of them of none."""
        types = {kind for _, _, kind in self._marks_at(hit)}
        return types.isdisjoint(value.types) if types else bool(value.types)

    def _is_word_of(self, value: Sought, hit: Hit) -> bool:
        """Whether the hit is only a part of an identifier of another type: a name in a firm's."""
        told = self._marks_at(hit)
        if not told or not value.types or not self._is_other(value, hit):
            return False
        segment = self._index.segment(hit.first)
        start, end = segment.words.read.original(*self._index.span(hit))
        packed = [words_of(segment.text[first:last]).packed for first, last, _ in told]
        return segment.own and len("".join(packed)) > len(words_of(segment.text[start:end]).packed)

    def _enough(self, value: Sought, strength: int, hit: Hit) -> bool:
        if self._is_word_of(value, hit):
            return False
        sides = None
        if self._marks is not None:
            sides = bool(value.types), bool(self._marks_at(hit))
        role = self._index.segment(hit.first).role
        return says_enough(
            value.source, value.packed, self._index.source(hit), KINDS[strength], role, sides
        )

    def standing(self, value: Sought) -> Iterator[Found]:
        """The value's letters and digits, as whole words."""
        for hit in self._index.standing(value.packed):
            if value.packed.isdigit() and len(value.packed) < 6 and self._inside_number(hit):
                continue
            strength = self._likeness(value, hit)
            if strength == SPACING and len(value.packed) < 6 and value.packed.isalpha():
                said = self._index.source(hit)
                if (" " in said.strip()) != (" " in value.source):
                    continue
            yield strength, hit

    def _likeness(self, value: Sought, hit: Hit) -> int:
        said, wanted = self._index.source(hit), value.source
        if not self._index.segment(hit.first).own:
            return CHARS
        if said == wanted:
            return EXACT
        if said.casefold() == wanted.casefold():
            return CASE
        if max(len(said), len(wanted)) <= LONGEST and _plain(said) == _plain(wanted):
            return CHARS
        return SPACING

    def _inside_number(self, hit: Hit) -> bool:
        """Digits that a longer date, number or id goes on from: `2024` in `03/05/2024`."""
        text = self._index.segment(hit.first).words.read.text
        start, end = self._index.span(hit)
        before, after = text[max(0, start - 6) : start], text[end : end + 6]
        return bool(_GOES_BEFORE.search(before) or _GOES_AFTER.match(after))

    def ordered(self, value: Sought) -> Iterator[Found]:
        """All words of the value side by side, in another order."""
        norms = value.words.norms
        if not 2 <= len(norms) <= MOST_WORDS:
            return
        want, size = sorted(norms), len(norms)
        for word in self._index.whole.walk(squeeze(max(norms, key=len)), self._index.tries // 2):
            first, end = self._index.around(word, size - 1, size - 1)
            for start in range(first, end - size + 1):
                if sorted(self._index.norms[start : start + size]) == want:
                    yield ORDER, self._hit(start, start + size - 1, word)
                    break

    def _hit(self, first: int, last: int, word: int) -> Hit:
        """The stretch, or one word of it where it runs over several leaves."""
        one = self._index.segment(first) is self._index.segment(last)
        return Hit(first, last) if one else Hit(word, word)

    def dated(self, value: Sought) -> Iterator[Found]:
        """The same date in another form or language."""
        for key in date_keys(value.text):
            for hit in self._dates.of(key):
                yield DATE, hit

    def phoned(self, value: Sought) -> Iterator[Found]:
        """The same telephone number with or without country code and trunk zero."""
        digits = digits_of(value.words.read.text)
        if not 7 <= len(digits) <= 15 or not _PHONE.fullmatch(value.words.read.text.strip()):
            return
        for word in self._index.sevens.walk(digits[-7:], self._index.tries):
            groups = self._index.digits_before(word)
            if _same_number(digits, groups):
                yield PHONE, Hit(word, word)

    def partly(self, value: Sought) -> Iterator[Found]:
        """Each word of three letters or more, and each number, near each other."""
        norms = [squeeze(norm) for norm in value.words.norms]
        telling = {n for n in norms if has_digit(n) or (len(n) >= 3 and n not in _GENERIC)}
        letters = [norm for norm in telling if not has_digit(norm)]
        if not letters or len(norms) > MOST_WORDS:
            return
        if any(norm not in self._index.whole.newest for norm in telling):
            return
        for word in self._index.whole.walk(max(letters, key=len), self._index.tries // 2):
            first, end = self._index.around(word, NEAR, NEAR)
            if telling <= set(self._index.squeezed[first:end]):
                yield PART, Hit(word, word)

    def tailed(self, value: Sought) -> Iterator[Found]:
        """The last digits of a longer number."""
        found = _TAIL.fullmatch(value.words.read.text.strip())
        if found is None:
            return
        for word in self._index.ends.walk(found["digits"][-4:], self._index.tries):
            run = "".join(reversed(self._index.digits_before(word)))
            if run.endswith(found["digits"]):
                yield TAIL, Hit(word, word)


_Form = Callable[[Finder, Sought], Iterator[Found]]
_FORMS: tuple[tuple[int, _Form], ...] = (  # with the strongest kind that each can find
    (EXACT, Finder.standing), (DATE, Finder.dated), (ORDER, Finder.ordered),
    (PHONE, Finder.phoned), (PART, Finder.partly), (TAIL, Finder.tailed),
)  # fmt: skip
_NONE_BETTER = (False, EXACT, False)
_GENERIC = TITLES | PARTICLES
_YEAR = re.compile(r"(?:19|20)\d\d")
_GOES_BEFORE = re.compile(r"\d[-./:]$|(?<!\d)\d{4}[ \u00a0]$")
_GOES_AFTER = re.compile(r"[-./:]\d|[ \u00a0]\d{4}(?!\d)")


def _as_date(value: Sought, strength: int) -> int:
    """Dates agree as dates: `1 marzo` in two languages is alike until the month is another one."""
    loose = strength < DATE and (strength > EXACT or any(map(str.isalpha, value.text)))
    return DATE if loose and date_keys(value.text) else strength


def _plain(text: str) -> str:
    return fold_word(words_of(text).read.text)


def _same_number(digits: str, groups: Sequence[str]) -> bool:
    """Whether two numbers differ in nothing but country code and zeros before the national part."""
    other = "".join(reversed(groups))
    common = 0
    while common < min(len(digits), len(other)) and digits[-1 - common] == other[-1 - common]:
        common += 1
    left = sum(map(len, groups[:1]))
    for group in groups[1:]:
        if left >= common:
            break
        left += len(group)
    mine, theirs = digits[: len(digits) - common], other[len(other) - left : len(other) - common]
    return common >= 7 and _is_before(mine) and _is_before(theirs)


def _is_before(digits: str) -> bool:
    """Nothing, zeros, or a country code with zeros around it."""
    bare = digits.lstrip("0")
    code = code_at(bare)
    return not bare or (bool(code) and bare[len(code) :] in ("", "0", "1", "9"))
