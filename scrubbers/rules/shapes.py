"""What a value of each kind looks like behind its cue. A cue alone is never enough."""

from __future__ import annotations

import re

from scrubbers.rules.common import PLACEHOLDER, compact, digits

# A code: joined pieces, then groups after a space (digits, digit-letter mixes, single capitals).
_HEAD = r"[#]?[A-Za-z0-9]+(?:[-/._:@]{1,2}[A-Za-z0-9]+)*"
_GROUP = r"(?: (?:\d{2,}(?= ?\d)|\d{3,}[A-Z]?|[A-Z]{1,3}(?= \d)|[A-Z]|[a-z]?\d{3,}|[A-Z]{1,3}\d+)(?![\w%€$]|[.,]\d))"
_CODE = re.compile(rf"{_HEAD}{_GROUP}{{0,8}}")
_SPACED = re.compile(r"\d(?: \d){4,21}(?!\d)")
# Numbers of people and banks: groups of any size, with one separator between.
_NUMBER = re.compile(
    r"[A-Za-z]{0,12}[-/. ]{0,2}\d[A-Za-z0-9]*(?:(?:(?:[-/.:_]|[ ]{1,2})(?=[A-Za-z]{0,4}\d)"
    r"|[-/.:_ ](?=[A-Z]{1,3}(?![A-Za-z])))[A-Za-z0-9]+|-[A-Za-z](?!\w)){0,8}"
)
_TAIL = re.compile(r"\d{3,5}(?![\w]|[.,]\d)")
_PLATE = re.compile(
    r"[A-Za-z0-9]{1,10}(?:(?:-|[ .]{1,2}(?=[A-Z0-9]{0,4}\d|[A-Z]{1,3}(?![\w])|[a-z]{1,3} \d))"
    r"[A-Za-z0-9]{1,5}){0,3}(?!\w)"
)
_POSTCODE = re.compile(
    r"[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}(?!\w)|[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d(?!\w)"
    r"|\d{4} ?[A-Za-z]{2}(?!\w)|\d{2}\.?\d{3}-\d{3}(?!\w)|\d{4}-\d{3}(?!\w)|\d{5}(?:-\d{4})?(?!\w)"
    r"|\d{3} \d{2}(?!\w)|\d{6}(?!\w)|\d{4}(?!\w)"
)
_CARD = re.compile(r"\d(?:[ -]{0,2}\d){11,18}(?!\d)")
_PIN = re.compile(r"\d{3,8}(?![\w.,]\d|\w)|\d{2}(?: \d{2}){1,3}(?!\d)")
_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[T ]\d|$|(?![\w-]))"
)
_TIME_OR_AMOUNT = re.compile(
    r"\d{1,2}[:h]\d{2}(?:\D|$)|\d{1,3}(?:[.,]\d{3})*[.,]\d{2}(?!\d)|\d+ ?(?:%|€|\$|£|EUR|USD|GBP)"
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_DOTTED_QUAD = re.compile(rf"(?:{_OCTET}\.){{3}}{_OCTET}(?!\d)")
_UNIT = re.compile(
    r"\d+(?:st|nd|rd|th|km|kg|g|mg|ml|l|cm|mm|m|gb|mb|kb|tb|px|am|pm|h|hr|hrs|min|mins|ms|s|hz|ghz"
    r"|mhz|k|x|w|v|a|c|f|d|e|er|eme|ème|º|ª|o|years?|days?)$",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")
_YEARS = re.compile(r"(?:19|20)\d\d(?:[-/](?:19|20)?\d\d)?$")


def code_end(text: str, start: int) -> int | None:
    """End of an order-like code at `start`: at least 5 digits, or letters and 2 or more digits.

    A bare number of up to 4 digits is never taken ("Invoice 4471"), nor a date, time or amount.
    """
    match = _SPACED.match(text, start) or _CODE.match(text, start)
    if not match:
        return None
    value = match.group()
    for _ in range(value.count(" ") + 1):
        if _is_code(value) and not _blocked(text, start, start + len(value)):
            return start + len(value)
        if " " not in value:
            break
        value = value.rpartition(" ")[0]
    return None


def _is_code(value: str) -> bool:
    number = digits(value)
    packed = compact(value)
    if _UNIT.match(value) or _YEARS.match(value):
        return False
    return len(number) >= 5 or (len(number) >= 2 and len(packed) >= 4 and number != packed)


def number_end(text: str, start: int, least: int = 6, most: int = 22) -> int | None:
    """End of a number of a person or an account at `start`, `least` digits or more."""
    match = _SPACED.match(text, start) or _NUMBER.match(text, start)
    if not match or _THOUSANDS.fullmatch(match.group()) or len(set(digits(match.group()))) < 2:
        return None
    value = match.group()
    while value:
        count = len(digits(value))
        packed = len(compact(value))
        fits = least <= count <= most and packed <= most + 8
        fits = fits or (count >= 4 and least + 1 <= packed <= 18)
        if fits and not _blocked(text, start, start + len(value)):
            return start + len(value)
        shorter = re.match(r"(.+)[-/., ]+[A-Za-z0-9]+", value)
        if not shorter:
            return None
        value = shorter.group(1).rstrip("-/., ")
    return None


def tail_end(text: str, start: int) -> int | None:
    """End of the last three to five digits of a number at `start`."""
    match = _TAIL.match(text, start)
    return match.end() if match else None


def plate_end(text: str, start: int) -> int | None:
    """End of a vehicle plate at `start`: 4 to 9 letters and digits, some of each."""
    match = _PLATE.match(text, start)
    if not match:
        return None
    value = match.group()
    while value:
        packed = compact(value)
        mixed = any(c.isalpha() for c in packed) and any(c.isdigit() for c in packed)
        if mixed and 4 <= len(packed) <= 10:
            return start + len(value)
        value = re.sub(r"[ .-]*[A-Za-z0-9]+$", "", value)
    return None


def postcode_end(text: str, start: int) -> int | None:
    """End of a postal code at `start`."""
    match = _POSTCODE.match(text, start)
    return match.end() if match else None


def card_end(text: str, start: int) -> int | None:
    """End of a payment card number (12 to 19 digits) at `start`."""
    match = _CARD.match(text, start)
    return match.end() if match else None


def pin_end(text: str, start: int) -> int | None:
    """End of a PIN or card code at `start`: 3 to 8 digits, or pairs of digits."""
    match = _PIN.match(text, start)
    return match.end() if match else None


def looks_like_date(text: str, start: int) -> bool:
    """Whether a numeric date begins at `start`."""
    return bool(_DATE.match(text, start))


def is_placeholder(value: str) -> bool:
    """Whether a value is a template field, a mask or a dummy."""
    return bool(PLACEHOLDER.match(value))


def _blocked(text: str, start: int, end: int) -> bool:
    if _DOTTED_QUAD.match(text, start):
        return True
    if _DATE.match(text, start) and (m := _DATE.match(text, start)) and m.end() >= end - 1:
        return True
    return bool((m := _TIME_OR_AMOUNT.match(text, start)) and m.end() >= end)
