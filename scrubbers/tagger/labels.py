"""What the tagger tells of each piece of a text: BIO labels over short type names."""

from __future__ import annotations

TYPES = (
    "PERSON", "EMAIL", "PHONE", "ADDRESS", "LOCATION", "ORG", "DATE", "DOB", "IBAN", "CARD",
    "BANK_ACCOUNT", "NATIONAL_ID", "PASSPORT", "LICENCE_PLATE", "IP", "URL", "USERNAME", "PASSWORD",
    "SECRET", "MEDICAL_ID", "OTHER_ID",
)  # fmt: skip
LABELS = ("O", *(f"{side}-{kind}" for kind in TYPES for side in "BI"))
