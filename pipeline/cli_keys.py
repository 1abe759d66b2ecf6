"""The command line around secrets: epochs of the key, and the vault of originals."""

from __future__ import annotations

import json as to_json
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli_shared import AsJson, ConfigFile, Quiet, load_config, say
from pipeline.errors import DONE, UsageFault

if TYPE_CHECKING:
    from pipeline.config import Config

SCREEN = Path("-")
key_app = typer.Typer(help="The secret key: show its epochs, rotate it.", no_args_is_help=True)
vault_app = typer.Typer(help="Originals under lock: new-key, open.", no_args_is_help=True)


class Split(StrEnum):
    """Files of `ship/`."""

    train = "train"
    holdout = "holdout"


def add(app: typer.Typer) -> None:
    """Add `key` and `vault` to the command line."""
    app.add_typer(key_app, name="key")
    app.add_typer(vault_app, name="vault")


@key_app.command("show")
def key_show(json: AsJson = False) -> int:
    """Where the key lies, its epochs and their public ids; never the key."""
    from pipeline.rotate import show  # noqa: PLC0415

    shown = show()
    say(shown.as_json() if json else shown.as_text())
    return DONE


@key_app.command("rotate")
def key_rotate(json: AsJson = False) -> int:
    """Add a new epoch to the key's file; the old ones stay."""
    from pipeline.rotate import rotate  # noqa: PLC0415

    shown = rotate()
    say(shown.as_json() if json else shown.as_text())
    return DONE


@vault_app.command("new-key")
def vault_new_key(
    file: Annotated[Path, typer.Argument(help="The private key; the public one is FILE.pub.")],
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> int:
    """Make the two keys of a vault: FILE opens it, FILE.pub locks it."""
    from pipeline.vault import new_key  # noqa: PLC0415

    public = new_key(file, *_kept_from(load_config(config, needed=False, files=False)))
    if not quiet:
        say(f"{file}: the private key, which opens vaults. Keep it off machines that prepare.")
        say(f"{public}: the public key. Name it in `privacy.vault`.")
    return DONE


def _kept_from(config: Config) -> tuple[list[Path], list[Path]]:
    """Data and output, and the folders that `prep` will search for copies of a key."""
    from pipeline.config import ConfigError  # noqa: PLC0415
    from pipeline.stray import folders_of  # noqa: PLC0415

    if config.source is None:  # no data set here: the defaults name folders that nobody chose
        return [], []
    try:
        files = list(config.input_files())
    except ConfigError:  # no inputs yet
        files = []
    return [config.data.output, *files], folders_of(config, files)


@vault_app.command("open")
def vault_open(
    folder: Annotated[Path, typer.Argument(help="A prepared folder with its keep/.")],
    key: Annotated[Path, typer.Option("--key", help="The vault's private key.")],
    split: Annotated[Split | None, typer.Option("--split", help="One file of ship/.")] = None,
    record: Annotated[
        int | None, typer.Option("--record", min=1, help="One record of that file.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="A new file, mode 0600; `-`: standard output.")
    ] = None,
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> int:
    """Show the originals of a prepared folder: authorised re-identification."""
    from pipeline.vault import Asked, originals, private_output  # noqa: PLC0415

    if record is not None and split is None:
        raise UsageFault("--record counts within one file: add `--split train` or `holdout`.")
    if output is None and not sys.stdout.isatty():
        raise UsageFault(
            "standard output is no terminal, so originals would go into a pipe, a file or a job's "
            "log. Name --output FILE, or `--output -` if that is what you mean."
        )
    trust = load_config(config, needed=False, files=False).trust
    rows = originals(folder, key, Asked(split.value if split else None, record), trust)
    if output is None or output == SCREEN:
        for row in rows:
            say(_line(row))
        return DONE
    with private_output(output, [folder]) as file:
        count = _put(rows, file.write)
    if not quiet:
        say(f"{output}: {count:,} originals. Delete it when you are done.")
    return DONE


def _put(rows: Iterable[dict[str, Any]], write: Any) -> int:
    count = 0
    for row in rows:
        write(_line(row) + "\n")
        count += 1
    return count


def _line(row: dict[str, Any]) -> str:
    return to_json.dumps(row, ensure_ascii=True)
