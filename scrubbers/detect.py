"""One detector from the settings: every engine over the folded text, then one settled answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scrubbers.catalog import DEFAULT, LANGUAGES, Detect, builders, chosen, floors, name_languages
from scrubbers.entities import ENTITY_TYPES
from scrubbers.finding import Finding
from scrubbers.folding import Folded, fold
from scrubbers.mail_edges import without_url
from scrubbers.overlaps import settle
from scrubbers.passage import Passage
from scrubbers.weights import checked_folder

Counts = Callable[[Finding], bool]
DENY = "deny"
# Passages whose findings are kept for the next batch: chats repeat their system prompt in every
# record. Only short ones, so that the memory stays under some tens of MiB.
MEMO_PASSAGES = 4_096
MEMO_CHARACTERS = 4_000


class SettingsError(Exception):
    """The settings cannot be used; the message names the setting, never its value."""


@dataclass(frozen=True, slots=True)
class AllowEntry:
    """A value that is kept wherever it stands, and why."""

    value: str = field(repr=False)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """What decides the findings.

    `thresholds`: entity type -> lowest score that counts, of any engine (default: the engines' own
    floors; a lower one than they have lets more count). `allow`:
    values that are no findings; `deny`: values that are, wherever they stand as whole words.
    `dates`: "shift", "generalise" or "draw" looks for every calendar date, and for nothing else as one.
    """

    detectors: tuple[str, ...] = DEFAULT
    languages: tuple[str, ...] = LANGUAGES
    thresholds: Mapping[str, float] = field(default_factory=dict)
    allow: tuple[AllowEntry, ...] = field(default=(), repr=False)
    deny: tuple[str, ...] = field(default=(), repr=False)
    dates: str = ""


@dataclass(frozen=True, slots=True)
class Detector:
    """A callable from passages to settled findings.

    `name_languages` are those in which it looks for names; empty when no model is configured.
    `dates` as in `DetectorSettings`.
    """

    run: Detect
    name_languages: frozenset[str] = frozenset()
    dates: str = ""

    def __call__(self, passages: Sequence[Passage]) -> list[list[Finding]]:
        """One sorted list without overlaps per passage, offsets in the passage's own text."""
        return self.run(passages)


def build(settings: DetectorSettings) -> Detector:
    """The detector for these settings.

    Raises UnknownDetector, SettingsError, and ModelsMissing or ModelDamaged where a model is not
    as it should be.
    """
    for name in settings.thresholds:
        if name not in ENTITY_TYPES:
            raise SettingsError("privacy.thresholds names an entity type that does not exist.")
    for row in chosen(settings.detectors):
        for weights in row.weights:
            checked_folder(weights)
    engines = builders(settings.detectors)
    counts = _counting(settings)
    allowed = _pattern("privacy.allow", [entry.value for entry in settings.allow])
    denied = _pattern("privacy.deny", settings.deny)
    memo: dict[Passage, list[Finding]] = {}

    def run(passages: Sequence[Passage]) -> list[list[Finding]]:
        fresh = [passage for passage in dict.fromkeys(passages) if passage not in memo]
        told = _scan(fresh, engines, settings, counts, allowed, denied)
        found = dict(zip(fresh, told, strict=True))
        answer = [list(found[p] if p in found else memo[p]) for p in passages]
        _remember(memo, found)
        return answer

    languages = name_languages(settings.detectors) & frozenset(settings.languages)
    return Detector(run, languages, settings.dates)


def build_rules(_: Sequence[str]) -> Detect:
    """Our own recognisers as one detector."""
    from scrubbers.rules import find  # noqa: PLC0415  loaded when built: slow

    return lambda passages: [find(passage) for passage in passages]


def build_presidio(_: Sequence[str]) -> Detect:
    """Presidio's recognisers as one detector."""
    from scrubbers import presidio_rules  # noqa: PLC0415  loaded when built: slow

    return presidio_rules.detect


def _scan(
    passages: Sequence[Passage], engines: Sequence[Detect], settings: DetectorSettings,
    counts: Counts, allowed: re.Pattern[str] | None, denied: re.Pattern[str] | None,
) -> list[list[Finding]]:  # fmt: skip
    folded = [fold(passage.text) for passage in passages]
    copies = [
        p if f.text == p.text else replace(p, text=f.text)
        for p, f in zip(passages, folded, strict=True)
    ]
    by_engine = [engine(copies) for engine in engines]
    settled = []
    for place, copy in enumerate(folded):
        text = copies[place].text
        found = [without_url(f, text) for e in by_engine for f in e[place] if counts(f)]
        days = _days(copies[place], settings.dates, counts)
        found = [f for f in found if not (days is not None and _is_guess(f))]
        found = [*_kept(found, copy.text, allowed), *_denied(copy.text, denied)]
        own = [_moved(one, copy) for one in _kept(days or [], copy.text, allowed)]
        done = settle([*(_moved(one, copy) for one in found), *own], passages[place].text)
        settled.append(
            done if days is None else _only_dates(done, own, passages[place], settings.dates)
        )
    return settled


def _days(passage: Passage, dates: str, counts: Counts) -> list[Finding] | None:
    """Every calendar date where dates are moved or made coarse; None where they are not."""
    if not dates:
        return None
    from scrubbers.rules import calendar  # noqa: PLC0415  loaded when it is used: slow

    return [f for f in calendar.days(passage, dates) if counts(f)]


def _only_dates(
    done: list[Finding], own: list[Finding], passage: Passage, dates: str
) -> list[Finding]:
    from scrubbers.rules import calendar  # noqa: PLC0415  loaded when it is used: slow

    return calendar.only_dates(done, own, passage, dates)


def _is_guess(found: Finding) -> bool:
    """A date that a pattern takes for one; `calendar.days` reads them all, and strictly."""
    return found.type == "DATE_TIME" and found.detector in ("rules", "presidio")


def _moved(found: Finding, folded: Folded) -> Finding:
    if not folded.starts:
        return found
    start, end = folded.original(found.start, found.end)
    return replace(found, start=start, end=end)


def _counting(settings: DetectorSettings) -> Counts:
    """Whether a finding is sure enough: for the user's threshold, else for its engine's floor."""
    own, asked = floors(settings.detectors), settings.thresholds
    return lambda f: f.score >= asked.get(f.type, own.get(f.detector, {}).get(f.type, 0.0))


def _kept(findings: list[Finding], text: str, allowed: re.Pattern[str] | None) -> Iterable[Finding]:
    """Those that do not lie within an allowed value standing there whole."""
    if allowed is None or not findings:
        return findings
    free = [match.span() for match in allowed.finditer(text)]
    return [f for f in findings if not any(a <= f.start and f.end <= b for a, b in free)]


def _denied(text: str, denied: re.Pattern[str] | None) -> list[Finding]:
    if denied is None:
        return []
    spans = [match.span() for match in denied.finditer(text)]
    return [Finding(a, b, _denied_type(text[a:b]), 1.0, DENY) for a, b in spans]


def _denied_type(value: str) -> str:
    """A denied value comes without a type: its look decides what it is replaced by."""
    if "@" in value:
        return "EMAIL_ADDRESS"
    return "OTHER_ID" if any(map(str.isdecimal, value)) else "PERSON"


def _pattern(setting: str, values: Sequence[str]) -> re.Pattern[str] | None:
    """One expression for whole values, any case, any white space. Raises SettingsError."""
    words = [fold(value).text.split() for value in values]
    if not all(words):
        place = next(index for index, parts in enumerate(words) if not parts)
        raise SettingsError(f"{setting}[{place}] is empty; it would match everything. Remove it.")
    if not words:
        return None
    longest_first = sorted(
        {r"\s+".join(map(re.escape, w)) for w in words}, key=lambda v: (-len(v), v)
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)


def _remember(memo: dict[Passage, list[Finding]], found: dict[Passage, list[Finding]]) -> None:
    memo.update((p, f) for p, f in found.items() if len(p.text) <= MEMO_CHARACTERS)
    while len(memo) > MEMO_PASSAGES:
        del memo[next(iter(memo))]
