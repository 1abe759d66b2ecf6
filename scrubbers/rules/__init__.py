"""Our own recognisers, one module per family; each a function from a passage to findings.

They read the folded text (`scrubbers.folding`). A check sum alone is never certainty, a cue alone
neither: bare numbers need a label or a cue and the right form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import (
    address,
    commands,
    contact,
    credentials,
    cued,
    dates,
    finance,
    identity,
    labelled,
    network,
    people,
    queries,
    references,
    spelled,
    tables,
)
from scrubbers.rules.common import holds
from scrubbers.words import word_list

Rule = Callable[[Passage], Iterable[Finding]]

RULES: tuple[tuple[str, Rule], ...] = (
    ("email", contact.emails),
    ("phone", contact.phones),
    ("iban", finance.ibans),
    ("card", finance.cards),
    ("bank-code", finance.bank_codes),
    ("sort-code", finance.sort_codes),
    ("identity-number", identity.numbers),
    ("cued-number", cued.find),
    ("booking-code", references.locators),
    ("ip", network.addresses),
    ("mac", network.macs),
    ("url", network.urls),
    ("birth-date", dates.births),
    ("date", dates.dates),
    ("street", address.streets),
    ("named-street", address.named_streets),
    ("postal-code", address.postcodes),
    ("secret", credentials.secrets),
    ("password", credentials.passwords),
    ("username", credentials.usernames),
    ("title", people.titled),
    ("greeting", people.greeted),
    ("introduction", people.introduced),
    ("form-label", people.labelled_lines),
    ("json-key", labelled.whole_values),
    ("table-cell", tables.cells),
    ("query", queries.parameters),
    ("command", commands.commands),
    ("header", commands.headers),
    ("cookie", commands.cookies),
    ("spelled-name", spelled.letters),
    ("spelled-digits", spelled.digits),
    ("spelled-mail", spelled.mails),
)
# Rules whose every match holds a digit: skipped for texts without one.
_DIGITS = frozenset(
    word_list(
        "phone iban card sort-code identity-number cued-number ip birth-date date street postal-code"
    )
)


def find(passage: Passage) -> list[Finding]:
    """All findings of all rules, overlapping ones included, in no particular order."""
    text = passage.text
    has_digit = holds(text, "0123456789")
    has_at = "@" in text or "at" in text or "arr" in text or "chioc" in text
    found: list[Finding] = []
    for name, rule in RULES:
        if name in _DIGITS and not has_digit:
            continue
        if name == "email" and not has_at:
            continue
        found += rule(passage)
    heads = tables.heads(text)
    return [f for f in found if not _in_head(f, heads)] if heads else found


def _in_head(found: Finding, heads: Iterable[tuple[int, int]]) -> bool:
    """Whether a name is a word in the head of a table."""
    return found.type == "PERSON" and any(a <= found.start and found.end <= b for a, b in heads)
