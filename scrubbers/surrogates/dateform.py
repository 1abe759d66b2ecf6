"""Writing dates: other numbers and names in the order, language and separators that stood there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime

from scrubbers.surrogates.dateread import Reading, full_year
from scrubbers.surrogates.datewords import write_words
from scrubbers.surrogates.months import alone, is_short, month_name
from scrubbers.surrogates.text import cased, digits_of, refill
from scrubbers.surrogates.unit import Unwritable
from scrubbers.surrogates.weekdates import week_text
from scrubbers.surrogates.weekdays import right_weekdays

Edit = tuple[int, int, str]
New = tuple[int, int, int]  # year, month and day; 0 where there is none
DAY_SECONDS = 86_400
SECONDS = range(10**9, 4 * 10**9)  # since 1970, that are read: from 2001 to 2096


def rewrite(text: str, found: Sequence[Reading], new: Sequence[New], *, weekdays: bool) -> str:
    """The text with other dates; `weekdays`: put the words for them right."""
    edits = [
        edit
        for reading, values in zip(found, new, strict=True)
        for edit in _edits(text, reading, values)
    ]
    edits += _months_apart(text, found, new)
    if weekdays:
        edits += right_weekdays(text, found, new)
    return spliced(text, edits)


def spliced(text: str, edits: Sequence[Edit]) -> str:
    """The text with its edits; of two at one place the first goes before."""
    out, end = [], 0
    for start, stop, written in sorted(edits, key=lambda edit: edit[:2]):
        out += [text[end:start], written]
        end = stop
    return "".join([*out, text[end:]])


def _edits(text: str, reading: Reading, new: New) -> list[Edit]:
    year, month, day = new
    values = {"y": year + reading.era, "m": month, "d": day, "n": month}
    values |= dict(zip("pq", (day, month), strict=True))
    starts = {(start, kind) for start, _, kind, _ in reading.parts}
    edits = []
    for start, end, kind, _ in reading.parts:
        old = text[start:end]
        if kind == "o":
            written = ordinal(old, reading, day)
        elif kind == ".":
            spaced = text[end : end + 1].isspace() and reading.table != "roman"
            written = "" if spaced and not is_short(reading.table, month) else old
        elif kind == "t":
            written = _timestamp(old, reading, new)
        elif kind == "w":
            written = week_text(old, date(*new))
        else:
            tight = text[end : end + 1] in ("-", "/") or (end, "n") in starts
            written = write_part(old, kind, values[kind], reading, tight=tight)
        edits.append((start, end, written))
    return edits


def _timestamp(old: str, reading: Reading, new: New) -> str:
    """Seconds or milliseconds since 1970, moved by whole days."""
    before = date(reading.year or 1970, reading.month, reading.day)
    days = date(*new).toordinal() - before.toordinal()
    seconds = int(old[:10]) + days * DAY_SECONDS
    if seconds not in SECONDS:
        raise Unwritable("a time stamp outside the years that are read: quarantine the record")
    return f"{seconds}{old[10:]}"


def write_part(old: str, kind: str, value: int, reading: Reading, *, tight: bool = False) -> str:
    """One part in the form of the old one; `tight`: written as in 22-JUN-2014 or 22JUN2014."""
    if kind == "n":
        return cased(old, month_name(reading.table, value))
    if reading.spoken and not digits_of(old):
        return write_words(old, kind, value, reading.spoken)
    if kind == "y":
        short = f"{value:04d}"[-len(old) :]
        # 1930, and not 30, where the two digits would be read as another century
        return refill(old, short) if full_year(short) == value else f"{value:04d}"
    return refill(old, str(value).zfill(2)) if is_padded(old, reading, tight=tight) else str(value)


def is_padded(old: str, reading: Reading, *, tight: bool) -> bool:
    """Whether a number below ten is written with a zero: as it was, or as the other one tells."""
    if len(old) == 1 or digits_of(old[0]) == "0":
        return len(old) == 2
    named = reading.borrows or (not tight and any(part[2] == "n" for part in reading.parts))
    single = any(end - start == 1 for start, end, kind, _ in reading.parts if kind in "dmpq")
    return not named and not single


def ordinal(old: str, reading: Reading, day: int) -> str:
    """The ending of a day's number: 1st, 2nd; French and Spanish ones behind 1 alone."""
    low = old.lower()
    if low in ("st", "nd", "rd", "th"):
        ending = "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
        return ending.upper() if old.isupper() else ending
    if low in ("ste", "de"):
        return "ste" if day in (1, 8) or day > 19 else "de"
    if low in (":a", ":e"):
        return ":a" if day % 10 in (1, 2) and day not in (11, 12) else ":e"
    first = reading.day == 1
    if first and low in ("er", "º", "ª", "°", ".º", ".ª", ".°"):
        return old if day == 1 else ""
    new_first = day == 1 and not first and not reading.spoken
    if not old and new_first and reading.table[:2] == "fr":
        return "er"
    return old


def _months_apart(text: str, found: Sequence[Reading], new: Sequence[New]) -> list[Edit]:
    """The name of the month where a day that borrowed it now lies in another one."""
    edits = []
    for at, (reading, values) in enumerate(zip(found, new, strict=True)):
        if not reading.borrows:
            continue
        main = next((n for n in range(at, len(found)) if not found[n].borrows), -1)
        before = main < 0 or found[main].month != reading.month or found[main].form == "n.do"
        lender = at - 1 if before else main
        if new[lender][1] == values[1]:
            continue
        own = {kind: (s, e) for s, e, kind, _ in reading.parts}
        named = {kind: (s, e) for s, e, kind, _ in found[lender].parts}
        if "n" not in named:  # 3.-5.3.2025
            edits.append((own["o"][1], own["o"][1], f"{values[1]}."))
            continue
        name = write_part(text[slice(*named["n"])], "n", values[1], reading)
        if before:
            edits.append((own["d"][0], own["d"][0], f"{name} "))
        else:
            glue = text[named["d"][1] : named["n"][0]].lstrip(".ºª°").strip()
            glue = re.sub(r"^(?:st|nd|rd|th|er|e|ste)\b", "", glue).strip()
            edits.append((own["o"][1], own["o"][1], f" {glue} {name}" if glue else f" {name}"))
    return edits


def coarse_text(text: str, reading: Reading, norm: str) -> str:
    """A date as its month and year, its year or its month alone, in the language that it had.

    Where nothing but digits stands (20240314, seconds since 1970), the first of the month.
    """
    spans = {kind: text[start:end] for start, end, kind, _ in reading.parts}
    whole = text[slice(*reading.span)]
    if reading.form == "t":
        first = datetime(reading.year or 1970, reading.month, 1, tzinfo=UTC)
        return str(int(first.timestamp()) * (1000 if len(spans["t"]) > 10 else 1))
    if reading.form in ("w", "W", "j"):
        return norm
    if reading.form == "ymd" and whole.isdigit():
        return refill(whole, (norm.replace("-", "") + "0101")[:8])
    if "-" not in norm:
        said = bool(reading.spoken) and not digits_of(spans.get("y", "1"))
        return spans["y"] if said and reading.year == int(norm) else str(int(norm) + reading.era)
    if "y" in spans and not norm.startswith("--"):
        return _named_month(text, reading, spans) if "n" in spans else _numbers(text, reading)
    name = month_name(alone(reading.table or "en"), reading.month)
    return cased(spans.get("n", name.title()), name)


def _numbers(text: str, reading: Reading) -> str:
    """Month and year in numbers: 2024-03, 03/2024."""
    places = {kind: (s, e) for s, e, kind, _ in reading.parts}
    if reading.form in ("ymd", "ym"):
        return text[places["y"][0] : places["m"][1]] + ("月" if "月" in text else "")
    first = min(end for _, end, _, _ in reading.parts)
    sign = "" if text[slice(*reading.span)].isdigit() else text[first]
    year = full_year(text[slice(*places["y"])])
    return f"{reading.month:02d}{sign}{year}"


def _named_month(text: str, reading: Reading, spans: dict[str, str]) -> str:
    places = {kind: (s, e) for s, e, kind, _ in reading.parts}
    first, second = sorted((places["n"], places["y"]))
    between = text[first[1] : second[0]]
    if first < places.get("d", (-1, -1)) < second:  # March 14, 2024
        between = " "
    table = alone(reading.table)
    name = cased(spans["n"], month_name(table, reading.month))
    pair = (name, spans["y"]) if first == places["n"] else (spans["y"], name)
    return between.join(pair)
