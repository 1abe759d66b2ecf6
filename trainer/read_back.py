"""Characters that a tokenizer cannot write: some drop them, or put one token for all of them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainer.tokenizer import Tokenizer

# Not looked for: white space, control and format characters, accents, halves of surrogates.
# Tokenizers change or drop these before they encode, and "▁" is SentencePiece's space.
_LOOSE = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Cs"))
_SPACE = "▁"


def count_lost(text: str, ids: Sequence[int], tokenizer: Tokenizer) -> int:
    """Count the characters of `text` that its ids do not read back as.

    Case, composed and compatible forms, and white space may differ (normalisers change them).
    """
    backend = tokenizer.backend_tokenizer
    if backend.decoder is None and "ByteLevel" in str(backend.pre_tokenizer):
        return 0  # it writes every byte, and reads none back
    text = text.encode("utf-8", "replace").decode()  # as `encodings` gives it to the tokenizer
    shown = backend.decode(list(ids), skip_special_tokens=False)
    if shown == text:
        return 0
    lost = _letters(text) - _letters(_without_unknown(shown, text, tokenizer))
    return sum(lost.values())


def _without_unknown(shown: str, text: str, tokenizer: Tokenizer) -> str:
    """Take out the token for unknown characters, whose own letters would stand in for lost ones."""
    unknown = tokenizer.unk_token
    return shown if not unknown or unknown in text else shown.replace(str(unknown), "")


def _letters(text: str) -> Counter[str]:
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    counts = Counter(plain)
    return Counter(
        {c: n for c, n in counts.items() if c != _SPACE and unicodedata.category(c) not in _LOOSE}
    )
