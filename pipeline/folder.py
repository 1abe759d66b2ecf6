"""The prepared folder: names of its files, its manifest and its signature.

`ship/` travels, `keep/` stays at home. The manifest is written last and signed with Ed25519;
without a valid one a folder is not a prepared folder.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pipeline.errors import UsageFault

VERSION = 1
SPLITS = ("train", "holdout")
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
KEPT = (
    "edits.jsonl",
    "lineage.jsonl",
    "pairs.jsonl",
    "quarantine.jsonl",
    "report.json",
    "report.html",
    "values.idx",
)


class FolderError(Exception):
    """A folder that is not, or no longer, what its manifest says."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A verified folder: its manifest and the fingerprint of the key that signed it."""

    root: Path
    manifest: dict[str, Any]
    fingerprint: str


def file_hash(path: Path) -> str:
    """SHA-256 of a file in hex, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(public: bytes) -> str:
    """How a public key is named to people and in `trust`: SHA-256 of its 32 bytes, in hex."""
    return hashlib.sha256(public).hexdigest()


def canonical(value: object) -> bytes:
    """JSON in one spelling, so that a hash or signature of it means the value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, indent=1).encode("ascii") + b"\n"


def seal(root: Path, manifest: dict[str, Any], key: Ed25519PrivateKey) -> str:
    """Write `ship/manifest.json` and its signature; return the public key's fingerprint."""
    ship = root / "ship"
    body = {
        **manifest,
        "version": VERSION,
        "files": _hashes(ship, ship),
        "kept": _hashes(root / "keep", root),
    }
    data = canonical(body)
    public = key.public_key().public_bytes_raw()
    signature = {"version": VERSION, "public_key": public.hex(), "signature": key.sign(data).hex()}
    (ship / MANIFEST).write_bytes(data)
    (ship / SIGNATURE).write_bytes(canonical(signature))
    return fingerprint(public)


def _hashes(folder: Path, base: Path) -> dict[str, str]:
    return {
        str(path.relative_to(base)): file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (MANIFEST, SIGNATURE)
    }


def ship_of(root: Path) -> Path:
    """The shipped part: `ship/` of a prepared folder, or the folder itself when it is that."""
    return root / "ship" if (root / "ship").is_dir() else root


def check_there(root: Path) -> None:
    """Raise UsageFault where a path that was named is no folder."""
    if not root.is_dir():
        what = "a file, not a folder" if root.exists() else "there is no such folder"
        raise UsageFault(f"{root}: {what}. Check the path that you named.")


def _check_kind(root: Path) -> None:
    """Raise UsageFault for a folder of ours that is another kind than a prepared one."""
    if (root / "run.json").is_file():
        raise UsageFault(
            f"{root}: this is a run folder, not a prepared one. `plan` takes it as `--probe {root}` "
            "beside the prepared folder, `compare` without `--base`."
        )
    if any((root / name).is_file() for name in ("lineage.jsonl", "edits.jsonl")):
        raise UsageFault(f"{root}: this is the part that stays at home (keep/). Name its parent.")


def verify(root: Path, trust: tuple[str, ...] = ()) -> Prepared:
    """Signature and hashes of `ship/`, or FolderError with what is wrong and what to do.

    Raises UsageFault where `root` is no folder, or one of another kind.
    """
    check_there(root)
    ship = ship_of(root)
    if not (ship / MANIFEST).is_file() or not (ship / SIGNATURE).is_file():
        _check_kind(root)
        raise FolderError(
            f"{root}: no {MANIFEST} with {SIGNATURE}; not a prepared folder. Run `privatune prep`."
        )
    data = (ship / MANIFEST).read_bytes()
    public = _verified_key(ship / SIGNATURE, data)
    name = fingerprint(public)
    if trust and name not in trust:
        raise FolderError(
            f"{ship / SIGNATURE}: signed with key {name[:16]}…, which `trust` does not name. "
            "Ask who prepared the folder, or add the fingerprint."
        )
    manifest = json.loads(data)
    if manifest.get("version") != VERSION:
        raise FolderError(f"{ship / MANIFEST}: unknown version; prepare the folder again.")
    _compare(ship, manifest["files"])
    return Prepared(root, manifest, name)


def _verified_key(path: Path, data: bytes) -> bytes:
    try:
        signature = json.loads(path.read_bytes())
        public = bytes.fromhex(signature["public_key"])
        Ed25519PublicKey.from_public_bytes(public).verify(
            bytes.fromhex(signature["signature"]), data
        )
    except (InvalidSignature, ValueError, KeyError, TypeError):
        raise FolderError(
            f"{path}: the signature does not fit the manifest: one of them was changed after "
            "`privatune prep`. Prepare the folder again."
        ) from None
    return public


def _compare(ship: Path, expected: dict[str, str]) -> None:
    found = _hashes(ship, ship)
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            raise FolderError(f"{ship / name}: missing, though the manifest lists it.")
        if name not in expected:
            raise FolderError(f"{ship / name}: not in the manifest; take it out of the folder.")
        if found[name] != expected[name]:
            raise FolderError(f"{ship / name}: changed after `privatune prep`; prepare it again.")


def verify_kept(prepared: Prepared) -> None:
    """The hashes of `keep/`, which the manifest lists too; FolderError when one differs."""
    for name, digest in prepared.manifest["kept"].items():
        path = prepared.root / name
        if not path.is_file() or file_hash(path) != digest:
            raise FolderError(f"{path}: missing or changed after `privatune prep`.")
