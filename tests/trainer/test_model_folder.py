"""What a model folder must hold, and what is refused before anything is loaded."""

import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest

from tests.model_files import weights, write_model, write_weights
from trainer.model_folder import ModelFolderError, model_hash, read_model
from trainer.tokenizer import load_tokenizer


def refused(folder, *words):
    with pytest.raises(ModelFolderError) as told:
        read_model(folder)
    text = str(told.value)
    assert all(word in text for word in words), text
    return text


def rewrite(path, **changes):
    value = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: v for key, v in value.items() if v is not None}))


@pytest.mark.parametrize("shards", [1, 3])
def test_a_whole_folder_is_read(tmp_path, shards):
    model = read_model(write_model(tmp_path / "tiny", shards=shards))
    assert (model.name, model.dtype, model.quantised) == ("tiny", "float16", None)
    assert len(model.shards) == shards
    assert model.parameters == sum(tensor.size for tensor in weights().values())
    assert model.config["hidden_size"] == 16
    assert load_tokenizer(model.root).eos_token == "<|im_end|>"


def test_reading_imports_no_torch(tmp_path):
    write_model(tmp_path / "tiny")
    code = (
        "import sys; from trainer.model_folder import *; model_hash(read_model(sys.argv[1])); "
        "print([m for m in ('torch', 'transformers', 'numpy') if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "tiny")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout.strip() == "[]"


def test_the_hash_covers_the_config_and_every_shard(tmp_path):
    folder = write_model(tmp_path / "tiny", shards=2)
    before = model_hash(read_model(folder))
    lines = [
        f"{name} {hashlib.sha256((folder / name).read_bytes()).hexdigest()}\n"
        for name in (
            "config.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
        )
    ]
    assert before == hashlib.sha256("".join(lines).encode()).hexdigest()
    last = folder / "model-00002-of-00002.safetensors"
    data = bytearray(last.read_bytes())
    data[-1] ^= 1
    last.write_bytes(data)
    changed = model_hash(read_model(folder))
    rewrite(folder / "config.json", rms_norm_eps=1e-5)
    assert len({before, changed, model_hash(read_model(folder))}) == 3


def test_the_hash_and_the_name_are_no_matter_of_the_place(tmp_path):
    one, other = write_model(tmp_path / "a" / "tiny"), write_model(tmp_path / "b" / "tiny")
    assert model_hash(read_model(one)) == model_hash(read_model(other))
    assert read_model(one).name == "tiny"


@pytest.mark.parametrize(
    ("noted", "name"),
    [
        ("acme/Tiny-1.5", "acme/Tiny-1.5"),
        ("/home/someone/tiny", "tiny"),
        ("../up", "tiny"),
        (7, "tiny"),
    ],
)
def test_the_name_comes_from_the_receipt_and_is_never_a_path(tmp_path, noted, name):
    folder = write_model(tmp_path / "tiny")
    (folder / "pull.json").write_text(json.dumps({"version": 1, "id": noted}))
    assert read_model(folder).name == name


def test_no_folder_and_no_config(tmp_path):
    refused(tmp_path / "absent", "no such folder", "privatune pull")
    refused(tmp_path, "no config.json")


@pytest.mark.parametrize("text", ['{"model_type": "lla', "[1]", "[" * 100_000])
def test_a_broken_config_is_told_without_its_text(tmp_path, text):
    folder = write_model(tmp_path / "tiny")
    (folder / "config.json").write_text(text)
    assert "lla" not in refused(folder, "config.json", "Fetch the file again")


def test_a_missing_shard(tmp_path):
    folder = write_model(tmp_path / "tiny", shards=3)
    (folder / "model-00002-of-00003.safetensors").unlink()
    refused(folder, "1 of 3 shards", "model-00002-of-00003.safetensors")


@pytest.mark.parametrize("keep", [0, 5, 8, 40, -1])
def test_a_truncated_shard(tmp_path, keep):
    folder = write_model(tmp_path / "tiny", shards=2)
    path = folder / "model-00002-of-00002.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    refused(folder, "model-00002-of-00002.safetensors", "Fetch the file again")


@pytest.mark.parametrize(
    "data",
    [
        b"<html>404</html>" * 9,
        b"\x10\0\0\0\0\0\0\0" + b"not a json header",
        (9).to_bytes(8, "little") + b'{"w":[1]}',
        (62).to_bytes(8, "little") + b'{"w":{"dtype":"F16","shape":[4],"data_offsets":[0,6]}}'.ljust(62) + b"\0" * 6,
    ],
)  # fmt: skip
def test_what_is_no_safetensors_file(tmp_path, data):
    folder = write_model(tmp_path / "tiny")
    (folder / "model.safetensors").write_bytes(data)
    refused(folder, "model.safetensors", "Fetch the file again")


def test_bytes_behind_the_last_tensor(tmp_path):
    folder = write_model(tmp_path / "tiny")
    with (folder / "model.safetensors").open("ab") as file:
        file.write(b"\0")
    refused(folder, "more bytes than its header")


def test_a_git_lfs_pointer(tmp_path):
    folder = write_model(tmp_path / "tiny")
    pointer = "version https://git-lfs.example/spec/v1\noid sha256:00\nsize 9\n"
    (folder / "model.safetensors").write_text(pointer)
    refused(folder, "Git LFS pointer", "git lfs pull")
    write_model(folder)
    (folder / "tokenizer_config.json").write_text(pointer)
    refused(folder, "Git LFS pointer", "git lfs pull")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model-00001-of-00002.bin"])
def test_pickled_weights_alone_are_refused(tmp_path, name):
    folder = write_model(tmp_path / "tiny")
    (folder / "model.safetensors").rename(folder / name)
    refused(folder, "runs code", "safetensors")


def test_pickled_weights_beside_safetensors_are_left_alone(tmp_path):
    folder = write_model(tmp_path / "tiny")
    (folder / "pytorch_model.bin").write_bytes(b"\x80")
    assert [path.name for path in read_model(folder).shards] == ["model.safetensors"]


def test_a_gguf_cannot_be_trained(tmp_path):
    (tmp_path / "tiny.Q4_K_M.gguf").write_bytes(b"GGUF")
    refused(tmp_path, "GGUF", "cannot be trained")
    folder = write_model(tmp_path / "tiny")
    (folder / "model.safetensors").rename(folder / "tiny.gguf")
    refused(folder, "GGUF", "cannot be trained")


def test_no_weights_at_all(tmp_path):
    folder = write_model(tmp_path / "tiny")
    (folder / "model.safetensors").unlink()
    refused(folder, "no weights")


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_custom_code_is_refused(tmp_path, file):
    folder = write_model(tmp_path / "tiny")
    rewrite(folder / file, auto_map={"AutoModelForCausalLM": "modeling.Tiny"})
    refused(folder, file, "auto_map", "never run")


def test_an_adapter_is_not_a_base(tmp_path):
    (tmp_path / "adapter_config.json").write_text("{}")
    refused(tmp_path, "adapter", "base")
    folder = write_model(tmp_path / "tiny")
    (folder / "adapter_config.json").write_text("{}")  # transformers would load it on top, unasked
    refused(folder, "adapter", "base")


def test_no_tokenizer(tmp_path):
    folder = write_model(tmp_path / "tiny", tokenizer=False)
    refused(folder, "no tokenizer.json", "Copy the tokenizer files")
    (folder / "tokenizer.model").write_bytes(b"")
    refused(folder, "tokenizer.model is there")


def test_what_does_not_write_text_is_refused(tmp_path):
    refused(write_model(tmp_path / "a", architectures=["BertForMaskedLM"]), "writes text")
    refused(write_model(tmp_path / "b", model_type=None), "model_type")
    assert read_model(write_model(tmp_path / "c", architectures=None)).name == "c"


BNB = {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}


def test_a_base_in_four_bits_is_accepted(tmp_path):
    folder = write_model(tmp_path / "tiny", quantization_config=BNB)
    tensors = weights("float32")
    at = "model.layers.0.mlp.up_proj.weight"
    tensors |= {at: np.zeros((256, 1), np.uint8), f"{at}.absmax": np.zeros(8, np.uint8)}
    tensors[f"{at}.quant_state.bitsandbytes__nf4"] = np.zeros(60, np.uint8)
    write_weights(folder, tensors)
    model = read_model(folder)
    assert (model.quantised, model.dtype, model.parameters) == ("bnb-4bit", "float32", None)
    rewrite(folder / "config.json", quantization_config=None)
    refused(folder, "no quantization_config")


@pytest.mark.parametrize(
    "how",
    [
        {"quant_method": "gptq", "bits": 4}, {"quant_method": "awq"}, {"quant_method": "fp8"},
        {"quant_method": "mxfp4"}, {"quant_method": "bitsandbytes", "load_in_8bit": True},
        {"quant_method": ["x"]}, "odd",
    ],
)  # fmt: skip
def test_other_quantisations_are_refused(tmp_path, how):
    refused(write_model(tmp_path / "a", quantization_config=how), "16-bit form")
    refused(write_model(tmp_path / "b", text_config={"quantization_config": how}), "16-bit form")


def test_quantised_weights_are_seen_without_the_config(tmp_path):
    folder = write_model(tmp_path / "tiny")
    at = "model.layers.0.mlp.up_proj."
    write_weights(folder, weights() | {at + "qweight": np.zeros((2, 32), np.int32)})
    refused(folder, "GPTQ or AWQ")


@pytest.mark.parametrize(
    ("lost", "word"),
    [("lm_head", "lm_head"), ("model.layers.1.", "1 layers where config.json has 2")],
)
def test_weights_that_a_loader_would_make_up(tmp_path, lost, word):
    folder = write_model(tmp_path / "tiny")
    kept = {key: value for key, value in weights().items() if not key.startswith(lost)}
    write_weights(folder, kept)
    refused(folder, word, "random")
    if lost == "lm_head":  # a tied head is the embedding itself
        rewrite(folder / "config.json", tie_word_embeddings=True)
        assert read_model(folder).dtype == "float16"


def test_a_config_of_another_model(tmp_path):
    refused(write_model(tmp_path / "tiny", hidden_size=32), "another width")


def test_an_index_of_other_weights(tmp_path):
    folder = write_model(tmp_path / "tiny", shards=2)
    index = folder / "model.safetensors.index.json"
    places = json.loads(index.read_text())["weight_map"]
    rewrite(index, weight_map=places | {"model.more.weight": "model-00001-of-00002.safetensors"})
    refused(folder, "of two models")
    for odd in ("../model.safetensors", "model.bin", ""):
        rewrite(index, weight_map={"lm_head.weight": odd})
        refused(folder, "no shard beside it")
    rewrite(index, weight_map=[])
    refused(folder, "no weight_map")
