"""`privatune export`: a trained adapter as something that can be served."""

from __future__ import annotations

import json
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pipeline.compare_subject import ADAPTER, RUN, of_run, run_of
from pipeline.config import Config
from pipeline.errors import UsageFault
from pipeline.export_steps import BYTES, Base, Job, check_room, make, write_json
from pipeline.export_words import Exported

OUT, RESULT = "export", "export.json"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# What NFKD does not take apart, and German's own spelling of its vowels without dots.
LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue",
                         "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o",
                         "Ø": "O", "ł": "l", "Ł": "L"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Options:
    """What is made. `forms` None: `export.quantisation`; empty: no GGUF.

    `prompts`: held-out records on which merges are compared. `llama_cpp`: folders with llama.cpp's
    tools, beside those that are found by themselves.
    """

    name: str | None = None
    forms: tuple[str, ...] | None = None
    merge_base: Base = "auto"
    llama_cpp: tuple[Path, ...] = ()
    temperature: float = 0.7
    prompts: int = 20
    device: str | None = None
    require_seal: Literal["python", "kernel"] | None = None
    quiet: bool = False


def export(
    target: Path,
    config: Config,
    options: Options,
    *,
    model: Path | None = None,
    data: Path | None = None,
) -> Exported:
    """Write `export/` in the run folder `target`: adapter, merged model, GGUF, how to serve them.

    `model`: the base's folder, default `train.model`; `data`: the prepared folder, default
    `data.output`. An earlier export is replaced when the new one is whole. Raises UsageFault and
    ToolsMissing for what is missing, Refused, AdapterError and GgufError for what would not be
    what was trained.
    """
    from trainer.llama_cpp import BINARY  # noqa: PLC0415 -- its verb alone needs it
    from trainer.quiet import quiet  # noqa: PLC0415
    from trainer.seal import enter  # noqa: PLC0415 -- sealed before anything else is loaded

    # The converter is Python's; where the kernel does not seal it, its switches do.
    programs = (BINARY, Path(sys.executable).name)
    seal = enter(require=options.require_seal or config.train.require_seal, programs=programs)
    quiet()
    return unsealed(target, config, options, model=model, data=data, seal=seal)


def unsealed(
    target: Path,
    config: Config,
    options: Options,
    *,
    model: Path | None = None,
    data: Path | None = None,
    seal: Any = None,
) -> Exported:
    """The same in this process as it is; `seal` gives the evidence."""
    from trainer.adapter import read_adapter  # noqa: PLC0415
    from trainer.llama_cpp import find  # noqa: PLC0415

    run_of(target)  # the run first, then what was asked for, and what else is needed last
    name, note = _name(target, config, options)
    forms = _forms(config, options)
    subject = of_run(target, config, model, data, quiet=options.quiet)
    tools = find(options.llama_cpp) if forms else None
    if tools:
        tools.check(forms)
    adapter = read_adapter(target / ADAPTER)
    check_room(target, subject.base.parameters, forms)
    with _fresh(target) as out:
        job = Job(
            subject, adapter, tools, forms, name, out, options.merge_base, options.prompts,
            options.temperature, options.device or config.train.device, config.system_text(),
            _silent if options.quiet else _say,
        )  # fmt: skip
        body = make(job, json.loads((target / RUN).read_bytes()))
        body["notes"] = [*note, *body["notes"]]
        body["seal"] = seal.evidence() if seal else None
        write_json(out / RESULT, body)
    return Exported(body, target / OUT)


def _say(text: str) -> None:
    sys.stderr.write(f"export: {text}\n")


def _silent(text: str) -> None:
    del text


def _forms(config: Config, options: Options) -> tuple[str, ...]:
    forms = config.export.quantisation if options.forms is None else options.forms
    if unknown := [form for form in forms if form not in BYTES]:
        raise UsageFault(
            f"--quantisation {unknown[0]}: no such form. Give one of {', '.join(BYTES)}."
        )
    return tuple(dict.fromkeys(forms))


def _name(target: Path, config: Config, options: Options) -> tuple[str, list[str]]:
    """The served model's name, and a note where the run folder's own could not be taken."""
    name = options.name or config.export.name
    if not name:
        own = target.resolve().name
        name = safe_name(own)
        note = (
            f"the model is served as {name}: the run folder's name has other signs than letters, "
            "digits, `.`, `_` and `-`, or too many. `--name` gives another."
        )
        return name, [] if name == own else [note]
    if not NAME.fullmatch(name):
        raise UsageFault(
            "The model's name may hold letters, digits, `.`, `_` and `-`: give one with `--name`, "
            "or set export.name."
        )
    return name, []


def safe_name(text: str) -> str:
    """A folder's name as that of a model: ASCII letters, digits, `.`, `_` and `-`."""
    if NAME.fullmatch(text):
        return text
    composed = unicodedata.normalize("NFC", text).translate(LETTERS)
    plain = unicodedata.normalize("NFKD", composed)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-._")[:64] or "model"


@contextmanager
def _fresh(target: Path) -> Iterator[Path]:
    """A new folder that takes the place of an earlier export when all went well."""
    partial, final, old = target / ".export.partial", target / OUT, target / ".export.old"
    for left in (partial, old):
        shutil.rmtree(left, ignore_errors=True)
    partial.mkdir()
    try:
        yield partial
        if final.exists():
            final.rename(old)
        partial.rename(final)
    finally:
        for left in (partial, old):
            shutil.rmtree(left, ignore_errors=True)
