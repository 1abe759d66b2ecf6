"""Dates: another date of nearly the same year, in the same form and language.

Where day and month are both at most 12, a value alone does not say which is which. The unit of
such a date is its year and the two numbers in rising order, its surrogate is another such pair,
written in the same order. So `03/04/1985` agrees with `1985-03-04` and with `1985-04-03` alike,
whichever of the two was meant.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from scrubbers.surrogates.months import month_index, month_name, weekday_index, weekday_name
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import cased, digits_of, fold, refill
from scrubbers.surrogates.unit import Piece, Slot, Unit, Unwritable

SEP = r"\s*[-./\s‐‑–,]\s*"
ORDINAL = r"(?:st|nd|rd|th|er|ère|º|ª|°|e)?"
NAME = r"[^\W\d_]{1,12}"
D, Y = r"(\d{1,2})", r"(\d{4}|\d{2})"
OF = r"(?:(?:day\s+)?(?:of|de|del|di)\s+)?"
# (pattern, what its groups are), first match wins.
FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(f"(?<!\\d)(?<!\\d[-./]){pattern}(?![-./:]?\\d)", re.I), order)
    for pattern, order in (
        (rf"(\d{{4}}){SEP}{D}{SEP}{D}(?=\D|$|T)", "ymd"),
        (r"((?:19|20)\d\d)(\d\d)(\d\d)", "ymd"),
        (rf"{D}{ORDINAL}{SEP}{OF}({NAME})\.?(?:{SEP}|\s+){OF}{Y}", "dny"),
        (rf"({NAME})\.?\s+{D}{ORDINAL}{SEP}{Y}", "ndy"),
        (rf"(\d{{4}}){SEP}({NAME})\.?{SEP}{D}", "ynd"),
        (rf"{D}{SEP}{D}{SEP}{Y}", "pqy"),
        (rf"(\d{{4}}){SEP}(\d{{2}})", "ym"),
        (r"(\d\d)(\d\d)(\d\d)", "pqy"),
        (rf"{D}{SEP}(\d{{4}})", "my"),
        (rf"({NAME})\.?\s+{OF}(\d{{4}})", "ny"),
        (rf"{D}\.?{ORDINAL}\s+{OF}({NAME})", "dn"),
        (rf"({NAME})\.?\s+{D}{ORDINAL}", "nd"),
        (rf"{D}{SEP}{D}\.?", "pq"),
    )
)
MISREAD = str.maketrans("OolI|SsB", "00111558")
LOOSE = " \t\n\u00a0\u202f-./‐‑–,"
PIVOT = 30  # 30..99 are 1930..1999, 00..29 are 2000..2029
SPAN = 2  # years that share a pool; even, so that the pivot lies between two pools


@dataclass(frozen=True, slots=True)
class Reading:
    """A date in a text: its parts as (place in the text, what it is, its value)."""

    parts: tuple[tuple[int, int, str, int], ...]  # start, end, kind in "ymdnpq", value
    year: int | None
    month: int
    day: int  # 0 where there is none
    table: str  # the list of month names that was used


def date_pieces(text: str) -> list[Piece]:
    """A date, alone or with a time and a weekday. Raises Unwritable if none can be read."""
    reading = read(text)
    if reading is None:  # digits that a scanner took for letters
        text = text.translate(MISREAD)
        reading = read(text)
    if reading is None:
        raise Unwritable("a date in a form that is not read: quarantine the record")
    unit = date_unit(reading)
    return [Slot((unit,), lambda norms: rewrite(text, reading, norms[0]))]


def read(text: str) -> Reading | None:
    """The first date in a text."""
    for pattern, order in FORMS:
        for match in pattern.finditer(text):
            reading = interpret(text, match, order)
            if reading is not None:
                return reading
    return None


def interpret(text: str, match: re.Match[str], order: str) -> Reading | None:
    """The groups of a match as year, month and day, or None if that is no date."""
    if order == "pq" and is_crowded(text, match):
        return None
    values: dict[str, int] = {}
    parts = []
    table = ""
    for group, kind in enumerate(order, 1):
        word = match[group]
        if kind == "n":
            known = months_of(text, word)
            if known is None:
                return None
            table, values["m"] = known
        else:
            values[kind] = full_year(word) if kind == "y" else int(digits_of(word))
        parts.append(
            (match.start(group), match.end(group), kind, values["m" if kind == "n" else kind])
        )
    return settle_order(tuple(parts), values, table)


def is_crowded(text: str, match: re.Match[str]) -> bool:
    """Two numbers with a third beside them are no day and month; a time of day may follow."""
    before, after = text[: match.start()].rstrip(LOOSE), text[match.end() :]
    if re.match(r"\s+\d{1,2}:\d\d", after):
        return before[-1:].isdigit()
    return before[-1:].isdigit() or after.lstrip(LOOSE)[:1].isdigit()


def months_of(text: str, word: str) -> tuple[str, int] | None:
    """(list, number) of a month's name; the language that the text has a word of goes first."""
    options = month_index().get(fold(word.rstrip(".")))
    if not options:
        return None
    short = [o for o in options if o[0].endswith("3")]
    longer = [o for o in options if not o[0].endswith("3")]
    wanted = longer or short
    if " de " in text.lower():
        wanted = [o for o in wanted if o[0][:2] in ("es", "pt")] or wanted
    return wanted[0]


def full_year(word: str) -> int:
    """Four digits of a year."""
    value = int(digits_of(word))
    if len(word) == 4:
        return value
    return value + (1900 if value >= PIVOT else 2000)


def settle_order(
    parts: tuple[tuple[int, int, str, int], ...], values: dict[str, int], table: str
) -> Reading | None:
    """Month and day told apart where the numbers allow it."""
    year = values.get("y")
    if "p" in values:
        p, q = values["p"], values["q"]
        month, day, kinds = (q, p, "dm") if q <= 12 else (p, q, "md")
        both = p <= 12 and q <= 12
        names = {"p": "p" if both else kinds[0], "q": "q" if both else kinds[1]}
        parts = tuple((s, e, names.get(k, k), v) for s, e, k, v in parts)
    else:
        month, day = values.get("m", 0), values.get("d", 0)
    if year is not None and not 1000 <= year <= 2999:
        return None
    if not is_date(year, month, day, values):
        return None
    return Reading(parts, year, month, day, table)


def is_date(year: int | None, month: int, day: int, values: dict[str, int]) -> bool:
    """Whether the numbers are a day of the calendar."""
    if not 1 <= month <= 12:
        return False
    if "d" not in values and "p" not in values:
        return True
    return 1 <= day <= monthrange(year or 2024, month)[1]


def date_unit(reading: Reading) -> Unit:
    """The unit of a date: its class, and the pool of years that it is drawn from."""
    year, month, day = reading.year, reading.month, reading.day
    pool = str(pool_of(year)) if year is not None else ""
    stamp = f"{year:04d}" if year is not None else ""
    if not day:
        return Unit(f"date:month:{pool}", f"{stamp}-{month:02d}")
    if day > 12:
        return Unit(f"date:day:{pool}", f"{stamp}-{month:02d}-{day:02d}")
    low, high = sorted((month, day))
    kind = "same" if low == high else "pair"
    return Unit(f"date:{kind}:{pool}", f"{stamp}:{low:02d}:{high:02d}")


def pool_of(year: int) -> int:
    """The first year of the pool: PIVOT years begin one."""
    return (year - 1900 - PIVOT) // SPAN * SPAN + 1900 + PIVOT


def draw_date(details: str, stream: Stream) -> str:
    """A date of the class, in one of the pool's years."""
    kind, pool = details.split(":")
    year = int(pool) + stream.below(SPAN) if pool else None
    stamp = f"{year:04d}" if year is not None else ""
    if kind == "month":
        return f"{stamp}-{1 + stream.below(12):02d}"
    if kind == "same":
        number = 1 + stream.below(12)
        return f"{stamp}:{number:02d}:{number:02d}"
    if kind == "pair":
        low, high = sorted((a := 1 + stream.below(12), (a + stream.below(11)) % 12 + 1))
        return f"{stamp}:{low:02d}:{high:02d}"
    month = 1 + stream.below(12)
    day = 13 + stream.below(monthrange(year or 2023, month)[1] - 12)
    return f"{stamp}-{month:02d}-{day:02d}"


def capacity(details: str) -> int:
    """How many dates a space has, at least."""
    kind, pool = details.split(":")
    per_year = {"month": 12, "same": 12, "pair": 66, "day": 12 * 16}[kind]
    return per_year * (SPAN if pool else 1)


def rewrite(text: str, reading: Reading, norm: str) -> str:
    """The text with another date: same order, separators, zeros, language, weekday put right."""
    year, month, day = new_parts(reading, norm)
    values = {"y": year, "m": month, "d": day, "n": month}
    if reading.parts and any(kind == "p" for _, _, kind, _ in reading.parts):
        values |= dict(zip("pq", (day, month), strict=True))
    out, end = [], 0
    for start, stop, kind, _ in sorted(reading.parts):
        out += [text[end:start], write_part(text[start:stop], kind, values[kind], reading.table)]
        end = stop
    whole = "".join([*out, text[end:]])
    return right_weekday(whole, year, month, day) if day and year else whole


def new_parts(reading: Reading, norm: str) -> tuple[int, int, int]:
    """Year, month and day of a surrogate (0 where there is none), in the order that stood there."""
    numbers = [int(n or 0) for n in re.split(r"[-:]", norm)]
    if ":" not in norm:
        return numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 0
    year, low, high = numbers
    return (year, low, high) if reading.month <= reading.day else (year, high, low)


def write_part(old: str, kind: str, value: int, table: str) -> str:
    """One part in the form of the old one."""
    if kind == "n":
        return cased(old, month_name(table, value))
    digits = f"{value:04d}" if kind == "y" else str(value)
    if kind == "y":
        return refill(old, digits[-len(old) :])
    if len(old) == 2:
        return refill(old, digits.zfill(2))
    return digits


def right_weekday(text: str, year: int, month: int, day: int) -> str:
    """Weekday words that fit the date."""
    number = date(year, month, day).weekday()

    def swap(match: re.Match[str]) -> str:
        known = weekday_index().get(fold(match[0]))
        if known is None or len(match[0]) < 3:
            return match[0]
        return cased(match[0], weekday_name(known[0], number))

    return re.sub(r"[^\W\d_]+(?:-feira)?", swap, text)
