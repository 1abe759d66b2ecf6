"""Ollama's Modelfile: a template that renders the very text of training, or none at all.

The template is taken from renders of the trained chat template with marks in the place of the
turns, and then proven: rendered as the server would and held against the chat template, byte for
byte, over conversations made here. What cannot be proven is not written; the server then uses the
Jinja template inside the GGUF (ollama 0.30 and later).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trainer.go_template import GoTemplateError, literal, ollama_render
from trainer.prompts import Prompt, fill

Turn = dict[str, str]
# Renders a conversation up to the place where the model answers, as production would send it.
Render = Callable[[Sequence[Turn]], str]

USER, ANSWER, LATER, SYSTEM = "0u0user0u0", "0a0answer0a0", "0l0later0l0", "0s0system0s0"
TEXTS = (
    "When is the invoice due?",
    "Übergröße – ja, für 12,50 €.",
    "¿Qué dice?\n\n\tDos líneas, y \"comillas\"",
    "Voilà : l'été, déjà ; « ça va » …",
    '{"rows": [{"n": 1, "of": {"x": null}}], "tpl": "{{ .Prompt }} {% x %}"}',
    "```json\n{\"a\": \"b\\\\n\"}\n```",
    "日本語と中文、한국어。",
    "привет, мир! שלום مرحبا",
    "<b>&amp;</b> 100 % of `x` $HOME \\n 'q' | <|x|> [INST] ###",
    "👩‍💻 ✓ e\u0301",
)  # fmt: skip


TRIMMED = (
    "The chat template removes blanks around each text and a Go template cannot: send texts "
    "without blanks at their ends."
)
SINGLE = (
    "Requests: the instruction as `system`, the input as `prompt`; without an input the "
    "instruction as `prompt` alone. One exchange for each request."
)
NO_INPUT = "Requests: the instruction as `prompt`; a system text is not used."


class ModelfileError(Exception):
    """A Modelfile that cannot be written as asked; says which part and what to do."""


@dataclass(frozen=True, slots=True)
class Ollama:
    """A proven template, or None and the reason; notes are for the person who serves it."""

    template: str | None
    why: str = ""
    notes: tuple[str, ...] = ()
    proven: int = 0  # conversations that were rendered both ways


def for_chat(render: Render, *, begin: str, jinja: str, system: bool, tools: bool) -> Ollama:
    """A template for a chat model, proven.

    `begin` is the beginning token that the GGUF's tokenizer adds by itself, "" where it adds none.
    `jinja` is the chat template's source, `system`: it knows a system turn, `tools`: the data
    call tools, which a derived template cannot.
    """
    if "strftime_now" in jinja:
        return Ollama(None, "the chat template writes today's date, which a Go template cannot")
    if tools:
        return Ollama(None, "the data call tools, which this template does not carry")

    def bare(talk: Sequence[Turn]) -> str:
        return render(talk).removeprefix(begin)

    try:
        template = _derived(bare, system=system)
        talks = list(conversations(system=system))
        for talk in talks:
            if ollama_render(template, talk) != bare(talk):
                return Ollama(None, "no simple template renders what the chat template renders")
        check_text(template)
    except (GoTemplateError, ModelfileError, ValueError) as error:
        return Ollama(None, str(error))
    return Ollama(template, notes=_trims(bare, template), proven=len(talks))


def _derived(render: Render, *, system: bool) -> str:
    """Cut renders at their marks: what stands between two turns is the template's text."""
    user, answer, later = _turn("user", USER), _turn("assistant", ANSWER), _turn("user", LATER)
    head, end = _split(render([user]), USER)
    _, between, after, last = _split(render([user, answer, later]), USER, ANSWER, LATER)
    if last != end:
        raise ModelfileError("the chat template writes a first turn unlike a later one")
    start = literal(head)
    if system:
        before, inner, _ = _split(render([_turn("system", SYSTEM), user]), SYSTEM, USER)
        start = (
            f"{{{{ if .System }}}}{literal(before)}{{{{ .System }}}}{literal(inner)}"
            f"{{{{ else }}}}{start}{{{{ end }}}}"
        )
    return (
        f'{start}{{{{ range .Messages }}}}{{{{ if eq .Role "user" }}}}{{{{ .Content }}}}'
        f'{{{{ else if eq .Role "assistant" }}}}{literal(between)}{{{{ .Content }}}}'
        f"{literal(after)}{{{{ end }}}}{{{{ end }}}}{literal(end)}"
    )


def _turn(role: str, text: str) -> Turn:
    return {"role": role, "content": text}


def _split(text: str, *marks: str) -> list[str]:
    parts = []
    for mark in marks:
        before, found, text = text.partition(mark)
        if not found or mark in text:
            raise ModelfileError("the chat template drops, repeats or changes a turn")
        parts.append(before)
    return [*parts, text]


def conversations(*, system: bool) -> Iterator[list[Turn]]:
    """Made-up talks that end with the user: one to four exchanges, with and without system."""
    for first in range(len(TEXTS)):
        for answers in range(4):
            said = [TEXTS[(first + 3 * i) % len(TEXTS)] for i in range(2 * answers + 1)]
            talk = [_turn(("user", "assistant")[i % 2], text) for i, text in enumerate(said)]
            yield talk
            if system:
                yield [_turn("system", TEXTS[(first + 5) % len(TEXTS)]), *talk]


def _trims(render: Render, template: str) -> tuple[str, ...]:
    padded = [_turn("user", "\n x \n")]
    if ollama_render(template, padded) == render(padded):
        return ()
    return (TRIMMED,)


def for_prompt(prompt: Prompt) -> Ollama:
    """A template for a model that was trained on instruction, input and output, proven.

    With a system text: that is the instruction, and the user's text is the input. Without one:
    the user's text is the instruction, and there is no input. A prompt without an input section
    takes the user's text alone.
    """
    alone = _filled(prompt, "{{ .Prompt }}", "")
    template = alone + "{{ .Response }}"
    if _has_input(prompt):
        both = _filled(prompt, "{{ .System }}", "{{ .Prompt }}")
        template = (
            f"{{{{ if .System }}}}{both}{{{{ else }}}}{alone}{{{{ end }}}}{{{{ .Response }}}}"
        )
    talks = [talk for talk in conversations(system=True) if talk[-2:][0]["role"] != "assistant"]
    try:
        check_text(template)
        wrong = [talk for talk in talks if ollama_render(template, talk) != asked(prompt, talk)]
    except (GoTemplateError, ModelfileError) as error:
        return Ollama(None, str(error))
    if wrong:
        return Ollama(None, "the prompt's text cannot be written as a Go template")
    notes = (SINGLE if _has_input(prompt) else NO_INPUT,)
    return Ollama(template, notes=notes, proven=len(talks))


def for_plain() -> Ollama:
    """A template for a model that was trained on prompts as they stand."""
    return Ollama(
        "{{ .Prompt }}{{ .Response }}", notes=("Requests: the whole prompt as `prompt`.",)
    )


def _has_input(prompt: Prompt) -> bool:
    return "{input}" in prompt.text


def asked(prompt: Prompt, talk: Sequence[Turn]) -> str:
    """The training text of one request up to the answer: system and user, or user alone."""
    texts = {turn["role"]: turn["content"] for turn in talk}
    both = bool(texts.get("system")) and _has_input(prompt)
    first, given = (texts["system"], texts["user"]) if both else (texts["user"], "")
    text, start = fill(prompt, {"instruction": first, "input": given, "output": ""})
    return text[:start]


_MARKS = {"instruction": "\x01i\x01", "input": "\x01n\x01", "output": ""}


def _filled(prompt: Prompt, instruction: str, given: str) -> str:
    """The prompt's text with actions in the place of its fields; its own braces made literal."""
    fields = {**_MARKS, "input": _MARKS["input"] if given else ""}
    text, start = fill(prompt, fields)
    parts = literal(text[:start].replace(_MARKS["instruction"], "\x02"))
    return parts.replace("\x02", instruction).replace(_MARKS["input"], given)


def prompt_stops(prompt: Prompt) -> tuple[str, ...]:
    """The heading that opens a prompt: a model that writes it has begun a new example."""
    heads = [line.strip() for line in prompt.text.split("{", 1)[0].splitlines() if line.strip()]
    return tuple(head for head in heads[-1:] if len(head) >= 4)


def check_text(text: str) -> None:
    """Refuse what a Modelfile cannot hold: three quotes, and characters that its reader drops.

    The reader keeps printable characters and, inside quotes, blanks, tabs and line feeds
    (ollama/ollama, parser/parser.go). Raises ModelfileError.
    """
    if '"""' in text:
        raise ModelfileError("three quotes in a row, which end a Modelfile's text")
    if any(not c.isprintable() and c not in "\n\t" for c in text):
        raise ModelfileError("a character that a Modelfile's reader drops (such as a hard space)")


def quoted(text: str) -> str:
    """A text as a Modelfile's value. Raises ModelfileError as `check_text` does."""
    check_text(text)
    return f'"""{text}"""'


def modelfile(
    gguf: str, ollama: Ollama, *, stops: Sequence[str], temperature: float, system: str | None
) -> str:
    """The whole text. `gguf` is a file beside it, `system` the prompt that the contract fixes.

    Raises ModelfileError when the system prompt or a stop cannot be written.
    """
    lines = [f"FROM ./{gguf}"]
    if ollama.template is None:
        lines += ["# No TEMPLATE: the server uses the chat template inside the GGUF (ollama 0.30",
                  f"# and later). Reason: {ollama.why}."]  # fmt: skip
    else:
        lines += ["# Renders the text of training byte for byte. A server that prefers the GGUF's",
                  "# own chat template gives the same text; OLLAMA_GO_TEMPLATE=1 pins this one.",
                  f"TEMPLATE {quoted(ollama.template)}"]  # fmt: skip
    lines += [f"# {note}" for note in ollama.notes]
    if system is not None:
        lines.append(f"SYSTEM {quoted(system)}")
    lines.append(f"PARAMETER temperature {temperature:g}")
    lines += [f"PARAMETER stop {quoted(stop)}" for stop in stops]
    return "\n".join(lines) + "\n"
