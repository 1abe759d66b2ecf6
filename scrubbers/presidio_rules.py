"""Presidio's own recognisers, in one registry for all languages, with a light NLP engine.

The recognisers are patterns and checksums that hold in any language, and so does a number's
cue: a German contract says IBAN, an English mail quotes a "Steuernummer". Therefore there is
one registry under one language code, with each recogniser's cue words from all languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from scrubbers.finding import Finding
from scrubbers.heavy import load_presidio, load_spacy
from scrubbers.passage import Passage
from scrubbers.windows import windows

DETECTOR = "presidio"
LANGUAGE = "xx"
# Presidio gives up a pattern after 60 s and goes on without it, and some of its patterns are
# quadratic; in a window of this many characters none takes more than milliseconds.
WINDOW, OVERLAP = 4_000, 300
# A validated form without a cue, or a cued one.
MIN_SCORE = 0.5
# No recogniser below finds anything in a text without one of these.
_CANDIDATE = re.compile(r"\d|@|://")
_LABEL_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Row:
    """One recogniser: Presidio's class, our type and country, its cues in lower case.

    `alone`: its form and checksum are strong enough without a cue. All others need one, also
    when a checksum holds: one in eleven numbers passes a check digit.
    """

    recogniser: str
    type: str
    country: str | None
    cues: str
    alone: bool = False


_TAX = "tax taxid tin steuer steuernummer steuernr steuerid idnr finanzamt nif fiscal fiscale"
_TRAVEL = "passport passports reisepass pass pasaporte passeport passaporto passaporte paspoort"
_CARD = "card carta tarjeta carte karte kreditkarte kaart cartão visa mastercard amex cc pan"
_BANK = (
    "account acct acc konto kontonummer kontonr cuenta compte conto conta rekening rekeningnummer"
)
_ID = "id identity identità identidad identité identidade ausweis personalausweis documento dni"
_HEALTH = "versichertennummer krankenversicherungsnummer krankenkasse kvnr gesundheitskarte"

# Left out, with reasons: US driver licence (any capitals with a digit), dates (not acted on;
# dates of birth are our own rule's), phone numbers (our rule calls the same library once, with
# more countries), MAC addresses and UUIDs (no person's), postcodes and licence plates (ours ask
# for a cue as well), NRP and everything that comes from a model (named by the name detectors),
# registers of companies, countries whose language no name detector here speaks, and all that
# call a service.
ROWS: tuple[Row, ...] = (
    Row("EmailRecognizer", "EMAIL_ADDRESS", None, "email mail", alone=True),
    Row("IbanRecognizer", "IBAN_CODE", None, "iban", alone=True),
    Row("CryptoRecognizer", "SECRET", None, "wallet bitcoin btc", alone=True),
    Row("CreditCardRecognizer", "CREDIT_CARD", None, _CARD),
    Row("IpRecognizer", "IP_ADDRESS", None, "ip ipv4 ipv6 address host server client from"),
    Row("UrlRecognizer", "URL", None, "url", alone=True),
    Row("UsSsnRecognizer", "NATIONAL_ID", "US", "ssn social security ssns", alone=True),
    Row("UsItinRecognizer", "NATIONAL_ID", "US", f"itin individual taxpayer {_TAX}"),
    Row("UsBankRecognizer", "BANK_ACCOUNT", "US", _BANK),
    Row("AbaRoutingRecognizer", "BANK_ACCOUNT", "US", "aba routing rtn"),
    Row("UsPassportRecognizer", "PASSPORT", "US", _TRAVEL),
    Row("MedicalLicenseRecognizer", "MEDICAL_ID", "US", "dea medical prescriber"),
    Row("UsMbiRecognizer", "MEDICAL_ID", "US", "medicare mbi beneficiary medicaid"),
    Row("NhsRecognizer", "MEDICAL_ID", "GB", "nhs"),
    Row("UkNinoRecognizer", "NATIONAL_ID", "GB", "ni nino insurance", alone=True),
    Row("UkPassportRecognizer", "PASSPORT", "GB", _TRAVEL),
    Row("UkDrivingLicenceRecognizer", "OTHER_ID", "GB", "licence license dvla driving"),
    Row("EsNifRecognizer", "NATIONAL_ID", "ES", f"nif {_ID}", alone=True),
    Row("EsNieRecognizer", "NATIONAL_ID", "ES", "nie", alone=True),
    Row("EsPassportRecognizer", "PASSPORT", "ES", _TRAVEL),
    Row("ItFiscalCodeRecognizer", "NATIONAL_ID", "IT", "codice fiscale cf", alone=True),
    Row("ItVatCodeRecognizer", "OTHER_ID", "IT", "piva iva partita"),
    Row("ItIdentityCardRecognizer", "NATIONAL_ID", "IT", "carta identità cie"),
    Row("ItPassportRecognizer", "PASSPORT", "IT", _TRAVEL),
    Row("ItDriverLicenseRecognizer", "OTHER_ID", "IT", "patente"),
    Row("PlPeselRecognizer", "NATIONAL_ID", "PL", "pesel"),
    Row("DeTaxIdRecognizer", "NATIONAL_ID", "DE", _TAX),
    Row("DeTaxNumberRecognizer", "NATIONAL_ID", "DE", "steuernummer steuernr steuer finanzamt"),
    Row("DeSocialSecurityRecognizer", "NATIONAL_ID", "DE",
        "rentenversicherungsnummer sozialversicherungsnummer versicherungsnummer rvnr svnr vers"),
    Row("DeHealthInsuranceRecognizer", "MEDICAL_ID", "DE", _HEALTH),
    Row("DeIdCardRecognizer", "NATIONAL_ID", "DE", _ID),
    Row("DePassportRecognizer", "PASSPORT", "DE", _TRAVEL),
)  # fmt: skip

# Patterns (name, expression, score) that take the place of a recogniser's own. Presidio's URL
# ends at the first known top-level domain, and takes `logging.info` for one; its SSN accepts
# areas that were never issued.
PATTERNS: dict[str, tuple[tuple[str, str, float], ...]] = {
    "UrlRecognizer": (("URL with scheme", r"\bhttps?://[^\s<>\"'`\\]{0,1900}[\w/=]", 0.6),),
    "UsSsnRecognizer": (
        ("SSN", r"(?<![\w-])(?!9|000|666)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])", 0.5),
        ("bare SSN", r"(?<!\w)(?!9|000|666)\d{3}[ .]?(?!00)\d{2}[ .]?(?!0000)\d{4}(?!\w)", 0.05),
    ),
}


class PresidioFailed(Exception):
    """Presidio stopped in a text (its own message may quote it, so it is not repeated)."""


def detect(passages: Sequence[Passage]) -> list[list[Finding]]:
    """Findings per passage, sorted. Raises PresidioFailed."""
    return [sorted(_found(passage)) for passage in passages]


def _found(passage: Passage) -> set[Finding]:
    text = passage.text
    if not _CANDIDATE.search(text) and not _CANDIDATE.search(passage.label):
        return set()
    label = _LABEL_WORD.findall(passage.label.casefold())
    found: set[Finding] = set()
    for window in windows(text, WINDOW, OVERLAP):
        part = text[window.start : window.end]
        for result in _analyse(part, label):
            start = result.start + window.start
            if window.core_start <= start < window.core_end and (row := _accepted(result)):
                end = result.end + window.start
                score = min(1.0, max(result.score, MIN_SCORE))
                found.add(Finding(start, end, row.type, score, DETECTOR, row.country))
    return found


def _accepted(result: Any) -> Row | None:
    row: Row = _rows_by_entity()[result.entity_type]
    if result.analysis_explanation.supportive_context_word:
        return row
    return row if row.alone and result.score >= MIN_SCORE else None


def _analyse(text: str, label: list[str]) -> list[Any]:
    try:
        found: list[Any] = _engine().analyze(
            text, LANGUAGE, score_threshold=0.01, context=label, return_decision_process=True
        )
    except Exception:  # noqa: BLE001  whatever it is, its text may quote the value
        raise PresidioFailed(
            "Presidio stopped in a text; the record cannot be called clean. Take `presidio` out "
            "of privacy.detectors to go on with the other detectors, or quarantine the record."
        ) from None
    return found


@cache
def _rows_by_entity() -> dict[str, Row]:
    return {recogniser.supported_entities[0]: row for row, recogniser in _recognisers()}


def _recognisers() -> Iterator[tuple[Row, Any]]:
    predefined_pattern = load_presidio().Pattern
    from presidio_analyzer import predefined_recognizers  # noqa: PLC0415  after load_presidio

    for row in ROWS:
        kind = getattr(predefined_recognizers, row.recogniser)
        options: dict[str, Any] = {"supported_language": LANGUAGE, "context": row.cues.split()}
        if own := PATTERNS.get(row.recogniser):
            options["patterns"] = [predefined_pattern(*pattern) for pattern in own]
        yield row, kind(**options)


@cache
def _engine() -> Any:
    """Presidio's AnalyzerEngine over ROWS. Nothing is downloaded: the NLP engine is given."""
    presidio = load_presidio()
    from presidio_analyzer.context_aware_enhancers import (  # noqa: PLC0415  after load_presidio
        LemmaContextAwareEnhancer,
    )

    registry = presidio.RecognizerRegistry(
        recognizers=[recogniser for _, recogniser in _recognisers()],
        supported_languages=[LANGUAGE],
    )
    return presidio.AnalyzerEngine(
        registry=registry,
        nlp_engine=_light_engine(),
        supported_languages=[LANGUAGE],
        # Whole words: as substrings, the cue "lic" is in "public".
        context_aware_enhancer=LemmaContextAwareEnhancer(context_matching_mode="whole_word"),
    )


def _light_engine() -> Any:
    """An NlpEngine that only splits words; the lemma of a word is its lower-case form."""
    spacy = load_spacy()
    from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine  # noqa: PLC0415  after load_presidio

    nlp = spacy.blank(LANGUAGE)

    class LightEngine(NlpEngine):
        def load(self) -> None: ...

        def is_loaded(self) -> bool:
            return True

        def process_text(self, text: str, language: str) -> Any:
            doc = nlp.make_doc(text)
            places = [token.idx for token in doc]
            words = [token.lower_ for token in doc]
            return NlpArtifacts([], doc, places, words, self, language)

        def process_batch(
            self, texts: Any, language: str, *_: Any, **__: Any
        ) -> Iterator[tuple[str, Any]]:
            return ((text, self.process_text(text, language)) for text in texts)

        def is_stopword(self, word: str, language: str) -> bool:  # noqa: ARG002  its signature
            return False

        def is_punct(self, word: str, language: str) -> bool:  # noqa: ARG002  its signature
            return not any(map(str.isalnum, word))

        def get_supported_entities(self) -> list[str]:
            return []

        def get_supported_languages(self) -> list[str]:
            return [LANGUAGE]

    return LightEngine()
