"""The commented text of the `privatune.yaml` that `init` writes, and the words around it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.survey import MAX_RECORDS
from scrubbers.catalog import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.survey import Survey

SCHEMA_NAME = "answer.schema.json"
_MAX_PROMPT = 8_000  # characters of a system prompt that still make a readable file
FIRST_QUESTION = (
    "First: is fine-tuning what you need? Try the cheaper roads before you rent a GPU.",
    "  The model lacks facts, or facts change: retrieval. Fine-tuning is a poor way to teach them.",
    "  A page of instructions would do: a better prompt, tried on a stock model for some cents.",
    "  One wrong answer, or a wish to beat the largest models: fine-tuning does neither.",
    "  A strict output format, a tone, the language of a trade, one narrow task, shorter prompts,",
    "  behaviour that no prompt keeps steady: fine-tuning is right.",
)
_EFFECT, _SOLID, _SERIOUS = 300, 1_000, 10_000
# YAML breaks lines at these even in quotes, or does not allow them raw.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything the file is written from."""

    inputs: tuple[str, ...]
    requests_path: str | None
    data: Survey
    requests: Survey | None
    schema: dict[str, Any] | None
    find_identifiers: Callable[[str], bool]


def lines(draft: Draft, notes: list[str]) -> Iterator[str]:
    """Write the file line by line; what a person should know goes to `notes`."""
    data = draft.data
    sample = f" The first {MAX_RECORDS:,} of each file." if data.cut else ""
    places = len(draft.inputs)
    looked = f"{data.records:,} {'record' if data.records == 1 else 'records'} in {places} "
    looked += "place" if places == 1 else "places"
    yield from comment(f"Written by `privatune init` after a look at {looked}.{sample}")
    yield from comment("docs/configuration.md describes every key. Paths count from this folder.")
    yield "#"
    yield from comment(*FIRST_QUESTION)
    yield "#"
    notes += volume(data.records, cut=data.cut)
    yield from comment(*volume(data.records, cut=data.cut))
    yield ""
    yield from _data_lines(draft, notes)
    yield ""
    yield from _privacy_lines(draft, notes)
    yield ""
    yield from _contract_lines(draft, notes)
    yield ""
    yield from _last_lines()


def _data_lines(draft: Draft, notes: list[str]) -> Iterator[str]:
    data = draft.data
    yield "data:"
    yield "  inputs:" if draft.inputs else "  inputs: []"
    yield from (f"    - {quoted(one)}" for one in draft.inputs)
    seen = ", ".join(f"{name} ({count:,})" for name, count in data.formats.most_common())
    form = data.only_format
    named = form if form and form != "other" and not data.cut else "auto"
    yield f"  format: {named}  # seen: {seen or 'no record'}"
    if len(data.formats) > 1:
        yield "  # One form for all would be: output_format: messages"
        notes.append(f"Formats seen: {seen}. A trainer wants one: see `data.output_format`.")
    if data.formats["other"]:
        notes.append(
            f"{data.formats['other']:,} records have no format that is known; identifiers are "
            "replaced in them too, but turns and answers cannot be checked."
        )
    if data.unreadable:
        notes.append(f"{data.unreadable:,} records could not be read; `prep` quarantines them.")
    yield "  output: prepared"


def _privacy_lines(draft: Draft, notes: list[str]) -> Iterator[str]:
    seen = draft.data.languages.most_common()
    yield "privacy:"
    yield "  policy: balanced  # strict: also places, organisations, dates and addresses of the web"
    yield "  # dates: shift  # all dates of a record by one secret interval; generalise: month and year"
    told = ", ".join(f"{name} ({count:,})" for name, count in seen if name != "und")
    yield f"  # Languages seen in a sample of records: {told or 'none that could be told'}."
    own = [name for name in LANGUAGES if draft.data.languages[name]]
    if own:
        yield "  # Names are looked for in more languages than these; records in one left out are quarantined."
        yield f"  # languages: [{', '.join(own)}]"
    foreign = sorted(set(draft.data.languages) - {*LANGUAGES, "und"})
    if foreign:
        yield "  # No names are looked for in: " + ", ".join(foreign)
        notes.append(
            f"Records in {', '.join(foreign)} are quarantined: this version finds no names there. "
            "`privacy.unscanned_languages: keep` keeps them with their names in."
        )
    yield "  # Values that may stay, each with a reason:"
    yield "  # allow:"
    yield "  #   - {value: Example Support, reason: our own public team name}"


def _contract_lines(draft: Draft, notes: list[str]) -> Iterator[str]:
    data = draft.data
    yield "# What a production request looks like. `prep` holds every record against it."
    yield "contract:"
    yield from _system_lines(draft, notes)
    counts = set(data.answer_counts)
    pattern = "single" if counts == {1} else "multi" if counts and min(counts) > 1 else "any"
    yield f"  turns: {pattern}  # answers in a record: {_range(counts)}"
    if data.inputs and data.inputs == data.json_inputs:
        yield "  input: json  # every input is JSON"
    if data.answers_are_json and draft.schema:
        yield "  # Every answer is JSON. Field names and types are in this file; edit it freely."
        yield f"  answer_schema: {SCHEMA_NAME}"
    elif data.answers_are_json:
        yield "  # Every answer is JSON; with a file as --output, `init` writes a schema of them."
    else:
        share = f"{data.json_answers:,} of {data.answers:,}"
        yield f"  # Answers are text ({share} are JSON), so there is no answer_schema."
    if draft.requests and draft.requests.json_answers and not data.answers_are_json:
        notes.append("Production asks for JSON answers, but not every answer in the data is JSON.")
    yield "  template: chat  # alpaca, or {file: PATH}"
    if draft.requests_path:
        yield f"  requests: {quoted(draft.requests_path)}  # stays at home"


def _range(counts: set[int]) -> str:
    if not counts:
        return "none"
    return str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def _system_lines(draft: Draft, notes: list[str]) -> Iterator[str]:
    text, active = _system_prompt(draft.data, draft.requests, notes)
    if not text:
        yield f"  # {_no_prompt(draft.data)}"
    elif len(text) > _MAX_PROMPT or draft.find_identifiers(text):
        notes.append(
            "The system prompt is long or holds something that looks like an identifier, so it is "
            "not repeated here. Put a clean one into a file and name it: `system: {file: PATH}`."
        )
        yield "  # system: {file: system-prompt.txt}"
    else:
        yield f"  {'' if active else '# '}system: {quoted(text)}"


def _system_prompt(data: Survey, asked: Survey | None, notes: list[str]) -> tuple[str | None, bool]:
    """Choose the prompt to write, and whether every record keeps it."""
    if asked is None or not asked.records:
        return data.prompt, True
    sent = asked.prompt
    if sent and data.records:
        if sent != data.prompt:
            notes.append(
                f"Production's system prompt stands in {data.prompts[sent]:,} of {data.records:,} "
                "records. The model should learn with the prompt that it will see: correct the "
                "data, then activate the line."
            )
        return sent, sent == data.prompt
    if not sent and any(asked.prompts):
        notes.append("Production sends more than one system prompt; write the right one yourself.")
    elif not sent and any(data.prompts):
        notes.append("Production sends no system prompt, but the records have one.")
    return sent or data.prompt, bool(sent)


def _no_prompt(data: Survey) -> str:
    different = len([one for one in data.prompts if one])
    if data.many_prompts or different > 1:
        many = "many" if data.many_prompts else str(different)
        return f"The records have {many} different system prompts: write the one of production."
    if different:
        return "Only some records have a system prompt: write the one of production."
    return "No record has a system prompt. If production sends one, the data should too."


def _last_lines() -> Iterator[str]:
    yield "tokens:"
    yield "  # A local folder with the base model's tokenizer; without it lengths are not checked."
    yield "  # tokenizer: models/base"
    yield "  max_length: 2048"
    yield "  over_length: fail  # or drop"
    yield ""
    yield "holdout:"
    yield "  fraction: 0.1  # records the model never trains on, to compare with"
    yield "  # group_by: [conversation_id]"


def volume(records: int, *, cut: bool) -> list[str]:
    """Say what a number of records is good for."""
    if records < _EFFECT:
        verdict = "too few to see an effect; collect more, or stay with a prompt"
    elif records < _SOLID:
        verdict = "enough to see an effect"
    elif records < _SERIOUS:
        verdict = "enough for a solid fine-tune"
    else:
        verdict = "enough for a serious one"
    seen = f"{records:,}{' or more' if cut else ''}"
    return [
        f"Volume: {seen} records are {verdict}.",
        "  300 show an effect, 1,000 to 5,000 are solid, 10,000 are serious. Right ones come first:",
        "  a hundred without faults beat thousands of noisy ones.",
    ]


def comment(*lines: str) -> Iterator[str]:
    """Set lines as YAML comments."""
    return (f"# {line}".rstrip() for line in lines)


def quoted(text: str) -> str:
    """Write a text as a YAML double-quoted scalar on one line, exactly."""
    return _UNSAFE.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(text, ensure_ascii=False))
