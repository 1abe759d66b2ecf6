"""The seal: a changed byte fails, also when every hash is computed anew."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pipeline import folder
from pipeline.errors import UsageFault
from pipeline.folder import FolderError, seal, verify, verify_kept

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    for part in ("ship", "keep"):
        (tmp_path / part).mkdir()
    (tmp_path / "ship" / "train.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "ship" / "holdout.jsonl").write_text("")
    (tmp_path / "keep" / "edits.jsonl").write_text('{"version": 1}\n')
    seal(tmp_path, {"counts": {"train": 1, "holdout": 0}}, KEY)
    return tmp_path


def test_an_untouched_folder_holds(sealed: Path) -> None:
    prepared = verify(sealed)
    verify_kept(prepared)
    assert prepared.fingerprint == folder.fingerprint(KEY.public_key().public_bytes_raw())


def test_ship_alone_holds(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "ship"
    (sealed / "ship").rename(elsewhere)
    assert verify(elsewhere).manifest["counts"]["train"] == 1


@pytest.mark.parametrize("name", ["train.jsonl", "holdout.jsonl", "manifest.json", "manifest.sig"])
def test_every_changed_file_fails(sealed: Path, name: str) -> None:
    path = sealed / "ship" / name
    path.write_bytes(path.read_bytes() + b" \n")
    if name == "manifest.sig":  # white space around JSON changes nothing: change a digit
        body = json.loads(path.read_text())
        body["signature"] = body["signature"][:-1] + ("0" if body["signature"][-1] != "0" else "1")
        path.write_text(json.dumps(body))
    with pytest.raises(FolderError):
        verify(sealed)


def test_recomputed_hashes_do_not_help(sealed: Path) -> None:
    path = sealed / "ship" / "train.jsonl"
    path.write_text('{"a": 2}\n')
    manifest = sealed / "ship" / "manifest.json"
    body = json.loads(manifest.read_text())
    body["files"]["train.jsonl"] = folder.file_hash(path)
    manifest.write_bytes(folder.canonical(body))
    with pytest.raises(FolderError, match="signature"):
        verify(sealed)


def test_another_key_fails_where_trust_is_pinned(sealed: Path) -> None:
    ours = verify(sealed).fingerprint
    assert verify(sealed, (ours,))
    with pytest.raises(FolderError, match="trust"):
        verify(sealed, ("0" * 64,))


@pytest.mark.parametrize("change", ["missing", "extra"])
def test_a_missing_or_extra_file_fails(sealed: Path, change: str) -> None:
    if change == "missing":
        (sealed / "ship" / "train.jsonl").unlink()
    else:
        (sealed / "ship" / "more.jsonl").write_text("")
    with pytest.raises(FolderError, match="manifest"):
        verify(sealed)


def test_a_changed_keep_fails_its_own_tier(sealed: Path) -> None:
    (sealed / "keep" / "edits.jsonl").write_text("")
    prepared = verify(sealed)
    with pytest.raises(FolderError, match="edits"):
        verify_kept(prepared)


def test_a_plain_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="not a prepared folder"):
        verify(tmp_path)


def test_what_was_named_by_mistake_is_told(sealed: Path) -> None:
    run = sealed / "run"
    run.mkdir()
    (run / "run.json").write_text("{}")
    for path, words in (
        (sealed / "nowhere", "there is no such folder"),
        (run / "run.json", "a file, not a folder"),
        (run, "this is a run folder"),
        (sealed / "keep", "Name its parent"),
    ):
        with pytest.raises(UsageFault, match=words):
            verify(path)
