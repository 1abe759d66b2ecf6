"""Scenes of general text: encyclopedias, answers of assistants, casts, programs, cues without values."""

from __future__ import annotations

import random
import re

from tagger import knowledge, noise, programs
from tagger.cast import Cast, render
from tagger.grammar import COMMON, Grammar, grammar_of
from tagger.pieces import Pieces, joined, plain, text_of

SCENES = frozenset(("world", "casting", "answer", "snippet", "cue"))
SYMBOLS = {  # scene -> (symbol, weight); the ones in `quiet` hold no direct identifier
    "world": (("world.article", 68), ("world.quiet", 32)),
    "casting": (("casting.list", 1),),
    "answer": (("instruct.answer", 30), ("instruct.quiet", 70)),
    "snippet": (("instruct.code", 42), ("instruct.data", 38), ("instruct.people", 20)),
    "cue": (("instruct.cue", 1),),
}
LIGHT: tuple[tuple[noise.Change, float], ...] = (  # printed text: mostly as it should be
    (noise.lower, 0.03), (noise.upper, 0.015), (noise.unaccented, 0.04), (noise.curly, 0.12), (noise.typos, 0.02), (noise.spaced, 0.03), (noise.ocr, 0.02),
    (noise.crlf, 0.03), (noise.decomposed, 0.01), (noise.mojibake, 0.008),
)  # fmt: skip
WORLDLY = 0.75
ARTICLE = re.compile(r"\b([Aa])n?(?= (\w))")
VOWELS = frozenset("AEIOUaeiou")


def general(cast: Cast, scene: str) -> tuple[str, Pieces]:
    """(scene and part, pieces) of one of these scenes."""
    rng = cast.rng
    if scene in ("world", "casting", "answer") and rng.random() < WORLDLY:
        gather(cast)
    rows = SYMBOLS[scene]
    symbol = rng.choices([name for name, _ in rows], [weight for _, weight in rows])[0]
    name = f"{scene}.{symbol.rpartition('.')[2]}"
    if scene == "snippet":
        return snippet(cast, symbol)
    language = cast.language if grammar_of(cast.language).has(symbol) else "en"
    said = render(cast, grammar_of(language), symbol)
    said, name = extended(cast, said, grammar_of(language), symbol, name)
    said = articles(said) if language == "en" else said
    return name, noise.noisy(rng, said, noise.CASUAL if scene == "cue" else LIGHT)


def extended(
    cast: Cast, said: Pieces, grammar: Grammar, symbol: str, name: str
) -> tuple[Pieces, str]:
    """More of the same; after words about credentials at times somebody's values."""
    rng, parts = cast.rng, [said]
    if name == "cue.cue" and rng.random() < 0.3 and grammar.has("chat.user"):
        parts.append(render(cast, grammar, rng.choice(("chat.user", "ticket", "form", "mail"))))
        rng.shuffle(parts)
        return joined(parts, rng.choice((" ", "\n", "\n\n"))), "cue.mixed"
    wanted = rng.choices((1, 2, 3, 5), (70, 18, 8, 4))[0]
    while len(parts) < wanted and sum(len(text_of(part)) for part in parts) < 900:
        cast.later = rng.random() < 0.5
        cast.kept = {} if rng.random() < 0.6 else cast.kept
        parts.append(render(cast, grammar, symbol))
    return joined(parts, rng.choice((" ", "\n", "\n\n"))), name


def articles(pieces: Pieces) -> Pieces:
    """English a and an as the next letter has it, where both are plain text."""
    return [
        (
            text if label else ARTICLE.sub(lambda m: m[1] + ("n" if m[2] in VOWELS else ""), text),
            label,
        )
        for text, label in joined_plain(pieces)
    ]


def joined_plain(pieces: Pieces) -> Pieces:
    """Neighbouring pieces without label as one."""
    out: Pieces = []
    for text, label in pieces:
        if label is None and out and out[-1][1] is None:
            out[-1] = (out[-1][0] + text, None)
        else:
            out.append((text, label))
    return out


def gather(cast: Cast) -> None:
    """Puts people of any origin into the cast, as in texts about the world."""
    for key in ("p1", "p2", "p3", "p4", "p5"):
        cast.person(key)
        cast.people[key] = knowledge.someone(cast.rng, cast.language)


def snippet(cast: Cast, symbol: str) -> tuple[str, Pieces]:
    """Programs and data: alone, two of them, or after a few words."""
    rng, name = cast.rng, f"snippet.{symbol.rpartition('.')[2]}"
    said = render(cast, grammar_of(COMMON), symbol)
    if rng.random() < 0.25 and len(text_of(said)) < 500:
        cast.kept = {} if rng.random() < 0.7 else cast.kept
        other = rng.choice(("instruct.code", "instruct.data", "instruct.people", symbol))
        said = joined([said, render(cast, grammar_of(COMMON), other)], rng.choice(("\n\n", "\n")))
        name = "snippet.people" if other == "instruct.people" else name
    if rng.random() < 0.2 and grammar_of(cast.language).has("instruct.quiet"):
        words = render(cast, grammar_of(cast.language), "instruct.advice")
        said = [*words, *plain("\n\n"), *said]
    if rng.random() < 0.06:
        said = [*said, *plain("\n"), *programs.log(cast, quiet=True)]
    return name, noise.noisy(rng, said, ((in_one_line, 0.02), (noise.crlf, 0.05)))


def in_one_line(rng: random.Random, pieces: Pieces) -> Pieces:
    """Without line ends, as code is pasted into chats."""
    del rng
    return [(text.replace("\n", " "), label) for text, label in pieces]
