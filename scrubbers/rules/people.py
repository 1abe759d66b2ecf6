"""People by cue: titles, greetings, signatures, "my name is", form labels."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import finding, holds, lower, plain, words
from scrubbers.words import word_list

_UP = "A-ZÀ-ÖØ-ÞĀ-Ž"
_PARTICLE = (
    r"(?:de la|de las|de los|de l'|van de|van der|van den|van 't|von der|von und zu|v\. d\.|de|del|della|di|da|do|dos|das|du|des"
    r"|d'|la|le|van|von|vom|zu|zur|zum|ten|ter|bin|binti|ibn|al|el|ap|y|e|i|d\.|v\.)"
)
_CAP = rf"(?:[{_UP}][\w]{{0,24}}(?:(?!'s\b)['-][{_UP}]?[\w]{{1,24}}){{0,3}}|[{_UP}]\.(?:[ -]?[{_UP}]\.){{0,3}})"
NAME = rf"(?:(?:{_PARTICLE})[ ]?){{0,2}}{_CAP}(?: (?:(?:{_PARTICLE})[ ]?){{0,2}}{_CAP}){{0,4}}"
_SURNAME_FIRST = rf"{_CAP}(?: {_CAP}){{0,2}}, {_CAP}(?: {_CAP}){{0,2}}"

_TITLE = re.compile(
    r"(?<![\w.])(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Mister|Sra?|Srta|D\.ª|Dña|Do[nñ]a|Don|doña|don|señora?|señorita|Señora?"
    r"|M|MM|Mme|Mlle|Maître|Monsieur|Madame|Mademoiselle|monsieur|madame|docteur|Docteur"
    r"|Herrn?|Frau|Fräulein|Sig|Sig\.ra|Sig\.na|Signora?|signora?|Dott|Dott\.ssa|Avv|Dottor|Dottoressa"
    r"|Senhora?|senhora?|Dona|dona|Dom|Dra|dra|Exmo|meneer|mevrouw|Meneer|Mevrouw|mw|Mw|dhr|Dhr|heer|juffrouw|Encik|Puan|Cik|Tuan)"
    r"\.?(?:a|ª)?[ \n](?:(?:Kollegin|Kollege|Dr|Prof|Mag|med|Dipl|Ing|Ir|Drs|Mr|Avv|Dña|Sr|Sra|D)\.?[ªa]? ){0,3}"
    rf"({NAME})"
)
# The words of titles; each may have an "a" or "ª" behind it.
_TITLE_WORDS = frozenset(
    title + ending
    for title in word_list("""mr mrs ms miss mx dr prof sir mister sr sra srta d dña doña dona don señor señora señorita
    m mm mme mlle maître monsieur madame mademoiselle docteur herr herrn frau fräulein sig signor signora dott avv dottor
    dottoressa senhor senhora dom dra exmo meneer mevrouw mw dhr heer juffrouw encik puan cik tuan""")
    for ending in ("", "a", "ª")
)
_GREETING = re.compile(
    r"(?:^|[\n\"'«“>:.!]\s{0,2})(?:(?:Dear|Hi|Hello|Hey|Hiya|Good (?:morning|afternoon|evening)|Morning"
    r"|Hola|Estimad[oa]s?|Querid[oa]|Buen[oa]s (?:d[ií]as|tardes|noches)|Bonjour|Bonsoir|Salut|Ch(?:er|ère)"
    r"|Hallo|Liebe[r]?|Guten (?:Tag|Morgen|Abend)|Servus|Moin|Sehr geehrter?|Ciao|Gentile|Car[oa]|Buongiorno|Buonasera|Salve"
    r"|Olá|Oi|Bom dia|Boa (?:tarde|noite)|Prezad[oa]|Beste|Geachte|Dag|Lieve|Goedemorgen|Goedemiddag|Hoi"
    r"|Thanks|Thank you|Gracias|Merci|Danke|Grazie|Obrigad[oa]|Bedankt|Dank u|Perfecto|Listo|Perfect|Sorry),? )"
    rf"({_CAP}(?: (?:(?:{_PARTICLE})[ ]?){{0,2}}{_CAP}){{0,2}})(?=\s*(?:[,!.?:;\n\"'»”]|$|-\s))"
)
# The first words of those greetings.
_GREETING_WORDS = frozenset(
    word_list("""dear hi hello hey hiya good morning hola estimado estimada querido querida buenos buenas bueno buena
    bonjour bonsoir salut cher chère hallo liebe lieber guten servus moin sehr ciao gentile caro cara buongiorno
    buonasera salve olá oi bom boa prezado prezada beste geachte dag lieve goedemorgen goedemiddag hoi thanks thank
    gracias merci danke grazie obrigado obrigada bedankt dank perfecto listo perfect sorry""")
)
_CLOSING = re.compile(
    r"(?:^|\n)[ \t>]{0,4}(?:(?:with )?(?:best|kind|warm|many)(?: regards| wishes)?|regards|sincerely|yours(?: sincerely| faithfully| truly)?|cheers"
    r"|thanks(?: again)?|thank you|love|atentamente|(?:un )?(?:cordial )?saludos?(?: cordiales?)?|cordialement|bien (?:à vous|cordialement)|sincères salutations"
    r"|cordiali saluti|distinti saluti|saluti|un saluto|mit (?:freundlichen|besten|lieben|freundlichem) gr(?:ü|ue)(?:ß|ss)(?:en)?|viele gr(?:ü|ue)(?:ß|ss)e"
    r"|beste gr(?:ü|ue)(?:ß|ss)e|liebe gr(?:ü|ue)(?:ß|ss)e|gr(?:u|ü|ue)(?:ß|ss)e?|lg|vg|mfg|met vriendelijke groet(?:en)?|(?:hartelijke )?groet(?:en|jes)?|mvg"
    r"|atenciosamente|com os melhores cumprimentos|(?:melhores )?cumprimentos|abraços?|um abraço|abrazos?|un abrazo)[,.!]?"
    rf"(?:\s*\n\s*|, |\s-\s)(?P<name>(?-i:{NAME}))(?=\s*(?:[,\n|]|-|$))",
    re.IGNORECASE,
)
_I_AM = re.compile(
    r"(?<![^\W\d_])(?:my (?:full )?name(?:'s| is)|(?:the )?name(?:'s| is)|call me|me llamo|mi nombre es|je m'appelle|mon nom est|moi c'est"
    r"|ich hei(?:ß|ss)e|mein name ist|mi chiamo|il mio nome è|chamo-me|me chamo|(?:o )?meu nome é|mijn naam is|ik heet|mein name:|speaking with"
    r"|(?:se llama|s'appelle|si chiama|chama-se|se chama|is called|named))[ ]{1,2}"
    rf"(?:(?P<name>(?-i:{NAME}))|(?P<low>[^\W\d_]{{2,20}}(?: [^\W\d_]{{2,20}}){{0,2}}))",
    re.IGNORECASE,
)
_I_AM_HINTS = (
    "name's", "name is", "call me", "me llamo", "mi nombre es", "m'appelle", "mon nom est", "moi c'est", "ich hei",
    "mein name", "mi chiamo", "mio nome", "chamo-me", "me chamo", "meu nome", "mijn naam", "ik heet", "speaking with",
    "se llama", "s'appelle", "si chiama", "chama-se", "se chama", "is called", "named",
)  # fmt: skip
_WEAK_HINTS = (
    "his is ", "I am ", "I'm ", "Soy ", "soy ", "e suis ", "ch bin ", "Sono ", "sono ", "Sou ", "sou ", "k ben ",
    "ier is", "quí ", "Qui ", "qui ",
)  # fmt: skip
_WEAK_I_AM = re.compile(
    r"(?<![^\W\d_])(?:[Tt]his is|I am|I'm|[Ss]oy|[Jj]e suis|[Ii]ch bin|[Ss]ono|[Ss]ou|[Ii]k ben|[Hh]ier (?:ist|is)|[Aa]quí|[Qq]ui)"
    rf" (?:l[ae] )?({_CAP} (?:(?:{_PARTICLE})[ ]?){{0,2}}{_CAP}(?: {_CAP})?)(?!\w)"
)
_LABELS = (
    r"(?:full |first |last |middle |given |family |customer |client |patient |contact |account |holder |employee |cardholder |user |recipient |sender )?name"
    r"|surname|customer|client|patient(?:e|in)?|card ?holder|account holder|policy ?holder|holder|contact|attn|bill to|ship to|employee|applicant|tenant"
    r"|landlord|driver|insured|emergency contact|guardian|signed|signature|attending|beneficiary|witness"
    r"|nombre(?: completo| y apellidos?)?|apellidos?|titular|cliente|paciente|alumn[oa]|asegurad[oa]|contacto|padre|madre|tutor|padre o tutor|firmado|beneficiari[oa]|conductor"
    r"|nom(?: de (?:famille|naissance)| d'usage| complet)?|prénoms?|titulaire|assurée?|bénéficiaire|locataire|signataire|conducteur"
    r"|kundin|kunde|vorname|nachname|familienname|inhaber(?:in)?|kontoinhaber(?:in)?|ansprechpartner(?:in)?|patientin|mieter(?:in)?|empfänger(?:in)?|versicherte[r]?|inh\.|bearbeiter(?:in)?|fahrer(?:in)?"
    r"|nome(?: completo| e cognome)?|cognome|intestatari[oa]|paziente|assicurat[oa]|referente|conducente|destinatari[oa]"
    r"|apelido|sobrenome|titular|segurad[oa]|responsável|inquilin[oa]|fiador"
    r"|naam|voornaam|achternaam|klant|patiënt|verzekerde|huurder|contactpersoon|bestuurder|ontvanger|t\.a\.v\.|aan"
    r"|from|to|cc|de|à|para|von|an|da|a|van|aan|imię|nazwisko|nimi|namn"
)
_LABEL = re.compile(
    rf"(?:^|[\n|;{{(\[,]|\\n|  )[\s\"'*>•\\-]{{0,6}}(?:{_LABELS})[\"'*\\ ]{{0,4}}[:|=][\"'*\\ ]{{0,5}}"
    rf"(?-i:({_SURNAME_FIRST}|{NAME}))(?=\s*(?:[\n,;.|\"'\\*(<\[)}}-]|$|\s{{2}}))",
    re.IGNORECASE,
)
_BARE_KEY = re.compile(r"[\"']name\\?[\"']\s*:", re.IGNORECASE)
_COMPANY = re.compile(
    r"\b(?:gmbh|ag|kg|ltd|limited|inc|llc|llp|plc|corp|s\.?a\.?(?:s|rl)?|s\.?l\.?u?|s\.?r\.?l|s\.?p\.?a|b\.?v|n\.?v|lda|ltda|snc|co|company|group|bank|team"
    r"|v\.o\.f|university|hospital|department|office|service|support|school)\.?$",
    re.IGNORECASE,
)
# Capitalised words that greetings, labels and titles are followed by without being names.
NOT_NAMES = frozenset(
    word_list("""team all sir madam there everyone everybody customer world support folks friend friends again guys both you
    god goodness hello hi please thanks thank dear the this that here how what when where who why yes no not and or if
    for your my our his her i it we they he she in on at so much very well done ok okay today tomorrow
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october
    november december english spanish french german italian american british chinese indian
    name customer client user assistant system human agent data value none unknown number address phone email date order
    seguro gracias claro buenos buenas hola perfecto listo señor señora senor senora usted cliente nombre equipo
    merci bonjour madame monsieur mesdames messieurs client cher chere equipe vous votre tous oui non
    danke hallo herr frau herren damen kunde team kollegen kolleginnen ihr ihre ihren sie wir bitte ja nein alle zusammen
    grazie ciao signore signora signori cliente tutti prego si lei voi
    obrigado obrigada ola senhor senhora cliente voce todos sim nao
    bedankt hallo meneer mevrouw klant iedereen u uw ja nee collega collegas
    juiz juiza direito ministro ministra relator relatora presidente juez jueza ministre president advogado
    mr mrs ms miss dr prof sr sra srta mme mlle sig dott kollege kollegin boss xxx kennwort passwort
    lady lord king queen president minister chancellor judge excellency holmes""")
)  # fmt: skip


def titled(passage: Passage) -> Iterable[Finding]:
    """Names behind a title, without the title."""
    if words(passage.text).isdisjoint(_TITLE_WORDS):
        return
    for match in _TITLE.finditer(passage.text):
        if span := _name_span(passage.text, *match.span(1)):
            yield finding(span, "PERSON", 0.85)


def greeted(passage: Passage) -> Iterable[Finding]:
    """Names in greetings and thanks, and under closing formulas."""
    text = passage.text
    greeted_at_all = not words(text).isdisjoint(_GREETING_WORDS)
    for match in _GREETING.finditer(text) if greeted_at_all else ():
        if span := _name_span(text, *match.span(1)):
            yield finding(span, "PERSON", 0.75)
    if "\n" in text or "," in text:
        for match in _CLOSING.finditer(text):
            if span := _name_span(text, *match.span("name")):
                yield finding(span, "PERSON", 0.75)


def introduced(passage: Passage) -> Iterable[Finding]:
    """Names in "my name is ..." and its like; in lower case too where nothing else can follow."""
    text = passage.text
    if holds(lower(text), _I_AM_HINTS):
        for match in _I_AM.finditer(text):
            if match.group("name"):
                if span := _name_span(text, *match.span("name")):
                    yield finding(span, "PERSON", 0.85)
            elif "my name" in match.group().lower() or "llamo" in match.group().lower():
                span = _lower_name(match.group("low"), match.start("low"))
                if span:
                    yield finding(span, "PERSON", 0.7)
    if holds(text, _WEAK_HINTS):
        for match in _WEAK_I_AM.finditer(text):
            if span := _name_span(text, *match.span(1)):
                yield finding(span, "PERSON", 0.65)


def labelled_lines(passage: Passage) -> Iterable[Finding]:
    """Names behind a form label or mail header ("Patient: ...", "From: ...")."""
    text = passage.text
    if ":" not in text and "|" not in text:
        return
    for match in _LABEL.finditer(text):
        if _BARE_KEY.search(text, match.start(), match.start(1)):
            continue  # {"name": "Fish Soup"} says nothing of people
        value = match.group(1)
        follows = text[match.end(1) : match.end(1) + 2].lstrip()[:1]
        sure = (
            " " in value
            or "," in value
            or follows in {"<", "[", '"', "|"}
            or match.end(1) == len(text)
        )
        if (sure or "\n" in text[match.end(1) : match.end(1) + 3]) and (
            span := _name_span(text, *match.span(1))
        ):
            yield finding(span, "PERSON", 0.75)


def is_name(text: str, *, sure: bool) -> bool:
    """Whether a whole leaf can be a person's name; `sure` labels take single words and lower case."""
    value = text.strip()
    if (
        not 2 <= len(value) <= 60
        or any(c.isdigit() or c in "_@/{}<>[]=;:" for c in value)
        or _COMPANY.search(value)
    ):
        return False
    parts = value.replace(",", " ").split()
    if len(parts) > 6 or plain(value) in NOT_NAMES:
        return False
    return sure or (len(parts) >= 2 and bool(re.fullmatch(rf"{_SURNAME_FIRST}|{NAME}", value)))


def _lower_name(value: str, start: int) -> tuple[int, int] | None:
    """One or two lower-case words after "my name is" as far as they can be a name."""
    kept: list[str] = []
    for word in value.split(" ")[:2]:
        if plain(word) in NOT_NAMES or plain(word) in _STOPS:
            break
        kept.append(word)
    length = len(" ".join(kept))
    return (start, start + length) if length >= 3 else None


_STOPS = frozenset(
    word_list(
        "a an the not on is was from with by but spelled spelt y e et und de en con mi my like also because"
    )
)


def _name_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without non-names at its edges; None when nothing is left or it is a company."""
    value = text[start:end]
    if _COMPANY.search(value) or _COMPANY.match(text[end : end + 12].strip(" .,&")):
        return None
    while value:
        first, _, rest = value.partition(" ")
        if plain(first).strip(".,'") not in NOT_NAMES:
            break
        start, value = start + len(value) - len(rest), rest
    while value:
        rest, _, last = value.rpartition(" ")
        if plain(last).strip(".,'") not in NOT_NAMES:
            break
        value = rest
    letters = sum(map(str.isalpha, value))
    return (start, start + len(value)) if letters >= 2 else None
