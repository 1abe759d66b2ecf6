"""The people and values of one sample, consistent in it; slots become text with labels."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

import phonenumbers

from tagger import (
    credentials,
    ids,
    idshapes,
    inflect,
    knowledge,
    money,
    nameforms,
    negatives,
    places,
    speech,
    streets,
    things,
    times,
    toolcalls,
)
from tagger.draw import shaped
from tagger.grammar import Grammar, Slot, expand
from tagger.names import Person, person
from tagger.noise import Change, noisy
from tagger.pieces import Pieces, plain
from tagger.slots import CODE, NEGATIVES, WORLD
from tagger.wordlists import entries

COUNTRIES: dict[str, tuple[str, ...]] = {
    "en": ("US", "US", "US", "GB", "GB", "IE", "CA", "AU", "IN"), "es": ("ES", "ES", "ES", "MX", "AR", "CO", "CL"), "fr": ("FR", "FR", "FR", "BE", "CH", "CA"),
    "de": ("DE", "DE", "DE", "AT", "CH"), "it": ("IT", "IT", "IT", "IT", "CH"), "pt": ("PT", "BR"), "nl": ("NL", "NL", "NL", "BE"), "pl": ("PL",), "ro": ("RO",),
    "sv": ("SE", "SE", "SE", "FI"), "no": ("NO",), "da": ("DK",), "fi": ("FI",),
}  # fmt: skip
LABELS = {
    "email": "EMAIL", "user": "USERNAME", "phone": "PHONE", "mobile": "PHONE", "street": "ADDRESS", "postcode": "ADDRESS", "city": "LOCATION", "dob": "DOB",
    "nid": "NATIONAL_ID", "tax": "NATIONAL_ID", "iban": "IBAN", "iban4": "IBAN", "card": "CARD", "card4": "CARD", "cvv": "SECRET", "account": "BANK_ACCOUNT",
    "sortcode": "BANK_ACCOUNT", "passport": "PASSPORT", "licence": "OTHER_ID", "plate": "LICENCE_PLATE", "medical": "MEDICAL_ID", "insurance": "MEDICAL_ID",
    "password": "PASSWORD", "pin": "PASSWORD", "ip": "IP", "url": "URL", "age": None,
}  # fmt: skip
ANYBODY = frozenset("user phone email street postcode addr iban plate card password".split())
SAID = frozenset("phone mobile email card nid postcode pin account medical plate".split())
NAME_PARTS = frozenset(
    "given first middle surname titled lastfirst init initials nick poss".split()
)
SORT_CODES = {
    "GB": ("##-##-##", "######"),
    "IE": ("##-##-##", "9#####"),
    "US": ("0########", "1########"),
    "IN": ("????0######",),
    "AU": ("###-###",),
    "CA": ("#####-###",),
}
OFTEN_FRESH = frozenset(("amount", "column", "param", "func"))
FRESH = frozenset(("time", "weekday", "month")) | (CODE - toolcalls.KEPT)


class Cast:
    """Who and what one sample is about. Values are made when they are first asked for."""

    def __init__(self, rng: random.Random, language: str, country: str = "") -> None:
        self.rng = rng
        self.language = language
        self.country = country or rng.choice(COUNTRIES[language])
        self.people: dict[str, Person] = {}
        self.homes: dict[str, str] = {}
        self.births: dict[str, date] = {}
        self.values: dict[str, str] = {}
        self.phones: dict[str, phonenumbers.PhoneNumber] = {}
        self.kept: dict[str, Pieces] = {}
        self.later = False  # whether people were named before: then mostly in short
        self.voice = False  # whether it is heard, not read: numbers are often said in words
        self.worn: tuple[tuple[Change, float], ...] = ()  # noise of values in JSON

    def person(self, key: str) -> Person:
        """The person p1 to p5."""
        if key not in self.people:
            self.people[key] = person(self.rng, self.language, self.country)
            self.births[key] = times.birth(self.rng)
            foreign = self.rng.random() < 0.06
            elsewhere = self.rng.choice(sorted(ids.NATIONAL)) if foreign else self.country
            self.homes[key] = elsewhere
        return self.people[key]

    def fill(self, name: str) -> Pieces:
        """What a slot stands for, in pieces."""
        pieces = self.exact(name)
        return noisy(self.rng, pieces, self.worn) if self.worn else pieces

    def exact(self, name: str) -> Pieces:
        """What a slot stands for, without noise."""
        if name[:1] == "p" and name[1:2].isdigit():
            return self.of_person(name)
        kind, _, way = name.partition(":")
        if kind in NEGATIVES:
            return plain(negatives.negative(self.rng, kind, self.language))
        if kind in ANYBODY:
            return self.of_person(f"p5.{kind}" + (f":{way}" if way else ""))
        fresh = kind in FRESH or (kind in OFTEN_FRESH and self.rng.random() < 0.5)
        if fresh or kind not in self.kept:
            self.kept[kind] = self.of_general(kind)
        pieces = self.kept[kind]
        if kind.startswith("figure"):
            pieces = self.figure_again(kind, pieces)
        return (
            inflect.in_case(pieces, way, self.language, "m")
            if way in inflect.FINNISH and self.language in inflect.GENITIVE_S
            else pieces
        )

    def figure_again(self, kind: str, pieces: Pieces) -> Pieces:
        """A known person as written this time: whole at first, later often the last name alone."""
        said, self.values[f"said.{kind}"] = f"said.{kind}" in self.values, "said"
        if said and self.rng.random() < 0.6:
            return [(knowledge.in_short(pieces[0][0]), "PERSON")]
        return pieces

    def of_general(self, kind: str) -> Pieces:
        """A thing of the world, of programs, or of the sample's people and firms."""
        if kind in WORLD:
            return knowledge.known_thing(self.rng, kind, self.language, self.country)
        if kind in CODE:
            return plain(toolcalls.code_thing(self.rng, kind, self.language))
        return self.of_thing(kind)

    def of_thing(self, kind: str) -> Pieces:
        """A thing's text and label."""
        rng, language = self.rng, self.language
        if kind in ("city", "city2"):
            return [(places.city(rng, self.country), "LOCATION")]
        if kind == "region":
            return [(rng.choice(entries("places", f"region.{language}")), "LOCATION")]
        if kind == "country":
            return [(rng.choice(entries("places", f"country.{language}")), "LOCATION")]
        if kind in ("date", "date2", "date.long"):
            return self.a_date(kind)
        if kind == "month":
            return plain(times.month(rng, language))
        if kind == "weekday":
            return plain(rng.choice(entries("dates", f"weekdays.{language}")))
        if kind == "time":
            return plain(times.clock(rng, language))
        if kind == "amount":
            return plain(times.amount(rng, self.country))
        text, label = things.thing(rng, kind, language, self.country)
        return [(text, label)]

    def a_date(self, kind: str) -> Pieces:
        """An event's date: whole or day and month; words before it stay outside the span."""
        day = times.event(self.rng)
        if kind != "date.long" and self.rng.random() < 0.25:
            text = times.short(self.rng, day, self.language, self.country)
        else:
            text = times.written(
                self.rng, day, self.language, self.country, words=kind == "date.long"
            )
        for head in times.OUTSIDE:
            if text.startswith(head):
                return [(head, None), (text.removeprefix(head), "DATE")]
        return [(text, "DATE")]

    def of_person(self, name: str) -> Pieces:
        """A person's name in some form, or a value of theirs."""
        if name[2:3] == "?":
            key, choice = name[:2], name[3:].split("|", 1)
            return plain(choice[self.person(key).gender == "f"])
        head, _, way = name.partition(":")
        key, _, part = head.partition(".")
        self.person(key)
        if not part or part in NAME_PARTS:
            return self.named(key, part, way)
        pieces = self.valued(key, part)
        heard = self.voice and part in SAID and self.rng.random() < 0.35
        if way == "spoken" or heard:
            text = pieces[0][0]
            said = speech.mail if part == "email" else speech.digits
            return [(said(self.rng, text, self.language), pieces[0][1])]
        return pieces

    def named(self, key: str, part: str, case: str) -> Pieces:
        """A form of the name, in a case where one is asked for."""
        who, rng = self.people[key], self.rng
        if not part and self.later and rng.random() < 0.55:
            part = rng.choice(("given", "given", "surname", "titled", "init", "nick"))
        if part == "lastfirst":
            return nameforms.labelled(nameforms.last_first(who, rng))
        if part == "initials":
            return nameforms.labelled(nameforms.initials(who, rng))
        if part == "titled":
            pieces = nameforms.titled(who, self.language, rng)
        else:
            pieces = nameforms.labelled(self.short(key, part))
        if part == "poss":
            return inflect.possessive(pieces, self.language, who.gender)
        known = case in inflect.FINNISH
        return inflect.in_case(pieces, case, self.language, who.gender) if known else pieces

    def short(self, key: str, part: str) -> str:
        """A part of the name that has cases, or all of it."""
        who, rng = self.people[key], self.rng
        if part == "init":
            return nameforms.with_initial(who, rng)
        if part == "surname":
            return who.surname if rng.random() < 0.75 else who.surnames
        if part == "nick":
            return who.nick
        if part in ("given", "first") or (part == "poss" and rng.random() < 0.4):
            return who.given
        if part == "middle":
            return who.middle or who.given
        again = f"full.{key}" in self.values
        self.values[f"full.{key}"] = "said"
        return nameforms.full(who, middle=not again or rng.random() < 0.5)

    def valued(self, key: str, part: str) -> Pieces:
        """A value of a person; the same one again, at times written otherwise."""
        if part == "addr":
            home = self.homes[key]
            return places.address(
                self.rng, home, *(self.value(key, name) for name in ("street", "postcode", "city"))
            )
        if part == "card4":
            head, last = money.card_masked(self.rng, self.value(key, "card"))
            return [*plain(head), (last, "CARD")]
        if part == "iban4":
            return [
                *plain(self.rng.choice(("", "", "...", "****"))),
                (self.value(key, "iban")[-4:], "IBAN"),
            ]
        return [(self.rewritten(part, self.value(key, part), key), LABELS[part])]

    def rewritten(self, part: str, value: str, key: str) -> str:
        """The value as written this time."""
        rng, said = self.rng, f"{key}.{part}.as"
        if said in self.values and rng.random() < 0.7:
            return self.values[said]
        if part in ("phone", "mobile"):
            self.values[said] = money.phone_written(rng, self.phones[f"{key}.{part}"])
        elif part == "iban":
            self.values[said] = money.iban_written(rng, value)
        elif part == "card":
            self.values[said] = money.card_written(rng, value)
        elif part == "dob":
            self.values[said] = times.written(rng, self.births[key], self.language, self.homes[key])
            self.values[said] = self.values[said].removeprefix("den ").removeprefix("d. ")
        else:
            self.values[said] = value
        return self.values[said]

    def value(self, key: str, part: str) -> str:
        """A value of a person, made once."""
        name = f"{key}.{part}"
        if name not in self.values:
            self.values[name] = self.made(key, part)
        return self.values[name]

    def made(self, key: str, part: str) -> str:
        """A new value."""
        rng, who, home, born = self.rng, self.people[key], self.homes[key], self.births[key]
        if part in ("phone", "mobile"):
            self.phones[f"{key}.{part}"] = money.phone(rng, home, mobile=part == "mobile")
            return ""
        makers: dict[str, Callable[[], str]] = {
            "email": lambda: credentials.email(rng, who, self.language), "user": lambda: credentials.handle(rng, who), "street": lambda: streets.street(rng, home, self.language),
            "postcode": lambda: places.postcode(rng, home), "city": lambda: places.city(rng, home), "dob": born.isoformat,
            "nid": lambda: ids.national(rng, home, born, who.gender), "tax": lambda: ids.tax(rng, home, born, who.gender),
            "iban": lambda: money.iban(rng, home), "card": lambda: money.card(rng), "cvv": lambda: shaped(rng, "###" if rng.random() < 0.9 else "####"),
            "account": lambda: ids.by_shape(rng, idshapes.ACCOUNTS, home), "sortcode": lambda: ids.by_shape(rng, SORT_CODES, home), "passport": lambda: ids.by_shape(rng, idshapes.PASSPORTS, home),
            "licence": lambda: ids.by_shape(rng, idshapes.LICENCES, home), "plate": lambda: ids.by_shape(rng, idshapes.PLATES, home), "medical": lambda: ids.medical(rng, home),
            "insurance": lambda: shaped(rng, rng.choice(idshapes.INSURANCE_SHAPES)), "password": lambda: credentials.password(rng), "pin": lambda: credentials.pin(rng),
            "ip": lambda: credentials.ipv4(rng) if rng.random() < 0.85 else credentials.ipv6(rng), "url": lambda: credentials.url(rng, who, self.language), "age": lambda: str(2026 - born.year),
        }  # fmt: skip
        return makers[part]()


def render(cast: Cast, grammar: Grammar, symbol: str) -> Pieces:
    """One expansion of a symbol with its slots filled."""
    out: Pieces = []
    for part in expand(grammar, symbol, cast.rng):
        out += cast.fill(part.name) if isinstance(part, Slot) else [(part, None)]
    return out
