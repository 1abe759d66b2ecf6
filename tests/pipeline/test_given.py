"""`prep --findings`: a list is carried out exactly or refused; it never is half done."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pipeline import cli
from pipeline import prep as prep_module
from pipeline.places import place_of
from scrubbers.entities import ENTITY_TYPES
from scrubbers.jsonplace import Places
from scrubbers.jsontext import Leaf, leaves
from tests.conftest import KEY, write_rows
from tests.pipeline.rows import WORD, chat, plain
from tests.pipeline.runs import (
    OTHER_KEY,
    configure,
    gates,
    own_folder,
    prep,
    report,
    rows,
    shipped,
    texts,
)
from tests.scrubbers.test_jsontext import json_text

# Each example is a whole run, so a failing one is shown as it was found.
WHOLE_RUNS = settings(
    max_examples=20, deadline=None, suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)  # fmt: skip
Finding = dict[str, Any]


def audit(*files: str) -> dict[str, Any]:
    """What `audit --format json` prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert cli.run(["audit", *files, "--format", "json"]) in (0, 1)
    body: dict[str, Any] = json.loads(out.getvalue())
    return body


def give(body: object, name: str = "findings.json") -> str:
    Path(name).write_text(json.dumps(body), encoding="utf-8")
    return name


def of(*findings: Finding, inputs: object = None, file: str = "rows.jsonl") -> dict[str, Any]:
    """A findings file of another detector."""
    told = [{"file": file, "record": 1, **one} for one in findings]
    return {"version": 1, "findings": told, "inputs": {file: None} if inputs is None else inputs}


def at(text: str, part: str, kind: str = "PERSON", path: str = "prompt", nth: int = 0) -> Finding:
    """A finding of a part of a text."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(part, start + 1)
    return {"path": path, "start": start, "end": start + len(part), "type": kind}


# ---- carried out


TEXTS = [
    "My name is Ottilie Zqcanary and my mail is zqcanary@mail.example.",
    "Name: Jos\u00e9 Zqcanary, card 4111 1111 1111 1111",
    'The answer: {"name": "Ottilie Zqcanary", "iban": "DE89370400440532013000"}',
    'Twice: {"a": "{\\"email\\": \\"ann@zq.example\\"}"}',
    "Call +44 7700 900123 about 48151623.",
    "Nothing here.",
]


@st.composite
def records(draw: st.DrawFn) -> list[object]:
    turn = st.sampled_from(TEXTS)
    made = st.fixed_dictionaries({"prompt": turn, "completion": turn})
    keyed = st.builds(lambda text: {"prompt": {text: text}, "completion": text}, turn)
    return draw(st.lists(made | keyed, min_size=1, max_size=6))


@pytest.mark.slow
@WHOLE_RUNS
@given(records())
def test_an_audit_carried_out_is_the_run_itself(found: list[object]) -> None:
    """Up to what only the second look and the search over the set add."""
    with own_folder() as work:
        write_rows(work / "rows.jsonl", found)
        configure(["rows.jsonl"], "own", privacy={"dataset": "d"})
        assert prep() == 0
        listed = audit("rows.jsonl")
        configure(["rows.jsonl"], "given", privacy={"dataset": "d"})
        assert prep("--findings", give(listed)) == 0
        told = report("given")
        assert told["counts"] == report("own")["counts"]
        assert told["findings"]["findings"] == len(rows("edits.jsonl", "given"))
        assert gates("given")["findings_untied"] == "passed"
        own, carried = shipped("own"), shipped("given")
        added = {row["record"] for row in own_only("own", "given")}
        where = lineage("own")
        assert all(own[k] == carried[k] for k in own if where[k] not in added)
        assert len(rows("edits.jsonl", "given")) <= len(rows("edits.jsonl", "own"))


def lineage(out: str) -> dict[tuple[str, int], tuple[str, int]]:
    told = rows("lineage.jsonl", out)
    return {(r["source"]["file"], r["source"]["record"]): (r["split"], r["record"]) for r in told}


def own_only(own: str, carried: str) -> list[dict[str, Any]]:
    """Edits of a run that the other one lacks."""
    by_place = {
        (r["split"], r["record"], r["path"], r["value"]) for r in rows("edits.jsonl", carried)
    }
    return [
        {"record": (r["split"], r["record"])}
        for r in rows("edits.jsonl", own)
        if (r["split"], r["record"], r["path"], r["value"]) not in by_place
    ]


REASONS = (
    "no-surrogate", "number-form", "structure-changed", "scan-failed:ValueError", "date-unreadable",
    "pair-broken",
)  # fmt: skip


@st.composite
def given_anywhere(draw: st.DrawFn) -> tuple[list[str], list[Finding]]:
    """Records of any form, and findings of any type at any places that do not overlap."""
    texts, found = [], []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        text = f'{{"prompt": {draw(json_text())}, "completion": "Done."}}'
        texts.append(text.replace("\n", " "))
        found += draw(findings_in(texts[-1], number))
    return texts, found


@st.composite
def findings_in(draw: st.DrawFn, text: str, number: int) -> list[Finding]:
    made = []
    for leaf in leaves(text):
        for first, last in leaf.prose:
            at = first
            while at < last and draw(st.booleans()):
                start = draw(st.integers(at, last - 1))
                at = draw(st.integers(start + 1, last))
                span = dict(zip(("start", "end"), leaf.outer_span(start, at), strict=True))
                kind = {"kind": "key"} if leaf.kind == "key" and leaf.inner_steps is None else {}
                place = {**place_of(leaf), **kind, **span}
                made.append(
                    {"record": number, "type": draw(st.sampled_from(ENTITY_TYPES)), **place}
                )
    return made


@WHOLE_RUNS
@given(given_anywhere())
def test_any_findings_are_carried_out_to_the_byte(
    example: tuple[list[str], list[Finding]],
) -> None:
    lines, found = example
    with own_folder() as work:
        (work / "rows.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        configure(["rows.jsonl"], privacy={"policy": "strict"}, data={"max_quarantine": 1})
        code = prep("--findings", give(of(*found)))
        if code:  # every record was quarantined; nothing else may stop a run
            assert code == 1
            assert stopped("out.refused") == {"nothing_left"}
            return
        lost = {row["record"]: row["reasons"] for row in rows("quarantine.jsonl")}
        assert all(reason.startswith(REASONS) for why in lost.values() for reason in why)
        for (_, number), line in shipped().items():
            own = [f for f in found if f["record"] == number]
            edits = [e for e in rows("edits.jsonl") if lineage("out")["rows.jsonl", number]
                     == (e["split"], e["record"])]  # fmt: skip
            assert len(edits) == len(own)
            assert rest(lines[number - 1], own) == rest(line, edits)


@pytest.mark.slow
@WHOLE_RUNS
@given(given_anywhere(), given_anywhere())
def test_any_findings_hold_in_any_order_of_files_and_in_shards(
    first: tuple[list[str], list[Finding]], second: tuple[list[str], list[Finding]]
) -> None:
    with own_folder() as work:
        listed = of(inputs={"a.jsonl": None, "b.jsonl": None})
        for name, (lines, found) in (("a.jsonl", first), ("b.jsonl", second)):
            (work / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            listed["findings"] += of(*found, file=name)["findings"]
        give(listed)
        done = {}
        for output, order in (("one", ["a.jsonl", "b.jsonl"]), ("two", ["b.jsonl", "a.jsonl"]),
                              ("left", ["a.jsonl"]), ("right", ["b.jsonl"])):  # fmt: skip
            privacy = {"policy": "strict", "dataset": "d"}
            configure(order, output, privacy=privacy, data={"max_quarantine": 1})
            part = [one for one in listed["findings"] if one["file"] in order]
            give({**listed, "findings": part, "inputs": dict.fromkeys(order)})
            done[output] = not prep("--findings", "findings.json")
            assert done[output] or stopped(f"{output}.refused") == {"nothing_left"}
        assert done["one"] == done["two"] == (done["left"] or done["right"])
        if done["one"]:
            assert shipped("one") == shipped("two")
            assert cli.run(["check", "one", "--quiet"]) == 0
        shards = [name for name in ("left", "right") if done[name]]
        if not any(
            report(name)["surrogates"]["redraws"] for name in ("one", *shards) if done[name]
        ):
            apart = {place: line for name in shards for place, line in shipped(name).items()}
            assert apart == (shipped("one") if done["one"] else {})


def stopped(out: str) -> set[str]:
    """The gates that stopped a run."""
    return {name for name, state in gates(out).items() if state == "failed"}


def rest(line: str, found: list[Finding]) -> list[str]:
    """What stands outside the places, in order."""
    old = leaves(line.rstrip("\n"))
    places = Places(old)
    cuts = sorted(raw(old, places, one) for one in found)
    ends = [0, *(end for _, end in cuts)]
    return [line.rstrip("\n")[a:b] for a, (b, _) in zip(ends, [*cuts, (None, 0)], strict=True)]


def raw(old: list[Leaf], places: Places, one: Finding) -> tuple[int, int]:
    kind = "key" if one.get("kind") == "key" and "inner" not in one else None
    index, start, end = places.find(
        one["path"], one["start"], one["end"], inner=one.get("inner"), kind=kind
    )
    return old[index].raw_span(start, end)


TWICE = "Ottilie Zqcanary met Ottilie Zqcanary, ann@zq.example"


@pytest.fixture
def two(work: Path) -> Path:
    """Two records with the same name and address, of which detection would take all."""
    write_rows(work / "rows.jsonl", [{"prompt": f"My name is {TWICE}", "completion": TWICE}] * 2)
    configure(["rows.jsonl"], holdout={"fraction": 0}, gates={"duplicates": "off"})
    return work


def test_nothing_is_added_to_a_list_and_check_counts_what_is_left(
    two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prep("--findings", give(of(at(TWICE, "Ottilie Zqcanary", path="completion")))) == 0
    first, second = map(json.loads, texts())
    assert second == {"prompt": f"My name is {TWICE}", "completion": TWICE}
    assert first["prompt"] == second["prompt"]
    assert first["completion"].endswith(" met Ottilie Zqcanary, ann@zq.example")
    assert not first["completion"].startswith("Ottilie")
    assert "nothing else" in report()["promise"]
    assert report()["findings"]["given"] == "instead"
    manifest = json.loads(Path("out/ship/manifest.json").read_text(encoding="utf-8"))
    assert manifest["findings"] == report()["findings"]
    assert manifest["promise"] == report()["promise"]
    capsys.readouterr()
    assert cli.run(["check", "out"]) == 0
    assert "left by review: 6 places" in capsys.readouterr().out


def test_beside_detection_both_are_carried_out(two: Path) -> None:
    found = at(TWICE, "met", "OTHER_ID", "completion"), at(TWICE, "Zqcanary", path="completion")
    assert prep("--beside", "--findings", give(of(*found))) == 0
    first, second = map(json.loads, texts())
    assert "Zqcanary" not in "".join(texts())
    assert "ann@zq.example" not in "".join(texts())
    assert " met " in second["completion"]
    assert " met " not in first["completion"]
    assert report()["findings"]["given"] == "beside"
    assert "detectors" in report()["promise"]


def test_the_policy_decides_what_becomes_of_a_type(work: Path) -> None:
    write_rows(work / "rows.jsonl", [plain(1), plain(2)])
    text = str(plain(1)["instruction"])
    kept = at(text, "JSON", "ORG", "instruction")
    lost = {**at(text, "version", "PASSPORT", "instruction"), "record": 2}
    configure(["rows.jsonl"], privacy={"types": {"PASSPORT": "quarantine"}})
    assert prep("--findings", give(of(kept, lost))) == 0
    assert report()["kept_by_policy"]["rows.jsonl"]["ORGANIZATION"] == 1
    assert [row["reasons"] for row in rows("quarantine.jsonl")] == [["policy:PASSPORT"]]
    assert texts() == [json.dumps(plain(1), ensure_ascii=False)]


def test_what_an_audit_could_not_scan_stays_out_until_a_person_takes_it_from_the_list(
    work: Path,
) -> None:
    write_rows(work / "rows.jsonl", [plain(1), plain(2)])
    configure(["rows.jsonl"])
    place = {"file": "rows.jsonl", "record": 1, "path": "output"}
    body = {**of(), "not_scanned": [{**place, "reason": "no-name-detector:ja"}]}
    assert prep("--findings", give(body)) == 0
    assert [row["reasons"] for row in rows("quarantine.jsonl")] == [["no-name-detector:ja"]]
    body["not_scanned"] = []
    assert prep("--force", "--findings", give(body)) == 0
    assert rows("quarantine.jsonl") == []


def test_a_list_needs_no_models(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rows(work / "rows.jsonl", [plain(1)])
    configure(["rows.jsonl"], privacy={"detectors": ["rules", "onnx"]})
    monkeypatch.setattr("scrubbers.weights.checked_folder", None)
    assert prep("--findings", give(of())) == 0


@pytest.mark.parametrize(
    "name", ["rows.jsonl", "./rows.jsonl", "{}/rows.jsonl", "sub/../rows.jsonl"]
)
def test_a_file_is_known_by_any_path_that_leads_to_it(work: Path, name: str) -> None:
    write_rows(work / "rows.jsonl", [{"prompt": TWICE, "completion": "x"}])
    (work / "sub").mkdir()
    configure(["rows.jsonl"])
    found = of(at(TWICE, "ann@zq.example", "EMAIL"), file=name.format(work))
    assert prep("--findings", give(found)) == 0
    assert "ann@zq" not in "".join(texts())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_list_may_have_the_encoding_that_a_shell_gave_it(work: Path, encoding: str) -> None:
    write_rows(work / "rows.jsonl", [{"prompt": TWICE, "completion": "x"}])
    configure(["rows.jsonl"])
    body = json.dumps(of(at(TWICE, "ann@zq.example", "EMAIL")))
    (work / "findings.json").write_text(body, encoding=encoding)
    assert prep("--findings", "findings.json") == 0
    assert "ann@zq" not in "".join(texts())


def test_a_line_stands_for_its_record(work: Path) -> None:
    body = json.dumps({"prompt": TWICE, "completion": "x"})
    (work / "rows.jsonl").write_text(f"\n{body}\n", encoding="utf-8")
    configure(["rows.jsonl"])
    found = {**at(TWICE, "ann@zq.example", "EMAIL"), "record": None, "line": 2}
    assert prep("--findings", give(of(found))) == 0
    assert "ann@zq" not in "".join(texts())


@pytest.mark.slow
def test_workers_and_breaks_change_nothing(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rows(
        work / "rows.jsonl", [*(chat(n) for n in range(150)), *(plain(n) for n in range(50))]
    )
    configure(["rows.jsonl"], "first", privacy={"dataset": "d"})
    listed = give(audit("rows.jsonl"))
    few = give(of(), "few.json")

    def ship(out: str) -> list[bytes]:
        return [Path(out, "ship", f"{s}.jsonl").read_bytes() for s in ("train", "holdout")]

    assert prep("--findings", listed) == 0
    configure(["rows.jsonl"], "second", privacy={"dataset": "d"})
    assert prep("--findings", listed, "--workers", "2") == 0
    configure(["rows.jsonl"], "third", privacy={"dataset": "d"})
    with monkeypatch.context() as broken:
        broken.setattr(prep_module, "settle", broke_off)
        assert prep("--findings", few) == 130
        assert Path(".third.partial/spool.jsonl").stat().st_size > 1000
    assert prep("--findings", listed) == 0  # the spool of the other list is not taken
    assert ship("first") == ship("second") == ship("third")


def broke_off(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


# ---- refused


ROW = {"prompt": f"{WORD} at 1 \u00e9", "completion": f'{WORD} {{"a": "x\\u00e9y"}}'}
GOOD = at(str(ROW["prompt"]), WORD)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([], "is not a JSON object"),
        ({"version": 2, "findings": []}, "`version` is not 1"),
        ({"version": 1}, "`findings` is not a list"),
        ({"version": 1, "findings": [], "finding": []}, "did you mean `findings`?"),
        ({**of(), "inputs": {"rows.jsonl": "abc"}}, "no keyed hash of 64"),
        (of({**GOOD, "typ": WORD}), "finding 1: a key that the form does not know; did you mean `type`?"),
        (of({**GOOD, "text": WORD}), "a key that the form does not know"),
        (of({**GOOD, "type": "EMIAL"}), "finding 1: `type` is no entity type; did you mean `EMAIL`?"),
        (of({**GOOD, "type": WORD}), "`type` is no entity type; known: PERSON"),
        (of({**GOOD, "start": True}), "`start` is not a whole number"),
        (of({**GOOD, "end": 0}), "`end` is not after `start`"),
        (of({**GOOD, "score": 7}), "`score` is not a number from 0 to 1"),
        (of({**GOOD, "country": WORD}), "`country` is not a country code"),
        (of({**GOOD, "record": 0}), "`record` is not a whole number from 1"),
        (of({**GOOD, "record": None}), "`record` is missing"),
        (of({**GOOD, "record": 3}), "finding 1: its file has no such record"),
        (of({**GOOD, "line": 7}), "does not begin on the line"),
        (of({**GOOD, "record": 2}), "finding 1: record 2 cannot be read"),
        (of(GOOD, {**GOOD, "end": 3}), "overlaps finding"),
        (of(GOOD, {**GOOD, "type": "USERNAME"}), "overlaps finding"),
        (of({**GOOD, "end": 99}), "finding 1: record 1: the span does not lie in"),
        (of({**GOOD, "path": WORD}), "the record has no such `path`"),
        (of({**GOOD, "path": "completion", "start": 17, "end": 19}), "cuts an escape"),
        (of({**GOOD, "path": "completion", "start": 0, "end": 20}), "crosses the border"),
        (of({**GOOD, "file": WORD}), "finding 1: `file` names no input of this run"),
        ({"version": 1, "findings": []}, "says nothing about rows.jsonl"),
        ({**of(), "not_scanned": [{"file": "rows.jsonl", "record": 1, "reason": WORD}]},
         "not_scanned 1: `reason` is not a reason"),
    ],
)  # fmt: skip
def test_a_list_that_cannot_be_carried_out_is_refused_without_a_value(
    work: Path, capsys: pytest.CaptureFixture[str], body: object, words: str
) -> None:
    (work / "rows.jsonl").write_text(f"{json.dumps(ROW, ensure_ascii=False)}\n{{nothing}}\n")
    configure(["rows.jsonl"])
    assert prep("--findings", give(body)) == 2
    told = capsys.readouterr().err
    assert words in told
    assert WORD not in told
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nothing", "is not JSON"),
        ('{"version": 1, "version": 1, "findings": []}', "one key twice"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_file_that_is_no_json_is_refused(
    work: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    write_rows(work / "rows.jsonl", [plain(1)])
    configure(["rows.jsonl"])
    (work / "findings.json").write_text(text)
    assert prep("--findings", "findings.json") == 2
    assert words in capsys.readouterr().err
    assert prep("--findings", "nowhere.json") == 2
    assert prep("--findings", "rows.jsonl") == 2
    assert "is an input of this run" in capsys.readouterr().err
    assert prep("--beside") == 2


def test_all_faults_are_counted(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(work / "rows.jsonl", [ROW])
    configure(["rows.jsonl"])
    assert prep("--findings", give(of(*({**GOOD, "record": n} for n in range(2, 12))))) == 2
    assert "... and 5 more faults" in capsys.readouterr().err


def test_a_list_is_stale_when_its_file_changed(
    work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rows", "more"):
        write_rows(work / f"{name}.jsonl", [chat(1), plain(2)])
    configure(["rows.jsonl", "more.jsonl"])
    listed = give(audit("rows.jsonl", "more.jsonl"))
    monkeypatch.setenv("PRIVATUNE_KEY", OTHER_KEY)
    assert prep("--findings", listed) == 1
    assert "under another secret key" in capsys.readouterr().err
    monkeypatch.setenv("PRIVATUNE_KEY", KEY)
    write_rows(work / "more.jsonl", [chat(1), plain(3)])
    assert prep("--findings", listed) == 1
    told = capsys.readouterr().err
    assert "is stale: more.jsonl changed" in told
    assert "audit --format json" in told
    assert not Path("out").exists()


def test_untied_findings_are_told_and_can_be_refused(work: Path) -> None:
    write_rows(work / "rows.jsonl", [plain(1)])
    configure(["rows.jsonl"])
    assert prep("--findings", give(of())) == 0
    assert gates()["findings_untied"] == "warned"
    configure(["rows.jsonl"], gates={"findings_untied": "fail"})
    assert prep("--force", "--findings", "findings.json") == 1


def test_records_that_are_converted_first_are_refused(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(work / "rows.jsonl", [plain(1)])
    configure(["rows.jsonl"], data={"output_format": "messages"})
    found = at(str(plain(1)["instruction"]), "JSON", "ORG", "instruction")
    assert prep("--findings", give(of(found))) == 2
    assert "output_format: same" in capsys.readouterr().err


def test_an_audit_without_a_key_ties_nothing_and_says_so(
    work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(work / "rows.jsonl", [chat(1)])
    configure(["rows.jsonl"])
    assert len(audit("rows.jsonl")["inputs"]) == 1
    monkeypatch.delenv("PRIVATUNE_KEY")
    capsys.readouterr()
    assert audit("rows.jsonl")["inputs"] == {}
    assert "no key at hand" in capsys.readouterr().err
