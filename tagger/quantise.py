"""A trained checkpoint as an int8 ONNX file, with its size, its hash and what the bytes cost.

    python -m tagger.quantise CHECKPOINT OUT.onnx [--base FOLDER] [--texts N]

Inputs of matrices become bytes at fixed scales: the least and the largest value seen in each place
over texts of the generator. Where single channels are far larger than the rest, behind norms and
inside the layers, each is first divided by a number that its row of the matrix takes up (after
SmoothQuant, arXiv 2211.10438).
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrubbers.tagger.card import HOME
from scrubbers.tagger.model import started
from scrubbers.tagger.pieces import tokenizer
from tagger.encode import Encoded, encoded
from tagger.graph import INPUTS, Checkpoint, Floats, Scale, checkpoint, graph
from tagger.samples import samples

SEED, OTHER = 20_004, 20_005  # of the texts that set the scales, and of those that judge
EVENED = {"middle": "intermediate.dense", "inner": "output.dense"}
SHARE = 0.7  # of a channel's size that goes into the matrix
LEAST = 1e-3


@dataclass
class Seen:
    """The least and the largest value of each channel."""

    low: Floats
    high: Floats


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--base", type=Path, default=None)
    parser.add_argument("--texts", type=int, default=400)
    asked = parser.parse_args()
    base = asked.base or HOME
    source = checkpoint(asked.checkpoint)
    plain, places = graph(source)
    seen = watched(plain.SerializeToString(), places, windows(base, SEED, asked.texts))
    small, _ = graph(source, scales(source, seen))
    data = small.SerializeToString()
    asked.out.write_bytes(data)
    print(f"{asked.out}: {len(data) / 2**20:.1f} MiB, sha256 {hashlib.sha256(data).hexdigest()}")
    moved, changed = cost(plain.SerializeToString(), data, windows(base, OTHER, asked.texts // 4))
    print(f"probability moved {moved:.3%}, labels changed {changed:.3%}")


def windows(base: Path, seed: int, count: int) -> list[Encoded]:
    """The windows of so many generated texts."""
    made = list(samples(seed, count))
    texts, spans = [one["text"] for one in made], [one["spans"] for one in made]
    return [window for own in encoded(tokenizer(base), texts, spans) for window in own]


def watched(model: bytes, places: Mapping[str, str], texts: Sequence[Encoded]) -> dict[str, Seen]:
    """Place -> what went into the matrices there."""
    session = started(model)
    seen: dict[str, Seen] = {}
    for window in texts:
        told = session.run([*places.values()], feed(window))
        for place, value in zip(places, told, strict=True):
            low, high = value.min(axis=(0, 1)), value.max(axis=(0, 1))
            one = seen.setdefault(place, Seen(low, high))
            one.low, one.high = np.minimum(one.low, low), np.maximum(one.high, high)
    return seen


def scales(source: Checkpoint, seen: Mapping[str, Seen]) -> dict[str, Scale]:
    """Place -> scale."""
    found = {}
    for place, one in seen.items():
        layer, _, kind = place.partition(".")
        even = None
        if kind in EVENED:
            matrix = source.weights[f"bert.encoder.layer.{layer}.{EVENED[kind]}.weight"]
            even = evened(np.maximum(-one.low, one.high), np.abs(matrix).max(axis=0))
        low, high = (one.low, one.high) if even is None else (one.low / even, one.high / even)
        found[place] = Scale(min(float(low.min()), 0.0), max(float(high.max()), LEAST), even)
    return found


def evened(values: Floats, weights: Floats) -> Floats:
    """What each channel is divided by: more where values are large and weights are small."""
    even = np.maximum(values, LEAST) ** SHARE / np.maximum(weights, LEAST) ** (1 - SHARE)
    found: Floats = (even / np.exp(np.log(even).mean())).astype(np.float32)
    return found


def cost(plain: bytes, small: bytes, texts: Sequence[Encoded]) -> tuple[float, float]:
    """How much probability the bytes move, a mean over pieces, and the share of other labels."""
    both = [np.concatenate(list(_answers(model, texts))) for model in (plain, small)]
    shares = [np.exp(one - np.logaddexp.reduce(one, axis=1, keepdims=True)) for one in both]
    moved = float(np.abs(shares[0] - shares[1]).sum(axis=1).mean() / 2)
    return moved, float((both[0].argmax(axis=1) != both[1].argmax(axis=1)).mean())


def _answers(model: bytes, texts: Sequence[Encoded]) -> Iterator[Floats]:
    session = started(model)
    for window in texts:
        yield session.run(["logits"], feed(window))[0][0]


def feed(window: Encoded) -> dict[str, NDArray[Any]]:
    """One window as the model takes it."""
    both = (window.ids, window.looks)
    return {name: one[None].astype(np.int64) for name, one in zip(INPUTS, both, strict=True)}


if __name__ == "__main__":
    main()
