import hashlib
import json

import pytest

from tests.trainer.conftest import write_tokenizer
from trainer.gguf import Expected
from trainer.go_template import ollama_render
from trainer.trained import TemplateChanged, read_trained

WITH_BEGIN = (
    "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TALK = [{"role": "user", "content": "When is the invoice due?"}]


def folder(path, *, adds, template=None, begin="<s>"):
    """A tokenizer with a beginning token, which it adds to plain text or not."""
    from tokenizers import Tokenizer
    from tokenizers.processors import TemplateProcessing

    write_tokenizer(path, **({"template": template} if template else {}))
    made = Tokenizer.from_file(str(path / "tokenizer.json"))
    made.add_special_tokens([begin])
    if adds:
        made.post_processor = TemplateProcessing(
            single=f"{begin} $A", special_tokens=[(begin, made.token_to_id(begin))]
        )
    made.save(str(path / "tokenizer.json"))
    config = path / "tokenizer_config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"bos_token": begin}))
    return path


@pytest.mark.parametrize(
    ("adds", "template", "begin"),
    [(True, WITH_BEGIN, True), (True, None, False), (False, WITH_BEGIN, False),
     (False, None, False)],
)  # fmt: skip
def test_runtimes_add_the_beginning_token_exactly_where_training_had_it(
    tmp_path, adds, template, begin
):
    trained = read_trained(folder(tmp_path / "t", adds=adds, template=template), "chat")
    assert trained.begin == begin
    made = trained.ollama(tools=False)
    assert made.template is not None, made.why
    text = trained.tokenizer.apply_chat_template(TALK, tokenize=False, add_generation_prompt=True)
    assert "<s>" * begin + ollama_render(made.template, TALK) == text


def test_a_token_that_opens_every_turn_is_the_templates_own(tmp_path):
    trained = read_trained(folder(tmp_path / "t", adds=False, begin="<|im_start|>"), "chat")
    assert not trained.begin
    assert ollama_render(trained.ollama(tools=False).template, TALK).startswith("<|im_start|>user")


@pytest.mark.parametrize("adds", [True, False])
def test_prompts_begin_as_the_tokenizer_begins_plain_text(tmp_path, adds):
    trained = read_trained(folder(tmp_path / "t", adds=adds), "alpaca")
    assert trained.begin == adds
    assert trained.jinja.count("bos_token") == adds
    assert trained.headings == ("### Instruction:",)
    assert trained.ollama(tools=False).proven > 0


def test_plain_prompts_pass_as_they_stand(tmp_path):
    made = read_trained(folder(tmp_path / "t", adds=False), "plain").ollama(tools=False)
    assert ollama_render(made.template, [{"role": "user", "content": " a\n"}]) == " a\n"


def test_what_a_gguf_must_hold(tmp_path):
    trained = read_trained(folder(tmp_path / "t", adds=True, template=WITH_BEGIN), "chat")
    wanted = Expected(
        WITH_BEGIN, {"<|im_end|>": 1}, {"<|im_start|>": 0, "<|im_end|>": 1, "<s>": 400}, 512,
        begin=True,
    )  # fmt: skip
    found = trained.expected({"vocab_size": 512})
    assert found.stops == wanted.stops
    assert found.begin
    assert (found.template, found.vocabulary) == (wanted.template, wanted.vocabulary)
    assert set(found.added) == set(wanted.added)
    assert trained.expected({"text_config": {"vocab_size": 7}}).vocabulary == 7


def test_the_template_is_held_against_the_trainings(tmp_path):
    path = folder(tmp_path / "t", adds=False)
    jinja = json.loads((path / "tokenizer_config.json").read_text())["chat_template"]
    read_trained(path, "chat", hashlib.sha256(jinja.encode()).hexdigest())
    with pytest.raises(TemplateChanged):
        read_trained(path, "chat", hashlib.sha256(b"other").hexdigest())
