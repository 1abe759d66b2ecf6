"""Token ids as a server makes them of a prompt, and as a model writes its answer."""

from __future__ import annotations

import unicodedata
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainer.continued import Encoded, go_on
from trainer.templates import RenderError
from trainer.tokenizer import encodings
from validators.faults import fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trainer.ending import Ending
    from trainer.spans import Span
    from trainer.tokenizer import Tokenizer

# Texts that an answer can be encoded behind where a tokenizer treats the start of a text in its
# own way (a space put before it).
_ANCHORS = ("\n", "a")
_CONTEXT = 8  # tokens in front of an answer when it is read back; a character has fewer


@dataclass(frozen=True, slots=True)
class SpanIds:
    """Ids of the prompt, and of the answer with its end token; `joint`: both in one text."""

    prompt: list[int]
    answer: list[int]
    joint: Encoded


def span_ids(
    span: Span, tokenizer: Tokenizer, ending: Ending, *, known: Encoded, plain: bool
) -> SpanIds:
    """Encode one answer and its prompt.

    The prompt's ids are those that it has by itself, since production encodes it by itself; the
    answer's go on from there, also where one token could cover the end of the prompt and the
    start of the answer. Control tokens spelled out in the record's answer become ordinary text:
    a model cannot write them without stopping.
    `known`: a text that may begin alike, as the `joint` of the span before. `plain`: no chat
    template wrote the text, so the tokenizer's beginning token comes first.
    Raises RenderError where control tokens of the template and of the answer cannot be told apart.
    """
    literal = _spelled_out(span, ending)
    text = span.answer + span.end
    asked = go_on(span.prompt, known, tokenizer, ending)
    joint = go_on(span.prompt + text, asked, tokenizer, ending)
    prompt = list(asked.ids)
    if literal:
        with _no_control_tokens(tokenizer):
            answer = _apart(prompt, span.answer, tokenizer)
        answer = [*answer, *_encode([span.end], tokenizer)[0]]
    else:
        answer = _behind(prompt, list(joint.ids), text, tokenizer)
        _check_end(span, answer, ending)
    start = beginning(tokenizer) if plain else []
    if list(joint.ids[: len(start)]) == start:  # none, or the text itself begins with it
        start = []
    return SpanIds(start + prompt, answer, joint)


def beginning(tokenizer: Tokenizer) -> list[int]:
    """List the ids that the tokenizer puts before plain text: its beginning token, or none."""
    encoding = next(encodings(["a"], tokenizer, special=True))
    marks = encoding.special_tokens_mask
    return list(encoding.ids[: marks.index(0)]) if 0 in marks else []


def _spelled_out(span: Span, ending: Ending) -> bool:
    """Tell whether the record's own text holds control tokens; the template's own may not mix."""
    if span.own is None:
        return False
    counts = [(span.answer.count(mark), mark) for mark in ending.marks]
    own = {mark: sum(text.count(mark) for text in span.own) for count, mark in counts if count}
    if not any(own.values()):
        return False
    if any(count > own[mark] for count, mark in counts if count):
        raise _mixed(span)
    return True


def _mixed(span: Span) -> RenderError:
    return RenderError(fault("template-format", f"messages[{span.turn}]", "The answer spells out a "
                             "control token that the template writes in it too, so the two cannot "
                             "be told apart: change the answer or drop the record."))  # fmt: skip


def _check_end(span: Span, answer: list[int], ending: Ending) -> None:
    inside = span.own is not None and ending.id in answer[:-1]
    if inside or (span.end == ending.token and answer[-1:] != [ending.id]):
        raise RenderError(fault("template-format", f"messages[{span.turn}]", "The end token does "
                                "not stand at the end of the answer's tokens, and only there: the "
                                "model would learn to stop in the middle."))  # fmt: skip


def _encode(texts: Sequence[str], tokenizer: Tokenizer) -> list[list[int]]:
    return [list(encoding.ids) for encoding in encodings(texts, tokenizer)]


def _behind(prompt: list[int], joint: list[int], text: str, tokenizer: Tokenizer) -> list[int]:
    """Give the answer's ids, where prompt and answer together are `joint`.

    Where a token covers the seam, or a token of the prompt swallows white space of the answer, the
    answer is encoded apart. Tokenizers that put a space before a text do so behind a control token
    too: that is how the model knows it, so it stays.
    """
    if joint[: len(prompt)] != prompt:
        return _apart(prompt, text, tokenizer)
    ids = joint[len(prompt) :]
    whole = _read(prompt, ids, tokenizer) in (_normal(text), " " + _normal(text))
    return ids if whole else _apart(prompt, text, tokenizer, otherwise=ids)


def _apart(
    prompt: list[int], text: str, tokenizer: Tokenizer, *, otherwise: list[int] | None = None
) -> list[int]:
    """Encode an answer by itself, so that it reads back as it is behind the prompt."""
    alone = _encode([text], tokenizer)[0]
    ways = [alone]
    for anchor in _ANCHORS:
        head, both = _encode([anchor, anchor + text], tokenizer)
        if both[: len(head)] == head:
            ways.append(both[len(head) :])
    right = (ids for ids in ways if _read(prompt, ids, tokenizer) == _normal(text))
    return next(right, otherwise or alone)


@contextmanager
def _no_control_tokens(tokenizer: Tokenizer) -> Iterator[None]:
    backend = tokenizer.backend_tokenizer
    before = backend.encode_special_tokens
    backend.encode_special_tokens = True
    try:
        yield
    finally:
        backend.encode_special_tokens = before


def _read(prompt: list[int], ids: list[int], tokenizer: Tokenizer) -> str:
    """Decode the ids of an answer as a server does, behind the last tokens of its prompt."""
    decode = tokenizer.backend_tokenizer.decode
    before = prompt[-_CONTEXT:]
    head = decode(before, skip_special_tokens=False)
    return _normal(decode(before + ids, skip_special_tokens=False)[len(head) :])


def _normal(text: str) -> str:
    """Compare composed, and without lone surrogates: tokenizers change both before they encode."""
    return unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
