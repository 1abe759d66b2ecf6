"""Token ids as a server makes them of a prompt, and as a model writes its answer."""

from __future__ import annotations

import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING

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


def span_ids(
    span: Span, tokenizer: Tokenizer, ending: Ending, *, plain: bool
) -> tuple[list[int], list[int]]:
    """Encode one answer: (ids of the prompt, ids of the answer with its end token).

    The prompt's ids are those that it has by itself, since production encodes it by itself; the
    answer's go on from there, also where one token could cover the end of the prompt and the
    start of the answer. Control tokens spelled out in the record's answer become ordinary text:
    a model cannot write them without stopping.
    `plain`: no chat template wrote the text, so the tokenizer's beginning token comes first.
    Raises RenderError where control tokens of the template and of the answer cannot be told apart.
    """
    start = beginning(tokenizer) if plain else []
    literal = _spelled_out(span, ending)
    text = span.answer + span.end
    prompt, joint, alone = _encode([span.prompt, span.prompt + text, text], tokenizer)
    if start and joint[: len(start)] == start:  # the text itself begins with it
        start = []
    if literal:
        answer = _written(prompt, _literally(span.answer, tokenizer), span.answer, tokenizer)
        return start + prompt, [*answer, *_encode([span.end], tokenizer)[0]]
    ways = _ways(prompt, joint, alone, text, tokenizer)
    answer = _written(prompt, ways, text, tokenizer)
    _check_end(span, answer, ending)
    return start + prompt, answer


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


def _ways(
    prompt: list[int], joint: list[int], alone: list[int], text: str, tokenizer: Tokenizer
) -> Iterator[list[int]]:
    """Give the ids of an answer, the likeliest first: behind the prompt, alone, behind an anchor."""
    if joint[: len(prompt)] == prompt:
        yield joint[len(prompt) :]
    yield alone
    yield from _anchored(text, tokenizer)


def _literally(text: str, tokenizer: Tokenizer) -> Iterator[list[int]]:
    """Give the ids of a text in which control tokens are ordinary characters."""
    with _no_control_tokens(tokenizer):
        ways = [_encode([text], tokenizer)[0], *_anchored(text, tokenizer)]
    yield from ways


def _anchored(text: str, tokenizer: Tokenizer) -> Iterator[list[int]]:
    for anchor in _ANCHORS:
        head, both = _encode([anchor, anchor + text], tokenizer)
        if both[: len(head)] == head:
            yield both[len(head) :]


@contextmanager
def _no_control_tokens(tokenizer: Tokenizer) -> Iterator[None]:
    backend = tokenizer.backend_tokenizer
    before = backend.encode_special_tokens
    backend.encode_special_tokens = True
    try:
        yield
    finally:
        backend.encode_special_tokens = before


def _written(
    prompt: list[int], ways: Iterator[list[int]], text: str, tokenizer: Tokenizer
) -> list[int]:
    """Pick the ids that read back as `text` behind the prompt; the first where none does."""
    first: list[int] | None = None
    for ids in ways:
        if _reads(prompt[-_CONTEXT:], ids, text, tokenizer):
            return ids
        first = ids if first is None else first
    return first or []


def _reads(before: list[int], ids: list[int], text: str, tokenizer: Tokenizer) -> bool:
    decode = tokenizer.backend_tokenizer.decode
    head = decode(before, skip_special_tokens=False)
    both = decode(before + ids, skip_special_tokens=False)
    same = unicodedata.normalize("NFC", both[len(head) :]) == unicodedata.normalize("NFC", text)
    return bool(both.startswith(head) and same)
