"""Words and signs around numbers that tell a date from a fraction, a version or a paragraph."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from scrubbers.rules.common import plain
from scrubbers.surrogates.dateread import Reading
from scrubbers.surrogates.datewords import ordinals
from scrubbers.surrogates.months import MONTHS, SHORT, WEEKDAYS, month_index
from scrubbers.surrogates.nodays import impossible
from scrubbers.surrogates.numberwords import together
from scrubbers.surrogates.text import fold
from scrubbers.surrogates.weekdates import ORDINAL, WEEK, day_of
from scrubbers.surrogates.weekdays import around
from scrubbers.words import word_list

# Keys whose whole value may be a date in a form that alone could be another number.
_KEYS = frozenset(
    word_list("""date dates day datetime time timestamp ts epoch on at due start end from until till since valid
    expires expiry exp iat nbf created updated modified deleted issued paid booked arrival departure checkin checkout
    dob birth birthday born deadline delivery fecha dia nacimiento vencimiento inicio fin alta datum tag geburtsdatum
    beginn ende faellig fallig frist data giorno nascita scadenza inizio fine nascimento vencimento validade jour
    naissance echeance debut geboortedatum vervaldatum begin eind termin dnia""")
)
_SPLIT = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WEEKDAY = "|".join(
    sorted(
        {re.escape(w) for words in WEEKDAYS.values() for w in words.split()}, key=len, reverse=True
    )
)
_CUE = re.compile(
    r"(?<!\w)(?:on|by|until|till|before|after|since|dated|due|el|del|al|hasta|desde|día|dia|fecha|le|du|au|dès|avant"
    r"|jusqu['’]au|am|vom|bis|zum|ab|seit|den|der|il|dal|entro(?: il)?|em|até|op|tot|vanaf|voor|dnia|od|den|fra|til"
    rf"|från|{_WEEKDAY})[.,:]?\s+$",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"(?<!\w)(?:on|dated|due|el|le|am|il|dia|día|op|dnia|den)[.,:]?\s+$", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?<!\w)(?:law|act|ley|lei|loi|legge|gesetz|wet|decreto|décret|decree|directive|directiva|direttiva|regulation"
    r"|reglamento|regolamento|verordnung|article|artículo|art|no|nr|n|núm|num|ref|case|caso|res|az|rd|stc|sts|boe"
    r"|nos|invoice|rechnung|factura|facture|fattura|ticket|order|file|section|kapitel|abschnitt|punkt|ziffer|chapter"
    r"|§|nº|n°|#)[.:°º]*\s*$",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?<!\w)(?:v|version|versión|versione|release|build|rev|update|ver)\.?\s*$", re.IGNORECASE
)
_HOLIDAY = (
    r"(?:easter|christmas|new year['’]?s|boxing day|thanksgiving|good friday|pentecost|whitsun|navidad|nochebuena"
    r"|nochevieja|semana santa|pascua|noël|pâques|pentecôte|toussaint|weihnacht\w*|heiligabend|silvester|ostern"
    r"|oster\w+|karfreitag|pfingst\w*|natale|pasqua|ferragosto|natal|páscoa|carnaval|kerst\w*|pasen|pinksteren"
    r"|wielkanoc\w*|ramadan|eid|hanukkah|diwali)"
)
_ORDINAL = r"(?:[12]?\d|3[01])(?:st|nd|rd|th)"
_NAMES = "|".join(
    sorted({re.escape(w) for t in ("en", "es", "fr", "de", "it", "pt", "nl", "pl") for w in SHORT[t].split()
            if len(w) > 2} | {re.escape(w) for words in MONTHS.values() for w in words.split()},
           key=len, reverse=True)
)  # fmt: skip
# A date in form, and none of the calendar or without its month.
UNREADABLE = re.compile(
    rf"(?<![\w.,/-])(?:(?:19|20)\d\d([-/])\d{{1,2}}\1\d{{1,2}}(?![\w/-])"
    rf"|\d{{1,2}}([-./])\d{{1,2}}\2(?:19|20)\d\d(?![\w/-]|\.\d)"
    rf"|(?:{_WEEKDAY})\.?,?\s(?:the\s)?{_ORDINAL}(?!\w)(?!\s(?:of\s)?(?:{_NAMES}))"
    rf"|{_ORDINAL}\sof\s(?:this|next|last|the)\s(?:same\s)?month(?!\w)"
    rf"|{_HOLIDAY}(?:\s(?:day|eve|sunday|monday))?,?\s(?:of\s|de\s)?(?:19|20)\d\d(?!\w))",
    re.IGNORECASE,
)
_DATED = re.compile(
    rf"{_HOLIDAY}|(?<!\w){_ORDINAL}(?!\w)|(?<!\w)(?:{_NAMES})(?!\w)|\d{{1,4}}[-./]\d{{1,2}}[-./]\d{{1,4}}"
    rf"|(?<!\w)(?:(?:{_WEEKDAY}),?|am|le|el|il|op|dia|día)\s(?:den\s|el\s)?\d{{1,2}}\.?(?![\w:]|\.\d)",
    re.IGNORECASE,
)
# A day, a word and a year: the month in a language that is not read.
_OTHER_MONTH = re.compile(
    r"(?<![\w.,:/-])\d{1,2}(?:\.|-[^\W\d_]{1,2})?\s(?:de\s|ng\s)?(?P<month>[^\W\d_][\w\u0300-\u036f]{2,14})"
    r"\.?,?\s(?:de\s|del\s)?(?:19|20)\d\d(?![\w%]|[.,/:-]\d)"
)
READ = frozenset({table[:2] for table in MONTHS} | {"nb", "nn"})
_WITHOUT_NAMES = frozenset(("ja", "zh", "ko"))  # months are numbers there
_SCRIPTS = tuple(word_list("LATIN CYRILLIC GREEK CJK HIRAGANA KATAKANA HANGUL DIGIT COMBINING"))
_SPANS = frozenset(
    word_list("""day days week weeks month months year years hours minutes people items tage wochen monate jahre
    stunden dias semanas meses anos horas jours semaines mois ans heures giorni settimane mesi anni ore""")
)
# Words that are no months as often as they are.
_DOUBTFUL = frozenset(
    word_list("""may march mar set out ago gen mag lug sie lis mai maj mei mars mart sty cze lip
    kasim nisan eylul ekim""")
)
_LOWER = frozenset(
    ("es", "fr", "it", "pt", "nl", "pl", "ro", "sv", "no", "da", "fi", "ru", "cs", "hu", "uk", "bg")
)
_BEFORE_MONTH = re.compile(
    r"(?<!\w)(?:in|since|until|till|by|during|of|from|through|late|early|mid|this|next|last|en|desde|hasta|finales de"
    r"|mes de|de|d['’]|depuis|jusqu['’]en|fin|début|mois de|im|seit|bis|ab|ende|anfang|mitte|monat|a|ad|da|di|fine|metà"
    r"|inizio|em|até|sinds|tot|eind|begin|half|medio|van|w|od|do|z|în|din|i|fra|til|från|sedan|siden|в|с|до|к"
    r"|τον|από|έως|μέχρι|v|ve|od|у|з|від|през|от)[\s-]+$",
    re.IGNORECASE,
)
_TIME = re.compile(r"[T ]\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?")
_ARTICLE = re.compile(r"(?<!\w)the\s$", re.IGNORECASE)
_NEAR = 40


def announced(label: str) -> bool:
    """Whether a key says that its value is a date or a point in time."""
    return any(plain(word) in _KEYS for word in _SPLIT.findall(_CAMEL.sub("_", label)))


def unreadable(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Where a date stands that no calendar has, that lacks its month, or names it in another language."""
    if not any(map(str.isdigit, text)):
        return
    for match in UNREADABLE.finditer(text):
        yield match.span()
    yield from (m.span() for m in WEEK.finditer(text) if day_of(m[0]) is None)
    yield from impossible(
        text, language, lambda text, at, start, word: is_month(text, at, start, word, language)
    )
    for match in _OTHER_MONTH.finditer(text):
        if fold(match["month"]) not in month_index() and _is_elsewhere(match["month"], language):
            yield match.span()


def days_of_year(text: str) -> Iterator[tuple[int, int]]:
    """Where 2025-062 stands behind a word for a date; alone it may be any number."""
    for match in ORDINAL.finditer(text):
        start, end = match.span()
        near = max(0, start - _NEAR)
        if day_of(match[0]) and is_free(text, start, end) and _STRONG.search(text, near, start):
            yield start, end


def _is_elsewhere(word: str, language: str) -> bool:
    """Whether a word may be a month in a language, or script, whose months are not read."""
    if language not in READ and len(language) == 2 and language not in _WITHOUT_NAMES:
        return True
    return any(not unicodedata.name(char, "LATIN").startswith(_SCRIPTS) for char in word)


def is_dated(marked: str) -> bool:
    """Whether a marked text that cannot be read names a day all the same."""
    other = _OTHER_MONTH.search(marked)
    return bool(_DATED.search(marked) or (other and fold(other["month"]) not in _SPANS))


def is_free(text: str, start: int, end: int) -> bool:
    """Whether no letter or number touches the place; a time stamp's T and CJK letters may."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if before and (_is_letter(before) or before in "€$£+#@=%"):
        return False
    if after[:1] == "T" and after[1:].isdigit():
        return True
    return not (after and (_is_letter(after[0]) or after[0] in "%€$£_@"))


def _is_letter(char: str) -> bool:
    return char.isalnum() and not "\u3040" <= char <= "\u9fff" and not "\uac00" <= char <= "\ud7a3"


def is_number(text: str, start: int) -> bool:
    """Whether the word before names a law, a file or a paragraph."""
    return bool(_NUMBER.search(text, max(0, start - _NEAR), start))


def is_version(text: str, start: int) -> bool:
    """Whether the word before names a version or a paragraph."""
    return bool(_VERSION.search(text, max(0, start - _NEAR), start)) or is_number(text, start)


def is_day_and_month(text: str, reading: Reading, language: str) -> bool:
    """Whether two numbers are a day and a month: by a word before, or two German full stops."""
    start, end = reading.span
    near = max(0, start - _NEAR)
    if is_version(text, start) or re.match(r"\s?(?:[%€$£/]|stars\b)", text[end:]):
        return False
    first, second = (value for _, _, kind, value in reading.parts if kind in "dmpq")
    if "/" in text[start:end]:
        likely = second in (2, 3, 4, 5, 8, 10) and first < second and "0" not in text[start:end]
        return bool((_STRONG if likely else _CUE).search(text, near, start))
    dotted = text[start:end].endswith(".") and text[start:end].count(".") == 2
    if dotted and language in ("de", "no", "da", "fi", "pl", "ro"):
        return True
    return bool(_STRONG.search(text, near, start)) and (dotted or text[start:end].count("0") > 0)


def is_month(text: str, at: int, start: int, word: str, language: str) -> bool:
    """Whether a word is a month's name here, and not the verb or number that it may be too.

    It stands at `at`, the date that it may be part of begins at `start`.
    """
    low = fold(word)
    if low not in _DOUBTFUL:
        return True
    tongues = {table[:2] for table, _ in month_index()[low]}
    if low in ("may", "march", "mar"):
        return (
            word[:1].isupper()
            or (language != "en" and language in tongues)
            or bool(at == start and _CUE.search(text, max(0, start - _NEAR), start))
        )
    return language in tongues and language != "en"


def lone_months(text: str, language: str) -> Iterator[tuple[int, int]]:
    """The full name of a month behind a word such as "in" or "end of"."""
    for match in re.finditer(r"[^\W\d_]{3,13}", text):
        if language == "ro" and match[0].casefold() == "mai":  # also "more"
            continue
        tables = [t for t, _ in month_index().get(fold(match[0]), ()) if t in MONTHS]
        own = [t for t in tables if t[:2] == language] or (tables if language == "und" else [])
        if not own or (match[0].islower()) != (language in _LOWER) or match[0].isupper():
            continue
        near = max(0, match.start() - _NEAR)
        inflected = any(table.endswith("-loc") for table in own)
        if inflected or _BEFORE_MONTH.search(text, near, match.start()):
            yield match.span()


def says_day(text: str, lang: str, said: str, month: tuple[int, int], *, full: bool) -> bool:
    """Whether a number in words beside a month is a day: an English one is an ordinal."""
    if lang != "en":
        return True
    word = text[slice(*month)]
    if together(said) not in {together(one) for one in ordinals("en").values()}:
        return full
    doubtful = fold(word) in ("may", "march") and word.islower()
    around = text[max(0, month[0] - 4) : month[1] + 5].casefold()
    return full or not doubtful or " of " in around or " the " in around


def with_weekday_and_time(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The place of a date with the weekdays beside it, its article and a time of day behind it."""
    start, end = around(text, span)
    article = _ARTICLE.search(text, max(0, start - 5), start) if start == span[0] else None
    after = _TIME.match(text, end)
    return article.start() if article else start, after.end() if after else end
