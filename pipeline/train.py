"""`privatune train`: verify the folder, seal the process, train, keep the books."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pipeline import folder, run_folder
from pipeline.config import Config
from pipeline.errors import Refused, UsageFault
from pipeline.template import NAMED, template_mark, template_of
from pipeline.train_hold import Held, hold
from pipeline.train_run import Options, Ready, Trained, limit_of, run_sealed

__all__ = ["Options", "Trained", "template_for", "train"]
EXTRA = ("torch", "trl", "peft", "bitsandbytes", "accelerate")
# Set for the processes of one run by the one that checked: the manifest's hash.
CHECKED = "PRIVATUNE_CHECKED"


def train(root: Path, config: Config, options: Options) -> Trained | None:
    """Train on the prepared folder `root`; None in a process that has nothing to tell.

    Nothing that loads torch is imported before the folder has been verified. Raises FolderError
    and Refused for a folder that does not hold, UsageFault for what is not named, SealError, and
    what `trainer.fit.fit` raises.
    """
    from trainer import ranks  # noqa: PLC0415 -- the trainer is its verb's alone

    prepared = folder.verify(root, config.trust)
    template = template_for(prepared, config)
    where, run = _places(prepared, config, options)
    _needs_the_extra()
    from trainer.model_folder import read_model  # noqa: PLC0415

    model = read_model(where)
    _fits(prepared, config, options, run)
    held = _held(prepared, config)
    count = options.processes or config.train.processes
    if count > 1 and not ranks.is_rank():
        return _launch(_Start(prepared, config, options, run, held), count)
    seal = _seal(run, config, options)
    return run_sealed(Ready(prepared, config, options, run, model, template, seal, held))


@dataclass(frozen=True, slots=True)
class _Start:
    """What the processes of a run are started with."""

    prepared: folder.Prepared
    config: Config
    options: Options
    run: Path
    held: Held


def _places(prepared: folder.Prepared, config: Config, options: Options) -> tuple[Path, Path]:
    """The base's folder and the run folder."""
    model, run = options.model or config.train.model, options.output or config.train.output
    if model is None:
        raise UsageFault(
            "No base model: name its folder with `--model` or in train.model. `privatune pull` "
            "brings one."
        )
    for inside, what in ((prepared.root, "prepared"), (model, "model")):
        if inside.resolve() in (run.resolve(), *run.resolve().parents):
            raise UsageFault(f"{run}: the run folder lies in the {what} folder, which stays as it "
                             "is. Name another `--output`.")  # fmt: skip
    return model, run


def template_for(prepared: folder.Prepared, config: Config) -> str:
    """The template's name or text, held against the one that the folder was prepared with.

    Raises Refused for another one, UsageFault for a file that is not here.
    """
    told = prepared.manifest.get("contract", {}).get("template")
    if told in NAMED and "template" not in config.contract.model_fields_set:
        return str(told)
    try:
        mine = template_mark(config)
    except OSError:
        raise UsageFault("contract.template.file: the file is not here. Copy the template that "
                         "`prep` used beside the configuration.") from None  # fmt: skip
    if told is not None and told != mine:
        raise Refused(
            f"{prepared.root}: prepared for another contract.template than the configuration here "
            "names. Give the privatune.yaml that `prep` used, or prepare it again."
        )
    return template_of(config)


def _needs_the_extra() -> None:
    from importlib.util import find_spec  # noqa: PLC0415

    missing = [name for name in EXTRA if not find_spec(name)]
    if missing:
        raise UsageFault(f"Training needs {', '.join(missing)}: install Privatune's `train` extra "
                         "in this environment (README.md, \"Train\").")  # fmt: skip


def _fits(prepared: folder.Prepared, config: Config, options: Options, run: Path) -> None:
    """Refuse a run folder that cannot be this run's, as far as is known without a tokenizer."""
    from trainer.recipe import recipe_of  # noqa: PLC0415

    recipe = recipe_of(config.train.model_dump(), limit_of(prepared, config))
    known = {"manifest": _manifest(prepared), "recipe": recipe.as_dict(),
             "stop_after": options.steps}  # fmt: skip
    run_folder.look(run, known, restart=options.restart)


def _manifest(prepared: folder.Prepared) -> str:
    return folder.file_hash(folder.ship_of(prepared.root) / folder.MANIFEST)


def _held(prepared: folder.Prepared, config: Config) -> Held:
    """Check the folder; a process of several takes what the one that started it found."""
    from trainer import ranks  # noqa: PLC0415

    mark, _, tier = os.environ.get(CHECKED, "").partition(" ")
    if ranks.is_rank() and mark == _manifest(prepared):
        return Held(tier)
    return hold(prepared, config)


def _seal(run: Path, config: Config, options: Options) -> Any:
    from trainer import ranks  # noqa: PLC0415
    from trainer.seal import enter  # noqa: PLC0415

    # Rows differ in length, so memory is asked for in ever other pieces; read at the first use.
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
    run_folder.make(run)
    return enter(require=_wanted(config, options), peers=ranks.peers(), caches=run)


def _wanted(config: Config, options: Options) -> Literal["python", "kernel"]:
    return options.require_seal or config.train.require_seal


def _launch(ready: _Start, count: int) -> Trained | None:
    """Seal this process, then start one process for each device; they inherit the seal."""
    from trainer import ranks  # noqa: PLC0415
    from trainer.seal import enter  # noqa: PLC0415

    run, options = ready.run, ready.options
    # Its warnings about host names that nothing resolves here; read when torch is loaded.
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    seal = enter(require=_wanted(ready.config, options), peers=["localhost"])
    os.environ[CHECKED] = f"{_manifest(ready.prepared)} {ready.held.tier}"
    run_folder.make(run)
    run_folder.tidy(run)
    run_folder.take_ranks(run)
    signal.signal(signal.SIGTERM, _leave)
    try:
        ranks.launch(_again(ready), count)
    except ranks.RankFailed:
        run_folder.stop(run, {"reason": "process"})
        raise
    except (KeyboardInterrupt, SystemExit):  # the first process may not have come to say so
        run_folder.stop(run, {"reason": "interrupted"})
        raise
    finally:
        run_folder.add_ranks(run, {"parent": seal.evidence()}, ready.held.notes)
    # The first process has said its summary; what machines read comes from here.
    return Trained(run, run_folder.read(run)) if options.quiet else None


def _leave(number: int, _: object) -> None:
    """End by way of `finally`, so that the processes of the run end too."""
    raise SystemExit(128 + number)


def _again(ready: _Start) -> list[str]:
    """The command once more, for a process of several."""
    config, options = ready.config, ready.options
    given: dict[str, object] = {
        "--config": config.source, "--model": options.model, "--output": ready.run,
        "--require-seal": options.require_seal, "--steps": options.steps,
    }  # fmt: skip
    flags = [
        flag for flag, on in (("--quiet", options.quiet), ("--restart", options.restart)) if on
    ]
    named = [str(word) for pair in given.items() if pair[1] is not None for word in pair]
    return ["train", str(ready.prepared.root), *named, *flags]
