from __future__ import annotations

import datetime
import gzip
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import framing, sources, window
from pipeline.reading import InputError, RawRecord, Unreadable, one_line, read
from pipeline.window import Window
from scrubbers.jsontext import leaves

ONE = '{"messages": [{"role": "user", "content": "Zoë, hi"}]}'
TWO = '{"instruction":"x","output":"y \\u00e9"}'


def read_bytes(tmp_path: Path, content: bytes | str, name: str = "data.jsonl", **how: int) -> list[
    RawRecord | Unreadable
]:  # fmt: skip
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = list(read(path, **how))
    assert [item.number for item in found] == list(range(1, len(found) + 1))
    for item in found:
        assert item.file == str(path)
        if isinstance(item, RawRecord):
            leaves(item.text)
    return found


def texts(found: list[RawRecord | Unreadable]) -> list[str]:
    return [item.text if isinstance(item, RawRecord) else f"!{item.reason}" for item in found]


def notes(found: list[RawRecord | Unreadable]) -> set[str]:
    return {note for item in found if isinstance(item, RawRecord) for note in item.notes}


def exact(found: list[RawRecord | Unreadable]) -> set[bool]:
    return {item.exact for item in found if isinstance(item, RawRecord)}


# --- framing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected", "note"),
    [
        (f"{ONE}\n{TWO}\n", [ONE, TWO], None),
        (f"{ONE}\n{TWO}", [ONE, TWO], None),
        (f"\n  \n {ONE} \n\n\t{TWO}\t\n\n", [f" {ONE} ", f"\t{TWO}\t"], None),
        (f"{ONE}{TWO}\n", [ONE, TWO], "several-per-line"),
        (f"{ONE} , {TWO}\n", [ONE, TWO], "several-per-line"),
        (f"{ONE},\n{TWO},\n", [ONE, TWO], "trailing-comma"),
        (f"[{ONE},{TWO}]", [ONE, TWO], "array"),
        (f"[\n  {ONE},\n  {TWO}\n]\n", [ONE, TWO], "array"),
        (f"[[{ONE}], [{TWO}, {ONE}]]", [f"[{ONE}]", f"[{TWO}, {ONE}]"], "array"),
        (f"[{ONE}]\n[{TWO}]\n", [f"[{ONE}]", f"[{TWO}]"], None),
        (f"[\n{ONE}\n]\n[\n{TWO}\n]\n", [ONE, TWO], "array"),
        (f"# made up\n{ONE}\n// next\n{TWO}\n", [ONE, TWO], "comment-lines"),
        ('{\n  "a": 1\n}\n{\n  "b": [\n2]\n}\n', ['{\n  "a": 1\n}', '{\n  "b": [\n2]\n}'], "pretty-printed"),
        ('{\n  "a": 1\n}', ['{\n  "a": 1\n}'], "pretty-printed"),
        ('"text"\n["a", 1]\n7\nnull\n', ['"text"', '["a", 1]', "7", "null"], None),
        ("[]", [], None),
        ("", [], None),
        ("\n \n", [], None),
    ],
)  # fmt: skip
def test_sound_records_are_exact_in_every_frame(
    tmp_path: Path, content: str, expected: list[str], note: str | None
) -> None:
    found = read_bytes(tmp_path, content)
    assert texts(found) == expected
    assert exact(found) <= {True}
    assert notes(found) == ({note} if note else set())


def test_lines_and_line_ends_are_told(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f"{ONE}\r\n\r\n{TWO} \r\n{{\r\n}}\r\n{ONE}")
    assert [item.line for item in found] == [1, 3, 4, 6]
    assert [item.eol for item in found if isinstance(item, RawRecord)] == ["\r\n"] * 4
    assert texts(found)[1:3] == [f"{TWO} ", "{\r\n}"]


RECORDS = st.lists(
    st.dictionaries(
        st.text(max_size=5), st.integers() | st.text(max_size=8) | st.lists(st.none() | st.text(max_size=3), max_size=3),
        max_size=3,
    ),
    min_size=1, max_size=5,
)  # fmt: skip
FRAMES: dict[str, Callable[[list[str]], str]] = {
    "lines": "\n".join,
    "crlf": lambda texts: "\r\n".join(texts) + "\r\n",
    "joined": "".join,
    "array": lambda texts: "[" + ",".join(texts) + "]",
    "wide array": lambda texts: "[\n  " + " ,\n  ".join(texts) + "\n]\n",
}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RECORDS, st.sampled_from(sorted(FRAMES)), st.sampled_from([None, 1, 4]), st.integers(1, 9))
def test_any_frame_gives_the_records_whatever_the_chunks(
    tmp_path: Path, values: list[object], frame: str, indent: int | None, chunk: int
) -> None:
    records = [json.dumps(value, indent=indent, ensure_ascii=False) for value in values]
    content = FRAMES[frame](records)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "CHUNK", chunk)
        patch.setattr(sources, "CHUNK", chunk)
        found = read_bytes(tmp_path, content)
    assert [text.strip() for text in texts(found)] == records
    assert exact(found) == {True}


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.integers(1, 9))
def test_any_damage_gives_sound_records_or_reasons_whatever_the_chunks(
    tmp_path: Path, data: st.DataObject, chunk: int
) -> None:
    content = "\n".join([ONE, TWO, '[{"a": "b"}]', '{"c":\n1}', ONE])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        cut = data.draw(st.integers(0, 12))
        put = data.draw(
            st.sampled_from(
                ["", '"', "'", "\n", ",", "{", "]", "\\", "#", "None", "\x01", "\ufeff", "x"]
            )
        )
        content = content[:at] + put + content[at + cut :]
    whole = read_bytes(tmp_path, content + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "CHUNK", chunk)
        patch.setattr(sources, "CHUNK", max(chunk, 64))  # a NUL in the first block means binary
        assert read_bytes(tmp_path, content + "\n") == whole


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected", "note"),
    [
        ("{'a': 'b'}\n" + TWO, ['{"a": "b"}', TWO], "single-quotes"),
        ('{"a": [1,],}\n' + TWO, ['{"a": [1]}', TWO], "trailing-comma"),
        ('{"a": "b\nc"}\n' + TWO, ['{"a": "b\\nc"}', TWO], "raw-newline"),
        ('{"a": "so "called" x"}\n' + TWO, ['{"a": "so \\"called\\" x"}', TWO], "unescaped-quotes"),
        ('{"a": "x "}" y", "b": 2}\n' + TWO, ['{"a": "x \\"}\\" y", "b": 2}', TWO], "unescaped-quotes"),
        ('{"a": None}{"a": NaN}\n', ['{"a": null}', '{"a": null}'], "python-literals"),
        ("{\n 'a': 1,\n 'b': [\n 2]\n}\n" + TWO, ['{"a": 1, "b": [2]}', TWO], "single-quotes"),
        ("[{'a': 1}, {'b': 2}]", ['{"a": 1}', '{"b": 2}'], "single-quotes"),
        ("[\n{'a': 1},\n{\"b\": 2}\n]", ['{"a": 1}', '{"b": 2}'], "single-quotes"),
        (json.dumps(TWO) + "\n" + json.dumps(json.dumps(ONE)), [TWO, ONE], "double-encoded"),
        ('{"a": "\\ud83d"}', ['{"a": "\\ud83d"}'], "lone-surrogate"),
        ('{"a": 1} // note\n', ['{"a": 1}'], "comments"),
        (f"[{ONE} {TWO}]", [ONE, TWO], "missing-comma"),
        # what cannot be mended takes nothing with it
        (f"{ONE}\nid\tname\n{TWO}\n", [ONE, "!not-json", TWO], None),
        (f'{ONE}\n{{"a": "cut off\n{TWO}\n{ONE}\n', [ONE, "!truncated", TWO, ONE], None),
        (f'{ONE}\n{{"a": [1,\n{TWO}\n{ONE}\n', [ONE, "!truncated", TWO, ONE], None),
        (f'{ONE}\n{{"a": 5" pipe"}}\n{TWO}\n', [ONE, "!not-json", TWO], None),
        (f'{ONE}\n{{"a": "5" pipe"}}\n{TWO}\n', [ONE, "!not-json", TWO], None),
        (f'{ONE}\n{{"messages": [{{"role": "us', [ONE, "!truncated"], None),
        ('{\n "a": 1\n}\n{\n "b": [\n  2,', ['{\n "a": 1\n}', "!truncated"], None),
        (f"[{ONE}, {{x}}, {TWO}]", [ONE, "!broken-array", TWO], None),
        (f"[\n{ONE},\n{{\"a\": \"5\" x\"}},\n{TWO}\n]", [ONE, "!broken-array", TWO], None),
        (f"[\n{ONE},\n{{\"a\": [}},\n{TWO}\n]", [ONE, "!broken-array", TWO], None),
        (f"[{ONE}, {TWO[:9]}", [ONE, "!truncated"], None),
        (f"[{ONE}, {TWO}", [ONE, TWO, "!unclosed-array"], None),
        ("[" * 20_000 + "\n" + ONE + "\n", None, None),
        ('{"a":' * 20_000 + "1" + "}" * 20_000 + f"\n{ONE}\n", ["!too-deep", ONE], None),
        (f'{{"n": {"9" * 5000}}}\n{ONE}\n', ["!not-json", ONE], None),
        ('{"a": "\x00"}\n', ['{"a": "\\u0000"}'], "control-characters"),
        (f"{ONE}\r", [ONE], None),
    ],
)  # fmt: skip
def test_broken_records_are_mended_or_named(
    tmp_path: Path, content: str, expected: list[str] | None, note: str | None
) -> None:
    if "\x00" in content:
        content = ONE + "\n" * sources.CHUNK + content
        expected = [ONE, *(expected or [])]
    found = read_bytes(tmp_path, content)
    if expected is not None:
        assert texts(found) == expected
    assert {note} <= notes(found) | {None}
    for item in found:
        if isinstance(item, Unreadable):
            assert item.line
            assert item.detail.endswith(".")


def test_a_table_with_the_wrong_name_gives_no_record(tmp_path: Path) -> None:
    content = "id\tname\n1\tZoë Example\n"
    found = read_bytes(tmp_path, content, "data.jsonl")
    assert texts(found) == ["!not-json", "!not-json"]
    assert "Zo" not in repr(found)
    with pytest.raises(InputError, match="does not look like JSON"):
        read_bytes(tmp_path, content, "data.tsv")
    with pytest.raises(InputError, match="does not look like JSON"):
        read_bytes(tmp_path, '"id","name"\n"1","Zoë Example"\n', "data.csv")
    assert texts(read_bytes(tmp_path, ONE, "data.txt")) == [ONE]


def test_records_do_not_show_their_text(tmp_path: Path) -> None:
    assert "Zo" not in repr(read_bytes(tmp_path, ONE))


@pytest.mark.parametrize("frame", ["lines", "array"])
def test_a_record_that_is_too_long_is_passed(
    tmp_path: Path, frame: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "CHUNK", 1001)
    monkeypatch.setattr(sources, "CHUNK", 1001)
    monkeypatch.setattr(framing, "_PEEK", 1000)
    for long in (
        '{"a": "' + '\\"]}\\\\' * 9000 + '"}',
        '{"a": [' + "[{}], " * 9000 + "1]}",
        '"' + "x" * 50_000 + '"',
    ):
        records = [ONE, long, TWO]
        found = read_bytes(tmp_path, FRAMES[frame](records), limit=5000)
        assert texts(found) == [ONE, "!too-long", TWO]
    garbage = f"{ONE}\n{'x' * 50_000}\n{{{'y' * 50_000}\n{TWO}\n"
    found = read_bytes(tmp_path, garbage, limit=5000)
    assert [text.startswith("!") for text in texts(found)] == [False, True, True, False]


# --- encodings and packing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (ONE.encode("utf-8-sig"), "bom"),
        (ONE.encode("utf-16"), "utf-16"),
        (ONE.encode("utf-16-be"), "utf-16"),
        (b"\xfe\xff" + ONE.encode("utf-16-be"), "utf-16"),
        (ONE.encode("utf-32"), "utf-32"),
        (ONE.encode("cp1252"), "cp1252"),
    ],
)
def test_other_encodings_are_decoded_and_told(tmp_path: Path, content: bytes, note: str) -> None:
    found = read_bytes(tmp_path, content)
    assert texts(found) == [ONE]
    assert notes(found) == {note}
    assert exact(found) == {False}


def test_one_wrong_line_is_settled_alone(tmp_path: Path) -> None:
    lines = [ONE.encode(), ONE.encode("cp1252"), TWO.encode(), b'{"a": "\x81"}', ONE.encode() + b'\xe9', b'{"b": "\xc3\xa9 \xe9"}',
             b"{'c': '\xe9'}"]  # fmt: skip
    found = read_bytes(tmp_path, b"\n".join(lines))
    assert texts(found) == [ONE, ONE, TWO, "!encoding", "!not-json", "!encoding", '{"c": "é"}']
    assert [item.exact for item in found if isinstance(item, RawRecord)] == [
        True,
        False,
        True,
        False,
    ]


def test_utf16_with_a_lone_surrogate_is_read(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, '{"a": "\ud83d"}'.encode("utf-16", "surrogatepass"))
    assert texts(found) == ['{"a": "\\ud83d"}']
    assert notes(found) == {"utf-16", "lone-surrogate"}


def test_files_joined_with_their_marks_are_read(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f"{ONE}\n\ufeff{TWO}\n")
    assert texts(found) == [ONE, TWO]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_packed_files_are_known_by_suffix_or_content(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    content = f"{ONE}\n{TWO}\n".encode() * 3000
    for name in ("data.jsonl.gz", "data.jsonl", "data.json.zst"):
        assert texts(read_bytes(tmp_path, pack(content), name)) == [ONE, TWO] * 3000
    assert len(read_bytes(tmp_path, pack(content) * 2, "two.jsonl.gz")) == 12_000
    with pytest.raises(InputError, match="damaged or cut off"):
        read_bytes(tmp_path, pack(content)[:-3], "cut.jsonl.gz")


# --- files that cannot be read -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0", "binary"),
        (b"PK\x03\x04rest", "zip archive"),
        (b"%PDF-1.7", "PDF"),
        (b"PAR1 and no more", "Parquet"),
        (b"\xff\xfe{\0\x00\xdc\x00\x00", None),
        (b"\xff\xfe{", "starts as UTF-16"),
        (b"\x1f\x8b\x08garbage", "damaged"),
    ],
)
def test_files_that_are_no_text_are_refused(
    tmp_path: Path, content: bytes, says: str | None
) -> None:
    if says is None:
        assert texts(read_bytes(tmp_path, content)) == ["!not-json"]
        return
    with pytest.raises(InputError, match=says) as caught:
        read_bytes(tmp_path, content)
    assert str(tmp_path) in str(caught.value)
    assert str(caught.value).endswith(".")


def test_missing_files_and_strange_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="save_to_disk"):
        list(read(tmp_path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_without_permission_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(ONE)
    path.chmod(0)
    with pytest.raises(InputError, match="no permission"):
        list(read(path))


def test_a_refused_open_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(InputError, match="no permission"):
        list(read(tmp_path / "data.jsonl"))


# --- tables ------------------------------------------------------------------------------------

ROWS = [
    {"messages": [{"role": "user", "content": "Zoë"}], "n": 1, "when": datetime.datetime(2024, 1, 2, 3, tzinfo=datetime.UTC)},
    {"messages": [{"role": "assistant", "content": None}], "n": None, "when": None},
]  # fmt: skip
ROW_TEXTS = [
    '{"messages": [{"role": "user", "content": "Zoë"}], "n": 1, "when": "2024-01-02T03:00:00+00:00"}',
    '{"messages": [{"role": "assistant", "content": null}], "n": null, "when": null}',
]


def test_parquet_is_read(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "data.parquet")
    found = list(read(tmp_path / "data.parquet"))
    assert texts(found) == ROW_TEXTS
    assert exact(found) == {False}
    assert [item.line for item in found] == [None, None]


def test_cells_without_a_form_in_json_are_named(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    table = pa.table({"a": [b"x", None, None], "b": [1.0, float("nan"), 2.5]})
    pq.write_table(table, tmp_path / "data.parquet")
    found = list(read(tmp_path / "data.parquet"))
    assert texts(found) == ["!no-json-form", "!no-json-form", '{"a": null, "b": 2.5}']


def test_saved_sets_are_read_without_a_cache_in_the_home(tmp_path: Path) -> None:
    script = f"""
import datetime, sys
sys.path.insert(0, {str(Path.cwd())!r})
import datasets
from pathlib import Path
rows = {ROWS!r}
part = datasets.Dataset.from_list(rows)
part.save_to_disk({str(tmp_path / "one")!r})
datasets.DatasetDict(train=part, test=part.select([1])).save_to_disk({str(tmp_path / "two")!r})
"""
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | {"HOME": "/nonexistent", "HF_HOME": str(tmp_path / "cache")})  # fmt: skip
    home = tmp_path / "home"
    home.mkdir()
    reads = f"""
import sys
sys.path.insert(0, {str(Path.cwd())!r})
from pipeline.reading import read
for name in ("one", "two"):
    for item in read({str(tmp_path)!r} + "/" + name):
        sys.stdout.buffer.write(item.text.encode() + b"\\n")
"""
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("HF_", "XDG_"))
    }
    done = subprocess.run([sys.executable, "-c", reads], check=True, capture_output=True, env=env | {"HOME": str(home)})  # fmt: skip
    assert done.stdout.decode().splitlines() == [*ROW_TEXTS, *ROW_TEXTS, ROW_TEXTS[1]]
    assert list(home.rglob("*")) == []
    (tmp_path / "one" / "dataset_info.json").write_text("{")
    with pytest.raises(InputError, match="not a sound folder"):
        list(read(tmp_path / "one"))


# --- memory and one line -----------------------------------------------------------------------


@pytest.mark.parametrize("frame", ["lines", "array", "wide array", "joined"])
def test_memory_does_not_grow_with_the_file(frame: str) -> None:
    start = {"array": "[", "wide array": "[\n"}.get(frame, "")
    between = {"array": ",", "wide array": ",\n", "joined": ""}.get(frame, "\n")

    def peak(records: int) -> int:
        chunks = (f"{between if at else start}{ONE}" for at in range(records))
        tracemalloc.start()
        try:
            count = sum(
                1 for piece in framing.pieces(Window(chunks, 1_000_000)) if not piece.reason
            )
            assert count == records
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(framing, "_PEEK", 10_000)
        patch.setattr(window, "CHUNK", 10_000)
        assert peak(8000) < 1.3 * peak(1000) + 50_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,\r\n  "b":\n[1,\n2]}', '{"a": 1, "b": [1, 2]}'),
        ('{\n  "a\\n" : "x , y"\n}\n', '{"a\\n" : "x , y"}'),
        ('{"a":  1}', '{"a":  1}'),
        ('[\n]', "[]"),
    ],
)  # fmt: skip
def test_one_line_changes_structure_only(text: str, expected: str) -> None:
    assert one_line(text) == expected


@given(RECORDS, st.sampled_from([None, 0, 1, 4]), st.sampled_from(["\n", "\r\n"]))
def test_one_line_keeps_all_leaves(value: object, indent: int | None, eol: str) -> None:
    text = json.dumps(value, indent=indent).replace("\n", eol)
    flat = one_line(text)
    assert "\n" not in flat
    assert "\r" not in flat
    assert leaves(flat) == leaves(text)
    if indent is None:
        assert flat == text


# --- no hidden cost ----------------------------------------------------------------------------


def test_reading_lines_loads_no_table_library(tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text(ONE)
    script = f"""
import sys
sys.path.insert(0, {str(Path.cwd())!r})
from pipeline.reading import read
assert len(list(read({str(tmp_path / "data.jsonl")!r}))) == 1
heavy = {{"pyarrow", "datasets", "pandas", "numpy", "zstandard"}} & set(sys.modules)
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_many_broken_lines_take_linear_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(framing, "MAX_REPAIR", 20_000)
    looked = 0
    balanced = window.balanced

    def counted(text: str, at: int, end: int) -> int | None:
        nonlocal looked
        looked += min(end - at, 20_000 * 2)
        return balanced(text, at, end)

    monkeypatch.setattr(window, "balanced", counted)
    monkeypatch.setattr(window, "CHUNK", 10_000)
    content = f"{ONE}\n" + '{"a": [{"b": "c"}, {"d": "e\n' * 4000
    found = read_bytes(tmp_path, content)
    assert len(found) == 4001
    assert looked < 20 * len(content) + 64 * 20_000
