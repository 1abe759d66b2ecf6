"""The evidence: each violation is planted, seen with its place, and passes where it is accepted."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline import cli
from pipeline import replace as replace_module
from pipeline import write as write_module
from pipeline import writer as writer_module
from pipeline.places import place_of
from pipeline.reading import one_line
from pipeline.replace import ReplaceError, Surrogates
from pipeline.violations import EVIDENCE
from scrubbers.jsontext import Leaf, leaves, splice
from scrubbers.surrogates.shift import moved
from scrubbers.surrogates.unit import Unit
from tests.conftest import KEY, privatune, write_rows
from tests.pipeline.rows import WORD, plain
from tests.pipeline.runs import configure, gates, prep, report, rows, seal_again, texts

SCHEMA = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 60}}}
SETTINGS: dict[str, Any] = {
    "privacy": {"dates": "shift", "policy": "strict", "types": {"LOCATION": "keep"}},
    "contract": {"answer_schema": "schema.json"},
    "holdout": {"fraction": 0},
    "gates": {"answer_schema": "warn", "volume": "off"},
}


def talk(user: str, **answer: Any) -> dict[str, Any]:
    return {
        "messages": [
            {"role": "user", "content": user},
            {"role": "assistant", "content": json.dumps(answer)},
        ]
    }


FULL = talk(
    "My name is Ottilie Zqcanary, mail zqcanary@mail.example, IBAN DE89 3704 0044 0532 0130 00, "
    "card 4111 1111 1111 1111, phone +44 7700 900123, SSN 123-45-6789, host 192.0.2.77, "
    "site https://zqsite.example/a. Born on 4 March 1985, paid on 14 May 2024.",
    name="Ottilie Zqcanary", email="zqcanary@mail.example", nr=[1, 2, None], paid="2024-05-14",
)  # fmt: skip
RECORDS = [
    FULL,
    talk("My name is Karla Zqmarten, mail zqother@mail.example.", name="Hanna Zqmarten"),
    talk("My name is Ottilie Zqcanary, mail zqcanary@mail.example.", name="x", email="none"),
]


def set_up(work: Path, **changes: Any) -> None:
    """Records, schema and configuration in the current folder."""
    (work / "schema.json").write_text(json.dumps(SCHEMA))
    write_rows(work / "rows.jsonl", [*RECORDS, *map(plain, range(3))])
    configure(["rows.jsonl"], **(SETTINGS | changes))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prepared folder, made once by the command."""
    work = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(work)
        set_up(work)
    done = privatune("prep", cwd=work, PRIVATUNE_KEY=KEY)
    assert done.returncode == 0, done.stderr
    return work


@pytest.fixture
def copied(made: Path, work: Path) -> Path:
    """A copy of it as the current folder."""
    shutil.copytree(made, work, dirs_exist_ok=True)
    return work


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    """What `check` says for machines, after the folder was sealed anew."""

    def run(code: int) -> dict[str, Any]:
        seal_again()
        capsys.readouterr()
        assert cli.run(["check", "out", "--json"]) == code
        text = capsys.readouterr().out
        assert WORD not in text.lower()
        told: dict[str, Any] = json.loads(text)
        assert told["tier"] == "with keep and key"
        return told

    return run


# ---- planting


def lines_of(name: str) -> list[str]:
    return Path("out", name).read_text(encoding="utf-8").splitlines()


def set_lines(name: str, lines: list[str]) -> None:
    Path("out", name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def edit_of(entity: str, record: int = 1, nth: int = 0) -> int:
    """The row of edits.jsonl of the nth surrogate of a type in a record."""
    found = [
        number
        for number, row in enumerate(rows("edits.jsonl"))
        if (row["type"], row["record"]) == (entity, record)
    ]
    return found[nth]


def put(entity: str, text: str, record: int = 1, nth: int = 0) -> None:
    """Write another text where a surrogate stands, and its span into the books."""
    edits, number = rows("edits.jsonl"), edit_of(entity, record, nth)
    row, train = edits[number], lines_of("ship/train.jsonl")
    line = train[record - 1]
    leaf = leaf_of(line, row)
    start, end = inner(leaf, row["start"]), inner(leaf, row["end"])
    train[record - 1] = splice(line, [(leaf, start, end, text)])
    set_lines("ship/train.jsonl", train)
    grown = len(text) - (end - start)
    for other in edits:
        same = (other["record"], other["path"]) == (record, row["path"])
        if same and other["start"] > row["start"]:
            other["start"] += grown
            other["end"] += grown
    row["end"] += grown
    set_edits(edits)


def leaf_of(line: str, row: dict[str, Any]) -> Leaf:
    told = {name: row[name] for name in ("path", "inner") if name in row}
    return next(one for one in leaves(line) if (place_of(one), one.kind) == (told, row["kind"]))


def inner(leaf: Leaf, outer: int) -> int:
    return next(at for at in range(len(leaf.text) + 1) if leaf.outer_span(at, at)[0] >= outer)


def text_of(entity: str, record: int = 1, nth: int = 0) -> str:
    """The surrogate that stands there."""
    row = rows("edits.jsonl")[edit_of(entity, record, nth)]
    leaf = leaf_of(lines_of("ship/train.jsonl")[record - 1], row)
    return leaf.text[inner(leaf, row["start"]) : inner(leaf, row["end"])]


def set_edits(edits: list[dict[str, Any]]) -> None:
    set_lines("keep/edits.jsonl", ['{"version": 1}', *map(json.dumps, edits)])


def change_record(record: int, old: str, new: str) -> None:
    train = lines_of("ship/train.jsonl")
    assert old in train[record - 1]
    train[record - 1] = train[record - 1].replace(old, new, 1)
    set_lines("ship/train.jsonl", train)


def drop_unit() -> None:
    edits = rows("edits.jsonl")
    edits[edit_of("PERSON")]["units"].pop()
    set_edits(edits)


def surname(record: int) -> str:
    return text_of("PERSON", record).split()[-1]


# violation -> what plants it into a written folder, the record that is accused, its path
USER, ANSWER = "messages[0].content", "messages[1].content"
PLANTED: dict[str, tuple[str, Callable[[], None], int, str | None]] = {
    "an edit of another number of parts": ("edit", drop_unit, 1, USER),
    "its own original": (
        "surrogate-is-original", lambda: put("EMAIL_ADDRESS", "zqcanary@mail.example"), 1, USER),
    "its own original in another form": (
        "surrogate-is-original", lambda: put("PERSON", "OTTILIE ZQCANARY"), 1, USER),
    "another record's original": (
        "surrogate-is-original", lambda: put("EMAIL_ADDRESS", "zqother@mail.example"), 1, USER),
    "its own surname": ("surrogate-is-part", lambda: put("PERSON", "Hanna Zqcanary"), 1, USER),
    "its own mailbox": (
        "surrogate-is-part", lambda: put("EMAIL_ADDRESS", "zqcanary@moorloft.example"), 1, USER),
    "one value with two surrogates": (
        "agreement", lambda: put("EMAIL_ADDRESS", "karlom@moorloft.example", 3), 3, USER),
    "one surname with two surrogates": (
        "agreement", lambda: put("PERSON", f"Hanna {surname(1)}", 3), 3, USER),
    "two values with one surrogate": (
        "collision", lambda: put("EMAIL_ADDRESS", text_of("EMAIL_ADDRESS"), 2), 2, USER),
    "two surnames with one surrogate": (
        "collision",
        lambda: put("PERSON", f"{text_of('PERSON', 2).split()[0]} {surname(1)}", 2), 2, USER),
    "a live mail": ("range", lambda: put("EMAIL_ADDRESS", "karlom@moorloft.com"), 1, USER),
    "a live phone": ("range", lambda: put("PHONE_NUMBER", "+44 7911 123456"), 1, USER),
    "a live card": ("range", lambda: put("CREDIT_CARD", "4000 0566 5566 5556"), 1, USER),
    "a live IBAN": ("range", lambda: put("IBAN_CODE", "DE75 5121 0800 1245 1261 99"), 1, USER),
    "a live address": ("range", lambda: put("IP_ADDRESS", "198.20.3.9"), 1, USER),
    "a live id": ("range", lambda: put("NATIONAL_ID", "123-45-6788"), 1, USER),
    "a live site": ("range", lambda: put("URL", "https://moorloft.com/a"), 1, USER),
    "a pair that no longer agrees": (
        "pair-broken", lambda: put("EMAIL_ADDRESS", "karlom@moorloft.example"), 1, ANSWER),
    "another key": ("structure", lambda: change_record(1, "nr", "no"), 1, None),
    "a shorter array": ("structure", lambda: change_record(1, "2, null", "2"), 1, None),
    "another literal": ("structure", lambda: change_record(1, "null", "true"), 1, None),
    "a number as text": ("structure", lambda: change_record(1, "[1,", '[\\"1\\",'), 1, None),
    "a key more": ("structure", lambda: change_record(2, '{"role"', '{"a": 1, "role"'), 2, None),
    "an answer that breaks the schema": (
        "answer-schema-broken", lambda: put("PERSON", "Hanna " + "Li" * 30, 1, 1), 1, ANSWER),
    "a date that moved otherwise": ("dates", lambda: put("DATE_TIME", "15 May 2023"), 1, USER),
}  # fmt: skip


def test_every_violation_is_planted() -> None:
    assert {name for name, *_ in PLANTED.values()} == set(EVIDENCE)
    assert set(BROKEN) | {"pair-broken"} == set(EVIDENCE)


@pytest.mark.usefixtures("copied")
@pytest.mark.parametrize("fault", PLANTED)
def test_check_names_what_was_planted_and_where(
    fault: str, check: Callable[..., dict[str, Any]]
) -> None:
    name, plant, record, path = PLANTED[fault]
    plant()
    told = check(1)
    accused = [
        (one["record"], one.get("path"), one["source"]["record"])
        for one in told["violations"]
        if one["violation"] == name
    ]
    assert (record, path, record) in accused
    (row,) = [row for row in told["evidence"] if row["check"] == name]
    assert 0 < len(accused) == row["violated"]
    found = {one["violation"] for one in told["violations"]}
    assert found <= set(EVIDENCE), found
    accept = [{"violation": one, "reason": "a test"} for one in found]
    configure(["rows.jsonl"], **SETTINGS, accept=accept)
    told = check(0)
    assert told["violations"] == []
    assert told["accepted"][name] == len(accused)


@pytest.mark.usefixtures("copied")
def test_white_space_between_tokens_is_no_structure(check: Callable[..., dict[str, Any]]) -> None:
    change_record(1, '{"role": ', '{"role"  :   ')
    assert check(0)["violations"] == []


@pytest.mark.usefixtures("copied")
def test_a_record_that_lineage_lost_is_told(check: Callable[..., dict[str, Any]]) -> None:
    head, *lines = lines_of("keep/lineage.jsonl")
    set_lines("keep/lineage.jsonl", [head, *lines[1:]])
    told = [(one["violation"], one["record"]) for one in check(1)["violations"]]
    assert ("structure", 1) in told


# ---- a clean run


@pytest.mark.usefixtures("copied")
def test_a_clean_run_judges_by_every_check(check: Callable[..., dict[str, Any]]) -> None:
    for table in (report()["evidence"], check(0)["evidence"]):
        assert [row["check"] for row in table] == list(EVIDENCE)
        for row in table:
            assert row["judged"] > 0, row["check"]
            assert row["violated"] == 0
            assert row["places"] == []
    assert {gates()[name] for name in EVIDENCE} == {"passed"}


@pytest.mark.usefixtures("work")
def test_a_check_that_judged_nothing_says_so(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(work / "rows.jsonl", [plain(1)])
    configure(["rows.jsonl"])
    assert cli.run(["prep"]) == 0
    said = capsys.readouterr().out
    assert "evidence  structure 1\n" in said
    assert "judged nothing: edit, surrogate-is-original" in said
    page = Path("out/keep/report.html").read_text(encoding="utf-8")
    assert "<td>range</td>" in page
    assert "<td class=n>nothing</td>" in page


@pytest.mark.parametrize(
    "privacy",
    [
        {"scope": "record"},
        {"surrogates": "valid"},
        {"dates": "generalise"},
        {"dates": "shift", "scope": "record"},
    ],
)
def test_other_settings_hold_as_well(
    work: Path, privacy: dict[str, Any], check: Callable[..., dict[str, Any]]
) -> None:
    set_up(work, privacy=SETTINGS["privacy"] | {"dates": "keep"} | privacy)
    assert prep() == 0
    told = check(0)
    assert {row["violated"] for row in told["evidence"]} == {0}


def test_short_forms_are_judged_by_what_they_stand_for(
    work: Path, check: Callable[..., dict[str, Any]]
) -> None:
    """An initial beside the full name is read beside the full name's surrogate."""
    said = "My name is Ottilie Zqcanary. Signed, Ms O. Zqcanary"
    write_rows(work / "rows.jsonl", [{"prompt": said, "completion": "Thanks, O. Zqcanary."}])
    given = {
        "version": 1, "inputs": {"rows.jsonl": None},
        "findings": [
            {"file": "rows.jsonl", "record": 1, "path": path, "start": start, "end": end,
             "type": "PERSON", "detector": "hand"}
            for path, start, end in (
                ("prompt", 11, 27), ("prompt", 40, 51), ("completion", 8, 19))
        ],
    }  # fmt: skip
    (work / "findings.json").write_text(json.dumps(given))
    configure(["rows.jsonl"], holdout={"fraction": 0})
    assert prep("--findings", "findings.json") == 0
    marked = [row.get("alias", False) for row in rows("edits.jsonl")]
    assert marked == [False, True, True]
    assert rows("edits.jsonl")[0]["units"] == rows("edits.jsonl")[1]["units"]
    assert check(0)["violations"] == []


# ---- faults of the tool itself, before anything is published

Patch = pytest.MonkeyPatch


def drawn_as(patch: Patch, norms: dict[str, str]) -> None:
    """Let these units get these surrogates, whatever the key says."""
    drawn = Surrogates.__call__
    patch.setattr(Surrogates, "__call__", lambda self, u: norms.get(u.norm) or drawn(self, u))


def anew_in_each_record(patch: Patch) -> None:
    """Let a mail's host get another surrogate in each record."""
    names = iter(("moorloft", "galeyard", "quillvale", "mistwind", "cliffpier", "emberland"))
    now, settled, drawn = [""], write_module._settled_text, Surrogates.__call__

    def next_record(*arguments: Any) -> Any:
        now[0] = f"{next(names)}.example"
        return settled(*arguments)

    def host(self: Surrogates, unit: Unit) -> str:
        return now[0] if now[0] and unit.norm == "mail.example" else drawn(self, unit)

    patch.setattr(write_module, "_settled_text", next_record)
    patch.setattr(Surrogates, "__call__", host)


def one_key_renamed(patch: Patch) -> None:
    patch.setattr(write_module, "one_line", lambda text: one_line(text).replace("nr", "no", 1))


def a_week_more(patch: Patch) -> None:
    patch.setattr(replace_module, "moved", lambda unit, dates, days: moved(unit, dates, days + 7))


def places_lost(patch: Patch) -> None:
    patch.setattr(writer_module, "place_of", lambda leaf: place_of(leaf) | {"path": "nowhere"})


ANOTHER = {"ottilie": "karla", "zqcanary": "zqmarten", "karla": "hanna", "zqmarten": "brunek"}
# violation -> the fault that is put into the tool, and the first place that is told
BROKEN: dict[str, tuple[Callable[[Patch], None], tuple[int, str | None]]] = {
    "edit": (places_lost, (1, "nowhere")),
    "surrogate-is-original": (lambda patch: drawn_as(patch, ANOTHER), (1, USER)),
    "surrogate-is-part": (lambda patch: drawn_as(patch, {"zqcanary": "zqcanarysen"}), (1, USER)),
    "agreement": (anew_in_each_record, (1, USER)),
    "collision": (
        lambda patch: drawn_as(patch, {"zqcanary": "schilcher", "zqmarten": "schilcher"}), (1, USER)),
    "range": (lambda patch: drawn_as(patch, {"mail.example": "moorloft.com"}), (1, USER)),
    "structure": (one_key_renamed, (1, None)),
    "answer-schema-broken": (lambda patch: drawn_as(patch, {"zqcanary": "brunek" * 9}), (1, ANSWER)),
    "dates": (a_week_more, (1, USER)),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_prep_publishes_nothing_that_violates_the_evidence(
    work: Path, name: str, monkeypatch: Patch, check: Callable[..., dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    break_it, place = BROKEN[name]
    set_up(work)
    break_it(monkeypatch)
    assert prep() == 1
    assert not Path("out").exists()
    (row,) = [row for row in report("out.refused")["evidence"] if row["check"] == name]
    first = row["places"][0]
    assert (first["source"]["record"], first.get("path")) == place
    assert row["violated"] >= len(row["places"]) > 0
    failed = [gate for gate, state in gates("out.refused").items() if state == "failed"]
    assert name in failed
    told = capsys.readouterr().err
    assert (
        f"{first['source']['file']} record {place[0]}" + (f" {place[1]}" if place[1] else "")
        in told
    )
    assert not re.search("zqcanary|zqmarten|schilcher", told, re.IGNORECASE)
    assert name in Path("out.refused/report.html").read_text(encoding="utf-8")
    set_up(work, accept=[{"violation": one, "reason": "a test"} for one in failed])
    if name == "agreement":
        monkeypatch.undo()
        monkeypatch.chdir(work)
        monkeypatch.setenv("PRIVATUNE_KEY", KEY)
        break_it(monkeypatch)
    assert prep() == 0
    assert gates()[name] == "accepted"
    set_up(work)
    if name == "edit":  # what no edit covers is a leak as well
        return
    seen = check(0)["accepted"].get(name)
    assert seen == (None if name == "surrogate-is-part" else row["violated"])  # needs the value


def test_a_surrogate_that_would_be_read_otherwise_is_quarantined(
    work: Path, monkeypatch: Patch
) -> None:
    set_up(work)
    drawn_as(monkeypatch, {"zqcanary": "schil cher"})
    assert prep() == 0
    assert report()["reasons"] == {"not-read-back": 2}


def test_a_redrawn_surrogate_that_holds_its_original_is_refused(monkeypatch: Patch) -> None:
    """The settle pass has no value to see it, so the record is quarantined."""
    unit = Unit("name:surname:es:x:m", "martin")
    digest = Surrogates(b"k" * 32, {}).digest(unit)
    redrawn = Surrogates(b"k" * 32, {digest: 3})
    monkeypatch.setattr(replace_module, "draw", lambda *_: "martinez")
    with pytest.raises(ReplaceError, match="surrogate-is-part"):
        redrawn(unit)
    monkeypatch.setattr(replace_module, "draw", lambda *_: "moreno")
    assert redrawn(unit) == "moreno"


@pytest.mark.usefixtures("copied")
def test_a_short_form_that_reads_otherwise_is_no_other_value(
    check: Callable[..., dict[str, Any]],
) -> None:
    """Marked as standing for another value, it is judged only as not being its original."""
    put("PERSON", "Hanna Holm", 3)
    assert "agreement" in {one["violation"] for one in check(1)["violations"]}
    edits = rows("edits.jsonl")
    edits[edit_of("PERSON", 3)]["alias"] = True
    set_edits(edits)
    told = check(0)
    (row,) = [row for row in told["evidence"] if row["check"] == "surrogate-is-part"]
    assert row["exempt"] == 1


@pytest.mark.parametrize(
    ("prompt", "forms"),
    [
        ("Paul Neumann; /home/paul.neumann/x; /home/pneumann/y", r"/home/([\w.]+)/"),
        (r"/Users/lena.fischer/x with C:\Users\lfischer", r"Users.([\w.]+)"),
        ("Lena Fischer: lena.fischer@acme.com, lfischer@acme.com", r"([\w.]+)@"),
    ],
)
@pytest.mark.usefixtures("work")
def test_two_short_forms_of_one_person_are_no_two_values(prompt: str, forms: str) -> None:
    write_rows(Path("rows.jsonl"), [{"prompt": prompt, "completion": "ok"}])
    configure(["rows.jsonl"], "out")
    assert prep() == 0
    long, short = re.findall(forms, json.loads(texts("out")[0])["prompt"])
    assert short == long[0] + long.partition(".")[2]
