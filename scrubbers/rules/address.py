"""Street lines with a number, and postal codes beside them, in the languages of the project."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import finding

_UP = "A-ZÀ-ÖØ-Þ"
_WORD = rf"[{_UP}][\w.'-]{{0,30}}"
_PART = r"(?:de|del|de la|de las|de los|du|des|la|le|les|l'|d'|di|della|dei|degli|delle|da|do|dos|das|e|y|et|san|van|van den|van de|der|den|v\.d\.|von|al)"
_NAME = rf"(?:(?:{_PART})\s?){{0,3}}[\w][\w.'-]{{0,30}}(?:\s(?:(?:{_PART})\s){{0,2}}{_WORD}){{0,4}}"
_NO = r"(?:[,\s]{1,3}(?:n\.?[oº°]?\.?|núm\.?|num\.?|nr\.?|#|al)?\s?)"
_HOUSE = r"\d{1,5}(?:\s?(?:bis|ter|quater)\b|(?:/\s?(?:bis|\w{1,4}))|\s?[a-zA-Z]\b)?"

_EN_TYPES = (
    "street|st|road|rd|avenue|ave|av|lane|ln|drive|dr|boulevard|blvd|court|ct|close|crescent|cres|place|pl"
    "|terrace|ter|way|square|sq|parkway|pkwy|highway|hwy|circle|cir|rise|gardens|gdns|grove|mews|hill|row"
    "|walk|green|alley|trail|trl|loop|bend|bnd|quay|view|park|plaza|turnpike|pike|path|heights|fort|mill|mills"
    "|station|junction|estates?|ridge|point|pass|run|village|vista|wells|shore|rd"
)
_EN = re.compile(
    rf"(?<![\w.,:/-])\d{{1,6}}[A-Za-z]?(?:[-/]\d{{1,4}})?,?\s+(?:(?:[NSEW]|North|South|East|West)\.?\s+)?"
    rf"(?:[A-Za-z][\w.'-]{{1,24}}\s+){{1,4}}?(?:{_EN_TYPES})\b\.?(?!\s+(?:of|to)\b)"
    rf"(?:\s(?:[NSEW]|NE|NW|SE|SW|North|South|East|West)\b\.?)?"
    rf"(?:,?\s*(?:apt|apartment|unit|suite|ste|flat|trlr|lot|floor|fl|bldg|building|room|#)\.?\s*#?\s?\w{{1,6}})?",
    re.IGNORECASE,
)
_EN_UNIT = re.compile(
    r"(?<!\w)(?:(?:villa|way|flat|plot|house no\.?|po box|p\.o\. box)\s\d{1,5}[A-Z]?(?:,\s)?){1,3}",
    re.IGNORECASE,
)
_TAIL = (
    r"(?:,?\s*(?:esc(?:alera)?\.?\s?\w{1,3}|depto\.?\s?\w{1,5}|dpto\.?\s?\w{1,5}|int(?:erior)?\.?\s?\w{1,5}|piso\s?\w{1,4}|puerta\s?\w{1,3}"
    r"|bajo|fundos|ático|apto\.?\s?\w{1,5}|ap\.?\s?\d{1,5}|bloco\s?\w{1,3}|sala\s?\d{1,4}|\d{1,2}\s?[.]?\s?[ºªo°](?:\s?(?:izq|dcha|izda|der|esq|dto|[A-Z])\b\.?)?|\d{1,2}\.[ºªo°](?:\s?[A-Z]\b)?"
    r"|col(?:onia)?\.\s[\w ]{2,24}|scala\s?\w|bus\s\d{1,4}|bât\.?\s?\w|appt?\.?\s?\w{1,4})){0,4}"
)
_ROMANCE_TYPES = (
    r"calle|c/|c\.|avda\.?|avenida|av\.?|paseo|pº|plaza|pza\.?|plza\.?|pl\.|camino|carretera|ctra\.?|ronda|traves[ií]a|pasaje|bulevar|bv\.?"
    r"|blvd\.?|callej[oó]n|urbanizaci[oó]n|urb\.|calzada|carrera|cra\.?|kr\.?|diagonal|transversal|jir[oó]n|jr\."
    r"|via|viale|v\.le|piazza|p\.zza|p\.za|corso|c\.so|largo|vicolo|strada|piazzale|p\.le|lungomare|contrada"
    r"|rua|r\.|travessa|tv\.|alameda|al\.|praça|pça\.?|estrada|rodovia|beco|quadra|largo"
)
_ROMANCE = re.compile(
    rf"(?<![\w.])(?:{_ROMANCE_TYPES})\s?(?<=[\s/.]){_NAME}{_NO}{_HOUSE}(?!\d)(?:-\d{{1,4}})?{_TAIL}",
    re.IGNORECASE,
)
_FR_TYPES = (
    r"rue|avenue|av\.|boulevard|bd|bld|place|pl\.|quai|chemin|impasse|allées?|cours|route|square|passage|ruelle|faubourg|fbg|sentier"
    r"|esplanade|promenade|voie|cité|résidence|lotissement|hameau|clos|rond-point"
)
_FR = re.compile(
    rf"(?<![\w.,/-])\d{{1,4}}(?:\s?(?:bis|ter|quater|[A-D])\b)?,?\s+(?:{_FR_TYPES})\s{_NAME}",
    re.IGNORECASE,
)
_FR_PLACE = re.compile(rf"(?<!\w)lieu-dit\s(?:les?|la)?\s?{_NAME}", re.IGNORECASE)
_STRONG_END = r"(?:stra(?:ß|ss)e|str\.?|gasse|straat|laan|weg|plein|gracht|kade|allee|platz|singel|dijk|damm|steig)"
_WEAK_END = r"(?:ring|ufer|hof|graben|markt|chaussee|wall|stieg|pfad|promenade|zeile|garten|pad|steeg|dreef|plantsoen|baan)"
_NUMBER = (
    r"\s{1,2}(?:Nr\.?\s)?(?!(?:19|20)\d\d\b)\d{1,4}(?!\d|\.\d|,\d|\s?(?:Uhr|%|€|Euro|EUR|km|Tage|Jahre|Minuten|uur|euro|dagen))"
    r"(?:\s?[a-zA-Z]\b|-\d{1,3})?(?:\s?(?:bis|hs|bus)\b(?:\s?\d{1,4})?)?(?:/(?:Top\s?)?\w{1,4})?"
)
_STEM = rf"(?<![\w])(?:[{_UP}][\w.'-]{{0,30}}\s){{0,2}}(?:v\.\s?d\.\s)?[{_UP}][\w.-]{{0,30}}?"
_GERMANIC_SURE = re.compile(rf"{_STEM}(?i:{_STRONG_END})(?:-[{_UP}]\w+)?{_NUMBER}")
_GERMANIC = re.compile(
    rf"(?:{_STEM}(?i:{_WEAK_END})(?:-[{_UP}]\w+)?|(?<!\w)(?:[{_UP}][\w-]{{1,24}}\s)?(?:Straße|Strasse|Allee|Platz|Weg|Gasse|Ring)"
    rf"|(?<!\w)(?:Am|An der|An den|Zum|Zur|Auf der|Auf dem|Hinterm|Hinter der|Unter den|Vor dem|'[Tt]|Op de)\s[{_UP}][\w-]+)"
    rf"{_NUMBER}"
)
# "Im Wiesengrund 5", but not "Im Fall 21 der ...": what follows has to end the line.
_GERMANIC_IN = re.compile(
    rf"(?<!\w)(?:Im|In der|In den|Het)\s[{_UP}][\w-]+{_NUMBER}(?=\s*(?:[,\n|;·)]|$|(?:in )?\d{{4,5}}\s))"
)
_EN_BARE = re.compile(
    rf"(?:(?<=\bon )|(?<=\bat )|(?<=\bin )|(?<=\bto )|(?<=near )|(?<=from )|(?<=along )|(?<=, ))"
    rf"(?!Wall|Main|High|Silk|Sesame|Downing|Fleet|Abbey|This|That|The)"
    rf"[{_UP}][a-z]{{2,20}}(?: [{_UP}][a-z]{{2,20}})? (?:Street|Road|Lane|Avenue|Crescent|Close|Drive|St|Ave|Rd)\b(?! [{_UP}])"
)
_EN_WORDS = (
    " Street",
    " Road",
    " Lane",
    " Avenue",
    " Crescent",
    " Close",
    " Drive",
    " St",
    " Ave",
    " Rd",
)
_ROMANCE_HINT = re.compile(rf"(?<![\w.])(?:{_ROMANCE_TYPES})[\s.]|c/", re.IGNORECASE)
_AT_NUMBER = rf"(?:-[{_UP}]\w+)?\s{{1,2}}(?:Nr\.?\s)?$"
_SURE_HINT = re.compile(rf"(?i:{_STRONG_END}){_AT_NUMBER}")
_GERMANIC_HINT = re.compile(
    rf"(?:(?i:{_WEAK_END})|(?:Straße|Strasse|Allee|Platz|Weg|Gasse|Ring)"
    rf"|(?<!\w)(?:Am|An|Zum|Zur|Im|In|Auf|Hinterm|Hinter|Unter|Vor|'[Tt]|Het|Op)(?: de[rmn]?)?\s[{_UP}][\w-]+){_AT_NUMBER}"
)
_UNIT_HINT = re.compile(r"\b(?:villa|way|flat|plot|house|box)\b", re.IGNORECASE)
_PLACE_HINT = re.compile(r"lieu-dit", re.IGNORECASE)
_UNIT_BEFORE = re.compile(
    r"(?<!\w)(?:flat|apt|apartment|unit|suite|room|rr|po box)\.?\s?#?\w{1,6},\s*$", re.IGNORECASE
)
_HOUSE_NUMBER = re.compile(r"(?<![\w.:/-])\d{1,6}(?!\d)")
_CODE_AFTER = re.compile(
    r"[\s,.·|(-]{1,6}(?:(?:C\.?P\.?|CAP|PLZ|D|A|CH|F|B|NL|I|E)[ .:-]{0,2})?"
    r"(?:[A-ZÀ-Þ][\w.'-]+(?:[ -](?:[A-ZÀ-Þ][\w.'-]+|de|la|di|da|am|an|der)){0,4}[\s,(]{1,3}(?:[A-Z]{2}[,)]?\s)?)?"
    r"([A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}(?![A-Za-z])|\d{4}-\d{3}|\d{5}-\d{3,4}|\d{4,6})(?![\w]|[.,/-]\d)"
)
_ALONE: dict[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?<![\w-])(?:[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}|[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d)(?![\w-])"
        r"|(?<=, [A-Z]{2} )\d{5}(?:-\d{4})?(?![\w-])|(?<=, [A-Z]{2}, )\d{5}(?:-\d{4})?(?![\w-])"
    ),
    "nl": re.compile(r"(?<![\w-])[1-9]\d{3} ?[A-Z]{2}(?= {1,2}[A-Z'])(?![\w-])"),
    "pt": re.compile(r"(?<![\w-])\d{4}-\d{3}(?= [A-ZÀ-Þ])|(?<![\w-])\d{5}-\d{3}(?![\w-])"),
}
_LINE_CODE = re.compile(
    rf"(?:^|[\n|·,])[ \t]{{0,12}}(?:(?:D|A|CH|F)-)?(\d{{5}}) (?=[{_UP}][\w'/-]+(?:[ -][{_UP}(][\w'./)-]*){{0,3}}\s*(?:$|[\n|·,.)(]))"
)


def streets(passage: Passage) -> Iterable[Finding]:
    """Street, number and unit; the postal code that follows is a finding of its own."""
    text = passage.text
    taken: list[tuple[int, int]] = []
    for match in _candidates(text, passage.language):
        start, end = match.start(), match.start() + len(match.group().rstrip(" ,.;"))
        if any(start < e and s < end for s, e in taken):
            continue
        if unit := _UNIT_BEFORE.search(text, max(0, start - 24), start):
            start = unit.start()
        taken.append((start, end))
        yield finding((start, end), "ADDRESS", 0.8)
        if code := _CODE_AFTER.match(text, end):
            yield finding(code.span(1), "ADDRESS", 0.8)


def _candidates(text: str, language: str) -> Iterable[re.Match[str]]:
    """Street matches around the text's house numbers: number first, then number last."""
    first, last = _patterns(language)
    done = seen = 0
    for number in _HOUSE_NUMBER.finditer(text):
        for pattern, accept in first:
            match = pattern.match(text, number.start())
            if match and accept(match.group()):
                yield match
        begin = max(done, number.start() - 80)
        lettered = any(c.isalpha() for c in text[max(begin, seen) : number.start()])
        seen = number.end()
        for hint, pattern, accept in last if lettered else ():
            if hint.search(text, max(begin, number.start() - 56), number.start()):
                for match in pattern.finditer(text, begin, min(len(text), number.end() + 80)):
                    if match.start() < number.start() and accept(match.group()):
                        done = max(done, match.end())
                        yield match


def named_streets(passage: Passage) -> Iterable[Finding]:
    """English streets without a number ("a van on Mallow Lane"); not the famous ones."""
    text = passage.text
    if passage.language in {"en", "und"} and any(word in text for word in _EN_WORDS):
        for match in _EN_BARE.finditer(text):
            yield finding(match.span(), "ADDRESS", 0.6)


_First = tuple[re.Pattern[str], Callable[[str], bool]]
_Last = tuple[re.Pattern[str], re.Pattern[str], Callable[[str], bool]]


def _patterns(language: str) -> tuple[tuple[_First, ...], tuple[_Last, ...]]:
    """Number-first and number-last forms that are read in texts of a language."""
    english: _First = (_EN, _english_street)
    french: _First = (_FR, bool)
    romance: _Last = (_ROMANCE_HINT, _ROMANCE, _romance_street)
    sure: _Last = (_SURE_HINT, _GERMANIC_SURE, bool)
    germanic: _Last = (_GERMANIC_HINT, _GERMANIC, bool)
    inside: _Last = (_GERMANIC_HINT, _GERMANIC_IN, bool)
    units: _Last = (_UNIT_HINT, _EN_UNIT, bool)
    place: _Last = (_PLACE_HINT, _FR_PLACE, bool)
    match language:
        case "en":
            return (english, french), (units, sure)
        case "es" | "it" | "pt":
            return (), (romance, sure)
        case "fr":
            return (french,), (place, sure)
        case "de" | "nl":
            return (french,), (sure, germanic, inside)
    return (english, french), (romance, sure, germanic, inside)


def _english_street(value: str) -> bool:
    """A capital in the name, or few enough words that "14 elm ave" is a street."""
    words = re.findall(r"[A-Za-z][\w.'-]{0,30}", value)
    if any(
        w.lower()
        in {
            "the",
            "a",
            "of",
            "in",
            "on",
            "and",
            "to",
            "is",
            "are",
            "per",
            "more",
            "minutes",
            "days",
            "years",
            "people",
            "hours",
            "weeks",
            "months",
            "miles",
            "minute",
            "hour",
            "day",
            "year",
            "by",
            "or",
            "for",
            "at",
            "with",
            "from",
            "my",
            "your",
            "times",
            "new",
            "other",
            "between",
        }
        for w in words
    ):
        return False
    while words and words[-1].lower().rstrip(".") in {
        "n",
        "s",
        "e",
        "w",
        "north",
        "south",
        "east",
        "west",
    }:
        words.pop()
    names = words[:-1]
    if any(w[:1].isupper() for w in names):
        return True
    return len(words) == 2 and words[-1].lower().rstrip(".") in {
        "st",
        "street",
        "rd",
        "road",
        "ave",
        "avenue",
        "lane",
        "ln",
        "drive",
        "blvd",
        "court",
        "close",
        "crescent",
    }


def _romance_street(value: str) -> bool:
    """A capital in the name, or a type word that means nothing else."""
    kind, _, rest = value.partition(" ")
    named = any(w[:1].isupper() for w in re.findall(r"[^\W\d_][\w.'-]*", rest))
    return named or kind.lower().rstrip(".") in {
        "calle",
        "avenida",
        "avda",
        "rua",
        "travessa",
        "piazza",
        "viale",
        "c/",
    }


def postcodes(passage: Passage) -> Iterable[Finding]:
    """Postal codes that stand before or behind a town in an address line."""
    text = passage.text
    alone = _ALONE.get(passage.language)
    if alone:
        for match in alone.finditer(text):
            yield finding(match.span(), "ADDRESS", 0.7)
    if passage.language in {"de", "fr", "es", "it", "und"}:
        for match in _LINE_CODE.finditer(text):
            yield finding(match.span(1), "ADDRESS", 0.65)
