"""The report of a run: one object that gives the text, the JSON, the page and the manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.books import Books, nested
from pipeline.config import Config
from pipeline.folder import VERSION
from pipeline.gates import Verdict
from pipeline.given import PROMISE as GIVEN
from pipeline.given import in_words, instead
from pipeline.home import Key
from pipeline.settle import Settled
from pipeline.template import template_mark

PROMISE = (
    "No direct identifier that the listed detectors can find is left in `ship/`. What they cannot "
    "find can still be there: this is no promise that the set holds no personal data."
)
LINKS = {
    "dataset": (
        "One value has one surrogate in the whole set, so all records of one person can still be "
        "linked to each other. With the key kept, the set is pseudonymised in law, not anonymous."
    ),
    "record": (
        "A value has another surrogate in each record, so surrogates link no two records. Inside "
        "a record they link. With the key kept, the set is pseudonymised in law, not anonymous."
    ),
}

LONE = (
    "{:,} single names beside full ones got surrogates of their own: nicknames that share too few "
    "letters with a name, or other people"
)


@dataclass(frozen=True)
class Report:
    """Counts, gates and words of one run. It holds no text of any record."""

    body: Mapping[str, Any]
    verdict: Verdict
    output: Path | None = None
    signed_by: str = ""

    def sealed(self, fingerprint: str, output: Path) -> Report:
        """The report of a folder that was written."""
        return replace(self, signed_by=fingerprint, output=output)

    def as_json(self) -> str:
        """The report for machines."""
        extra = {"output": str(self.output), "signed_by": self.signed_by} if self.output else {}
        return json.dumps({**self.body, **extra}, indent=1, ensure_ascii=False)

    def as_text(self) -> str:
        """A summary that fits a terminal."""
        counts = self.body["counts"]
        books = (
            f"records   {counts['records']:,} in = {counts['train']:,} train + "
            f"{counts['holdout']:,} holdout + {counts['quarantine']:,} quarantined + "
            f"{counts['dropped']:,} dropped"
        )
        lines = [
            books,
            f"replaced  {_pairs(self.body['replaced_by_type'])}",
        ]
        if self.body["findings"]:
            lines.append(f"findings  {in_words(self.body['findings'])}")
        for title, key in (("reasons", "reasons"), ("not read", "not_scanned")):
            if self.body[key]:
                lines.append(f"{title:<9} {_pairs(self.body[key])}")
        lines += evidence_lines(self.body)
        lines += [
            f"{g.state:<9} {g.name}: {g.message}" for g in self.verdict.gates if _shown(g.state)
        ]
        if self.output:
            lines += [
                f"written   {self.output}/ship (to train on), {self.output}/keep (stays at home)",
                f"signed    {self.signed_by}",
                f"next      read {self.output}/keep/report.html, then `privatune check {self.output}`",
            ]
        return "\n".join(lines)


def evidence_lines(body: Mapping[str, Any]) -> list[str]:
    """What was judged, for a terminal; a check that judged nothing says so."""
    told = {row["check"]: row for row in body["evidence"]}
    idle = [name for name, row in told.items() if not row["judged"]]
    lines = [
        "evidence  "
        + ", ".join(f"{name} {row['judged']:,}" for name, row in told.items() if row["judged"])
    ]
    lines += [f"          judged nothing: {', '.join(idle)}"] if idle else []
    pairs = told["pair-broken"]
    if pairs["judged"]:
        whole = pairs["judged"] - pairs["violated"]
        lines.append(f"pairs     {whole:,} of {pairs['judged']:,} that agreed before agree after")
    if body["surrogates"]["lone_names"]:
        lines.append(f"names     {LONE.format(body['surrogates']['lone_names'])}")
    drift = body["drift"]
    if drift:
        lines.append(
            f"length    {drift['set']:+.1%} over the set in {drift['measure']}; edited records "
            f"{drift['mean']:.2f} of before, 95 % at most {drift['p95']:.2f}"
        )
    return lines


def _shown(state: str) -> bool:
    return state in ("warned", "failed", "accepted")


def _pairs(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "nothing"


def build(
    config: Config, books: Books, settled: Settled, verdict: Verdict, versions: Mapping[str, Any]
) -> Report:
    """Everything that the run knows, in the order in which a reader wants it."""
    statuses = ("train", "holdout", "quarantine", "dropped")
    by_type: dict[str, int] = {}
    for (_, kind), count in sorted(books.replaced.items()):
        by_type[kind] = by_type.get(kind, 0) + count
    body = {
        "version": VERSION,
        "promise": GIVEN if instead(books.given) else PROMISE,
        "counts": {"records": books.total, **{s: books.records[s] for s in statuses}},
        "replaced_by_type": by_type,
        "replaced": nested(books.replaced),
        "kept_by_policy": nested(books.kept),
        "reasons": dict(books.reasons.most_common()),
        "not_scanned": dict(books.unscanned.most_common()),
        "detectors": dict(books.detectors.most_common()),
        "surrogates": {
            "redraws": len(settled.redraws),
            "lone_names": books.lone,
            "origins": nested(books.origins),
        },
        "evidence": books.tally.table(),
        "drift": books.drift.table(
            "tokens" if config.tokens.tokenizer else "characters", config.tokens.max_drift
        ),
        "linkable": LINKS[config.privacy.scope],
        "languages": dict(books.languages.most_common()),
        "formats": dict(books.formats.most_common()),
        "read_with_repairs": nested(books.notes),
        "faults": books.faults,
        "gates": [asdict(gate) for gate in verdict.gates],
        "accepted": [{"violation": a.violation, "reason": a.reason} for a in config.accept],
        "allowed": [reason for _, reason in config.allow_values()],
        "holdout": {"hubs": len(settled.split.hubs), "reason": settled.split.reason},
        "tokens": token_table(books.tokens, config.tokens.max_length),
        "privacy": privacy(config),
        "findings": books.given,
        "versions": versions,
    }
    return Report(body, verdict)


def privacy(config: Config) -> dict[str, Any]:
    """The settings of detection that a later check needs; no list of values."""
    section = config.privacy
    return {
        "policy": section.policy, "actions": config.actions, "scope": section.scope,
        "dataset": config.dataset, "detectors": list(section.detectors),
        "languages": list(section.languages), "thresholds": dict(section.thresholds),
        "lists_at_home": bool(section.allow or section.deny),
        "vault": section.vault is not None,
        "dates": section.dates, "surrogates": section.surrogates,
    }  # fmt: skip


def token_table(tokens: Sequence[int], max_length: int) -> dict[str, Any] | None:
    """Percentiles and a histogram of the written records' lengths, in tokens."""
    if not tokens:
        return None
    ordered = sorted(tokens)
    last = len(ordered) - 1
    width = max(1, max_length // 16)
    bins: dict[int, int] = {}
    for count in ordered:
        bins[count // width] = bins.get(count // width, 0) + 1
    return {
        "max_length": max_length, "total": sum(ordered), "longest": ordered[last],
        "percentiles": {str(p): ordered[round(last * p / 100)] for p in (50, 90, 95, 99)},
        "over": sum(count > max_length for count in ordered),
        "histogram": [
            {"from": b * width, "to": (b + 1) * width, "records": n} for b, n in sorted(bins.items())
        ],
    }  # fmt: skip


def manifest(
    report: Report, config: Config, hash_key: bytes, key: Key, inputs: Mapping[str, str]
) -> dict[str, Any]:
    """What travels: counts, gates, settings and versions; the seal adds the files' hashes."""
    body = report.body
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "promise": body["promise"],
        "linkable": body["linkable"],
        "counts": body["counts"],
        "replaced_by_type": body["replaced_by_type"],
        "gates": body["gates"],
        "tokens": body["tokens"],
        "contract": {"template": template_mark(config), "max_length": config.tokens.max_length},
        "inputs": list(inputs.values()),
        "configuration": config.fingerprint(hash_key),
        "privacy": body["privacy"],
        "findings": body["findings"],
        "versions": body["versions"],
        "key_id": key.id,
        "key_epoch": key.epoch,
        "tiers": ["ship alone", "with keep", "with keep and key"],
    }


def write(report: Report, folder: Path) -> None:
    """`report.json` and `report.html`."""
    from pipeline.report_page import page  # noqa: PLC0415  the template is only needed here

    (folder / "report.json").write_text(report.as_json() + "\n", encoding="utf-8")
    (folder / "report.html").write_text(page(report.body, report.verdict), encoding="utf-8")
