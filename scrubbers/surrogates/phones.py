"""Telephone numbers: one unit for the national number, whatever stands before it.

The normal form is the national significant number: digits without country code, trunk zeros and
separators. So `+44 7462 118903` and `07462 118 903` share a unit; `plans` says whose it is, and
which number may stand for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrubbers.surrogates.numbering import MARKS, all_codes, code_at, has_length, main_codes
from scrubbers.surrogates.people import number_slot
from scrubbers.surrogates.plans import MOBILE, argentine, plan_of, plan_space, space
from scrubbers.surrogates.text import digit_value, digits_of, refill
from scrubbers.surrogates.unit import Piece, Slot, Unit

EXTENSION = re.compile(
    r"(?:\s*(?:;ext=|[,;]?\s*(?:extension|extn|ext|x|durchwahl|poste|int|anexo|toestel)\.?:?|#)\s*)"
    r"(\d{1,6})\s*$",
    re.I,
)
LAST = 4  # digits that forms of one number share, whatever stands before them
EXIT = "011"  # dialled in North America before a country code
BEHIND = "+"  # on a plan: the calling code stands in front, though no plus shows it
LONG_DISTANCE = {"52": ("044", "045", "01"), "7": ("8",)}  # dialled before ten digits


@dataclass(frozen=True, slots=True)
class Number:
    """A written number: `kept` leading digits that stay, then the national number.

    `code`: its calling code, "" where none stands there. `certain`: a plus or an exit code shows
    it. `gap`: the place in the national number (without zeros) behind which a mark stays.
    """

    kept: int
    code: str
    national: str
    certain: bool = False
    gap: int = 0

    @property
    def zeros(self) -> str:
        """The trunk zeros."""
        return self.national[: len(self.national) - len(self.national.lstrip("0"))]

    @property
    def norm(self) -> str:
        """The national significant number."""
        digits = self.national.lstrip("0")
        return digits[: self.gap] + digits[self.gap + len(MOBILE) :] if self.gap else digits


def phone_pieces(text: str, plan: str = "") -> list[Piece]:
    """A number with its country code, separators and extension as they stand.

    `plan`: the plan of a form without country code where the record tells it elsewhere.
    """
    extension = EXTENSION.search(text)
    head = text[: extension.start(1)] if extension else text
    read = read_number(head, plan)
    if not read.norm:
        return [text]
    cut = start_of_digit(head, read.kept)
    found: list[Piece] = [head[:cut], number(head[cut:], read)]
    if extension:
        found += [number_slot(extension[1]), text[extension.end(1) :]]
    return found


def number(text: str, read: Number) -> Slot:
    """The national number, behind zeros that stay."""
    zeros, norm = read.zeros, read.norm
    code = read.code or plan_of(zeros, norm, text)
    known = code in all_codes() or code == "390"
    unit = Unit(plan_space(code, zeros, norm) if known else space(zeros, norm), norm)
    mark = MOBILE if read.gap else ""
    return Slot(
        (unit,),
        lambda norms: refill(text, zeros + norms[0][: read.gap] + mark + norms[0][read.gap :]),
    )


# --- reading --------------------------------------------------------------------------------


def read_number(text: str, plan: str) -> Number:
    """The digits of a number taken apart."""
    digits = digits_of(text)
    read = behind_code(text, digits) or (planned(digits, plan) if plan else guessed(text, digits))
    if not read.code and not plan and argentine(read.national):
        read = replace(read, code="54")
    return marked(read)


def behind_code(text: str, digits: str) -> Number | None:
    """A number behind a plus or an exit code."""
    start = 0
    if not re.match(r"^\W*[+＋]", text):
        start = 2 if digits.startswith("00") and len(digits) > 10 else 0
        start = 3 if digits.startswith(EXIT) and len(digits) > 13 else start
        if not start:
            return None
    code = code_at(digits[start:])
    kept = start + (len(code) or 3)
    return Number(kept, code or "0", digits[kept:], certain=True)


def planned(digits: str, plan: str) -> Number:
    """A number whose plan is told, with or without its calling code in front (`BEHIND`: with)."""
    told, plan = plan.endswith(BEHIND), plan.removesuffix(BEHIND)
    code = "39" if plan == "390" else plan
    rest = digits.removeprefix(code)
    if rest != digits and (told or (fits(plan, rest) and not fits(plan, digits))):
        return Number(len(code), plan, rest)
    for prefix in LONG_DISTANCE.get(plan, ()):
        if digits.startswith(prefix) and len(digits) == len(prefix) + 10:
            return Number(len(prefix), plan, digits.removeprefix(prefix))
    return Number(0, plan, digits)


def fits(plan: str, national: str) -> bool:
    """Whether a national number has a length of its plan, also with the mark of a mobile one."""
    size = len(national.lstrip("0"))
    return has_length(plan, size) or (plan in MARKS and has_length(plan, size - 1))


def guessed(text: str, digits: str) -> Number:
    """A number without a plus: a calling code may still stand there."""
    if re.match(r"^\W*1[\s.(-]", text) and len(digits) == 11:
        return Number(1, "1", digits[1:])
    if re.match(r"^\W*8[\s(-]+[34789]", text) and len(digits) == 11:
        return Number(1, "7", digits[1:])  # the trunk digit of Russia and Kazakhstan
    code = code_at(digits)
    long = len(digits) >= 12 and code in main_codes() and len(digits) - len(code) <= 11
    if (
        long
        and digits[len(code) :].strip("0")
        and not (argentine(digits) and not fits(code, digits[len(code) :]))
    ):
        return Number(len(code), code, digits[len(code) :])
    return Number(0, "", digits)


def marked(read: Number) -> Number:
    """The number without the 9 of Argentina or the 1 of Mexico, and without Argentina's 15."""
    if len(read.national) == 11 and read.national[0] == MARKS.get(read.code):
        return replace(read, kept=read.kept + 1, national=read.national[1:])
    if read.code == "54" and (gap := argentine(read.national)):
        return replace(read, gap=gap)
    return read


def start_of_digit(text: str, count: int) -> int:
    """The place after the first `count` digits."""
    for place, char in enumerate(text):
        if count == 0:
            return place
        count -= digit_value(char) is not None
    return len(text) if count == 0 else 0


# --- what a record tells --------------------------------------------------------------------


def plan_told(text: str, plan: str = "") -> tuple[str, str, bool]:
    """(national number, its plan or "", whether its country code stands there for certain)."""
    for piece in phone_pieces(text, plan):
        if isinstance(piece, Slot) and piece.units[0].family.startswith("phone"):
            unit = piece.units[0]
            told = unit.family.removeprefix("phone").removeprefix("0")
            certain = bool(told) and read_number(text, "").certain
            return unit.norm, told, certain
    return "", "", False


def told_plans(texts: Sequence[str]) -> list[str]:
    """The plan of each telephone number of a record where another form tells it, else "".

    `0612345678` alone can be French or Dutch; beside `+31 6 12345678` it is Dutch. Where no form
    has a country code, all take the plan that the first one is told to.
    """
    alone = [plan_told(text) if text else ("", "", False) for text in texts]
    sure = {norm: plan for norm, plan, certain in alone if certain}
    first: dict[str, str] = {}
    for norm, plan, _ in alone:
        if norm and plan:
            first.setdefault(norm, plan)
    ends: dict[str, list[str]] = {}
    for norm in sure:
        ends.setdefault(norm[-LAST:], []).append(norm)
    told = [
        "" if certain or not norm else by_code(text, norm, sure, ends) or first.get(norm, "")
        for text, (norm, _, certain) in zip(texts, alone, strict=True)
    ]
    # Read so without being told, a number is not read again by what is told.
    return ["" if one == plan else one for one, (_, plan, _) in zip(told, alone, strict=True)]


def dialled(text: str, plan: str = "") -> str:
    """The number with a plus where its calling code stands in front of it without one."""
    read = read_number(EXTENSION.sub("", text), plan)
    code = "39" if read.code == "390" else read.code
    bare = read.kept >= len(code) > 0 and not read.certain and digits_of(text).startswith(code)
    return f"+{text.lstrip()}" if bare else text


def by_code(text: str, norm: str, sure: dict[str, str], ends: dict[str, list[str]]) -> str:
    """The plan in which a number is one that stands elsewhere behind its country code."""
    near = ends.get(digits_of(text)[-LAST:], [])
    for known in near:  # 49 171 2345678 could also be a long number of Germany
        plan = sure[known] + BEHIND
        if read_number(text, plan).kept and plan_told(text, plan)[0] == known:
            return plan
    if norm in sure:
        return sure[norm]
    return next((sure[n] for n in near if plan_told(text, sure[n])[:2] == (n, sure[n])), "")
