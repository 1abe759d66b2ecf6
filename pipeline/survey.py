"""What a bounded look at data files and captured requests shows: forms and counts, few texts.

The only texts kept are system prompts, and only while there are few of them; whoever writes them
down looks for identifiers in them first.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from pipeline.answer_form import Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MAX_RECORDS = 5_000  # of one file
MAX_PROMPTS = 20
_LANGUAGE_SAMPLE = 200  # records of one file whose language is told


@dataclass(slots=True)
class Survey:
    """Counts over the records that were looked at."""

    records: int = 0
    unreadable: int = 0
    cut: bool = False  # a file has more records than were looked at
    formats: Counter[str] = field(default_factory=Counter)
    # System prompt (None: no system turn) -> records; more than MAX_PROMPTS are not kept.
    prompts: Counter[str | None] = field(default_factory=Counter)
    many_prompts: bool = False
    languages: Counter[str] = field(default_factory=Counter)
    answer_counts: Counter[int] = field(default_factory=Counter)  # answers per record
    answers: int = 0
    json_answers: int = 0
    inputs: int = 0
    json_inputs: int = 0
    form: Form = field(default_factory=Form)

    @property
    def prompt(self) -> str | None:
        """The one system prompt that every record has, or None."""
        alone = len(self.prompts) == 1 and not self.many_prompts
        return next(iter(self.prompts)) if alone else None

    @property
    def only_format(self) -> str | None:
        """The one format of all records, or None."""
        return next(iter(self.formats)) if len(self.formats) == 1 else None

    @property
    def answers_are_json(self) -> bool:
        """Whether every answer is a JSON object or array."""
        return 0 < self.answers == self.json_answers

    def add_prompt(self, text: str | None) -> None:
        """Count a system prompt; forget them all once there are too many."""
        if self.many_prompts:
            return
        self.prompts[text] += 1
        if len(self.prompts) > MAX_PROMPTS:
            self.many_prompts = True
            self.prompts.clear()


def look_at_data(files: Iterable[Path]) -> Survey:
    """Look at up to MAX_RECORDS records of each file. Raises InputError for an unusable file."""
    from scrubbers.jsontext import to_value  # noqa: PLC0415  # init alone needs the readers
    from validators.record import detect_format  # noqa: PLC0415

    survey = Survey()
    for path in files:
        for number, text in enumerate(_records(path, survey)):
            value = to_value(text)
            form = detect_format(value)
            survey.records += 1
            survey.formats[form] += 1
            _add_record(survey, value, form, tell_language=number < _LANGUAGE_SAMPLE)
    return survey


def look_at_requests(path: Path) -> Survey:
    """Look at captured requests: chat or completion bodies, wrapped or bare, or plain prompts."""
    from scrubbers.jsontext import to_value  # noqa: PLC0415

    survey = Survey()
    values: Iterable[object]
    if path.suffix.lower() in (".txt", ".text"):
        values = _lines(path)
    else:
        values = (to_value(text) for text in _records(path, survey))
    for value in _requests(values):
        survey.records += 1
        _add_request(survey, _body(value))
    return survey


def _requests(values: Iterable[object]) -> Iterator[object]:
    """The captured requests; turns that stand alone, as a bare list is read, are put together."""
    talk: list[object] = []
    for value in values:
        role = value.get("role") if isinstance(value, dict) and "messages" not in value else None
        if talk and role in (None, "system"):
            yield talk
            talk = []
        if role is None:
            yield value
        else:
            talk.append(value)
    if talk:
        yield talk


def _records(path: Path, survey: Survey) -> Iterator[str]:
    from pipeline.reading import RawRecord, read  # noqa: PLC0415

    found = 0
    for item in read(path):
        if found >= MAX_RECORDS:
            survey.cut = True
            return
        if isinstance(item, RawRecord):
            found += 1
            yield item.text
        else:
            survey.unreadable += 1


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        yield from (line.strip() for line in islice(file, MAX_RECORDS) if line.strip())


def _add_record(survey: Survey, value: object, form: str, *, tell_language: bool) -> None:
    from scrubbers.language import record_language  # noqa: PLC0415
    from validators.record import conversations  # noqa: PLC0415

    talks = conversations(value, form)  # two for a preference pair, which share their questions
    turns = talks[0] if talks else []
    survey.add_prompt(next((turn.text for turn in turns if turn.role == "system"), None))
    survey.answer_counts[sum(turn.role == "assistant" for turn in turns)] += 1
    for turn in (turn for talk in talks for turn in talk if turn.role == "assistant"):
        if not turn.calls:
            _add_answer(survey, turn.text)
    asked = [turn.text for turn in turns if turn.role == "user"]
    _add_input(survey, asked[-1] if asked else "")
    if tell_language:
        survey.languages[record_language([turn.text for turn in turns] or _strings(value))] += 1


def _strings(value: object) -> list[str]:
    """All texts of a record whose turns are not known."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _strings(one)]


def _add_answer(survey: Survey, text: str) -> None:
    survey.answers += 1
    value = _container(text)
    if value is not None:
        survey.json_answers += 1
        survey.form.add(value)


def _add_input(survey: Survey, text: str) -> None:
    survey.inputs += 1
    survey.json_inputs += _container(text) is not None


def _container(text: str) -> object:
    """Return the JSON object or array that the text is, or None."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _body(value: object) -> object:
    """Unwrap what loggers and batch files put around a request body."""
    for _ in range(3):
        if not isinstance(value, dict) or "messages" in value or "prompt" in value:
            break
        inner = next(
            (value[key] for key in ("body", "request", "json", "data") if key in value), None
        )
        value = _container(inner) if isinstance(inner, str) else inner
        if value is None:
            break
    return value


def _add_request(survey: Survey, body: object) -> None:
    from validators.turns import read_turns  # noqa: PLC0415

    if isinstance(body, str):
        body = {"prompt": body}
    if isinstance(body, list):
        body = {"messages": body}
    if not isinstance(body, dict):
        survey.unreadable += 1
        return
    turns = read_turns(body.get("messages"), "messages")
    own = body.get("system")
    system = next((turn.text for turn in turns if turn.role == "system"), None)
    survey.add_prompt(own if isinstance(own, str) and system is None else system)
    asked = [turn.text for turn in turns if turn.role == "user"]
    prompt = body.get("prompt")
    _add_input(survey, asked[-1] if asked else prompt if isinstance(prompt, str) else "")
    survey.answers += 1
    survey.json_answers += _asks_for_json(body)


def _asks_for_json(body: dict[str, object]) -> bool:
    wanted = body.get("response_format")
    kind = wanted.get("type") if isinstance(wanted, dict) else None
    return kind in ("json_object", "json_schema") or bool(body.get("format"))
