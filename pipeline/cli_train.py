"""The command line from a prepared folder onward: plan, pull, train, compare, export."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from pipeline.cli_shared import AsJson, ConfigFile, Quiet, load_config, say
from pipeline.errors import DONE

if TYPE_CHECKING:
    from typing import Literal


class Level(StrEnum):
    """Seals, the weaker one first."""

    python = "python"
    kernel = "kernel"


class Device(StrEnum):
    """Where a model runs."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


class MergeBase(StrEnum):
    """What an adapter is merged into."""

    auto = "auto"
    bf16 = "bf16"
    nf4 = "nf4"


class Result(Protocol):
    """What a verb gives back."""

    def as_text(self) -> str:
        """For people."""

    def as_json(self) -> str:
        """For machines."""


BaseModel = Annotated[
    Path | None, typer.Option("--model", help="The base model's folder. Default: train.model.")
]
DataFolder = Annotated[
    Path | None, typer.Option("--data", help="The prepared folder. Default: data.output.")
]
RequireSeal = Annotated[
    Level | None,
    typer.Option("--require-seal", help="The weakest seal that is accepted."),
]
OnDevice = Annotated[Device | None, typer.Option("--device", help="Default: train.device.")]


def add(app: typer.Typer) -> None:
    """Add these verbs to the command line, in the order of a run."""
    verbs: tuple[Callable[..., int], ...] = (plan, pull, train, compare, export)
    for verb in verbs:
        app.command()(verb)


def _tell(result: Result | None, *, quiet: bool, json: bool) -> int:
    if result is not None and json:
        say(result.as_json())
    elif result is not None and not quiet:
        say(result.as_text())
    return DONE


def _level(given: Level | None) -> Literal["python", "kernel"] | None:
    return None if given is None else given.value


def plan(
    folder: Annotated[Path, typer.Argument(help="A prepared folder.")],
    config: ConfigFile = None,
    model: BaseModel = None,
    prices: Annotated[
        Path | None, typer.Option("--prices", help="A price file over the default one.")
    ] = None,
    card: Annotated[str | None, typer.Option("--card", help="One card alone.")] = None,
    tokens_per_second: Annotated[
        float | None, typer.Option("--tokens-per-second", help="A pace that you measured.")
    ] = None,
    steps_file: Annotated[
        Path | None, typer.Option("--steps-file", help="metrics.jsonl of a short run.")
    ] = None,
    probe: Annotated[
        Path | None, typer.Option("--probe", help="The folder of a short run.")
    ] = None,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """Tokens, GPU memory, hours and cost of a run, on named cards."""
    from pipeline.estimate import verb  # noqa: PLC0415

    settings = load_config(config, needed=False, files=False)
    estimate = verb(
        folder, settings, model=model, prices=prices, card=card,
        tokens_per_second=tokens_per_second, steps_file=steps_file, probe=probe,
    )  # fmt: skip
    return _tell(estimate, quiet=quiet, json=json)


def pull(
    model: Annotated[str, typer.Argument(help="organisation/name, or a folder.")],
    to: Annotated[Path | None, typer.Option("--to", help="Default: models/NAME.")] = None,
    revision: Annotated[
        str | None, typer.Option("--revision", help="Branch, tag or commit. Default: main.")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", help="Another hub's address, or a folder.")
    ] = None,
    token_env: Annotated[
        str | None, typer.Option("--token-env", help="Name of a variable that holds a token.")
    ] = None,
    sha256: Annotated[
        list[str] | None, typer.Option("--sha256", help="FILE=HEX that must hold.")
    ] = None,
    pins: Annotated[
        Path | None, typer.Option("--pins", help="The pull.json of an earlier pull.")
    ] = None,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """Bring a base model and its tokenizer into a local folder, each file checked by its hash."""
    from pipeline.pull import pull as bring  # noqa: PLC0415

    pulled = bring(
        model, to, revision=revision, source=source, token_env=token_env, sha256=sha256 or (),
        pins=pins, quiet=quiet or json,
    )  # fmt: skip
    return _tell(pulled, quiet=quiet, json=json)


def train(
    folder: Annotated[
        Path | None, typer.Argument(help="A prepared folder. Default: data.output.")
    ] = None,
    config: ConfigFile = None,
    model: BaseModel = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="The run folder. Default: train.output.")
    ] = None,
    require_seal: RequireSeal = None,
    processes: Annotated[
        int | None, typer.Option("--processes", min=1, help="One for each GPU of this machine.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Stop after so many, to measure a pace.")
    ] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Throw an earlier run away.")] = False,
    show: Annotated[
        int | None,
        typer.Option(
            "--show", min=1, help="Print so many records as the model reads them; no run."
        ),
    ] = None,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """Train an adapter on a prepared folder, sealed against the network."""
    from pipeline.train import Options  # noqa: PLC0415
    from pipeline.train import train as run  # noqa: PLC0415

    settings = load_config(config, needed=folder is None, files=False)
    if show is not None:
        from pipeline.show import show as rendered  # noqa: PLC0415

        shown = rendered(folder or settings.data.output, settings, model, show)
        return _tell(shown, quiet=False, json=json)
    options = Options(
        model, output, _level(require_seal), processes, steps, restart=restart,
        quiet=quiet or json,
    )  # fmt: skip
    return _tell(run(folder or settings.data.output, settings, options), quiet=quiet, json=json)


def compare(
    target: Annotated[
        Path | None,
        typer.Argument(help="A run folder; with --base a prepared folder. Default: train.output."),
    ] = None,
    base: Annotated[Path | None, typer.Option("--base", help="Ask this stock model alone.")] = None,
    config: ConfigFile = None,
    model: BaseModel = None,
    data: DataFolder = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="Default: compare/ in the run folder.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Most records that are asked.")
    ] = None,
    every_turn: Annotated[
        bool, typer.Option("--every-turn", help="Every answer of a record, not the last alone.")
    ] = False,
    max_new_tokens: Annotated[
        int | None, typer.Option("--max-new-tokens", min=1, help="Longest answer.")
    ] = None,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0, help="0: the likeliest token each time.")
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Of samples, with a temperature.")] = 42,
    device: OnDevice = None,
    require_seal: RequireSeal = None,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """Base and tuned model side by side on the holdout; or a stock model alone."""
    from pipeline.compare import Options, stock  # noqa: PLC0415
    from pipeline.compare import compare as side_by_side  # noqa: PLC0415

    settings = load_config(config, needed=False, files=False)
    options = Options(
        limit, seed, temperature, max_new_tokens, every_turn, device.value if device else None,
        _level(require_seal), quiet=quiet or json,
    )  # fmt: skip
    if base is not None:
        asked = target or settings.data.output
        result = stock(asked, settings, options, model=base, output=output)
    else:
        run = target or settings.train.output
        result = side_by_side(run, settings, options, model=model, data=data, output=output)
    return _tell(result, quiet=quiet, json=json)


def export(
    target: Annotated[
        Path | None, typer.Argument(help="A run folder. Default: train.output.")
    ] = None,
    config: ConfigFile = None,
    model: BaseModel = None,
    data: DataFolder = None,
    name: Annotated[str | None, typer.Option("--name", help="Name of the served model.")] = None,
    quantisation: Annotated[
        list[str] | None, typer.Option("--quantisation", help="GGUF forms. Default: Q4_K_M.")
    ] = None,
    no_gguf: Annotated[bool, typer.Option("--no-gguf", help="No GGUF and no Modelfile.")] = False,
    merge_base: Annotated[
        MergeBase, typer.Option("--merge-base", help="`auto`: the measured nearest.")
    ] = MergeBase.auto,
    llama_cpp: Annotated[
        list[Path] | None, typer.Option("--llama-cpp", help="Folders with llama.cpp's tools.")
    ] = None,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0, help="In the Modelfile.")
    ] = 0.7,
    prompts: Annotated[
        int, typer.Option("--prompts", min=1, help="Held-out records that merges are compared on.")
    ] = 20,
    device: OnDevice = None,
    require_seal: RequireSeal = None,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """A run as something that can be served: merged model, GGUF, Ollama, vLLM."""
    from pipeline.export import Options  # noqa: PLC0415
    from pipeline.export import export as make  # noqa: PLC0415

    settings = load_config(config, needed=False, files=False)
    forms = () if no_gguf else tuple(quantisation) if quantisation else None
    options = Options(
        name, forms, merge_base.value, tuple(llama_cpp or ()), temperature, prompts,
        device.value if device else None, _level(require_seal), quiet=quiet or json,
    )  # fmt: skip
    made = make(target or settings.train.output, settings, options, model=model, data=data)
    return _tell(made, quiet=quiet, json=json)
