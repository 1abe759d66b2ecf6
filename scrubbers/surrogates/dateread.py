"""Reading dates: which numbers and words of a text are a year, a month and a day."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from scrubbers.surrogates.months import ROMAN, month_index, month_name
from scrubbers.surrogates.text import digits_of, fold
from scrubbers.surrogates.weekdates import WEEK, day_of, is_whole_week

SEP = r"\s{0,3}[-./\s‐‑–,]\s{0,3}"
CLOSE = r"\s?[-./‐‑–]\s?"
ORDINAL = r"(st|nd|rd|th|ère|er|\.?[ºª°]|ste|de|e|:[ea]|-го|-е|)"
NAME = r"[^\W\d_]{1,13}"
D, Y = r"(\d{1,2})", r"['’]?(\d{4}|\d{2})"
NO_SPAN = r"(?!\s?[-‐‑–]\s?\d\d(?!\d))"  # March 28-30
OF = r"(?:(?:day\s)?(?:of|de\sl['’]an|de|del|di|do)\s{1,3})?"
# Neither a longer number nor part of a date or time before it; the second half of a range
# (14/03/2025-16/03/2025, 2025-03-14/2025-03-16) may begin.
BEFORE = r"(?<!\d)(?:(?<!\d[-./])|(?<=\d{4}[-–])|(?<=-\d\d/))"
AFTER = r"(?!\d|\s?[ap]\.?m\b)(?![.:]\d|/\d(?!\d{3}-)|-\d(?!\d?[./]\d))"
# Beside a month's name a second day may stand: 3-5 March, March 3-5.
BEFORE_DAY, AFTER_DAY = r"(?<!\d)(?<!\d\.)", r"(?!\d)(?![.:/]\d)"


def guarded(pattern: str, order: str) -> str:
    """The pattern of a form with what may not stand around it."""
    before = BEFORE_DAY if order.startswith("do") else BEFORE
    if order.startswith("n"):
        before = r"(?<![^\W\d_])"
    return f"{before}{pattern}{AFTER_DAY if order.endswith('do') else AFTER}"


# (pattern, what its groups are), the longer form first: y year, m month, d day, n month's name,
# p and q day and month in an order to be told, o ordinal ending, . full stop of a short name.
FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(guarded(pattern, order), re.I), order)
    for pattern, order in (
        (rf"(\d{{4}}){SEP}{D}{SEP}{D}(?=\D|$|T)", "ymd"),
        (r"(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日", "ymd"),
        (r"((?:19|20)\d\d)(\d\d)(\d\d)", "ymd"),
        (rf"{D}{ORDINAL}{SEP}{OF}({NAME})(\.?)(?:{SEP}|(?=\d{{4}})){OF}{Y}", "don.y"),
        (rf"{D}({NAME})(\d{{4}})", "dny"),
        (rf"({NAME})(\.?)\s{{1,3}}(?:the\s{{1,3}})?{D}{ORDINAL}{NO_SPAN}{SEP}{Y}", "n.doy"),
        (rf"(\d{{4}}){SEP}({NAME})(\.?){SEP}{D}", "yn.d"),
        (rf"{D}{SEP}{D}{SEP}{Y}", "pqy"),
        (r"(\d{4})\s?年\s?(\d{1,2})\s?月", "ym"),
        (rf"(\d{{4}}){CLOSE}(\d{{2}})", "ym"),
        (r"(\d\d)(\d\d)(\d\d(?:\d\d)?)", "pqy"),
        (rf"{D}{CLOSE}(\d{{4}})", "my"),
        (rf"({NAME})(\.?)(?:\s{{1,3}}{OF}|{CLOSE}|\s?,\s{{0,3}})(\d{{4}})", "n.y"),
        (rf"({NAME})(\.?)(?:-['’]?|\s['’])(\d\d)", "n.y"),
        (rf"{D}{ORDINAL}(?:\.?\s{{1,3}}|{CLOSE}){OF}({NAME})", "don"),
        (rf"({NAME})(\.?)\s{{1,3}}(?:the\s{{1,3}})?{D}{ORDINAL}", "n.do"),
        (r"(\d{1,2})\s?月\s?(\d{1,2})\s?日", "md"),
        (rf"{D}{CLOSE}{D}\.?", "pq"),
    )
)
LOOSE = " \t\n\u00a0\u202f-./‐‑–,"
PIVOT = 30  # 30..99 are 1930..1999, 00..29 are 2000..2029
BUDDHIST, FIRST, LAST = 543, 2440, 2643  # years of the Thai calendar, 1897 to 2100
Part = tuple[int, int, str, int]  # start, end, kind, value


@dataclass(frozen=True, slots=True)
class Reading:
    """A date in a text; its parts are (start, end, what it is, its value).

    `day` is 0 where there is none, `table` the list of month names that was used; `era` is added to
    the year where it is written. `spoken` is the language of numbers in words.
    """

    parts: tuple[Part, ...]
    year: int | None
    month: int
    day: int
    table: str
    era: int = 0
    spoken: str = ""
    span: tuple[int, int] = (0, 0)
    form: str = ""
    borrows: bool = False  # its month, and year, stand at the next date, or the one before

    @property
    def is_open(self) -> bool:
        """Whether day and month are not told apart."""
        return any(kind == "p" for _, _, kind, _ in self.parts)


Accept = Callable[[str, Reading], bool]


@lru_cache(maxsize=1 << 10)
def readings(text: str, told: str = "", language: str = "") -> tuple[Reading, ...]:
    """All dates of a text in order. `told`: "dmy" or "mdy"; `language`: whose months go first."""
    return tuple(scan(text, told, language))


def scan(text: str, told: str, language: str, accept: Accept | None = None) -> Iterator[Reading]:
    """All dates of a text that `accept` takes, in order, none over another."""
    done = 0
    for anchor in anchors(text):
        if anchor >= done:
            reading = _at(text, anchor, told, language, accept)
            if reading is not None:
                yield reading
                done = reading.span[1]


_DAY_BEFORE = re.compile(
    r"(?<![\w.,:/-])(?:\d|[012]\d|3\d)(?:st|nd|rd|th|er|ste|de|º|°|\.)?\s{1,2}(?:de\s|of\s|di\s|d['’])?$"
)
_ANCHOR = re.compile(r"\d+|[^\W\d_]+")


def anchors(text: str) -> Iterator[int]:
    """Where a date can begin: at a number, and at the name of a month."""
    known = month_index()
    for match in _ANCHOR.finditer(text):
        first = match[0]
        if first[0].isdecimal() or (len(first) < 14 and fold(first) in known):
            yield match.start()


def _at(text: str, anchor: int, told: str, language: str, accept: Accept | None) -> Reading | None:
    number = text[anchor].isdecimal()
    week = WEEK.match(text, anchor) if number else None
    if week:
        reading = dated(week[0], anchor)
        return reading if reading and (accept is None or accept(text, reading)) else None
    for pattern, order in FORMS:
        if (order[0] != "n") is number:
            match = pattern.match(text, anchor)
            reading = interpret(text, match, order, told, language) if match else None
            if reading and (accept is None or accept(text, reading)):
                return reading
    return None


def dated(text: str, at: int = 0) -> Reading | None:
    """A week date or a day of the year that is the whole text, which begins `at` a place."""
    day, end = day_of(text), at + len(text)
    if day is None:
        return None
    form = "j" if "W" not in text else "W" if is_whole_week(text) else "w"
    part = (at, end, "w", 0)
    return Reading((part,), day.year, day.month, day.day, "", span=(at, end), form=form)


def interpret(
    text: str, match: re.Match[str], order: str, told: str = "", language: str = ""
) -> Reading | None:
    """The groups of a match as year, month and day, or None if that is no date."""
    if (order == "pq" and is_crowded(text, match)) or (order == "pqy" and is_mixed(match)):
        return None
    if order == "n.y" and _DAY_BEFORE.search(text, max(0, match.start() - 12), match.start()):
        return None  # a day that the month does not have: 31 April 2025
    values: dict[str, int] = {}
    parts: list[Part] = []
    table = ""
    for group, kind in enumerate(order, 1):
        word = match[group]
        value = 0
        if kind == "n":
            known = months_of(text[max(0, match.start() - 9) : match.end() + 9], word, language)
            if known is None:
                return None
            table, value = known
            values["m"] = value
        elif kind not in "o.":
            value = values[kind] = full_year(word) if kind == "y" else int(digits_of(word))
        parts.append((match.start(group), match.end(group), kind, value))
    reading = settle_order(tuple(parts), values, table, told=_told(match, order, told))
    return reading and replace(reading, span=match.span(), form=order)


def _told(match: re.Match[str], order: str, told: str) -> str:
    """With full stops between the numbers the day is first, whatever the record does else."""
    dotted = "." in match.string[match.end(1) : match.start(2)]
    return "dmy" if told and dotted and "pq" in order else told


def is_mixed(match: re.Match[str]) -> bool:
    """Three numbers with different signs between them are no date, but for 5/3 2024."""
    text = match.string
    first, second = (text[match.end(n) : match.start(n + 1)].strip() for n in (1, 2))
    return first != second and not (second == "" and len(match[3]) == 4)


def is_crowded(text: str, match: re.Match[str]) -> bool:
    """Two numbers with a third or a month beside them are no day and month; a time may follow."""
    before = text[max(0, match.start() - 9) : match.start()].rstrip(LOOSE)
    after = text[match.end() : match.end() + 20]
    word = re.match(r"\s*([^\W\d_]*)", after)
    if word and fold(word[1]) in month_index():  # 3-5 March
        return True
    if re.match(r"\s+\d{1,2}:\d\d", after):
        return before[-1:].isdigit()
    return before[-1:].isdigit() or after.lstrip(LOOSE)[:1].isdigit()


def months_of(text: str, word: str, language: str = "") -> tuple[str, int] | None:
    """(list, number) of a month's name; the language that the text has a word of goes first."""
    options = month_index().get(fold(word.rstrip(".")))
    if not options:
        return None
    short = [o for o in options if o[0].endswith("3")]
    longer = [o for o in options if not o[0].endswith("3")]
    own = [o for o in longer + short if o[0][:2] == language]
    if short and re.search(r"\d[-/]?[^\W\d_]{3}[-/]?\d", text):  # 01-MAY-2000
        longer, own = [], [o for o in own if o in short]
    exact = [o for o in longer if month_name(*o) == word.casefold()]
    wanted = own or exact or longer or short
    if re.search(r" del? ", text, re.I):
        wanted = [o for o in wanted if o[0][:2] in ("es", "pt")] or wanted
    elif re.search(r"\d\.\s", text) and not own:
        wanted = [o for o in wanted if o[0][:2] in ("de", "no", "da")] or wanted
    return wanted[0]


def full_year(word: str) -> int:
    """Four digits of a year."""
    value = int(digits_of(word))
    if len(word) == 4:
        return value
    return value + (1900 if value >= PIVOT else 2000)


def settle_order(
    parts: tuple[Part, ...], values: dict[str, int], table: str, told: str = ""
) -> Reading | None:
    """Month and day told apart where the numbers, or else `told`, allow it."""
    year = values.get("y")
    if "p" in values:
        p, q = values["p"], values["q"]
        both = p <= 12 and q <= 12
        first_day = told != "mdy" if both else q <= 12
        month, day, kinds = (q, p, "dm") if first_day else (p, q, "md")
        kinds = "pq" if both and not told else kinds
        names = dict(zip("pq", kinds, strict=True))
        parts = tuple((s, e, names.get(k, k), v) for s, e, k, v in parts)
    else:
        month, day = values.get("m", 0), values.get("d", 0)
    era = BUDDHIST if year is not None and FIRST <= year <= LAST else 0
    if year is not None and not 1000 <= year - era <= 2999:
        return None
    year = year if year is None else year - era
    if not is_date(year, month, day, values):
        return None
    return Reading(parts, year, month, day, table, era)


def is_date(year: int | None, month: int, day: int, values: dict[str, int]) -> bool:
    """Whether the numbers are a day of the calendar."""
    if not 1 <= month <= 12:
        return False
    if "d" not in values and "p" not in values:
        return True
    return 1 <= day <= monthrange(year or 2024, month)[1]


def is_roman(text: str, reading: Reading) -> bool:
    """Whether the month is a Roman number."""
    return any(k == "n" and fold(text[s:e]) in ROMAN for s, e, k, _ in reading.parts)
