"""`prep` over broken and odd files: records recovered, and listed values that survive anywhere.

    python benchmarks/broken_files.py FOLDER          a folder with expected.json beside its files
    python benchmarks/broken_files.py FOLDER --plain  any folder: does each go through or get words?

expected.json: [{"file", "records_recoverable", "pii_values"}].
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path


def run(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "privatune.yaml").write_text(
        f"data: {{inputs: ['{source.resolve()}'], output: out, max_quarantine: 1.0}}\n",
        encoding="utf-8",
    )
    environment = {"PRIVATUNE_KEY": secrets.token_hex(32), **os.environ}
    command = [sys.executable, "-m", "pipeline", "prep", "--json", "--config"]
    return subprocess.run(
        [*command, str(folder / "privatune.yaml")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def survivors(folder: Path, said: str, values: list[str]) -> list[int]:
    """Numbers of the listed values that stand in any written file or in what was said."""
    written = [said]
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "privatune.yaml":
            text = path.read_bytes().decode("utf-8", "replace")
            written.append(text)
            if path.suffix == ".jsonl":
                written += [
                    json.dumps(json.loads(x), ensure_ascii=False) for x in text.splitlines()
                ]
    return [n for n, value in enumerate(values) if any(value in text for text in written)]


def one(source: Path, recoverable: int | None, values: list[str]) -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = run(source, folder)
        counts = json.loads(done.stdout)["counts"] if done.returncode == 0 else {}
        reasons = (
            json.loads(done.stdout)["reasons"] if done.returncode == 0 else done.stderr.strip()
        )
        kept = counts.get("train", 0) + counts.get("holdout", 0)
        left = survivors(folder, done.stdout + done.stderr, values)
    wrong = (recoverable is not None and kept != recoverable) or bool(left)
    mark = "WRONG" if wrong or done.returncode == 3 else "ok"
    print(
        f"{mark:6}{source.name:44} exit {done.returncode} kept {kept} of {recoverable} left {left} {reasons}",
        flush=True,
    )
    return not wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    if given.plain:
        files = [p for p in sorted(given.folder.iterdir()) if p.is_file()]
        results = [one(path, None, []) for path in files]
    else:
        expected = json.loads((given.folder / "expected.json").read_text(encoding="utf-8"))
        results = [
            one(given.folder / e["file"], e["records_recoverable"], e["pii_values"])
            for e in expected
        ]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
