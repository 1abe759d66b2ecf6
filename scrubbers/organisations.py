"""What tells a company from a person: its legal form, or the key that names it."""

from __future__ import annotations

import re

from scrubbers.name_guards import word_set

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
_WORD = re.compile(r"[^\W\d_]+")


def is_organisation(text: str, start: int, end: int, label: str) -> bool:
    """Whether text[start:end], which looks like a name, is one of a company."""
    value = text[start:end]
    if _BEHIND.match(text, end) or _WITHIN.search(value):
        return True
    words = _WORD.findall(value)
    if len(words) > 1 and words[-1].casefold() in _FORM_WORDS:
        return True
    keys = _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label))
    return bool(keys) and (keys[-1].casefold() in _KEYS or "".join(keys).casefold() in _KEYS)
