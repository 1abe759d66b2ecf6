"""The page and the report: self-contained, escaped, and the same counts as the manifest."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pipeline import cli
from tests.conftest import write_rows
from tests.pipeline.rows import WORD, chat, plain
from tests.pipeline.runs import configure, prep, report
from tests.pipeline.test_given import at, give, of

NAMES = ("<b>.jsonl", "a&b'\".jsonl")


class Page(HTMLParser):
    """Collects what a browser would fetch, run, or show."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def page(work: Path) -> str:
    write_rows(work / NAMES[0], [chat(n) for n in range(20)])
    write_rows(work / NAMES[1], [*(plain(n) for n in range(29)), {"prompt": "a", "completion": ""}])
    with (work / NAMES[1]).open("a") as file:
        file.write('{"prompt": "cut')
    reason = "<script>alert(1)</script>"
    configure(
        list(NAMES), accept=[{"violation": "volume", "reason": reason}],
        privacy={"allow": [{"value": "+44 7700 900123", "reason": "<i>our own line</i>"}]},
    )  # fmt: skip
    assert prep() == 0
    return (work / "out" / "keep" / "report.html").read_text(encoding="utf-8")


def test_the_page_fetches_and_runs_nothing(page: str) -> None:
    parsed = Page()
    parsed.feed(page)
    assert parsed.tags <= {
        "html", "meta", "title", "style", "body", "h1", "h2", "p", "table", "tr", "th", "td",
        "span", "b", "code", "i",
    }  # fmt: skip
    assert not parsed.attributes & {"src", "href", "srcset", "onload", "onclick", "action"}
    assert not re.search(r"https?:|//|url\(|@import|javascript:", page, re.IGNORECASE)


def test_the_page_escapes_what_it_shows(page: str) -> None:
    for name in NAMES:
        assert name not in page
    parsed = Page()
    parsed.feed(page)
    for name in NAMES:
        assert name in parsed.text
    assert "script" not in parsed.tags


def test_the_page_says_what_a_reader_must_know(page: str) -> None:
    parsed = Page()
    parsed.feed(page)
    for words in ("can still be linked", "pseudonymised in law", "no promise", "unreadable:"):
        assert words in parsed.text
    for title in ("Gates", "What was replaced", "What was not scanned", "What stays linkable"):
        assert title in parsed.text
    assert "volume<script>alert(1)</script>" in parsed.text  # what was accepted, and why
    assert "<i>our own line</i>1" in parsed.text
    assert WORD not in page.lower()


@pytest.mark.usefixtures("page")
def test_report_and_manifest_tell_the_same(work: Path) -> None:
    body = report()
    manifest = json.loads((work / "out" / "ship" / "manifest.json").read_text(encoding="utf-8"))
    for name in ("counts", "replaced_by_type", "gates", "tokens", "privacy", "versions", "promise"):
        assert manifest[name] == body[name], name
    told = body["counts"]
    assert told == {"records": 51, "train": 45, "holdout": 5, "quarantine": 1, "dropped": 0}
    assert body["replaced"] == {
        NAMES[0]: {"CREDIT_CARD": 20, "EMAIL_ADDRESS": 40, "IBAN_CODE": 40, "PERSON": 60}
    }
    assert body["replaced_by_type"] == body["replaced"][NAMES[0]]
    assert body["reasons"] == {"unreadable:truncated": 1}
    assert body["formats"] == {"alpaca": 29, "messages": 20, "prompt-completion": 1}
    assert body["allowed"] == ["<i>our own line</i>"]
    (fault,) = [group for code, group in body["faults"].items() if code == "answer-empty"]
    assert fault["places"] == [{"file": NAMES[1], "record": 30, "line": 30, "path": "completion"}]
    edits = (work / "out" / "keep" / "edits.jsonl").read_text().splitlines()[1:]
    assert len(edits) == sum(body["replaced_by_type"].values())


def test_the_summary_for_machines_is_the_report(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(work / "rows.jsonl", [chat(1)])
    configure(["rows.jsonl"])
    assert cli.run(["prep", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said.pop("output").endswith("out")
    assert re.fullmatch("[0-9a-f]{64}", said.pop("signed_by"))
    assert said == report()


@pytest.mark.usefixtures("work")
def test_a_single_name_that_no_full_name_explains_is_a_line_of_the_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = ("Rebecca Strand is away. Ask Bex.", "Rebecca Strand is back. Ask Rebecca.", "Ask Bex.")
    rows = [{"prompt": text, "completion": "Yes."} for text in told]
    write_rows(Path("rows.jsonl"), list(rows))
    configure(["rows.jsonl"])
    found = [
        {**at(text, name, nth=text.count(name) - 1), "record": number}
        for number, text in enumerate(told, 1)
        for name in ("Rebecca Strand", "Bex")
        if name in text
    ]
    found.append({**at(told[1], "Rebecca", nth=1), "record": 2})
    assert cli.run(["prep", "--findings", give(of(*found))]) == 0
    assert report()["surrogates"]["lone_names"] == 1
    assert "names     1 single names beside full ones" in capsys.readouterr().out
    assert "1 single names beside full ones" in Path("out/keep/report.html").read_text()
