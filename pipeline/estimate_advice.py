"""The guides' advice about a run, in words, where the figures of `plan` call for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.estimate_data import Data
from trainer.recipe import Recipe


def advice(data: Data, recipe: Recipe) -> Iterator[str]:
    """What the guides say about this much data, this limit and this rank."""
    yield _volume(data.train)
    if data.longest and recipe.max_length >= 2 * data.longest:
        need = -(-data.longest // 64) * 64
        yield (
            f"tokens.max_length {recipe.max_length:,} is far above need: the longest record has "
            f"{data.longest:,} tokens, so {need:,} does, and memory can be planned for that."
        )
    tail = data.percentiles.get("99", 0)
    if tail and data.longest > 2 * tail:
        yield (
            f"One record in a hundred is longer than {tail:,} tokens and the longest has "
            f"{data.longest:,}; it alone decides the memory. Look at the longest records."
        )
    if data.longest > recipe.max_length:
        yield (
            f"The longest record has {data.longest:,} tokens, tokens.max_length is "
            f"{recipe.max_length:,}: `train` refuses records that would be cut."
        )
    if recipe.r > 16:
        yield "A rank over 16 is for much data far from what the base knows, or harder tasks."


def _volume(records: int) -> str:
    """Both guides' words about how much data does what."""
    if records < 300:
        return (
            f"{records:,} records are under 300: hardly an effect, and the time is wasted. Try a "
            "better prompt first, or write more records."
        )
    if records < 1000:
        return f"{records:,} records show an effect; 1,000 to 5,000 make a solid tune."
    if records <= 5000:
        return f"{records:,} records make a solid tune, if they are consistent and right."
    if records < 10_000:
        return f"{records:,} records are more than a solid tune needs; quality counts now."
    return (
        f"{records:,} records are for serious work. Yet a few hundred to a few thousand good ones "
        "teach more than tens of thousands with noise: train on 1,000 to 5,000 first and compare."
    )


def card_advice(rows: Sequence[Mapping[str, Any]], longest: int) -> Iterator[str]:
    """What to do about a card that is too small, or whose pace nobody has measured."""
    if len(rows) == 1 and rows[0].get("packed", ...) is None:
        yield (
            f"{rows[0]['card']}: too small for one record of {longest:,} tokens, the least that "
            "`train` lays in a row. Shorten tokens.max_length where records allow, or take a smaller "
            "model, a lower lora.r or a larger card. The guides' way out, train.batch_size 1 and "
            "more gradient_accumulation, is one for padded batches."
        )
    if any(row["hours"] is None for row in rows):
        yield (
            "No rate is known for cards without hours: train some 50 steps there, then give "
            "`--card NAME --steps-file RUN/metrics.jsonl`."
        )
