"""Token ids of texts that begin alike, as the turns of one conversation do, without doing it all again.

Tokenizers cut a text at control tokens first and encode what lies between by itself. So behind an
end token that both texts share, the ids go on from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainer.tokenizer import encodings
from validators.checks import common_prefix

if TYPE_CHECKING:
    from trainer.ending import Ending
    from trainer.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text and its ids; `cuts`: (characters, ids) up to behind each end token in it, in order."""

    text: str = ""
    ids: tuple[int, ...] = ()
    cuts: tuple[tuple[int, int], ...] = ()


def go_on(text: str, known: Encoded, tokenizer: Tokenizer, ending: Ending) -> Encoded:
    """Encode a text; what it shares with `known`, up to the last end token, is not encoded again."""
    shared = common_prefix(text, known.text)
    kept = tuple(cut for cut in known.cuts if cut[0] <= shared)
    place, count = kept[-1] if kept else (0, 0)
    # The end token before the rest says to the tokenizer that no text begins here.
    head = ending.token if kept else ""
    encoding = next(encodings([head + text[place:]], tokenizer))
    ids = encoding.ids[1:] if head else encoding.ids
    ends = [end for _, end in (encoding.offsets[1:] if head else encoding.offsets)]
    new = [
        (place - len(head) + end, count + i)
        for i, (one, end) in enumerate(zip(ids, ends, strict=True), start=1)
        if one == ending.id and ending.cuts
    ]
    return Encoded(text, (*known.ids[:count], *ids), (*kept, *new))
