"""What a run was trained on, as a server needs it: chat template, stop tokens, beginning token."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer.gguf import Expected
from trainer.labels import generation_prompt, stop_tokens
from trainer.modelfile import Ollama, for_chat, for_plain, for_prompt, prompt_stops
from trainer.serve import one_exchange, prompt_jinja
from trainer.templates import Template, load_tokenizer, make_template
from trainer.tokenizer import Tokenizer, TokenizerError, encodings


class TemplateChanged(Exception):
    """The run's tokenizer has another chat template than the training used."""


@dataclass(frozen=True, slots=True)
class Trained:
    """Tokenizer and template of a run; `jinja` renders its prompts on any server.

    `begin`: prompts start with the tokenizer's beginning token. `stops` gives each stop token's
    id, the end of turn first.
    """

    tokenizer: Tokenizer
    template: Template
    jinja: str
    begin: bool
    stops: Mapping[str, int]

    @property
    def strict(self) -> str:
        """The same template for a server that tells its clients what it refuses: see `one_exchange`."""
        return self.jinja if self.template.kind == "chat" else one_exchange(self.jinja)

    @property
    def headings(self) -> tuple[str, ...]:
        """Texts that open a new example in a plain prompt, so that a server stops at them."""
        return prompt_stops(self.template.prompt) if self.template.prompt else ()

    def expected(self, config: Mapping[str, Any]) -> Expected:
        """What a GGUF of this run must hold; `config` is the base's config.json."""
        inner = config.get("text_config")
        sizes = inner if isinstance(inner, dict) and "vocab_size" in inner else config
        added = self.tokenizer.backend_tokenizer.get_added_tokens_decoder()
        special = {token.content: i for i, token in added.items() if token.special}
        return Expected(self.jinja, self.stops, special, int(sizes["vocab_size"]), self.begin)

    def ollama(self, *, tools: bool) -> Ollama:
        """The Ollama template, proven, or the reason why there is none."""
        if self.template.prompt is not None:
            return for_prompt(self.template.prompt)
        if self.template.kind == "plain":
            return for_plain()
        return for_chat(
            lambda talk: generation_prompt(list(talk), None, self.tokenizer, self.template),
            begin=str(self.tokenizer.bos_token) if self.begin else "",
            jinja=self.jinja, system=self.template.system, tools=tools,
        )  # fmt: skip


def read_trained(folder: Path, template: str, template_hash: str | None = None) -> Trained:
    """Load a run's tokenizer folder with the template that it was trained with.

    `template_hash`: SHA-256 of the chat template's text, held against the folder's when given.
    Raises TokenizerError, PromptError, and TemplateChanged.
    """
    tokenizer = load_tokenizer(folder)
    made = make_template(template, tokenizer)
    begin = _begins(tokenizer, made)
    jinja = made.jinja or tokenizer.chat_template
    if made.kind != "chat":
        jinja = prompt_jinja(made.prompt, begin=begin)
    elif not isinstance(jinja, str):
        raise TokenizerError(f"{folder}: several chat templates in one tokenizer. Keep the one that "
                             "was trained.")  # fmt: skip
    elif template_hash and hashlib.sha256(jinja.encode()).hexdigest() != template_hash:
        raise TemplateChanged(
            f"{folder}: the chat template is not the one of the training. Put the run's tokenizer "
            "files back, or train again."
        )
    stops = {
        text: int(tokenizer.convert_tokens_to_ids(text)) for text in stop_tokens(tokenizer, made)
    }
    return Trained(tokenizer, made, str(jinja), begin, stops)


def _begins(tokenizer: Tokenizer, template: Template) -> bool:
    """Whether a runtime is to put the beginning token in front by itself.

    The tokenizer does, and the training's prompts have it. A chat template that writes the token
    for a tokenizer that adds none keeps writing it.
    """
    if not tokenizer.bos_token:
        return False
    ids = next(encodings(["x"], tokenizer, special=True)).ids
    adds = bool(ids) and ids[0] == tokenizer.bos_token_id
    if template.special or not adds:
        return adds
    talk = [{"role": "user", "content": "x"}]
    text = generation_prompt(talk, None, tokenizer, template)
    return text.startswith(str(tokenizer.bos_token))
