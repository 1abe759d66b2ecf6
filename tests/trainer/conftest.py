"""A small real tokenizer, trained here, so that no test needs a model file."""

import json
import os

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
    "{% for c in m.tool_calls or [] %}<call>{{ c.function.arguments | tojson }}</call>{% endfor %}"
    "<|im_end|>\n{% endfor %}{% if tools %}{{ tools | tojson }}{% endif %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
WORDS = ["the invoice is due on Friday", "la factura vence el viernes", "Rechnung für März"] * 40


def write_tokenizer(folder, template=CHATML, eos="<|im_end|>"):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<|im_start|>", "<|im_end|>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator(WORDS, trainer)
    tokenizer.enable_truncation(16)  # as published files sometimes have it: must not count
    folder.mkdir(exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": eos}
    config |= {"chat_template": template} if template else {}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="session")
def chatml(tmp_path_factory):
    return write_tokenizer(tmp_path_factory.mktemp("chatml"))


@pytest.fixture
def make_folder(tmp_path):
    return lambda **more: write_tokenizer(tmp_path / "made", **more)


@pytest.fixture(scope="session")
def qwen():
    folder = os.environ.get("PRIVATUNE_TEST_TOKENIZER")
    if not folder:
        pytest.skip("PRIVATUNE_TEST_TOKENIZER names no folder with a Qwen3 tokenizer")
    return folder
