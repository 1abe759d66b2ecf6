"""Hand-labelled chats: characters of direct identifiers that a scan leaves, and pairs that agree.

    python benchmarks/chat_gold.py CORPORA_DIR [--fast]

CORPORA_DIR holds chat_gold_a.jsonl and score_agreement.py (format: the README there). The leak is
taken from the scan's own marks in the input; a quarantined record leaves nothing and its share is
printed. Pairs are scored on what the command `prep` ships; there a quarantined record is lost.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from pipeline.config import Config
from pipeline.places import place_of
from pipeline.plan import build_plan, detector_settings
from pipeline.reading import RawRecord
from pipeline.scan import scan_batch
from pipeline.spool import Entry
from scrubbers.detect import build
from scrubbers.jsontext import leaves

DIRECT = frozenset(
    [
        "PERSON",
        "EMAIL",
        "PHONE",
        "ADDRESS",
        "DOB",
        "IBAN",
        "CARD",
        "BANK_ACCOUNT",
        "NATIONAL_ID",
        "PASSPORT",
        "LICENCE_PLATE",
        "IP",
        "USERNAME",
        "PASSWORD",
        "SECRET",
        "MEDICAL_ID",
        "OTHER_ID",
    ]
)
Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def texts_of(gold: list[Row]) -> list[str]:
    return [json.dumps({"id": g["id"], **g["record"]}, ensure_ascii=False) for g in gold]


def scan(texts: list[str], *, fast: bool) -> list[Entry]:
    config = Config()
    settings = detector_settings(config, fast=fast)
    plan = build_plan(config, secrets.token_bytes(32), "bench", settings)
    records = [
        RawRecord("gold", i, i, text, exact=True, notes=(), eol="\n")
        for i, text in enumerate(texts, start=1)
    ]
    return scan_batch(records, {"gold": 0}, plan, build(settings))


def covered(text: str, entry: Entry) -> dict[str, set[int]]:
    """Code points of each outer leaf that the scan's marks cover."""
    found = leaves(text)
    spots: dict[str, set[int]] = {}
    for mark in entry.marks:
        leaf = found[mark.leaf]
        if mark.units and leaf.kind != "key":
            spots.setdefault(place_of(leaf)["path"], set()).update(
                range(*leaf.outer_span(mark.start, mark.end))
            )
    return spots


def outer_texts(text: str) -> dict[str, str]:
    found = (x for x in leaves(text) if x.inner_steps is None and x.kind != "key")
    return {place_of(leaf)["path"]: leaf.text for leaf in found}


def count(gold: Row, text: str, entry: Entry, table: dict[str, Counter[str]]) -> None:
    spots, whole = covered(text, entry), outer_texts(text)
    labelled: dict[str, set[int]] = {}
    for span in gold["spans"]:
        places = range(span["start"], span["end"])
        labelled.setdefault(span["path"], set()).update(places)
        if span["label"] in DIRECT:
            letters = [at for at in places if whole[span["path"]][at].isalnum()]
            table["all"][span["label"]] += len(letters)
            gone = spots.get(span["path"], set())
            table["left"][span["label"]] += sum(at not in gone for at in letters)
    for path, marks in spots.items():
        table["over"]["marked"] += len(marks - labelled.get(path, set()))
    unlabelled = sum(len(t) for t in whole.values()) - sum(len(s) for s in labelled.values())
    table["over"]["free"] += unlabelled


def leak(gold: list[Row], texts: list[str], entries: list[Entry]) -> None:
    table = {name: Counter[str]() for name in ("all", "left", "over")}
    lost = 0
    for record, text, entry in zip(gold, texts, entries, strict=True):
        lost += bool(entry.reasons)
        if not entry.reasons:
            count(record, text, entry, table)
    print(f"records {len(gold)}, quarantined {lost}")
    for label, total in table["all"].most_common():
        left = table["left"][label]
        print(f"{label:14} {left:6,} of {total:6,} characters left  {100 * left / total:5.1f} %")
    total, left = table["all"].total(), table["left"].total()
    print(f"{'all direct':14} {left:6,} of {total:6,} characters left  {100 * left / total:5.1f} %")
    over = table["over"]
    print(
        f"over-scrub     {100 * over['marked'] / over['free']:.2f} % of the unlabelled characters"
    )


def agreement(gold: Path, texts: list[str], scorer: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "records.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
        (folder / "privatune.yaml").write_text(
            "data: {inputs: [records.jsonl], output: out, max_quarantine: 1.0}\n"
            "holdout: {fraction: 0}\n",
            encoding="utf-8",
        )
        environment = {"PRIVATUNE_KEY": secrets.token_hex(32), **os.environ}
        command = [
            sys.executable,
            "-m",
            "pipeline",
            "prep",
            "--config",
            str(folder / "privatune.yaml"),
        ]
        subprocess.run([*command, "--quiet"], check=True, env=environment)
        subprocess.run([sys.executable, scorer, gold, folder / "out/ship/train.jsonl"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--fast", action="store_true", help="rules only")
    given = parser.parse_args()
    gold = rows(given.corpora / "chat_gold_a.jsonl")
    texts = texts_of(gold)
    leak(gold, texts, scan(texts, fast=given.fast))
    agreement(given.corpora / "chat_gold_a.jsonl", texts, given.corpora / "score_agreement.py")


if __name__ == "__main__":
    main()
