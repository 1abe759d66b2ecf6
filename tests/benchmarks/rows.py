"""Made-up corpora, and a scorer with the character view alone: the real one lies with the corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCORER = """
def view(pairs, labels, id_type):
    chars, leaked, docs, left, others, over = {}, {}, 0, 0, 0, 0
    for row, told in pairs:
        text = row["text"]
        covered = {i for s in told["spans"] for i in range(s["start"], s["end"])}
        known = {i for s in row["spans"] for i in range(s["start"], s["end"])}
        solid = {i for i, c in enumerate(text) if not c.isspace()}
        own = [s for s in row["spans"] if s["id_type"] in id_type and s["label"] in labels]
        for s in own:
            places = solid & set(range(s["start"], s["end"]))
            chars[s["label"]] = chars.get(s["label"], 0) + len(places)
            leaked[s["label"]] = leaked.get(s["label"], 0) + len(places - covered)
        docs += bool(own)
        left += any(solid & set(range(s["start"], s["end"])) - covered for s in own)
        others += len(solid - known)
        over += len(solid & covered - known)
    table = {name: {"chars": n, "leaked": leaked[name]} for name, n in chars.items()}
    table["ALL"] = {"chars": sum(chars.values()), "leaked": sum(leaked.values())}
    return {
        "chars": table, "overlap": {"ALL": {"f2": None}},
        "docs_with_sensitive": docs, "docs_with_a_leak": left,
        "over_scrub": {"non_gold_chars": others, "covered": over},
    }


def score(gold, told, labels, id_type, by):
    pairs = list(zip(gold, told, strict=True))
    assert all(row["id"] == spans["id"] for row, spans in pairs)
    groups = {}
    for pair in pairs:
        groups.setdefault(str(pair[0].get(by)), []).append(pair)
    views = {name: view(rows, labels, id_type) for name, rows in groups.items()}
    return view(pairs, labels, id_type), views, None, sorted(labels), 0
"""


def span(text: str, value: str, label: str) -> dict[str, Any]:
    """The first place of a value in a text."""
    start = text.index(value)
    return {"start": start, "end": start + len(value), "label": label}


def row(name: str, text: str, *pairs: tuple[str, str]) -> dict[str, Any]:
    """A row with these values and labels."""
    return {"id": name, "lang": "en", "text": text, "spans": [span(text, *pair) for pair in pairs]}


def corpus(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    """A corpus as a file."""
    lines = "".join(json.dumps(one) + "\n" for one in rows)
    (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
