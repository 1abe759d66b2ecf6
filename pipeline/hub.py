"""A model hub, asked through a child process in which nothing else is open."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from scrubbers.switches import SWITCHES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

# Off only in the child: everything else of the switches stays as it is everywhere.
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")
# Settings of the user's for these libraries may hold a token, a cache or a debug log.
TAKEN_OUT = ("HF_", "HUGGING", "TRANSFORMERS_", "AGENT", "AI_AGENT")


class Ask(Protocol):
    """Ask the child: what to do, its arguments, and what counts the bytes; returns its answer."""

    def __call__(
        self, do: str, more: Mapping[str, Any], advance: Callable[[int], None]
    ) -> dict[str, Any]:
        """Raise PullError, PullRefused or NoRoom."""


class PullError(Exception):
    """What was asked for cannot be had. The message says what, where and the next step."""


class PullRefused(Exception):
    """A hash, a size or a name is not what it must be; what came is not used."""


class NoRoom(Exception):
    """The disk cannot hold the model."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One file at the top of a model: size in bytes, and the hash that the source gives.

    `git` is the SHA-1 of the file as git stores it, for small files; `sha256` for large ones.
    """

    name: str
    size: int
    sha256: str | None = None
    git: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of one model at one commit; `host` says whose word the hashes are."""

    commit: str | None
    host: str
    files: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Remote:
    """A model on a hub. `endpoint`: an address, None for the library's own default."""

    id: str
    revision: str
    endpoint: str | None = None
    token: str | None = None


@contextmanager
def connected(remote: Remote) -> Iterator[Ask]:
    """Give what asks the hub; the child starts with the first question and ends with the block."""
    started: list[subprocess.Popen[str]] = []
    with ExitStack() as stack:

        def ask(do: str, more: Mapping[str, Any], advance: Callable[[int], None]) -> dict[str, Any]:
            if not started:
                started.append(stack.enter_context(_child(remote)))
            return _answer(started[0], {"do": do, **asdict(remote), **more}, remote, advance)

        yield ask


def listing(remote: Remote, ask: Ask) -> Listing:
    """Resolve the revision and list its files. Raises PullError."""
    found = ask("listing", {}, lambda _: None)
    try:
        commit = str(found["commit"])
        int(commit, 16)
        files = tuple(
            Listed(str(file["name"]), int(file["size"]), file["sha256"], file["git"])
            for file in found["files"]
        )
    except (KeyError, TypeError, ValueError):
        raise _told("odd", remote, "", 0) from None
    if len(commit) not in (40, 64):
        raise _told("odd", remote, "", 0)
    host = str(found["endpoint"]).split("://")[-1].split("/")[0]
    return Listing(commit, host, files)


def fetch(
    ask: Ask, commit: str, parts: Sequence[tuple[Listed, Path]], advance: Callable[[int], None]
) -> None:
    """Bring files into their part files; `advance` gets the bytes. Raises PullError and others.

    A part file that is there is gone on with; one is never longer than its listed size.
    """
    files = [{"name": f.name, "size": f.size, "part": str(part)} for f, part in parts]
    ask("fetch", {"commit": commit, "files": files}, advance)


@contextmanager
def _child(remote: Remote) -> Iterator[subprocess.Popen[str]]:
    """Start the child in a home of its own; end it with the block, whatever it does."""
    command = [sys.executable, "-P", "-m", "pipeline.hub_process"]
    with (
        tempfile.TemporaryDirectory(prefix="privatune-") as home,
        subprocess.Popen(
            command, env=_environment(remote, home), text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        ) as child,
    ):  # fmt: skip
        try:
            yield child
        finally:
            child.terminate()


def _answer(
    child: subprocess.Popen[str], request: dict[str, Any], remote: Remote,
    advance: Callable[[int], None],
) -> dict[str, Any]:  # fmt: skip
    """Hand the child a request and follow its events; standard input stays open."""
    for event in _events(child, request):
        if "bytes" in event:
            advance(event["bytes"])
        elif "error" in event:
            raise _told(event["error"], remote, event["what"], event["status"])
        else:
            return dict(event["done"])
    raise _told("other", remote, "the process ended", 0)


def _events(child: subprocess.Popen[str], request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if child.stdin is None or child.stdout is None:
        return
    try:
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
    except BrokenPipeError:
        return
    for line in child.stdout:
        yield json.loads(line)


def _environment(remote: Remote, home: str) -> dict[str, str]:
    """Make the child's environment: online, but without telemetry, tokens, caches or xet.

    Xet is a second network stack outside Python; plain HTTP gives the same bytes.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(TAKEN_OUT)}
    kept |= {k: v for k, v in SWITCHES.items() if k not in OFFLINE}
    if not remote.endpoint and "HF_ENDPOINT" in os.environ:
        kept["HF_ENDPOINT"] = os.environ["HF_ENDPOINT"]
    return kept | {
        "HF_HOME": home,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_SYMLINKS": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        # Our packages, wherever they are; `-P` keeps the current folder out of the path.
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }


def _told(kind: str, remote: Remote, what: str, status: int) -> Exception:
    """Words for what went wrong in the child."""
    at = remote.id
    if kind == "disk":
        return NoRoom(f"{at}: the disk is full. Free some space; {GOES_ON}")
    if kind == "size":
        return PullRefused(
            f"{at}: {what} has not the size that the source lists. Run the same command again; "
            "if it stays so, do not use this source."
        )
    if kind == "gated" and remote.token:
        return PullError(f"{at}: gated, and this token has no access. {GATED}")
    words = WORDS.get(kind, f"could not be fetched ({what}). Try again; {GOES_ON}")
    return PullError(f"{at}: " + words.format(revision=remote.revision, what=what, status=status))


GOES_ON = "the same command goes on where it stopped."
GATED = (
    "Accept its terms on its page, make a token that may only read, put it into an environment "
    "variable and pass the variable's name with `--token-env`."
)
WORDS = {
    "gated": f"gated: only accounts that accepted its terms may have it. {GATED}",
    "missing": (
        "the source knows no such model, or shows it only to some accounts. Check the spelling; "
        "for a private model pass `--token-env NAME`."
    ),
    "denied": (
        "the source refuses access (status {status}): there is no such model, or only some "
        "accounts may have it. Check the spelling, and the token (`--token-env NAME`; none is "
        "taken from the environment by itself)."
    ),
    "revision": "no revision {revision!r}. Name a branch, a tag or a commit with `--revision`.",
    "file": "{what} is listed, but the source does not have it. Name another revision or source.",
    "id": "no id of a model. It has the form `organisation/name`.",
    "server": f"the source answers with status {{status}}. Try again later; {GOES_ON}",
    "offline": (
        "the source cannot be reached, or the connection broke too often. Check the network and "
        f"the proxy; {GOES_ON} Without a network: pull on another machine, copy the folder, and "
        "name it instead of the id."
    ),
    "odd": "the answer is not one of a model hub. Check `--source`.",
}
