"""The vault: written by who cannot read it, opened by its own key, whole or not at all."""

from __future__ import annotations

import json
import os
import pty
import resource
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from pipeline import cli
from pipeline.places import place_of
from pipeline.vault import NAME, private_key, public_key, writing
from scrubbers.jsontext import leaves
from scrubbers.lockbox import unlocked
from tests.conftest import Run, write_rows
from tests.pipeline.rows import IDENTIFIERS, WORD, chat, plain
from tests.pipeline.runs import configure, prep, rows, seal_again, shipped

VAULT = Path("out/keep", NAME)
# Escapes, JSON inside JSON, a key that holds a finding, a number, and what no terminal should print.
ODD: list[object] = [
    {"prompt": 'Write to "zqcanary1@mail.example"\n\u001b[31m\U0001f600', "completion": "Yes."},
    {"prompt": json.dumps({"to": ["zqcanary2@mail.example"]}), "completion": '{"a": 1}'},
    {"prompt": "Card", "completion": {"zqcanary3@mail.example": "x", "card": 4111111111111111}},
]


@pytest.fixture
def vault(work: Path) -> Path:
    """Data, a configuration with a vault, and its private key elsewhere; the key's path."""
    (work / "data").mkdir()
    (work / "safe").mkdir()
    write_rows(work / "data" / "rows.jsonl", [*ODD, *(chat(n) for n in range(6)), plain(1)])
    assert cli.run(["vault", "new-key", "safe/v", "--quiet"]) == 0
    configure(["data/rows.jsonl"], privacy={"vault": "safe/v.pub"})
    return work / "safe" / "v"


def opened(*more: str, to: str = "safe/originals.jsonl") -> list[dict[str, Any]]:
    """The rows of the vault, by the command."""
    Path(to).unlink(missing_ok=True)
    arguments = ["vault", "open", "out", "--key", "safe/v", "--output", to, "--quiet", *more]
    assert cli.run(arguments) == 0
    assert stat.S_IMODE(Path(to).stat().st_mode) == 0o600
    return [json.loads(line) for line in Path(to).read_text(encoding="ascii").splitlines()]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and words of a refusal, which shows no original."""
    capsys.readouterr()
    code = cli.run(["vault", *arguments])
    told = capsys.readouterr()
    assert WORD not in (told.out + told.err).lower()
    return code, told.err


def test_the_vault_has_every_original_and_its_place(vault: Path) -> None:
    assert prep() == 0
    found = opened()
    edits = rows("edits.jsonl")
    assert len(found) == len(edits) > 30
    same = ("split", "record", "path", "inner", "kind", "start", "end", "type")
    for row, edit in zip(found, edits, strict=True):
        assert {k: row.get(k) for k in same} == {k: edit.get(k) for k in same}
    values = {*IDENTIFIERS, "zqcanary1@mail.example", "zqcanary3@mail.example", "4111111111111111"}
    assert {row["original"] for row in found} >= values - {"zqcanary@mail.example"}


def test_the_originals_put_back_give_the_input(vault: Path) -> None:
    """What re-identification is; in JSON inside strings the span covers the escaped form."""
    assert prep() == 0
    given = Path("data/rows.jsonl").read_text().splitlines()
    sources = {(r["split"], r["record"]): r["source"]["record"] for r in rows("lineage.jsonl")}
    found = opened()
    count = 0
    for (split, record), number in sources.items():
        mine = [r for r in found if (r["split"], r["record"]) == (split, record)]
        new, old = leaves(shipped()["rows.jsonl", number]), leaves(given[number - 1])
        for leaf, before in zip(new, old, strict=True):
            place = place_of(leaf)
            put = [r for r in mine if r["kind"] == leaf.kind and place.items() <= r.items()]
            text = leaf.text
            for row in sorted(put, key=lambda r: -r["start"]) if "inner" not in place else ():
                assert text[row["start"] : row["end"]] == row["surrogate"]
                text = text[: row["start"]] + row["original"] + text[row["end"] :]
            if "inner" not in place and leaf.kind != "key":
                assert text == before.text
                count += len(put)
            else:
                assert all(r["original"] in before.text for r in put)
    assert count > 20


def test_no_original_is_in_the_file_in_any_clear_form(vault: Path) -> None:
    assert prep() == 0
    data = VAULT.read_bytes().lower()
    for value in (WORD, *IDENTIFIERS, "surrogate", "messages"):
        for form in ("utf-8", "utf-16-le"):
            assert value.lower().encode(form) not in data
    assert stat.S_IMODE(VAULT.stat().st_mode) == 0o600
    for path in Path().rglob("*"):
        clear = path.name == "rows.jsonl" or path.parent.name == "ship"
        if path.is_file() and not clear:
            assert WORD.encode() not in path.read_bytes().lower(), path


def test_the_set_is_the_same_with_and_without_a_vault(vault: Path) -> None:
    assert prep() == 0
    configure(["data/rows.jsonl"], "plain", privacy={"dataset": "out"})
    assert prep() == 0
    for name in ("train.jsonl", "holdout.jsonl"):
        assert Path("out/ship", name).read_bytes() == Path("plain/ship", name).read_bytes()
    assert not Path("plain/keep", NAME).exists()
    manifests = [json.loads(Path(o, "ship/manifest.json").read_text()) for o in ("out", "plain")]
    assert [m["privacy"]["vault"] for m in manifests] == [True, False]


def test_one_split_or_one_record_is_asked_for(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prep() == 0
    whole = opened()
    train = [row for row in whole if row["split"] == "train"]
    assert opened("--split", "train") == train
    number = str(train[-1]["record"])
    one = opened("--split", "train", "--record", number)
    assert one == [row for row in train if str(row["record"]) == number]
    assert opened("--split", "train", "--record", "9999") == []
    arguments = ("open", "out", "--key", "safe/v", "--output", "-", "--record", number)
    code, told = refused(capsys, *arguments)
    assert code == 2
    assert "--split train" in told


def test_check_covers_the_vault_like_the_other_books(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prep() == 0
    assert cli.run(["check", "out"]) == 0
    VAULT.write_bytes(VAULT.read_bytes()[:-1])
    assert cli.run(["check", "out"]) == 1
    assert NAME in capsys.readouterr().err


# refusals


OPEN = ("open", "out", "--key", "safe/v", "--output", "safe/o.jsonl")


def test_another_key_is_told_from_a_broken_file(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prep() == 0
    assert cli.run(["vault", "new-key", "safe/w", "--quiet"]) == 0
    code, told = refused(capsys, "open", "out", "--key", "safe/w", "--output", "safe/o.jsonl")
    assert code == 2
    assert "locked for another" in told
    assert not Path("safe/o.jsonl").exists()


def _cut(data: bytes) -> bytes:
    return data[:-20]


def _flip(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def _empty(data: bytes) -> bytes:
    return data[:0]


@pytest.mark.parametrize("change", [_cut, _flip, _empty])
@pytest.mark.parametrize("signed", [False, True])
def test_a_changed_vault_shows_nothing(
    vault: Path, capsys: pytest.CaptureFixture[str], change: Callable[[bytes], bytes], signed: bool
) -> None:
    """Also where the manifest was signed again, as only the owner of the secret key could."""
    assert prep() == 0
    VAULT.write_bytes(change(VAULT.read_bytes()))
    if signed:
        seal_again()
    code, told = refused(capsys, *OPEN)
    assert code == 1
    assert str(VAULT) in told
    assert "copy" in told
    assert not Path("safe/o.jsonl").exists()
    code, _ = refused(capsys, "open", "out", "--key", "safe/v", "--output", "-")
    assert code == 1


def test_the_vault_of_another_set_is_not_taken(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prep() == 0
    assert prep("--output", "second") == 0
    shutil.copyfile(Path("second/keep", NAME), VAULT)
    code, told = refused(capsys, *OPEN)
    assert code == 1
    assert "changed after" in told


def test_a_folder_without_a_vault_and_no_folder(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(["data/rows.jsonl"])
    assert prep() == 0
    code, told = refused(capsys, *OPEN)
    assert (code, "without `privacy.vault`" in told) == (2, True)
    code, _ = refused(capsys, "open", "nowhere", "--key", "safe/v", "--output", "-")
    assert code == 2


def test_originals_go_to_no_pipe_unasked_and_to_no_place_that_travels(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prep() == 0
    code, told = refused(capsys, *OPEN[:4])
    assert (code, "no terminal" in told) == (2, True)
    Path("repo/.git").mkdir(parents=True)
    for place in ("out/ship/o.jsonl", "out/o.jsonl", "repo/o.jsonl"):
        code, told = refused(capsys, *OPEN[:4], "--output", place)
        assert (code, "would travel" in told) == (2, True)
        assert not Path(place).exists()
    Path("safe/o.jsonl").write_text("mine")
    code, told = refused(capsys, *OPEN)
    assert (code, "never overwritten" in told) == (2, True)
    assert Path("safe/o.jsonl").read_text() == "mine"
    code, told = refused(capsys, *OPEN[:4], "--output", "gone/o.jsonl")
    assert (code, "cannot be made" in told) == (2, True)


def test_a_terminal_gets_the_rows(vault: Path) -> None:
    assert prep() == 0
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *("vault", *OPEN[:4], "--split", "train")],
        stdout=theirs, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(theirs)
    said = os.read(ours, 1 << 20)
    os.close(ours)
    assert done.returncode == 0, done.stderr
    assert b"zqcanary" in said
    assert b"\x1b" not in said  # an original cannot steer the terminal


def test_a_key_that_others_may_read_or_that_lies_in_the_folder_is_refused(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prep() == 0
    vault.chmod(0o640)
    code, told = refused(capsys, *OPEN)
    assert (code, "chmod 600" in told) == (2, True)
    vault.chmod(0o600)
    inside = vault.rename("out/keep/v")
    code, told = refused(capsys, "open", "out", "--key", str(inside), "--output", "safe/o.jsonl")
    assert (code, "travel" in told) == (2, True)


def test_files_that_are_no_key_are_told_apart(tmp_path: Path) -> None:
    curve, own = generate_private_key(SECP256R1()), X25519PrivateKey.generate()
    pem, form = Encoding.PEM, PrivateFormat.PKCS8
    contents = {
        "text": b"not a key",
        "curve": curve.private_bytes(pem, form, NoEncryption()),
        "locked": own.private_bytes(pem, form, BestAvailableEncryption(b"pass phrase")),
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o600)
        for read in (private_key, public_key):
            with pytest.raises(Exception, match=name) as caught:
                read(tmp_path / name)
            assert type(caught.value).__name__ == "VaultKeyError"
            assert caught.value.__cause__ is None


# the keys


def test_new_keys_are_private_and_never_overwritten(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (work / "safe").mkdir()
    old = os.umask(0)
    try:
        assert cli.run(["vault", "new-key", "safe/v"]) == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE(Path("safe/v").stat().st_mode) == 0o600
    secret = Path("safe/v").read_bytes()
    assert secret.splitlines()[1].decode() not in capsys.readouterr().out
    assert private_key(Path("safe/v")).public_key() == public_key(Path("safe/v.pub"))
    code, told = refused(capsys, "new-key", "safe/v")
    assert (code, "never overwritten" in told) == (2, True)
    assert Path("safe/v").read_bytes() == secret
    Path("safe/w.pub").write_text("mine")
    code, _ = refused(capsys, "new-key", "safe/w")
    assert code == 2
    assert not Path("safe/w").exists()
    assert Path("safe/w.pub").read_text() == "mine"


@pytest.mark.parametrize("place", ["data/v", "out/v", "v", "repo/deep/v"])
def test_a_private_key_is_not_made_where_it_would_travel(
    vault: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("repo/.git").mkdir(parents=True)
    Path(place).parent.mkdir(exist_ok=True)
    code, _ = refused(capsys, "new-key", place)
    assert code == 2
    assert not Path(place).exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [("safe/v", "this is a private key"), ("data/rows.jsonl", "is not a vault's public key")],
)
def test_prep_takes_a_public_key_and_nothing_else(
    vault: Path, name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(["data/rows.jsonl"], privacy={"vault": name})
    assert prep() == 2
    told = capsys.readouterr().err
    assert words in told
    assert WORD not in told.lower()
    assert not Path(".out.partial").exists()


def test_prep_refuses_the_private_key_beside_the_data(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copyfile(vault, "data/backup")
    assert prep() == 2
    assert "data/backup: holds the private key of the vault" in capsys.readouterr().err


# what breaks


@pytest.mark.parametrize(
    "stage",
    ["pipeline.write.one_line", "pipeline.writer._originals", "pipeline.vault.json.dumps",
     "pipeline.prep.judge", "pipeline.folder.seal", "scrubbers.lockbox.Lockbox._put",
     "scrubbers.lockbox.Lockbox.close"],
)  # fmt: skip
def test_a_stage_that_breaks_leaves_no_clear_text(
    vault: Path, stage: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*arguments: object, **more: object) -> object:
        raise ValueError(f"zqcanary@mail.example in {arguments!r}")

    with monkeypatch.context() as patched:
        patched.setattr(stage, broken)
        assert cli.run(["prep"]) in (1, 3)
    assert not Path("out").exists()
    told = capsys.readouterr()
    assert WORD not in (told.out + told.err).lower()
    for path in Path().rglob("*"):
        if path.is_file() and path.name != "rows.jsonl" and path.parent.name != "ship":
            data = path.read_bytes().lower()
            assert WORD.encode() not in data, path
    assert not list(Path().glob(f"out.refused/{NAME}"))
    assert prep() == 0  # and the same command goes on
    assert len(opened()) == len(rows("edits.jsonl"))


def test_a_refused_run_leaves_no_vault(vault: Path) -> None:
    configure(
        ["data/rows.jsonl"], privacy={"vault": "safe/v.pub"}, contract={"required_fields": ["nope"]}
    )
    assert prep() == 1
    assert Path("out.refused").is_dir()
    assert not list(Path().rglob(NAME))


@pytest.mark.slow
def test_a_killed_run_leaves_a_vault_that_no_key_takes_for_a_whole_one(
    vault: Path, command: Callable[..., Run]
) -> None:
    """Killed in the writing pass, with rows of more than one chunk already locked away."""
    code = (
        "import os, pipeline.writer as w; n = [0]; old = w.Writer.write\n"
        "def write(self, outcome):\n"
        "    old(self, outcome); n[0] += 1\n"
        "    if n[0] == 500: os.kill(os.getpid(), 9)\n"
        "w.Writer.write = write\n"
        "import pipeline.cli; pipeline.cli.run(['prep', '--quiet'])\n"
    )
    write_rows(Path("data/rows.jsonl"), [chat(n) for n in range(600)])
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == -9
    left = Path(".out.partial/new/keep", NAME)
    assert left.stat().st_size > 1 << 16
    assert WORD.encode() not in left.read_bytes().lower()
    with left.open("rb") as file, pytest.raises(Exception, match="cut or missing"):
        list(unlocked(file, private_key(vault)))
    assert prep() == 0
    assert len(opened()) == len(rows("edits.jsonl"))


def test_memory_does_not_grow_with_the_vault(tmp_path: Path) -> None:
    """60 MB of rows, each larger than many chunks."""
    path, key = tmp_path / NAME, X25519PrivateKey.generate()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    long = "x" * (1 << 21)
    with writing(path, key.public_key()) as lock:
        for number in range(30):
            lock({"record": number, "original": long})
    with path.open("rb") as file:
        total = sum(len(piece) for piece in unlocked(file, key))
    assert total > 30 << 21
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 << 10  # KiB
