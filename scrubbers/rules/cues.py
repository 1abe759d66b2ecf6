"""Cue words: what kind of number the words beside a value announce.

The table maps a plain phrase (lower case, no diacritics, number-like words such as "number",
"no", "Nr" left out) to a type. The same table reads prose ("mi DNI es ..."), forms ("SSN: ...")
and JSON keys (`taxId`, `acct_no`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from scrubbers.rules.common import plain
from scrubbers.rules.vocabulary import CUES, ENDINGS, LINKS, SUFFIXES
from scrubbers.words import word_list

_WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*")
_CAMEL = re.compile(r"[A-Z](?<=[a-z].)")
# A gap that ends the clause between cue and value.
_BREAK = re.compile(r"[!?;]|\n[^\S\n]*\n|[,}\]]\s*\"|\\n\\n")
_AFTER = re.compile(
    r"[\"')\]]{0,2}\s{0,2}(?:\(|(?:as|is|como|als|comme|come|ist|es|est)\b)"
    r"\s?(?:(?:the|my|a|your|mein|meine|mi|mon|la|el|il|de|het)\s)?"
)
# Keys that hold whatever was written; they say nothing of what it is.
_CONTAINERS = frozenset(
    word_list("""text texts content contents value values message messages msg input inputs output outputs prompt
    prompts completion completions response responses body query queries question questions answer
    answers instruction instructions data arguments args parameters params param result results
    conversation conversations chosen rejected context system assistant gpt thinking reasoning
    summary title description note notes comment comments item items entry entries row rows list
    tool tools function delta part parts""")
)
# Words that ask for a call or a letter: cues in a sentence, never the label of a value.
_VERBS = frozenset(
    word_list("""call text texts ring sms mail reach llame llamar llameme llamame llamen marcar appelez appeler appel
    joindre rappeler rufen anrufen rufe erreichen chiamare chiami chiamami richiami ligar ligue bel
    bellen belt""")
)
_KEYED = re.compile(r"\W{0,3}[\"']\s{0,2}:")
WINDOW = 96  # characters looked at before a value
_WORDS = 12  # words looked at
UNKNOWN = 2  # words that are neither cue nor link which may stand between


@dataclass(frozen=True, slots=True)
class Cue:
    """`kind`: entity type; `phrase`: the table's entry; `ending`: only last digits follow."""

    kind: str
    phrase: str
    ending: bool
    unknown: int


def before(text: str, start: int) -> Cue | None:
    """The nearest cue before a value that begins at `start`, or None."""
    return _in_window(text[max(0, start - WINDOW) : start])


@lru_cache(maxsize=4096)
def _in_window(window: str) -> Cue | None:
    breaks = [m.end() for m in _BREAK.finditer(window)]
    clause = window[breaks[-1] if breaks else 0 :]
    words = _words(clause)
    ending = False
    unknown = 0
    for at in range(len(words) - 1, max(-1, len(words) - 9), -1):
        phrase = _phrase_ending_at(words, at)
        if phrase in _VERBS and _KEYED.search(clause):
            return None  # `"text": "..."`: a key in quotes, no call
        if phrase:
            far = unknown and not _one_line(clause, words[at])
            return None if far else Cue(CUES[phrase], phrase, ending, unknown)
        ending = ending or words[at] in ENDINGS
        unknown += words[at] not in LINKS and words[at] not in ENDINGS
        if unknown > UNKNOWN:
            return None
    return None


def after(text: str, end: int) -> Cue | None:
    """The cue in "X as the NHS number" or "X (Reisepassnummer)", or None."""
    match = _AFTER.match(text, end)
    if not match:
        return None
    words = _words(" ".join(text[match.end() : match.end() + 40].split()[:4]))
    for at in (0, 1, 2):
        phrase = _phrase_ending_at(words[: at + 1], at) if at < len(words) else ""
        if phrase:
            return Cue(CUES[phrase], phrase, ending=False, unknown=0)
    return None


def is_cue(words: str) -> bool:
    """Whether a short group of letters is itself a cue ("NPI ", "DNI ")."""
    word = plain(words.strip(" -"))
    return word in CUES or word in {"no", "nr", "num", "id"}


@lru_cache(maxsize=1024)
def is_container(label: str) -> bool:
    """Whether a key says nothing of its value: `text`, `content`, `arguments` ..."""
    words = _words(label)
    return len(words) == 1 and words[0] in _CONTAINERS


@lru_cache(maxsize=4096)
def of_label(label: str) -> Cue | None:
    """The cue in a JSON key or form label: its last known phrase (`customer_phone` -> phone)."""
    words = _words(label)
    if not words or len(words) > 6 or is_container(label):
        return None
    for at in range(len(words) - 1, -1, -1):
        phrase = _phrase_ending_at(words, at)
        if phrase in _VERBS:
            return None
        if phrase:
            return Cue(CUES[phrase], phrase, any(w in ENDINGS for w in words), len(words) - 1 - at)
        if words[at] not in LINKS and words[at] not in ENDINGS:
            return None
    return None


def _one_line(clause: str, word: str) -> bool:
    """Whether no line or table cell ends between the cue and the value."""
    tail = clause[max(0, plain(clause).rfind(word[-3:])) :]
    return "\n" not in tail and "|" not in tail


def _words(window: str) -> list[str]:
    return [plain(w) for w in _WORD.findall(_CAMEL.sub(r"_\g<0>", window))[-_WORDS:]]


def _phrase_ending_at(words: list[str], at: int) -> str:
    """The longest known phrase that ends with word `at`; "" if there is none."""
    for size in (3, 2, 1):
        if at - size + 1 < 0:
            continue
        phrase = " ".join(words[at - size + 1 : at + 1])
        if phrase in CUES:
            return phrase
    return _stem(words[at])


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """`kundennummer` -> `kunden`, `accounts` -> `account`, if the stem is a cue; else "".

    In scripts without word spaces the cue is the end of the run of letters.
    """
    if word[-1] > "\u2e80":
        return next((word[-n:] for n in range(12, 1, -1) if word[-n:] in CUES), "")
    if word.endswith("s") and word[:-1] in CUES and len(word) > 4:
        return word[:-1]
    for suffix in SUFFIXES:
        stem = word.removesuffix(suffix)
        if len(stem) >= 2 and stem != word and stem in CUES:
            return stem
    return ""
