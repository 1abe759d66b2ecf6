"""A JSON key above a whole value says what the value is (`dob`, `customer_phone`, `iban`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues, shapes, whole
from scrubbers.rules.common import finding, plain
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
_MAIL = frozenset(word_list("email mail correo courriel epost"))
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
def announces(label: str) -> bool:
    """Whether a label promises an identifier at all, whatever stands under it."""
    key, last = _key(label)
    named = key in _NAMES_SURE or last in _STREET or last in _PASSWORD
    typed = named or key.replace(" ", "") in _USER or bool(_BIRTH.search(key))
    return typed or last in _MAIL or cues.of_label(label) is not None


@lru_cache(maxsize=1024)
def _key(label: str) -> tuple[str, str]:
    """The words of a key in plain spelling, and the last one."""
    words = [plain(w) for w in _SPLIT.findall(_CAMEL.sub("_", label))]
    return " ".join(words), words[-1] if words else ""


def _kind(label: str, value: str) -> str | None:  # noqa: PLR0911 -- one line a family
    if cues.is_container(label):
        return None
    key, last = _key(label)
    if _BIRTH.search(key) and is_date(value):
        return "DATE_OF_BIRTH"
    if key in _NAMES_SURE or last in _NAMES_LIKELY:
        if is_name(value, sure=key in _NAMES_SURE):
            return "PERSON"
    elif last in _PASSWORD and whole.is_password(value, sure=last != "pass"):
        return "PASSWORD"
    elif key.replace(" ", "") in _USER and whole.is_login(value):
        return "USERNAME"
    elif _is_secret(key, value):
        return "SECRET"
    elif last in _STREET and whole.is_street(value):
        return "ADDRESS"
    return _by_cue(label, value)


def _is_secret(key: str, value: str) -> bool:
    odd = len(value) >= 12 and " " not in value and any(map(str.isdigit, value))
    return odd and bool(_SECRET.search(key))


def _by_cue(label: str, value: str) -> str | None:
    cue = cues.of_label(label)
    return cue.kind if cue and whole.fits(cue.kind, value) else None
