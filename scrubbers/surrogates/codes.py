"""Numbers and codes by their shape: ids, accounts, plates, cards, IBANs, passwords and keys."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase

from scrubbers.surrogates import lists
from scrubbers.surrogates.checksums import luhn_digit, mod97, passes_any
from scrubbers.surrogates.idforms import form_of, narrowed
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import digit_like, digit_value, digits_of, refill, to_ascii
from scrubbers.surrogates.unit import Piece, Slot, Unit, Unwritable

UNSEEN = "[\u00ad\u200b-\u200d\u2060\ufeff]*"
PREFIX = re.compile(
    f"^(?:[^\\W\\d_]{UNSEEN}[-_/.\\s\u2013]{{0,3}}){{2,6}}(?:\\s*\\b(?:no|nr|n[º°])\\b[.:]?)?[-_#/:.\\s\u2013]{{0,3}}"
    r"(?=(?:[\W_]*\d){3})",
    re.I,
)
IBAN_LABEL = re.compile(r"^\W*IBAN[\s:.-]*(?=[A-Za-z]{2}\d)")
IBAN = re.compile("[A-Z]{2}[0-9]{2}[A-Z0-9]{6,30}")
CARD_LABEL = re.compile(r"^(?:[^\W\d_]{2,}[\s:.]+)+(?=\W*\d)")  # "Visa ending in 9514"
# Digits hidden behind x (four: a code may begin with two) or signs, as in "XXX-XX-6883".
HIDDEN = r"(?:(?:[xX][\s-]*){4,}|[*•·●#]{2}[\s*•·●#./-]*|\.{3}|…)"
MASK = re.compile(rf"^\W*?{HIDDEN}(?=(?:[\W_]*\d){{3}})")
HEX = re.compile(r"^(?=.*[0-9])(?=.*[a-fA-F])[0-9a-fA-F]{8,}$")
SECRET_PREFIX = re.compile(
    r"^(?:(?:sk|pk|rk)_(?:live|test)_|sk-(?:proj-|ant-|or-)?|gh[pousr]_|github_pat_|glpat-"
    r"|xox[abeoprs]-|AKIA|ASIA|AIza|SG\.|npm_|pypi-|hf_|ya29\.|whsec_|shpat_|dop_v1_|Bearer\s+|eyJ)"
    r"(?=[\w.~+/=-]{12})"  # issuers' keys are long; two drawn letters and a sign are none
)
ARMOR = re.compile(r"-----[A-Z0-9 ]+-----")
CLASSES = {
    "N": "123456789", "D": "0123456789", "0": "0", "U": ascii_uppercase, "L": ascii_lowercase,
    "G": "ABCDEF", "H": "abcdef", "C": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ", "K": "абвгдежзиклмнопрстуфхцчшщэюя",
    "J": "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼", "Y": "あいうえかきくけこさすせそたちつてと",
    "Q": "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주하허호", "A": "ابتثجحدرسصطعفقكلمنهوي",
}  # fmt: skip
VERSIONS = ("V1", "V2", "V3")  # stay in paths
VERSION_TRIES = 64
CAPITALS = str.maketrans("LHK", "UGC")
SCRIPTS = {"zh": "J", "kana": "Y", "ko": "Q", "ar": "A"}


# --- codes of letters and digits ------------------------------------------------------------


def code_pieces(text: str, *, prefixes: bool = True, valid: bool = False) -> list[Piece]:
    """A code: a prefix word like `INV-` stays, letters and digits keep their kind and place."""
    prefix = MASK.match(text) or (PREFIX.match(text) if prefixes else None)
    start = prefix.end() if prefix else 0
    norm, _ = compact(text[start:], upper=True)
    if not norm:
        return [text]
    unit = code_unit(norm, valid=valid)
    body = text[start:]
    return [text[:start], Slot((unit,), lambda norms: fill(body, norms[0]))]


def code_unit(norm: str, *, valid: bool = False) -> Unit:
    """The unit of a compact code in capitals."""
    return Unit(f"code:{code_shape(norm)}:{form_of(norm)}:{'valid' if valid else ''}", norm)


def number_slot(text: str) -> Slot:
    """A number in a mailbox, user name or path: of the same unit as the id that is this number."""
    return Slot((code_unit(digits_of(text)),), lambda norms: refill(text, norms[0]))


def secret_pieces(text: str) -> list[Piece]:
    """A password or key: what its issuer puts in front stays, the case of letters counts."""
    prefix = SECRET_PREFIX.match(text)
    start = prefix.end() if prefix and compact(text[prefix.end() :], upper=False)[0] else 0
    found: list[Piece] = [text[:start]]
    end = start
    for armor in ARMOR.finditer(text, start):
        found += [*secret_slot(text[end : armor.start()]), armor[0]]
        end = armor.end()
    return [*found, *secret_slot(text[end:])]


def secret_slot(text: str) -> list[Piece]:
    """A stretch of a secret without armour lines."""
    norm, _ = compact(text, upper=False)
    if not norm:
        return [text]
    unit = Unit(f"secret:{shape(norm)}", norm)
    return [Slot((unit,), lambda norms: fill(text, norms[0]))]


def compact(text: str, *, upper: bool) -> tuple[str, int]:
    """The letters and digits that are replaced, digits in ASCII, and how many they are."""
    kept = []
    for char in text:
        value = digit_value(char)
        if value is not None:
            kept.append(str(value))
        elif letter := plain_letter(char):
            kept.append(upper_case(letter) if upper else letter)
    return "".join(kept), len(kept)


def plain_letter(char: str) -> str:
    """A letter (full-width folded) that is replaced, else ""."""
    if "\uff21" <= char <= "\uff3a" or "\uff41" <= char <= "\uff5a":
        return chr(ord(char) - 0xFEE0)
    return char if char.isalpha() and char not in "ºªʼ" else ""


def upper_case(letter: str) -> str:
    """The capital of a letter, where it is one character."""
    capital = letter.upper()
    return capital if len(capital) == 1 and capital.lower() == letter else letter


def fill(text: str, norm: str) -> str:
    """`text` with its letters and digits replaced in order, in their case and width."""
    rest = iter(norm)
    out = []
    for char in text:
        if digit_value(char) is not None:
            out.append(digit_like(char, next(rest)))
        elif plain := plain_letter(char):
            new = next(rest)
            new = new.lower() if char.islower() else new.upper() if char.isupper() else new
            out.append(new if plain == char else chr(ord(new) + 0xFEE0))
        else:
            out.append(char)
    return "".join(out)


def shape(norm: str) -> str:
    """Classes run by run, "N1D7U1": a letter of CLASSES and a count."""
    if len(norm) == 1 and norm.isdigit():
        return "D1"
    hexadecimal = bool(HEX.match(norm))
    classes = [char_class(c, first=i == 0, hexadecimal=hexadecimal) for i, c in enumerate(norm)]
    return "".join(f"{kind}{len(list(run))}" for kind, run in groupby(classes))


def code_shape(norm: str) -> str:
    """The shape of a code without regard to case; letters without case count as capitals."""
    return shape(norm).translate(CAPITALS)


def char_class(char: str, *, first: bool, hexadecimal: bool) -> str:
    """The class of one character of a code."""
    if char.isdigit():
        return ("0" if char == "0" else "N") if first else "D"  # a number keeps its length
    if hexadecimal:
        return "G" if char.isupper() else "H"
    script = "" if char.isascii() else lists.script(char)
    if script in SCRIPTS:
        return SCRIPTS[script]
    if script == "ru":
        return "K" if char.islower() else "C"
    return "U" if char.isupper() else "L"


@lru_cache(maxsize=1 << 14)
def vocabularies(form: str) -> tuple[str, ...]:
    """Form -> the characters that may stand at each place."""
    runs = re.findall(r"([ND0ULGHCKJYQA])(\d+)", form)
    return tuple(CLASSES[kind] for kind, count in runs for _ in range(int(count)))


def capacity(details: str) -> int:
    """How many codes a space has."""
    form, _, rest = details.partition(":")
    places = narrowed(rest.partition(":")[0], vocabularies(form))
    return math.prod(len(options) for options in places)


def draw_code(details: str, stream: Stream, counter: int) -> str:
    """A code of this shape that fails every check-digit rule which such a shape may have."""
    avoided = VERSIONS if counter < VERSION_TRIES else ()  # where all others are taken they may be
    form, name, valid = details.split(":")
    places = narrowed(name, vocabularies(form))
    if form == "N1D8":  # a US social security number never begins with 9,
        # and an individual or adoption tax number that does has 50 to 99 in the middle (IRS)
        places = ("9", *places[1:3], "1234", *places[4:])
    if form == "01D8" and not valid:  # nor with 000
        places = ("0", "0", "0", *places[3:])
    for _ in range(4000 if valid else 64):
        norm = "".join(map(stream.pick, places))
        if passes_any(norm) == bool(valid) and norm not in avoided:
            return norm
    return norm


def draw_secret(details: str, stream: Stream) -> str:
    """A random text of this shape."""
    return "".join(map(stream.pick, vocabularies(details)))


# --- cards ----------------------------------------------------------------------------------


def card_pieces(text: str, *, valid: bool = False) -> list[Piece]:
    """A card number. Its last four digits are a unit of their own ("ending in 9514").

    The digit before them is no part of the normal form: it is written so that the Luhn sum is
    wrong (or right, where that was chosen). Two numbers that differ in this digit alone cannot
    both be right, so nothing is lost.
    """
    label = CARD_LABEL.match(text)
    if label:
        return [label[0], *card_pieces(text[label.end() :], valid=valid)]
    digits = digits_of(text)
    if len(digits) < 10:
        odd = bool(digits) and any(map(plain_letter, text)) and not MASK.match(text)
        return [number_slot(text)] if odd else last_pieces(text)
    body, last = digits[:-5], digits[-4:]
    units = (Unit(f"card:{len(digits)}:{body[0]}", body), last_unit(last))

    def render(norms: Sequence[str]) -> str:
        good = luhn_digit(norms[0], norms[1])
        middle = good if valid else (good + 1 + sum(map(int, norms[0])) % 9) % 10
        return refill(text, f"{norms[0]}{middle}{norms[1]}")

    return [Slot(units, render)]


def last_pieces(text: str) -> list[Piece]:
    """The end of a number alone: its last four characters, a mask before them stays."""
    mask = MASK.match(text)
    start = mask.end() if mask else 0
    norm, count = compact(text[start:], upper=True)
    if count != 4:
        return code_pieces(text, prefixes=False)
    unit, body = last_unit(norm), text[start:]
    return [text[:start], Slot((unit,), lambda norms: fill(body, norms[0]))]


def last_unit(norm: str) -> Unit:
    """The last four characters of a card or an IBAN."""
    return Unit(f"last4:{code_shape(norm)}", norm)


def draw_card(details: str, stream: Stream) -> str:
    """All but the last five digits; the first digit tells the network and stays."""
    length, first = details.split(":")
    return stream.digits(int(length) - 5, first)


# --- IBAN -----------------------------------------------------------------------------------


def iban_pieces(text: str, *, valid: bool = False) -> list[Piece]:
    """An IBAN. Country and length stay; the check digits are computed, wrong unless `valid`."""
    label = IBAN_LABEL.match(text)
    if label:
        return [label[0], *iban_pieces(text[label.end() :], valid=valid)]
    norm, _ = compact(text, upper=True)
    norm = plain if len(plain := to_ascii(norm)) == len(norm) else norm
    if not IBAN.fullmatch(norm):
        if IBAN.fullmatch("".join(map(drawn_as, norm))):
            raise Unwritable("letters that no IBAN has: quarantine the record")
        return last_pieces(text)
    country, body, last = norm[:2], norm[4:-4], norm[-4:]
    units = (Unit(f"iban:{country}:{shape(body)}", country + body), last_unit(last))

    def render(norms: Sequence[str]) -> str:
        rest = norms[0][2:] + norms[1]
        good = 98 - mod97(rest + country + "00")
        wrong = (good + 1 + sum(map(ord, rest)) % 90) % 97
        return fill(text, f"{country}{good if valid else wrong:02d}{rest}")

    return [Slot(units, render)]


def drawn_as(char: str) -> str:
    """A, where a letter beyond ASCII would become an ASCII one in a code; else the character."""
    beyond = not char.isascii() and char_class(char, first=False, hexadecimal=False) in ("U", "L")
    return "A" if beyond else char


def draw_iban(details: str, stream: Stream) -> str:
    """Country and basic account number without its last four characters."""
    country, form = details.split(":")
    return country + "".join(map(stream.pick, vocabularies(form)))
