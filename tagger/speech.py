"""Numbers and addresses as they are said: digits in words, dot and at in words."""

from __future__ import annotations

import random

from tagger.wordlists import entries

SIGNS = {".": 10, "@": 11, "-": 12, "_": 13, "+": 14}
REPEATS = {"en": ("double", "triple"), "nl": ("dubbel",), "de": ("zweimal die",), "es": ("doble",)}


def digits(rng: random.Random, text: str, language: str) -> str:
    """A number digit by digit in words, grouped by commas at times; a few figures stay."""
    words = entries("dates", f"spoken.{language}")
    groups = [
        group
        for group in "".join(c if c.isalnum() or c == "+" else " " for c in text).split()
        if group
    ]
    if len(groups) == 1 and len(groups[0]) > 5:
        size = rng.choice((2, 3, 4))
        groups = [groups[0][i : i + size] for i in range(0, len(groups[0]), size)]
    said = [" ".join(said_group(rng, group, words, language)) for group in groups]
    return rng.choice((" ", ", ", " ", " ... ")).join(said)


def said_group(rng: random.Random, group: str, words: tuple[str, ...], language: str) -> list[str]:
    """One group of digits and letters."""
    out: list[str] = []
    i = 0
    while i < len(group):
        char = group[i]
        if char == "+":
            out.append(words[14])
        elif char.isdigit():
            twice = group[i : i + 2] == char * 2 and language in REPEATS and rng.random() < 0.4
            if twice:
                out.append(REPEATS[language][0])
                i += 1
            zero = (
                "oh"
                if language == "en" and char == "0" and rng.random() < 0.5
                else words[int(char)]
                if char.isascii()
                else char
            )
            out.append(zero)
        else:
            out.append(char)
        i += 1
    return out


def mail(rng: random.Random, text: str, language: str) -> str:
    """An e-mail address as said: maria dot reyes at gmail dot com."""
    words = entries("dates", f"spoken.{language}")
    out: list[str] = []
    for char in text.lower():
        if char in SIGNS:
            out.append(f" {words[SIGNS[char]]} ")
        elif char.isdigit() and rng.random() < 0.6:
            out.append(f" {words[int(char)]} ")
        else:
            out.append(char)
    return " ".join("".join(out).split())
