"""The ids of a GGUF's tokenizer held against those of the training's, on text of many kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from trainer.gguf import GgufError
from trainer.llama_cpp import Tools, token_ids
from trainer.tokenizer import Tokenizer, encodings

# Words of twenty scripts and kinds, and ten ways in which text goes on around them.
WORDS = (
    "Café déjà", "naïve façade", "¿Qué año?", "Straße über", "ação não", "Łódź żółć", "ığdır şişe",
    "Ελληνικά", "Привет мир", "שלום עולם", "مرحبا بك", "नमस्ते दुनिया", "สวัสดี", "日本語 テスト", "中文字符",
    "한국어 문장", "Việt Nam ơi", "e\u0301 combining", "👩‍💻 🇪🇺 ✓", "snake_case camelCase",
)  # fmt: skip
WAYS = (
    "{}", " {}", "{} ", "{}\n\n{}", "\t{}\r\n", "({}), \"{}\" – {}!", "{}123,456.78€", "1. {}\n2.  {}",
    '{{"k": "{}", "n": [1, 22, 333, 4444]}}', "   {}   {}'s don't I'LL",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many texts of each kind have the same ids in both; `begin`: so has the first token."""

    strings: int
    strings_equal: int
    prompts: int
    prompts_equal: int


def samples() -> list[str]:
    """Two hundred strings: each word in each way."""
    return [way.format(*[word] * way.count("{}")) for word, way in product(WORDS, WAYS)]


def agreement(
    tools: Tools,
    gguf: Path,
    tokenizer: Tokenizer,
    prompts: Sequence[Sequence[int]],
    *,
    begin: bool,
) -> Agreement | None:
    """Compare; None where no library can be asked.

    `prompts` are ids as they were trained on. `begin`: prompts start with the beginning token.
    Raises GgufError when a prompt comes out otherwise, or the beginning token is not as trained.
    """
    strings = samples()
    texts = [tokenizer.decode(list(ids), skip_special_tokens=False,
                              clean_up_tokenization_spaces=False) for ids in prompts]  # fmt: skip
    found = token_ids(tools, gguf, [*strings, *texts], special=False)
    started = token_ids(tools, gguf, ["x"], special=True)
    if found is None or started is None:
        return None
    if (started[0][:1] == [tokenizer.bos_token_id]) != begin:
        raise GgufError(
            f"{gguf.name}: llama.cpp treats the beginning token otherwise than training."
        )
    wanted = [list(encoding.ids) for encoding in encodings([*strings, *texts], tokenizer)]
    same = [one == two for one, two in zip(found, wanted, strict=True)]
    made = Agreement(len(strings), sum(same[: len(strings)]), len(texts), sum(same[len(strings) :]))
    if made.prompts_equal < made.prompts:
        raise GgufError(
            f"{gguf.name}: llama.cpp makes other tokens of {made.prompts - made.prompts_equal} of "
            f"{made.prompts} held-out prompts than training did. Take a newer llama.cpp."
        )
    return made
