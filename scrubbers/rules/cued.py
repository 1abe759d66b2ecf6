"""Numbers and codes that the words beside them announce ("policy no. ...", "... as the NIF")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues, shapes
from scrubbers.rules.common import digits, finding
from scrubbers.words import word_list

_TOKEN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]*\d[A-Za-z0-9]*")
_LONELY = re.compile(r"[^\w ./:-]|$| (?:[a-zß-ÿ]{4}|[A-ZÀ-Þ][a-zß-ÿ]|[^\w])|[.:/-](?:\s|$)")
_JOINS = frozenset("-/._:")
_RUN = re.compile(r"[A-Za-z0-9]+(?:[-/._:][A-Za-z0-9]+)*")
_JOINED_LEFT = re.compile(r"(?:#|(?:[A-Za-z0-9]{1,12}[-/._:]){1,4})$")
_GROUP_LEFT = re.compile(r"(?<![\w])(?:[A-Z]{1,4}|[A-Z]{1,3}\d{1,3})[ -]$")
# What the text before a value ends with where one of the three above can match.
_JOINS_END = tuple("#-/._:")
_MASK_ENDS = tuple("*•.…#xX-")
_GROUP = 7
# A German plate up to its digits: "M-AB 1234".
_PLATE_LEFT = re.compile(r"(?<![\w-])[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[ -]$")
_MASK = re.compile(r"(?:[*•.…#]{2,}|[*•]|(?:[xX*•]{2,4}[ -]){1,4}|[xX]{2,})\s?$")
# Words with a common meaning of their own: only directly before the value.
_WEAK = frozenset(
    word_list("""run social tax fall mat pass case file health historia re te pas personal loc call text cap nn
    ic fin pan ni cc sip sort col cas az bi kv sv rv tag reg mc carta carte karte card kaart ring
    pc dl po ch in pod guia turno caso processo process token shipment company member student
    request transaction device application staff worker patient paciente bel belt intern text texts
    identity documento agreement zeichen visa maestro cb run number subject position sim badge
    conta conto compte cuenta contas contract contrat contrato contratto vertrag envio orden order ordine""")
)  # fmt: skip


def find(passage: Passage) -> Iterable[Finding]:
    """Findings for values with a digit that stand beside a cue of the vocabulary."""
    text = passage.text
    position = last = 0
    fruitless = False
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if start < position:
            continue
        if (
            end - start < 3
            and token.group().isdigit()
            and _LONELY.match(text, end)
            and text[start - 1 : start] not in _JOINS
        ):
            continue
        # Digits after digits that no cue announced: what stands before them is the same.
        if fruitless and not any(c.isalpha() for c in text[last:start]):
            last = end
            continue
        found = _beside_cue(text, start, passage.language)
        fruitless = found is None and cues.before(text, start) is None
        run = _RUN.match(text, start)
        position = found.end if found else run.end() if run else end
        last = position
        if found:
            yield found


def _beside_cue(text: str, start: int, language: str) -> Finding | None:
    left = text[max(0, start - 48) : start]
    if left.endswith(_JOINS_END) and (joined := _JOINED_LEFT.search(left)):
        start -= joined.end() - joined.start()
        left = left[: joined.start()]
    masked = left.rstrip().endswith(_MASK_ENDS) and bool(_MASK.search(left))
    grouped = left.endswith((" ", "-")) and left[-2:-1].isalnum()
    group = _GROUP_LEFT.search(left, max(0, len(left) - _GROUP)) if grouped else None
    if group and cues.is_cue(group.group()):
        group = None
    plate = _PLATE_LEFT.search(left, max(0, len(left) - _GROUP)) if grouped else None
    if plate and (found := _plated(text, start - (plate.end() - plate.start()))):
        return found
    begins = (start,) if not group else (start - (group.end() - group.start()), start)
    for begin in begins:
        cue = cues.before(text, begin)
        if cue and not (cue.phrase in _WEAK and cue.unknown):
            found = _valued(text, begin, cue, language, masked=masked)
            if found:
                return found
    return _before_cue(text, start, language)


def _plated(text: str, start: int) -> Finding | None:
    cue = cues.before(text, start)
    if not cue or cue.kind != "LICENCE_PLATE" or cue.unknown > 1:
        return None
    return _valued(text, start, replace(cue, unknown=0), "", masked=False)


def _before_cue(text: str, start: int, language: str) -> Finding | None:
    """The value in "X as the NHS number" or "X (NIF)"."""
    end = shapes.number_end(text, start, least=4) or shapes.plate_end(text, start)
    cue = cues.after(text, end) if end else None
    if not cue or cue.kind in {"ADDRESS", "PHONE_NUMBER", "PASSWORD"}:
        return None
    return _valued(text, start, cue, language, masked=False)


def _valued(text: str, start: int, cue: cues.Cue, language: str, *, masked: bool) -> Finding | None:
    kind = _kind(cue, language)
    read = _READERS.get(kind)
    end = shapes.tail_end(text, start) if kind in _TAILED and (cue.ending or masked) else None
    end = end or (read(text, start) if read else None)
    if end is None or shapes.is_placeholder(text[start:end]):
        return None
    if cue.unknown and not cue.ending and not _strong(text[start:end]):
        return None
    if kind == "LICENCE_PLATE" and cue.unknown > 1:
        return None
    return finding((start, end), kind, 0.85 - 0.1 * cue.unknown)


def _kind(cue: cues.Cue, language: str) -> str:
    if cue.phrase == "patente" and language == "it":
        return "OTHER_ID"
    return cue.kind


def _strong(value: str) -> bool:
    """Whether a value is clear enough to stand a word or two away from its cue."""
    return len(digits(value)) >= 6 or (
        len(digits(value)) >= 4 and any(c.isalpha() for c in value) and " " not in value
    )


# Where a value of each kind ends. Phone numbers: contact.py; IBANs: finance.py.
_READERS: dict[str, Callable[[str, int], int | None]] = {
    "OTHER_ID": shapes.code_end,
    "MEDICAL_ID": shapes.number_end,
    "NATIONAL_ID": shapes.number_end,
    "PASSPORT": shapes.number_end,
    "BANK_ACCOUNT": shapes.number_end,
    "CREDIT_CARD": shapes.card_end,
    "LICENCE_PLATE": shapes.plate_end,
    "SECRET": shapes.pin_end,
    "PASSWORD": shapes.pin_end,
    "ADDRESS": shapes.postcode_end,
}
_TAILED = frozenset({"CREDIT_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "IBAN_CODE", "OTHER_ID"})
