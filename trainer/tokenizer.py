"""A tokenizer from a local folder, and token counts. Imports no torch and opens no connection."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubbers.switches import silence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizers import Encoding

# A tokenizer of `transformers`; its classes are made at run time, so it has no narrower type.
Tokenizer = Any
BATCH = 512  # texts; bounds the memory of encodings


class TokenizerError(Exception):
    """No usable tokenizer. The message names the folder and the next step."""


def load_tokenizer(folder: str | Path) -> Tokenizer:
    """Load the tokenizer in a local model folder; nothing is fetched and no code in it runs.

    Raises TokenizerError for a missing folder or one that holds no fast tokenizer.
    """
    path = Path(folder)
    if not path.is_dir():
        raise TokenizerError(
            f"{path}: there is no such folder. Name a local folder with `tokenizer.json`, or fetch "
            "one with `privatune pull`."
        )
    if not (path / "tokenizer.json").is_file():
        raise TokenizerError(
            f"{path}: no `tokenizer.json` in this folder. Copy the base model's tokenizer files "
            "into it."
        )
    tokenizer = _load(path)
    if not getattr(tokenizer, "is_fast", False):
        raise TokenizerError(f"{path}: not a fast tokenizer. Convert it to `tokenizer.json`.")
    return tokenizer


def _load(path: Path) -> Tokenizer:
    # Read by huggingface_hub when it is imported; `local_files_only` says it once more.
    silence()
    os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")
    import transformers  # noqa: PLC0415 -- dear to import

    fast: Any = transformers.PreTrainedTokenizerFast
    safe = {"local_files_only": True, "trust_remote_code": False}
    try:
        if (path / "tokenizer_config.json").is_file():
            return transformers.AutoTokenizer.from_pretrained(str(path), **safe)
        return fast(tokenizer_file=str(path / "tokenizer.json"))
    except Exception as error:  # noqa: BLE001 -- the library raises anything, with paths and data
        raise TokenizerError(
            f"{path}: the tokenizer cannot be loaded ({type(error).__name__}). Check that "
            "`tokenizer.json` and `tokenizer_config.json` are whole and of one model."
        ) from None


def count_tokens(texts: Sequence[str], tokenizer: Tokenizer, *, special: bool = False) -> list[int]:
    """Count the token ids of each text.

    `special` adds the tokens that the tokenizer puts around plain text (the beginning token);
    a rendered chat template has written them already.
    """
    return [len(encoding) for encoding in encodings(texts, tokenizer, special=special)]


def encodings(
    texts: Sequence[str], tokenizer: Tokenizer, *, special: bool = False
) -> Iterator[Encoding]:
    """Encode texts in batches, never cut and never padded whatever the folder's files say."""
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    for start in range(0, len(texts), BATCH):
        batch = [_encodable(text) for text in texts[start : start + BATCH]]
        yield from backend.encode_batch(batch, add_special_tokens=special)


def _encodable(text: str) -> str:
    """Replace lone surrogates: they are no text, and the Rust side cannot take them."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")
