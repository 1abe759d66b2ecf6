"""Fields of forms, tables and JSON: the name of a key in a language, and its value."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from tagger import negatives
from tagger.cast import Cast, render
from tagger.draw import shaped
from tagger.grammar import COMMON, Slot, expand, grammar_of
from tagger.namelists import native_name
from tagger.pieces import Pieces, plain, text_of
from tagger.wordlists import entries

SLOTS = {
    "name": "", "given": "given", "surname": "surname", "email": "email", "phone": "phone", "street": "street", "postcode": "postcode", "city": "city", "dob": "dob",
    "nid": "nid", "iban": "iban", "card": "card", "account": "account", "passport": "passport", "plate": "plate", "medical": "medical", "user": "user", "password": "password",
}  # fmt: skip
USUAL = (
    "name",
    "email",
    "phone",
    "street",
    "postcode",
    "city",
    "dob",
    "nid",
    "order",
    "customer",
    "date",
    "amount",
    "note",
    "status",
    "org",
)
SOMETIMES = (
    "given",
    "surname",
    "iban",
    "card",
    "account",
    "passport",
    "plate",
    "medical",
    "user",
    "password",
)
RARE = {  # kinds without a key symbol -> slot
    "ip": "p1.ip", "url": "p1.url", "secret": "secret", "policy": "policy", "vat": "vat", "invoice": "invoice", "ticket": "ticket", "bic": "bic", "mac": "mac", "imei": "imei", "cvv": "p1.cvv",
    "pin": "p1.pin", "licence": "p1.licence", "insurance": "p1.insurance", "tax": "p1.tax", "booking": "booking", "tracking": "tracking",
}  # fmt: skip
HARMLESS = (
    "product",
    "sku",
    "quantity",
    "price",
    "version",
    "uuid",
    "enabled",
    "size",
    "colour",
    "category",
    "file",
    "model",
    "isbn",
    "percent",
    "language",
    "status",
    "amount",
)
STATES = {
    "en": ("open", "pending", "closed", "active", "yes", "no", "single", "paid"), "es": ("abierto", "pendiente", "cerrado", "activo", "sí", "no", "soltera", "pagado"), "fr": ("ouvert", "en attente", "clos", "actif", "oui", "non", "célibataire", "payé"),
    "de": ("offen", "in Bearbeitung", "geschlossen", "aktiv", "ja", "nein", "ledig", "bezahlt"), "it": ("aperto", "in attesa", "chiuso", "attivo", "sì", "no", "celibe", "pagato"), "pt": ("aberto", "pendente", "fechado", "ativo", "sim", "não", "solteira", "pago"),
    "nl": ("open", "in behandeling", "gesloten", "actief", "ja", "nee", "gehuwd", "betaald"), "pl": ("otwarte", "w toku", "zamknięte", "aktywny", "tak", "nie", "wolny", "opłacone"), "ro": ("deschis", "în lucru", "închis", "activ", "da", "nu", "căsătorit", "plătit"),
    "sv": ("öppet", "pågår", "stängt", "aktiv", "ja", "nej", "gift", "betald"), "no": ("åpen", "pågår", "lukket", "aktiv", "ja", "nei", "gift", "betalt"), "da": ("åben", "i gang", "lukket", "aktiv", "ja", "nej", "gift", "betalt"), "fi": ("avoin", "kesken", "suljettu", "aktiivinen", "kyllä", "ei", "naimisissa", "maksettu"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """A key as written, its kind and its value."""

    kind: str
    key: str
    value: Pieces


def key_name(rng: random.Random, kind: str, language: str) -> str:
    """A key in the language, or the English one of programs."""
    if kind in RARE:
        return rng.choice(
            entries("keys", f"{kind}.{language if rng.random() < 0.7 else 'en'}", f"{kind}.en")
        )
    own = grammar_of(language)
    grammar = own if own.has(f"key.{kind}") and rng.random() < 0.65 else grammar_of(COMMON)
    if not grammar.has(f"key.{kind}"):
        return kind
    return "".join(
        part for part in expand(grammar, f"key.{kind}", rng) if not isinstance(part, Slot)
    )


def as_identifier(rng: random.Random, key: str) -> str:
    """A key as programs write it."""
    words = re.findall(r"[\w']+", key.replace("_", " ").replace("-", " "))
    if not words or rng.random() < 0.35:
        return key
    low = [word.lower() if not word.isupper() or len(words) > 1 else word for word in words]
    made = (
        "_".join(low), low[0] + "".join(word.title() for word in low[1:]), "_".join(low), "-".join(low),
        "".join(word.title() for word in low), "_".join(low).upper(),
    )  # fmt: skip
    return rng.choice(made)


def value(cast: Cast, kind: str, key: str, person: str) -> Pieces:
    """The value of a kind for a person of the cast."""
    rng = cast.rng
    if kind in RARE:
        return cast.fill(RARE[kind].replace("p1", person))
    if kind == "name" and rng.random() < 0.015:
        return [(native_name(rng), "PERSON")]
    if kind == "name":
        return cast.fill(f"{person}.lastfirst" if rng.random() < 0.2 else person)
    if kind in SLOTS:
        return cast.fill(f"{person}.{SLOTS[kind]}")
    if kind == "customer":
        is_number = (
            bool(re.search(r"(?i)nr|num|n[º°o]\b|no\b|id\b|code|cod|ref", key))
            or rng.random() < 0.4
        )
        return cast.fill("customerno" if is_number else person)
    if kind == "note":
        return note(cast)
    if kind == "status":
        return plain(rng.choice(STATES[cast.language]))
    if kind in ("order", "date", "amount", "org"):
        return cast.fill(kind)
    return plain(harmless(rng, kind, cast.language))


def note(cast: Cast) -> Pieces:
    """A remark: a short expansion of a chat or ticket."""
    grammar = grammar_of(cast.language)
    for symbol in ("chat.user", "ticket", "negative"):
        if grammar.has(symbol):
            for _ in range(3):
                pieces = render(cast, grammar, symbol)
                if len(text_of(pieces)) < 160:
                    return pieces
    return plain(rng_words(cast.rng))


def rng_words(rng: random.Random) -> str:
    """A few words where a language has no frames yet."""
    return rng.choice(
        ("see attachment", "ok", "call back", "-", "n/a", "urgent", "2nd reminder sent")
    )


def harmless(rng: random.Random, kind: str, language: str) -> str:
    """The value of a key that is about no person."""
    if kind in ("product", "sku", "version", "uuid", "isbn", "file", "percent", "language"):
        return negatives.negative(rng, kind, language)
    if kind == "model":
        return negatives.brand_model(rng)
    return {
        "quantity": str(rng.randint(1, 40)), "price": f"{rng.uniform(1, 900):.2f}", "enabled": rng.choice(("true", "false")), "size": rng.choice(("S", "M", "XL", "42", "10x15 cm")),
        "colour": rng.choice(("black", "rosa", "grün", "bleu", "Amber", "Rose", "Olive")), "category": rng.choice(("tools", "garden", "books", "Wolf Garten", "kitchen")),
        "status": rng.choice(STATES[language]), "amount": f"{rng.uniform(1, 900):.2f}",
    }.get(kind, shaped(rng, "??-####"))  # fmt: skip


def chosen(cast: Cast, number: int, person: str = "p1", kinds: tuple[str, ...] = ()) -> list[Field]:
    """Some fields about a person, in a plausible order, keys different."""
    rng = cast.rng
    if not kinds:
        picked = {"name"} if rng.random() < 0.8 else set()
        pool = [*USUAL, *USUAL, *SOMETIMES, *RARE]
        while len(picked) < number:
            picked.add(rng.choice(pool))
        order = [
            *USUAL[:1],
            "given",
            "surname",
            *USUAL[1:],
            *[kind for kind in SOMETIMES if kind not in ("given", "surname")],
            *RARE,
        ]
        kinds = tuple(kind for kind in order if kind in picked)
        if rng.random() < 0.2:
            kinds = tuple(rng.sample(kinds, len(kinds)))
    out: list[Field] = []
    for kind in kinds:
        key = key_name(rng, kind, cast.language)
        if key not in [field.key for field in out]:
            out.append(Field(kind, key, value(cast, kind, key, person)))
    return out


def harmless_fields(cast: Cast, number: int) -> list[Field]:
    """Fields about no person."""
    kinds = cast.rng.sample(HARMLESS, min(number, len(HARMLESS)))
    return [Field(kind, kind, plain(harmless(cast.rng, kind, cast.language))) for kind in kinds]
