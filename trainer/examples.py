"""The examples of a split: `ship/train.jsonl` or `ship/holdout.jsonl`, read row by row."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.labels import find_ending, label
from trainer.templates import RenderError
from validators.shapes import detect_format

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from trainer.labels import Ending, Example
    from trainer.templates import Template
    from trainer.tokenizer import Tokenizer

SHOWN = 5  # record numbers in a message


class RowsRefused(Exception):
    """Records that cannot be trained on. `records` holds their numbers, from 1."""

    def __init__(self, message: str, records: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.records = tuple(records)


class RowsTooLong(Exception):
    """Records over the limit, never cut. `records`: their numbers; `needed`: tokens of the longest."""

    def __init__(self, message: str, records: Sequence[int], needed: int) -> None:
        super().__init__(message)
        self.records, self.needed = tuple(records), needed


@dataclass(frozen=True, slots=True)
class Stats:
    """What a split holds: records, examples, tokens in all, tokens with a loss, the longest example.

    `apart` counts the examples beyond the first of each record: answers that the template writes
    otherwise once they are history, so that they are trained as production asks for them.
    `lost` counts texts of answers that the template leaves out, so that nothing learns them.
    `whole` counts rows of plain text, trained on from their first token on, `chosen` pairs, of
    which the chosen side alone is trained on, `empty` trained answers that say nothing.
    """

    rows: int
    examples: int
    tokens: int
    trained: int
    longest: int
    apart: int
    lost: int
    whole: int = 0
    chosen: int = 0
    empty: int = 0


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of a split, in the file's order."""

    rows: list[Example]
    stats: Stats


def load(
    path: Path, tokenizer: Tokenizer, template: Template, max_length: int, *, holdout: bool = False
) -> Examples:
    """Make the examples of a split. A holdout may be empty.

    Raises RowsRefused for records without a training text and for a set without any, RowsTooLong
    for records of more than `max_length` tokens, TokenizerError as `find_ending` does.
    """
    ending = find_ending(tokenizer, template)
    made: list[Example] = []
    refused: list[tuple[int, str]] = []
    rows = 0
    forms: Counter[str] = Counter()
    for number, line in _lines(path):
        rows += 1
        found = _made(line, number, tokenizer, template, ending, forms)
        if isinstance(found, str):
            refused.append((number, found))
        else:
            made += found
    if refused:
        raise _refusal(path, rows, refused)
    if not rows and not holdout:
        raise RowsRefused(f"{path.name} holds no record, so there is nothing to train on: run "
                          "`privatune prep` on more data.")  # fmt: skip
    _check_lengths(path, rows, made, max_length)
    return Examples(made, _count(rows, made, forms))


def to_dataset(examples: Sequence[Example]) -> Any:
    """Make a `datasets.Dataset` in memory: `input_ids` and `labels` of int32, `length` in tokens."""
    import datasets  # noqa: PLC0415 -- dear to import

    ids = datasets.Sequence(datasets.Value("int32"))
    columns = {
        "input_ids": [example.ids for example in examples],
        "labels": [example.labels for example in examples],
        "length": [len(example.ids) for example in examples],
    }
    features = {"input_ids": ids, "labels": ids, "length": datasets.Value("int32")}
    return datasets.Dataset.from_dict(columns, features=datasets.Features(features))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Give (record number, line); only a line feed ends a line, as `prep` writes them."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line


def _made(
    line: bytes,
    number: int,
    tokenizer: Tokenizer,
    template: Template,
    ending: Ending,
    forms: Counter[str],
) -> list[Example] | str:
    """Make a record's examples, or say why there are none; its format is counted in `forms`."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return "The line is not JSON: run `privatune check` on the folder."
    try:
        form = detect_format(value)
        forms[form] += 1
        return label(value, form, tokenizer, template, record=number, ending=ending)
    except RenderError as error:
        place = f" Place: {error.fault.path}." if error.fault.path else ""
        return error.fault.message + place


def _refusal(path: Path, rows: int, refused: Sequence[tuple[int, str]]) -> RowsRefused:
    numbers = [number for number, _ in refused]
    return RowsRefused(
        f"{path.name}: {len(refused)} of {rows} records cannot be trained on ({_shown(numbers)}). "
        f"The first: {refused[0][1]} Then run `privatune prep` again.",
        numbers,
    )


def _check_lengths(path: Path, rows: int, made: Sequence[Example], limit: int) -> None:
    long = [example for example in made if len(example.ids) > limit]
    if not long:
        return
    numbers = list(dict.fromkeys(example.record for example in long))
    needed = max(len(example.ids) for example in long)
    raise RowsTooLong(
        f"{path.name}: {len(numbers)} of {rows} records have more than {limit} tokens "
        f"({_shown(numbers)}); the longest needs {needed}. They are not cut, since the answer would "
        "suffer. Raise tokens.max_length, or set tokens.over_length to `drop`, and run "
        "`privatune prep` again.",
        numbers,
        needed,
    )


def _shown(numbers: Sequence[int]) -> str:
    more = ", …" if len(numbers) > SHOWN else ""
    return f"record {', '.join(map(str, numbers[:SHOWN]))}{more}"


def _count(rows: int, made: Sequence[Example], forms: Counter[str]) -> Stats:
    return Stats(
        rows=rows,
        examples=len(made),
        tokens=sum(len(example.ids) for example in made),
        trained=sum(example.trained for example in made),
        longest=max((len(example.ids) for example in made), default=0),
        apart=len(made) - len({example.record for example in made}),
        lost=sum(example.lost for example in made),
        whole=forms["text"],
        chosen=forms["preference"],
        empty=sum(example.empty for example in made),
    )
