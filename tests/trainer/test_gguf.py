import struct

import pytest

from trainer.gguf import (
    Expected,
    GgufError,
    begin_as_trained,
    check,
    read_gguf,
)
from trainer.llama_cpp import CONVERTER, ConvertError, ToolsMissing, convert, find, quantise

TOKENS = ["<unk>", "<s>", "<|im_end|>", "café", "<stop>"]


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def write(path, **changes):
    values = {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.scores": [0.5, 1.5],
        "tokenizer.ggml.tokens": TOKENS,
        "tokenizer.ggml.merges": ["c a", "f é"],
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.chat_template": "{{ x }}",
        **{key.replace("__", "."): value for key, value in changes.items()},
    }  # fmt: skip
    values = {key: value for key, value in values.items() if value is not None}
    out = b"GGUF" + struct.pack("<IQQ", 3, 0, len(values))
    for key, value in values.items():
        out += text(key)
        if isinstance(value, bool):
            out += struct.pack("<I?", 7, value)
        elif isinstance(value, int):
            out += struct.pack("<II", 4, value)
        elif isinstance(value, str):
            out += struct.pack("<I", 8) + text(value)
        elif isinstance(value[0], float):
            out += struct.pack("<IIQ2f", 9, 6, 2, *value)
        else:
            out += struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    path.write_bytes(out + b"\0" * 64)
    return path


WANTED = Expected(
    template="{{ x }}", stops={"<|im_end|>": 2}, added={"café": 3}, vocabulary=5, begin=True
)


def test_a_file_that_is_as_trained(tmp_path):
    found = read_gguf(write(tmp_path / "m.gguf"))
    assert found.tokens == TOKENS
    assert found.adds_begin
    assert found.ends == {2}
    assert check(found, WANTED) == ()
    assert begin_as_trained(found, WANTED) is found


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"tokenizer__chat_template": None}, "no chat template"),
     ({"tokenizer__chat_template": "{{ y }}"}, "not the one"),
     ({"tokenizer__ggml__tokens": TOKENS[:4]}, "vocabulary of 4"),
     ({"tokenizer__ggml__tokens": [*TOKENS[:3], "caf", "<stop>"]}, "another text"),
     ({"tokenizer__ggml__eos_token_id": None}, "no end token")],
)  # fmt: skip
def test_a_file_that_would_be_served_otherwise_is_refused(tmp_path, changes, words):
    with pytest.raises(GgufError, match=words):
        check(read_gguf(write(tmp_path / "m.gguf", **changes)), WANTED)


def test_a_stop_that_only_the_modelfile_knows_is_told(tmp_path):
    wanted = Expected("{{ x }}", {"<|im_end|>": 2, "<stop>": 4}, {}, 5, begin=True)
    (note,) = check(read_gguf(write(tmp_path / "m.gguf")), wanted)
    assert "<stop>" in note
    assert (
        check(read_gguf(write(tmp_path / "m.gguf", tokenizer__ggml__eot_token_id=4)), wanted) == ()
    )


def test_the_beginning_token_is_as_in_training(tmp_path):
    without = Expected("{{ x }}", {}, {}, 5, begin=False)
    path = write(tmp_path / "m.gguf")
    size = path.stat().st_size
    found = begin_as_trained(read_gguf(path), without)
    assert not found.adds_begin
    assert found.tokens == TOKENS
    assert path.stat().st_size == size
    unsaid = {"tokenizer__ggml__add_bos_token": None}
    assert not read_gguf(write(path, **unsaid)).adds_begin
    assert read_gguf(write(path, tokenizer__ggml__model="llama", **unsaid)).adds_begin
    with pytest.raises(GgufError, match="add_bos_token"):
        begin_as_trained(read_gguf(write(path, **unsaid)), WANTED)


def test_broken_files(tmp_path):
    path = write(tmp_path / "m.gguf")
    whole = path.read_bytes()
    for data in (b"", b"GGML" + whole[4:], b"GGUF" + struct.pack("<I", 1) + whole[8:]):
        path.write_bytes(data)
        with pytest.raises(GgufError, match="no GGUF"):
            read_gguf(path)
    for cut in (10, 100, 300):
        path.write_bytes(whole[:cut])
        with pytest.raises(GgufError, match="cut short"):
            read_gguf(path)


def script(folder, body):
    folder.mkdir(exist_ok=True)
    (folder / CONVERTER).write_text(body)
    return folder


def test_a_form_without_its_tool_is_refused_with_the_guides_advice(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("PRIVATUNE_LLAMA_CPP", raising=False)
    with pytest.raises(ToolsMissing, match="nothing of llama"):
        find([tmp_path])
    tools = find([script(tmp_path / "llama.cpp", "")])
    tools.check(["Q8_0", "F16", "BF16"])
    if tools.library is None:
        with pytest.raises(ToolsMissing, match=r"build-essential.*xcode-select --install"):
            tools.check(["Q8_0", "Q4_K_M"])


def test_what_is_built_is_found(tmp_path, monkeypatch):
    built = script(tmp_path / "llama.cpp", "") / "build" / "bin"
    built.mkdir(parents=True)
    (built / "llama-quantize").write_text("#!/bin/sh\nexit 1\n")
    (built / "llama-quantize").chmod(0o755)
    for name in ("libllama-common.so", "libllama.so.0"):
        (built / name).write_bytes(b"")
    monkeypatch.setenv("PRIVATUNE_LLAMA_CPP", str(tmp_path))
    tools = find()
    assert tools.quantiser == built / "llama-quantize"
    assert tools.library == built / "libllama.so.0"
    with pytest.raises(ConvertError, match="code 1"):
        quantise(tools, tmp_path / "a", tmp_path / "b", "Q4_K_M")


@pytest.mark.parametrize(
    ("body", "words"),
    [("import nothing_like_it", "package nothing_like_it"),
     ("raise SystemExit('BPE pre-tokenizer was not recognized')", "tokenizer"),
     ("raise NotImplementedError('Architecture XForCausalLM not supported!')", "architecture"),
     ("import os; os.kill(os.getpid(), 4)", "signal 4"),
     ("print('secret'); raise SystemExit(3)", "code 3"), ("", "code 0")],
)  # fmt: skip
def test_a_converter_that_fails_is_told_in_our_words(tmp_path, body, words):
    tools = find([script(tmp_path / "llama.cpp", body)])
    with pytest.raises(ConvertError, match=words) as error:
        convert(tools, tmp_path, tmp_path / "out.gguf", "F16")
    assert "secret" not in str(error.value)


def test_full_disk_and_memory_keep_their_own_errors(tmp_path):
    tools = find([script(tmp_path / "llama.cpp", "raise OSError(28, 'No space left on device')")])
    with pytest.raises(OSError, match="no space"):
        convert(tools, tmp_path, tmp_path / "out.gguf", "F16")
    tools = find([script(tmp_path / "llama.cpp", "raise MemoryError")])
    with pytest.raises(MemoryError):
        convert(tools, tmp_path, tmp_path / "out.gguf", "F16")


def test_the_converter_sees_its_own_gguf_package(tmp_path):
    body = "import sys, gguf, sentencepiece; open(sys.argv[3], 'w').write(gguf.OWN + sys.argv[-1])"
    folder = script(tmp_path / "llama.cpp", body)
    (folder / "gguf-py" / "gguf").mkdir(parents=True)
    (folder / "gguf-py" / "gguf" / "__init__.py").write_text("OWN = 'vendored '")
    out = tmp_path / "out.gguf"
    convert(find([folder]), tmp_path, out, "F16", name="tone")
    assert out.read_text() == "vendored tone"
    assert not list(folder.rglob("__pycache__"))
