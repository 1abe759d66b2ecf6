"""`privatune compare`: base and tuned model on the holdout, or the stock model alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pipeline import folder
from pipeline.compare_subject import VERSION, Body, Subject, of_run, of_stock
from pipeline.compare_words import advice, as_text
from pipeline.config import Config
from pipeline.errors import UsageFault
from pipeline.package_versions import versions_of
from pipeline.progress import bar

if TYPE_CHECKING:
    from trainer.generate import Answer, Question
    from trainer.labels import Example
    from trainer.losses import Loss

RESULT, PAGE, ANSWERS = "compare.json", "compare.html", "answers.jsonl"
PACKAGES = ("privatune", "torch", "transformers", "peft", "bitsandbytes")
BUDGET = {"cpu": 8192, "cuda": 32_768}  # tokens of one batch; halved where they do not fit
SHORTEST, LONGEST = 64, 2048  # bounds of the new tokens that are allowed by default


@dataclass(frozen=True, slots=True)
class Options:
    """How is compared. `max_new_tokens` None: twice the longest expected answer."""

    limit: int | None = None
    seed: int = 42
    temperature: float = 0.0
    max_new_tokens: int | None = None
    every_turn: bool = False
    device: str | None = None
    require_seal: Literal["python", "kernel"] | None = None
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """A finished comparison: its numbers, and where its files lie."""

    body: Body
    output: Path

    def as_text(self) -> str:
        """The table for people; no text of a record is in it."""
        return f"{as_text(self.body)}\nanswers side by side: {self.output / PAGE}"

    def as_json(self) -> str:
        """The summary for machines; field names stay in the file, since they come from records."""
        told = {key: value for key, value in self.body.items() if key != "fields"}
        return json.dumps({**told, "output": str(self.output)}, indent=1)


def compare(
    target: Path,
    config: Config,
    options: Options,
    *,
    model: Path | None = None,
    data: Path | None = None,
    output: Path | None = None,
) -> Compared:
    """Compare the tuned model in the run folder `target` with its base.

    `model`: the base's folder, default `train.model`; `data`: the prepared folder, default
    `data.output`; `output`: default `compare/` in the run folder. Raises UsageFault for what is
    missing, Refused and FolderError for what does not belong together.
    """
    seal = _enter(config, options)
    subject = of_run(target, config, model, data, quiet=options.quiet)
    return _compare(subject, config, options, seal, output or target / "compare")


def stock(
    target: Path, config: Config, options: Options, *, model: Path, output: Path | None = None
) -> Compared:
    """Ask the base in `model` alone, on the holdout of the prepared folder `target`.

    `output`: default `compare/` in the current folder.
    """
    seal = _enter(config, options)
    subject = of_stock(target, config, model)
    return _compare(subject, config, options, seal, output or Path("compare"))


def _enter(config: Config, options: Options) -> Any:
    from trainer.quiet import quiet  # noqa: PLC0415
    from trainer.seal import enter  # noqa: PLC0415 -- sealed before anything else is loaded

    seal = enter(require=options.require_seal or config.train.require_seal)
    quiet()
    return seal


def _compare(
    subject: Subject, config: Config, options: Options, seal: Any, output: Path
) -> Compared:
    from trainer.base import device_of, load_base, load_tuned  # noqa: PLC0415 -- loads torch
    from trainer.generate import keep_values  # noqa: PLC0415

    asked = _asked(subject, config, options)
    device = device_of(options.device or config.train.device)
    if subject.adapter:
        loaded = load_tuned(subject.base, subject.adapter, subject.method, device)
    else:
        loaded = load_base(subject.base, subject.method, device)
    seal.confirm()
    keep_values(loaded)
    measured = _measured(loaded, asked, options, tuned=subject.adapter is not None)
    body, rows = _body(subject, asked, options, measured)
    body["seal"] = seal.evidence()
    _write(output, body, rows)
    return Compared(body, output)


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions, and all that is needed to put them."""

    examples: list[Example]
    questions: list[Question]
    tokenizer: Any
    stops: tuple[str, ...]
    headings: tuple[str, ...]
    schema: Mapping[str, Any] | None
    holdout: int
    limit: int  # new tokens


def _asked(subject: Subject, config: Config, options: Options) -> Asked:
    from trainer.examples import load  # noqa: PLC0415 -- loads transformers
    from trainer.generate import last_answers, questions  # noqa: PLC0415
    from trainer.trained import read_trained  # noqa: PLC0415

    trained = read_trained(subject.tokenizer, subject.template, subject.template_hash)
    tokenizer, template = trained.tokenizer, trained.template
    path = folder.ship_of(subject.data.root) / "holdout.jsonl"
    loaded = load(path, tokenizer, template, subject.max_length, holdout=True)
    if not loaded.rows:
        raise UsageFault(f"{path}: no record was held out, so there is nothing to compare on. Set "
                         "holdout.fraction (0.05 to 0.10), prepare more records and train again."
                         )  # fmt: skip
    examples = chosen(loaded.rows, options)
    texts = last_answers(path, tokenizer, template)
    asked = questions(examples, tokenizer, every_turn=options.every_turn, texts=texts)
    longest = max(one.tokens for one in asked)
    limit = options.max_new_tokens or min(LONGEST, max(SHORTEST, 2 * longest))
    return Asked(
        examples, asked, tokenizer, tuple(trained.stops), trained.headings, config.answer_schema(),
        loaded.stats.rows, limit,
    )  # fmt: skip


def chosen(examples: Sequence[Example], options: Options) -> list[Example]:
    """All records, or `limit` of them, drawn with the seed; in the file's order."""
    records = list(dict.fromkeys(example.record for example in examples))
    if options.limit is not None and options.limit < len(records):
        records = random.Random(options.seed).sample(records, options.limit)  # noqa: S311
    return [example for example in examples if example.record in set(records)]


Measured = dict[str, tuple[list["Loss"], list["Answer"]]]


def _measured(model: Any, asked: Asked, options: Options, *, tuned: bool) -> Measured:
    """Measure the base, and with its adapter switched on the tuned model: one set of weights."""
    if not tuned:
        return {"base": _measure(model, asked, options, "base")}
    with model.disable_adapter():
        base = _measure(model, asked, options, "base")
    return {"base": base, "tuned": _measure(model, asked, options, "tuned")}


def _measure(
    model: Any, asked: Asked, options: Options, name: str
) -> tuple[list[Loss], list[Answer]]:
    from trainer.generate import Sampling, generate, stop_ids  # noqa: PLC0415
    from trainer.losses import losses  # noqa: PLC0415

    stops = stop_ids(asked.stops, asked.tokenizer, model)
    sampling = Sampling(asked.limit, options.temperature, options.seed, headings=asked.headings)
    prompts = [question.prompt for question in asked.questions]
    with bar(f"{name}: loss", quiet=options.quiet) as advance:
        lost = losses(model, asked.examples, advance=advance)
    with bar(f"{name}: answers", quiet=options.quiet) as advance:
        return lost, generate(model, prompts, asked.tokenizer, stops, sampling, advance)


def _body(
    subject: Subject, asked: Asked, options: Options, measured: Measured
) -> tuple[Body, list[Body]]:
    from trainer.comparison import differences, fields, identical, side, summary  # noqa: PLC0415

    sides = {
        name: side(asked.examples, lost, asked.questions, said, asked.schema)
        for name, (lost, said) in measured.items()
    }
    body: Body = {
        "version": VERSION, "manifest": subject.manifest_hash,
        "base": {"name": subject.base.name, "hash": subject.base_hash, "method": subject.method},
        "holdout": asked.holdout, "records": len({one.record for one in asked.examples}),
        "answers": len(asked.questions),
        "longest_expected": max(one.tokens for one in asked.questions),
        "cut": sum(one.tokens > asked.limit for one in asked.questions),
        "settings": {"limit": options.limit, "seed": options.seed,
                     "temperature": options.temperature, "max_new_tokens": asked.limit,
                     "every_turn": options.every_turn},
        "models": {name: summary(one) for name, one in sides.items()},
        "fields": fields(sides),
    }  # fmt: skip
    if subject.adapter:
        pair = sides["base"], sides["tuned"]
        body["run"] = subject.adapter.parent.name
        body["differences"] = differences(*pair, asked.questions)
        body["same_answers"] = identical(*pair)
    body["advice"] = advice(body)
    body["versions"] = versions_of(PACKAGES)
    return body, list(_rows(asked, sides))


def _rows(asked: Asked, sides: Mapping[str, Any]) -> Iterator[Body]:
    """One row for each answer; the request is what production sends, control tokens included."""
    seen: dict[int, int] = {}
    for place, question in enumerate(asked.questions):
        seen[question.record] = seen.get(question.record, 0) + 1
        row: Body = {
            "record": question.record, "answer": seen[question.record],
            "request": asked.tokenizer.decode(list(question.prompt)),
            "expected": question.expected,
        }  # fmt: skip
        for name, one in sides.items():
            said, held = one.answers[place], one.agreements[place]
            row[name] = {"text": said.text, "tokens": said.tokens, "ended": said.ended,
                         "exact": held.exact, "json": held.json, "schema": held.schema}  # fmt: skip
        yield row


def _write(output: Path, body: Body, rows: Sequence[Body]) -> None:
    """Write the three files, each in one piece; the numbers last."""
    from pipeline.compare_page import page  # noqa: PLC0415 -- numpy starts threads: after the seal

    output.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) for row in ({"version": VERSION}, *rows)]
    _replace(output / ANSWERS, "\n".join(lines) + "\n")
    _replace(output / PAGE, page(body, rows))
    _replace(output / RESULT, json.dumps(body, indent=1, ensure_ascii=False) + "\n")


def _replace(path: Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.partial")
    try:
        # A model may write half of a surrogate pair; UTF-8 has no form for it.
        partial.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
