"""How streets are written: the expressions and word tables that `address` reads with."""

from __future__ import annotations

import re

from scrubbers.words import word_list

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
EN = re.compile(
    rf"(?<![\w.,:/-])\d{{1,6}}[A-Za-z]?(?:[-/]\d{{1,4}})?,?\s+(?:(?:[NSEW]|North|South|East|West)\.?\s+)?"
    rf"(?:[A-Za-z][\w.'-]{{1,24}}\s+){{1,4}}?(?:{_EN_TYPES})\b\.?(?!\s+(?:of|to)\b)"
    rf"(?:\s(?:[NSEW]|NE|NW|SE|SW|North|South|East|West)\b\.?)?"
    rf"(?:,?\s*(?:apt|apartment|unit|suite|ste|flat|trlr|lot|floor|fl|bldg|building|room|#)\.?\s*#?\s?\w{{1,6}})?",
    re.IGNORECASE,
)
EN_UNIT = re.compile(
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
ROMANCE = re.compile(
    rf"(?<![\w.])(?:{_ROMANCE_TYPES})\s?(?<=[\s/.]){_NAME}{_NO}{_HOUSE}(?!\d)(?:-\d{{1,4}})?{_TAIL}",
    re.IGNORECASE,
)
_FR_TYPES = (
    r"rue|avenue|av\.|boulevard|bd|bld|place|pl\.|quai|chemin|impasse|allées?|cours|route|square|passage|ruelle|faubourg|fbg|sentier"
    r"|esplanade|promenade|voie|cité|résidence|lotissement|hameau|clos|rond-point"
)
FR = re.compile(
    rf"(?<![\w.,/-])\d{{1,4}}(?:\s?(?:bis|ter|quater|[A-D])\b)?,?\s+(?:{_FR_TYPES})\s{_NAME}",
    re.IGNORECASE,
)
FR_PLACE = re.compile(rf"(?<!\w)lieu-dit\s(?:les?|la)?\s?{_NAME}", re.IGNORECASE)
_STRONG_END = r"(?:stra(?:ß|ss)e|str\.?|gasse|straat|laan|weg|plein|gracht|kade|allee|platz|singel|dijk|damm|steig)"
_WEAK_END = r"(?:ring|ufer|hof|graben|markt|chaussee|wall|stieg|pfad|promenade|zeile|garten|pad|steeg|dreef|plantsoen|baan)"
_NUMBER = (
    r"\s{1,2}(?:Nr\.?\s)?(?!(?:19|20)\d\d\b)\d{1,4}(?!\d|\.\d|,\d|\s?(?:Uhr|%|€|Euro|EUR|km|Tage|Jahre|Minuten|uur|euro|dagen))"
    r"(?:\s?[a-zA-Z]\b|-\d{1,3})?(?:\s?(?:bis|hs|bus)\b(?:\s?\d{1,4})?)?(?:/(?:Top\s?)?\w{1,4})?"
)
_STEM = rf"(?<![\w])(?:[{_UP}][\w.'-]{{0,30}}\s){{0,2}}(?:v\.\s?d\.\s)?[{_UP}][\w.-]{{0,30}}?"
GERMANIC_SURE = re.compile(rf"{_STEM}(?i:{_STRONG_END})(?:-[{_UP}]\w+)?{_NUMBER}")
GERMANIC = re.compile(
    rf"(?:{_STEM}(?i:{_WEAK_END})(?:-[{_UP}]\w+)?|(?<!\w)(?:[{_UP}][\w-]{{1,24}}\s)?(?:Straße|Strasse|Allee|Platz|Weg|Gasse|Ring)"
    rf"|(?<!\w)(?:Am|An der|An den|Zum|Zur|Auf der|Auf dem|Hinterm|Hinter der|Unter den|Vor dem|'[Tt]|Op de)\s[{_UP}][\w-]+)"
    rf"{_NUMBER}"
)
# "Im Wiesengrund 5", but not "Im Fall 21 der ...": what follows has to end the line.
GERMANIC_IN = re.compile(
    rf"(?<!\w)(?:Im|In der|In den|Het)\s[{_UP}][\w-]+{_NUMBER}(?=\s*(?:[,\n|;·)]|$|(?:in )?\d{{4,5}}\s))"
)
EN_BARE = re.compile(
    rf"(?:(?<=\bon )|(?<=\bat )|(?<=\bin )|(?<=\bto )|(?<=near )|(?<=from )|(?<=along )|(?<=, ))"
    rf"(?!Wall|Main|High|Silk|Sesame|Downing|Fleet|Abbey|This|That|The)"
    rf"[{_UP}][a-z]{{2,20}}(?: [{_UP}][a-z]{{2,20}})? (?:Street|Road|Lane|Avenue|Crescent|Close|Drive|St|Ave|Rd)\b(?! [{_UP}])"
)
EN_WORDS = tuple(
    f" {word}" for word in word_list("Street Road Lane Avenue Crescent Close Drive St Ave Rd")
)
ROMANCE_HINT = re.compile(rf"(?<![\w.])(?:{_ROMANCE_TYPES})[\s.]|c/", re.IGNORECASE)
_AT_NUMBER = rf"(?:-[{_UP}]\w+)?\s{{1,2}}(?:Nr\.?\s)?$"
SURE_HINT = re.compile(rf"(?i:{_STRONG_END}){_AT_NUMBER}")
GERMANIC_HINT = re.compile(
    rf"(?:(?i:{_WEAK_END})|(?:Straße|Strasse|Allee|Platz|Weg|Gasse|Ring)"
    rf"|(?<!\w)(?:Am|An|Zum|Zur|Im|In|Auf|Hinterm|Hinter|Unter|Vor|'[Tt]|Het|Op)(?: de[rmn]?)?\s[{_UP}][\w-]+){_AT_NUMBER}"
)
UNIT_HINT = re.compile(r"\b(?:villa|way|flat|plot|house|box)\b", re.IGNORECASE)
PLACE_HINT = re.compile(r"lieu-dit", re.IGNORECASE)
UNIT_BEFORE = re.compile(
    r"(?<!\w)(?:flat|apt|apartment|unit|suite|room|rr|po box)\.?\s?#?\w{1,6},\s*$", re.IGNORECASE
)
CODE_AFTER = re.compile(
    r"[\s,.·|(-]{1,6}(?:(?:C\.?P\.?|CAP|PLZ|D|A|CH|F|B|NL|I|E)[ .:-]{0,2})?"
    r"(?:[A-ZÀ-Þ][\w.'-]+(?:[ -](?:[A-ZÀ-Þ][\w.'-]+|de|la|di|da|am|an|der)){0,4}[\s,(]{1,3}(?:[A-Z]{2}[,)]?\s)?)?"
    r"([A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}(?![A-Za-z])|\d{4}-\d{3}|\d{5}-\d{3,4}|\d{4,6})(?![\w]|[.,/-]\d)"
)
ALONE: dict[str, re.Pattern[str]] = {
    "en": re.compile(
        r"(?<![\w-])(?:[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}|[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d)(?![\w-])"
        r"|(?<=, [A-Z]{2} )\d{5}(?:-\d{4})?(?![\w-])|(?<=, [A-Z]{2}, )\d{5}(?:-\d{4})?(?![\w-])"
    ),
    "nl": re.compile(r"(?<![\w-])[1-9]\d{3} ?[A-Z]{2}(?= {1,2}[A-Z'])(?![\w-])"),
    "pt": re.compile(r"(?<![\w-])\d{4}-\d{3}(?= [A-ZÀ-Þ])|(?<![\w-])\d{5}-\d{3}(?![\w-])"),
}
LINE_CODE = re.compile(
    rf"(?:^|[\n|·,])[ \t]{{0,12}}(?:(?:D|A|CH|F)-)?(\d{{5}}) (?=[{_UP}][\w'/-]+(?:[ -][{_UP}(][\w'./)-]*){{0,3}}\s*(?:$|[\n|·,.)(]))"
)

# Without one of these words no street of that form is in a text.
EN_TYPES = frozenset(
    word_list("estate " + _EN_TYPES.replace("|", " ").replace("estates?", "estates"))
)
FR_TYPES = frozenset(
    word_list("""rue avenue av boulevard bd bld place pl quai chemin impasse allée allées cours route square passage ruelle
    faubourg fbg sentier esplanade promenade voie cité résidence lotissement hameau clos rond""")
)
UNIT_TYPES = frozenset(word_list("villa way flat plot house box"))
PLACE_TYPES = frozenset({"lieu"})
# How a word ends that names a street by itself, in lower case.
STRONG_ENDS = tuple(
    word_list(
        """straße strasse str str. gasse straat laan weg plein gracht kade allee platz singel dijk damm steig"""
    )
)
# Words between a number and "Street" that make it no address: "5 minutes from the road".
EN_NEVER = frozenset(
    word_list("""the a of in on and to is are per more minutes days years people hours weeks months miles minute hour
    day year by or for at with from my your times new other between""")
)
EN_DIRECTIONS = frozenset(word_list("n s e w north south east west"))
EN_PLAIN = frozenset(
    word_list("st street rd road ave avenue lane ln drive blvd court close crescent")
)
ROMANCE_PLAIN = frozenset(word_list("calle avenida avda rua travessa piazza viale c/"))
