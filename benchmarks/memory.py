"""Peak memory of `prep` over a small and a large set of distinct rows, in one run.

    python benchmarks/memory.py [--small 2000] [--large 200000] [--models]

Prints both peaks (largest process, MiB) and their difference.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GIVEN = ("Ana", "Luis", "Marta", "Jonas", "Ingrid", "Paolo", "Chloe", "Pieter")
FAMILY = ("Arboleda", "Brandner", "Castellini", "Duvernay", "Eriksen", "Fonseca", "Groenveld")


def row(number: int) -> str:
    name = f"{GIVEN[number % len(GIVEN)]} {FAMILY[number % len(FAMILY)]}{chr(97 + number % 26)}"
    mail = f"user{number}@mail{number % 977}.example"
    user = f"My name is {name}, mail {mail}, order A{number:07d}-{number % 10}. When does it come?"
    turns = [{"role": "user", "content": user}, {"role": "assistant", "content": f"Soon, {name}."}]
    return json.dumps({"messages": turns})


def peak(count: int, detectors: str) -> tuple[float, float]:
    """MiB and seconds of one `prep` over `count` rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "rows.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(row(i) + "\n" for i in range(count))
        (folder / "privatune.yaml").write_text(
            f"data: {{inputs: [rows.jsonl], output: out}}\nprivacy: {{detectors: {detectors}}}\n",
            encoding="utf-8",
        )
        environment = {"PRIVATUNE_KEY": secrets.token_hex(32), **os.environ}
        command = [sys.executable, "-m", "pipeline", "prep", "--quiet", "--config"]
        start = time.monotonic()
        with subprocess.Popen([*command, str(folder / "privatune.yaml")], env=environment) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            sys.exit(f"prep ended with {child.returncode}")
        return _mebibytes(usage), time.monotonic() - start


def _mebibytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=2_000)
    parser.add_argument("--large", type=int, default=200_000)
    parser.add_argument("--models", action="store_true")
    given = parser.parse_args()
    detectors = "[rules, presidio, spacy, onnx]" if given.models else "[rules]"
    small, _ = peak(given.small, detectors)
    large, seconds = peak(given.large, detectors)
    print(f"{given.small:,} rows: {small:.0f} MiB; {given.large:,} rows: {large:.0f} MiB")
    print(f"difference {large - small:.0f} MiB; {given.large / seconds:,.0f} rows a second")


if __name__ == "__main__":
    main()
