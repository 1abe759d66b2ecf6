"""Who and what encyclopedias speak of: known persons, rulers, works, teams, species."""

from __future__ import annotations

import random
from datetime import date, timedelta

from tagger import times
from tagger.draw import shaped
from tagger.nameforms import full
from tagger.names import HOME, Person, made_up, person
from tagger.pieces import Pieces
from tagger.places import city
from tagger.slots import FIELDS
from tagger.wordlists import entries, sections

ANYWHERE = tuple(sorted(HOME))
ROMAN = (
    "I",
    "II",
    "III",
    "IV",
    "V",
    "VI",
    "VII",
    "VIII",
    "IX",
    "X",
    "XI",
    "XII",
    "XIII",
    "XIV",
    "XV",
    "XVI",
)
OF = {
    "en": ("of",), "es": ("de",), "fr": ("de",), "de": ("von",), "it": ("di", "da"), "pt": ("de",), "nl": ("van",), "pl": ("z",),
    "ro": ("de",), "sv": ("av", "från"), "no": ("av", "fra"), "da": ("af",), "fi": ("af", "von"),
}  # fmt: skip
LABELS = {
    "team": "ORG", "university": "ORG", "hospital": "ORG", "label": "ORG", "maker": "ORG", "stadium": "LOCATION", "square": "LOCATION",
}  # fmt: skip
PARTICLES = frozenset("van von der den de da del".split())
OLDEST = date(1560, 1, 1)
EARLY = 140_000  # days after OLDEST to the 1940s


def someone(rng: random.Random, language: str) -> Person:
    """A person of any origin."""
    return person(rng, language, rng.choice(ANYWHERE))


def known_thing(rng: random.Random, kind: str, language: str, country: str) -> Pieces:
    """A slot of general text: a text, labelled or not; dates are of long ago at times."""
    head, _, part = kind.partition(".")
    head = head.rstrip("23")
    if head == "figure":
        return [(figure(rng, part, language), "PERSON")]
    if head in ("regnal", "noble", "mono"):
        maker = {"regnal": regnal, "noble": noble, "mono": mononym}[head]
        return [(maker(rng, language), "PERSON")]
    if head in ("born", "died", "day"):
        return long_ago(rng, head, language, country)
    if kind == "month.year":
        return [(times.standing_alone(*month_year(rng, language), language), "DATE")]
    return [(thing(rng, head, language, country), LABELS.get(head))]


def figure(rng: random.Random, field: str, language: str) -> str:
    """A person everybody knows, of a field or any; in the language's own spelling."""
    table = sections("figures")
    if not field:
        field = rng.choice(FIELDS)
    own = table.get(f"{field}.{language}", ())
    return rng.choice(own if own and rng.random() < 0.35 else table[field])


def in_short(name: str) -> str:
    """The last name with its particles; the whole name of rulers, saints and those with one name."""
    words = name.split(" ")
    small = [word for word in words if word[0].islower()]
    if len(words) < 2 or len(words[-1]) < 4 or any(word not in PARTICLES for word in small):
        return name
    at = words.index(small[0]) if small else len(words) - 1
    return " ".join(words[max(at, 1) :])


def regnal(rng: random.Random, language: str) -> str:
    """A ruler with a number: Louis XIV, Ludwig XIV., Christian 4."""
    name, number = rng.choice(entries("figures", f"ruler.{language}")), rng.randrange(len(ROMAN))
    if language == "da" or (language == "no" and rng.random() < 0.4):
        return f"{name} {number + 1}."
    return f"{name} {ROMAN[number]}{'.' if language == 'de' else ''}"


def noble(rng: random.Random, language: str) -> str:
    """A name with a house or a town: Anne of Cleves, Anna von Kleve."""
    name = rng.choice(entries("figures", f"ruler.{language}"))
    place = rng.choice(entries("figures", "house"))
    vowel = language == "fr" and place[0] in "AEIOUÉ"
    return f"{name} d'{place}" if vowel else f"{name} {rng.choice(OF[language])} {place}"


def mononym(rng: random.Random, language: str) -> str:
    """One name alone: of an artist, a player, somebody of antiquity, or a given name."""
    dice = rng.random()
    if dice < 0.4:
        return rng.choice(entries("figures", "mono"))
    if dice < 0.6:
        return made_up(rng, rng.choice(("us", "it", "br", "fi", "tr")), "f")
    return someone(rng, language).given


def old_day(rng: random.Random) -> date:
    """A day of history, or of our time."""
    if rng.random() < 0.4:
        return OLDEST + timedelta(days=rng.randrange(EARLY))
    return date(1900, 1, 1) + timedelta(days=rng.randrange(46_000))


def long_ago(rng: random.Random, kind: str, language: str, country: str) -> Pieces:
    """A day in words; words before it are no part of it."""
    text = times.written(rng, old_day(rng), language, country, words=True)
    label = "DOB" if kind == "born" else "DATE"
    for head in times.OUTSIDE:
        if text.startswith(head):
            return [(head, None), (text.removeprefix(head), label)]
    return [(text, label)]


def month_year(rng: random.Random, language: str) -> tuple[str, date]:
    """A month and year, and a day in it."""
    day = old_day(rng)
    form = times.MONTH_YEAR.get(language, "{month} {y}")
    return times.fill(form, day, language), day


def thing(rng: random.Random, kind: str, language: str, country: str) -> str:
    """What has no person behind it."""
    table = sections("world")
    if kind in ("team", "university", "hospital", "label", "stadium", "square"):
        return of_place(rng, kind, language, country)
    english = f"{kind}.en"
    if kind in ("film", "work") and rng.random() < 0.3:
        return rng.choice(table[english])
    return rng.choice(table.get(f"{kind}.{language}") or table.get(kind) or table[english])


def of_place(rng: random.Random, kind: str, language: str, country: str) -> str:
    """A club, school, house or square called after a town, a person, a saint."""
    table = sections("world")
    rows = table.get(f"{kind}.{language}") or table[kind]
    form = rng.choice(rows)
    who = someone(rng, language)
    values = {"%C": city(rng, country), "%P": full(who, middle=False), "%S": who.surname}
    for sign, value in values.items():
        form = form.replace(sign, value)
    return form.replace("%#", shaped(rng, "%"))
