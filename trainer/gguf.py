"""What a GGUF file says of itself, read without its weights, and held against the training.

The format: ggml-org/ggml, docs/gguf.md; the end tokens that llama.cpp knows by their text:
ggml-org/llama.cpp, src/llama-vocab.cpp.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

MAGIC, VERSIONS = b"GGUF", (2, 3)
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q",
            12: "d"}  # fmt: skip
_STRING, _ARRAY = 8, 9
_KEPT_ARRAYS = ("tokenizer.ggml.tokens",)
_END_KINDS = ("eos", "eot", "eom")
ENDS = frozenset((
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<end_of_turn>",
    "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "<|end_of_text|>",
    "<end_of_utterance>", "<eos>", "<turn|>", "<｜end▁of▁sentence｜>",
))  # fmt: skip


class GgufError(Exception):
    """A GGUF file that is broken, or that would be served otherwise than it was trained."""


@dataclass(frozen=True, slots=True)
class Gguf:
    """A file's metadata: `values` by key, and where in the file each value starts, in bytes."""

    path: Path
    values: Mapping[str, Any]
    places: Mapping[str, int]

    @property
    def template(self) -> str | None:
        """The chat template inside."""
        return self.values.get("tokenizer.chat_template")

    @property
    def tokens(self) -> list[str]:
        """The vocabulary, by id."""
        found: list[str] = self.values.get("tokenizer.ggml.tokens", [])
        return found

    @property
    def adds_begin(self) -> bool:
        """Whether a runtime puts the beginning token in front; unsaid, SentencePiece models do."""
        unsaid = self.values.get("tokenizer.ggml.model") == "llama"
        return bool(self.values.get("tokenizer.ggml.add_bos_token", unsaid))

    @property
    def ends(self) -> frozenset[int]:
        """Ids at which llama.cpp stops: named in the file, or known by their text."""
        named = (self.values.get(f"tokenizer.ggml.{kind}_token_id") for kind in _END_KINDS)
        known = (i for i, text in enumerate(self.tokens) if text in ENDS)
        return frozenset([*(int(i) for i in named if i is not None), *known])


def read_gguf(path: Path) -> Gguf:
    """Read a file's metadata. Raises GgufError for what is no GGUF, or is cut."""
    values: dict[str, Any] = {}
    places: dict[str, int] = {}
    with path.open("rb") as file:
        if file.read(4) != MAGIC or _number(file, "I") not in VERSIONS:
            raise GgufError(f"{path}: no GGUF of version 2 or 3. Convert again.")
        _number(file, "Q")  # tensors
        for _ in range(_number(file, "Q")):
            key = _string(file)
            kind = _number(file, "I")
            places[key] = file.tell()
            values[key] = _value(file, kind, keep=key in _KEPT_ARRAYS)
    return Gguf(path, values, places)


def _number(file: BinaryIO, code: str) -> Any:
    size = struct.calcsize("<" + code)
    data = file.read(size)
    if len(data) != size:
        raise GgufError(f"{file.name}: cut short. Convert again, with more free space.")
    return struct.unpack("<" + code, data)[0]


def _string(file: BinaryIO) -> str:
    length = _number(file, "Q")
    data = file.read(length) if length < 1 << 30 else b""
    if len(data) != length:
        raise GgufError(f"{file.name}: cut short. Convert again, with more free space.")
    return data.decode("utf-8", "replace")


def _value(file: BinaryIO, kind: int, *, keep: bool) -> Any:
    """One value; of an array only its length, unless it is kept."""
    if kind == _STRING:
        return _string(file)
    if kind in _NUMBERS:
        return _number(file, _NUMBERS[kind])
    if kind != _ARRAY:
        raise GgufError(f"{file.name}: a value of a kind that is not known. Convert again.")
    inner, length = _number(file, "I"), _number(file, "Q")
    if inner in _NUMBERS and not keep:
        file.seek(struct.calcsize("<" + _NUMBERS[inner]) * length, 1)
        return length
    found = [_value(file, inner, keep=False) for _ in range(length)]
    return found if keep else length


def set_flag(gguf: Gguf, key: str, *, value: bool) -> None:
    """Change a stored truth value in place. Raises KeyError when the file has none."""
    place = gguf.places[key]
    with gguf.path.open("r+b") as file:
        file.seek(place)
        file.write(struct.pack("<?", value))


@dataclass(frozen=True, slots=True)
class Expected:
    """What training had: chat template, texts and ids of its stop and added tokens, vocabulary.

    `vocabulary` is the number of rows of the embedding; `begin`: prompts started with the
    beginning token.
    """

    template: str
    stops: Mapping[str, int]
    added: Mapping[str, int]
    vocabulary: int
    begin: bool


def begin_as_trained(gguf: Gguf, expected: Expected) -> Gguf:
    """Make the file say whether prompts start with the beginning token, as in training.

    Raises GgufError where it cannot be said.
    """
    if gguf.adds_begin == expected.begin:
        return gguf
    key = "tokenizer.ggml.add_bos_token"
    if key not in gguf.places:
        raise GgufError(
            f"{gguf.path}: runtimes would {'not ' if expected.begin else ''}put the beginning "
            "token in front of prompts, and training did otherwise. Set `add_bos_token` in the "
            "run's tokenizer/tokenizer_config.json and export again."
        )
    set_flag(gguf, key, value=expected.begin)
    return read_gguf(gguf.path)


def check(gguf: Gguf, expected: Expected) -> tuple[str, ...]:
    """Hold a file against the training; notes for what a server must be told. Raises GgufError."""
    name = gguf.path.name
    if not gguf.template:
        raise GgufError(
            f"{name}: no chat template inside, so a server would guess one. Take a newer llama.cpp."
        )
    if gguf.template != expected.template:
        raise GgufError(f"{name}: the chat template inside is not the one of the training.")
    if len(gguf.tokens) != expected.vocabulary:
        raise GgufError(
            f"{name}: a vocabulary of {len(gguf.tokens)} where the model has {expected.vocabulary}."
            " Take a newer llama.cpp."
        )
    lost = [i for text, i in {**expected.added, **expected.stops}.items() if gguf.tokens[i] != text]
    if lost:
        raise GgufError(
            f"{name}: {len(lost)} added tokens have another text inside, the first is id {lost[0]}."
        )
    if gguf.values.get("tokenizer.ggml.eos_token_id") is None:
        raise GgufError(
            f"{name}: no end token inside, so answers would not end. Set `eos_token` in the run's "
            "tokenizer/tokenizer_config.json and export again."
        )
    open_ends = [text for text, i in expected.stops.items() if i not in gguf.ends]
    return tuple(f"llama.cpp does not stop at {text} by itself: give it as a stop (the Modelfile "
                 "does)." for text in open_ends)  # fmt: skip
