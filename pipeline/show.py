"""`privatune train --show N`: records as the model is to read them, what is trained in brackets.

What is shown is the prepared set, so identifiers that were found stand replaced in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from pipeline import folder
from pipeline.config import Config
from pipeline.errors import UsageFault
from pipeline.train import template_for

OPEN, CLOSE = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shown:
    """Examples: (record number, pieces), a piece being (text, whether it is trained)."""

    examples: tuple[tuple[int, tuple[tuple[str, bool], ...]], ...]

    def as_text(self) -> str:
        """Each example under its record's number, trained pieces in brackets."""
        return "\n\n".join(
            f"record {number}\n{_marked(pieces)}" for number, pieces in self.examples
        )

    def as_json(self) -> str:
        """The same for machines."""
        return json.dumps(
            [{"record": number, "pieces": [{"text": text, "trained": on} for text, on in pieces]}
             for number, pieces in self.examples], ensure_ascii=False, indent=1,
        )  # fmt: skip


def _marked(pieces: tuple[tuple[str, bool], ...]) -> str:
    return "".join(f"{OPEN}{text}{CLOSE}" if on else text for text, on in pieces)


def show(root: Path, config: Config, model: Path | None, count: int) -> Shown:
    """The first `count` records of the training split, through the model's own tokenizer.

    Raises what `train` raises before it starts, and RenderError for a record that cannot be
    rendered.
    """
    prepared = folder.verify(root, config.trust)
    where = model or config.train.model
    if where is None:
        raise UsageFault("No base model: name its folder with `--model` or in train.model.")
    return _shown(prepared, where, template_for(prepared, config), count)


def _shown(prepared: folder.Prepared, model: Path, template: str, count: int) -> Shown:
    from trainer.labels import find_ending, label  # noqa: PLC0415
    from trainer.templates import make_template  # noqa: PLC0415
    from trainer.tokenizer import load_tokenizer  # noqa: PLC0415
    from validators.shapes import detect_format  # noqa: PLC0415

    tokenizer = load_tokenizer(model)
    made = make_template(template, tokenizer)
    ending = find_ending(tokenizer, made)
    path = folder.ship_of(prepared.root) / "train.jsonl"
    with path.open(encoding="utf-8") as lines:
        values = [json.loads(line) for line in islice(lines, count)]
    return Shown(
        tuple(
            (number, tuple(_pieces(example, tokenizer)))
            for number, value in enumerate(values, start=1)
            for example in label(value, detect_format(value), tokenizer, made, record=number,
                                 ending=ending)
        )
    )  # fmt: skip


def _pieces(example: Any, tokenizer: Any) -> Iterator[tuple[str, bool]]:
    """Runs of ids that are trained, or not, as text."""
    pairs = zip(example.ids, example.labels, strict=True)
    for trained, run in groupby(pairs, key=lambda pair: pair[0] == pair[1]):
        yield tokenizer.decode([token for token, _ in run]), trained
