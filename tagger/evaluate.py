"""The tagger alone over the corpora that judge it: leaked characters, documents, over-scrub.

    python -m tagger.evaluate DATA_DIR MODEL.onnx [--floor P] [--base FOLDER] [--only NAME ...]

DATA_DIR holds the corpora and score_spans.py. Direct identifiers count; other labels and public
figures are neutral, and what the tagger says of them is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

from scrubbers.tagger.card import HOME
from scrubbers.tagger.model import Tagger
from scrubbers.tagger.spans import Span
from tagger import corpora
from tagger.tag import tagger as made

NEUTRAL = ("LOCATION", "ORG", "DATE", "URL", "MISC", "PUBLIC")
DIRECT = tuple(kind for kind in corpora.TYPES if kind not in NEUTRAL)
PEOPLE = (
    "wikineural_en_val", "wikineural_es_val", "wikineural_fr_val", "wikineural_it_val",
    "wikineural_nl_val", "wnut17_train_dev", "btc_twitter_a_f", "tab_en_train_dev",
)  # fmt: skip
DEV = (
    "wnut17_train_dev", "btc_twitter_a_f", "presidio_v1_half_a", "presidio_v2_half_a",
    "eds_pseudo_fr_a", "meddocan_es_train_dev", "plpii_pl_a", "tab_en_train_dev",
)  # fmt: skip
JUDGES = tuple(name for name in corpora.JUDGES if name != "presidio_values_a")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--floor", type=float, default=0.5)
    parser.add_argument("--base", type=Path, default=None)
    parser.add_argument("--only", nargs="*", default=[*JUDGES, *DEV])
    asked = parser.parse_args()
    scorer = loaded(asked.data / "score_spans.py")
    tagger = made(asked.model, asked.base or HOME, asked.floor)
    for name in asked.only:
        print(line(name, asked.data, tagger, scorer), flush=True)


def loaded(path: Path) -> Any:
    """The scorer, from where the corpora lie."""
    spec = importlib.util.spec_from_file_location("score_spans", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file: name the folder that holds score_spans.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["score_spans"] = module
    spec.loader.exec_module(module)
    return module


def line(name: str, folder: Path, tagger: Tagger, scorer: Any) -> str:
    """One corpus: leaked % / documents with a leak % / over-scrub %, and characters a second."""
    rows = [
        row for row in corpora.documents(folder, name) if name not in DEV or corpora.is_dev(row)
    ]
    labels = ("PERSON",) if name in PEOPLE else DIRECT
    began = time.perf_counter()
    found = tagger([row["text"] for row in rows])
    took = time.perf_counter() - began
    told = [
        {"id": row["id"], "spans": [as_row(s) for s in spans if s.type in labels]}
        for row, spans in zip(rows, found, strict=True)
    ]
    # Labels that are left out stay neutral ground; a prediction on them counts neither way.
    marked = [{**row, "spans": [{**s, "id_type": "D" if s["label"] in labels else "N"} for s in row["spans"]]}
              for row in rows]  # fmt: skip
    result, *_ = scorer.score(marked, told, labels=labels, id_type={"D"})
    chars = result["chars"]["ALL"]["leak_rate"] or 0.0
    docs, over = result["doc_leak_rate"] or 0.0, result["over_scrub"]["over_scrub_rate"] or 0.0
    speed = sum(len(row["text"]) for row in rows) / took
    return f"{name:24} {100 * chars:6.1f} {100 * docs:6.1f} {100 * over:6.2f}   {speed:9,.0f}/s"


def as_row(span: Span) -> dict[str, Any]:
    """A span as the scorer reads it."""
    return {"start": span.start, "end": span.end, "label": span.type}


if __name__ == "__main__":
    main()
