"""IBANs, payment cards and bank identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues
from scrubbers.rules.common import at_runs, digits, finding, holds, lower, luhn, runs
from scrubbers.words import word_list

# Lengths by country: the SWIFT IBAN registry.
IBAN_LENGTHS: dict[str, int] = {
    k: int(v)
    for k, v in (
        item.split(":")
        for item in word_list("""AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BI:27 BR:29 BY:28 CH:21
        CR:22 CY:28 CZ:24 DE:22 DJ:27 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FK:18 FO:18 FR:27 GB:22
        GE:22 GI:23 GL:18 GR:27 GT:28 HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30 KW:30 KZ:20
        LB:28 LC:32 LI:21 LT:20 LU:20 LV:21 LY:25 MC:27 MD:24 ME:22 MK:19 MN:20 MR:27 MT:31 MU:30
        NI:28 NL:18 NO:15 OM:23 PK:24 PL:28 PS:29 PT:25 QA:29 RO:24 RS:22 RU:33 SA:24 SC:31 SD:18
        SE:24 SI:19 SK:24 SM:27 SO:23 ST:25 SV:28 TL:23 TN:24 TR:26 UA:29 VA:22 VG:24 XK:20
        YE:30""")
    )
}
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ .-]?\d[ ]?\d(?=[ .\-/]{0,2}[A-Za-z0-9])")
_LOOSE_IBAN = re.compile(r"[A-Za-z]{2} ?\d{2}(?: ?[A-Z0-9]{2,6}){2,8}(?!\w)")
_CARD = re.compile(r"(?<![\w.,/-])\d(?:[ -]{0,2}\d){11,18}(?![\w]|[.,/-]\d)")
_GROUPS = re.compile(r"\d{4}([ -]{1,2})\d{4}\1\d{4}\1\d{1,7}$|\d{4}([ -]{1,2})\d{6}\2\d{4,5}$")
_NETWORK = re.compile(r"4|5[1-8]|2[2-7]|3[0456789]|6[0-9]")
_BIC = re.compile(r"(?<![A-Za-z0-9])[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])")
_SORT_CODE = re.compile(r"(?<![\w./-])\d{2}-\d{2}-\d{2}(?![\w]|[./-]\d)")
_ACCOUNT = re.compile(r"(?<!\d)\d{8}(?!\d)")
_ACCOUNT_NEAR = 24
_BIC_CUES = ("bic", "swift")
_MARKED_TAIL = re.compile(r"(?<![*•xX\w])(?:[*•xX]{2,4}[ -]?){1,4}(\d{4})(?!\w)")
_MARKED = re.compile(r"[*•xX]{2}[ -]?[*•xX\d]")
_NOT_CARD_LABEL = re.compile(r"(?:\bts|time|stamp|epoch|_id|\bid)\W*$", re.IGNORECASE)


def ibans(passage: Passage) -> Iterable[Finding]:
    """IBANs in any spelling, value only. A wrong check sum needs the word IBAN beside it."""
    text = passage.text
    for start in _iban_starts(text):
        country = text[start : start + 2].upper()
        length = IBAN_LENGTHS.get(country)
        end = _iban_end(text, start, length) if length else None
        if end is not None and iban_valid(text[start:end]):
            yield finding((start, end), "IBAN_CODE", 0.98, country)
        elif (cue := cues.before(text, start)) and cue.kind == "IBAN_CODE":
            loose = _LOOSE_IBAN.match(text, start)
            if end is None and loose and len(digits(loose.group())) >= 8:
                end = loose.end()
            if end is not None:
                yield finding((start, end), "IBAN_CODE", 0.8)


def _iban_starts(text: str) -> Iterable[int]:
    """Where two letters stand alone before digits: looked for from the digits back."""
    done = 0
    for digit, _ in runs(text):
        for start in range(max(done, digit - 3), digit - 1):
            if match := _IBAN.match(text, start):
                done = match.end()
                yield start
                break


def _iban_end(text: str, start: int, length: int) -> int | None:
    """End after `length` letters and digits, with at most two separators between any two."""
    taken = 0
    gap = 0
    at = start
    while at < len(text) and taken < length:
        char = text[at]
        if char.isascii() and char.isalnum():
            taken += 1
            gap = 0
        elif char in " .-/" and gap < 2:
            gap += 1
        else:
            return None
        at += 1
    whole = taken == length and not (at < len(text) and text[at].isalnum())
    return at if whole else None


def iban_valid(value: str) -> bool:
    """Whether letters and digits of `value` pass the mod 97 check."""
    packed = "".join(c for c in value if c.isalnum()).upper()
    return (
        packed.isascii()
        and int("".join(str(int(c, 36)) for c in packed[4:] + packed[:4])) % 97 == 1
    )


def cards(passage: Passage) -> Iterable[Finding]:
    """Payment cards: Luhn and either card grouping, a cue, or a known network's prefix.

    Bare numbers labelled as times or ids are left alone, and so is any without a card's prefix.
    """
    text = passage.text
    for match in at_runs(_CARD, text):
        value, number = match.group(), digits(match.group())
        if not 13 <= len(number) <= 19 or len(set(number)) < 2:
            continue
        cue = cues.before(text, match.start())
        told = cue is not None and cue.kind == "CREDIT_CARD"
        grouped = bool(_GROUPS.match(value))
        score = _card_score(number, told=told, grouped=grouped)
        bare = not told and not grouped
        if bare and (
            cue or _NOT_CARD_LABEL.search(text[max(0, match.start() - 24) : match.start()])
        ):
            score = 0.0
        if score:
            yield finding(match.span(), "CREDIT_CARD", score)
    for tail in _MARKED_TAIL.finditer(text) if _MARKED.search(text) else ():
        yield finding(tail.span(1), "CREDIT_CARD", 0.6)


def _card_score(number: str, *, told: bool, grouped: bool) -> float:
    network = bool(_NETWORK.match(number))
    if luhn(number):
        if told or (grouped and network):
            return 0.97
        return 0.75 if network and len(number) in {15, 16} else 0.0
    return 0.8 if told else 0.55 if grouped and network and len(number) in {15, 16} else 0.0


def bank_codes(passage: Passage) -> Iterable[Finding]:
    """BIC / SWIFT codes behind their cue."""
    text = passage.text
    if not holds(lower(text), _BIC_CUES):
        return
    for match in _BIC.finditer(text):
        cue = cues.before(text, match.start())
        if cue and cue.phrase in {"bic", "swift", "bic swift", "swift bic"} and cue.unknown == 0:
            yield finding(match.span(), "OTHER_ID", 0.85)


def sort_codes(passage: Passage) -> Iterable[Finding]:
    """British sort codes behind their cue, or beside an account number that has one."""
    text = passage.text
    if text.count("-") < 2:
        return
    for match in at_runs(_SORT_CODE, text):
        cue = cues.before(text, match.start())
        told = cue is not None and cue.phrase in {"sort", "sort code"}
        if told or _by_account(text, *match.span()):
            yield finding(match.span(), "BANK_ACCOUNT", 0.85)


def _by_account(text: str, start: int, end: int) -> bool:
    for match in _ACCOUNT.finditer(text, max(0, start - _ACCOUNT_NEAR), end + _ACCOUNT_NEAR):
        cue = cues.before(text, match.start()) if match.start() < start else None
        cue = cue or cues.before(text, start)
        if cue and cue.kind == "BANK_ACCOUNT":
            return True
    return False
