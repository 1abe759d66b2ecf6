"""`pull` against a real server on loopback, and from local folders. Nothing is stood in for."""

import hashlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.hub import Listed, NoRoom, PullError, PullRefused
from pipeline.pull import pull
from pipeline.pulled import choose
from tests.conftest import ROOT
from tests.model_files import weights, write_model, write_weights
from tests.pipeline.hub_server import COMMIT, git_hash, hub
from trainer.model_folder import ModelFolderError, model_hash, read_model
from trainer.tokenizer import load_tokenizer

TOKEN = "hf_" + "t" * 20


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    """Tokens wherever these libraries look for one, and offline switches: none may count."""
    home = tmp_path / "home"
    (home / ".cache/huggingface").mkdir(parents=True)
    (home / ".cache/huggingface/token").write_text(TOKEN)
    (home / ".netrc").write_text(f"machine 127.0.0.1 login someone password {TOKEN}\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_USER_AGENT_ORIGIN"):
        monkeypatch.setenv(name, TOKEN)
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DEBUG"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HUB_DISABLE_TELEMETRY", "0")
    monkeypatch.delenv("CI", raising=False)
    return home


@pytest.fixture
def model(tmp_path):
    folder = write_model(tmp_path / "src", shards=2)
    (folder / "LICENSE").write_text("as you like\n")
    (folder / "README.md").write_text("# Tiny\n")
    for name in ("modeling_tiny.py", "pytorch_model.bin", "consolidated.safetensors", "tiny.gguf"):
        (folder / name).write_bytes(b"not to be brought" * 100)
    return folder


BROUGHT = [
    "LICENSE", "README.md", "config.json", "model-00001-of-00002.safetensors",
    "model-00002-of-00002.safetensors", "model.safetensors.index.json", "tokenizer.json",
    "tokenizer_config.json",
]  # fmt: skip


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def big(folder):
    """A weight file of several pieces."""
    more = np.random.default_rng(1).normal(0, 1, 2_000_000).astype("float16")
    write_weights(folder, weights() | {"model.more.weight": more})
    return folder


def test_a_model_comes_whole_and_with_nothing_else(model, tmp_path):
    with hub(model) as server:
        pulled = pull("acme/tiny", tmp_path / "out", source=server.address)
    assert names(tmp_path / "out") == sorted([*BROUGHT, "pull.json"])
    for name in BROUGHT:
        assert (tmp_path / "out" / name).read_bytes() == (model / name).read_bytes()
        assert not (tmp_path / "out" / name).is_symlink()
    read = read_model(tmp_path / "out")
    assert (read.name, model_hash(read)) == ("acme/tiny", pulled.hash)
    assert load_tokenizer(read.root).eos_token == "<|im_end|>"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "out", "src"]


def test_what_leaves_is_the_id_and_nothing_more(model, tmp_path, surroundings):
    before = sorted(surroundings.rglob("*"))
    with hub(model) as server:
        pull("acme/tiny", tmp_path / "out", source=server.address)
        time.sleep(0.3)  # telemetry would come late, from a thread
    api, at = "/api/models/acme/tiny", f"/acme/tiny/resolve/{COMMIT}/"
    tree = f"{api}/tree/{COMMIT}"
    assert sorted(server.paths()) == sorted(
        [f"{api}/revision/main", tree, tree, *(at + name for name in BROUGHT)]
    )
    assert server.paths("HEAD") == server.paths("POST") == []
    for _, _, headers in server.asked:
        assert "authorization" not in headers
        assert headers["user-agent"] == "privatune"
        assert TOKEN not in str(headers)
    assert sorted(surroundings.rglob("*")) == before


def test_without_our_care_the_library_would_tell_more(model, monkeypatch):
    """The control of the test above: the same server sees what the library does when it may."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DEBUG"):
        monkeypatch.delenv(name)
    for name in ("DO_NOT_TRACK", "DISABLE_TELEMETRY", "HF_HUB_DISABLE_IMPLICIT_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    code = (
        "import sys; from huggingface_hub import HfApi; "
        "HfApi(endpoint=sys.argv[1]).model_info('acme/tiny', revision='main')"
    )
    with hub(model) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        subprocess.run([sys.executable, "-c", code, server.address], check=True)
    told = server.asked[-1][2]
    assert told["authorization"] == f"Bearer {TOKEN}"
    assert "python/" in told["user-agent"]
    assert TOKEN in told["user-agent"]
    assert "/api/agent-harnesses" in server.paths()


def test_the_receipt(model, tmp_path):
    with hub(model) as server:
        pulled = pull("acme/tiny", tmp_path / "out", source=server.address)
    receipt = json.loads((tmp_path / "out/pull.json").read_text())
    assert receipt["version"] == 1
    assert (receipt["id"], receipt["commit"]) == ("acme/tiny", COMMIT)
    assert receipt["host"].startswith("127.0.0.1")
    assert list(receipt["files"]) == BROUGHT
    for name, row in receipt["files"].items():
        data = (model / name).read_bytes()
        assert row == {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    assert str(tmp_path) not in json.dumps(receipt)
    assert json.loads(pulled.as_json())["hash"] in pulled.as_text()


def test_a_second_pull_verifies_and_asks_nobody(model, tmp_path):
    with hub(model) as server:
        first = pull("acme/tiny", tmp_path / "out", source=server.address)
        before = len(server.asked)
        for revision in (None, "main", COMMIT):
            again = pull("acme/tiny", tmp_path / "out", revision=revision, source=server.address)
            assert (again.brought, again.hash) == ((), first.hash)
        assert len(server.asked) == before
    assert "nothing was brought" in again.as_text()


def test_a_second_pull_sees_damage_and_changes_nothing(model, tmp_path):
    out = tmp_path / "out"
    with hub(model) as server:
        pull("acme/tiny", out, source=server.address)
        data = bytearray((out / BROUGHT[3]).read_bytes())
        data[-1] ^= 1
        (out / BROUGHT[3]).write_bytes(data)
        asked = len(server.asked)
        with pytest.raises(PullRefused, match=BROUGHT[3]):
            pull("acme/tiny", out, source=server.address)
        assert (out / BROUGHT[3]).read_bytes() == bytes(data)
        assert len(server.asked) == asked
        (out / BROUGHT[3]).unlink()
        mended = pull("acme/tiny", out, source=server.address)
        assert mended.brought == (BROUGHT[3],)
    assert (out / BROUGHT[3]).read_bytes() == (model / BROUGHT[3]).read_bytes()
    assert names(out) == sorted([*BROUGHT, "pull.json"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "out", "src"]


def test_what_is_missing_is_mended_from_the_same_commit_only(model, tmp_path):
    out = tmp_path / "out"
    with hub(model) as server:
        pull("acme/tiny", out, source=server.address)
        (out / BROUGHT[3]).unlink()
        server.commit = "f" * 40
        with pytest.raises(PullError, match="no revision"):
            pull("acme/tiny", out, source=server.address)
    assert not (out / BROUGHT[3]).exists()


def test_another_model_or_revision_never_goes_into_the_same_folder(model, tmp_path):
    with hub(model) as server:
        pull("acme/tiny", tmp_path / "out", source=server.address)
        for asked in (("acme/other", None), ("acme/tiny", "v2")):
            with pytest.raises(PullError, match="--to"):
                pull(asked[0], tmp_path / "out", revision=asked[1], source=server.address)
    with pytest.raises(PullError, match=r"no pull\.json"):
        pull("acme/tiny", model)
    (tmp_path / "file").write_text("")
    with pytest.raises(PullError, match="--to"):
        pull("acme/tiny", tmp_path / "file")


@pytest.mark.parametrize("name", ["config.json", BROUGHT[3]], ids=["by git", "by sha256"])
def test_wrong_bytes_are_not_used(model, tmp_path, name):
    data = bytearray((model / name).read_bytes())
    data[20] ^= 1
    with hub(model, served={name: bytes(data)}) as server:
        with pytest.raises(PullRefused, match=f"{name} came with another hash"):
            pull("acme/tiny", tmp_path / "out", source=server.address)
        assert not (tmp_path / "out").exists()
        assert name not in names(tmp_path / ".out.pull")
        server.served = {}  # the next try takes what was right from the disk
        asked = len(server.asked)
        pull("acme/tiny", tmp_path / "out", source=server.address)
        files = [p for p in server.paths()[asked:] if "/resolve/" in p]
    assert any(p.endswith(name) for p in files)
    assert not any(p.endswith("tokenizer.json") for p in files)


@pytest.mark.parametrize("change", [b"", b"more" * 500], ids=["short", "long"])
def test_another_size_than_listed_is_refused(model, tmp_path, change):
    data = (model / BROUGHT[3]).read_bytes()
    served = data + change if change else data[:-5]
    with (
        hub(model, served={BROUGHT[3]: served}) as server,
        pytest.raises(PullRefused, match="size that the source lists"),
    ):
        pull("acme/tiny", tmp_path / "out", source=server.address)
    assert not (tmp_path / "out").exists()


def test_a_listed_file_that_is_not_there(model, tmp_path):
    with hub(model, gone={BROUGHT[4]}) as server, pytest.raises(PullError, match=BROUGHT[4]):
        pull("acme/tiny", tmp_path / "out", source=server.address)


def test_a_shard_that_is_not_listed(model, tmp_path):
    with hub(model) as server:
        del server.files[BROUGHT[4]]
        with pytest.raises(ModelFolderError, match=f"does not list, the first is {BROUGHT[4]}"):
            pull("acme/tiny", tmp_path / "out", source=server.address)
        assert not any(path.endswith(BROUGHT[3]) for path in server.paths())  # asked for no weights


@pytest.mark.slow
def test_a_dropped_connection_is_gone_on_with(tmp_path):
    folder = big(write_model(tmp_path / "src"))
    with hub(folder, cut={"model.safetensors": [2_500_000]}) as server:
        pull("acme/tiny", tmp_path / "out", source=server.address)
        ranges = [h["range"] for _, _, h in server.asked if "range" in h]
    assert ranges == ["bytes=2097152-"]
    assert read_model(tmp_path / "out").parameters == read_model(folder).parameters


def start(server, out):
    code = (
        "import sys; from pathlib import Path; from pipeline.pull import pull; "
        "pull('acme/tiny', Path(sys.argv[1]), source=sys.argv[2])"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, str(out), server.address], cwd=ROOT, stderr=subprocess.DEVNULL
    )


def wait_for(what):
    for _ in range(400):
        if what():
            return
        time.sleep(0.05)
    pytest.fail("waited in vain")


def parts(work):
    return [p for p in work.glob("*.part") if p.stat().st_size]


def holders(path):
    """Processes that have a file open."""
    found = []
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            found += [link.parts[2]] if link.resolve() == path else []
        except OSError:
            continue
    return found


@pytest.mark.slow
def test_a_killed_pull_goes_on_where_it_was(tmp_path):
    folder, work = big(write_model(tmp_path / "src")), tmp_path / ".out.pull"
    with hub(folder, hang={"model.safetensors": 2_500_000}) as server:
        with start(server, tmp_path / "out") as first:
            wait_for(lambda: parts(work) and parts(work)[0].stat().st_size >= 2 << 20)
            with pytest.raises(PullError, match="another pull"):
                pull("acme/tiny", tmp_path / "out", source=server.address)
            first.send_signal(signal.SIGKILL)
        wait_for(lambda: not holders(parts(work)[0].resolve()))  # the child ends with its parent
        assert not (tmp_path / "out").exists()
        pull("acme/tiny", tmp_path / "out", source=server.address)
        ranges = [h["range"] for _, _, h in server.asked if "range" in h]
    assert ranges == ["bytes=2097152-"]
    assert names(tmp_path / "out") == sorted([*names(folder), "pull.json"])


def test_a_spoiled_part_is_fetched_anew(tmp_path):
    folder, work = write_model(tmp_path / "src"), tmp_path / ".out.pull"
    data = (folder / "model.safetensors").read_bytes()
    work.mkdir()
    digest = hashlib.sha256(data).hexdigest()
    (work / f".model.safetensors.{digest[:16]}.part").write_bytes(b"x" * 5000)
    (work / ".config.json.0000.part").write_bytes(b"of another commit")
    with hub(folder) as server:
        pull("acme/tiny", tmp_path / "out", source=server.address)
    assert (tmp_path / "out/model.safetensors").read_bytes() == data
    assert names(tmp_path / "out") == sorted([*names(folder), "pull.json"])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((401, "GatedRepo"), "gated.*--token-env"), ((403, "GatedRepo"), "gated.*--token-env"),
        ((401, ""), "refuses access.*--token-env"), ((404, "RepoNotFound"), "no such model"),
        ((404, ""), "no such model"), ((403, ""), "refuses access"), ((418, ""), "status 418"),
    ],
)  # fmt: skip
def test_what_the_server_says_no_with(model, tmp_path, answer, words):
    with hub(model, refuse=answer) as server, pytest.raises(PullError, match=words):
        pull("acme/tiny", tmp_path / "out", source=server.address)
    assert not (tmp_path / "out").exists()


def test_an_unknown_revision(model, tmp_path):
    with hub(model) as server, pytest.raises(PullError, match="no revision 'v9'"):
        pull("acme/tiny", tmp_path / "out", revision="v9", source=server.address)


def test_nobody_there(tmp_path):
    with pytest.raises(PullError, match="cannot be reached"):
        pull("acme/tiny", tmp_path / "out", source="http://127.0.0.1:1")
    assert not (tmp_path / "out").exists()


def test_a_server_that_is_no_hub(model, tmp_path):
    with hub(model, commit="main") as server, pytest.raises(PullError, match="not one of a model"):
        pull("acme/tiny", tmp_path / "out", source=server.address)


@pytest.mark.parametrize(
    "name",
    ["../x.json", "../../.ssh/config", "/etc/config.json", "a/../../b", "a\\..\\b", "a\nb", ""],
)
def test_a_name_that_leaves_the_folder_stops_it_all(model, tmp_path, name):
    odd = {"type": "file", "path": name, "size": 2, "oid": git_hash(b"{}")}
    with hub(model, extra=[odd]) as server:
        with pytest.raises(PullRefused, match="leads out of the folder"):
            pull("acme/tiny", tmp_path / "out", source=server.address)
        assert not any("/resolve/" in path for path in server.paths())


@given(st.lists(st.text("./\\\0\nabc:", max_size=8) | st.sampled_from(BROUGHT), max_size=5))
def test_no_listed_name_becomes_a_path(listed):
    try:
        chosen = choose([Listed(name, 1, git="0" * 40) for name in listed], "acme/tiny")
    except PullRefused:
        return
    assert all(Path(f.name).name == f.name and f.name[0].isalnum() for f in chosen)
    assert {f.name for f in chosen} == set(listed) & set(BROUGHT)


def test_too_large_for_the_disk_is_said_before(model, tmp_path):
    with hub(model, sizes={BROUGHT[3]: 10**15}) as server:
        with pytest.raises(NoRoom, match=r"1000000\.0 GB to bring.*--to"):
            pull("acme/tiny", tmp_path / "out", source=server.address)
        assert not any(path.endswith(".safetensors") for path in server.paths())


def test_a_disk_that_fills_on_the_way(model, tmp_path):
    digest = hashlib.sha256((model / BROUGHT[3]).read_bytes()).hexdigest()
    (tmp_path / ".out.pull").mkdir()
    (tmp_path / f".out.pull/.{BROUGHT[3]}.{digest[:16]}.part").symlink_to("/dev/full")
    with hub(model) as server, pytest.raises(NoRoom, match=r"disk is full.*goes on where"):
        pull("acme/tiny", tmp_path / "out", source=server.address)
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_trained_on_is_told_before_its_weights_come(tmp_path):
    folder = write_model(tmp_path / "src", quantization_config={"quant_method": "gptq"})
    with hub(folder) as server:
        with pytest.raises(ModelFolderError, match=r"acme/tiny: .*gptq.*16-bit form"):
            pull("acme/tiny", tmp_path / "out", source=server.address)
        assert not any(path.endswith(".safetensors") for path in server.paths())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "src"]


@pytest.mark.parametrize(
    ("there", "words"),
    [
        (["config.json", "pytorch_model.bin"], "runs code"), (["a.Q4_K_M.gguf"], "GGUF"),
        (["config.json"], "no weights"), (["model.safetensors"], "no config"),
        (["config.json", "model.safetensors"], "no tokenizer.json"),
        (["adapter_config.json", "adapter_model.safetensors"], "an adapter"),
    ],
)  # fmt: skip
def test_what_is_no_base_model_is_told_by_its_names(model, tmp_path, there, words):
    with hub(model, files=dict.fromkeys(there, b"{}")) as server:
        with pytest.raises(ModelFolderError, match=words):
            pull("acme/tiny", tmp_path / "out", source=server.address)
        assert not any("/resolve/" in path for path in server.paths())


def test_a_token_goes_out_only_when_it_is_named(model, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "hf_mine")
    with hub(model) as store, hub(model, token="hf_mine", elsewhere=store.address) as server:
        with pytest.raises(PullError, match="gated"):
            pull("acme/tiny", tmp_path / "out", source=server.address)
        pull("acme/tiny", tmp_path / "out", source=server.address, token_env="MY_TOKEN")
        # Files lie with another host: what was meant for the hub does not reach it.
        assert len(store.asked) == len(BROUGHT)
        assert not any("authorization" in headers for _, _, headers in store.asked)
    with hub(model, token="hf_other") as server, pytest.raises(PullError, match="no access"):
        pull("acme/tiny", tmp_path / "two", source=server.address, token_env="MY_TOKEN")
    for name, value in (("EMPTY", ""), ("TWO_LINES", "a\nb")):
        monkeypatch.setenv(name, value)
        with pytest.raises(PullError, match="holds no token"):
            pull("acme/tiny", tmp_path / "two", token_env=name)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("http://hub.example", "plain http"), ("https://me:secret@hub.example", "no password"),
        ("ftp://hub.example", "https address"), ("https://", "https address"),
        ("nowhere", "no model acme/tiny"),
    ],
)  # fmt: skip
def test_sources_that_are_not_asked(tmp_path, source, words):
    with pytest.raises(PullError, match=words) as told:
        pull("acme/tiny", tmp_path / "out", source=source)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("model", ["tiny", "./nothing", "a/b/c", "acme/../x", "acme/-x y"])
def test_what_is_neither_a_folder_nor_an_id(tmp_path, model):
    with pytest.raises(PullError, match="neither a folder nor the id"):
        pull(model, tmp_path / "out")


@pytest.mark.slow
def test_pins_must_hold(model, tmp_path):
    with hub(model) as server:
        right = hashlib.sha256((model / "config.json").read_bytes()).hexdigest()
        with pytest.raises(PullRefused, match="another hash"):
            pull(
                "acme/tiny",
                tmp_path / "a",
                source=server.address,
                sha256=[f"config.json={'0' * 64}"],
            )
        with pytest.raises(PullRefused, match=r"other\.json pinned"):
            pull("acme/tiny", tmp_path / "b", source=server.address, sha256=[f"other.json={right}"])
        pull("acme/tiny", tmp_path / "c", source=server.address, sha256=[f"config.json={right}"])
        with pytest.raises(PullRefused, match=r"config\.json not as pulled or pinned"):
            pull(
                "acme/tiny",
                tmp_path / "c",
                source=server.address,
                sha256=[f"config.json={'0' * 64}"],
            )
    with pytest.raises(PullError, match="FILE=HEX"):
        pull("acme/tiny", tmp_path / "d", sha256=["config.json"])


@pytest.mark.slow
def test_an_earlier_receipt_pins_commit_and_files(model, tmp_path):
    with hub(model) as server:
        pull("acme/tiny", tmp_path / "a", source=server.address)
        pins = tmp_path / "a/pull.json"
        pull("acme/tiny", tmp_path / "b", source=server.address, pins=pins)
        assert f"/api/models/acme/tiny/revision/{COMMIT}" in server.paths()
        # A source that changed both the bytes and its hash of them.
        server.files["config.json"] += b" "
        with pytest.raises(PullRefused, match="another hash"):
            pull("acme/tiny", tmp_path / "c", source=server.address, pins=pins)
        server.files["config.json"] = server.files["config.json"][:-1]
        server.files["vocab.json"] = b"{}"
        with pytest.raises(PullRefused, match=r"vocab\.json not in the pinned"):
            pull("acme/tiny", tmp_path / "d", source=server.address, pins=pins)
    with pytest.raises(PullError, match=r"no pull\.json that can be read"):
        pull("acme/tiny", tmp_path / "e", pins=model / "config.json")


def test_a_folder_is_copied(model, tmp_path):
    pulled = pull(str(model), tmp_path / "out")
    assert (pulled.receipt.id, pulled.receipt.commit) == ("src", None)
    assert names(tmp_path / "out") == sorted([*BROUGHT, "pull.json"])
    assert str(tmp_path) not in (tmp_path / "out/pull.json").read_text()
    assert model_hash(read_model(model)) == pulled.hash
    assert pull(str(model), tmp_path / "out").brought == ()
    with pytest.raises(PullError, match="--revision"):
        pull(str(model), tmp_path / "two", revision="main")


def test_links_become_files(model, tmp_path):
    links = tmp_path / "links"
    links.mkdir()
    for path in model.iterdir():
        (links / path.name).symlink_to(path)
    pull(str(links), tmp_path / "out")
    assert not any(path.is_symlink() for path in (tmp_path / "out").iterdir())
    assert (tmp_path / "out" / BROUGHT[3]).read_bytes() == (model / BROUGHT[3]).read_bytes()


def test_a_copy_of_a_pulled_folder_keeps_its_papers(model, tmp_path):
    with hub(model) as server:
        pull("acme/tiny", tmp_path / "one", source=server.address)
    two = pull(str(tmp_path / "one"), tmp_path / "two")
    assert (two.receipt.id, two.receipt.commit) == ("acme/tiny", COMMIT)
    mirror = tmp_path / "mirror/acme/tiny"
    mirror.parent.mkdir(parents=True)
    (tmp_path / "one").rename(mirror)
    assert pull("acme/tiny", tmp_path / "three", source=str(tmp_path / "mirror")).hash == two.hash
    (mirror / "config.json").write_text((mirror / "config.json").read_text() + " ")
    with pytest.raises(PullRefused, match=r"not as its pull\.json says \(config\.json\)"):
        pull(str(mirror), tmp_path / "four")


def test_a_broken_folder_is_not_copied(tmp_path):
    folder = write_model(tmp_path / "src")
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelFolderError, match="Fetch the file again"):
        pull(str(folder), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_place_that_cannot_be_written(model, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(PullError, match=r"cannot be written.*--to"):
        pull(str(model), tmp_path / "file" / "out")


def test_no_model_library_is_loaded_by_the_verb(model, tmp_path):
    heavy = ("torch", "transformers", "huggingface_hub", "numpy", "spacy", "httpx2")
    code = (
        "import sys; from pathlib import Path; from pipeline.pull import pull; "
        "pull('acme/tiny', Path(sys.argv[1]), source=sys.argv[2]); "
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    with hub(model) as server:
        out = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "out"), server.address],
            capture_output=True, text=True, check=True, cwd=ROOT,
        )  # fmt: skip
    assert out.stdout.strip() == "[]"
