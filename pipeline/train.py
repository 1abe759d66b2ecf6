"""`privatune train`: verify the folder, seal the process, train, keep the books."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from pipeline import folder, run_folder
from pipeline.config import Config
from pipeline.errors import DONE, REFUSED, Refused, UsageFault
from pipeline.template import NAMED, template_mark, template_of
from pipeline.train_run import Options, Ready, Trained, run_sealed

__all__ = ["Options", "Trained", "train"]


def train(root: Path, config: Config, options: Options) -> Trained | None:
    """Train on the prepared folder `root`; None in a process that does not write the books.

    Nothing that loads torch is imported before the folder has been verified. Raises FolderError
    and Refused for a folder that does not hold, UsageFault for what is not named, SealError, and
    what `trainer.fit.fit` raises.
    """
    from trainer import ranks  # noqa: PLC0415 -- the trainer is its verb's alone

    prepared = folder.verify(root, config.trust)
    if not ranks.is_rank():
        _hold(prepared, config)
    where = options.model or config.train.model
    if where is None:
        raise UsageFault(
            "No base model: name its folder with `--model` or in train.model. `privatune pull` "
            "brings one."
        )
    template = _template(prepared, config)
    _needs_the_extra()
    from trainer.model_folder import read_model  # noqa: PLC0415

    model = read_model(where)
    run = options.output or config.train.output
    _outside(run, prepared.root)
    count = options.processes or config.train.processes
    if count > 1 and not ranks.is_rank():
        return _launch(prepared.root, run, config, options, count)
    seal = _seal(run, config, options)
    return run_sealed(Ready(prepared, config, options, run, model, template, seal))


def _hold(prepared: folder.Prepared, config: Config) -> None:
    """Both tiers, as far as keep/ and the models are here, in a process of their own.

    What the check loads leaves with it: its threads would keep this process out of a network
    namespace, its memory is the training's.
    """
    code = _checked(prepared.root, config)
    if code not in (DONE, REFUSED):
        sys.stderr.write("privatune: no fresh scan of keep/ is possible here; what ships is held "
                         "against its manifest alone.\n")  # fmt: skip
        code = _checked(folder.ship_of(prepared.root), config)
    if code != DONE:
        raise Refused(f"{prepared.root}: does not hold. `privatune check {prepared.root}` lists "
                      "what.")  # fmt: skip


def _checked(root: Path, config: Config) -> int:
    command = [sys.executable, "-P", "-m", "pipeline", "check", str(root), "--quiet"]
    command += ["--config", str(config.source)] if config.source else []
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode


def _template(prepared: folder.Prepared, config: Config) -> str:
    """The template's name or text, held against the one that the folder was prepared with."""
    told = prepared.manifest.get("contract", {}).get("template")
    mine = template_mark(config)
    if config.source is None and told in NAMED:
        return str(told)
    if told is not None and told != mine:
        raise Refused(
            f"{prepared.root}: prepared for another contract.template than the configuration here "
            "names. Give the privatune.yaml that `prep` used, or prepare it again."
        )
    return template_of(config)


def _needs_the_extra() -> None:
    from importlib.util import find_spec  # noqa: PLC0415

    missing = [
        n for n in ("torch", "trl", "peft", "bitsandbytes", "accelerate") if not find_spec(n)
    ]
    if missing:
        raise UsageFault(f"Training needs {', '.join(missing)}: run `pip install "
                         "'privatune[train]'` in this environment.")  # fmt: skip


def _outside(run: Path, prepared: Path) -> None:
    if prepared.resolve() in (run.resolve(), *run.resolve().parents):
        raise UsageFault(f"{run}: the run folder lies in the prepared folder, whose manifest it "
                         "would break. Name another `--output`.")  # fmt: skip


def _seal(run: Path, config: Config, options: Options) -> Any:
    from trainer import ranks  # noqa: PLC0415
    from trainer.seal import enter  # noqa: PLC0415

    # Rows differ in length, so memory is asked for in ever other pieces; read at the first use.
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
    run.mkdir(parents=True, exist_ok=True)
    wanted = options.require_seal or config.train.require_seal
    return enter(require=wanted, peers=ranks.peers(), caches=run)


def _launch(root: Path, run: Path, config: Config, options: Options, count: int) -> Trained | None:
    """Seal this process, then start one process for each device; they inherit the seal."""
    from trainer import ranks  # noqa: PLC0415
    from trainer.seal import enter  # noqa: PLC0415

    wanted = options.require_seal or config.train.require_seal
    enter(require=wanted, peers=["localhost"])
    ranks.launch(_again(root, run, config, options), count)
    return Trained(run, run_folder.read(run))


def _again(root: Path, run: Path, config: Config, options: Options) -> list[str]:
    """The command once more, for a process of several."""
    given: dict[str, object] = {
        "--config": config.source, "--model": options.model, "--output": run,
        "--require-seal": options.require_seal, "--steps": options.steps,
    }  # fmt: skip
    flags = [
        flag for flag, on in (("--quiet", options.quiet), ("--restart", options.restart)) if on
    ]
    named = [str(word) for pair in given.items() if pair[1] is not None for word in pair]
    return ["train", str(root), *named, *flags]
