"""What is never a name, whatever a model says; and the words that may stand inside one."""

from __future__ import annotations

import re


def word_set(words: str) -> frozenset[str]:
    """The words of a text in their case-folded form, for tables that read like text."""
    return frozenset(words.casefold().split())


# Small words between the parts of a name. They never begin a finding alone.
PARTICLES = word_set(
    "af al av bin binti bint ben d da das de degli dei del della den der des di do dos du el "
    "el- het ibn la las le les lo los mac mc op 's 't t te ten ter v van vande vanden von "
    "vom z zu zum zur"
)
# Forms of address: kept in the text, so never part of a finding.
TITLES = word_set(
    "mr mrs ms miss mister messrs mx dr dra drs prof profa professor professora sir madam dame herr herrn "
    "frau fräulein hr fr freifrau freiherr señor señora señorita sr sra srta doña dña "
    "monsieur madame mademoiselle mme mlle maître sig sigra signor signora signorina dott "
    "dottor dottore dottssa avv senhor senhora dona seu mevrouw meneer dhr mevr mw "
    "tante tía tío oma opa mama papa abuela abuelo the hi hello dear hola hallo bonjour ciao "
    "olá cher chère liebe lieber caro cara beste querida querido estimado estimada gracias "
    "merci danke grazie thanks obrigado obrigada dank bedankt gruß grüße rechtsanwalt rechtsanwältin "
    "kollege kollegin maestra maestro encik puan freiherrin graf gräfin"
)
# Forms of address in one language that are an initial or a name in others.
LOCAL_TITLES = {"m": "fr", "mm": "fr", "d": "es", "don": "es it", "ir": "nl", "ing": "it nl"}
# Capitalised or capital words of forms and machines that taggers take for names.
NEVER = word_set(
    "json xml html csv yaml pdf url uri http https sql api sdk ok iban bic swift ssn dob vat pin "
    "puk otp imei mrn nhs npi dni nie nif cif nss cuil cuit cbu curp rfc clabe cpf cnpj rg nib "
    "niss bsn kvk plz eur usd gbp chf todo fixme null none true false string int float bool "
    "array object date name email phone address id uuid guid sha otro other autre andere altro "
    "factura invoice rechnung facture fattura fatura factuur extract classify summarize "
    "translate xxx"
)
# Months and days, of which some are names too: they need certainty.
CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june "
    "july august september october november december lunes martes miércoles jueves viernes "
    "sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre lundi mardi mercredi jeudi vendredi samedi dimanche janvier février "
    "mars avril mai juin juillet août septembre octobre novembre décembre montag dienstag "
    "mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli oktober "
    "dezember lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio aprile "
    "maggio giugno luglio settembre ottobre dicembre segunda terça quarta quinta sexta janeiro "
    "fevereiro março maio junho julho setembro outubro novembro dezembro maandag dinsdag "
    "woensdag donderdag vrijdag zaterdag zondag januari februari maart mei augustus"
)
# Words of plans, lists and documents before a number or a letter: no street, no name.
NUMBERED = word_set(
    "step steps part parts unit units page pages line lines item items row rows column columns table "
    "figure fig section chapter article clause exhibit appendix annex question task case phase "
    "stage level version release build batch group class grade lot slot gate zone bin bins shelf "
    "schritt teil seite zeile abschnitt kapitel artikel anlage paso parte página línea fila sección "
    "capítulo étape partie ligne article chapitre annexe passo pagina riga sezione capitolo linha "
    "seção stap deel regel hoofdstuk and und y et e en or oder for with"
)
# A word with its inner hyphens, apostrophes and full stops.
WORD = re.compile(r"\w+(?:['’.\-]\w+)*")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}[A-Z]")
# Angle brackets that begin a line hold whoever speaks there.
_PLACEHOLDER = re.compile(
    r"\{\{?[^{}\n]{0,60}\}?\}|(?<=[^\n])<[^<>\n]{1,40}>|\[[A-Z_ ]{2,40}\]|%\w+%"
    r"|\[(?i:(?:your|insert|enter) [\w '’-]{2,40}|(?:\w{2,20} ){0,2}name)\]"
)
# A word glued to one of these is part of an address, a path, a handle or code.
_GLUE_BEFORE = "@_\\$#%&~"
_GLUE_AFTER = "@_(=\\"


def is_word_of_name(text: str, start: int, end: int) -> bool:
    """Whether text[start:end], a word, could be part of a person's name at all."""
    word = text[start:end]
    letters = sum(map(str.isalpha, word))
    digits = sum(map(str.isdecimal, word))
    if not letters or "_" in word or digits * 2 >= letters:
        return False
    if word.casefold().rstrip(".") in NEVER or (_CAMEL.search(word) and not _scottish(word)):
        return False
    return not is_glued(text, start, end)


def _scottish(word: str) -> bool:
    """McBride, MacLeod, DeShawn, O'Neil: an inner capital after a short first part."""
    return re.fullmatch(r"(?:Mac|Mc|De|Di|Du|La|Le|Fitz|Van|O')[A-Z][a-z'’-]+", word) is not None


def is_glued(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is part of an address, a path, a handle or code."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if (before and before in _GLUE_BEFORE) or (after and after in _GLUE_AFTER):
        return True
    if re.match(r"[\"'’]\s*:|\.\w", text[end : end + 4]):  # a JSON key, or an attribute
        return True
    chained = before == "." or (before in ("/", "=") and text[start].islower())
    return chained and text[start - 2 : start - 1].isalnum()


def is_title(word: str, language: str) -> bool:
    """Whether a word is a form of address in that language."""
    plain = word.casefold().replace(".", "")
    return plain in TITLES or language in LOCAL_TITLES.get(plain, "").split()


def placeholders(text: str) -> list[tuple[int, int]]:
    """The spans of `{{name}}`, `<name>`, `[Your name]` and `%NAME%`: there nothing is a name."""
    return [match.span() for match in _PLACEHOLDER.finditer(text)]
