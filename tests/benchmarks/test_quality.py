"""What counts in the figures of detection, on made-up corpora and a scorer of the same views."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import quality, quality_page, quality_score
from benchmarks.quality_corpora import DIRECT, PERSON, NoCorpora, found
from benchmarks.quality_models import joined, short
from benchmarks.quality_systems import SYSTEMS, Options, System
from tests.benchmarks.rows import SCORER, corpus, row, span

TEXT = "Ada Ledger of Hull, born 1 May, called 555-0142 about order 77."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "score_spans.py").write_text(SCORER)
    return tmp_path


def gold(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [row("a", TEXT, *pairs)]


def one(data: Path, name: str, rows: list[dict[str, Any]], *told: tuple[str, str]) -> Any:
    """The result of one prediction for the first row of a corpus."""
    corpus(data, name, rows)
    (read,), _ = found(data, [name], every=False)
    spans = [[span(TEXT, *pair) for pair in told], *([] for _ in rows[1:])]
    scorer = quality.loaded(data / "score_spans.py")
    return quality_score.measured(read, spans, scorer).whole


def test_other_labels_are_neutral_ground_either_way(data: Path) -> None:
    rows = gold(("Ada Ledger", "PERSON"), ("Hull", "LOCATION"), ("555-0142", "PHONE"))
    without = one(data, "chats", rows, ("Ada Ledger", "PERSON"), ("555-0142", "PHONE"))
    places = one(
        data, "chats", rows, ("Ada Ledger", "PERSON"), ("555-0142", "PHONE"),
        ("Hull", "PERSON"), ("1 May", "DATE"), ("order", "ORG"),
    )  # fmt: skip
    assert without == places
    assert (places.leaked, places.open_documents, places.scrubbed) == (0, 0, 0)
    assert places.characters == len("AdaLedger555-0142")


def test_a_wrong_direct_label_hides_and_beside_a_span_is_over_scrub(data: Path) -> None:
    rows = gold(("Ada Ledger", "PERSON"), ("555-0142", "PHONE"))
    whole = one(data, "chats", rows, ("555-0142", "CARD"), ("order 77", "OTHER_ID"))
    assert (whole.leaked, whole.open_documents, whole.scrubbed) == (9, 1, 7)


def test_a_corpus_of_names_asks_for_people_alone(data: Path) -> None:
    rows = gold(("Ada Ledger", "PERSON"), ("Hull", "LOCATION"))
    whole = one(data, "news", rows, ("555-0142", "PHONE"), ("Ada", "PERSON"))
    assert (whole.characters, whole.leaked, whole.scrubbed) == (9, 6, 0)


def test_labels_that_a_corpus_lacks_hide_and_are_no_over_scrub(data: Path) -> None:
    """An unseen half of a known source is annotated alike: no file numbers there."""
    rows = gold(("Ada Ledger", "PERSON"), ("555-0142", "ADDRESS"))
    told = (("Ada Ledger", "OTHER_ID"), ("order", "OTHER_ID"))
    known = one(data, "ler_de_unseen", rows, *told)
    assert (known.leaked, known.scrubbed) == (8, 0)
    unknown = one(data, "somewhere", rows, *told)
    assert (unknown.leaked, unknown.scrubbed) == (8, 5)


def test_of_what_the_tagger_learns_from_the_dev_part_counts(data: Path) -> None:
    rows = [row(f"r{n}", TEXT, ("Ada Ledger", "PERSON")) for n in range(200)]
    corpus(data, "wikigold_en", rows)
    corpus(data, "unheard_of", rows)
    (every, dev), _ = found(data, [], every=False)
    assert (every.part, len(every.rows)) == ("all", 200)
    assert dev.part == "dev"
    assert 20 < len(dev.rows) < 60
    (_, whole), _ = found(data, [], every=True)
    assert (whole.part, len(whole.rows)) == ("all", 200)


def test_labels_by_rule_do_not_make_a_corpus_one_of_all_labels(data: Path) -> None:
    rows = gold(("Ada Ledger", "PERSON"), ("555-0142", "USERNAME"))
    corpus(data, "tweets", [rows[0] | {"spans": [*rows[0]["spans"][:1],
                                                 rows[0]["spans"][1] | {"orig": "auto"}]}])  # fmt: skip
    corpus(data, "chats", rows)
    corpus(data, "negatives", [row("a", TEXT)])
    (chats, negatives, tweets), _ = found(data, [], every=False)
    assert tweets.asked == PERSON
    assert chats.asked == negatives.asked == DIRECT


def test_files_of_another_form_are_skipped_with_a_line(data: Path) -> None:
    corpus(data, "good", gold(("Hull", "LOCATION")))
    corpus(data, "records", [{"id": "a", "record": {}, "spans": []}])
    corpus(data, "twice", gold() + gold())
    corpus(data, "outside", [row("a", TEXT) | {"spans": [{"start": 0, "end": 999, "label": "IP"}]}])
    (data / "broken.jsonl").write_text("{\n")
    listed, skipped = found(data, [], every=False)
    assert [one.name for one in listed] == ["good"]
    assert [line.partition(".")[0] for line in skipped] == ["broken", "outside", "records", "twice"]


def test_a_folder_without_corpora_or_scorer_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NoCorpora, match=r"score_spans\.py"):
        found(tmp_path, [], every=False)
    (tmp_path / "score_spans.py").write_text(SCORER)
    with pytest.raises(NoCorpora, match="no span corpus"):
        found(tmp_path, [], every=False)
    assert quality.main([str(tmp_path)]) == 2


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that finds one name, in place of the tagger."""

    def find(texts: Sequence[str]) -> list[list[dict[str, Any]]]:
        return [[span(text, "Ada", "PERSON")] for text in texts]

    monkeypatch.setattr(
        quality, "SYSTEMS", {**SYSTEMS, "tagger": lambda _: System(find, {"m": "1"})}
    )


def test_the_check_fails_by_name_and_passes_over_what_is_not_there(
    data: Path, capsys: pytest.CaptureFixture[str], names: None
) -> None:
    corpus(data, "chats", gold(("Ada Ledger", "PERSON")))
    floors = data / "floors.toml"
    floors.write_text("[tagger]\nchats = { leaked = 40, over_scrub = 1 }\ngone = { leaked = 1 }\n")
    asked = [str(data), "--systems", "tagger", "--check", "--floors", str(floors)]
    assert quality.main(asked) == 1
    told = capsys.readouterr().out
    assert "tagger on chats: leaked characters 66.67 %, floor 40 %" in told
    assert "on: gone" in told
    assert "1 figures are over" in told
    assert quality.main([*asked, "--times", "2"]) == 0
    floors.write_text("[tagger]\nchats = { leeked = 40 }\n")
    assert quality.main(asked) == 2


def test_the_floors_of_the_repository_are_of_systems_and_figures_that_exist() -> None:
    floors = quality_score.floors_of(quality.FLOORS)
    assert set(floors) <= set(SYSTEMS)


def test_reports_are_read_again_and_never_mixed(
    data: Path, capsys: pytest.CaptureFixture[str], names: None
) -> None:
    corpus(data, "chats", gold(("Ada Ledger", "PERSON")))
    corpus(data, "mails", gold(("555-0142", "PHONE")))
    first, second, page = data / "first.json", data / "second.json", data / "page.md"
    page.write_text(f"# Words\n{quality_page.BEGIN}\nold\n{quality_page.END}\nmore\n")
    asked = [str(data), "--systems", "tagger"]
    assert quality.main([*asked, "--only", "chats", "--json", str(first)]) == 0
    more = [*asked, "--only", "mails", "--read", str(first), "--json", str(second)]
    assert quality.main([*more, "--write", str(page)]) == 0
    written = quality_page.read(second)
    assert set(written.systems["tagger"].results) == {"chats", "mails"}
    text = page.read_text()
    assert "| chats | 1 | D |" not in text  # people alone are labelled there
    assert "| chats | 1 | PERSON | 66.7 / 100.0 / 0.00 |" in text
    assert "old" not in text
    assert text.startswith("# Words\n")
    assert text.endswith("\nmore\n")
    corpus(data, "mails", gold(("Ada Ledger", "PERSON")))
    assert quality.main([*asked, "--only", "mails", "--read", str(second)]) == 2
    first.write_text(json.dumps({"packages": {}}))
    assert quality.main([*asked, "--read", str(first)]) == 2


def test_the_rules_read_a_text_and_the_json_in_it() -> None:
    inner = 'Done: {"mail": "ada@ledger.example"} and ada@ledger.example'
    (spans,) = SYSTEMS["rules"](Options()).find([inner])
    mails = [inner[s["start"] : s["end"]] for s in spans if s["label"] == "EMAIL"]
    assert mails == ["ada@ledger.example"] * 2


def test_pieces_become_whole_words_of_one_label() -> None:
    text = "Ada Led-ger calls Bo"
    pieces = [(0, 3, "PERSON"), (4, 6, "PERSON"), (8, 11, "PERSON"), (18, 19, "PERSON")]
    assert [text[s["start"] : s["end"]] for s in joined(text, pieces)] == ["Ada Led-ger", "Bo"]


def test_peers_labels_have_the_corpora_s_names() -> None:
    assert [short(label) for label in ("US_SSN", "EMAIL_ADDRESS", "NRP", "SURNAME", "NEW_ONE")] == [
        "NATIONAL_ID", "EMAIL", "MISC", "PERSON", "OTHER_ID",
    ]  # fmt: skip
