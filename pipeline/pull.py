"""`privatune pull MODEL`: a base model into a local folder, each file checked against its hash."""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.hub import Listed, Listing, NoRoom, PullError, PullRefused
from pipeline.pull_source import Asked, Source, source_of
from pipeline.pulled import SHA256, Receipt, choose, part, read_receipt, settle, workplace
from trainer.model_folder import (
    CONFIG,
    INDEX,
    ONE_FILE,
    RECEIPT,
    ModelFolderError,
    check_tokenizer,
    hash_of_hashes,
    indexed,
    read_config,
    read_model,
    without_weights,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

SPARE = 64 << 20  # bytes that stay free beside the model
WEIGHTS = ".safetensors"


@dataclass(frozen=True, slots=True)
class Pulled:
    """A model folder that is whole. `brought`: the files that came now; none when it was there."""

    folder: Path
    receipt: Receipt
    brought: tuple[str, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(int(row["size"]) for row in self.receipt.files.values())

    @property
    def hash(self) -> str:
        """Give `trainer.model_folder.model_hash` of the folder, from the hashes just checked."""
        hashes = self.receipt.hashes()
        names = sorted(name for name in hashes if name.endswith(WEIGHTS))
        return hash_of_hashes((name, hashes[name]) for name in (CONFIG, *names))

    def as_text(self) -> str:
        """What lies where, checked how, and the next step."""
        receipt, count = self.receipt, len(self.receipt.files)
        done = f"{len(self.brought)} brought" if self.brought else "nothing was brought"
        of = f" at commit {receipt.commit}" if receipt.commit else ""
        by = f"{receipt.host}'s hashes" if receipt.host else "the copied folder's hashes"
        return (
            f"{self.folder}: {receipt.id}{of}, {_gb(self.size)} in {count} files; {done}, all "
            f"checked against {by}\n"
            f"model hash {self.hash}\n"
            f"Read its licence, then set `train.model: {self.folder}` in privatune.yaml."
        )

    def as_json(self) -> str:
        """The same for machines."""
        return json.dumps({
            "version": 1, "folder": str(self.folder), "id": self.receipt.id,
            "revision": self.receipt.revision, "commit": self.receipt.commit,
            "host": self.receipt.host, "hash": self.hash, "bytes": self.size,
            "brought": list(self.brought), "files": self.receipt.hashes(),
        })  # fmt: skip


def pull(  # noqa: PLR0913  one parameter per option
    model: str,
    to: Path | None = None,
    *,
    revision: str | None = None,
    source: str | None = None,
    token_env: str | None = None,
    sha256: Sequence[str] = (),
    pins: Path | None = None,
    quiet: bool = False,
) -> Pulled:
    """Bring a model from a hub or a folder, or verify the one that `to` already holds.

    `model`: `organisation/name`, or a folder. `to`: default models/NAME. `source`: address of
    another hub, or a folder that holds the model. `token_env`: name of a variable with a token;
    no other is ever sent. `sha256`: items FILE=HEX. `pins`: the pull.json of an earlier pull.
    Raises PullError, PullRefused, NoRoom or ModelFolderError; what came is kept for the next try.
    """
    earlier = read_receipt(pins) if pins else None
    pinned = (earlier.hashes() if earlier else {}) | dict(_pin(item) for item in sha256)
    asked = Asked(model, revision, source, token_env, pinned=earlier is not None)
    if earlier and not revision:
        asked = asked.at(earlier.commit)
    with source_of(asked) as found:
        target = to or Path("models") / found.id.split("/")[-1]
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            return _again(target, found, asked, pinned, quiet=quiet)
        with workplace(target) as work:
            receipt = _collected(found, work, pinned, exact=earlier is not None, quiet=quiet)
            receipt.write(work)
            work.rename(target)
    return Pulled(target, receipt, tuple(receipt.files))


def _pin(item: str) -> tuple[str, str]:
    name, _, digest = item.partition("=")
    if not name or not SHA256.fullmatch(digest.lower()):
        raise PullError("`--sha256` takes FILE=HEX with the 64 digits of a SHA-256.")
    return name, digest.lower()


def _again(
    target: Path, found: Source, asked: Asked, pinned: Mapping[str, str], *, quiet: bool
) -> Pulled:
    """Verify what is there; bring what is missing; never touch a file that differs."""
    if not (target / RECEIPT).is_file():
        raise PullError(
            f"{target}: is there, but not from `pull` (no pull.json). Name another place with "
            "`--to`."
        )
    receipt = read_receipt(target / RECEIPT)
    if receipt.id != found.id or asked.revision not in (None, receipt.revision, receipt.commit):
        raise PullError(
            f"{target}: holds {receipt.id} at {receipt.commit or 'no commit'}, not what was asked "
            "for. Name another place with `--to`."
        )
    missing, differ = receipt.faults(target)
    differ += [n for n, digest in pinned.items() if receipt.hashes().get(n, digest) != digest]
    if differ:
        raise PullRefused(
            f"{target}: {', '.join(sorted(set(differ)))} not as pulled or pinned. Do not use this "
            "folder; remove these files and run the same command to bring them again."
        )
    if missing:
        with source_of(asked.at(receipt.commit)) as same:
            _mend(target, same, receipt, missing, quiet=quiet)
    return Pulled(target, receipt, tuple(missing))


def _mend(
    target: Path, found: Source, receipt: Receipt, missing: Sequence[str], *, quiet: bool
) -> None:
    """Bring the missing files at the commit, and with the hashes, of the receipt."""
    listing = found.listing()
    files = [file for file in choose(listing.files, found.id) if file.name in missing]
    if listing.commit != receipt.commit or len(files) < len(missing):
        raise PullRefused(
            f"{found.id}: the source no longer has {', '.join(missing)} at commit "
            f"{receipt.commit}. Pull into a new folder with `--to`."
        )
    with workplace(target) as work:
        _bring(found, listing, files, work, receipt.hashes(), {}, quiet=quiet)
        for file in files:
            (work / file.name).replace(target / file.name)
        shutil.rmtree(work)


def _collected(
    found: Source, work: Path, pinned: Mapping[str, str], *, exact: bool, quiet: bool
) -> Receipt:
    """Bring the papers, judge them, then bring the weights; the folder is whole at the end."""
    listing = found.listing()
    wanted = choose(listing.files, found.id)
    _check_offer(found, listing, wanted, pinned)
    whole: dict[str, str] = {}
    try:
        papers = [file for file in wanted if not file.name.endswith(WEIGHTS)]
        _bring(found, listing, papers, work, pinned, whole, quiet=quiet)
        read_config(work)
        check_tokenizer(work)
        weights = _weights(found, work, wanted)
        if exact and (new := {f.name for f in (*papers, *weights)} - set(pinned)):
            raise PullRefused(f"{found.id}: {', '.join(sorted(new))} not in the pinned pull.json.")
        _bring(found, listing, weights, work, pinned, whole, quiet=quiet)
        _prune(work, whole)
        read_model(work)
    except ModelFolderError as error:
        shutil.rmtree(work)
        raise ModelFolderError(str(error).replace(str(work), found.id)) from None
    files = {name: {"sha256": whole[name], "size": (work / name).stat().st_size}
             for name in sorted(whole)}  # fmt: skip
    return Receipt(found.id, found.revision, listing.commit, listing.host, files)


def _check_offer(
    found: Source, listing: Listing, wanted: Sequence[Listed], pinned: Mapping[str, str]
) -> None:
    """Refuse by the names alone what could not be trained on, before anything is fetched."""
    names, chosen = {file.name for file in listing.files}, {file.name for file in wanted}
    if "adapter_config.json" in names:
        raise ModelFolderError(f"{found.id}: an adapter, not a base model. Pull its base.")
    if not any(name.endswith(WEIGHTS) for name in chosen):
        raise ModelFolderError(f"{found.id}: {without_weights(names)}.")
    for name in (CONFIG, "tokenizer.json"):
        if name not in chosen:
            raise ModelFolderError(f"{found.id}: has no {name}. Take another form of this model.")
    if absent := set(pinned) - chosen:
        raise PullRefused(
            f"{found.id}: {', '.join(sorted(absent))} pinned, but the source has no such file."
        )


def _weights(found: Source, work: Path, wanted: Sequence[Listed]) -> list[Listed]:
    """Choose the files that the index names; repositories hold the same weights twice at times."""
    by_name = {file.name: file for file in wanted}
    if ONE_FILE in by_name:
        return [by_name[ONE_FILE]]
    if not (work / INDEX).is_file():
        raise ModelFolderError(f"{found.id}: neither {ONE_FILE} nor {INDEX}. Take another form.")
    names = sorted(set(indexed(work).values()))
    if absent := [name for name in names if name not in by_name]:
        raise ModelFolderError(
            f"{found.id}: its index names {len(absent)} shards that the source does not list, the "
            f"first is {absent[0]}. Name another revision or source."
        )
    return [by_name[name] for name in names]


def _bring(
    found: Source, listing: Listing, files: Sequence[Listed], work: Path,
    pins: Mapping[str, str], whole: dict[str, str], *, quiet: bool,
) -> None:  # fmt: skip
    """Fetch files into part files, check each, and move it to its name when it is right.

    A file that was gone on with and came out wrong is fetched once more from its start.
    """
    left = settle(work, files, pins, whole)
    for _ in range(2):
        if not left:
            return
        _check_room(found, left, work)
        begun = {file.name for file in left if part(work, file).exists()}
        with _bar(found.id, sum(file.size for file in left), quiet=quiet) as done:
            done(sum(part(work, f).stat().st_size for f in left if f.name in begun))
            found.fetch(listing.commit or "", [(f, part(work, f)) for f in left], done)
        left = settle(work, left, pins, whole)
        if not {file.name for file in left} <= begun:
            break
    if left:
        raise PullRefused(
            f"{found.id}: {', '.join(file.name for file in left)} came with another hash than the "
            "source or a pin says. It was removed. Run the same command again; if it stays so, do "
            "not use this source."
        )


def _check_room(found: Source, files: Sequence[Listed], work: Path) -> None:
    there = sum(p.stat().st_size for f in files if (p := part(work, f)).exists())
    needed, free = sum(file.size for file in files) - there, shutil.disk_usage(work).free
    if needed + SPARE > free:
        raise NoRoom(
            f"{found.id}: {_gb(needed)} to bring, {_gb(free)} free on the disk of {work.parent}. "
            "Free some space, or name another place with `--to`."
        )


def _prune(work: Path, whole: Mapping[str, str]) -> None:
    """Remove what an earlier try left for another commit."""
    for path in work.iterdir():
        if path.name not in whole:
            path.unlink()


@contextmanager
def _bar(title: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Bytes on a terminal's standard error, nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415  only a terminal pays for it
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(),
               TransferSpeedColumn(), TimeRemainingColumn())  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda count: progress.advance(task, count)


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"
