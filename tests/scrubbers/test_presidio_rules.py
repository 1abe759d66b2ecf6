from __future__ import annotations

import logging
import subprocess
import sys
import time

import pytest

from scrubbers import presidio_rules
from scrubbers.entities import LABELS
from scrubbers.passage import Passage


def found(text: str, label: str = "") -> list[tuple[str, str]]:
    findings = presidio_rules.detect([Passage(text, "en", label)])[0]
    return [(f.type, text[f.start : f.end]) for f in findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mail ana.reyes@acme.com today", [("EMAIL_ADDRESS", "ana.reyes@acme.com")]),
        ("card 4111 1111 1111 1111", [("CREDIT_CARD", "4111 1111 1111 1111")]),
        ("pay to DE89 3704 0044 0532 0130 00.", [("IBAN_CODE", "DE89 3704 0044 0532 0130 00")]),
        ("ref 900-12-3456 and ssn 219-55-0199", [("NATIONAL_ID", "219-55-0199")]),
        ("NHS 943 476 5919", [("MEDICAL_ID", "943 476 5919")]),
        ("my account number: 4532881907", [("BANK_ACCOUNT", "4532881907")]),
        ("see https://example.com/u/7?x=1.", [("URL", "https://example.com/u/7?x=1")]),
        ("Steuernummer 12/345/67890", [("NATIONAL_ID", "12/345/67890")]),
    ],
)
def test_values_with_form_or_cue(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "see /pages/4010232102/Runbook, ts 1735689602",  # both pass the NHS check digit
        '"ts_us": 1735689600000004',  # passes Luhn
        "REGISTRATION step H1, part B43",
        '"integrity":"sha512-aM2qX1","public":true',
        "logging.getLogger('app.core').info(x)",
        "room 4532881907 of the archive",
        "version 1.2.3.4",
        "nothing to see here",
    ],
)
def test_numbers_without_a_cue_are_nothing(text: str) -> None:
    assert found(text) == []


def test_the_json_key_is_a_cue() -> None:
    assert found("4532881907", "account_number") == [("BANK_ACCOUNT", "4532881907")]
    assert found("4532881907", "room") == []


def test_quadratic_input_takes_no_time() -> None:
    started = time.monotonic()
    for text in ("a." * 50_000 + "1", "@" * 50_000, "1-" * 50_000):
        presidio_rules.detect([Passage(text, "en")])
    assert time.monotonic() - started < 20


def test_a_value_at_a_window_seam_is_found_once() -> None:
    for before in range(presidio_rules.WINDOW - 330, presidio_rules.WINDOW + 20, 10):
        text = "x " * (before // 2) + "mail ana.reyes@acme.com today " + "y " * 900
        assert found(text) == [("EMAIL_ADDRESS", "ana.reyes@acme.com")]


def test_the_log_is_silent_at_debug(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        found("ssn 219-55-0199 of ana.reyes@acme.com")
    assert "219-55" not in caplog.text
    assert "reyes" not in caplog.text


def test_an_error_of_presidio_does_not_quote_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def analyze(self, text: str, *_: object, **__: object) -> None:
            raise ValueError(f"did not find {text}")

    monkeypatch.setattr(presidio_rules, "_engine", Broken)
    with pytest.raises(presidio_rules.PresidioFailed) as caught:
        found("ssn 219-55-0199")
    assert "219" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_types_agree_with_the_table_of_labels() -> None:
    for row, recogniser in presidio_rules._recognisers():
        label = recogniser.supported_entities[0]
        if label in LABELS:
            assert LABELS[label] == (row.type, row.country), label


WITNESS = """
import sys
seen = []
def hook(event, args):
    if event.startswith("socket.") or event in ("subprocess.Popen", "os.system"):
        seen.append(event)
    if event == "open" and isinstance(args[1], str) and args[1].strip("rbt"):
        seen.append(f"{event} {args[0]}")
BEFORE
sys.dont_write_bytecode = True
sys.addaudithook(hook)
from scrubbers import presidio_rules
from scrubbers.passage import Passage
found = presidio_rules.detect([Passage("mail ana.reyes@acme.co.uk today", "en")])
assert [f.type for f in found[0]] == ["EMAIL_ADDRESS"], found
assert "torch" not in sys.modules and "transformers" not in sys.modules
print(seen)
"""


@pytest.mark.parametrize("before", ["", "import tldextract"])
def test_mail_domains_are_checked_without_network_or_cache(before: str, tmp_path: object) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", WITNESS.replace("BEFORE", before)],
        capture_output=True, text=True, env=env, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"
