"""One person's name as pieces: full, in part, initials, titled, surname first."""

from __future__ import annotations

import random
import unicodedata

from tagger.names import Person
from tagger.pieces import Pieces
from tagger.wordlists import entries

PERSON = "PERSON"


def labelled(text: str) -> Pieces:
    """The text as a name."""
    return [(text, PERSON)]


def full(person: Person, *, middle: bool = True) -> str:
    """The name in its usual order."""
    between = f" {person.middle}" if person.middle and middle else ""
    if person.order == "eastern":
        return f"{person.surnames}{between} {person.given}"
    name = f"{person.given}{between} {person.surnames}"
    return f"{name} {person.suffix}" if person.suffix and middle else name


def last_first(person: Person, rng: random.Random) -> str:
    """Surname first, in capitals at times, with or without a comma."""
    surname = person.surnames.upper() if rng.random() < 0.4 else person.surnames
    glue = rng.choice((", ", ", ", ", ", " ", ","))
    given = person.given
    if person.middle and rng.random() < 0.5:
        given += f" {person.middle}"
    elif rng.random() < 0.12:
        given = initial(person.given)
    return surname + glue + given


def initial(name: str) -> str:
    """The first letter with a point; of every part of a compound."""
    return ("-" if "-" in name else " ").join(
        f"{part[0]}." for part in name.replace("-", " ").split() if part
    )


def with_initial(person: Person, rng: random.Random) -> str:
    """Initial and surname: A. Reyes, A Reyes, Reyes A., A.B. Reyes."""
    first = initial(person.given)
    if person.middle and person.middle[0].isupper() and rng.random() < 0.5:
        first += (" " if rng.random() < 0.4 else "") + f"{person.middle[0]}."
    if rng.random() < 0.15:
        first = first.replace(".", "")
    surname = person.surname if rng.random() < 0.7 else person.surnames
    if rng.random() < 0.12:
        return f"{surname} {first}" if rng.random() < 0.6 else f"{surname}, {first}"
    return f"{first} {surname}" if rng.random() < 0.93 else f"{first}{surname}"


def initials(person: Person, rng: random.Random) -> str:
    """The initials alone: A.R., AR, A. R."""
    words = full(person, middle=rng.random() < 0.5).replace("-", " ").split()
    letters = [word[0] for word in words if word[0].isupper()][:4]
    if len(letters) < 2:
        letters = [person.given[0].upper(), person.surname[0].upper()]
    style = rng.randrange(4)
    if style == 0:
        return ".".join(letters) + "."
    return " ".join(f"{letter}." for letter in letters) if style == 1 else "".join(letters)


def title(person: Person, language: str, rng: random.Random) -> str:
    """A title of the language for the gender."""
    return rng.choice(entries("titles", f"{language}.{person.gender}"))


def titled(person: Person, language: str, rng: random.Random) -> Pieces:
    """Title and surname; the surname alone is the name."""
    surname = person.surname if rng.random() < 0.75 else person.surnames
    if person.order == "eastern" and rng.random() < 0.2:
        surname = full(person)
    honour = title(person, language, rng)
    if honour in ("Don", "Doña", "Dona", "don", "doña", "Sir", "Dame"):
        surname = person.given if rng.random() < 0.7 else full(person)
    return [(honour + " ", None), *labelled(surname)]


def ascii_name(text: str) -> str:
    """Letters without accents, for mail boxes: lower case, a-z, hyphen and point."""
    table = {
        "ß": "ss",
        "ø": "o",
        "æ": "ae",
        "ł": "l",
        "đ": "d",
        "ı": "i",
        "œ": "oe",
        "ð": "d",
        "þ": "th",
    }
    low = "".join(table.get(char, char) for char in text.lower())
    plain = "".join(c for c in unicodedata.normalize("NFD", low) if not unicodedata.combining(c))
    return "".join(c for c in plain if c.isascii() and (c.isalnum() or c in "-."))
