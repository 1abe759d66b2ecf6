"""Values confirmed once in a record are looked for in all its leaves.

Full values are found in any case and, for numbers, with other separators. Names are found by
part too ("Ana Reyes" confirms "Reyes"), e-mails by a local part that is clearly a login.
Only confirmed findings are sources, never propagated ones, so a second run adds nothing.

A pattern for each record would cost more to compile than all else here together, so the search
is made of set and substring look-ups: a phrase is tried where its first word stands, a number
where its characters follow one another once separators are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrubbers.entities import BALANCED
from scrubbers.finding import Finding
from scrubbers.rules.common import compact, digits, plain
from scrubbers.words import COMMON, PARTICLES, ROLES, TITLES, word_list

DETECTOR = "propagate"
_SCORE = 0.8
_NUMBERS = frozenset(
    word_list(
        "PHONE_NUMBER IBAN_CODE CREDIT_CARD BANK_ACCOUNT NATIONAL_ID PASSPORT LICENCE_PLATE"
        " MEDICAL_ID OTHER_ID"
    )
)
_LITERAL = frozenset(
    word_list("EMAIL_ADDRESS ADDRESS DATE_OF_BIRTH USERNAME PASSWORD SECRET IP_ADDRESS")
)
_EXACT_CASE = frozenset({"PASSWORD", "SECRET"})
NAME_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n\"'>*#-]\s*|[-*]\s)$")
_ARTICLE = re.compile(
    r"\b(?:the|a|an|im|am|in|der|die|das|dem|den|ein|eine|el|la|los|las|un|una|le|les|une|il|lo|i|gli"
    r"|o|os|as|um|uma|het|een|de|del|della|do|da)\s$",
    re.IGNORECASE,
)
_MOST_VALUES = 2000  # distinct values searched for in one record
# What may stand between the words of a phrase: a name, one turned round, any other value.
_NAME_GAP = re.compile(r"\.?,?\s{1,2}")
_TURNED_GAP = re.compile(r",?\s{1,2}")
_SHORT_GAP = re.compile(r"\s{1,2}")
_ANY_GAP = re.compile(r"\s+")
_UNIT = re.compile(r"[^\W_]+")
# What the digits of a phone number may have before them: a plus in a URL, country code and trunk
# zero.
_BEFORE_PHONE = re.compile(
    r"(?:%2b|(?<![^\W_]))(?:(?:00)?\d{1,3}[\s().\-/]{0,3})?(?:\(?0\)?[\s().\-/]{0,3})?"
)
_LONGEST_BEFORE = 17
_SEPARATORS = re.compile(r"[\s().\-/]+")

_Spans = dict[tuple[str, str], list[tuple[int, int]]]  # by type and mode


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Pieces with gaps between them; in lower case unless the mode is "exact".

    Modes: "any" case; "exact" case; "name": capitals, or lower case if long; "common": a name
    that is a word. `turned`: the surname first, each word with a capital.
    """

    kind: str
    mode: str
    pieces: tuple[str, ...]
    gaps: tuple[re.Pattern[str], ...] = ()
    turned: bool = False


@dataclass(frozen=True, slots=True)
class _Number:
    """Letters and digits in lower case, up to `gap` characters of `separators` between any two."""

    kind: str
    packed: str
    separators: str = "-./"
    gap: int = 2
    phone: bool = False


@dataclass(slots=True)
class _Wanted:
    """What is looked for: phrases by their first word ("" if they have none), and numbers."""

    phrases: dict[str, set[_Phrase]] = field(default_factory=dict)
    numbers: set[_Number] = field(default_factory=set)

    def add(self, item: _Phrase | _Number) -> None:
        """File the item under what it is found by."""
        if isinstance(item, _Number):
            self.numbers.add(item)
            return
        units = _UNIT.findall(lowered(" ".join(item.pieces)))
        self.phrases.setdefault(units[0] if units else "", set()).add(item)


class _Lower(dict[int, str]):
    """Code point -> its letter in lower case, one for one, as expressions without case take it."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        short = [low for low in (char.casefold(), char.lower()) if len(low) == 1]
        low = "i" if char in "\u0130\u0131" else short[0] if short else char
        self[code] = low if low.isalnum() and char.isalnum() else char
        return self[code]


_LOWER = _Lower()


def lowered(text: str) -> str:
    """The text in lower case, letter for letter."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


def propagate(
    leaf_texts: Sequence[str], findings: Sequence[Sequence[Finding]]
) -> list[list[Finding]]:
    """Extra findings for each leaf; nothing that an existing finding of an acted type covers."""
    wanted = _Wanted()
    for item in _items(leaf_texts, findings):
        wanted.add(item)
    if not (wanted.phrases or wanted.numbers):
        return [[] for _ in leaf_texts]
    return [
        _extra(text, wanted, [(f.start, f.end) for f in group if f.type in BALANCED])
        for text, group in zip(leaf_texts, findings, strict=True)
    ]


def _extra(text: str, wanted: _Wanted, covered: list[tuple[int, int]]) -> list[Finding]:
    spans = _found(text, wanted)
    extra: list[Finding] = []
    for kind, mode in sorted(spans):
        for start, end in _leftmost(spans[kind, mode]):
            if any(a <= start and end <= b for a, b in covered):
                continue
            if mode in {"name", "common"} and not _stands_as_name(text, start, end, mode):
                continue
            covered.append((start, end))
            extra.append(Finding(start, end, kind, _SCORE, DETECTOR))
    return extra


def _leftmost(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans in text order without overlaps; of those that begin alike the longest."""
    done = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= done:
            done = end
            yield start, end


def _found(text: str, wanted: _Wanted) -> _Spans:
    """All places of all that is wanted, overlapping ones included."""
    low = lowered(text)
    spans: _Spans = {}
    for first in wanted.phrases.keys() & {"", *_UNIT.findall(low)}:
        for phrase in wanted.phrases[first]:
            source = text if phrase.mode == "exact" else low
            hits = list(_phrase_spans(source, phrase))
            if phrase.turned:
                hits = [hit for hit in hits if _is_capital(text[slice(*hit)])]
            if hits:
                spans.setdefault((phrase.kind, phrase.mode), []).extend(hits)
    packed = _SEPARATORS.sub("", low) if wanted.numbers else ""
    for number in wanted.numbers:
        if number.packed in packed and (hits := list(_number_spans(low, number))):
            spans.setdefault((number.kind, "any"), []).extend(hits)
    return spans


def _phrase_spans(source: str, phrase: _Phrase) -> Iterator[tuple[int, int]]:
    """Where the phrase stands as whole words."""
    head = phrase.pieces[0]
    start = source.find(head)
    while start >= 0:
        end = _phrase_end(source, phrase, start)
        whole = end is not None and not (start and source[start - 1].isalnum())
        if end is not None and whole and not source[end : end + 1].isalnum():
            yield start, end
        start = source.find(head, start + 1)


def _phrase_end(source: str, phrase: _Phrase, start: int) -> int | None:
    at = start + len(phrase.pieces[0])
    for gap, piece in zip(phrase.gaps, phrase.pieces[1:], strict=True):
        between = gap.match(source, at)
        if not between or not source.startswith(piece, between.end()):
            return None
        at = between.end() + len(piece)
    return at


def _number_spans(low: str, number: _Number) -> Iterator[tuple[int, int]]:
    """Where the number stands whole; a phone number with each beginning that it can have."""
    last = low.find(number.packed[-1])
    while last >= 0:
        start = None if low[last + 1 : last + 2].isalnum() else _number_start(low, number, last)
        if start is not None and number.phone:
            for at in range(max(0, start - _LONGEST_BEFORE), start + 1):
                if _BEFORE_PHONE.fullmatch(low, at, start):
                    yield at, last + 1
        elif start is not None and not (start and low[start - 1].isalnum()):
            yield start, last + 1
        last = low.find(number.packed[-1], last + 1)


def _number_start(low: str, number: _Number, last: int) -> int | None:
    """Where the number that ends with the character at `last` begins, or None."""
    at = last
    for char in number.packed[-2::-1]:
        at -= 1
        nearest = at - number.gap
        while at > nearest and at >= 0 and (low[at] in number.separators or low[at].isspace()):
            at -= 1
        if at < 0 or low[at] != char:
            return None
    return at


def _items(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]]
) -> Iterator[_Phrase | _Number]:
    values = {
        (found.type, text[found.start : found.end].strip())
        for text, group in zip(texts, findings, strict=True)
        for found in group
        if found.detector != DETECTOR and found.type in BALANCED
    }
    values = {(kind, value) for kind, value in values if value}
    surnames = {plain(w) for kind, v in values if kind == "PERSON" for w in NAME_WORD.findall(v)}
    for kind, value in sorted(values)[:_MOST_VALUES]:
        if kind == "PERSON":
            yield from _names(value)
        elif kind in _NUMBERS:
            yield from _numbers(kind, value)
        elif kind in _LITERAL and _distinct(kind, value):
            yield _literal(kind, value)
        if kind == "EMAIL_ADDRESS":
            yield from _login(value, surnames)


def _literal(kind: str, value: str) -> _Phrase:
    exact = kind in _EXACT_CASE
    pieces = tuple((value if exact else lowered(value)).split())
    return _Phrase(kind, "exact" if exact else "any", pieces, (_ANY_GAP,) * (len(pieces) - 1))


def _distinct(kind: str, value: str) -> bool:
    """Long or odd enough to be looked for alone."""
    if kind in _EXACT_CASE or kind == "USERNAME":
        odd = any(not c.isalpha() for c in value)
        return len(value) >= 8 or (len(value) >= 5 and odd)
    return len(value) >= 5 if kind != "ADDRESS" else len(compact(value)) >= 6 or not value.isdigit()


def _names(value: str) -> Iterator[_Phrase]:
    words = [w for w in NAME_WORD.findall(value) if plain(w) not in TITLES]
    low = tuple(map(lowered, words))
    if len(words) >= 2:
        gaps = len(words) - 1
        yield _Phrase("PERSON", "any", low, (_NAME_GAP,) * gaps)
        turned = (_TURNED_GAP, *(_SHORT_GAP,) * (gaps - 1))
        yield _Phrase("PERSON", "any", (low[-1], *low[:-1]), turned, turned=True)
    for word, small in zip(words, low, strict=True):
        bare = plain(word)
        if len(word) >= 3 and bare not in PARTICLES:
            yield _Phrase("PERSON", "common" if bare in COMMON else "name", (small,))


def _is_capital(value: str) -> bool:
    """Whether each word but particles has a capital: in "Grace will call" one is a verb."""
    words = [word for word in NAME_WORD.findall(value) if plain(word) not in PARTICLES]
    return not any(word[:1].islower() for word in words)


def _stands_as_name(text: str, start: int, end: int, mode: str) -> bool:
    """A name part counts capitalised, or in lower case if it is no common word.

    A common word ("Will", "Grace") counts capitalised only, not at the start of a sentence and
    not behind an article.
    """
    value = text[start:end]
    if mode == "name":
        return value[:1].isupper() or len(value) >= 4
    before = text[max(0, start - 12) : start]
    if not value[:1].isupper() or (value.isupper() and text.isupper()):
        return False
    return not _SENTENCE_START.search(before) and not _ARTICLE.search(before)


def _numbers(kind: str, value: str) -> Iterator[_Number]:
    packed = compact(value)
    number = digits(packed)
    if len(packed) < (5 if number != packed or kind not in {"OTHER_ID", "BANK_ACCOUNT"} else 6):
        return
    if not number or len(packed) > 40 or not packed.isascii():
        return
    yield _Number(kind, packed.lower())
    if kind == "PHONE_NUMBER" and number == packed and len(number) >= 9:
        tail = number[-9:] if len(number) >= 11 else number[-8:]
        yield _Number(kind, tail, separators="().-/", gap=3, phone=True)


def _login(value: str, names: set[str]) -> Iterator[_Phrase]:
    """The local part, if it has a digit or separator, or holds a confirmed name."""
    local = value.partition("@")[0]
    low = plain(local)
    if len(local) < 5 or low in ROLES:
        return
    odd = any(not c.isalpha() for c in local)
    if odd or any(len(name) >= 4 and name in low and name != low for name in names):
        yield _Phrase("USERNAME", "any", (lowered(local),))
