"""Type -> how a value of it is taken apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from scrubbers.surrogates import codes, dates, hosts, people, phones, places
from scrubbers.surrogates.unit import Piece, Slot, Unwritable

PLAIN_CODE = partial(codes.code_pieces, prefixes=False)
FORMS: dict[str, Callable[[str], list[Piece]]] = {
    "PERSON": people.pieces,
    "EMAIL_ADDRESS": hosts.email_pieces,
    "PHONE_NUMBER": phones.phone_pieces,
    "ADDRESS": places.address_pieces,
    "DATE_OF_BIRTH": dates.date_pieces,
    "IBAN_CODE": codes.iban_pieces,
    "CREDIT_CARD": codes.card_pieces,
    "BANK_ACCOUNT": codes.code_pieces,
    "NATIONAL_ID": PLAIN_CODE,
    "PASSPORT": PLAIN_CODE,
    "LICENCE_PLATE": PLAIN_CODE,
    "IP_ADDRESS": hosts.ip_pieces,
    "USERNAME": people.user_pieces,
    "PASSWORD": codes.secret_pieces,
    "SECRET": codes.secret_pieces,
    "MEDICAL_ID": codes.code_pieces,
    "OTHER_ID": codes.code_pieces,
    "LOCATION": places.place_pieces,
    "ORGANIZATION": places.organisation_pieces,
    "DATE_TIME": dates.date_pieces,
    "URL": hosts.url_pieces,
}
VALID: dict[str, Callable[[str], list[Piece]]] = {
    "IBAN_CODE": partial(codes.iban_pieces, valid=True),
    "CREDIT_CARD": partial(codes.card_pieces, valid=True),
    "NATIONAL_ID": partial(codes.code_pieces, prefixes=False, valid=True),
}


PLAN = "+"  # begins a "country" that is a telephone plan, told by another form in the record


def pieces(entity: str, text: str, country: str | None, *, valid: bool) -> tuple[Piece, ...]:
    """The pieces of a value. Raises Unwritable if none of them can be replaced.

    Of `country` only a telephone plan counts: for the rest the value alone decides, so that a
    detector without a country agrees.
    """
    plan = country[1:] if country and country.startswith(PLAN) else ""
    return _pieces(entity, text, plan, valid=valid)


@lru_cache(maxsize=1 << 10)  # a scan takes each value apart for its units and for its surrogate
def _pieces(entity: str, text: str, plan: str, *, valid: bool) -> tuple[Piece, ...]:
    if plan and entity == "PHONE_NUMBER":
        found = phones.phone_pieces(text, plan)
    else:
        form = (VALID.get(entity) if valid else None) or FORMS[entity]
        found = form(text)
    if not any(isinstance(piece, Slot) for piece in found):
        raise Unwritable(f"a {entity} without a letter or digit to replace: quarantine the record")
    return tuple(found)
