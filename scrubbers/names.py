"""Decides, word by word, what the two models' evidence makes of a text.

Measured on labelled chats in seven languages: of the capitalised words, nearly all with a
probability of 0.3 or more are names; with 0.05 to 0.3 they are names where spaCy says so too,
and mostly not where it does not; below 0.05 spaCy alone is wrong four times in five. Words in
lower case need more, since both models take ordinary words of short texts for names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from scrubbers import onnx_names, spacy_names
from scrubbers.evidence import Hit
from scrubbers.finding import Finding
from scrubbers.labels import is_organisation, is_place
from scrubbers.language import is_function_word
from scrubbers.name_guards import (
    CALENDAR,
    NUMBERED,
    PARTICLES,
    WORD,
    is_title,
    is_word_of_name,
    placeholders,
)
from scrubbers.not_names import is_ordinary, nowhere
from scrubbers.passage import Passage
from scrubbers.rules.tables import heads

Detector = Callable[[Sequence[Passage]], list[list[Finding]]]

# Probabilities at which a word begins a name ("alone", or "agreed": spaCy calls it a person),
# by the word's case. "initial": a capitalised word where any word would be, at the start of a
# sentence. "capitals": the line around is in capitals as well; a short word in capitals amid
# others is an "acronym" unless the model is sure. "lower": in a line without any capital;
# "small": in lower case beside capitals, mostly a common word. "word": a month, a day or a
# function word with a capital (Will, May, August).
ALONE = {
    "title": 0.3, "initial": 0.75, "capitals": 0.85, "acronym": 0.85, "lower": 0.85, "small": 2.0,
    "word": 0.9,
}  # fmt: skip
AGREED = {
    "title": 0.05, "initial": 0.3, "capitals": 0.2, "acronym": 0.5, "lower": 0.5, "small": 0.85,
    "word": 0.5,
}  # fmt: skip
# Beside a word that is already in a name.
JOINED = {
    "title": 0.1, "initial": 0.1, "capitals": 0.15, "acronym": 0.3, "lower": 0.5, "small": 0.8,
    "word": 0.5,
}  # fmt: skip
ACRONYM = 5
# Address words act from here.
ADDRESS = 0.5
# A vote of spaCy lowers what a joined word needs to this part of it.
VOTED = 0.5
# What may stand between two words of one name, or of one address.
_NAME_GAP = re.compile(r"[ \t]{1,2}|-|['’]")
_INITIAL_GAP = re.compile(r"\.[ \t]?-?")
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n>])[\s\"'«„“*#-]*\Z")
_TOUCHING = re.compile(r"[\s,./()|·-]{0,5}(?:[A-Z]{1,3}[\s,.-]{1,3})?")
_ADDRESS_GAP = re.compile(r"[ \t]{0,2}[,./º°ª-]{0,2}\s{0,2}(?:n\.?[º°] ?)?")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word with what both models say: `onnx` probability, `spacy` whether it says PERSON."""

    start: int
    end: int
    case: str
    onnx: float
    spacy: bool


def build(detectors: Iterable[str]) -> Detector:
    """The detector of names and places that uses `spacy`, `onnx` or both."""
    wanted = frozenset(detectors)

    def detect(passages: Sequence[Passage]) -> list[list[Finding]]:
        nothing: list[list[Hit]] = [[] for _ in passages]
        by_onnx = onnx_names.evidence(passages) if "onnx" in wanted else nothing
        by_spacy = spacy_names.evidence(passages) if "spacy" in wanted else nothing
        rows = zip(passages, by_onnx, by_spacy, strict=True)
        return [_decide(passage, a, b, has_onnx="onnx" in wanted) for passage, a, b in rows]

    return detect


def _decide(
    passage: Passage, by_onnx: list[Hit], by_spacy: list[Hit], *, has_onnx: bool
) -> list[Finding]:
    native = spacy_names.native(passage.language)
    persons = [hit for hit in by_spacy if hit.group == "PERSON"]
    words = _words(passage, by_onnx, persons, native=native)
    found = _people(passage, words, trust_spacy=native and not has_onnx)
    found += _addresses(passage.text, by_onnx)
    if native:
        found += [_plain(hit, "spacy") for hit in by_spacy if hit.group != "PERSON"]
    found += [_plain(h, "onnx") for h in by_onnx if h.group == "LOCATION" and h.score >= ADDRESS]
    return sorted(found)


def _plain(hit: Hit, detector: str) -> Finding:
    return Finding(hit.start, hit.end, hit.group, hit.score, detector)


def _words(
    passage: Passage, by_onnx: list[Hit], persons: list[Hit], *, native: bool
) -> list[_Word]:
    """The words of the text that any model gives a chance and that could be in a name."""
    text, german = passage.text, passage.language == "de"
    odds = {(hit.start, hit.end): hit.score for hit in by_onnx if hit.group == "PERSON"}
    empty = [*placeholders(text), *nowhere(text, german=german), *heads(text)]
    found: list[_Word] = []
    for match in WORD.finditer(text):
        start, end = match.span()
        votes = any(hit.start < end and hit.end > start for hit in persons)
        if not votes and (start, end) not in odds:
            continue
        if any(a < end and b > start for a, b in empty) or not is_word_of_name(text, start, end):
            continue
        case = _case(text, start, end)
        if native and votes and case == "initial":
            case = "title"  # a model of this very language is not misled by a capital there
        found.append(_Word(start, end, case, odds.get((start, end), 0.0), votes))
    return found


def _case(text: str, start: int, end: int) -> str:
    """The row of ALONE and AGREED for the word at that place."""
    word = text[start:end]
    if (word.casefold() in CALENDAR or is_function_word(word)) and not word.islower():
        return "word"
    line = text[text.rfind("\n", 0, start) + 1 : (text.find("\n", end) + 1 or len(text) + 1) - 1]
    if word[0].islower():
        return "small" if any(map(str.isupper, line)) else "lower"
    if len(word) == 1 or not word.isupper():
        return "initial" if _SENTENCE_START.search(text[max(0, start - 8) : start]) else "title"
    rest = line.replace(word, "")
    upper, lower = sum(map(str.isupper, rest)), sum(map(str.islower, rest))
    return "acronym" if len(word) <= ACRONYM and lower >= upper else "capitals"


def _people(passage: Passage, words: list[_Word], *, trust_spacy: bool) -> list[Finding]:
    """Names as findings: seeds, widened by the words beside them, without titles."""
    text = passage.text
    inside = [_is_seed(word, trust_spacy=trust_spacy) for word in words]
    for order in (range(1, len(words)), range(len(words) - 2, -1, -1)):
        for place in order:
            beside = place - order.step
            if inside[beside] and not inside[place]:
                near = _joined(passage, words[min(place, beside)], words[max(place, beside)])
                inside[place] = near and _joins(text, words[place])
    members = [word for word, is_in in zip(words, inside, strict=True) if is_in]
    groups = _runs(passage, members)
    return [found for group in groups if (found := _person(passage, group))]


def _is_seed(word: _Word, *, trust_spacy: bool) -> bool:
    if trust_spacy and word.spacy:
        return word.case != "acronym"
    return word.onnx >= (AGREED if word.spacy else ALONE)[word.case]


def _joins(text: str, word: _Word) -> bool:
    particle = text[word.start : word.end].casefold() in PARTICLES
    needed = JOINED[word.case] * (VOTED if word.spacy else 1)
    return particle or word.onnx >= needed


def _joined(passage: Passage, left: _Word, right: _Word) -> bool:
    """Whether only a space, a full stop of an initial, or particles stand between two words."""
    text = passage.text
    gap = text[left.end : right.start]
    von = passage.language == "de" and text[left.start : left.end] == "v"
    initial = left.end - left.start <= 2 and (text[left.start].isupper() or von)
    if _NAME_GAP.fullmatch(gap) or (initial and _INITIAL_GAP.fullmatch(gap)):
        return True
    between = gap.split()
    if between in (["v"], ["v."]) and passage.language != "de":
        return False  # versus, not von
    return len(gap) <= 20 and "\n" not in gap and bool(between) and all(
        part.casefold().strip(".") in PARTICLES for part in between
    )  # fmt: skip


def _runs(passage: Passage, words: list[_Word]) -> list[list[_Word]]:
    runs: list[list[_Word]] = []
    for word in words:
        if runs and _joined(passage, runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _person(passage: Passage, group: list[_Word]) -> Finding | None:
    """The run as one finding, without titles and greetings around it and particles behind."""
    text = passage.text
    while group and is_title(text[group[0].start : group[0].end], passage.language):
        group = group[1:]
    while group and (
        _plain_word(text, group[-1]) in PARTICLES
        or is_title(text[group[-1].start : group[-1].end], passage.language)
    ):
        group = group[:-1]
    if not group or all(_plain_word(text, word) in PARTICLES for word in group):
        return None
    start, end = group[0].start, group[-1].end
    if text[end - 2 : end] in ("'s", "’s"):
        end -= 2
    if sum(map(str.isalpha, text[start:end])) < 2:
        return None
    score = max(word.onnx for word in group)
    agreed = score >= onnx_names.FLOOR and any(word.spacy for word in group)
    if len(group) == 1 and is_ordinary(text, start, end, agreed=agreed, odds=score):
        return None
    by_spacy = score < ALONE["title"]
    score = max(score, spacy_names.SCORE) if any(word.spacy for word in group) else score
    kind = _kind(text, start, end, passage.label)
    return Finding(start, end, kind, score, "spacy" if by_spacy else "onnx")


def _kind(text: str, start: int, end: int, label: str) -> str:
    if is_organisation(text, start, end, label):
        return "ORGANIZATION"
    return "LOCATION" if is_place(text, start, end, label) else "PERSON"


def _plain_word(text: str, word: _Word) -> str:
    return text[word.start : word.end].casefold().replace(".", "")


def _addresses(text: str, hits: list[Hit]) -> list[Finding]:
    """Street, number, part and postal code, joined where only punctuation is between."""
    parts: list[Hit] = []
    for hit in hits:
        if hit.group not in ("ADDRESS", "ZIP") or hit.score < ADDRESS:
            continue
        if parts and _ADDRESS_GAP.fullmatch(text[parts[-1].end : hit.start]):
            score = max(parts[-1].score, hit.score)
            group = "ADDRESS" if "ADDRESS" in (parts[-1].group, hit.group) else "ZIP"
            parts[-1] = Hit(parts[-1].start, max(parts[-1].end, hit.end), group, score)
        else:
            parts.append(hit)
    places = [h for h in hits if h.group == "LOCATION" and h.score >= ADDRESS]
    places += [part for part in parts if part.group == "ADDRESS" and _worded(text, part)]
    return [_plain(replace(p, group="ADDRESS"), "onnx") for p in parts if _acts(text, p, places)]


def _acts(text: str, part: Hit, places: list[Hit]) -> bool:
    """A street needs a number or two words; digits alone a street or a town that they touch."""
    value = text[part.start : part.end]
    digits = any(map(str.isdecimal, value))
    if part.group == "ZIP" or not any(map(str.isalpha, value)):
        return digits and any(_touch(text, part, place) for place in places)
    named = sum(word[0].isupper() for word in WORD.findall(value))
    return _worded(text, part) and (digits or named > 1) and len(value) >= 5


def _worded(text: str, part: Hit) -> bool:
    """Whether a part has a word in it, and a capital: no "step H1" and no "units 101-105"."""
    words = WORD.findall(text[part.start : part.end])
    worded = [word for word in words if len(word) >= 3 and word.isalpha()]
    named = any(word[0].isupper() for word in words)
    return named and any(word.casefold() not in NUMBERED for word in worded)


def _touch(text: str, part: Hit, place: Hit) -> bool:
    """Whether only punctuation or the letters of a state stand between two parts."""
    if place.start <= part.start and part.end <= place.end:
        return False
    first, second = sorted((part, place), key=lambda hit: hit.start)
    return _TOUCHING.fullmatch(text[first.end : second.start]) is not None
