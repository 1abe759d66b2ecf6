"""A tokenizer of words and signs, and logits made up for its pieces, for the tagger's tests."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

from scrubbers.tagger.labels import LABELS, TYPES
from scrubbers.tagger.pieces import Pieces, read
from scrubbers.tagger.spans import Floats

FLOORS = dict.fromkeys(TYPES, 0.5)


def reader() -> Tokenizer:
    """Each run of word characters a piece, and each other character that is no space."""
    made = Tokenizer(models.WordLevel({"[CLS]": 0, "[SEP]": 1, "[UNK]": 2}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("isolated")]
    )
    return made


def pieces_of(text: str) -> Pieces:
    return read(reader(), [text])[0]


def told(text: str, pieces: Pieces, labels: Mapping[str, tuple[str, float]]) -> Floats:
    """Logits in which a piece has its label with that share and none with the rest."""
    found = np.full((len(pieces.ids), len(LABELS)), np.log(1e-9), np.float32)
    for row, (start, end) in enumerate(zip(pieces.starts, pieces.ends, strict=True)):
        label, share = labels.get(text[start:end], ("O", 1.0))
        found[row, 0] = np.log(max(1 - share, 1e-9))
        found[row, LABELS.index(label)] = np.log(share)
    return found
