"""The gates of a run: what each check found, and whether the configuration lets it pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.books import Books
from pipeline.config import Config
from pipeline.settle import Settled
from pipeline.table import Table
from pipeline.violations import ACCEPTABLE, EVIDENCE, Tally

SMALL = 20  # sets with fewer records may quarantine any share, and change their length

# Code of a fault in validators.faults -> the gate it counts for; all others count as `format`.
GATE_OF: Mapping[str, str] = {
    "system-missing": "system_prompt", "system-differs": "system_prompt",
    "turn-pattern": "turn_pattern",
    "input-form": "input_form",
    "answer-not-json": "answer_schema", "answer-schema": "answer_schema",
    "field-required": "required_fields", "field-forbidden": "forbidden_fields",
    "answer-empty": "empty_answer",
    "role-unknown": "turns", "answer-missing": "turns", "answer-not-last": "turns",
    "order-system": "turns", "order-first": "turns", "order-repeat": "turns",
    "tool-result-alone": "turns", "tool-result-missing": "turns",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gate:
    """One check over the set: `state` is passed, warned, accepted or failed."""

    name: str
    state: str
    count: int
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """All gates of a run."""

    gates: tuple[Gate, ...]

    @property
    def failed(self) -> list[Gate]:
        """Those that keep the folder from being written."""
        return [gate for gate in self.gates if gate.state == "failed"]


def judge(config: Config, books: Books, settled: Settled, table: Table) -> Verdict:
    """Weigh everything the run counted; `table` is the record table, checked by pandera."""
    found = _record_faults(books)
    found.update(_set_findings(books, settled))
    found["token_drift"] = _drift(books, config.tokens.max_drift)
    hard = [*_limits(config, books), *table.faults(books.total), *_evidence(books.tally)]
    accepted = {one.violation for one in config.accept}
    gates = [
        _gate(name, config.checks[name], *found.get(name, (0, "nothing found")), accepted)
        for name in config.checks
    ]
    gates += [
        _gate(name, "fail", count, message, accepted & ACCEPTABLE) for name, count, message in hard
    ]
    return Verdict(tuple(gates))


def _gate(name: str, level: str, count: int, message: str, accepted: set[str]) -> Gate:
    if level == "off":
        return Gate(name, "off", 0, "switched off in `gates`")
    if not count:
        return Gate(name, "passed", 0, message)
    if name in accepted:
        return Gate(name, "accepted", count, message)
    return Gate(name, "failed" if level == "fail" else "warned", count, message)


def _evidence(tally: Tally) -> list[tuple[str, int, str]]:
    return [
        (name, tally.violated[name], f"{tally.violated[name]:,} {words}")
        for name, words in EVIDENCE.items()
    ]


def _drift(books: Books, limit: float) -> tuple[int, str]:
    """Whether the set became longer or shorter than it may."""
    share, edited = books.drift.share, len(books.drift.ratios)
    over = abs(share) > limit and books.total >= SMALL
    message = (
        f"{edited:,} records with surrogates changed the set's length by {share:+.1%}; "
        f"limit {limit:.0%}"
    )
    return (edited if over else 0), message


def _record_faults(books: Books) -> dict[str, tuple[int, str]]:
    sums: dict[str, tuple[int, str]] = {}
    for code, group in books.faults.items():
        name = GATE_OF.get(code, "format")
        count = sums.get(name, (0, ""))[0] + group["count"]
        sums[name] = (count, f"{count:,} faults; the first kinds are listed under `faults`")
    return sums


def _set_findings(books: Books, settled: Settled) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    written = books.records["train"] + books.records["holdout"]
    if len(books.formats) > 1:
        found["mixed_formats"] = (
            len(books.formats),
            f"formats seen: {', '.join(sorted(books.formats))}",
        )
    if settled.duplicates:
        found["duplicates"] = (
            settled.duplicates,
            f"{settled.duplicates:,} records repeat an earlier one",
        )
    if written < 300:
        found["volume"] = (1, f"{written:,} records; under 300 a fine-tune shows little effect")
    if settled.split.reason:
        found["holdout"] = (1, settled.split.reason)
    if untied := int((books.given or {}).get("files_untied", 0)):
        message = f"{untied:,} files whose findings carry no hash: stale ones would not be seen"
        found["findings_untied"] = (untied, message)
    return found


def _limits(config: Config, books: Books) -> list[tuple[str, int, str]]:
    """The limits that no `gates` entry switches off."""
    limits = []
    lost = books.records["quarantine"]
    share = lost / books.total if books.total else 0.0
    if books.total >= SMALL:
        over = share > config.data.max_quarantine
        message = f"{lost:,} of {books.total:,} records ({share:.1%}); limit {config.data.max_quarantine:.1%}"
        limits.append(("max_quarantine", lost if over else 0, message))
    if not books.records["train"]:
        limits.append(("nothing_left", 1, "no record is left to train on; see the reasons"))
    long = sum(count > config.tokens.max_length for count in books.tokens)
    if config.tokens.tokenizer is not None:
        message = f"{long:,} records are longer than {config.tokens.max_length:,} tokens"
        limits.append(("over_length", long, message))
    return limits
