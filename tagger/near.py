"""Scenes of boundaries: names close to other words, words that are names elsewhere, chat, capitals."""

from __future__ import annotations

import random
import re
from functools import cache

from tagger import noise
from tagger.cast import COUNTRIES, Cast
from tagger.draw import shaped
from tagger.grammar import (
    FRAMES,
    Grammar,
    Slot,
    drop_circles,
    drop_unusable,
    expand,
    grammar_of,
    read_lines,
)
from tagger.invent import invented
from tagger.names import Person
from tagger.pieces import Pieces, joined, text_of

SYMBOLS = {  # scene -> (symbol, weight)
    "near": (("near.name", 82), ("near.quiet", 18)),
    "wordname": (("near.name", 42), ("wordname.quiet", 58)),
    "chatter": (("social.people", 50), ("social.quiet", 50)),
    "opening": (("near.opening", 1),),
    "capitals": (("near.caps", 55), ("near.caps.quiet", 45)),
    "street": (("near.street", 78), ("near.street.quiet", 22)),
}
SCENES = frozenset(SYMBOLS)
WORDS = "wordname.any"
FOLDER = FRAMES / "near"
TWICE, LONG = 0.22, 160  # a second frame behind the first, where that is not long
ENDS = re.compile(r"[.,;:!?¿¡]+(?=\s)")
FOREIGN = 0.4  # an address of another country than the text's


@cache
def near_grammar(language: str) -> Grammar:
    """The language's words in the shapes of near/common.txt; what the language has itself wins."""
    shapes, grammar = Grammar("common"), Grammar(language, behind=grammar_of(language))
    read_lines((FOLDER / "common.txt").read_text(encoding="utf-8").splitlines(), shapes)
    read_lines((FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines(), grammar)
    grammar.faults += shapes.faults
    grammar.symbols = shapes.symbols | grammar.symbols
    drop_unusable(grammar)
    drop_circles(grammar)
    return grammar


def near(cast: Cast, scene: str) -> tuple[str, Pieces]:
    """(scene and symbol, pieces) of one of these scenes."""
    rng, grammar = cast.rng, near_grammar(cast.language)
    rows = SYMBOLS[scene]
    symbol = rng.choices([name for name, _ in rows], [weight for _, weight in rows])[0]
    if scene == "street" and rng.random() < FOREIGN:
        country = rng.choice(sorted({name for names in COUNTRIES.values() for name in names}))
        cast = Cast(rng, cast.language, country)
    words = scene == "wordname"
    said = opened(rng, peopled(cast, grammar, symbol, words=words), scene)
    if rng.random() < TWICE and len(text_of(said)) < LONG:
        other = rng.choice([*(name for name, _ in rows), "near.opening"])
        more = opened(rng, peopled(cast, grammar, other, words=words), scene)
        said = joined([said, more], rng.choice((" ", " ", "\n", ". ", " - ", "\n\n", ", ")))
    if scene == "capitals":
        said = shouted(rng, said)
    return f"{scene}.{symbol.partition('.')[2]}", noise.noisy(rng, said, HABITS[scene])


def peopled(cast: Cast, grammar: Grammar, symbol: str, *, words: bool) -> Pieces:
    """One expansion; who is named in it has at times a word as name, or one that no list holds."""
    parts = expand(grammar, symbol, cast.rng)
    for part in parts:
        key = part.name[:2] if isinstance(part, Slot) else ""
        if key[:1] == "p" and key[1:].isdigit() and key not in cast.people:
            cast.people[key] = renamed(cast.rng, cast.person(key), cast.language, words=words)
    out: Pieces = []
    for part in parts:
        out += cast.fill(part.name) if isinstance(part, Slot) else [(part, None)]
    return out


def renamed(rng: random.Random, who: Person, language: str, *, words: bool) -> Person:
    """The person, the person with a word as name, or with one that no list holds."""
    dice = rng.random()
    if dice < (0.85 if words else 0.1):
        return of_words(rng, who, language)
    return unheard(rng, who) if not words and dice < 0.4 else who


def of_words(rng: random.Random, who: Person, language: str) -> Person:
    """The person with a word of the language as given name, surname or both."""
    dice = rng.random()
    given = name_word(rng, language) if dice < 0.7 else who.given
    surname = name_word(rng, language) if dice > 0.45 else who.surname
    return Person(who.gender, given, "", surname, "", "", given.split()[0], who.origin, "western")


def name_word(rng: random.Random, language: str) -> str:
    """A word that is a name as well, with its capital."""
    text = "".join(str(part) for part in expand(near_grammar(language), WORDS, rng)).split(" ")[-1]
    return text[0].upper() + text[1:]


def unheard(rng: random.Random, who: Person) -> Person:
    """The person with an invented given name, surname or both."""
    dice = rng.random()
    given = invented(rng) if dice < 0.75 else who.given
    surname = invented(rng) if dice > 0.4 else who.surname
    return Person(
        who.gender,
        given,
        "",
        surname,
        "",
        "",
        given[:4] if len(given) > 5 else given,
        who.origin,
        "western",
    )


def opened(rng: random.Random, pieces: Pieces, scene: str) -> Pieces:
    """A capital at the start of the text, as mostly written; in prices and lists not always."""
    if pieces and pieces[0][1] is None and rng.random() < (0.55 if scene == "wordname" else 0.75):
        text = pieces[0][0]
        return [(text[:1].upper() + text[1:], None), *pieces[1:]]
    return pieces


def shouted(rng: random.Random, pieces: Pieces) -> Pieces:
    """Capitals: everything, the words around the values alone, or the first line."""
    dice = rng.random()
    if dice < 0.5:
        return noise.upper(rng, pieces)
    if dice < 0.8:
        return [(text.upper() if label is None else text, label) for text, label in pieces]
    out: Pieces = []
    first = True
    for text, label in pieces:
        head, line, rest = text.partition("\n")
        out.append(((head.upper() if first else head) + line + rest, label))
        first = first and not line
    return out


def misnamed(rng: random.Random, pieces: Pieces) -> Pieces:
    """Typos in names alone: they are names still."""
    return [
        (noise.mistyped(rng, text, 0.15) or text if label == "PERSON" else text, label)
        for text, label in pieces
    ]


def misspelt(rng: random.Random, pieces: Pieces) -> Pieces:
    """Typos in the first words: they are no names for that."""
    if not pieces or pieces[0][1] is not None:
        return pieces
    head, space, rest = pieces[0][0].partition(" ")
    return [((noise.mistyped(rng, head, 0.3) or head) + space + rest, None), *pieces[1:]]


def stretched(rng: random.Random, pieces: Pieces) -> Pieces:
    """A vowel drawn out in one word around the names: sooo, neeein."""
    out: Pieces = []
    which = rng.randrange(len(pieces)) if pieces else 0
    for n, (text, label) in enumerate(pieces):
        words = text.split(" ")
        at = rng.randrange(len(words))
        if n != which:
            out.append((text, label))
            continue
        vowels = [i for i, char in enumerate(words[at]) if char.lower() in "aeiouäöüáéíóy"]
        if label is None and vowels and len(words[at]) < 9 and "{" not in words[at]:
            i = rng.choice(vowels)
            words[at] = words[at][:i] + words[at][i] * rng.randint(3, 6) + words[at][i + 1 :]
        out.append((" ".join(words), label))
    return out


def unpunctuated(rng: random.Random, pieces: Pieces) -> Pieces:
    """Points and commas before a space left out, and those at the end; nothing is glued by that."""
    del rng
    out = [(text if label else ENDS.sub("", text), label) for text, label in pieces]
    if out and out[-1][1] is None:
        out[-1] = (out[-1][0].rstrip(".,;:!?"), None)
    return out


def some_small(rng: random.Random, pieces: Pieces) -> Pieces:
    """Some names in small letters, the others and the words as they are."""
    return [
        (noise.small(text) if label == "PERSON" and rng.random() < 0.6 else text, label)
        for text, label in pieces
    ]


def titled(rng: random.Random, pieces: Pieces) -> Pieces:
    """A capital at every word, as in headings."""
    del rng
    return [
        (
            " ".join(word[:1].upper() + word[1:] for word in text.split(" "))
            if label is None
            else text,
            label,
        )
        for text, label in pieces
    ]


def tagged(rng: random.Random, pieces: Pieces) -> Pieces:
    """A tail of social text: a handle, tags, a link."""
    tail = shaped(rng, rng.choice((" #^^^^", " #^^^^^^^", " https://t.co/**********", " x", " xx")))
    at = tail.startswith(" https")
    return [*pieces, (tail[:1], None), (tail[1:], "URL" if at else None)]


CHAT: tuple[tuple[noise.Change, float], ...] = (
    (misnamed, 0.07), (misspelt, 0.06), (stretched, 0.06), (some_small, 0.1), (titled, 0.05), (noise.lower, 0.3), (noise.upper, 0.05),
    (noise.capital_names, 0.04), (noise.unaccented, 0.1), (unpunctuated, 0.25), (noise.typos, 0.08), (noise.spaced, 0.03), (noise.curly, 0.08),
    (noise.crlf, 0.06), (noise.stretched, 0.06), (noise.zero_width, 0.006), (noise.decomposed, 0.006), (noise.escaped, 0.01), (noise.ocr, 0.02),
)  # fmt: skip
PRINTED: tuple[tuple[noise.Change, float], ...] = (
    (noise.lower, 0.08), (noise.unaccented, 0.12), (noise.ocr, 0.1), (noise.spaced, 0.06), (noise.crlf, 0.12), (noise.curly, 0.08), (noise.typos, 0.03),
)  # fmt: skip
HABITS = {
    "near": CHAT, "wordname": CHAT, "chatter": (*CHAT, (tagged, 0.15)), "opening": CHAT, "capitals": PRINTED, "street": CHAT,
}  # fmt: skip
