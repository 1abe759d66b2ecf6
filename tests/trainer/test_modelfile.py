import re
from itertools import pairwise

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.go_template import GoTemplateError, literal, ollama_render
from trainer.modelfile import (
    ModelfileError,
    Ollama,
    asked,
    check_text,
    conversations,
    for_chat,
    for_prompt,
    modelfile,
    prompt_stops,
)
from trainer.prompts import PRESETS, Prompt, parse_prompt

# The families in their shortest form: markers, default system, trimming and where system goes.
CHATML = (
    "{% for m in messages %}{% if loop.first and m.role != 'system' %}<|im_start|>system\n"
    "You are of use.<|im_end|>\n{% endif %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
HEADERS = (
    "{% for m in messages %}{% if loop.first %}{{ bos_token }}{% endif %}"
    "<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content | trim }}<|eot_id|>"
    "{% endfor %}<|start_header_id|>assistant<|end_header_id|>\n\n"
)
IN_FIRST_USER = (
    "{{ bos_token }}{% if messages[0].role == 'system' %}{% set s = messages[0].content + '\n\n' %}"
    "{% set rest = messages[1:] %}{% else %}{% set s = '' %}{% set rest = messages %}{% endif %}"
    "{% for m in rest %}<start_of_turn>{{ 'model' if m.role == 'assistant' else 'user' }}\n"
    "{{ s if loop.first else '' }}{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
    "<start_of_turn>model\n"
)
INST = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}[INST] {{ m.content }}[/INST]"
    "{% else %} {{ m.content }}{{ eos_token }}{% endif %}{% endfor %}"
)
ENDED = (
    "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endfor %}<|assistant|>\n"
)
BRACES = "{% for m in messages %}{{ '{{{' }}{{ m.role[0] }}|{{ m.content }}{{ '}}' }}{% endfor %}{{ '{' }}"
SYSTEM_LAST = (
    "{% for m in messages if m.role != 'system' %}{% if m.role == 'user' %}[INST] "
    "{% if loop.last and messages[0].role == 'system' %}{{ messages[0].content }}\n\n{% endif %}"
    "{{ m.content }}[/INST]{% else %} {{ m.content }}</s>{% endif %}{% endfor %}"
)
DATED = "{{ strftime_now('%d %b %Y') }}" + CHATML
SHOUTS = "{% for m in messages %}{{ m.role }}: {{ m.content | upper }}\n{% endfor %}"
FIRST_UNLIKE = (
    "{% for m in messages %}{{ '>>' if loop.last and loop.first else '>' }}{{ m.content }}"
    "{{ '!' if loop.first and loop.last else '.' }}{% endfor %}"
)


def renderer(jinja):
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    made = environment.from_string(jinja)
    return lambda talk: made.render(
        messages=talk, add_generation_prompt=True, bos_token="<s>", eos_token="</s>"
    )


def derived(jinja, *, system=True, tools=False, begin="<s>"):
    return for_chat(renderer(jinja), begin=begin, jinja=jinja, system=system, tools=tools)


@pytest.mark.parametrize(
    ("jinja", "system"),
    [(CHATML, True), (HEADERS, True), (IN_FIRST_USER, True), (INST, False), (ENDED, True),
     (BRACES, True)],
)  # fmt: skip
def test_a_template_of_each_family_renders_the_bytes_of_training(jinja, system):
    made = derived(jinja, system=system)
    assert made.template is not None, made.why
    assert made.proven >= 40
    render = renderer(jinja)
    talk = [{"role": "user", "content": 'né "le" {{ 3 }}\n- au'},
            {"role": "assistant", "content": "Là."}, {"role": "user", "content": "?"}]  # fmt: skip
    rules = [{"role": "system", "content": "Be\n\nbrief"}] if system else []
    for one in (talk, rules + talk, talk[:1], rules + talk[:1]):
        assert "<s>" * ("<s>" in jinja) + ollama_render(made.template, one) == render(
            one
        ).removeprefix("<s>")


@pytest.mark.parametrize("jinja", [HEADERS, IN_FIRST_USER])
def test_a_beginning_token_that_the_gguf_does_not_add_is_written(jinja):
    made = derived(jinja, begin="")
    assert ollama_render(made.template, [{"role": "user", "content": "x"}]).startswith("<s>")
    assert not ollama_render(
        derived(jinja).template, [{"role": "user", "content": "x"}]
    ).startswith("<s>")


@pytest.mark.parametrize("jinja", [SYSTEM_LAST, DATED, SHOUTS, FIRST_UNLIKE])
def test_what_cannot_be_proven_is_not_written(jinja):
    made = derived(jinja)
    assert made.template is None
    assert made.why
    text = modelfile("m.gguf", made, stops=["</s>"], temperature=0.7, system=None)
    assert not any(line.startswith("TEMPLATE") for line in text.splitlines())
    assert "inside the GGUF" in text


def test_data_that_call_tools_get_no_template():
    assert derived(CHATML, tools=True).template is None


def test_trimming_is_told():
    assert "blanks" in derived(HEADERS).notes[0]
    assert derived(CHATML).notes == ()


GUIDE = '### Instruction:\n{{ .Prompt }}\n\n### Réponse:\n'  # fmt: skip  # the guide's Modelfile


def test_the_guides_own_modelfile_drops_the_input_and_ours_does_not():
    talk = [{"role": "system", "content": "Traduis en anglais."},
            {"role": "user", "content": "la facture"}]  # fmt: skip
    trained = asked(PRESETS["alpaca-fr"], talk)
    assert trained == (
        "### Instruction:\nTraduis en anglais.\n\n### Input:\nla facture\n\n### Réponse:\n"
    )
    assert ollama_render(GUIDE, talk) != trained
    assert ollama_render(for_prompt(PRESETS["alpaca-fr"]).template, talk) == trained


@pytest.mark.parametrize("name", ["alpaca", "alpaca-fr"])
def test_rows_without_input_render_as_in_training(name):
    talk = [{"role": "user", "content": "Say yes."}]
    made = for_prompt(PRESETS[name])
    assert ollama_render(made.template, talk) == asked(PRESETS[name], talk)
    assert ("### Input:" in asked(PRESETS[name], talk)) == (name == "alpaca-fr")


def test_own_prompts_with_braces_and_without_input():
    own = parse_prompt("{{ Q }}: {instruction}{\nA: {output}")
    made = for_prompt(own)
    assert ollama_render(made.template, [{"role": "user", "content": "x"}]) == "{{ Q }}: x{\nA: "
    assert prompt_stops(PRESETS["alpaca"]) == ("### Instruction:",)
    assert prompt_stops(Prompt("{instruction}\n{output}")) == ()


def read_back(text):
    """Ollama's reader: commands, with values that may be quoted three times over lines."""
    lines = re.sub(r'("""(?:.|\n)*?"*""")', lambda m: repr(m[1][3:-3]), text).splitlines()
    return [line.split(" ", 1) for line in lines if line and not line.startswith("#")]


def test_the_whole_file():
    made = derived(CHATML)
    text = modelfile(
        "tone-Q4_K_M.gguf", made, stops=["<|im_end|>", "### Instruction:"], temperature=0.7,
        system='Say "no".\nBriefly',
    )  # fmt: skip
    assert read_back(text) == [
        ["FROM", "./tone-Q4_K_M.gguf"],
        ["TEMPLATE", repr(made.template)],
        ["SYSTEM", repr('Say "no".\nBriefly')],
        ["PARAMETER", "temperature 0.7"],
        ["PARAMETER", "stop '<|im_end|>'"],
        ["PARAMETER", "stop '### Instruction:'"],
    ]


@pytest.mark.parametrize("text", ['a """ b', "hard\u00a0space", "zero\u200bwidth", "a\rb"])
def test_what_a_modelfile_cannot_hold_is_refused(text):
    with pytest.raises(ModelfileError):
        check_text(text)
    with pytest.raises(ModelfileError):
        modelfile("m.gguf", Ollama(None), stops=[], temperature=0.7, system=text)


@given(st.text(max_size=40))
def test_a_literal_comes_back_unchanged(text):
    talk = [{"role": "user", "content": "x"}]
    assert ollama_render(literal(text) + "{{ .Prompt }}", talk) == text + "x"


def test_the_servers_way_with_templates():
    talk = [{"role": r, "content": c} for r, c in
            [("system", "s"), ("user", "a"), ("user", "b"), ("assistant", "c"), ("user", "d")]]  # fmt: skip
    legacy = "{{ if .System }}<{{ .System }}>{{ end }}[{{ .Prompt }}]{{ .Response }}|"
    assert ollama_render(legacy, talk) == "<s>[a\n\nb]c|[d]"
    assert ollama_render("[{{ .Prompt }}]", talk) == "[a\n\nb]c[d]"
    last = (
        "{{- range $i, $m := .Messages }}\n{{- if eq $m.Role \"user\" `x` }}{{ .Content }}"
        "{{ else if and (ne .Role \"system\") (not false_) }}{{ end }}"
        "{{ if eq (len (slice $.Messages $i)) 1 }}!{{ end }}{{ end }}"
    ).replace(" (not false_)", "")  # fmt: skip
    assert ollama_render(last, talk) == "a\n\nbd!"


@pytest.mark.parametrize(
    "broken",
    ["{{ if .System }}x", "{{ end }}", "{{ nope .System }}", "{{ (.System }}", "{{ .A .B }}",
     "{{ if .System }}{{ .Response }}{{ end }}", "{{ .System | json }}"],
)  # fmt: skip
def test_templates_outside_the_language_are_refused(broken):
    with pytest.raises(GoTemplateError):
        ollama_render(broken, [{"role": "user", "content": "x"}])


def test_conversations_end_with_the_user_and_alternate():
    for talk in conversations(system=True):
        roles = [turn["role"] for turn in talk]
        assert roles[-1] == "user"
        assert len([t for t in talk if t["content"] != t["content"].strip()]) == 0
        assert all(a != b for a, b in pairwise(roles))
