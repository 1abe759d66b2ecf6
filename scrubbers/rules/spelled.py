"""Identifiers that are spelled: letter by letter, digits as words, "ana at acme dot com"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import finding, holds, lower, words
from scrubbers.words import word_list

_LETTERS = re.compile(
    r"(?<![\w-])[^\W\d_](?:-[^\W\d_]){2,23}(?:,? {1,2}[^\W\d_](?:-[^\W\d_]){1,23}){0,3}(?![\w-])"
    r"|(?<![\w'’.-])[^\W\d_](?: [^\W\d_]){2,23}(?![\w'’-])"
)
_NAME_CUE = re.compile(
    r"(?:\bnames?\b|\bspel(?:led|t|ling|ls|l)\b|\bsurname\b|\bnombre\b|\bapellido\b|\bdeletre\w+|\bnom\b|\bpr[ée]nom\b"
    r"|\b[ée]pel\w+|\bnachname\b|\bvorname\b|\bbuchstabier\w+|\bnome\b|\bcognome\b|\bsobrenome\b|\bsoletra\w*|\bnaam\b|\bgespeld\b)"
    r"[^\n]{0,40}$",
    re.IGNORECASE,
)
_DIGIT_WORDS = {
    "en": "zero oh one two three four five six seven eight nine double triple",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve doble",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf",
    "de": "null eins zwei zwo drei vier fünf sechs sieben acht neun",
    "it": "zero uno due tre quattro cinque sei sette otto nove",
    "pt": "zero um dois três quatro cinco seis meia sete oito nove",
    "nl": "nul een één twee drie vier vijf zes zeven acht negen",
}
_ALL = frozenset(word for row in _DIGIT_WORDS.values() for word in row.split())
_LEAST = 7
_RUNS = tuple(
    re.compile(
        rf"(?<!\w)(?:{row.replace(' ', '|')})(?:[ ,.-]{{1,3}}(?:{row.replace(' ', '|')})){{{_LEAST - 1},24}}(?!\w)",
        re.IGNORECASE,
    )
    for row in _DIGIT_WORDS.values()
)
_MAIL = re.compile(
    r"(?<![\w.])[\w+-]{2,40}(?: (?:dot|punto|point|punkt|ponto|punt) [\w-]{1,30}){0,2} (?:at|arroba|arobase|chiocciola|ät)"
    r" [\w-]{2,40}(?: (?:dot|punto|point|punkt|ponto|punt) [\w-]{2,20}){1,3}(?!\w)",
    re.IGNORECASE,
)
_MAIL_CUE = re.compile(
    r"(?:mail|correo|courriel|address|adresse|direcci[oó]n|indirizzo|endereço|adres|reach|contact|write to)[^\n]{0,40}$",
    re.IGNORECASE,
)
_DOTS = tuple(f" {word} " for word in word_list("dot punto point punkt ponto punt"))
_REACH = 60


def letters(passage: Passage) -> Iterable[Finding]:
    """Three or more single letters in a row behind a word for a name or for spelling."""
    text = passage.text
    for match in _LETTERS.finditer(text):
        if _NAME_CUE.search(text, max(0, match.start() - _REACH), match.start()):
            yield finding(match.span(), "PERSON", 0.9)


def digits(passage: Passage) -> Iterable[Finding]:
    """Seven or more digits in a row that are written as words.

    No surrogate is written in words: such a record is quarantined with that reason.
    """
    text = passage.text
    if len(words(text) & _ALL) < 2:
        return
    for form in _RUNS:
        for match in form.finditer(text):
            if len(set(re.findall(r"\w+", match.group().lower()))) > 2 and not _counting(match):
                yield finding(match.span(), "PHONE_NUMBER", 0.7)


def _counting(match: re.Match[str]) -> bool:
    """Whether the words only count up: "one, two, three, four ..."."""
    said = re.findall(r"\w+", match.group().lower())
    places = [
        next((row.split().index(w) for row in _DIGIT_WORDS.values() if w in row.split()), 0)
        for w in said
    ]
    return all(b > a for a, b in pairwise(places))


def mails(passage: Passage) -> Iterable[Finding]:
    """E-mail addresses with "at" and "dot" in words, behind a word for an address."""
    text = passage.text
    if not holds(lower(text), _DOTS):
        return
    for match in _MAIL.finditer(text):
        if _MAIL_CUE.search(text, max(0, match.start() - _REACH), match.start()):
            yield finding(match.span(), "EMAIL_ADDRESS", 0.7)
