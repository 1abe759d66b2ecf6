"""Copies of a key beside the data: each spelling, each place, and what is left alone."""

from __future__ import annotations

import base64
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pipeline import cli
from pipeline.config import load
from pipeline.home import Key, KeyRefused
from pipeline.stray import MAX_FILE, folders_of, refuse_copies
from pipeline.vault import new_key, public_key
from tests.conftest import KEY, Run, write_rows
from tests.pipeline.rows import plain
from tests.pipeline.runs import configure, prep

RAW = bytes.fromhex(KEY)
OLD = bytes.fromhex("07ab5c9d3e1f7062b4c8d9e0f1a2b3c4d5e6f70819a2b3c4d5e6f7081928374a")
RING = Key(RAW, "home", epoch=2, ring=((1, OLD), (2, RAW)))
STANDARD = base64.b64encode(RAW).decode()
SPELLINGS = {
    "hex": KEY,
    "upper": KEY.upper(),
    "mixed": KEY[:32].upper() + KEY[32:],
    "base64": STANDARD,
    "url": base64.urlsafe_b64encode(RAW).decode(),
    "bare": STANDARD.rstrip("="),
    "spare-bits": STANDARD[:42] + chr(ord(STANDARD[42]) + 1),
    "old-epoch": OLD.hex(),
}
FILES = {
    ".env": "PRIVATUNE_KEY={}\n",
    "job.yaml": "env:\n  - name: PRIVATUNE_KEY\n    value: '{}'\n",
    "notes.txt": "the key is 2:{}, do not lose it",
    "secret": "{}",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", FILES)
def test_every_spelling_in_every_file_is_found_and_not_repeated(
    tmp_path: Path, name: str, spelling: str
) -> None:
    (tmp_path / "big.bin").write_bytes(os.urandom(1 << 17))
    text = FILES[name].format(SPELLINGS[spelling])
    (tmp_path / name).write_text(text)
    with pytest.raises(KeyRefused) as caught:
        refuse_copies(RING, [tmp_path])
    assert str(caught.value).startswith(f"{tmp_path / name}: holds a copy of the secret key")
    assert SPELLINGS[spelling][:20].lower() not in str(caught.value).lower()


def test_a_file_in_utf_16_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "set.ps1").write_text(f"$env:PRIVATUNE_KEY='{KEY}'", encoding="utf-16")
    with pytest.raises(KeyRefused):
        refuse_copies(RING, [tmp_path])


def test_spare_bits_are_a_spelling_that_is_taken(tmp_path: Path) -> None:
    from pipeline.home import find_key

    taken = find_key({"HOME": str(tmp_path), "PRIVATUNE_KEY": SPELLINGS["spare-bits"]})
    assert taken.secret == RAW


def test_what_holds_no_key_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other").write_text(KEY[:-1] + "0")
    (tmp_path / "id").write_text(RING.id)
    (tmp_path / "large.txt").write_text(KEY + " " * MAX_FILE)  # bounded: said in the documents
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "k").write_text(KEY)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "closed").write_text("x")
    (tmp_path / "closed").chmod(0)
    refuse_copies(RING, [tmp_path, tmp_path / "not-there"])


def test_a_large_configuration_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "privatune.yaml").write_text("# " + "x" * MAX_FILE + f"\n# {KEY}\n")
    with pytest.raises(KeyRefused, match=r"privatune\.yaml"):
        refuse_copies(RING, [tmp_path])


def test_the_private_key_of_the_vault_is_found_and_no_other(tmp_path: Path) -> None:
    away, data = tmp_path / "away", tmp_path / "data"
    away.mkdir()
    data.mkdir()
    vault, other = new_key(away / "v"), new_key(away / "w")
    curve = generate_private_key(SECP256R1())
    pem = curve.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    (data / "keys.txt").write_text(pem + (away / "w").read_text() + vault.read_text())
    (data / "half").write_text((away / "v").read_text()[:60])
    refuse_copies(RING, [data], public_key(vault))
    (data / "keys.txt").write_text(f"{pem}\nvault:\n{(away / 'v').read_text()}")
    with pytest.raises(KeyRefused, match="private key of the vault") as caught:
        refuse_copies(RING, [data], public_key(vault))
    assert (away / "v").read_text().splitlines()[1] not in str(caught.value)
    refuse_copies(RING, [data], public_key(other))


PLACES = {
    "data": "data/.env",
    "data-below": "data/2026/k",
    "output": "results/.env",
    "configuration": "conf/.env",
    "repository-of-data": ".env",
}


@pytest.fixture
def project(work: Path) -> Path:
    for name in ("data/2026", "results", "conf"):
        (work / name).mkdir(parents=True)
    write_rows(work / "data" / "a.jsonl", [plain(n) for n in range(3)])
    write_rows(work / "data" / "2026" / "b.jsonl", [plain(n) for n in range(3, 6)])
    (work / "conf" / "privatune.yaml").write_text(
        "data: {inputs: [../data], output: ../results/out}\nprivacy: {detectors: [rules]}\n"
    )
    (work / ".git").mkdir()
    return work


@pytest.mark.parametrize("place", PLACES)
def test_prep_refuses_a_copy_wherever_it_would_travel(
    project: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / PLACES[place]).write_text(f"export PRIVATUNE_KEY={KEY}\n")
    assert cli.run(["prep", "--quiet", "--config", "conf/privatune.yaml"]) == 2
    told = capsys.readouterr().err
    assert str((project / PLACES[place]).resolve()) in told
    assert "privatune key rotate" in told
    assert KEY not in told
    assert not (project / "results" / "out").exists()
    (project / PLACES[place]).unlink()
    assert cli.run(["prep", "--quiet", "--config", "conf/privatune.yaml"]) == 0


def test_the_folders_are_each_named_once(project: Path) -> None:
    config = load(project / "conf" / "privatune.yaml")
    files = [project / "data" / "a.jsonl", project / "data" / "2026" / "b.jsonl"]
    names = ["results", "conf", "data", "data/2026", "."]
    assert folders_of(config, files) == [(project / name).resolve() for name in names]


def test_a_key_file_beside_the_configuration_is_to_be_moved(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (work / "data").mkdir()
    write_rows(work / "data" / "rows.jsonl", [plain(n) for n in range(3)])
    configure(["data/rows.jsonl"])
    (work / "k").write_text(KEY)
    (work / "k").chmod(0o600)
    monkeypatch.delenv("PRIVATUNE_KEY")
    monkeypatch.setenv("PRIVATUNE_KEY_FILE", "k")
    assert prep() == 2
    assert "Move it" in capsys.readouterr().err
    (work / "own").mkdir()
    (work / "k").rename(work / "own" / "k")
    monkeypatch.setenv("PRIVATUNE_KEY_FILE", "own/k")
    assert prep() == 0


def test_check_refuses_a_key_in_the_prepared_folder(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(work / "rows.jsonl", [plain(n) for n in range(3)])
    configure(["rows.jsonl"])
    assert prep() == 0
    (work / "out" / "keep" / "key.txt").write_text(KEY)
    assert cli.run(["check", "out"]) == 2
    assert "key.txt: holds a copy" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["key", "salt", "secret", "privatune_key", "hash-key"])
def test_a_literal_key_in_the_configuration_is_refused_with_the_way_out(
    work: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for body in (f"privacy: {{{name}: {OLD.hex()}}}", f"{name}: {OLD.hex()}"):
        (work / "privatune.yaml").write_text(body + "\n")
        assert prep() == 2
        told = capsys.readouterr().err
        assert "never stands in this file" in told
        assert "PRIVATUNE_KEY_FILE" in told
        assert OLD.hex() not in told


@pytest.mark.slow
def test_a_real_repository_and_its_worktree(tmp_path: Path, command: Callable[..., Run]) -> None:
    """Data in a worktree: its root has a file `.git`, and it is the root that is searched."""

    def git(*words: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@x.example"]
        subprocess.run(
            ["git", *who, *words], cwd=tmp_path / "main", check=True, capture_output=True
        )

    (tmp_path / "main").mkdir()
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    git("worktree", "add", "-q", "../tree")
    deep = tmp_path / "tree" / "sets" / "june"
    deep.mkdir(parents=True)
    write_rows(deep / "rows.jsonl", [plain(n) for n in range(3)])
    (tmp_path / "tree" / ".env").write_text(f"PRIVATUNE_KEY='{KEY.upper()}'\n")
    (tmp_path / "elsewhere").mkdir()
    arguments = ("prep", "--input", str(deep / "rows.jsonl"), "--output", "elsewhere/out")
    done = command(*arguments)
    assert done.returncode == 2
    assert "tree/.env" in done.stderr
    assert KEY.lower() not in done.stderr.lower()
