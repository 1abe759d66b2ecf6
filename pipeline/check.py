"""`privatune check`: verify a prepared folder as far as what is at hand allows."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pipeline import folder
from pipeline.answer_proof import answers
from pipeline.config import Config
from pipeline.covered import Row, shipped, with_edits
from pipeline.evidence import evidence
from pipeline.folder import Prepared
from pipeline.given import instead
from pipeline.home import KeyMissing, KeyRefused, find_key
from pipeline.places import place_of
from pipeline.plan import Recorded, contract_of, recorded, refused, token_counter
from pipeline.readback import Bench
from pipeline.scan import acted_on
from pipeline.stray import refuse_copies
from pipeline.terms import keeps_area
from pipeline.violations import ACCEPTABLE, EVIDENCE, Tally, Violation
from scrubbers.detect import Detector, build
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf, NotJson, leaves, to_value
from scrubbers.keys import subkey
from scrubbers.record_scan import scan_records
from validators.duplicates import content_key
from validators.record import detect_format

TIERS = ("none", "ship alone", "with keep", "with keep and key")
BATCH = 64
SHOWN = 20


@dataclass
class Checked:
    """How far a check came, and what it found; a violation holds a place and words, no value."""

    root: Path
    tier: int = 0
    fingerprint: str = ""
    violations: list[dict[str, object]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    may: frozenset[str] = frozenset()  # violations that `accept` names
    accepted: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)

    @property
    def exit_code(self) -> int:
        """0 when nothing was violated."""
        return 1 if self.violations else 0

    def violate(self, name: str, message: str, **place: object) -> None:
        """Add a violation, or count it where it was accepted by name."""
        if name in self.may:
            self.accepted[name] += 1
        else:
            self.violations.append({"violation": name, **place, "message": message})


def check_ship(prepared: Prepared) -> Checked:
    """Tier one, beyond signature and hashes: format, counts, split."""
    root = prepared.root
    checked = Checked(root, 1, prepared.fingerprint)
    sides: dict[str, set[bytes]] = {split: set() for split in folder.SPLITS}
    counts = dict.fromkeys(folder.SPLITS, 0)
    for split, number, text in shipped(root):
        counts[split] += 1
        content = _content(text)
        if content is None:
            checked.violate("format", "is not strict JSON.", split=split, record=number)
        else:
            sides[split].add(content)
    told = prepared.manifest["counts"]
    for split in folder.SPLITS:
        if counts[split] != told[split]:
            checked.violate("reconciliation", f"{split} has another number of records than told.")
    if sides["train"] & sides["holdout"]:
        checked.violate("split", "a record stands in train and in holdout.")
    return checked


def _content(text: str) -> bytes | None:
    """A hash of the record's content, only to compare records inside this process."""
    try:
        leaves(text)
    except NotJson:
        return None
    value = to_value(text)
    return hashlib.sha256(
        content_key(value, detect_format(value)).encode("utf-8", "surrogatepass")
    ).digest()


def check_kept(
    checked: Checked, recorded: Recorded, detector: Detector, *, reviewed: bool = False
) -> None:
    """Tier two: a fresh scan of what ships; a finding that no edit covers is a leak.

    `reviewed`: the findings were given, and are all there is; what else is found is only counted.
    """
    left = 0
    for batch in _batches(with_edits(checked.root)):
        texts = [leaves(text) for _, _, text, _ in batch]
        found = scan_records(texts, detector, recorded.settings.languages, propagation=False)
        for (split, number, _, edits), old, hit in zip(batch, texts, found, strict=True):
            for index, finding in acted_on(hit.findings, recorded.actions):
                if _covered(old[index], finding, edits):
                    continue
                left += 1
                if not reviewed:
                    place = place_of(old[index])
                    checked.violate(
                        "leak", f"holds a {finding.type} that no edit covers.",
                        split=split, record=number, **place, detector=finding.detector,
                    )  # fmt: skip
    if reviewed and left:
        checked.notes.append(f"left by review: {left:,} places that a fresh scan would replace.")
    checked.tier = 2


def _batches(
    stream: Iterable[tuple[str, int, str, list[Row]]],
) -> Iterator[list[tuple[str, int, str, list[Row]]]]:
    source = iter(stream)
    while batch := list(islice(source, BATCH)):
        yield batch


def _covered(leaf: Leaf, finding: Finding, edits: Sequence[Row]) -> bool:
    start, end = leaf.outer_span(finding.start, finding.end)
    place = place_of(leaf)
    return any(
        edit["path"] == place["path"]
        and (edit["kind"] == "key") == (leaf.kind == "key")
        and edit["start"] < end
        and start < edit["end"]
        for edit in edits
    )


def check_answers(checked: Checked, config: Config) -> None:
    """Answers that satisfied the schema before their surrogates do so after."""
    form = config.data.format
    for violation in answers(checked.root, contract_of(config), form, checked.tally):
        _book(checked, violation)


def check_keyed(checked: Checked, secret: bytes, privacy: Mapping[str, Any]) -> None:
    """Tier three: everything that surrogates are held against with the key (`evidence`)."""
    dataset, dates = privacy["dataset"], privacy["dates"]
    bench = Bench(
        subkey(secret, "value", dataset), subkey(secret, "surrogate", dataset), privacy["scope"],
        "" if dates == "keep" else dates, valid=privacy["surrogates"] == "valid",
        keep_area=keeps_area(privacy["actions"]),
    )  # fmt: skip
    for violation in evidence(checked.root, bench, checked.tally):
        _book(checked, violation)
    checked.tier = 3


def _book(checked: Checked, violation: Violation) -> None:
    name, words, place = violation
    checked.tally.book(violation)
    checked.violate(name, words, **place)


def check(root: Path, config: Config | None) -> Checked:
    """All tiers that what is at hand allows; raises FolderError when the first does not hold."""
    prepared = folder.verify(root, config.trust if config else ())
    checked, manifest = check_ship(prepared), prepared.manifest
    checked.may = _may(manifest, config)
    if config and config.tokens.tokenizer:
        _check_tokens(checked, config)
    if not (root / "keep").is_dir():
        checked.notes.append("keep/ is not here: no fresh scan; run this where it was prepared.")
        return checked
    if manifest["privacy"]["lists_at_home"] and config is None:
        checked.notes.append(
            "it was prepared with lists of allowed or denied values, which are not here: no fresh "
            "scan. Give --config."
        )
        return checked
    folder.verify_kept(prepared)
    told = recorded(manifest, config)
    reviewed = instead(manifest.get("findings"))
    check_kept(checked, told, build(told.settings), reviewed=reviewed)
    if config:
        check_answers(checked, config)
    secret = _secret(checked, manifest["key_id"])
    if secret is not None:
        check_keyed(checked, secret, manifest["privacy"])
    return checked


def _may(manifest: Mapping[str, Any], config: Config | None) -> frozenset[str]:
    """Violations that were accepted when the folder was made, or are by `config`."""
    then = {gate["name"] for gate in manifest["gates"] if gate["state"] == "accepted"}
    now = {one.violation for one in config.accept} if config else set()
    return ACCEPTABLE & (then | now)


def _secret(checked: Checked, key_id: str) -> bytes | None:
    try:
        ring = find_key(interactive=False)
    except (KeyMissing, KeyRefused):
        checked.notes.append("no secret key here: surrogates were not held against originals.")
        return None
    ring.refuse_inside([checked.root])
    refuse_copies(ring, [checked.root, checked.root / "keep"])
    key = ring.named(key_id)
    if key is None:
        checked.notes.append("the key here is another one: surrogates were not checked.")
        return None
    return key.secret


def _check_tokens(checked: Checked, config: Config) -> None:
    count = token_counter(config)
    if count is None:
        return
    limit = config.tokens.max_length
    stream = shipped(checked.root)
    while batch := list(islice(stream, BATCH)):
        values = [to_value(text) for _, _, text in batch]
        rows = zip(batch, count(values), refused(count, values), strict=True)
        for (split, number, _), length, fault in rows:
            if fault:
                checked.violate(
                    "not_trainable", fault.message, split=split, record=number, path=fault.path
                )
            if length > limit:
                words = f"has {length:,} tokens, the limit is {limit:,}."
                checked.violate("over_length", words, split=split, record=number)


def as_json(checked: Checked) -> str:
    """The result for machines."""
    body = {
        "version": 1, "folder": str(checked.root), "tier": TIERS[checked.tier],
        "signed_by": checked.fingerprint, "violations": checked.violations,
        "accepted": dict(checked.accepted), "notes": checked.notes,
        "evidence": checked.tally.table() if checked.tier == len(TIERS) - 1 else None,
    }  # fmt: skip
    return json.dumps(body, indent=1)


def as_text(checked: Checked) -> str:
    """The result for people."""
    lines = [_violation(v) for v in checked.violations[:SHOWN]]
    more = len(checked.violations) - SHOWN
    lines += [f"... and {more:,} more; `--json` lists all."] if more > 0 else []
    lines += [f"accepted: {name} {count:,}" for name, count in checked.accepted.items()]
    lines += [f"note: {note}" for note in checked.notes]
    if checked.tier == len(TIERS) - 1:
        judged = (f"{name} {checked.tally.judged[name]:,}" for name in EVIDENCE)
        lines.append(f"judged: {', '.join(judged)}")
    verdict = "violated" if checked.violations else "holds"
    lines.append(f"tier reached: {TIERS[checked.tier]}; {verdict}")
    lines.append(f"signed by {checked.fingerprint}; pin it in `trust`")
    return "\n".join(lines)


def _violation(row: Mapping[str, object]) -> str:
    place = (
        f"{row['split']} record {row['record']} {row.get('path', '')}" if "record" in row else ""
    )
    return f"{row['violation']}: {place.strip()} {row['message']}"
