"""The secret key: found, made once, refused when weak, open or in the wrong place."""

from __future__ import annotations

import base64
import os
import secrets
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.home import Key, KeyMissing, KeyRefused, find_key

if TYPE_CHECKING:
    from pathlib import Path

RAW = bytes.fromhex("9f4b1c07e2d85a3366b10fce48729ad15e0337bb8c2af1946d7e50a8c31fe962")


def _env(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), **more}


@pytest.mark.parametrize(
    "spelling",
    [
        RAW.hex(),
        RAW.hex().upper(),
        f"  {RAW.hex()}\n",
        base64.b64encode(RAW).decode(),
        base64.urlsafe_b64encode(RAW).decode(),
        base64.b64encode(RAW).decode().rstrip("="),
    ],
)
def test_key_from_the_environment_in_every_spelling(tmp_path: Path, spelling: str) -> None:
    key = find_key(_env(tmp_path, PRIVATUNE_KEY=spelling), interactive=False)
    assert key.secret == RAW
    assert key.source == "PRIVATUNE_KEY"
    assert not (tmp_path / ".config").exists()


@pytest.mark.parametrize(
    "weak",
    [
        "",
        "hunter2",
        "00" * 32,
        "0123456789abcdef" * 4,
        bytes(range(32)).hex(),
        b"correct horse battery staple now".hex(),
        RAW.hex()[:-2],
        RAW.hex() + "00",
        base64.b64encode(RAW + b"x").decode(),
        "é" * 64,
    ],
)
def test_weak_or_short_keys_are_refused_and_not_repeated(tmp_path: Path, weak: str) -> None:
    with pytest.raises(KeyRefused) as caught:
        find_key(_env(tmp_path, PRIVATUNE_KEY=weak), interactive=True)
    assert not weak or weak not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.exit_code == 2


@given(st.binary(min_size=32, max_size=32))
def test_no_spelling_of_a_key_is_ever_shown(raw: bytes) -> None:
    text = raw.hex()
    try:
        key = find_key({"PRIVATUNE_KEY": text}, interactive=False)
    except KeyRefused as exc:
        shown = str(exc) + repr(exc)
    else:
        shown = repr(key) + str(key) + f"{key}"
        assert key.secret == raw
    assert text not in shown
    assert repr(raw) not in shown


def test_random_keys_are_not_taken_for_weak(tmp_path: Path) -> None:
    for _ in range(2000):
        raw = secrets.token_bytes(32)
        assert find_key(_env(tmp_path, PRIVATUNE_KEY=raw.hex())).secret == raw


def test_a_batch_job_without_a_key_stops_and_makes_none(tmp_path: Path) -> None:
    with pytest.raises(KeyMissing, match=r"PRIVATUNE_KEY .*PRIVATUNE_KEY_FILE") as caught:
        find_key(_env(tmp_path), interactive=False)
    assert caught.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_person_makes_the_home_key_once(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        first = find_key(_env(tmp_path), interactive=True)
    finally:
        os.umask(old)
    assert first.made
    assert first.path == tmp_path / ".config" / "privatune" / "key"
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(first.path.parent.stat().st_mode) == 0o700
    again = find_key(_env(tmp_path), interactive=False)
    assert again.secret == first.secret
    assert not again.made
    assert [one.name for one in first.path.parent.iterdir()] == ["key"]


def test_the_xdg_folder_counts_when_it_is_absolute(tmp_path: Path) -> None:
    key = find_key(_env(tmp_path, XDG_CONFIG_HOME=str(tmp_path / "x")), interactive=True)
    assert key.path == tmp_path / "x" / "privatune" / "key"
    other = find_key(_env(tmp_path, XDG_CONFIG_HOME="relative"), interactive=True)
    assert other.path == tmp_path / ".config" / "privatune" / "key"


def test_many_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: find_key(_env(tmp_path), interactive=True), range(16)))
    assert len({key.secret for key in keys}) == 1
    assert sum(key.made for key in keys) == 1


def test_a_damaged_home_key_is_refused_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / ".config" / "privatune" / "key"
    path.parent.mkdir(parents=True)
    path.touch(mode=0o600)
    with pytest.raises(KeyRefused, match="empty"):
        find_key(_env(tmp_path), interactive=True)
    assert path.read_bytes() == b""


def test_a_dangling_link_is_not_followed_into_a_new_key(tmp_path: Path) -> None:
    path = tmp_path / ".config" / "privatune" / "key"
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(KeyRefused):
        find_key(_env(tmp_path), interactive=True)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620])
def test_a_key_file_that_others_may_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "k"
    path.write_text(RAW.hex())
    path.chmod(mode)
    with pytest.raises(KeyRefused, match="chmod 600"):
        find_key(_env(tmp_path, PRIVATUNE_KEY_FILE=str(path)))
    path.chmod(0o400)
    assert find_key(_env(tmp_path, PRIVATUNE_KEY_FILE=str(path))).secret == RAW


@pytest.mark.parametrize("setting", ["", "nowhere", "folder", "pipe", "binary"])
def test_a_key_file_that_is_no_key_is_refused(tmp_path: Path, setting: str) -> None:
    (tmp_path / "folder").mkdir(mode=0o700)
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "binary").write_bytes(RAW)
    (tmp_path / "binary").chmod(0o600)
    name = str(tmp_path / setting) if setting else ""
    with pytest.raises(KeyRefused):
        find_key(_env(tmp_path, PRIVATUNE_KEY_FILE=name), interactive=True)


def test_two_settings_are_ambiguous(tmp_path: Path) -> None:
    with pytest.raises(KeyRefused, match="unset one"):
        find_key(_env(tmp_path, PRIVATUNE_KEY=RAW.hex(), PRIVATUNE_KEY_FILE="x"))


def test_no_home_at_all_is_a_sentence() -> None:
    with pytest.raises(KeyMissing, match="no home"):
        find_key({}, interactive=True)


def test_a_home_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / ".config").write_text("a file where a folder should be")
    with pytest.raises((KeyMissing, KeyRefused), match="key"):
        find_key(_env(tmp_path), interactive=True)


def test_a_key_with_the_data_or_in_a_repository_is_refused(tmp_path: Path) -> None:
    data, own, out = tmp_path / "data", tmp_path / "own", tmp_path / "prepared"
    for folder in (data, own):
        folder.mkdir()
    (data / "a.jsonl").touch()

    def key(path: Path) -> Key:
        return Key(RAW, "PRIVATUNE_KEY_FILE", path)

    Key(RAW, "PRIVATUNE_KEY").refuse_inside([data, tmp_path])
    key(own / "k").refuse_inside([data / "a.jsonl", data, out])
    for bad, paths in (
        (data / "k", [data / "a.jsonl"]),
        (data / "deep" / "k", [data]),
        (out / "keep" / "k", [out]),
        (own / ".." / "data" / "k", [data]),
    ):
        with pytest.raises(KeyRefused, match="Move it"):
            key(bad).refuse_inside(paths)
    (own / ".git").touch()  # a file in a worktree, a folder elsewhere
    with pytest.raises(KeyRefused, match="repository"):
        key(own / "k").refuse_inside([])
