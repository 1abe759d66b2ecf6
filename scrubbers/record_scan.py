"""Findings of whole records: which leaves are read, in which language, and what was not read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from scrubbers.date_twins import with_twins
from scrubbers.detect import Detector
from scrubbers.finding import Finding
from scrubbers.glued_names import with_glued
from scrubbers.jsontext import Leaf
from scrubbers.known_names import without_neighbours
from scrubbers.labels import is_place
from scrubbers.language import (
    UNKNOWN,
    detect_language,
    holds_words,
    record_language,
)
from scrubbers.name_guards import word_set
from scrubbers.one_type import one_type
from scrubbers.overlaps import settle
from scrubbers.passage import Passage
from scrubbers.propagate import propagate
from scrubbers.rules.ages import is_age, is_birth_year
from scrubbers.scripts import foreign_scripts, unread_scripts
from scrubbers.tail_search import tail_findings

NO_NAMES = "no-name-detector"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# A number with fewer digits than this identifies nobody by itself.
MIN_DIGITS = 5
# What a key needs to be read: without any of these it is a plain word.
_TELLING = re.compile(r"[\s@0-9\x80-\U0010ffff]")
# Values of these keys that are fixed words of the chat formats.
_ROLE_KEYS = frozenset({"role", "from", "type"})
_ROLES = word_set(
    "system user assistant tool function developer human gpt chatgpt bot model observation "
    "function_call function_response tool_call tool_calls tool_response text input_text "
    "output_text image image_url object string number integer boolean array null"
)


@dataclass(frozen=True, slots=True)
class RecordFindings:
    """What was found in one record.

    `findings`: (leaf index, finding in that leaf's text), sorted. `languages`: leaf index ->
    ISO 639-1 of the leaves that were read. `unscanned`: (leaf index, reason). `language`: the
    record's own. `names_scanned`: False when no name model is configured at all.
    """

    leaves: list[Leaf] = field(repr=False)
    findings: list[tuple[int, Finding]]
    languages: dict[int, str]
    unscanned: list[tuple[int, str]]
    language: str
    names_scanned: bool


def scan_records(
    records: Sequence[Sequence[Leaf]],
    detector: Detector,
    languages: Sequence[str],
    *,
    propagation: bool = True,
) -> list[RecordFindings]:
    """One result per record, each a function of that record alone.

    `languages`: those whose names may count as looked for, beside the detector's own list.
    Without `propagation`, values found once are not looked for in the record's other leaves.
    """
    tongues = [language_of(leaves) for leaves in records]
    plans = [
        {i: p for i, leaf in enumerate(leaves) if (p := _passage(leaf, tongue))}
        for leaves, tongue in zip(records, tongues, strict=True)
    ]
    answers = iter(detector([passage for plan in plans for passage in plan.values()]))
    covered = detector.name_languages & frozenset(languages)
    results = []
    for leaves, tongue, plan in zip(records, tongues, plans, strict=True):
        found = {index: next(answers) for index in plan}
        found = one_type({index: p.text for index, p in plan.items()}, found)
        read = plan
        if propagation:
            found = _propagated(plan, found)
            read, found = _with_tails(leaves, tongue, plan, found)
            found = with_twins(read, found) if detector.dates else found
        results.append(_result(leaves, tongue, read, found, covered, detector))
    return results


def _result(
    leaves: Sequence[Leaf], tongue: str, plan: dict[int, Passage],
    found: dict[int, list[Finding]], covered: frozenset[str], detector: Detector,
) -> RecordFindings:  # fmt: skip
    named = bool(detector.name_languages)
    missed = [(i, reason) for i, p in plan.items() for reason in _missed(p, covered)]
    return RecordFindings(
        leaves=list(leaves),
        findings=[(i, f) for i in plan for f in _in_prose(leaves[i], found[i])],
        languages={i: passage.language for i, passage in plan.items()},
        unscanned=missed if named else [],
        language=tongue,
        names_scanned=named,
    )


def language_of(leaves: Sequence[Leaf]) -> str:
    """The language of a record as a whole, ISO 639-1, or `scrubbers.language.UNKNOWN`."""
    return record_language([_prose(leaf) for leaf in leaves if leaf.kind == "string"])


def _passage(leaf: Leaf, tongue: str) -> Passage | None:
    """What detectors read of a leaf, or None where it can hold no identifier."""
    if leaf.kind == "number":
        enough = sum(map(str.isdecimal, leaf.text)) >= MIN_DIGITS
        named = is_age(leaf.label, leaf.text) or is_birth_year(leaf.label, leaf.text)
        told = enough or named
        return Passage(leaf.text, tongue, leaf.label) if told else None
    text = _prose(leaf)
    if leaf.kind == "key":
        return Passage(text, detect_language(text, tongue)) if _TELLING.search(text) else None
    if not text.strip() or (leaf.label in _ROLE_KEYS and leaf.text.casefold() in _ROLES):
        return None
    return Passage(text, detect_language(text, tongue), leaf.label)


def _prose(leaf: Leaf) -> str:
    """The leaf's text with inner JSON, whose leaves come by themselves, blanked out."""
    if leaf.prose == ((0, len(leaf.text)),):
        return _encodable(leaf.text)
    parts, done = [], 0
    for start, end in leaf.prose:
        parts += ["\n" * (start - done), leaf.text[start:end]]
        done = end
    return _encodable("".join(parts) + "\n" * (len(leaf.text) - done))


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no model takes, replaced one for one."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def _in_prose(leaf: Leaf, findings: list[Finding]) -> list[Finding]:
    """The findings, cut to the ranges that are not inner JSON."""
    if not findings or leaf.prose == ((0, len(leaf.text)),):
        return findings
    return [
        replace(found, start=max(found.start, start), end=min(found.end, end))
        for found in findings
        for start, end in leaf.prose
        if found.start < end and start < found.end
    ]


def _propagated(
    plan: dict[int, Passage], found: dict[int, list[Finding]]
) -> dict[int, list[Finding]]:
    """The findings with those that the record's own values add, settled again."""
    if not any(found.values()):
        return found
    texts = [p.text for p in plan.values()]
    known = without_neighbours(texts, [found[i] for i in plan])
    every = [
        [*group, *(_placed(one, passage) for one in more)]
        for group, more, passage in zip(known, propagate(texts, known), plan.values(), strict=True)
    ]
    named = with_glued(texts, every, [p.language for p in plan.values()])
    return {
        i: settle(group, plan[i].text) if group != found[i] else group
        for i, group in zip(plan, named, strict=True)
    }


def _with_tails(
    leaves: Sequence[Leaf], tongue: str,
    plan: dict[int, Passage], found: dict[int, list[Finding]],
) -> tuple[dict[int, Passage], dict[int, list[Finding]]]:  # fmt: skip
    """Passages and findings with the ends of known numbers, those in short JSON numbers too."""
    if not any(found.values()):
        return plan, found
    short = {
        i: Passage(leaf.text, tongue, leaf.label)
        for i, leaf in enumerate(leaves)
        if leaf.kind == "number" and i not in plan
    }
    every = {i: (plan.get(i) or short[i]) for i in sorted((*plan, *short))}
    added = tail_findings(list(every.values()), [found.get(i, []) for i in every])
    more = {i: group for i, group in zip(every, added, strict=True) if i in plan or group}
    settled = {
        i: settle([*found.get(i, []), *group], every[i].text) if group else found[i]
        for i, group in more.items()
    }
    return {i: every[i] for i in more}, settled


def _placed(found: Finding, passage: Passage) -> Finding:
    """A name looked for again that stands under a place's key is that place's."""
    place = found.type == "PERSON" and is_place(passage.text, found.start, found.end, passage.label)
    return replace(found, type="LOCATION") if place else found


def _missed(passage: Passage, covered: frozenset[str]) -> list[str]:
    """Reasons why names in the passage may have been missed: languages without a detector."""
    spoken = unread_scripts(passage.text)
    words = holds_words(passage.text) and passage.language != UNKNOWN
    if words and (spoken or passage.language not in foreign_scripts(passage.text)):
        spoken = [passage.language, *spoken]
    return [f"{NO_NAMES}:{one}" for one in dict.fromkeys(spoken) if one not in covered]
