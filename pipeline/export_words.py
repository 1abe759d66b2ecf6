"""What `export` says when it is done: what lies where, how near it is, and how to start it."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NEAR = 0.98  # share of equal tokens below which a merge is worth a second look
WEIGHTS = {"bf16": "16-bit weights", "nf4": "dequantised 4-bit weights"}


@dataclass(frozen=True, slots=True)
class Exported:
    """A finished export: what export.json holds, and the folder."""

    body: dict[str, Any]
    output: Path

    def as_text(self) -> str:
        """What was made and how to serve it, for people."""
        return "\n".join([*self._made(), *self._notes(), *self._next()])

    def as_json(self) -> str:
        """The summary for machines: export.json without the hashes, and where it lies."""
        told = {key: value for key, value in self.body.items() if key not in ("files", "seal")}
        return json.dumps({**told, "output": str(self.output)}, indent=1)

    def _made(self) -> list[str]:
        body = self.body
        adapter = f"adapter/ (rank {body['adapter']['rank']}, {_size(body['adapter']['bytes'])})"
        lines = [f"{self.output}: {adapter}, merged/"]
        lines += [f"  {one['file']}  {_size(one['bytes'])}" for one in body["gguf"]]
        merge = body["merge"]
        lines.append(f"merged into the {WEIGHTS[merge['base']]}: {merge['why']}")
        if merge.get("measured") and merge["on"] == "train":
            lines.append("  measured on records that were trained on: none was held out")
        for base, drift in merge.get("measured", {}).items():
            lines.append(
                f"  on the {WEIGHTS[base]}: {drift['agreement']:.1%} of {drift['positions']} tokens "
                f"as with the adapter on its 4-bit base, divergence {_nats(drift['kl'])} nats"
            )
        if ids := body["token_ids"]:
            lines.append(f"token ids as in training: {ids['prompts_equal']} of {ids['prompts']} "
                         f"prompts, {ids['strings_equal']} of {ids['strings']} strings")  # fmt: skip
        return lines

    def _notes(self) -> list[str]:
        body, lines = self.body, [f"note: {note}" for note in self.body["notes"]]
        chosen = body["merge"].get("measured", {}).get(body["merge"]["base"])
        if chosen and chosen["agreement"] < NEAR:
            lines.append(
                "note: the merged model chooses another token at "
                f"{1 - chosen['agreement']:.1%} of the places. Compare its answers before you "
                "serve it; the adapter on its 4-bit base is what was trained (docs/serving.md)."
            )
        ids = body["token_ids"]
        if ids and ids["strings_equal"] < ids["strings"]:
            lines.append(
                "note: llama.cpp makes other tokens of some test strings than training did. It does "
                "not compose letters with separate accents: send texts in Unicode's NFC form."
            )
        if body["gguf"] and ids is None:
            lines.append(
                "note: token ids were not compared: no llama.cpp library that loads the file was found."
            )
        lines += [f"note: vLLM cannot serve the adapter by itself: {reason}."
                  for reason in body["vllm"]["reasons"]]  # fmt: skip
        ollama = body["ollama"]
        if ollama and not ollama["template"]:
            lines.append(f"note: no TEMPLATE in the Modelfile ({ollama['why']}): Ollama uses the "
                         "chat template inside the GGUF, from version 0.30 on.")  # fmt: skip
        return lines

    def _next(self) -> list[str]:
        name, lines = self.body["name"], []
        if self.body["gguf"]:
            lines.append(
                f"Ollama: cd {shlex.quote(str(self.output))} && ollama create {name} -f Modelfile"
            )
        base = "" if self.body["vllm"]["reasons"] else "BASE=FOLDER_OF_THE_BASE "
        lines.append(f"vLLM:   {base}sh {shlex.quote(str(self.output / 'serve.sh'))}")
        if stop := self.body["vllm"]["stop"]:
            told = json.dumps(stop, ensure_ascii=False)
            lines.append(f'        each request must send "stop": {told} (docs/serving.md)')
        return lines


def _nats(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"


def _size(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
