"""Answers that satisfied the contract's schema before their surrogates must do so after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.readback import Shipped, records
from pipeline.violations import Tally, Violation
from scrubbers.jsontext import NotJson, to_value
from validators.checks import Contract, check_record
from validators.record import detect_format

ANSWER_FAULTS = frozenset({"answer-not-json", "answer-schema"})
NAME = "answer-schema-broken"


def answers(root: Path, contract: Contract, form: str, tally: Tally) -> Iterator[Violation]:
    """Hold the answers of all edited records against the schema anew; `form` as in `data.format`.

    Only what satisfied it before is judged: lineage.jsonl tells. Nothing without a schema.
    """
    if contract.answer_schema is None:
        return
    asked = Contract(answer_schema=contract.answer_schema)
    for record in records(root):
        if not record.edits or "answers" not in record.line:
            continue
        if not record.line["answers"]:
            tally.exempt[NAME] += 1
            continue
        tally.judged[NAME] += 1
        yield from _broken(record, asked, form)


def _broken(record: Shipped, contract: Contract, form: str) -> Iterator[Violation]:
    try:
        value = to_value(record.text)
    except NotJson:
        return  # told as `structure`
    found = check_record(value, detect_format(value) if form == "auto" else form, contract)
    for path in dict.fromkeys(one.path for one in found if one.code in ANSWER_FAULTS):
        yield NAME, "satisfied the answer schema before its surrogates.", record.place(path=path)
