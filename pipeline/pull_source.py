"""Where `pull` takes a model from: a hub, asked in a child process, or a local folder."""

from __future__ import annotations

import ipaddress
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from pipeline import hub
from pipeline.hub import Listed, Listing, PullError, PullRefused, Remote
from pipeline.pulled import WANTED, Receipt, read_receipt
from trainer.model_folder import ID, RECEIPT, file_hash, read_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user asked for, as given. `pinned`: every file's hash is known beforehand."""

    model: str
    revision: str | None = None
    source: str | None = None
    token_env: str | None = None
    pinned: bool = False

    def at(self, commit: str | None) -> Asked:
        """The same at a commit; a folder has none to be asked for."""
        return self if self.folder() or not commit else replace(self, revision=commit)

    def folder(self) -> Path | None:
        """Give the local folder that is meant, or None for a hub. Raises PullError."""
        if self.source and "://" not in self.source:
            root = Path(self.source).expanduser()
            for folder in (root / self.model, root):
                if (folder / "config.json").is_file():
                    return folder
            raise PullError(f"{root}: no model {self.model} in this folder (`--source`).")
        folder = Path(self.model).expanduser()
        return folder if not self.source and folder.is_dir() else None


@dataclass(frozen=True, slots=True)
class Source:
    """A model somewhere: what it is called, what it has, and how its files are brought.

    `fetch` takes the commit, pairs of a file and the part file to fill, and what counts bytes.
    """

    id: str
    revision: str
    listing: Callable[[], Listing]
    fetch: Callable[[str, Sequence[tuple[Listed, Path]], Callable[[int], None]], None]


@contextmanager
def source_of(asked: Asked) -> Iterator[Source]:
    """Find out what is meant: a folder, or an id on a hub. Raises PullError."""
    folder = asked.folder()
    if folder:
        yield _local(asked, folder)
        return
    remote = _remote(asked)
    with hub.connected(remote) as ask:
        yield Source(
            remote.id, remote.revision, partial(hub.listing, remote, ask), partial(hub.fetch, ask)
        )


def _local(asked: Asked, folder: Path) -> Source:
    if asked.revision or asked.token_env:
        raise PullError(f"{folder}: a folder has no `--revision` and needs no `--token-env`.")
    receipt = read_receipt(folder / RECEIPT) if (folder / RECEIPT).exists() else None
    name = asked.model if asked.source else folder.resolve().name
    return Source(
        receipt.id if receipt else name,
        receipt.revision if receipt else "",
        partial(_list_folder, folder, receipt),
        partial(_copy, folder),
    )


def _remote(asked: Asked) -> Remote:
    if not ID.fullmatch(asked.model):
        raise PullError(
            f"{asked.model}: neither a folder nor the id of a model. Name a folder that is there, "
            "or an id of the form `organisation/name`."
        )
    return Remote(
        asked.model,
        asked.revision or "main",
        _endpoint(asked) if asked.source else None,
        _token(asked.token_env) if asked.token_env else None,
    )


def _endpoint(asked: Asked) -> str:
    """Give the address without a trailing slash. Raises PullError for one not to be trusted."""
    address = str(asked.source).rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PullError("`--source` takes an https address or a folder.")
    if parts.username or parts.password:
        raise PullError("`--source` takes no password: pass a token with `--token-env NAME`.")
    if parts.scheme == "http" and not _is_loopback(parts):
        if asked.token_env:
            raise PullError(f"{parts.hostname}: no token is sent over plain http. Use https.")
        if not asked.pinned:
            raise PullError(
                f"{parts.hostname}: over plain http anyone between can change files and hashes. "
                "Use https, or pass the pull.json of an earlier pull with `--pins`."
            )
    return address


def _is_loopback(parts: SplitResult) -> bool:
    try:
        return ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname == "localhost"


def _token(name: str) -> str:
    token = os.environ.get(name, "").strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise PullError(f"`--token-env {name}`: this environment variable holds no token.")
    return token


def _list_folder(folder: Path, receipt: Receipt | None) -> Listing:
    """List a local folder by its own hashes; one with a receipt must agree with it."""
    model = read_model(folder)
    if receipt and any(faults := receipt.faults(folder)):
        raise PullRefused(
            f"{folder}: not as its pull.json says ({', '.join(faults[0] + faults[1])}). Pull it "
            "again where it came from."
        )
    shards = {shard.name for shard in model.shards}
    files = tuple(
        Listed(path.name, path.stat().st_size, file_hash(path))
        for path in sorted(folder.iterdir())
        if path.is_file() and WANTED.fullmatch(path.name)
        and (path.name in shards or path.suffix != ".safetensors")
    )  # fmt: skip
    return Listing(receipt.commit if receipt else None, receipt.host if receipt else "", files)


def _copy(
    folder: Path, commit: str, parts: Sequence[tuple[Listed, Path]], done: Callable[[int], None]
) -> None:
    """Copy contents, through links if there are any: the copy has none."""
    del commit
    for file, place in parts:
        shutil.copyfile(folder / file.name, place)
        done(file.size)
