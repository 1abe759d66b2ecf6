"""The steps of an export, in order: measure, merge, convert, hold against the training, serve."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pipeline import folder
from pipeline.compare_subject import ADAPTER, Subject
from pipeline.errors import UsageFault
from pipeline.package_versions import versions_of

if TYPE_CHECKING:
    from trainer.adapter import Adapter
    from trainer.labels import Example
    from trainer.llama_cpp import Tools
    from trainer.trained import Trained

VERSION, MERGED = 1, "merged"
PACKAGES = ("privatune", "torch", "transformers", "peft", "bitsandbytes")
# Bytes of one parameter, by GGUF form; the K forms as files of common models have them.
BYTES = {"F16": 2.0, "BF16": 2.0, "Q8_0": 1.07, "Q6_K": 0.83, "Q5_K_M": 0.72, "Q4_K_M": 0.61}
Base = Literal["auto", "bf16", "nf4"]
Body = dict[str, Any]
NO_SYSTEM = (
    "The contract's system prompt holds what a Modelfile cannot (three quotes, or a character that "
    "its reader drops): send it with each request."
)


@dataclass(frozen=True, slots=True)
class Job:
    """One export: what was trained, what is wanted, and the folder that is filled."""

    subject: Subject
    adapter: Adapter
    tools: Tools | None
    forms: tuple[str, ...]
    name: str
    out: Path
    merge_base: Base
    prompts: int
    temperature: float
    device: str
    system: str | None
    say: Callable[[str], None]

    @property
    def ship(self) -> Path:
        """The shipped part of the prepared folder."""
        return folder.ship_of(self.subject.data.root)


def check_room(target: Path, parameters: int | None, forms: Sequence[str]) -> None:
    """Raise the error of a full disk before the work, where the files would not fit."""
    between = {"BF16"} if set(forms) - {"F16", "BF16", "Q8_0"} else set()
    needed = (parameters or 0) * (2 + sum(BYTES[form] for form in {*forms, *between}))
    if shutil.disk_usage(target).free < needed:
        raise OSError(errno.ENOSPC, "too little free space for the export")


def make(job: Job, run: Body) -> Body:
    """Fill the folder; return what export.json says. `run` is run.json."""
    from trainer.merge import check_finite  # noqa: PLC0415 -- loads torch
    from trainer.trained import read_trained  # noqa: PLC0415 -- loads transformers

    told = run["tokenizer"].get("template_hash")
    trained = read_trained(job.subject.tokenizer, job.subject.template, told)
    check_finite(job.adapter)
    rows, split = records(job, trained)
    merge = choose_base(job, rows, run["recipe"]["method"])
    write_model(job, trained, merge["base"])
    files, ids, notes = write_gguf(job, trained, rows)
    vllm = write_script(job, trained)
    ollama, more = write_modelfile(job, trained, files)
    return {
        "version": VERSION, "name": job.name, "manifest": run["manifest"],
        "base": {"name": job.subject.base.name, "hash": job.subject.base_hash},
        "adapter": {"rank": job.adapter.rank, "parameters": job.adapter.parameters,
                    "bytes": job.adapter.size},
        "merge": {**merge, "on": split}, "gguf": files, "token_ids": ids, "vllm": vllm, "ollama": ollama,
        "stops": list(dict.fromkeys([*trained.stops, *trained.headings])), "notes": list(dict.fromkeys([*notes, *more])),
        "files": _hashes(job.out), "versions": _versions(job.tools),
    }  # fmt: skip


def records(job: Job, trained: Trained) -> tuple[list[Example], str]:
    """Records on which merges and tokenizers are compared, spread over their split, and which.

    Held-out ones; of a set too small for a holdout, those that were trained on.
    """
    from trainer.examples import load  # noqa: PLC0415 -- loads transformers

    for split in ("holdout", "train"):
        path, limit = job.ship / f"{split}.jsonl", job.subject.max_length
        rows = load(path, trained.tokenizer, trained.template, limit, holdout=True).rows
        if rows and job.prompts:
            step = max(1, len(rows) // job.prompts)
            return rows[::step][: job.prompts], split
    return [], ""


def choose_base(job: Job, rows: Sequence[Example], method: str) -> Body:
    """Which weights the adapter is merged into, and by what that was decided."""
    from trainer.base import device_of  # noqa: PLC0415 -- loads torch
    from trainer.merge import choose, measure  # noqa: PLC0415

    base, asked = job.subject.base, job.merge_base
    if base.quantised and asked == "bf16":
        raise UsageFault(f"{base.root}: this base is in 4 bits, so there are no 16-bit weights to "
                         "merge into. Leave `--merge-base` out.")  # fmt: skip
    if method == "lora":
        return {"base": "bf16", "why": "the adapter was trained on the 16-bit base"}
    if not rows:
        fallback = "nf4" if base.quantised else "bf16"
        return {"base": fallback if asked == "auto" else asked,
                "why": "no record to measure on"}  # fmt: skip
    found = measure(base, job.adapter, rows, str(device_of(job.device)), job.say)
    told = {name: asdict(drift) for name, drift in found.items()}
    if asked != "auto":
        return {"base": asked, "why": "asked for", "measured": told}
    return {"base": choose(found), "why": "nearest to the adapter as trained", "measured": told}


def write_model(job: Job, trained: Trained, base: str) -> None:
    """Write the merged model, the adapter by itself, and what servers need beside both."""
    from trainer.merge import (  # noqa: PLC0415 -- loads torch
        generation_settings,
        merged,
        place_template,
        write_merged,
    )

    job.say(f"merging into the {'16-bit' if base == 'bf16' else 'dequantised 4-bit'} weights")
    model, stops = job.subject.base, list(trained.stops.values())
    network = merged(model, job.adapter, base)
    tokenizer = job.subject.tokenizer
    write_merged(network, job.out / MERGED, tokenizer=tokenizer, stops=stops, model=model)
    place_template(job.out / MERGED, trained.jinja)
    write_json(job.out / "generation_config.json", generation_settings(model, stops))
    (job.out / "chat_template.jinja").write_bytes(trained.strict.encode())
    shutil.copytree(job.adapter.root, job.out / ADAPTER)


def write_gguf(
    job: Job, trained: Trained, rows: Sequence[Example]
) -> tuple[list[Body], Body | None, list[str]]:
    """Write each form and check it; what was written, the comparison of ids, and notes."""
    from trainer.gguf_ids import agreement  # noqa: PLC0415

    if job.tools is None or not job.forms:
        return [], None, []
    paths = _converted(job, job.tools)
    notes: list[str] = []
    for path in paths.values():
        notes += _checked(path, job, trained)
    prompts = [
        row.ids[: next(i for i, label in enumerate(row.labels) if label >= 0)] for row in rows
    ]
    found = agreement(job.tools, next(iter(paths.values())), trained.tokenizer, prompts,
                      begin=trained.begin)  # fmt: skip
    files = [{"form": form, "file": path.name, "bytes": path.stat().st_size}
             for form, path in paths.items()]  # fmt: skip
    return files, asdict(found) if found else None, notes


def _converted(job: Job, tools: Tools) -> dict[str, Path]:
    from trainer.llama_cpp import CONVERTED, convert, quantise  # noqa: PLC0415

    paths = {form: job.out / f"{job.name}-{form}.gguf" for form in job.forms}
    between = job.out / f"{job.name}-BF16.gguf"
    whole = [form for form in job.forms if form in CONVERTED]
    if len(whole) < len(job.forms):
        whole = list(dict.fromkeys([*whole, "BF16"]))
    for form in whole:
        job.say(f"converting to GGUF, {form}")
        convert(tools, job.out / MERGED, job.out / f"{job.name}-{form}.gguf", form, job.name)
    for form in job.forms:
        if form not in CONVERTED:
            job.say(f"making {form}")
            quantise(tools, between, paths[form], form)
    if "BF16" not in job.forms:
        between.unlink(missing_ok=True)
    return paths


def _checked(path: Path, job: Job, trained: Trained) -> tuple[str, ...]:
    from trainer.gguf import begin_as_trained, check, read_gguf  # noqa: PLC0415

    expected = trained.expected(job.subject.base.config)
    return check(begin_as_trained(read_gguf(path), expected), expected)


def write_script(job: Job, trained: Trained) -> Body:
    """Write serve.sh for vLLM: the adapter on its base where vLLM takes it, else the merged model.

    `stop` is what each request must send: vLLM takes stop texts from no file.
    """
    from trainer.serve import adapter_script, merged_script, refusals, served_rank  # noqa: PLC0415

    stop = trained.headings
    reasons = refusals(job.adapter.config, job.adapter.names)
    if reasons:
        text = merged_script(job.name, reasons, stop)
    else:
        text = adapter_script(job.name, job.subject.base.name, job.adapter.rank, stop)
    path = job.out / "serve.sh"
    path.write_text(text, encoding="utf-8", newline="\n")
    path.chmod(0o755)
    return {"serves": MERGED if reasons else ADAPTER, "reasons": list(reasons), "stop": list(stop),
            "max_lora_rank": served_rank(job.adapter.rank)}  # fmt: skip


def write_modelfile(
    job: Job, trained: Trained, files: Sequence[Body]
) -> tuple[Body | None, list[str]]:
    """Write the Modelfile of the first form; None where there is no GGUF."""
    from trainer.modelfile import ModelfileError, check_text, modelfile  # noqa: PLC0415

    if not files:
        return None, []
    ollama = trained.ollama(tools=_calls_tools(job.ship))
    system, notes = job.system if trained.template.kind == "chat" else None, list(ollama.notes)
    try:
        check_text(system or "")
    except ModelfileError:
        system = None
        notes.append(NO_SYSTEM)
    stops = list(dict.fromkeys([*trained.stops, *trained.headings]))
    text = modelfile(
        files[0]["file"], ollama, stops=stops, temperature=job.temperature, system=system
    )
    (job.out / "Modelfile").write_text(text, encoding="utf-8", newline="\n")
    told = {"template": ollama.template is not None, "why": ollama.why, "proven": ollama.proven}
    return told, notes


def _calls_tools(ship: Path) -> bool:
    """Whether a record of either split has tools; a quoted mention of the words does not count."""
    for split in folder.SPLITS:
        with (ship / f"{split}.jsonl").open("rb") as file:
            for line in file:
                if b'"tool_calls":' in line or b'"tools":' in line:
                    return True
    return False


def _hashes(out: Path) -> dict[str, str]:
    found = (path for path in sorted(out.rglob("*")) if path.is_file())
    return {path.relative_to(out).as_posix(): folder.file_hash(path) for path in found}


def _versions(tools: Tools | None) -> dict[str, str]:
    found = versions_of(PACKAGES)
    for path in (tools.converter, tools.quantiser, tools.library) if tools else ():
        if path is not None:
            found[path.name] = f"sha256:{folder.file_hash(path)}"
    return found


def write_json(path: Path, value: object) -> None:
    """Write one JSON object."""
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
