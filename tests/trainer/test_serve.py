import subprocess

import jinja2
import pytest

from trainer.modelfile import asked, conversations
from trainer.prompts import PRESETS, parse_prompt
from trainer.serve import (
    adapter_script,
    merged_script,
    one_exchange,
    prompt_jinja,
    refusals,
    served_rank,
)

PLAIN = {"r": 16, "bias": "none", "target_modules": ["q_proj"], "use_rslora": True}
TENSORS = ["base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"]


@pytest.mark.parametrize(
    ("rank", "allowed"), [(1, 1), (2, 8), (16, 16), (24, 32), (300, 320), (512, 512), (513, None),
                          (0, None)],
)  # fmt: skip
def test_the_smallest_rank_that_is_allowed(rank, allowed):
    assert served_rank(rank) == allowed


def test_a_common_adapter_is_served():
    assert refusals(PLAIN, TENSORS) == ()


@pytest.mark.parametrize(
    ("change", "tensors", "word"),
    [({"modules_to_save": ["lm_head"]}, [], "modules_to_save"),
     ({"trainable_token_indices": [3]}, [], "whole layers"),
     ({"use_dora": True}, [], "DoRA"), ({"bias": "all"}, [], "biases"), ({"r": 1024}, [], "512"),
     ({"alpha_pattern": {"q_proj": 4}}, [], "differ"),
     ({}, ["base_model.model.lm_head.lora_A.weight"], "output layer"),
     ({}, ["base_model.model.model.embed_tokens.lora_embedding_A"], "embedding")],
)  # fmt: skip
def test_what_vllm_does_not_take_is_refused_in_words(change, tensors, word):
    (reason,) = refusals(PLAIN | change, TENSORS + tensors)
    assert word in reason


def run(script, folder, cwd=None, **env):
    (folder / "serve.sh").write_text(script)
    fake = folder / "vllm"
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$VLLM_NO_USAGE_STATS$HF_HUB_OFFLINE" "$@"\n')
    fake.chmod(0o755)
    return subprocess.run(
        ["sh", str(folder / "serve.sh")], capture_output=True, text=True, check=False,
        env={"PATH": f"{folder}:/usr/bin:/bin", **env}, cwd=cwd,
    )  # fmt: skip


def test_the_script_calls_vllm_with_the_rank_and_without_reports(tmp_path):
    done = run(adapter_script("invoices", "Org/Base-8B", 24), tmp_path, BASE="/usr")
    assert done.stdout.split() == [
        "11", "serve", "/usr", "--enable-lora", "--lora-modules", "invoices=./adapter",
        "--max-lora-rank", "32", "--chat-template", "./chat_template.jinja",
        "--generation-config", ".", "--host", "127.0.0.1", "--port", "8000",
    ]  # fmt: skip


def test_without_a_base_folder_the_script_says_so(tmp_path):
    done = run(adapter_script("invoices", "Org/Base-8B", 16), tmp_path)
    assert done.returncode
    assert "BASE" in done.stderr


def test_a_relative_base_is_found_from_where_the_command_was_given(tmp_path):
    export, base = tmp_path / "a run", tmp_path / "my base"
    export.mkdir()
    base.mkdir()
    script = adapter_script("invoices", "Org/Base-8B", 16)
    done = run(script, export, cwd=tmp_path, BASE="my base", CDPATH="/usr:.")
    assert done.stdout.splitlines()[1:3] == ["serve", str(base)]
    done = run(script, export, cwd=tmp_path, BASE="no base")
    assert done.returncode == 2
    assert done.stderr == (
        "BASE=no base: there is no such folder. Give the local folder of the base model.\n"
    )


def test_the_merged_model_is_served_with_the_reason(tmp_path):
    script = merged_script("invoices", ["it is a DoRA adapter"])
    assert "# The adapter cannot be served by itself: it is a DoRA adapter." in script
    assert "--enable-lora" not in script
    assert run(script, tmp_path).stdout.split()[1:3] == ["serve", "./merged"]


OWN = "It's {{ so }} \\ {instruction}\n\t{input}|\n{output}"


@pytest.mark.parametrize("name", ["alpaca", "alpaca-fr", OWN, "Q: {instruction}\nA:{output}"])
@pytest.mark.parametrize("begin", [True, False])
def test_the_chat_template_of_a_plain_prompt_renders_the_bytes_of_training(name, begin):
    prompt = PRESETS[name] if name in PRESETS else parse_prompt(name)
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(prompt_jinja(prompt, begin=begin))
    for talk in conversations(system=True):
        if len([turn for turn in talk if turn["role"] == "user"]) == 1:
            text = template.render(messages=talk, bos_token="<s>", add_generation_prompt=True)
            assert text == "<s>" * begin + asked(prompt, talk)


def test_plain_text_passes_as_it_stands():
    template = jinja2.Environment().from_string(prompt_jinja(None, begin=False))
    assert template.render(messages=[{"role": "user", "content": " x\n"}]) == " x\n"


def test_what_each_request_must_stop_at_stands_in_the_script():
    stop = ("### Instruction:",)
    for script in (adapter_script("a", "b", 8, stop), merged_script("a", (), stop)):
        assert '# Each request must send "stop": ["### Instruction:"]' in script
    assert '"stop"' not in merged_script("a")


def _refuse(message):
    raise ValueError(message)


def test_a_conversation_is_refused_and_one_exchange_is_not():
    plain = prompt_jinja(PRESETS["alpaca"], begin=False)
    template = jinja2.Environment().from_string(one_exchange(plain))
    system, user, said = (
        {"role": role, "content": role} for role in ("system", "user", "assistant")
    )
    for talk in ([user], [system, user]):
        assert template.render(messages=talk, raise_exception=_refuse) == (
            jinja2.Environment().from_string(plain).render(messages=talk)
        )
    for talk in (
        [user, said],
        [user, user],
        [user, said, user],
        [system, user, said, user],
        [said],
    ):
        with pytest.raises(ValueError, match="one user message"):
            template.render(messages=talk, raise_exception=_refuse)
