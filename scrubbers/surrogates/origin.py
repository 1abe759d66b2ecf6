"""Where the surrogates of each type and country come from; docs/surrogates.md has the sources."""

from __future__ import annotations

from scrubbers.entities import ENTITY_TYPES

RESERVED = "reserved"  # a range or name that its registry keeps for examples or fiction
NEVER_ISSUED = "never-issued"  # right in form, in a range that nobody is given
INVALID = "invalid-checksum"  # right in form, check digits deliberately wrong
MADE_UP = "made-up"  # no registry: a composed name or a random code of the same shape

# (type, country or None for all others) -> (origin, source)
TABLE: dict[tuple[str, str | None], tuple[str, str]] = {
    ("PERSON", None): (MADE_UP, "name lists of Faker, then letters that follow each other in them"),
    ("EMAIL_ADDRESS", None): (RESERVED, "RFC 2606: .example"),
    ("URL", None): (RESERVED, "RFC 2606: .example"),
    ("IP_ADDRESS", None): (RESERVED, "RFC 5737, RFC 2544, RFC 3849"),
    ("PHONE_NUMBER", "US"): (RESERVED, "NANPA: 555-0100 to 555-0199"),
    ("PHONE_NUMBER", "CA"): (RESERVED, "NANPA: 555-0100 to 555-0199"),
    ("PHONE_NUMBER", "GB"): (RESERVED, "Ofcom: numbers for drama"),
    ("PHONE_NUMBER", "FR"): (RESERVED, "ARCEP: numbers for audiovisual works"),
    ("PHONE_NUMBER", "DE"): (RESERVED, "Bundesnetzagentur: drama numbers"),
    ("PHONE_NUMBER", "AU"): (RESERVED, "ACMA: numbers for fiction"),
    ("PHONE_NUMBER", "SE"): (RESERVED, "PTS: numbers for fiction"),
    ("PHONE_NUMBER", "IE"): (RESERVED, "ComReg: 020 91x xxxx for drama"),
    ("PHONE_NUMBER", None): (NEVER_ISSUED, "in no range that libphonenumber knows in use"),
    ("IBAN_CODE", None): (INVALID, "ISO 13616, check digits wrong"),
    ("CREDIT_CARD", None): (INVALID, "ISO/IEC 7812, Luhn digit wrong"),
    ("NATIONAL_ID", "US"): (NEVER_ISSUED, "SSA: no number begins with 9; no ITIN group"),
    ("NATIONAL_ID", "GB"): (NEVER_ISSUED, "HMRC NIM39110: unused prefixes or suffixes"),
    ("NATIONAL_ID", None): (INVALID, "the rules of python-stdnum for this shape fail"),
    ("DATE_OF_BIRTH", None): (MADE_UP, "another day of the same year"),
    ("DATE_TIME", None): (MADE_UP, "another day within two years"),
}


def origin_of(entity: str, country: str | None = None) -> str:
    """One of the four constants above. Raises KeyError for an unknown type."""
    if entity not in ENTITY_TYPES:
        raise KeyError("unknown entity type")
    row = TABLE.get((entity, country)) or TABLE.get((entity, None))
    return row[0] if row else MADE_UP
