"""The secret key: found, made once, refused when weak, open or in the wrong place."""

from __future__ import annotations

import base64
import json
import os
import secrets
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import cli
from pipeline.home import Key, KeyMissing, KeyRefused, find_key
from pipeline.rotate import rotate
from tests.conftest import write_rows
from tests.pipeline.rows import chat
from tests.pipeline.runs import configure, prep, texts

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
    (tmp_path / "b.jsonl").touch()

    def key(path: Path) -> Key:
        return Key(RAW, "PRIVATUNE_KEY_FILE", path)

    Key(RAW, "PRIVATUNE_KEY").refuse_inside([data, tmp_path])
    key(own / "k").refuse_inside([data / "a.jsonl", data, out])
    Key(RAW, "home", data / ".config" / "k").refuse_inside([data / "a.jsonl"])
    for bad, paths in (
        (data / "k", [data / "a.jsonl"]),
        (data / "keys" / "k", [data / "a.jsonl"]),
        (tmp_path / "own" / "k", [tmp_path / "data" / ".." / "b.jsonl"]),
        (data / "deep" / "k", [data]),
        (out / "keep" / "k", [out]),
        (own / ".." / "data" / "k", [data]),
    ):
        with pytest.raises(KeyRefused, match="Move it"):
            key(bad).refuse_inside(paths)
    (own / ".git").touch()  # a file in a worktree, a folder elsewhere
    with pytest.raises(KeyRefused, match="repository"):
        key(own / "k").refuse_inside([])


# epochs

OLD = bytes.fromhex("c41e7a90d35f28b6014d9be2f8763ca55029ee714fb8d1630a97c24d5b86ef13")
FIRST, SECOND = f"1 {OLD.hex()}", f"2 {RAW.hex()}"


def key_file(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    "text",
    [
        f"{FIRST}\n{SECOND}\n",
        f"{SECOND}\r\n\r\n  {FIRST}  ",
        f"1:{OLD.hex()},2:{RAW.hex()}",
        f"1: {base64.b64encode(OLD).decode()} ,\n2:{RAW.hex().upper()}",
        f"0001\t{OLD.hex()}\n2:{base64.urlsafe_b64encode(RAW).decode()}",
    ],
)
@pytest.mark.parametrize("place", ["file", "setting"])
def test_several_epochs_in_every_spelling(tmp_path: Path, text: str, place: str) -> None:
    env = {"PRIVATUNE_KEY": text}
    if place == "file":
        env = {"PRIVATUNE_KEY_FILE": str(key_file(tmp_path / "k", text))}
    key = find_key(_env(tmp_path, **env))
    assert (key.epoch, key.secret) == (2, RAW)
    assert [(one.epoch, one.secret) for one in key.all()] == [(1, OLD), (2, RAW)]
    assert key.at(None) == key
    assert key.at(1).secret == OLD
    assert key.at(1).all() == key.all()
    named = key.named(key.at(1).id)
    assert named is not None
    assert named.epoch == 1
    assert key.named("0" * 16) is None
    assert OLD.hex() not in repr(key)
    assert repr(OLD) not in repr(key)


def test_one_bare_key_is_epoch_one_and_one_line_may_have_another(tmp_path: Path) -> None:
    assert find_key(_env(tmp_path, PRIVATUNE_KEY=RAW.hex())).epoch == 1
    assert find_key(_env(tmp_path, PRIVATUNE_KEY=f"7:{RAW.hex()}")).epoch == 7


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{OLD.hex()}\n{RAW.hex()}", "key 1 of 2, has no epoch"),
        (f"{FIRST}\n{RAW.hex()}", "key 2 of 2, has no epoch"),
        (f"{FIRST}\n1 {RAW.hex()}", "key 2 of 2, has the epoch of another"),
        (f"0 {RAW.hex()}", "or 0"),
        (f"{FIRST}\n2 {OLD.hex()}", "is another one again"),
        (f"{FIRST}\n2 {'00' * 32}", "key 2 of 2, is not random"),
        (f"{FIRST}\n2 {RAW.hex()[:-1]}", "key 2 of 2, is not a key"),
        (f"{FIRST} # the old one\n{SECOND}", "key 1 of 2, has no epoch"),
        (",\n,", "is not a key"),
    ],
)
def test_epochs_that_cannot_be_told_apart_are_refused(
    tmp_path: Path, text: str, words: str
) -> None:
    for env in (
        {"PRIVATUNE_KEY": text},
        {"PRIVATUNE_KEY_FILE": str(key_file(tmp_path / "k", text))},
    ):
        with pytest.raises(KeyRefused, match=words) as caught:
            find_key(_env(tmp_path, **env))
        for secret in (OLD.hex(), RAW.hex()):
            assert secret[:16] not in str(caught.value)


def test_a_file_larger_than_keys_are_is_refused_not_cut(tmp_path: Path) -> None:
    path = key_file(tmp_path / "k", f"{FIRST}\n{SECOND}\n" + "\n" * (1 << 16))
    with pytest.raises(KeyRefused, match="too large"):
        find_key(_env(tmp_path, PRIVATUNE_KEY_FILE=str(path)))


def test_an_epoch_that_is_not_here_is_a_sentence(tmp_path: Path) -> None:
    key = find_key(_env(tmp_path, PRIVATUNE_KEY=f"1:{OLD.hex()},2:{RAW.hex()}"))
    with pytest.raises(KeyRefused, match=r"no key of epoch 3.*PRIVATUNE_KEY has 1, 2"):
        key.at(3)


# rotation


def test_rotation_adds_an_epoch_and_keeps_the_old_ones(tmp_path: Path) -> None:
    env = _env(tmp_path)
    first = find_key(env, interactive=True)
    assert first.path is not None
    first.path.chmod(0o400)
    shown = rotate(env)
    assert [epoch for epoch, _ in shown.epochs] == [1, 2]
    assert shown.epochs[0] == (1, first.id)
    second = find_key(env)
    assert (second.epoch, second.at(1).secret) == (2, first.secret)
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    assert [one.name for one in first.path.parent.iterdir()] == ["key"]
    assert [epoch for epoch, _ in rotate(env).epochs] == [1, 2, 3]
    assert find_key(env).at(2).secret == second.secret
    for text in (shown.as_text(), shown.as_json(), repr(shown)):
        assert first.secret.hex() not in text
        assert second.secret.hex() not in text


def test_rotation_goes_to_the_named_file_and_through_links(tmp_path: Path) -> None:
    target = key_file(tmp_path / "real" / "k", RAW.hex())
    link = tmp_path / "link"
    link.symlink_to(target)
    env = _env(tmp_path, PRIVATUNE_KEY_FILE=str(link))
    rotate(env)
    assert link.is_symlink()
    assert target.read_text().startswith(f"1 {RAW.hex()}\n2 ")
    assert find_key(env).epoch == 2


def test_rotations_at_once_lose_no_epoch(tmp_path: Path) -> None:
    env = _env(tmp_path)
    find_key(env, interactive=True)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: rotate(env), range(12)))
    assert [one.epoch for one in find_key(env).all()] == list(range(1, 14))


def test_rotation_is_refused_where_it_cannot_be_done(tmp_path: Path) -> None:
    with pytest.raises(KeyRefused, match="1:OLD,2:NEW") as caught:
        rotate(_env(tmp_path, PRIVATUNE_KEY=RAW.hex()))
    assert RAW.hex() not in str(caught.value)
    with pytest.raises(KeyMissing):
        rotate(_env(tmp_path))
    path = key_file(tmp_path / "repo" / "k", RAW.hex())
    (tmp_path / "repo" / ".git").mkdir()
    with pytest.raises(KeyRefused, match="repository"):
        rotate(_env(tmp_path, PRIVATUNE_KEY_FILE=str(path)))
    assert path.read_text() == RAW.hex()


@pytest.mark.skipif(os.geteuid() == 0, reason="folders are never read-only to root")
def test_a_file_that_cannot_be_replaced_is_a_sentence(tmp_path: Path) -> None:
    path = key_file(tmp_path / "ro" / "k", RAW.hex())
    path.parent.chmod(0o500)
    try:
        with pytest.raises(KeyRefused, match="cannot be replaced"):
            rotate(_env(tmp_path, PRIVATUNE_KEY_FILE=str(path)))
    finally:
        path.parent.chmod(0o700)
    assert path.read_text() == RAW.hex()


# the verbs, and a data set that is older than the newest key


@pytest.fixture
def rotated(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set made with epoch 1, after which the key was rotated."""
    monkeypatch.delenv("PRIVATUNE_KEY")
    path = key_file(work / "own" / "k", RAW.hex())
    monkeypatch.setenv("PRIVATUNE_KEY_FILE", str(path))
    (work / "data").mkdir()
    write_rows(work / "data" / "rows.jsonl", [chat(n) for n in range(4)])
    configure(["data/rows.jsonl"], "first", privacy={"dataset": "one"})
    assert prep() == 0
    assert cli.run(["key", "rotate"]) == 0
    return work


def _manifest(out: str) -> dict[str, object]:
    return json.loads(Path(out, "ship", "manifest.json").read_text())  # type: ignore[no-any-return]


def test_check_finds_the_key_by_its_id_after_a_rotation(
    rotated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _manifest("first")["key_epoch"] == 1
    assert _manifest("first")["key_id"] == find_key().at(1).id
    capsys.readouterr()
    assert cli.run(["check", "first"]) == 0
    assert "with keep and key" in capsys.readouterr().out
    key_file(rotated / "own" / "k", f"2 {find_key().secret.hex()}")
    assert cli.run(["check", "first"]) == 0
    told = capsys.readouterr().out
    assert "tier reached: with keep;" in told
    assert "another one" in told


def test_an_older_set_can_be_added_to_and_a_new_one_takes_the_newest(rotated: Path) -> None:
    configure(["data/rows.jsonl"], "again", privacy={"dataset": "one", "key_epoch": 1})
    assert prep() == 0
    configure(["data/rows.jsonl"], "new", privacy={"dataset": "one"})
    assert prep() == 0
    assert texts("again") == texts("first")
    assert not set(texts("new")) & set(texts("first"))
    assert _manifest("again")["key_epoch"] == 1
    assert _manifest("new")["key_epoch"] == 2
    assert cli.run(["check", "new", "--quiet"]) == 0


def test_an_epoch_that_nobody_has_stops_prep(
    rotated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(["data/rows.jsonl"], "other", privacy={"key_epoch": 9})
    assert prep() == 2
    assert "no key of epoch 9" in capsys.readouterr().err


def test_the_verbs_show_ids_and_never_a_key(
    rotated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert cli.run(["key", "show"]) == 0
    assert cli.run(["key", "show", "--json"]) == 0
    assert cli.run(["key", "rotate", "--json"]) == 0
    told = capsys.readouterr()
    ring = find_key().all()
    assert len(ring) == 3
    for one in ring:
        assert one.id in told.out
        assert one.secret.hex()[:12] not in told.out + told.err
    assert str(rotated / "own" / "k") in told.out


def test_show_makes_no_key(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRIVATUNE_KEY")
    assert cli.run(["key", "show"]) == 2
    assert list(Path(os.environ["HOME"]).iterdir()) == []


def test_an_audit_ties_its_findings_to_the_epoch_that_prep_takes(
    rotated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(["data/rows.jsonl"], "again", privacy={"dataset": "one", "key_epoch": 1})
    capsys.readouterr()
    assert cli.run(["audit", "data/rows.jsonl", "--fast", "--json"]) == 1
    Path("found.json").write_text(capsys.readouterr().out)
    assert json.loads(Path("found.json").read_text())["key_id"] == find_key().at(1).id
    assert prep("--findings", "found.json") == 0
