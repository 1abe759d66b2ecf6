"""What the policy, the lists and the thresholds make of findings; what cannot be scanned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline import scan
from pipeline.config import Config, load
from pipeline.plan import build_plan, detector_settings
from pipeline.reading import RawRecord, Unreadable, read
from pipeline.scan_plan import Plan
from scrubbers.detect import build
from scrubbers.entities import ENTITY_TYPES
from scrubbers.finding import Finding
from scrubbers.jsontext import leaves
from scrubbers.tagger.card import MODEL, card
from tests.conftest import KEY, write_rows
from tests.pipeline.rows import chat, plain
from tests.pipeline.runs import configure, counts, prep, report, rows, texts

MAIL, CARD, IBAN = "jo@zq.example", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00"
PRESIDIO = {"detectors": ["rules", "presidio"]}


def prompts(work: Path, *told: str, **privacy: Any) -> list[str]:
    """The prompts of a set of pairs after `prep`."""
    write_rows(work / "rows.jsonl", [{"prompt": text, "completion": "Yes."} for text in told])
    configure(["rows.jsonl"], privacy=privacy, data={"max_quarantine": 1})
    assert prep() == 0
    return [json.loads(text)["prompt"] for text in texts()]


WHEN = "The invoice of 12 March 2024 stands at https://shop.example/invoices."


def test_balanced_keeps_dates_and_links_and_counts_them(work: Path) -> None:
    (text,) = prompts(work, f"{WHEN} Mail {MAIL}", **PRESIDIO)
    assert text.startswith(WHEN)
    assert MAIL not in text
    kept = report()["kept_by_policy"]["rows.jsonl"]
    assert kept["URL"] == 1
    assert kept["DATE_TIME"] == 1


def test_strict_replaces_dates_and_links(work: Path) -> None:
    (text,) = prompts(work, WHEN, policy="strict", **PRESIDIO)
    assert "12 March 2024" not in text
    assert "https://shop.example/invoices" not in text
    assert text.startswith("The invoice of ")
    assert report()["replaced_by_type"] == {"DATE_TIME": 1, "URL": 1}
    assert report()["kept_by_policy"] == {}


def test_custom_replaces_only_what_it_names(work: Path) -> None:
    (text,) = prompts(
        work, f"Mail {MAIL}, card {CARD}", policy="custom", types={"CREDIT_CARD": "replace"}
    )
    assert text.startswith(f"Mail {MAIL}, card ")
    assert CARD not in text
    assert report()["kept_by_policy"] == {"rows.jsonl": {"EMAIL_ADDRESS": 1}}


def test_a_type_can_be_kept_under_any_policy(work: Path) -> None:
    (text,) = prompts(work, f"Mail {MAIL}, card {CARD}", types={"EMAIL_ADDRESS": "keep"})
    assert MAIL in text
    assert CARD not in text


def test_a_type_can_quarantine_its_records(work: Path) -> None:
    told = prompts(
        work, f"Mail {MAIL}", f"Card {CARD}", "Nothing.", types={"CREDIT_CARD": "quarantine"}
    )
    assert len(told) == 2
    (lost,) = rows("quarantine.jsonl")
    assert (lost["record"], lost["reasons"]) == (2, ["policy:CREDIT_CARD"])
    assert counts() == (3, 2, 0, 1, 0)
    kept = Path("out/keep/values.idx").read_text().splitlines()
    assert len(kept) == 2  # the version, and the address


def test_allowed_values_stay_and_their_reasons_are_told(work: Path) -> None:
    (work / "allowed.txt").write_text("desk@zq.example\n\nhelp@zq.example\n")
    allow = [
        {"value": "+44 7700 900123", "reason": "our own line"},
        {"file": "allowed.txt", "reason": "shared inboxes"},
    ]
    kept = "Call +44 7700 900123 or write to DESK@zq.example or help@zq.example"
    (text, other) = prompts(work, f"{kept}.", f"{kept}, I am {MAIL}.", allow=allow)
    assert text == f"{kept}."
    assert other.startswith(f"{kept}, I am ")
    assert MAIL not in other
    assert sorted(set(report()["allowed"])) == ["our own line", "shared inboxes"]
    assert not any("desk@zq" in p.read_text().casefold() for p in Path("out/keep").iterdir())


def test_an_allowed_value_is_a_whole_one(work: Path) -> None:
    allow = [{"value": "zq.example", "reason": "our domain"}]
    (text,) = prompts(work, f"Mail {MAIL}", allow=allow)
    assert MAIL not in text


def test_denied_values_are_replaced_everywhere(work: Path) -> None:
    (work / "denied.txt").write_text("Falkenauge\nPX-7781-K\n")
    first, second = prompts(
        work, "Project Falkenauge, unit PX-7781-K.", "falkenauge again, not Falkenaugen.",
        deny=[{"file": "denied.txt"}],
    )  # fmt: skip
    assert first.startswith("Project ")
    assert "Falkenauge" not in first
    assert "PX-7781-K" not in first
    assert "falkenauge " not in second
    assert second.endswith(" again, not Falkenaugen.")
    word = first.removeprefix("Project ").split(",")[0]
    assert second.split()[0] == word.lower()
    for path in Path("out/keep").iterdir():
        assert "falkenauge" not in path.read_text().casefold()


def test_a_threshold_leaves_weaker_findings_alone(work: Path) -> None:
    (text,) = prompts(work, f"Mail {MAIL}, card {CARD}", thresholds={"CREDIT_CARD": 1.0})
    assert text.endswith(f"card {CARD}")
    assert MAIL not in text


@pytest.mark.slow
def test_a_language_without_a_name_detector_is_quarantined(work: Path) -> None:
    polish = "Dzień dobry, nazywam się Zbigniew Zqowalski i mieszkam od dawna w małym mieście."
    (text,) = prompts(work, polish, "The meter hums.", detectors=["rules", "spacy"])
    assert text == "The meter hums."
    (lost,) = rows("quarantine.jsonl")
    assert lost["reasons"] == ["no-name-detector:pl"]
    assert report()["not_scanned"] == {"no-name-detector:pl": 1}


@pytest.mark.slow
def test_a_language_without_a_name_detector_can_be_kept_and_is_told(work: Path) -> None:
    polish = "Dzień dobry, nie działa mi licznik i od dawna czekam na odpowiedź waszego serwisu."
    (text,) = prompts(
        work, polish, detectors=["rules", "spacy"], unscanned_languages="keep"
    )  # fmt: skip
    assert text == polish
    assert report()["not_scanned"] == {"no-name-detector:pl": 1}
    assert "no-name-detector:pl" in Path("out/keep/report.html").read_text()


@pytest.mark.slow
def test_the_tagger_reads_thirteen_languages_and_no_other(work: Path) -> None:
    polish = "Dzień dobry, nazywam się Zbigniew Kowalski i mieszkam od dawna w małym mieście."
    hungarian = "Jó napot kívánok, a mérőóra nem működik, és már régóta várok a válaszukra."
    (text,) = prompts(work, polish, hungarian, detectors=["rules", "tagger"])
    assert text.startswith("Dzień dobry, nazywam się ")
    assert "Kowalski" not in text
    assert report()["not_scanned"] == {"no-name-detector:hu": 1}
    assert report()["versions"]["models"]["tagger"] == card().sha256[MODEL]


# ---- the scan itself


def test_a_second_look_adds_only_what_no_known_finding_covers() -> None:
    """A pair may have made a finding longer than the one that the second look was made beside."""
    old = leaves(json.dumps({"a": "KvK 69 172 16 4 and 55 66", "b": "4 and 55"}))
    values = [i for i, leaf in enumerate(old) if leaf.kind == "string"]
    known = [(values[0], Finding(0, 15, "OTHER_ID", 0.9, "made-up"))]
    fresh = [
        (values[0], Finding(14, 15, "OTHER_ID", 0.9, "made-up")),
        (values[0], Finding(14, 25, "OTHER_ID", 0.9, "made-up")),
        (values[1], Finding(0, 1, "OTHER_ID", 0.9, "made-up")),
    ]
    added = scan._beside(fresh, known, old)
    assert [(i, f.start, f.end) for i, f in added] == [(values[0], 16, 25), (values[1], 0, 1)]


@pytest.fixture
def plan_of(work: Path) -> Plan:
    configure(["rows.jsonl"])
    config: Config = load("privatune.yaml")
    return build_plan(config, bytes.fromhex(KEY), config.dataset, detector_settings(config))


def test_an_entry_is_a_function_of_its_record_alone(work: Path, plan_of: Plan) -> None:
    """Else workers, shards and resumed runs would differ."""
    write_rows(work / "rows.jsonl", [chat(1), plain(2), chat(3), plain(4)])
    records = list(read("rows.jsonl"))
    numbers, detector = {"rows.jsonl": 0}, build(plan_of.settings)
    together = scan.scan_batch(records, numbers, plan_of, detector)
    apart = [e for r in records[::-1] for e in scan.scan_batch([r], numbers, plan_of, detector)]
    assert together == apart[::-1]
    assert [entry.number for entry in together] == [1, 2, 3, 4]


def test_unreadable_places_keep_their_place_in_the_batch(plan_of: Plan) -> None:
    good = RawRecord("rows.jsonl", 2, 9, json.dumps(plain(1)), exact=True, notes=(), eol="\n")
    bad = [Unreadable("rows.jsonl", n, n, "truncated", "Cut off.") for n in (1, 3)]
    found = scan.scan_batch(
        [bad[0], good, bad[1]], {"rows.jsonl": 0}, plan_of, build(plan_of.settings)
    )
    assert [(e.number, e.reasons) for e in found] == [
        (1, ("unreadable:truncated",)), (2, ()), (3, ("unreadable:truncated",)),
    ]  # fmt: skip


def test_every_type_has_an_action_in_every_plan(plan_of: Plan) -> None:
    assert set(plan_of.actions) == set(ENTITY_TYPES)
