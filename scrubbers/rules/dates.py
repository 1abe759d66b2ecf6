"""Dates of birth by cue, and full dates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import at_runs, finding, holds, lower, runs
from scrubbers.rules.datesaid import in_words
from scrubbers.surrogates.weekdays import around

MONTHS = (
    r"jan(?:uary|uar|uari|eiro|vier|v)?|ene(?:ro)?|gen(?:naio)?|jänner|feb(?:ruary|ruar|ruari|rero|braio)?"
    r"|fev(?:ereiro)?|fév(?:rier|r)?|mar(?:ch|s|zo|ço|t|z)?|märz|mrt|maart|mär|apr(?:il|ile)?|abr(?:il)?|avr(?:il)?"
    r"|may(?:o)?|mai(?:o)?|mag(?:gio)?|mei|jun(?:e|i|io|ho)?|juin|giu(?:gno)?|jul(?:y|i|io|ho)?|juil(?:let|l)?|lug(?:lio)?"
    r"|aug(?:ust|ustus)?|ago(?:sto)?|août|aou|sep(?:tember|t|tembre|tiembre)?|set(?:embro|tembre)?|oct(?:ober|ubre|obre)?"
    r"|okt(?:ober)?|out(?:ubro)?|ott(?:obre)?|nov(?:ember|iembre|embre|embro)?|dec(?:ember)?|dez(?:ember|embro)?"
    r"|dic(?:iembre|embre)?|déc(?:embre)?|[IVX]{1,4}"
)
_YEAR = r"(?:1[89]\d\d|20\d\d|'?\d\d)"
_OF = r"(?:\s?(?:de|of|del|d')\s|[\s./,-]{1,3})"
DATE = re.compile(
    rf"(?<![\w.,/-])(?:"
    rf"\d{{4}}([-/.])\d{{1,2}}\1\d{{1,2}}"
    rf"|\d{{1,2}}\s?([-/.])\s?\d{{1,2}}\s?\2\s?\d{{2}}(?:\d{{2}})?"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.|º|o|ª)?{_OF}(?:{MONTHS})\.?(?:{_OF}{_YEAR})?"
    rf"|(?:{MONTHS})\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s{_YEAR})?"
    rf"|\d{{4}}年\d{{1,2}}月\d{{1,2}}日"
    rf")(?![\w]|[-/.]\d)",
    re.IGNORECASE,
)
_MONTH = re.compile(MONTHS, re.IGNORECASE)
_LONGEST_MONTH = 11
_DATE_RUNS = frozenset({1, 2, 4})  # digits of a day, a month or a year
_COMPACT = re.compile(
    r"(?<![\w.,/-])(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:\d\d|(?:19|20)\d\d)"
    r"|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?![\w]|[.,/-]\d)"
)
_BORN = re.compile(
    r"(?<![^\W\d_])(?:born|b\.|d\.?\s?o\.?\s?b\.?|date[ _-]?of[ _-]?birth|birth[ _-]?date|birth[ _-]?day"
    r"|bday|birth|nacid[oa]s?|naci[oó]|nacimiento|(?:fecha|f)[ ._-]{0,2}nac|f\.?\s?nac|fnac|cumple(?:años)?"
    r"|nées?|née?|naissance|geb(?:oren|\.|urtsdatum|urtstag|dat)?|geburtsdatum|geburtstag|geboren|geboortedatum|geb\.?datum"
    r"|nat[oa]|nascita|nascid[oa]s?|nasc(?:imento|\.)?|d\.?n\.?|data[ _]?nasc\w*|anivers[aá]rio"
    r"|syntymäaika|född|urodzon[ya]|data urodzenia)(?![^\W\d_])",
    re.IGNORECASE,
)  # fmt: skip
_BORN_HINTS = (
    "born", "birth", "dob", "d.o", "bday", "b.", "nac", "né", "nee", "naiss", "geb", "nat", "nasc", "d.n", "dn", "cumple",
    "anivers", "syntym", "född", "urodz", "d o b", "d. o",
)  # fmt: skip
# The end of a sentence, or another event: born in Rome, married 3 March 2010
_STOP = re.compile(
    r"\d{4}|[;!?]|\n\s*\n|\.\s+[A-ZÀ-Þ]|(?<!\w)(?:seen|visited|visit|married|admitted|discharged|diagnosed|died|joined"
    r"|hired|moved|since|expires?|valid|issued|signed|due|gesehen|verheiratet|aufgenommen|entlassen|gestorben|verstorben|seit"
    r"|visto|vista|ingresad[oa]|fallecid[oa]|casad[oa]|desde|vue?|mariée?|admise?|décédée?|depuis|vist[oa]|sposat[oa]"
    r"|ricoverat[oa]|decedut[oa]|falecid[oa]|opgenomen|overleden|getrouwd|sinds)(?!\w)"
)
_REACH = 56


def births(passage: Passage) -> Iterable[Finding]:
    """Dates within reach of a word for birth, in numbers or with a month's name."""
    text = passage.text
    if not holds(lower(text), _BORN_HINTS) or not _BORN.search(text):
        return
    compact = (m.span() for m in at_runs(_COMPACT, text))
    done = 0
    for start, end in sorted({*_spans(text), *compact, *in_words(text, passage.language)}):
        window = text[max(0, start - _REACH, done) : start]
        cues = list(_BORN.finditer(window))
        if cues and not _STOP.search(window[cues[-1].end() :].replace("(", " ")):
            yield finding(around(text, (start, end)), "DATE_OF_BIRTH", 0.9)
        done = max(done, end)


def dates(passage: Passage) -> Iterable[Finding]:
    """Full dates of any meaning."""
    for span in _spans(passage.text):
        yield finding(span, "DATE_TIME", 0.5)


@lru_cache(maxsize=4)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where dates stand: tried at each run of digits and at a month's name before one."""
    spans: list[tuple[int, int]] = []
    for at, end in runs(text):
        month = _month_before(text, at)
        match = None if month is None else DATE.match(text, month)
        if not match and end - at in _DATE_RUNS:
            match = DATE.match(text, at)
        if match and not (spans and match.start() < spans[-1][1]):
            spans.append(match.span())
    return tuple(spans)


def _month_before(text: str, at: int) -> int | None:
    """Where the name of a month begins that stands right before the number at `at`."""
    if not text[at - 1 : at].isspace():
        return None
    end = at - 1 - (text[at - 2 : at - 1] == ".")
    start = end
    while start > 0 and end - start <= _LONGEST_MONTH and text[start - 1].isalpha():
        start -= 1
    return start if start < end and _is_month(text[start:end]) else None


@lru_cache(maxsize=4096)
def _is_month(word: str) -> bool:
    return _MONTH.fullmatch(word) is not None


def is_date(text: str) -> bool:
    """Whether a whole leaf is a date (for labelled leaves)."""
    return bool(DATE.search(text) or _COMPACT.search(text))
