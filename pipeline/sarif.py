"""Findings as SARIF 2.1.0 (OASIS), for code scanners; without snippets, so without values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pipeline.audit import Audited

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(audited: Audited) -> str:
    """One run; one rule for each type; a result for each finding and each place not scanned."""
    rows = [
        (row["type"], f"Holds a {row['type']} at {_path(row)}.", row) for row in audited.findings
    ]
    rows += [
        ("NOT_SCANNED", f"Could not be scanned: {row['reason']}.", row)
        for row in audited.not_scanned
    ]
    rules = sorted({kind for kind, _, _ in rows})
    driver = {
        "name": "privatune",
        "version": audited.versions["packages"].get("privatune", "0"),
        "rules": [{"id": kind, "shortDescription": {"text": kind}} for kind in rules],
    }
    results = [_result(kind, text, row, rules) for kind, text, row in rows]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _path(row: dict[str, Any]) -> str:
    inner = f" {row['inner']}" if "inner" in row else ""
    return f"{row['path']}{inner}, characters {row['start']} to {row['end']}"


def _result(kind: str, text: str, row: dict[str, Any], rules: list[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(row["file"])}}
    if "line" in row:
        location["region"] = {"startLine": row["line"]}
    logical = {"name": f"record {row['record']}", "fullyQualifiedName": row.get("path", "")}
    return {
        "ruleId": kind,
        "ruleIndex": rules.index(kind),
        "level": "error",
        "message": {"text": text},
        "locations": [{"physicalLocation": location, "logicalLocations": [logical]}],
    }


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
