"""What tells a company or a place from a person: a legal form, or the key above the value."""

from __future__ import annotations

import re

from scrubbers.name_guards import PARTICLES, word_set

# Legal forms as companies write them; short ones only in this very spelling.
_FORMS = (
    r"GmbH|AG|KG|OHG|UG|SE|eG|e\.?V\.?|mbH|Ltd\.?|LLC|LLP|PLC|plc|Inc\.?|Corp\.?|Co\.?|S\.?A\.?U?|S\.?L\.?U?"
    r"|S\.?A\.?R\.?L\.?|SARL|S\.?A\.?S\.?U?|EURL|SCI|S\.?p\.?A\.?|S\.?r\.?l\.?|S\.?n\.?c\.?|B\.?V\.?|N\.?V\.?|VOF"
    r"|AB|A/S|ApS|AS|ASA|Oy|Oyj|Lda\.?|Ltda\.?|S\.?C\.?P\.?|d\.o\.o\.|s\.r\.o\.|a\.s\.|Sp\. z o\.o\.|Kft\.?|Pty"
)
_BEHIND = re.compile(rf"[ \t\u00a0,&]{{0,3}}(?:und |and |y |et |e |& )?(?:{_FORMS})(?![\w])")
_WITHIN = re.compile(rf"(?<![\w])(?:{_FORMS})$")
_FORM_WORDS = word_set(
    "bank group holding holdings consulting logistics systems software solutions services "
    "partners associates söhne sohn fils hijos hermanos figli zonen brothers bros cie company "
    "gesellschaft verlag stiftung foundation university universität hospital clinic klinik"
)
_KEYS = word_set(
    "supplier vendor company companyname organisation organization org employer firm merchant "
    "brand manufacturer product shop store carrier insurer institution agency proveedor empresa "
    "comercio fournisseur société societe entreprise lieferant firma unternehmen hersteller "
    "fornitore azienda società ditta fornecedor loja leverancier bedrijf winkel bank banco "
    "banque banca"
)
_PLACE_KEYS = word_set(
    "city town village municipality county district borough suburb neighbourhood neighborhood "
    "locality location place state province region country birthplace hometown "
    "ciudad localidad municipio población poblacion pueblo barrio provincia región estado país pais "
    "ville commune localité localite département departement région pays quartier "
    "stadt ort wohnort geburtsort ortsteil stadtteil gemeinde landkreis bezirk bundesland land "
    "kanton città citta comune località localita regione paese stato frazione "
    "cidade município localidade bairro província distrito concelho freguesia "
    "plaats woonplaats geboorteplaats stad gemeente provincie regio"
)
# Behind a key's telling word: `city_name`.
_NAME_KEYS = word_set("name nombre nom nome naam")
_MOST_PLACE_WORDS = 6
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]+")


def is_organisation(text: str, start: int, end: int, label: str) -> bool:
    """Whether text[start:end], which looks like a name, is one of a company."""
    value = text[start:end]
    if _BEHIND.match(text, end) or _WITHIN.search(value):
        return True
    words = _WORD.findall(value)
    if len(words) > 1 and words[-1].casefold() in _FORM_WORDS:
        return True
    keys = _key_words(label)
    return bool(keys) and (keys[-1] in _KEYS or "".join(keys) in _KEYS)


def is_place(text: str, start: int, end: int, label: str) -> bool:
    """Whether text[start:end], which looks like a name, is a place because its key says so.

    Only in a value that holds nothing but names: {"state": "waiting for Ana"} is no place, and a
    value in lower case has to be the name alone.
    """
    keys = _key_words(label)
    if len(keys) > 1 and keys[-1] in _NAME_KEYS:
        keys.pop()
    if not keys or keys[-1] not in _PLACE_KEYS:
        return False
    words = _WORD.findall(text)
    outside = _WORD.findall(f"{text[:start]} {text[end:]}")
    return len(words) <= _MOST_PLACE_WORDS and all(
        word[0].isupper() or word.casefold() in PARTICLES for word in outside
    )


def _key_words(label: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", label))]
