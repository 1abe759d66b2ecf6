"""Answers to the prompts of held-out records, in batches with the padding on the left."""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trainer.labels import IGNORED, find_ending, spans
from trainer.losses import batches, run_or_halve
from validators.shapes import detect_format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from trainer.labels import Example, Span
    from trainer.templates import Template
    from trainer.tokenizer import Tokenizer

# What reasoning models write before the answer; a server cuts it off (vLLM's reasoning parsers).
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Question:
    """What production would send, as token ids, and the answer that the record has for it."""

    record: int
    prompt: tuple[int, ...]
    expected: str
    tokens: int  # of the expected answer, with its end


@dataclass(frozen=True, slots=True)
class Answer:
    """`tokens` were generated, a stop token included; `ended`: it came to one by itself."""

    text: str
    tokens: int
    ended: bool


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are chosen, and where an answer is cut.

    A temperature of 0 is greedy: the likeliest token, always. `headings`: texts at which a server
    of plain prompts stops (`modelfile.prompt_stops`); an answer is cut there, but has not ended.
    """

    max_new_tokens: int
    temperature: float = 0.0
    seed: int = 42
    budget: int = 8192  # tokens of a batch, prompts and answers with their padding
    headings: tuple[str, ...] = ()


def questions(
    examples: Sequence[Example],
    tokenizer: Tokenizer,
    *,
    every_turn: bool = False,
    texts: Mapping[int, str] | None = None,
) -> list[Question]:
    """Cut examples before their answers: before the last one of a record, or before each.

    `texts` gives the last answers as their records have them, from `last_answers`; the others are
    decoded from their ids, which is what the tokenizer keeps of them.

    The ids in front of trained-on tokens are those that production's own prompt has by itself:
    `labels.label` encodes the rendered request alone and the answer behind it.
    """
    found = [
        Question(
            example.record,
            tuple(example.ids[:start]),
            as_text(example.ids[start:end], tokenizer),
            end - start,
        )
        for example in examples
        for start, end in runs(example.labels)
        if start
    ]
    last = {question.record: place for place, question in enumerate(found)}
    for record, place in last.items():
        found[place] = replace(
            found[place], expected=(texts or {}).get(record, found[place].expected)
        )
    return found if every_turn else [found[place] for place in last.values()]


def last_answers(path: Path, tokenizer: Tokenizer, template: Template) -> dict[int, str]:
    """Read the last trained answer of each record, by its number, as the record's text has it.

    Records whose rendered answer holds a control token (calls, in some templates) are left out: a
    server shows none of these. Raises RenderError and TokenizerError as `labels.label` does.
    """
    ending = find_ending(tokenizer, template)
    control = [token for token in tokenizer.all_special_tokens if token]
    found = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            value = json.loads(line)
            last: Span = spans(value, detect_format(value), tokenizer, template, ending)[-1]
            text = _THOUGHT.sub("", last.answer)
            if not any(token in text for token in control):
                found[number] = text
    return found


def runs(labels: Sequence[int]) -> list[tuple[int, int]]:
    """Spans of consecutive labels that are trained on, end exclusive."""
    found: list[tuple[int, int]] = []
    for place, label in enumerate(labels):
        if label == IGNORED:
            continue
        if found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def as_text(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    """Decode an answer as a server gives it: without special tokens and leading thoughts."""
    text: str = tokenizer.decode(
        list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
    )
    return _THOUGHT.sub("", text)


def keep_values(model: Any) -> bool:
    """Keep a 4-bit base's values in 16 bits where half of the free memory holds them.

    The same numbers, unpacked once and not for each token. Says whether it was done.
    """
    import torch  # noqa: PLC0415 -- dear to import

    from trainer.values import dequantise, extra_bytes  # noqa: PLC0415

    if model.device.type == "cuda":
        free = torch.cuda.mem_get_info(model.device)[0]
    else:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    extra = extra_bytes(model)
    return 0 < extra < free / 2 and dequantise(model) > 0


def stop_ids(stops: Sequence[str], tokenizer: Tokenizer, model: Any) -> tuple[int, ...]:
    """Ids that end an answer: the template's stop tokens, and those that the base itself names."""
    found = [tokenizer.convert_tokens_to_ids(stop) for stop in stops]
    found = [stop for stop in found if stop is not None and stop != tokenizer.unk_token_id]
    own = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    found += own if isinstance(own, list | tuple) else [own]
    return tuple(dict.fromkeys(int(stop) for stop in found if stop is not None))


def generate(
    model: Any,
    prompts: Sequence[Sequence[int]],
    tokenizer: Tokenizer,
    stops: Sequence[int],
    sampling: Sampling,
    advance: Callable[[int], None] | None = None,
) -> list[Answer]:
    """Answer each prompt, in their order. Raises MemoryShort.

    Nothing of the base's own generation settings is used (some repeat penalties, sample by
    default or force tokens), so that base and tuned are asked alike. Which batch a prompt is in
    changes what is sampled, not what is greedy.
    """
    import torch  # noqa: PLC0415 -- dear to import

    found = [Answer("", 0, ended=False)] * len(prompts)

    def answer(rows: Sequence[int]) -> None:
        new = _batch(model, [prompts[row] for row in rows], stops, sampling)
        for row, ids in zip(rows, new, strict=True):
            found[row] = _answer(ids, tokenizer, stops, sampling.headings)
        if advance:
            advance(len(rows))

    lengths = [len(prompt) + sampling.max_new_tokens for prompt in prompts]
    torch.manual_seed(sampling.seed)
    with _asked_plainly(model, stops, sampling):
        for rows in batches(lengths, sampling.budget):
            run_or_halve(rows, answer)
    return found


def _answer(
    ids: Sequence[int], tokenizer: Tokenizer, stops: Sequence[int], headings: Sequence[str]
) -> Answer:
    stop = next((place for place, token in enumerate(ids) if token in stops), None)
    text = as_text(ids if stop is None else ids[:stop], tokenizer)
    text = min((text.split(heading)[0] for heading in headings), key=len, default=text)
    return Answer(text, len(ids) if stop is None else stop + 1, ended=stop is not None)


def _batch(
    model: Any, prompts: Sequence[Sequence[int]], stops: Sequence[int], sampling: Sampling
) -> list[list[int]]:
    """New ids [row][token] of one batch; after its stop token a row goes on with padding.

    Prompts end at the same column, padding stands before them with mask 0, and `generate` counts
    positions from the mask, so a row is what it would be alone.
    """
    import torch  # noqa: PLC0415 -- dear to import

    longest = max(len(prompt) for prompt in prompts)
    ids = torch.full((len(prompts), longest), _pad(stops), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, prompt in enumerate(prompts):
        ids[row, longest - len(prompt) :] = torch.tensor(list(prompt))
        mask[row, longest - len(prompt) :] = 1
    with torch.no_grad():
        out = model.generate(
            input_ids=ids.to(model.device),
            attention_mask=mask.to(model.device),
            generation_config=_settings(stops, sampling),
        )
    new: list[list[int]] = out[:, longest:].tolist()
    return new


def _pad(stops: Sequence[int]) -> int:
    return stops[0] if stops else 0  # masked, so any id will do


def _settings(stops: Sequence[int], sampling: Sampling) -> Any:
    from transformers import GenerationConfig  # noqa: PLC0415 -- dear to import

    make: Any = GenerationConfig
    chosen = {"temperature": sampling.temperature, "top_k": 0, "top_p": 1.0}
    return make(
        max_new_tokens=sampling.max_new_tokens,
        do_sample=sampling.temperature > 0,
        use_cache=True,  # training turns it off in the model's own configuration
        eos_token_id=list(stops) or None,
        pad_token_id=_pad(stops),
        **(chosen if sampling.temperature > 0 else {}),
    )


@contextmanager
def _asked_plainly(model: Any, stops: Sequence[int], sampling: Sampling) -> Iterator[None]:
    """Put the base's own generation settings aside: `generate` fills gaps from them."""
    inner = model.get_base_model() if hasattr(model, "get_base_model") else model
    kept, inner.generation_config = inner.generation_config, _settings(stops, sampling)
    model.eval()
    try:
        yield
    finally:
        inner.generation_config = kept
