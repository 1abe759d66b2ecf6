"""Type -> how a value of it is taken apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from scrubbers.surrogates import codes, dates, hosts, people, phones, places
from scrubbers.surrogates.unit import ALONE, Context, Piece, Slot, Unwritable

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


@lru_cache(maxsize=1 << 10)  # a scan takes each value apart for its units and for its surrogate
def pieces(
    entity: str, text: str, context: Context = ALONE, *, valid: bool = False
) -> tuple[Piece, ...]:
    """The pieces of a value. Raises Unwritable if none of them can be replaced.

    The country that a detector told never counts, so that a detector without one agrees.
    """
    if context.plan and entity == "PHONE_NUMBER":
        found = phones.phone_pieces(text, context.plan)
    else:
        form = (VALID.get(entity) if valid else None) or FORMS[entity]
        found = form(text)
    if not any(isinstance(piece, Slot) for piece in found):
        raise Unwritable(f"a {entity} without a letter or digit to replace: quarantine the record")
    return tuple(found)
