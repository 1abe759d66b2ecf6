"""Codes and telephone numbers in words, as they are dictated: digits, letters and signs.

"seis sesenta y dos cero cuarenta y uno", "double five oh", "ge ye ka cero", "BO dash 668".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from scrubbers.surrogates.numberwords import LANGUAGES, Words, say, together, words_of
from scrubbers.surrogates.readings import Reading
from scrubbers.surrogates.text import cased, digits_of, fold
from scrubbers.surrogates.unit import Unwritable

TYPES = frozenset(
    ("PHONE_NUMBER", "IBAN_CODE", "CREDIT_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "PASSPORT",
     "LICENCE_PLATE", "PASSWORD", "SECRET", "MEDICAL_ID", "OTHER_ID")
)  # fmt: skip
DIGITS_ONLY = frozenset(("PASSWORD", "SECRET"))
LETTER = "[^\\W\\d_]"
TOKEN = re.compile(f"(?:{LETTER}|[\u0300-\u036f])+|\\d+")
MAY_SPEAK = re.compile(f"{LETTER}{{4}}|{LETTER}.*[\\s-]{LETTER}.*[\\s-]{LETTER}", re.S)
PAUSE = re.compile(r"[\s,.;:\u2013-]+")
LONGEST = 7  # words of one number
FAR_TOO_LONG = 500  # characters of anything that is dictated
ENOUGH = 3  # what the words of a text must weigh; a short word or letter may stand there by chance
LITERAL = 3  # letters that are said as a word, "BO dash 668"


@dataclass(frozen=True, slots=True)
class Said:
    """A stretch of a dictated text and what it means.

    `kind`: number, letter, name (of a letter), nato, sign, double, digits or literal.
    """

    kind: str
    start: int
    end: int
    plain: str


@dataclass(frozen=True, slots=True)
class Dictation:
    """A dictated text: its language and stretches."""

    text: str
    lang: str
    said: tuple[Said, ...]

    @property
    def plain(self) -> str:
        """The code."""
        return "".join(
            part for gap, one in self.parts() for part in (PAUSE.sub("", gap), one.plain)
        )

    def parts(self) -> Iterator[tuple[str, Said]]:
        """Each stretch behind the gap before it; the last one is empty."""
        end = 0
        for one in (*self.said, Said("literal", len(self.text), len(self.text), "")):
            yield self.text[end : one.start], one
            end = one.end


def reading(text: str, entity: str) -> Reading | None:
    """A dictated value, None if it is none."""
    if entity not in TYPES or len(text) > FAR_TOO_LONG or not MAY_SPEAK.search(text):
        return None
    heard = listen(text)
    if heard is None or (entity in DIGITS_ONLY and not heard.plain.isdigit()):
        return None

    def write(new: str) -> str:
        for plainness in range(3):
            written = dictated(new, heard, plainness)
            again = listen(written)
            plain = again.plain if again else written
            if PAUSE.sub("", plain).lower() == PAUSE.sub("", new).lower():
                return written
        raise Unwritable("a dictated value that cannot be said: quarantine the record")

    return Reading(heard.plain, write)


# --- hearing --------------------------------------------------------------------------------


def listen(text: str) -> Dictation | None:
    """The text in the language that understands most of it; None if none understands all."""
    if len(text) > FAR_TOO_LONG:
        return None
    tokens = list(TOKEN.finditer(text))
    if any(left.end() == right.start() for left, right in pairwise(tokens)):
        return None
    spaced = re.search(r"\s", text) is not None
    best, most = None, (0, 0)
    for lang in LANGUAGES:
        said = heard(text, tokens, words_of(lang))
        weight = sum(weigh(one, spaced=spaced) for one in said)
        rank = -sum(one.kind in ("letter", "literal") for one in said), weight
        if said and weight >= ENOUGH and (best is None or rank > most):
            best, most = Dictation(text, lang, tuple(zeros(said, lang))), rank
    return best


def weigh(one: Said, *, spaced: bool) -> int:
    """How sure it is that a stretch is dictated; codes are not, in groups of two without blanks."""
    long = one.end - one.start > LITERAL
    weights = {"number": 1 + long, "double": 2, "sign": 1 + 2 * long, "nato": 2}
    return weights.get(one.kind, int(one.kind == "name" and spaced))


def heard(text: str, tokens: Sequence[re.Match[str]], words: Words) -> list[Said]:
    """The stretches, [] if a word is not understood."""
    found: list[Said] = []
    place = 0
    while place < len(tokens):
        size, one = stretch(text, tokens[place : place + LONGEST], words)
        if one is None:
            return []
        found.append(one)
        place += size
    return found


def stretch(text: str, tokens: Sequence[re.Match[str]], words: Words) -> tuple[int, Said | None]:
    """The longest stretch at the start that means something, and its number of tokens."""
    first = tokens[0]
    if times := words.doubles.get(together(first[0]), 0) if len(tokens) > 1 else 0:
        size, one = stretch(text, tokens[1:], words)
        if one and len(one.plain) == 1:
            return size + 1, Said("double", first.start(), one.end, one.plain * times)
    for size in range(len(tokens), 0, -1):
        run = text[first.start() : tokens[size - 1].end()]
        if not re.fullmatch("[^\\W\\d_]|[^\\W\\d_][\\w\\s'’\u0300-\u036f-]*", run) and size > 1:
            continue
        if meaning := understood(run, words):
            one = Said(meaning[0], first.start(), tokens[size - 1].end(), meaning[1])
            return linked(tokens, size, one, words)
    return 1, None


def understood(run: str, words: Words) -> tuple[str, str] | None:
    """(kind, plain) of a run of words."""
    if run.isdecimal():
        return "digits", digits_of(run)
    joined = together(run)
    if len(run) > 1 and not re.search(f"{LETTER}{{2}}", run):
        return None
    for kind, table in (
        ("number", words.numbers),
        ("sign", words.signs),
        ("name", words.letters),
        ("nato", words.nato),
    ):
        if joined in table and not re.search(r"\d", run):
            return kind, table[joined]
    if len(run) == 1:
        return "letter", run
    return ("literal", run) if len(run) <= LITERAL and run.isalpha() else None


def linked(tokens: Sequence[re.Match[str]], size: int, one: Said, words: Words) -> tuple[int, Said]:
    """A letter with the word that explains it: "eme de Madrid"."""
    if one.kind not in ("letter", "name"):
        return size, one
    for links in (1, 2):
        behind = tokens[size : size + links + 1]
        link = together("".join(token[0] for token in behind[:links]))
        if len(behind) <= links or link not in words.links or len(behind[-1][0]) < LITERAL:
            continue
        if fold(behind[-1][0])[:1] == fold(one.plain):
            return size + links + 1, replace(one, end=behind[-1].end())
    return size, one


def zeros(said: Sequence[Said], lang: str) -> Iterator[Said]:
    """The letter o between English numbers is a zero."""
    for place, one in enumerate(said):
        around = [said[i].kind for i in (place - 1, place + 1) if 0 <= i < len(said)]
        zero = lang == "en" and one.kind == "letter" and one.plain in "oO"
        yield (
            replace(one, kind="number", plain="0")
            if zero and set(around) <= {"number", "double"}
            else one
        )


# --- saying ---------------------------------------------------------------------------------


def dictated(new: str, heard: Dictation, plainness: int) -> str:
    """Another code of the same places in words.

    `plainness`: 0 numbers as they stood, 1 a word for each digit, 2 digits and letters.
    """
    out, at = [], 0
    for gap, one in heard.parts():
        kept = len(PAUSE.sub("", gap))
        at += kept
        chunk = new[at : at + len(one.plain)]
        at += len(chunk)
        out += [gap, spell(chunk, one, heard, plainness)]
    return "".join(out)


def spell(chunk: str, one: Said, heard: Dictation, plainness: int) -> str:
    """The new characters of a stretch in the kind of words that stood there."""
    source = heard.text[one.start : one.end]
    if one.kind == "sign" or not chunk:
        return source
    if one.kind in ("digits", "literal"):
        return " ".join(chunk) if plainness and one.kind == "literal" else chunk
    if plainness > 1:
        return in_case(source, " ".join(chunk))
    if one.kind == "double" and len(set(chunk)) == 1 and not plainness:
        head = source.split()[0]
        return f"{head} {in_case(source, word_for(chunk[0], one, heard))}"
    if one.kind == "number" and 1 < len(chunk) < 4 and chunk[0] != "0" and not plainness:
        return in_case(source, hyphens(say(heard.lang, int(chunk)), heard))
    return " ".join(in_case(source, word_for(char, one, heard)) for char in chunk)


def word_for(char: str, one: Said, heard: Dictation) -> str:
    """The word for one character."""
    words = words_of(heard.lang)
    if char.isdigit():
        english_oh = char == "0" and any(
            together(p) in ("o", "oh") for p in TOKEN.findall(heard.text)
        )
        return "oh" if english_oh and heard.lang == "en" else say(heard.lang, int(char))
    table = {"name": words.letters, "nato": words.nato}.get(one.kind, {})
    return next((name for name, letter in table.items() if letter == char.lower()), char)


def hyphens(said: str, heard: Dictation) -> str:
    """English and French numbers with hyphens or without, as in the text."""
    if heard.lang == "en" and "-" in heard.text:
        return re.sub("(?<=ty) ", "-", said)
    return said.replace("-", " ") if heard.lang == "fr" and "-" not in heard.text else said


def in_case(source: str, said: str) -> str:
    """Words in the letter case of those that stood there."""
    return said.upper() if len(source) > 1 and source.isupper() else cased(source, said)
