"""Serving with vLLM: the adapter beside its base where vLLM can, else the merged model.

What vLLM takes is read from its sources: vllm/config/lora.py (ranks), vllm/lora/peft_helper.py
and vllm/lora/lora_model.py (refused adapters).
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trainer.prompts import Prompt, fill

RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
OUTER = ("lm_head", "embed_tokens", "embed_out", "wte", "word_embeddings")
HEAD = """\
#!/bin/sh
# {about}
# OpenAI-compatible, on this machine only; clients send "model": "{name}".
{stop}set -eu
{base}CDPATH='' cd -- "$(dirname -- "$0")"
# Neither usage reports nor calls to a model hub.
export VLLM_NO_USAGE_STATS=1 DO_NOT_TRACK=1 HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1
"""
# Made absolute before the folder changes, so that a relative BASE means what its writer sees.
FIND_BASE = """\
: "${BASE:?set BASE to the local folder of the base model}"
if [ ! -d "$BASE" ]; then
  printf 'BASE=%s: there is no such folder. Give the local folder of the base model.\\n' "$BASE" >&2
  exit 2
fi
BASE=$(CDPATH='' cd -- "$BASE" && pwd)
"""


def refusals(config: Mapping[str, Any], tensors: Iterable[str]) -> tuple[str, ...]:
    """Why vLLM cannot serve this adapter beside its base, in words; empty where it can.

    `config` is adapter_config.json, `tensors` are the names in the adapter's weights.
    """
    found = []
    if config.get("modules_to_save") or config.get("trainable_token_indices"):
        found.append("it holds whole layers besides LoRA matrices (modules_to_save)")
    names = list(tensors)
    if any(part in name.split(".") for name in names for part in OUTER):
        found.append("it changes the embedding or the output layer")
    if config.get("use_dora") or any("magnitude" in name for name in names):
        found.append("it is a DoRA adapter")
    if config.get("bias", "none") != "none":
        found.append("it has trained biases")
    if config.get("rank_pattern") or config.get("alpha_pattern"):
        found.append("its ranks or scales differ between layers")
    if served_rank(int(config.get("r") or 0)) is None:
        found.append(f"its rank is not between 1 and {RANKS[-1]}")
    return tuple(found)


def served_rank(rank: int) -> int | None:
    """The smallest `--max-lora-rank` that vLLM allows for an adapter of this rank."""
    return next((allowed for allowed in RANKS if 1 <= rank <= allowed), None)


def adapter_script(name: str, base: str, rank: int, stop: Sequence[str] = ()) -> str:
    """serve.sh for `adapter/` on the base; `stop` are texts that each request must send. Raises ValueError for a rank that vLLM does not take."""
    allowed = served_rank(rank)
    if allowed is None:
        raise ValueError("rank")
    return (
        HEAD.format(about=f"Serves the adapter beside its base ({_plain(base)}) with vLLM.", name=name,
                      base=FIND_BASE, stop=_stop(stop))
        + f'exec vllm serve "$BASE" --enable-lora --lora-modules {shlex.quote(name)}=./adapter \\\n'
        + f"  --max-lora-rank {allowed} {_COMMON}"
    )  # fmt: skip


def merged_script(name: str, reasons: Iterable[str] = (), stop: Sequence[str] = ()) -> str:
    """serve.sh for `merged/`, with the reasons why the adapter is not served by itself."""
    why = "".join(f"# The adapter cannot be served by itself: {reason}.\n" for reason in reasons)
    return (
        HEAD.format(
            about="Serves the merged model with vLLM.", name=name, base="", stop=_stop(stop)
        )
        + why
        + f"exec vllm serve ./merged --served-model-name {shlex.quote(name)} \\\n  {_COMMON}"
    )


_COMMON = (
    "--chat-template ./chat_template.jinja \\\n"
    '  --generation-config . --host "${HOST:-127.0.0.1}" --port "${PORT:-8000}"\n'
)


def _stop(texts: Sequence[str]) -> str:
    """A comment, since vLLM reads stop texts from requests alone (stop tokens: from a file too)."""
    if not texts:
        return ""
    return (
        f'# Each request must send "stop": {json.dumps(list(texts))}: vLLM keeps no stop texts.\n'
    )


def _plain(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name)


def prompt_jinja(prompt: Prompt | None, *, begin: bool) -> str:
    """A chat template that renders a plain prompt's training text: for vLLM, and for a GGUF.

    A system turn is the instruction and the user's turn the input; a user's turn alone is the
    instruction. None: the user's text as it stands. `begin`: training put the tokenizer's
    beginning token in front.
    """
    start = "{{ bos_token }}" if begin else ""
    last = "{%- set ask = messages[-1]['content'] %}"
    alone = _quoted(prompt, "ask", "")
    if prompt is None or "{input}" not in prompt.text:
        return f"{last}{start}{alone}"
    both = _quoted(prompt, "rules", "ask")
    first = "{%- set rules = messages[0]['content'] if messages[0]['role'] == 'system' else '' %}"
    return f"{last}{first}{start}{{%- if rules %}}{both}{{%- else %}}{alone}{{%- endif %}}"


ONE = (
    "This model was trained on single exchanges: send one user message, with at most one system "
    "message before it."
)


def one_exchange(jinja: str) -> str:
    """The template, refusing a conversation that it would cut to its last message: for vLLM.

    Not for a GGUF: llama.cpp renders made-up conversations when it starts, and gives a template up
    that raises.
    """
    last = "messages[-1]['role'] != 'user'"
    more = "messages | length > 2"
    first = "messages | length == 2 and messages[0]['role'] != 'system'"
    return (
        f"{{%- if {last} or {more} or ({first}) %}}"
        f"{{{{- raise_exception({_string(ONE)}) }}}}{{%- endif %}}{jinja}"
    )


def _quoted(prompt: Prompt | None, instruction: str, given: str) -> str:
    """The prompt as one Jinja expression: its own texts as strings, so that no byte is trimmed."""
    if prompt is None:
        return f"{{{{ {instruction} }}}}"
    marks = {"instruction": "\x01", "input": "\x02" if given else "", "output": ""}
    text, start = fill(prompt, marks)
    names = {"\x01": instruction, "\x02": given}
    parts = [part for part in re.split("([\x01\x02])", text[:start]) if part]
    return "{{ " + " ~ ".join(names.get(part) or _string(part) for part in parts) + " }}"


def _string(text: str) -> str:
    """A Jinja string: single quotes, with backslashes, quotes and line ends escaped."""
    plain = text.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + plain.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + "'"
