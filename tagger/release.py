"""The folder that the product ships: model, tokenizer, and the card with floors and hashes.

    python -m tagger.release DATA_DIR MODEL.onnx BASE OUT

DATA_DIR holds the corpora whose dev parts decide temperature and floors.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from scrubbers.tagger.card import CARD, MODEL, TOKENIZER, VERSION
from scrubbers.weights import sha256_of
from tagger.calibrate import floors, parts, temperature
from tagger.swap import LANGUAGES
from tagger.tag import tagger

ATTRIBUTION = (
    "Trained by the Privatune authors from multilingual-e5-small (MIT, intfloat), on text of its "
    "own generator and the corpora that docs/model-card.md names with their licences."
)


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    asked = parser.parse_args()
    dev = list(parts(asked.data, tagger(asked.model, asked.base)))
    value = temperature(dev)
    asked.out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(asked.model, asked.out / MODEL)
    shutil.copyfile(asked.base / TOKENIZER, asked.out / TOKENIZER)
    card = {
        "version": VERSION,
        "licence": "Apache-2.0",
        "attribution": ATTRIBUTION,
        "languages": sorted(set(LANGUAGES.values())),
        "temperature": value,
        "floors": floors(dev, value),
        "sha256": {name: sha256_of(asked.out / name) for name in (MODEL, TOKENIZER)},
    }
    (asked.out / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(card, indent=1))


if __name__ == "__main__":
    main()
