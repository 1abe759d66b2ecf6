"""What `compare` compares, found and verified before anything heavy is loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import folder
from pipeline.config import Config
from pipeline.errors import Refused, UsageFault
from pipeline.progress import bar
from pipeline.template import NAMED, template_of

if TYPE_CHECKING:
    from trainer.model_folder import Model

VERSION = 1
RUN, ADAPTER, TOKENIZER = "run.json", "adapter", "tokenizer"
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is compared, and how it was trained.

    `tokenizer` is a folder, `template` a name or a text, `base_hash` "" where no run is held
    against it.
    """

    data: folder.Prepared
    base: Model
    base_hash: str
    method: str
    tokenizer: Path
    template: str
    max_length: int
    adapter: Path | None = None
    template_hash: str | None = None

    @property
    def manifest_hash(self) -> str:
        """SHA-256 of the manifest of the prepared folder."""
        return _manifest_hash(self.data)


def of_run(
    root: Path, config: Config, model: Path | None = None, data: Path | None = None,
    *, quiet: bool = False,
) -> Subject:  # fmt: skip
    """A finished run, the base and the prepared folder that it was trained on.

    Raises UsageFault for what is missing or not named, Refused and FolderError for what does not
    belong together, ModelFolderError for a broken base.
    """
    from trainer.model_folder import read_model  # noqa: PLC0415 -- its verb alone needs it

    run = run_of(root)
    where = model or config.train.model
    if where is None:
        raise UsageFault("No base model: name its folder with `--model`, or set train.model.")
    prepared = folder.verify(data or config.data.output, config.trust)
    if _manifest_hash(prepared) != run["manifest"]:
        raise Refused(f"{prepared.root}: not the prepared folder that {root} was trained on. Name "
                      "that one with `--data`.")  # fmt: skip
    base = read_model(where)
    found = _hashed(base, quiet=quiet)
    if found != run["base"]["hash"]:
        raise Refused(f"{where}: not the base model that {root} was trained on (its hash differs). "
                      "Name that one with `--model`.")  # fmt: skip
    told = run["tokenizer"]
    return Subject(
        prepared, base, found, run["recipe"]["method"], root / TOKENIZER, _template(config, told),
        told["max_length"], root / ADAPTER, told.get("template_hash"),
    )  # fmt: skip


def _manifest_hash(prepared: folder.Prepared) -> str:
    return folder.file_hash(folder.ship_of(prepared.root) / folder.MANIFEST)


def run_of(root: Path) -> Body:
    """What `train` wrote of a run. UsageFault where there is none, Refused where it is not done."""
    folder.check_there(root)
    try:
        run: Body = json.loads((root / RUN).read_bytes())
        known = run["version"] == VERSION
        _ = run["manifest"], run["base"]["hash"], run["tokenizer"]["max_length"], run["recipe"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageFault(
            f"{root}: no run folder (no {RUN} that `train` wrote). {_instead(root)}"
        ) from None
    if not known:
        raise UsageFault(
            f"{root / RUN}: unknown version. Compare with the Privatune that wrote it."
        )
    if run.get("status") != "done" or not (root / ADAPTER).is_dir():
        raise Refused(f"{root}: the run is not done, so there is no adapter to compare. The same "
                      "`privatune train` goes on where it stopped.")  # fmt: skip
    return run


def _instead(root: Path) -> str:
    if (folder.ship_of(root) / folder.MANIFEST).is_file():
        return ("It is a prepared folder: train on it, or ask a stock model with `privatune compare "
                f"--base MODEL {root}`.")  # fmt: skip
    return "Name the folder that `train` wrote (`train.output`, else `--output`)."


def of_stock(target: Path, config: Config, model: Path) -> Subject:
    """A base alone and a prepared folder, asked as the configuration says. Raises as `of_run`."""
    from trainer.model_folder import read_model  # noqa: PLC0415 -- its verb alone needs it

    prepared = folder.verify(target, config.trust)
    base = read_model(model)
    method = "qlora" if base.quantised else config.train.method
    return Subject(
        prepared, base, "", method, base.root, _template(config), config.tokens.max_length,
    )  # fmt: skip


def _template(config: Config, told: Mapping[str, Any] | None = None) -> str:
    """The template by name or text; of a run its name, and a prompt's text from the configuration."""
    if told and told["template"] in NAMED:
        return str(told["template"])
    return template_of(config)


def _hashed(base: Model, *, quiet: bool) -> str:
    from trainer.model_folder import model_hash  # noqa: PLC0415

    with bar("reading the base", quiet=quiet):
        return model_hash(base)
