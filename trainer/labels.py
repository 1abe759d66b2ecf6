"""Labels of a record: loss on what production would have the model write, and on nothing else.

Each answer is encoded as production meets it: the ids of the rendered prompt, then the answer up
to its end-of-turn token. Answers share one example where the later prompt's ids begin with all of
the earlier one; where a template writes an answer otherwise once it is history (reasoning taken
out, say), the earlier one gets an example of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainer.continued import Encoded
from trainer.ending import Ending, end_of_turn, find_ending, stop_tokens
from trainer.read_back import count_lost
from trainer.spans import Span, generation_prompt, spans
from trainer.templates import RenderError
from trainer.token_ids import span_ids
from validators.faults import fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainer.templates import Template
    from trainer.tokenizer import Tokenizer

__all__ = [
    "IGNORED", "Ending", "Example", "Span", "end_of_turn", "find_ending", "generation_prompt",
    "label", "spans", "stop_tokens",
]  # fmt: skip

IGNORED = -100  # the label that the loss of `transformers` and `torch` leaves out


@dataclass(frozen=True, slots=True)
class Example:
    """One row for the trainer.

    `labels` equal `ids` on tokens that are trained on, and IGNORED elsewhere; they are not
    shifted. `record` is the record's number in its file, `turns` the places of the trained
    answers among its messages, `lost` the count of their texts that the template left out,
    `empty` the count of the answers that say nothing.
    """

    ids: list[int]
    labels: list[int]
    record: int
    turns: tuple[int, ...]
    lost: int = 0
    empty: int = 0

    @property
    def trained(self) -> int:
        """Count the tokens that have a loss: a first token has nothing before it."""
        return sum(label != IGNORED for label in self.labels[1:])


@dataclass(frozen=True, slots=True)
class _Piece:
    span: Span
    start: int  # where the answer starts in `ids`
    ids: list[int]


def label(
    value: object,
    form: str,
    tokenizer: Tokenizer,
    template: Template,
    *,
    record: int = 0,
    ending: Ending | None = None,
) -> list[Example]:
    """Make the examples of one record, mostly one; the last holds the record's last answer.

    `ending`, from `find_ending`, spares finding it for each record.
    Raises RenderError, whose fault quotes no value, and TokenizerError as `find_ending` does.
    """
    ending = ending or find_ending(tokenizer, template)
    plain = template.special or form == "text"
    pieces, known = [], Encoded()
    for span in spans(value, form, tokenizer, template, ending):
        found = span_ids(span, tokenizer, ending, known=known, plain=plain)
        pieces.append(_Piece(span, len(found.prompt), found.prompt + found.answer))
        known = found.joint
    groups = _groups(pieces)
    for group in groups:
        _check_characters(group[0], tokenizer)
    examples = [_example(group, record) for group in groups]
    if not any(example.trained for example in examples):
        raise RenderError(fault("answer-missing", "", "The record has no token to train on: fill "
                                "its answer in or drop it."))  # fmt: skip
    return examples


def _groups(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Put each piece with a later one whose ids begin with all of it; the carrier comes first."""
    groups: list[list[_Piece]] = []
    for piece in reversed(pieces):
        home = next((group for group in groups if _begins(group[0].ids, piece.ids)), None)
        if home is None:
            groups.append([piece])
        else:
            home.append(piece)
    return groups[::-1]


def _check_characters(piece: _Piece, tokenizer: Tokenizer) -> None:
    span = piece.span
    lost = count_lost(span.prompt + span.answer + span.end, piece.ids, tokenizer)
    if lost:
        raise RenderError(fault("characters-lost", "", f"The tokenizer has no token for {lost} "
                                "characters of this record, so they would vanish from it: take a "
                                "base model whose tokenizer knows these characters, or drop the "
                                "record."))  # fmt: skip


def _begins(whole: list[int], part: list[int]) -> bool:
    return whole[: len(part)] == part


def _example(group: Sequence[_Piece], record: int) -> Example:
    ids = group[0].ids
    labels = [IGNORED] * len(ids)
    for piece in group:
        labels[piece.start : len(piece.ids)] = ids[piece.start : len(piece.ids)]
    turns = tuple(piece.span.turn for piece in reversed(group))
    lost = sum(piece.span.lost for piece in group)
    empty = sum(piece.span.empty for piece in group)
    return Example(ids, labels, record, turns, lost, empty)
