"""Annotated text with other people in it: each name, everywhere in its document, is another one."""

from __future__ import annotations

import random
from typing import Any

from tagger.cast import COUNTRIES
from tagger.nameforms import full
from tagger.names import Person, person

SHARE = 0.85  # of names that are swapped; the rest stays, so that public ones are seen too
Spans = list[dict[str, Any]]
LANGUAGES = {code: code for code in "en es fr de it pt nl pl ro sv no da fi".split()} | {"nb": "no"}


def swapped(row: dict[str, Any], rng: random.Random) -> tuple[str, Spans]:
    """The text of a document and its spans, with names of other origins."""
    language = LANGUAGES.get(str(row.get("lang"))[:2], "en")
    cast: dict[str, Person] = {}
    out: list[str] = []
    spans: Spans = []
    end = length = 0
    for span in sorted(row["spans"], key=lambda one: int(one["start"])):
        if span["start"] < end:
            continue
        old = row["text"][span["start"] : span["end"]]
        new = other(old, language, cast, rng) if span["label"] == "PERSON" else old
        out += [row["text"][end : span["start"]], new]
        length += span["start"] - end
        spans.append({"start": length, "end": length + len(new), "label": span["label"]})
        length += len(new)
        end = span["end"]
    return "".join([*out, row["text"][end:]]), spans


def other(old: str, language: str, cast: dict[str, Person], rng: random.Random) -> str:
    """Another name with as many words, in the same letter case."""
    words = old.split()
    key = words[-1].casefold().removesuffix("'s") if words else ""
    if not key.isalpha() or len(key) < 3 or len(words) > 3:
        return old
    if key not in cast:
        if rng.random() > SHARE:
            return old
        cast[key] = person(rng, language, rng.choice(COUNTRIES[language]))
    new = written(cast[key], len(words), rng)
    if old.isupper():
        return new.upper()
    return new.lower() if old.islower() else new


def written(one: Person, words: int, rng: random.Random) -> str:
    """A given name or surname alone, or the full name."""
    if words == 1:
        return rng.choice((one.given, one.surnames))
    return full(one, middle=words > 2)
