"""Type -> how a value of it is taken apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from scrubbers.surrogates import (
    codes,
    dates,
    escapes,
    hosts,
    lookalikes,
    people,
    phones,
    places,
    spoken,
    spokenmail,
    tails,
)
from scrubbers.surrogates.readings import Form, Reading, through
from scrubbers.surrogates.unit import ALONE, Context, Piece, Slot, Unwritable

PLAIN_CODE = partial(codes.code_pieces, prefixes=False)
SPOKEN = (spoken.reading, spokenmail.reading, lookalikes.reading)
FORMS: dict[str, Form] = {
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
    "USERNAME": hosts.user_pieces,
    "PASSWORD": codes.secret_pieces,
    "SECRET": codes.secret_pieces,
    "MEDICAL_ID": codes.code_pieces,
    "OTHER_ID": codes.code_pieces,
    "LOCATION": places.place_pieces,
    "ORGANIZATION": places.organisation_pieces,
    "DATE_TIME": dates.date_pieces,
    "URL": hosts.url_pieces,
}
NAMES: dict[str, Callable[..., list[Piece]]] = {  # words of which may stand for others
    name: FORMS[name] for name in ("PERSON", "USERNAME", "EMAIL_ADDRESS")
}
VALID: dict[str, Form] = {
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
    found = unmasked(entity, text, form_of(entity, context, valid=valid))
    if not any(isinstance(piece, Slot) for piece in found):
        raise Unwritable(f"a {entity} without a letter or digit to replace: quarantine the record")
    return tuple(found)


def unmasked(entity: str, text: str, form: Form) -> list[Piece]:
    """The pieces of a value below its escapes and the words it is dictated in."""

    def heard(plain: str) -> list[Piece]:
        return through(dictated(entity, plain), form, plain)

    return through(escapes.reading(text, entity), heard, text)


def dictated(entity: str, text: str) -> Reading | None:
    """How a value is read that is dictated or misread."""
    return next(filter(None, (kind(text, entity) for kind in SPOKEN)), None)


def plain_text(entity: str, text: str) -> str:
    """A value below its escapes and the words it is dictated in."""
    escaped = escapes.reading(text, entity)
    text = escaped.plain if escaped else text
    heard = dictated(entity, text)
    return heard.plain if heard else text


def form_of(entity: str, context: Context, *, valid: bool) -> Form:
    """How a value of a type is taken apart in its record."""
    if entity.startswith("DATE_"):
        return partial(dates.date_pieces, context=context)
    if entity == "ADDRESS" and context.keep_area:
        return partial(places.address_pieces, keep_area=True)
    told = context.stands_for[0] if context.stands_for and entity in tails.TYPES else ""
    if told:
        longer, plan, plain = tails.standing(told)
        whole = pieces(longer, plain, Context(plan=plan), valid=valid)
        return partial(tails.standing_pieces, entity=entity, told=told, whole=whole)
    if context.stands_for and entity in NAMES:
        return partial(NAMES[entity], stands_for=context.stands_for)
    if context.plan and entity == "PHONE_NUMBER":
        return partial(phones.phone_pieces, plan=context.plan)
    return (VALID.get(entity) if valid else None) or FORMS[entity]
