#!/bin/sh
# The main job on the sample data: prepare, look at one record before and after, check, audit.
# `make demo` makes the environment and calls this; PYTHON names the environment's Python.
set -eu
cd "$(dirname "$0")/.."

PYTHON="${PYTHON:-python3}"
PYTHON="$(command -v "$PYTHON")" || { echo "demo: no such Python; run \`make demo\`" >&2; exit 2; }
PRIVATUNE="$(dirname "$PYTHON")/privatune"
[ -x "$PRIVATUNE" ] || { echo "demo: $PRIVATUNE is not there; run \`make demo\`" >&2; exit 2; }

# A key for this demo alone. Real runs keep one: with the same key, the same set comes out again.
unset PRIVATUNE_KEY_FILE
PRIVATUNE_KEY="$("$PYTHON" -c 'import secrets; print(secrets.token_hex(32))')"
export PRIVATUNE_KEY

say() { printf '\n== %s\n' "$1"; }

rm -rf demo-out demo-out.refused .demo-out.partial
say "privatune prep: raw files to a prepared folder"
"$PRIVATUNE" prep --config sample_data/privatune.yaml --output demo-out

say "one record, before and after (the second is in demo-out/ship)"
"$PYTHON" - support_chats.jsonl 1 <<'PY'
import json
import sys
from pathlib import Path

name, number = sys.argv[1], int(sys.argv[2])
rows = [json.loads(line) for line in Path("demo-out/keep/lineage.jsonl").open(encoding="utf-8")]
wanted = {"file": name, "record": number}
found = [row for row in rows if "source" in row and wanted.items() <= row["source"].items()]
if not found:
    sys.exit(f"demo: {name} record {number} was quarantined; see demo-out/keep/quarantine.jsonl")


def line(path: str, number: int) -> str:
    return Path(path).read_text(encoding="utf-8").split("\n")[number - 1]


for text in (
    line(f"sample_data/{name}", number),
    line(f"demo-out/ship/{found[0]['split']}.jsonl", found[0]["record"]),
):
    for message in json.loads(text)["messages"]:
        print(f"{message['role']:>9}  {message['content']}")
    print()
PY

say "privatune check: signature, hashes, a fresh scan, surrogates against originals"
"$PRIVATUNE" check demo-out --config sample_data/privatune.yaml

say "privatune audit: the same detectors on a raw file, as a pre-commit hook runs them"
code=0
"$PRIVATUNE" audit --format table sample_data/conversations.jsonl || code=$?
[ "$code" -eq 1 ] || { echo "demo: audit ended with $code, not 1" >&2; exit 1; }
echo "exit code 1: this is the gate that keeps a raw file out of a commit or an upload"

say "next"
cat <<'TXT'
Open demo-out/keep/report.html in a browser: what was replaced, what was not scanned, which gates warned.
Look at demo-out/ship: only this folder travels. demo-out/keep stays at home.
For data of your own: privatune init FILES, then privatune prep. The README says the rest.
TXT
