"""Overlapping findings become a sorted list without overlaps, and no covered letter is lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrubbers.catalog import MODELS
from scrubbers.entities import STRICT_ONLY
from scrubbers.finding import Finding
from scrubbers.name_edges import trimmed

# Values that the user or the record itself has confirmed as they stand.
_AS_GIVEN = frozenset({"deny", "propagate"})
# No remainder without a digit is of one of these.
_NUMBERS = frozenset(
    {"PHONE_NUMBER", "CREDIT_CARD", "IBAN_CODE", "BANK_ACCOUNT", "DATE_OF_BIRTH", "IP_ADDRESS"}
)
_LABELLED = 0.9  # a rule that a label, a form or a check sum has made this sure
_CUED = 0.85  # a rule that a word beside the value has
_LOOSE = frozenset({"PERSON", *STRICT_ONLY})


def settle(findings: Iterable[Finding], text: str) -> list[Finding]:
    """Non-overlapping findings in text order that cover all that `findings` cover.

    Function words at the edges of a name are no part of it and are not covered.
    Findings of one type that overlap become their union. Else a type that the default policy
    acts on wins over one it keeps, a structured value over a name inside it, then the higher
    score, then the longer one. What a loser covers beyond the winner stays as a finding of the
    loser's type when it holds at least two word characters and what that type is made of.
    """
    merged = _unions(f for f in _edged(findings, text) if f.start < f.end)
    if len(merged) < 2:
        return merged
    settled: list[Finding] = []
    for group in _clusters(merged):
        settled += group if len(group) == 1 else _settle_cluster(group, text)
    return settled


def _edged(findings: Iterable[Finding], text: str) -> Iterable[Finding]:
    """The findings, names without function words and verbs at their edges."""
    for found in findings:
        if found.type == "PERSON" and found.detector not in _AS_GIVEN:
            start, end = trimmed(text, found.start, found.end)
            yield replace(found, start=start, end=end)
        else:
            yield found


def _unions(findings: Iterable[Finding]) -> list[Finding]:
    """Same-type overlaps merged; sorted by place. The best one lends score and detector."""
    last: dict[str, Finding] = {}
    done: list[Finding] = []
    for found in sorted(findings, key=lambda f: (f.start, -f.end, f.type, -f.score, f.detector)):
        before = last.get(found.type)
        if before is None or found.start >= before.end:
            if before is not None:
                done.append(before)
            last[found.type] = found
            continue
        last[found.type] = _union(before, found)
    return sorted([*done, *last.values()])


def _union(first: Finding, second: Finding) -> Finding:
    best = second if second.score > first.score else first
    country = best.country or first.country or second.country
    end = max(first.end, second.end)
    return Finding(first.start, end, best.type, best.score, best.detector, country)


def _clusters(findings: list[Finding]) -> Iterable[list[Finding]]:
    group: list[Finding] = []
    reach = -1
    for found in findings:
        if group and found.start >= reach:
            yield group
            group = []
        group.append(found)
        reach = max(reach, found.end)
    if group:
        yield group


def _settle_cluster(group: list[Finding], text: str) -> list[Finding]:
    order = sorted(group, key=lambda f: _rank(f, group, text))
    kept: list[Finding] = []
    for found in order:
        kept += _beyond(found, kept, text)
    return sorted(kept)


def beyond(findings: Iterable[Finding], taken: Sequence[Finding], text: str) -> list[Finding]:
    """The findings, cut to what `taken` does not cover, where that still is something."""
    return [rest for found in findings for rest in _beyond(found, taken, text)]


def _beyond(found: Finding, taken: Sequence[Finding], text: str) -> list[Finding]:
    rests = []
    for start, end in _free(found, taken):
        if (start, end) == (found.start, found.end):
            return [found]
        left, right = _trimmed(text, start, end)
        if _stays(found.type, text[left:right]):
            rests.append(replace(found, start=left, end=right))
    return rests


def _stays(kind: str, rest: str) -> bool:
    """Whether what is left of a loser can be of its type."""
    if sum(map(str.isalnum, rest)) < 2:
        return False
    return kind not in _NUMBERS or any(map(str.isdecimal, rest))


def _rank(
    found: Finding, group: list[Finding], text: str
) -> tuple[int, int, int, float, int, Finding]:
    """Sort key, best first."""
    kept_type = found.type in STRICT_ONLY
    inside = found.type in _LOOSE and any(
        other.type not in _LOOSE
        and other.start <= found.start
        and found.end <= other.end
        and other.end - other.start > found.end - found.start
        for other in group
    )
    guessed = found.detector in MODELS and any(_outranks(other, found, text) for other in group)
    length = found.start - found.end
    return (int(kept_type), int(inside), int(guessed), -found.score, length, found)


def _outranks(rule: Finding, model: Finding, text: str) -> bool:
    """Whether a rule knows a value, or digits, that a model has only seen: cues say more."""
    if rule.detector in MODELS:
        return False
    if rule.score >= _LABELLED and rule.start <= model.start and model.end <= rule.end:
        return rule.type not in STRICT_ONLY
    if rule.type in _LOOSE or rule.type == "ADDRESS" or _says_more(model, rule):
        return False
    start, end = max(rule.start, model.start), min(rule.end, model.end)
    return start < end and any(map(str.isdecimal, text[start:end]))


def _says_more(model: Finding, rule: Finding) -> bool:
    """Whether a model's finding holds all of a rule's and more, or types a number of no kind.

    Measured on labelled texts: what is longer has the right type ten times as often as what it
    holds, and of one span a rule's type is right more often, unless that is OTHER_ID.
    """
    if rule.score >= _LABELLED or model.type in _LOOSE:
        return False
    if (rule.start, rule.end) == (model.start, model.end):
        return rule.type == "OTHER_ID" and model.type != "ADDRESS"
    within = model.start <= rule.start and rule.end <= model.end
    return within and (model.type != "ADDRESS" or rule.score < _CUED)


def _free(found: Finding, taken: Sequence[Finding]) -> list[tuple[int, int]]:
    spans = [(found.start, found.end)]
    for other in taken:
        spans = [
            piece
            for start, end in spans
            for piece in ((start, min(end, other.start)), (max(start, other.end), end))
            if piece[0] < piece[1]
        ]
    return spans


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space and separators at its edges."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return start, end
