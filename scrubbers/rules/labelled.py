"""A JSON key above a whole value says what the value is (`dob`, `customer_phone`, `iban`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues, shapes
from scrubbers.rules.common import compact, digits, finding, plain
from scrubbers.rules.contact import is_phone
from scrubbers.rules.dates import is_date
from scrubbers.rules.people import is_name
from scrubbers.words import phrases, word_list

_LONGEST = 120
_SPLIT = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAMES_SURE = phrases(
    """first, last, firstname, lastname, fullname, first name, last name, full name, given name,
    family name, middle name, surname, forename, customer name, client name, patient name,
    cardholder, card holder, cardholder name, holder name, account holder, contact name,
    employee name, recipient name, sender name, user full name, maiden name, nickname,
    display name, contact person, nombre, nombres, apellido, apellidos, nombre completo,
    titular, alumno, paciente, asegurado, prenom, prenoms, nom, nom complet, nom de famille,
    titulaire, beneficiaire, vorname, nachname, familienname, inhaber, kontoinhaber,
    ansprechpartner, nome, cognome, nome completo, intestatario, paziente, cessionario,
    sobrenome, apelido, voornaam, achternaam, naam, voorletters"""
)
_NAMES_LIKELY = frozenset(
    word_list("""customer client patient holder contact kunde klant cliente owner author employee applicant driver beneficiary
    recipient sender contacto destinataire empfanger destinatario insured tenant from to by user person passenger guest
    meccanico student teacher doctor manager agent witness spouse""")
)
_BIRTH = re.compile(
    r"\b(?:dob|birth|birthday|birthdate|date of birth|born|nacimiento|fecha nac|naissance|date naissance|geboren|geburtsdatum|geburtstag"
    r"|nascita|data nascita|nascimento|geboortedatum|gebdat|bday)\b"
)
_STREET = frozenset(
    word_list("""street address street address1 address line addr via direccion domicilio calle rue adresse strasse straße anschrift indirizzo
    endereco morada straat adres""")
)
_PASSWORD = frozenset(
    word_list(
        "password passwd pwd pass contrasena mdp passwort kennwort wachtwoord senha passphrase"
    )
)
_USER = frozenset(
    word_list(
        "username login userid user_name benutzername usuario utilisateur utente gebruikersnaam nickname handle screen_name"
    )
)
_LOGIN = re.compile(r"@?[\w.@\\-]{3,40}")
_SECRET = re.compile(r"(?:secret|api key|apikey|access key|private key|token)$")


def whole_values(passage: Passage) -> Iterable[Finding]:
    """At most one finding: the whole leaf, typed by its key."""
    text = passage.text
    value = text.strip()
    if not passage.label or not value or len(value) > _LONGEST or shapes.is_placeholder(value):
        return
    kind = _kind(passage.label, value)
    if kind:
        start = len(text) - len(text.lstrip())
        yield finding((start, start + len(value)), kind, 0.9)


@lru_cache(maxsize=1024)
def _key(label: str) -> tuple[str, str]:
    """The words of a key in plain spelling, and the last one."""
    words = [plain(w) for w in _SPLIT.findall(_CAMEL.sub("_", label))]
    return " ".join(words), words[-1] if words else ""


def _kind(label: str, value: str) -> str | None:  # noqa: PLR0911 -- one line a family
    key, last = _key(label)
    if _BIRTH.search(key) and is_date(value):
        return "DATE_OF_BIRTH"
    if key in _NAMES_SURE or last in _NAMES_LIKELY:
        if is_name(value, sure=key in _NAMES_SURE):
            return "PERSON"
    elif last in _PASSWORD and len(value) >= 3 and " " not in value:
        return "PASSWORD"
    elif key.replace(" ", "") in _USER and _LOGIN.fullmatch(value):
        return "USERNAME"
    elif _is_secret(key, value):
        return "SECRET"
    elif last in _STREET and _mixed(value) and "@" not in value:
        return "ADDRESS"
    return _by_cue(label, value)


def _is_secret(key: str, value: str) -> bool:
    odd = len(value) >= 12 and " " not in value and any(map(str.isdigit, value))
    return odd and bool(_SECRET.search(key))


def _mixed(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _by_cue(label: str, value: str) -> str | None:
    cue = cues.of_label(label)
    if cue is None or not _fits(cue.kind, value):
        return None
    return cue.kind


def _fits(kind: str, value: str) -> bool:
    """Whether a whole value has the form that its label promises."""
    number, packed = digits(value), compact(value)
    match kind:
        case "PHONE_NUMBER":
            fits = is_phone(value)
        case "CREDIT_CARD":
            fits = 4 <= len(number) <= 19 and len(packed) - len(number) <= 4
        case "PASSWORD" | "SECRET":
            fits = 3 <= len(number) <= 10 and len(packed) == len(number)
        case "IBAN_CODE":
            fits = len(packed) >= 12 and len(number) >= 8
        case _:
            fits = _WHOLE.get(kind, shapes.number_end)(value, 0) == len(value)
    return fits


_WHOLE: dict[str, Callable[[str, int], int | None]] = {
    "ADDRESS": shapes.postcode_end,
    "LICENCE_PLATE": shapes.plate_end,
    "OTHER_ID": shapes.code_end,
}
