"""The entity types, the policies over them, and the one table from foreign labels to ours."""

from __future__ import annotations

BALANCED: tuple[str, ...] = (
    "PERSON", "EMAIL_ADDRESS", "PHONE_NUMBER", "ADDRESS", "DATE_OF_BIRTH", "IBAN_CODE",
    "CREDIT_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "PASSPORT", "LICENCE_PLATE", "IP_ADDRESS",
    "USERNAME", "PASSWORD", "SECRET", "MEDICAL_ID", "OTHER_ID",
)  # fmt: skip
STRICT_ONLY: tuple[str, ...] = ("LOCATION", "ORGANIZATION", "DATE_TIME", "URL")
ENTITY_TYPES: tuple[str, ...] = BALANCED + STRICT_ONLY
DATES = ("DATE_OF_BIRTH", "DATE_TIME")

# Label of Presidio, spaCy, the ONNX model or a corpus -> (our type, country or None).
# A label that is not here is dropped on purpose: it names nothing that this project replaces.
LABELS: dict[str, tuple[str, str | None]] = {
    **{name: (name, None) for name in ENTITY_TYPES},
    # corpora's short names
    "EMAIL": ("EMAIL_ADDRESS", None),
    "PHONE": ("PHONE_NUMBER", None),
    "DOB": ("DATE_OF_BIRTH", None),
    "IBAN": ("IBAN_CODE", None),
    "CARD": ("CREDIT_CARD", None),
    "IP": ("IP_ADDRESS", None),
    "ORG": ("ORGANIZATION", None),
    "DATE": ("DATE_TIME", None),
    # spaCy (OntoNotes and WikiNER schemes)
    "PER": ("PERSON", None),
    "GPE": ("LOCATION", None),
    "LOC": ("LOCATION", None),
    "FAC": ("LOCATION", None),
    # the multilingual ONNX model
    "GIVEN_NAME": ("PERSON", None),
    "SURNAME": ("PERSON", None),
    "TAX_ID": ("NATIONAL_ID", None),
    "ROUTING_NUMBER": ("BANK_ACCOUNT", None),
    "GOVERNMENT_ID": ("NATIONAL_ID", None),
    "DRIVERS_LICENSE": ("OTHER_ID", None),
    "BUILDING_NUMBER": ("ADDRESS", None),
    "STREET_NAME": ("ADDRESS", None),
    "SECONDARY_ADDRESS": ("ADDRESS", None),
    "ZIP_CODE": ("ADDRESS", None),
    "CITY": ("LOCATION", None),
    "STATE": ("LOCATION", None),
    # Presidio
    "US_SSN": ("NATIONAL_ID", "US"),
    "US_ITIN": ("NATIONAL_ID", "US"),
    "US_BANK_NUMBER": ("BANK_ACCOUNT", "US"),
    "US_PASSPORT": ("PASSPORT", "US"),
    "US_DRIVER_LICENSE": ("OTHER_ID", "US"),
    "US_MBI": ("MEDICAL_ID", "US"),
    "MEDICAL_LICENSE": ("MEDICAL_ID", "US"),
    "UK_NHS": ("MEDICAL_ID", "GB"),
    "UK_NINO": ("NATIONAL_ID", "GB"),
    "UK_PASSPORT": ("PASSPORT", "GB"),
    "ES_NIF": ("NATIONAL_ID", "ES"),
    "ES_NIE": ("NATIONAL_ID", "ES"),
    "IT_FISCAL_CODE": ("NATIONAL_ID", "IT"),
    "IT_VAT_CODE": ("OTHER_ID", "IT"),
    "IT_IDENTITY_CARD": ("NATIONAL_ID", "IT"),
    "IT_PASSPORT": ("PASSPORT", "IT"),
    "IT_DRIVER_LICENSE": ("OTHER_ID", "IT"),
    "PL_PESEL": ("NATIONAL_ID", "PL"),
    "CRYPTO": ("SECRET", None),
}


def policy_types(policy: str, custom: dict[str, str] | None = None) -> dict[str, str]:
    """What each type gets under a policy: type -> `replace`, `keep` or `quarantine`.

    `custom` overrides single types, under any policy. Raises KeyError for an unknown policy.
    """
    acted = {"balanced": BALANCED, "strict": ENTITY_TYPES, "custom": ()}[policy]
    actions = {name: "replace" if name in acted else "keep" for name in ENTITY_TYPES}
    return actions | (custom or {})
