"""Runs of `prep` inside the test's process, and what they wrote, read back."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline import cli, folder
from scrubbers.keys import signing_key
from tests.conftest import KEY

RULES = {"detectors": ["rules"]}
OTHER_KEY = "07ab5c9d3e1f7062b4c8d9e0f1a2b3c4d5e6f70819a2b3c4d5e6f7081928374a"


@contextmanager
def own_folder() -> Iterator[Path]:
    """hypothesis runs many examples in one test, so a fixture's folder would be shared."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def configure(inputs: list[str], output: str = "out", **sections: Any) -> None:
    """Write `privatune.yaml` here; rules alone detect unless `privacy` says otherwise."""
    data = {"inputs": inputs, "output": output, **sections.pop("data", {})}
    privacy = RULES | sections.pop("privacy", {})
    body = {"data": data, "privacy": privacy, **sections}
    Path("privatune.yaml").write_text(json.dumps(body), encoding="utf-8")


def prep(*arguments: str) -> int:
    """The exit code of `prep`."""
    return cli.run(["prep", "--quiet", *arguments])


def shipped(out: str = "out") -> dict[tuple[str, int], str]:
    """(input file, record) -> the line that was written for it, with its line end."""
    files = {
        split: Path(out, "ship", f"{split}.jsonl").read_bytes().decode().split("\n")
        for split in folder.SPLITS
    }
    lines = {}
    for row in rows("lineage.jsonl", out):
        source = row["source"]
        lines[source["file"], source["record"]] = files[row["split"]][row["record"] - 1] + "\n"
    return lines


def texts(out: str = "out") -> list[str]:
    """The written lines in the order of the input."""
    return [text.rstrip("\r\n") for _, text in sorted(shipped(out).items())]


def rows(name: str, out: str = "out") -> list[dict[str, Any]]:
    """The rows of a file of `keep/`, without its version."""
    head, *found = Path(out, "keep", name).read_text(encoding="utf-8").splitlines()
    assert json.loads(head) == {"version": 1}
    return [json.loads(line) for line in found]


def report(out: str = "out") -> dict[str, Any]:
    """`report.json`, of a prepared or of a refused run."""
    keep = Path(out, "keep") if Path(out, "keep").is_dir() else Path(out)
    body: dict[str, Any] = json.loads((keep / "report.json").read_text(encoding="utf-8"))
    return body


def counts(out: str = "out") -> tuple[int, ...]:
    """(records, train, holdout, quarantine, dropped)."""
    told = report(out)["counts"]
    return tuple(told[k] for k in ("records", "train", "holdout", "quarantine", "dropped"))


def gates(out: str = "out") -> dict[str, str]:
    """Gate -> state."""
    return {gate["name"]: gate["state"] for gate in report(out)["gates"]}


def seal_again(out: str = "out", dataset: str = "out") -> None:
    """What the owner of the key could do after changing a file: sign the folder anew."""
    manifest = json.loads(Path(out, "ship", "manifest.json").read_text(encoding="utf-8"))
    folder.seal(Path(out), manifest, signing_key(bytes.fromhex(KEY), dataset))
