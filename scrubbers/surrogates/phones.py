"""Telephone numbers: one unit for the national number, whatever stands before it.

The normal form is the national significant number: digits without country code, trunk zeros and
separators. So `+44 7462 118903` and `07462 118 903` share a unit; `plans` says whose it is, and
which number may stand for it.
"""

from __future__ import annotations

import re

from scrubbers.surrogates.numbering import MARKS, all_codes, code_at, main_codes
from scrubbers.surrogates.people import number_slot
from scrubbers.surrogates.plans import plan_of, plan_space, space
from scrubbers.surrogates.text import digit_value, digits_of, refill
from scrubbers.surrogates.unit import Piece, Slot, Unit

EXTENSION = re.compile(
    r"(?:\s*(?:;ext=|[,;]?\s*(?:extension|extn|ext|x|durchwahl|poste|int|anexo|toestel)\.?:?|#)\s*)"
    r"(\d{1,6})\s*$",
    re.I,
)


def phone_pieces(text: str, plan: str = "") -> list[Piece]:
    """A number with its country code, separators and extension as they stand.

    `plan`: the plan of a national form where the record tells it elsewhere.
    """
    extension = EXTENSION.search(text)
    end = extension.start(1) if extension else len(text)
    head = text[:end]
    kept = country_code(head)
    cut = start_of_digit(head, kept)
    cut += mobile_mark(digits_of(head[:cut]), head[cut:])
    national = digits_of(head[cut:])
    code = "" if kept == 0 else code_at(digits_of(head[:cut]).removeprefix("00")) or "0"
    code = "7" if code and kept == 1 and digits_of(head)[0] == "8" else code or plan
    found: list[Piece] = [head[:cut], number(head[cut:], national, code)]
    if extension:
        found += [number_slot(extension[1]), text[extension.end(1) :]]
    return found if national.strip("0") else [text]


def number(text: str, national: str, code: str) -> Piece:
    """The national number, behind zeros that stay."""
    norm = national.lstrip("0")
    if not norm:
        return text
    zeros = "0" * (len(national) - len(norm))
    if not code:
        code = plan_of(zeros, norm, text)
    known = code in all_codes() or code == "390"
    unit = Unit(plan_space(code, zeros, norm) if known else space(zeros, norm), norm)
    return Slot((unit,), lambda norms: refill(text, zeros + norms[0]))


def start_of_digit(text: str, count: int) -> int:
    """The place after the first `count` digits."""
    for place, char in enumerate(text):
        if count == 0:
            return place
        count -= digit_value(char) is not None
    return len(text) if count == 0 else 0


def mobile_mark(code: str, text: str) -> int:
    """How much of the text is the 9 of Argentina or the 1 of Mexico, written from abroad only."""
    mark = MARKS.get(code.lstrip("0"))
    if mark is None or len(digits_of(text)) != 11:
        return 0
    return start_of_digit(text, 1) if digits_of(text)[0] == mark else 0


def country_code(text: str) -> int:
    """How many leading digits are an international prefix and country code."""
    digits = digits_of(text)
    plus = re.match(r"^\W*[+＋]", text)
    if plus:
        return len(code_at(digits)) or 3
    if digits.startswith("00") and len(digits) > 10:
        return 2 + (len(code_at(digits[2:])) or 3)
    if re.match(r"^\W*1[\s.(-]", text) and len(digits) == 11:
        return 1
    if re.match(r"^\W*8[\s(-]+[34789]", text) and len(digits) == 11:
        return 1  # the trunk digit of Russia and Kazakhstan
    code = code_at(digits)
    if len(digits) >= 12 and code and len(digits) - len(code) <= 11 and code in main_codes():
        return len(code)
    return 0


def plan_told(text: str) -> tuple[str, str, bool]:
    """(national number, its plan or "", whether the country code stands before it)."""
    for piece in phone_pieces(text):
        if isinstance(piece, Slot) and piece.units[0].family.startswith("phone"):
            unit = piece.units[0]
            plan = unit.family.removeprefix("phone")
            return unit.norm, plan, bool(country_code(text)) and bool(plan)
    return "", "", False
