"""The key in a record: every spelling, anywhere in a text; and no record without it."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.own_key import spellings
from tests.conftest import KEY, write_rows
from tests.pipeline.runs import configure, prep, rows, texts

RAW = bytes.fromhex(KEY)
LOOK = spellings([RAW])
B64 = base64.b64encode(RAW).decode()


def lines(text: str, size: int) -> str:
    return "\n".join(text[at : at + size] for at in range(0, len(text), size))


FORMS = {
    "hex": KEY,
    "upper": KEY.upper(),
    "colons": RAW.hex(":"),
    "spaces": RAW.hex(" ", 4),
    "literals": ", ".join(f"0x{one:02x}" for one in RAW),
    "escapes": "".join(f"\\x{one:02X}" for one in RAW),
    "utf-16": KEY.encode("utf-16-le").decode("ascii"),
    "wrapped": lines(KEY, 16),
    "base64": B64,
    "url": base64.urlsafe_b64encode(RAW).decode().rstrip("="),
    "wrapped-base64": lines(B64, 20),
    "base64-of-hex": base64.b64encode(f"PRIVATUNE_KEY={KEY}\n".encode()).decode(),
    "base64-of-utf-16": base64.b64encode(f"k={KEY}".encode("utf-16-le")).decode(),
    "base64-of-base64": base64.b64encode(B64.encode()).decode(),
    "hex-of-hex": KEY.encode().hex(),
    "bytes": RAW.decode("latin-1"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_seen_within_a_text(form: str) -> None:
    assert LOOK.in_text(f"my key is <{FORMS[form]}>, keep it")
    assert KEY[:16] not in repr(LOOK)


@given(st.binary(max_size=9), st.binary(max_size=9))
def test_within_longer_bytes_in_base64(before: bytes, after: bytes) -> None:
    assert LOOK.in_text(base64.b64encode(before + RAW + after).decode())


@given(st.binary(min_size=32, max_size=99))
def test_other_bytes_are_no_key(data: bytes) -> None:
    assert not LOOK.in_text(data.hex() + " " + base64.b64encode(data).decode())
    assert not LOOK.in_text(KEY[:-1])


@pytest.mark.parametrize("place", ["text", "escaped", "inner", "key"])
def test_a_record_with_the_key_is_quarantined(work: Path, place: str) -> None:
    row = {
        "text": {"prompt": f"use {KEY}", "completion": "ok"},
        "escaped": {"prompt": "use ESC", "completion": "ok"},
        "inner": {"prompt": json.dumps({"k": [KEY.upper()]}), "completion": "ok"},
        "key": {"prompt": "hi", "completion": json.dumps({B64: 1})},
    }[place]
    write_rows(Path("rows.jsonl"), [row, {"prompt": "hello", "completion": "Hello."}])
    file = Path("rows.jsonl")
    escaped = file.read_text().replace("ESC", f"\\u{ord(KEY[0]):04x}{KEY[1:]}")
    file.write_text(escaped + "\n" * (1 << 16))  # too large for the search beside the data
    configure(["rows.jsonl"])
    assert prep() == 0
    assert [place["reasons"] for place in rows("quarantine.jsonl")] == [["secret-key"]]
    assert [json.loads(text)["prompt"] for text in texts()] == ["hello"]
    for file in Path("out").rglob("*"):
        assert not file.is_file() or not LOOK.in_bytes(file.read_bytes())
