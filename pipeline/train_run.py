"""A run inside the seal: records to examples, training, and the run folder's books."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pipeline import folder, run_folder
from pipeline.config import Config
from pipeline.errors import INTERRUPTED, explain
from pipeline.template import NAMED
from pipeline.train_failures import ended
from pipeline.train_hold import Held
from pipeline.train_words import Told, summary, teller

if TYPE_CHECKING:
    from trainer.model_folder import Model

Body = dict[str, Any]
FEW = 300  # records; the guides' lower end of what shows an effect
SHARED = frozenset({"nan", "no-signal"})  # all processes stop for these at one step
GRACE = 30  # seconds


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line adds to the configuration."""

    model: Path | None = None
    output: Path | None = None
    require_seal: Literal["python", "kernel"] | None = None
    processes: int | None = None
    steps: int | None = None
    restart: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished run."""

    root: Path
    body: dict[str, Any]

    def as_json(self) -> str:
        """`run.json`'s content."""
        return json.dumps({"run": str(self.root), **self.body}, indent=1)

    def as_text(self) -> str:
        """What came of it, in a few lines."""
        return summary(self.root, self.body)


@dataclass(frozen=True, slots=True)
class Ready:
    """What a run needs, verified and sealed. `template` is a name or a text."""

    prepared: folder.Prepared
    config: Config
    options: Options
    run: Path
    model: Model
    template: str
    seal: Any
    held: Held


@dataclass(frozen=True, slots=True)
class _Made:
    """What the records became."""

    tokenizer: Any
    rows: Any
    held: Any
    recipe: Any


def run_sealed(ready: Ready) -> Trained | None:
    """Train and write the run folder; None in a process that does not write it."""
    from trainer import ranks  # noqa: PLC0415

    if not ranks.is_first():
        _aside(ready, ranks.rank())
        return None
    with _in_words(ready), run_folder.held(ready.run):
        if not ranks.is_rank():  # the others' caches lie there too; who started them tidied
            run_folder.tidy(ready.run, ready.seal.caches)
        made = _made(ready)
        body = _body(ready, made)
        before = run_folder.start(ready.run, body, restart=ready.options.restart)
        told = Told(quiet=ready.options.quiet, said=list((before or {}).get("notes", [])))
        with _noted(ready, told):
            _say_first(ready, told, made, before)
            done = _finished(ready, made, told, body)
    ready.seal.wipe()
    return Trained(ready.run, {"version": run_folder.VERSION, **done})


def _finished(ready: Ready, made: _Made, told: Told, body: Body) -> Body:
    """Train, and close the books."""
    outcome = _fit(ready, made, told)
    made.tokenizer.save_pretrained(str(ready.run / "tokenizer"))
    done = {
        **body, "status": "done", "seal": ready.seal.evidence(), "notes": told.said,
        "result": outcome.as_dict(),
    }  # fmt: skip
    run_folder.write(ready.run, done)
    run_folder.no_checkpoints(ready.run)
    return done


@contextmanager
def _in_words(ready: Ready) -> Iterator[None]:
    """Say what ends a run in words without data."""
    from trainer import ranks  # noqa: PLC0415

    try:
        yield
    except BaseException as error:
        end = ended(error, ready.run)
        if end.reason == "interrupted" and ranks.is_rank():
            raise SystemExit(INTERRUPTED) from None  # the process that started this one says it
        if end.error is error:
            raise
        raise end.error from None


@contextmanager
def _noted(ready: Ready, told: Told) -> Iterator[None]:
    """Note in the books how a run ended badly."""
    try:
        yield
    except BaseException as error:
        reason = ended(error, ready.run).reason
        seal = ready.seal.evidence()
        run_folder.stop(ready.run, {"reason": reason, "seal": seal, "notes": told.said})
        raise


def _aside(ready: Ready, rank: int) -> None:
    """A process of several that does not write the books; it leaves its evidence for them.

    What every process stops for is the first one's to say: it gets the time to, since whoever
    started them ends all when one is gone.
    """
    shared = True
    try:
        made = _made(ready)
        shared = False
        _fit(ready, made, Told(quiet=True))
    except BaseException as error:  # noqa: BLE001 -- an interrupt too
        end = ended(error, ready.run)
        run_folder.leave_rank(ready.run, rank, {**_brief(ready.seal), "reason": end.reason})
        if end.reason == "interrupted":
            raise SystemExit(INTERRUPTED) from None
        if shared or end.reason in SHARED:
            time.sleep(GRACE)
            raise SystemExit(explain(end.error)[0]) from None
        raise end.error from None
    run_folder.leave_rank(ready.run, rank, _brief(ready.seal))


def _brief(seal: Any) -> Body:
    evidence = seal.evidence()
    return {name: evidence[name] for name in ("level", "attempts")}


def _fit(ready: Ready, made: _Made, told: Told) -> Any:
    from trainer.quiet import quiet  # noqa: PLC0415

    quiet()
    from trainer.fit import fit  # noqa: PLC0415 -- torch is loaded here
    from trainer.job import Job  # noqa: PLC0415

    ready.seal.confirm()
    section = ready.config.train
    with teller(told) as tick:
        # Resolved: a checkpoint notes where the best one lies, and a run may go on from elsewhere.
        job = Job(
            ready.run.resolve(), ready.model, made.tokenizer, made.rows, made.held, made.recipe,
            device=section.device, kernels=section.kernels, memory=section.memory,
            save_steps=section.save_steps, stop_after=ready.options.steps, say=told.say, tick=tick,
        )  # fmt: skip
        return fit(job)


def _made(ready: Ready) -> _Made:
    from trainer.examples import load  # noqa: PLC0415
    from trainer.recipe import recipe_of  # noqa: PLC0415
    from trainer.templates import make_template  # noqa: PLC0415
    from trainer.tokenizer import load_tokenizer  # noqa: PLC0415

    tokenizer = load_tokenizer(ready.model.root)
    template = make_template(ready.template, tokenizer)
    limit = limit_of(ready.prepared, ready.config)
    ship = folder.ship_of(ready.prepared.root)
    rows = load(ship / "train.jsonl", tokenizer, template, limit)
    held = load(ship / "holdout.jsonl", tokenizer, template, limit, holdout=True)
    if template.jinja:
        tokenizer.chat_template = template.jinja
    recipe = recipe_of(ready.config.train.model_dump(), limit)
    return _Made(tokenizer, rows, held, recipe)


def _body(ready: Ready, made: _Made) -> Body:
    from trainer.model_folder import model_hash  # noqa: PLC0415

    model, prepared = ready.model, ready.prepared
    return {
        "manifest": folder.file_hash(folder.ship_of(prepared.root) / folder.MANIFEST),
        "prepared_by": prepared.fingerprint,
        "base": {"name": model.name, "hash": model_hash(model), "dtype": model.dtype},
        "data": {"train": _plain(made.rows.stats), "holdout": _plain(made.held.stats)},
        "tokenizer": _tokenizer_body(ready, made),
        "recipe": made.recipe.as_dict(), "seed": made.recipe.seed, "versions": _versions(),
        "stop_after": ready.options.steps, "checked": ready.held.tier,
    }  # fmt: skip


def _say_first(ready: Ready, told: Told, made: _Made, before: Body | None) -> None:
    from trainer.advice import advice  # noqa: PLC0415

    rows = made.rows.stats
    for note in ready.held.notes:
        told.say(note)
    if rows.rows < FEW:
        told.say(advice("few-records"))
    if not made.held.rows:
        told.say(advice("no-holdout"))
    if rows.apart:
        told.say(f"{rows.apart:,} answers: {advice('thinks-apart')}")
    if rows.lost:
        told.say(f"{rows.lost:,} texts of answers are left out by the chat template, so nothing "
                 "learns them.")  # fmt: skip
    changed = [name for name, now in _versions().items()
               if before and before.get("versions", {}).get(name, now) != now]  # fmt: skip
    if changed:
        told.say(f"The run was begun with other versions ({', '.join(changed)}), so its losses may "
                 "differ from those of an unbroken one.")  # fmt: skip
    for count, words in (
        (rows.whole, "records are texts without a question, and are trained whole."),
        (rows.chosen, "records are pairs; their chosen side is trained, the other is not read."),
        (rows.empty, "answers say nothing; the model learns to say nothing there."),
    ):
        if count:
            told.say(f"{count:,} {words}")


def limit_of(prepared: folder.Prepared, config: Config) -> int:
    """The configuration's limit; where it sets none, that of the prepared folder."""
    told = prepared.manifest.get("contract", {}).get("max_length")
    mine = "max_length" in config.tokens.model_fields_set
    return int(told) if told and not mine else config.tokens.max_length


def _tokenizer_body(ready: Ready, made: _Made) -> Body:
    jinja = made.tokenizer.chat_template
    return {
        "hash": folder.file_hash(ready.model.root / "tokenizer.json"),
        "template_hash": (
            hashlib.sha256(jinja.encode()).hexdigest() if isinstance(jinja, str) else None
        ),
        "template": ready.template if ready.template in NAMED else "own",
        "max_length": made.recipe.max_length,
    }


def _plain(stats: Any) -> dict[str, int]:
    return {name: getattr(stats, name) for name in type(stats).__slots__}


def _versions() -> Mapping[str, str]:
    from importlib.metadata import version  # noqa: PLC0415

    names = ("privatune", "torch", "transformers", "trl", "peft", "bitsandbytes", "accelerate",
             "datasets", "tokenizers")  # fmt: skip
    return {"python": sys.version.split()[0], **{name: version(name) for name in names}}
