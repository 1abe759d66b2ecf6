import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.prompts import PRESETS, PromptError, fill, parse_prompt
from trainer.templates import (
    RenderError,
    TokenizerError,
    count_tokens,
    counter,
    load_tokenizer,
    make_template,
    render,
    role_tokens,
)

CHAT = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "When is the invoice due?"},
        {"role": "assistant", "content": "On Friday."},
    ]
}
ALPACA = {"instruction": "Translate.", "input": "la factura", "output": "the invoice"}
REFUSES_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('no system: ' + messages[0].content) }}"
    "{% endif %}{% for m in messages %}[{{ m.role }}]{{ m.content }}<|im_end|>{% endfor %}"
)
DROPS_SYSTEM = "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}<|im_end|>{% endfor %}"


def test_importing_templates_loads_neither_torch_nor_transformers():
    heavy = "{'torch', 'transformers', 'tokenizers', 'pandas', 'jsonschema', 'numpy'}"
    script = f"import sys, trainer.templates; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("files", [None, {}, {"tokenizer.json": "{"}])
def test_folders_without_a_tokenizer(tmp_path, files):
    folder = tmp_path / "folder"
    if files is not None:
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
    with pytest.raises(TokenizerError, match="folder"):
        load_tokenizer(folder)


def test_chat_render_and_count(chatml):
    count = counter(chatml)
    text = render(CHAT, "messages", count.tokenizer, count.template)
    assert text == (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhen is the invoice due?"
        "<|im_end|>\n<|im_start|>assistant\nOn Friday.<|im_end|>\n"
    )
    ids = count.tokenizer(text, add_special_tokens=False, truncation=False)["input_ids"]
    assert len(ids) > 16
    assert count([CHAT, CHAT]) == [len(ids)] * 2


@given(st.lists(st.text(max_size=30), max_size=5))
def test_counts_are_those_of_the_ids(chatml, texts):
    tokenizer = load_tokenizer(chatml)
    clean = [text.encode("utf-8", "replace").decode() for text in texts]
    ids = [tokenizer(t, add_special_tokens=False, truncation=False)["input_ids"] for t in clean]
    assert count_tokens(texts, tokenizer) == [len(one) for one in ids]


def test_every_chat_format_renders_alike(chatml):
    count = counter(chatml)
    share = {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]}
    pair = {"prompt": "q", "chosen": "a", "rejected": "b"}
    rows = [(share, "sharegpt"), ({"prompt": "q", "completion": "a"}, "prompt-completion"),
            ({"instruction": "q", "output": "a"}, "alpaca"), (pair, "preference")]  # fmt: skip
    texts = {render(value, form, count.tokenizer, count.template) for value, form in rows}
    assert texts == {"<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\na<|im_end|>\n"}


def test_a_record_of_no_known_format_still_counts(chatml):
    count = counter(chatml)
    assert count([{"question": [["how long"] * 50]}])[0] > 50
    assert next(count.faults([{"question": []}])).code == "template-format"


def test_tools_reach_the_template_and_arguments_are_not_encoded_twice(chatml):
    count = counter(chatml)
    call = {"type": "function", "function": {"name": "look", "arguments": '{"city": "X"}'}}
    talk = [CHAT["messages"][1], {"role": "assistant", "content": None, "tool_calls": [call]}]
    tools = [{"type": "function", "function": {"name": "look", "parameters": {}}}]
    text = render({"messages": talk, "tools": tools}, "messages", count.tokenizer, count.template)
    assert '<call>{"city": "X"}</call>' in text
    assert json.dumps(tools) in text


@pytest.mark.parametrize("template", [REFUSES_SYSTEM, DROPS_SYSTEM])
def test_a_template_without_system_turn_is_a_fault(make_folder, template):
    count = counter(make_folder(template=template))
    assert not count.template.system
    with pytest.raises(RenderError) as caught:
        render(CHAT, "messages", count.tokenizer, count.template)
    assert caught.value.fault.code == "template-system"
    bare = {"messages": CHAT["messages"][1:]}
    assert list(count.faults([CHAT, bare])) == [caught.value.fault, None]
    assert count([CHAT])[0] > 0


def test_a_template_that_refuses_does_not_quote(make_folder):
    template = (
        "{% if messages[0].role != 'user' %}{{ raise_exception(messages[0].content) }}{% endif %}x"
    )
    count = counter(make_folder(template=template))
    value = {"messages": [{"role": "assistant", "content": "canary"}]}
    with pytest.raises(RenderError) as caught:
        render(value, "messages", count.tokenizer, count.template)
    assert caught.value.fault.code == "template-refuses"
    assert "canary" not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_no_chat_template_says_what_to_do(make_folder):
    folder = make_folder(template=None)
    with pytest.raises(TokenizerError, match="chat template"):
        counter(folder)
    assert counter(folder, "alpaca")([ALPACA])[0] > 0
    assert counter(folder, "{% for m in messages %}{{ m.content }}{% endfor %}")([CHAT])[0] > 0


def test_no_end_token(make_folder):
    with pytest.raises(TokenizerError, match="end token"):
        counter(make_folder(eos=None), "alpaca")


def test_alpaca_prompts(chatml):
    tokenizer = load_tokenizer(chatml)

    def text(name, value):
        return render(value, "alpaca", tokenizer, make_template(name, tokenizer))

    bare = {**ALPACA, "input": None}
    assert text("alpaca", ALPACA) == (
        "### Instruction:\nTranslate.\n\n### Input:\nla factura\n\n### Response:\n"
        "the invoice<|im_end|>"
    )
    assert "Input" not in text("alpaca", bare)
    assert text("alpaca-fr", bare) == (
        "### Instruction:\nTranslate.\n\n### Input:\n\n\n### Réponse:\nthe invoice<|im_end|>"
    )
    assert text("Q: {instruction} {input}\nA: {output}", ALPACA) == (
        "Q: Translate. la factura\nA: the invoice<|im_end|>"
    )
    plain = make_template("plain", tokenizer)
    assert render({"text": "t"}, "text", tokenizer, plain) == "t<|im_end|>"
    with pytest.raises(RenderError, match="`chat`"):
        render(CHAT, "messages", tokenizer, make_template("alpaca", tokenizer))
    with pytest.raises(RenderError, match="`output`"):
        render({"instruction": "i"}, "alpaca", tokenizer, make_template("alpaca", tokenizer))


BRACES = st.text(alphabet="{}abinputos ", max_size=12)


@given(BRACES, BRACES, BRACES, st.sampled_from([*PRESETS.values(), parse_prompt("{}|{}|{}")]))
def test_braces_in_the_data_stay(instruction, context, output, prompt):
    fields = {"instruction": instruction, "input": context, "output": output}
    text, start = fill(prompt, fields)
    assert text[start:] == output
    assert instruction in text[:start]
    assert context in text[:start]


@pytest.mark.parametrize(
    "text", ["", "{instruction}", "{output}{instruction}", "{} {}", "{} {input} {output}",
             "{instruction}{output}{output}"],
)  # fmt: skip
def test_prompts_that_cannot_be_filled(text):
    with pytest.raises(PromptError, match=r"contract\.template"):
        parse_prompt(text)


def test_tokens_by_role(chatml):
    count = counter(chatml)
    found = role_tokens(CHAT, "messages", count.tokenizer, count.template)
    texts = {m["role"]: m["content"] for m in CHAT["messages"]}
    alone = dict(zip(texts, count_tokens(list(texts.values()), count.tokenizer), strict=True))
    assert {role: found[role] for role in alone} == alone
    assert sum(found.values()) == count([CHAT])[0]


def test_qwen_renders_without_network_and_counts(qwen):
    count = counter(qwen)
    text = render(CHAT, "messages", count.tokenizer, count.template)
    assert text.endswith("On Friday.<|im_end|>\n")
    ids = count.tokenizer.apply_chat_template(CHAT["messages"], return_dict=False)
    assert count([CHAT]) == [len(ids)]
    long = {"messages": CHAT["messages"] + CHAT["messages"][1:] * 3}
    found = role_tokens(long, "messages", count.tokenizer, count.template)
    assert found["assistant"] == 4 * count_tokens(["On Friday."], count.tokenizer)[0]
