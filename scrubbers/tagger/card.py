"""The model's folder: its card (languages, floors, hashes) and its files, checked by hash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scrubbers.weights import sha256_of

HOME = Path(__file__).parent / "model"
CARD, MODEL, TOKENIZER = "card.json", "tagger.onnx", "tokenizer.json"
VERSION = 1


class ModelDamaged(Exception):
    """The tagger's files are missing, or are not the ones that belong to this version."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is told of a model beside its files.

    `floors`: type -> least probability of a finding. `temperature`: what logits are divided by so
    that probabilities are as often right as they say. `sha256`: file name -> hash.
    """

    languages: tuple[str, ...]
    temperature: float
    floors: Mapping[str, float]
    sha256: Mapping[str, str]


@cache
def card(folder: Path = HOME) -> Card:
    """The card in a model's folder. Raises ModelDamaged."""
    try:
        held = json.loads((folder / CARD).read_text(encoding="utf-8"))
        if held["version"] != VERSION:
            raise ModelDamaged(f"{folder / CARD} is of another version; install privatune again.")
        return Card(tuple(held["languages"]), held["temperature"], held["floors"], held["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelDamaged(
            f"The card of the tagger cannot be read at {folder}; install privatune again."
        ) from error


def versions(folder: Path = HOME) -> dict[str, str]:
    """For reports: the model's hash, and which card says how it is used. Raises ModelDamaged."""
    found = card(folder)
    digest = sha256_of(folder / CARD)
    return {"tagger": found.sha256[MODEL], "tagger card": f"version {VERSION}, {digest}"}


def checked(folder: Path = HOME) -> Card:
    """The card, when the files beside it are those that it names. Raises ModelDamaged."""
    found = card(folder)
    for name in (MODEL, TOKENIZER):
        try:
            hashed = sha256_of(folder / name)
        except OSError as error:
            raise ModelDamaged(
                f"{folder / name} cannot be read; install privatune again."
            ) from error
        if hashed != found.sha256.get(name):
            raise ModelDamaged(
                f"{folder / name} is not the file that its card names; install privatune again."
            )
    return found
