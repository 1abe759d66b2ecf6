"""Whether a whole value, labelled by a key or a column, has the full form of its type.

A label says what may be expected, never that it is there: "phone" above a date, a sum or a
sentence is no phone number.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from scrubbers.rules import shapes
from scrubbers.rules.common import compact, digits, plain
from scrubbers.rules.dates import DATE, MONTHS
from scrubbers.words import word_list

_PHONE = re.compile(
    r"(?:(?:tel|phone|ph|mob|mobile|cell|fax|tlf|fon)[.:]{0,2} ?)?"
    r"(?:\(?\+ ?)?\(?\d(?:[ ./()-]{0,3}\d){6,16}"
    r"(?:\)?,? ?(?:ext|extn|extension|x|poste|durchwahl|dw|int|interno|ramal|toestel)\.?:? ?\d{1,5})?"
    r"(?: ?\([^\W\d_]{2,12}\))?",
    re.IGNORECASE,
)
_MOST_PHONE_DIGITS = 20  # 15 and an extension
_SUM = re.compile(
    r"\d{1,3}(?:[.,]\d{3}){1,2}|\d+[.,]\d{1,2}|(?:\d{1,3}[.,])?(?:\d{3}[.,])*\d{3}[.,]\d\d"
)
_QUAD = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
# A sum of money, a share or an expression inside a longer value.
_AMOUNT = re.compile(
    r"\d[.,]\d\d(?![\d.,]\d|\d)|[%€$£=*<>{}@]|\d ?(?:eur|usd|gbp|chf)\b", re.IGNORECASE
)
_EXPRESSION = re.compile(r"\d ?[+*=<>] ?\d|[€$£%]|^(?:[^\W\d_]+ )?\d[\d.,]*[.,]\d{2}$")
_WORD = re.compile(r"[^\W\d_]+")
_MONTH_YEAR = re.compile(rf"\b(?:{MONTHS})\.? (?:19|20)\d\d\b", re.IGNORECASE)
_HOUSE = re.compile(
    r"(?<![\w.,:])#?\d{1,6}[A-Za-z]?(?:[-/]\w{1,5})?(?![\w]|[.:]\d|,\d\d)|[A-Z]{1,2}\d"
)
_COUNTED = frozenset(
    word_list("""unit units item items pc pcs piece pieces people persons guests day days hour hours minute
    minutes week weeks month months year years km kg mb gb ms times pages rows tokens percent
    stück tage stunden minuten wochen monate jahre unidades piezas días horas semanas meses años
    unités pièces jours heures semaines mois ans unità pezzi giorni ore settimane mesi anni
    unidade peças dias anos stuks dagen uren weken maanden jaar""")
)
# Words that a status, a reason or a result is written in, where a login could stand.
_STATES = frozenset(
    word_list("""ok okay success successful fail failure error none null true false yes no on off open new old
    active inactive pending current default guest anonymous unknown valid invalid optional manual
    automatic online offline available missing empty complete public private internal external
    warning info debug ready done busy idle first last next user admin root system email phone
    google apple microsoft facebook github oauth sso ldap local remote password token basic""")
)
_STATE = re.compile(r"[a-z]+(?:ed|ing|ly|tion|sion|ment|ness|able|ible|less|ful)")
_LOGIN = re.compile(r"@?[\w.@\\-]{3,40}")
_LONG_WORD = re.compile(r"(?<!\w)[A-ZÀ-Þ]?[a-zß-ÿ]{3,}(?: |$)")


def is_phone(value: str) -> bool:
    """Digits in the grouping of a phone number, 7 or more; no date, sum or machine's address."""
    count = len(digits(value))
    bare = value.strip()
    if not 7 <= count <= _MOST_PHONE_DIGITS or not _PHONE.fullmatch(bare):
        return False
    if shapes.looks_like_date(bare, 0) or DATE.fullmatch(bare) or _QUAD.fullmatch(bare):
        return False
    return not _SUM.fullmatch(bare) or (count > 8 and "," not in bare)


def is_street(value: str) -> bool:
    """A line with words and a house number (or code); no dates, sums or counted things."""
    if DATE.search(value) or _MONTH_YEAR.search(value) or _AMOUNT.search(value):
        return False
    found = [word.casefold() for word in _WORD.findall(value)]
    if not any(len(word) > 1 for word in found) or not _COUNTED.isdisjoint(found):
        return False
    return bool(_HOUSE.search(value))


def is_login(value: str) -> bool:
    """A name to log in with: no word that says a state or a kind."""
    return bool(_LOGIN.fullmatch(value)) and not _plain_word(value)


def is_password(value: str, *, sure: bool) -> bool:
    """One word; under a label that means other things too (`pass`), one with digits or signs."""
    if len(value) < 3 or " " in value:
        return False
    return sure or (not value.isalpha() and not _AMOUNT.fullmatch(value) and not _is_counted(value))


def _is_counted(value: str) -> bool:
    return bool(re.fullmatch(r"\d+(?:[-./:]\d+)*", value)) and not 5 <= len(value) <= 8


def _plain_word(value: str) -> bool:
    low = plain(value)
    return low in _STATES or bool(_STATE.fullmatch(low))


def fits(kind: str, value: str) -> bool:
    """Whether a whole value has the form that a label of that kind promises."""
    number, packed = digits(value), compact(value)
    match kind:
        case "PHONE_NUMBER":
            return is_phone(value)
        case "CREDIT_CARD":
            return 4 <= len(number) <= 19 and len(packed) - len(number) <= 4 and not _odd(value)
        case "PASSWORD" | "SECRET":
            return 3 <= len(number) <= 10 and len(packed) == len(number) and not _odd(value)
        case "IBAN_CODE":
            return len(packed) >= 12 and len(number) >= 8 and not _LONG_WORD.search(value[4:])
    if _odd(value) or (kind not in {"OTHER_ID", "USERNAME"} and _LONG_WORD.search(value)):
        return False
    return _WHOLE.get(kind, shapes.number_end)(value, 0) == len(value)


def _odd(value: str) -> bool:
    """A date, a sum, or an expression."""
    if any(_is_day(match.group()) for match in DATE.finditer(value)):
        return True
    return bool(_EXPRESSION.search(value))


def _is_day(value: str) -> bool:
    """Whether a date in numbers has a month in it; `20-00-00` is a bank's sort code."""
    parts = [int(part) for part in re.findall(r"\d+", value)]
    return all(parts) and (len(parts) < 3 or any(part <= 12 for part in parts))


_WHOLE: dict[str, Callable[[str, int], int | None]] = {
    "ADDRESS": shapes.postcode_end,
    "LICENCE_PLATE": shapes.plate_end,
    "OTHER_ID": shapes.code_end,
}
