"""Chat templates as model families write them, made for these tests, each with a tiny tokenizer."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
WITH_DEFAULT = (
    "{% if messages[0].role != 'system' %}<|im_start|>system\nYou are helpful.<|im_end|>\n"
    "{% endif %}" + CHATML
)
SMOL = (
    "{% for m in messages %}{% if loop.first and m.role != 'system' %}"
    "<|im_start|>system\nYou are a small assistant.<|im_end|>\n{% endif %}"
    "{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
# Reasoning stands in turns behind the last question alone; tools in the system turn.
THINKS = """\
{%- if tools %}<|im_start|>system
{% if messages[0].role == 'system' %}{{ messages[0].content + '\n\n' }}{% endif %}# Tools
{%- for tool in tools %}
{{ tool | tojson }}{% endfor %}<|im_end|>
{% elif messages[0].role == 'system' %}<|im_start|>system
{{ messages[0].content }}<|im_end|>
{% endif %}
{%- set ns = namespace(last=-1) %}
{%- for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}
{%- for m in messages %}
{%- if m.role == 'user' %}{{ '<|im_start|>user\n' + m.content + '<|im_end|>\n' }}
{%- elif m.role == 'tool' %}
{{- '<|im_start|>user\n<tool_response>\n' + m.content + '\n</tool_response><|im_end|>\n' }}
{%- elif m.role == 'assistant' %}
{%- set thought = m.reasoning_content or '' %}
{{- '<|im_start|>assistant\n' }}
{%- if loop.index0 > ns.last and (loop.last or thought) %}
{{- '<think>\n' + thought + '\n</think>\n\n' + m.content.lstrip('\n') }}
{%- else %}{{ m.content }}{% endif %}
{%- for call in m.tool_calls or [] %}
{{- '<tool_call>\n{"name": "' + call.function.name + '", "arguments": ' }}
{{- call.function.arguments | tojson }}{{ '}\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"""
# As before, but production's prompt opens the think block.
OPENS_THINKING = THINKS.replace(
    "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}",
    "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n<think>\n' }}",
).replace("m.content.lstrip('\n')", "m.content.strip()")
HEADERS = """\
{{- bos_token }}
{%- for m in messages %}
{{- '<|start_header_id|>' + m.role + '<|end_header_id|>\n\n' }}
{%- if tools and m.role == 'user' and loop.index0 < 2 %}{{ (tools | tojson) + '\n\n' }}{% endif %}
{%- for call in m.tool_calls or [] %}
{{- '{"name": "' + call.function.name + '", "parameters": ' }}
{{- (call.function.arguments | tojson) + '}' }}
{%- endfor %}
{{- m.content | trim + ('<|eom_id|>' if m.tool_calls else '<|eot_id|>') }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %}"""
INST = (
    "{% for m in messages %}{% if m.role == 'system' %}{% else %}"
    "{% if m.role == 'user' %}{{ bos_token + '[INST] ' }}"
    "{% if loop.index0 == 1 and messages[0].role == 'system' %}"
    "{{ '<<SYS>>\n' + messages[0].content + '\n<</SYS>>\n\n' }}{% endif %}"
    "{{ m.content | trim + ' [/INST]' }}"
    "{% else %}{{ ' ' + m.content | trim + ' ' + eos_token }}{% endif %}{% endif %}{% endfor %}"
)
# Tools stand before the last question, so every earlier answer is asked for otherwise.
MISTRAL = """\
{{- bos_token }}
{%- set ns = namespace(last=-1) %}
{%- for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}
{%- for m in messages %}
{%- if m.role == 'system' %}{{ '[SYSTEM_PROMPT]' + m.content + '[/SYSTEM_PROMPT]' }}
{%- elif m.role == 'user' %}
{%- if tools and loop.index0 == ns.last %}
{{- '[AVAILABLE_TOOLS]' + (tools | tojson) + '[/AVAILABLE_TOOLS]' }}
{%- endif %}
{{- '[INST]' + m.content + '[/INST]' }}
{%- elif m.role == 'tool' %}{{ '[TOOL_RESULTS]' + m.content + '[/TOOL_RESULTS]' }}
{%- elif m.tool_calls %}
{%- for call in m.tool_calls %}
{%- if call.id | length != 9 %}{{ raise_exception('an id has nine characters') }}{% endif %}
{{- '[TOOL_CALLS]' + call.function.name + (call.function.arguments | tojson) }}
{%- endfor %}
{{- eos_token }}
{%- else %}{{ m.content + eos_token }}{% endif %}
{%- endfor %}"""
GEMMA = """\
{{- bos_token }}
{%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
{%- for m in messages %}
{%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles alternate') }}{% endif %}
{{- '<start_of_turn>' + ('model' if m.role == 'assistant' else m.role) + '\n' }}
{{- m.content | trim + '<end_of_turn>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"""
PHI = (
    "{% for m in messages %}{{ '<|' + m.role + '|>\n' + m.content + '<|end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}"
)


@dataclass(frozen=True)
class Family:
    """`trained` gives what is trained on for an answer, its end-of-turn token included."""

    template: str
    special: tuple[str, ...]
    eos: str
    stops: tuple[str, ...]
    trained: Callable[[str], str]
    bos: str = ""
    plain: tuple[str, ...] = ()  # added tokens that are not special
    letters: str = "bytes"  # how the tokenizer cuts texts: bytes | spaces, and with one put before: prefix | first
    system: bool = True
    calls: Callable[[str, str], str] | None = None  # what is trained on for a call
    strips: bool = False  # tokens swallow the white space behind them
    apart: bool = False  # earlier answers are written otherwise than last ones


IM = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
QWEN = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")
LLAMA = ("<s>", "</s>")


def _call(name: str, arguments: str) -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call><|im_end|>'


def _im(answer: str) -> str:
    return answer + "<|im_end|>"


FAMILIES = {
    "chatml": Family(CHATML, IM, "<|im_end|>", ("<|im_end|>",), _im),
    "chatml-default": Family(WITH_DEFAULT, IM, "<|endoftext|>", ("<|im_end|>", "<|endoftext|>"), _im),
    "smol": Family(SMOL, IM, "<|im_end|>", ("<|im_end|>",), _im),
    "thinks": Family(
        THINKS, IM, "<|im_end|>", ("<|im_end|>",),
        lambda a: "<think>\n\n</think>\n\n" + a.lstrip("\n") + "<|im_end|>", plain=QWEN, apart=True,
        calls=lambda n, a: "<think>\n\n</think>\n\n" + _call(n, a),
    ),
    "opens-thinking": Family(
        OPENS_THINKING, IM, "<|im_end|>", ("<|im_end|>",),
        lambda a: "\n</think>\n\n" + a.strip() + "<|im_end|>", plain=QWEN, apart=True,
        calls=lambda n, a: "\n</think>\n\n" + _call(n, a),
    ),
    "headers": Family(
        HEADERS, ("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>",
                  "<|eot_id|>", "<|eom_id|>"),
        "<|end_of_text|>", ("<|eot_id|>", "<|end_of_text|>", "<|eom_id|>"),
        lambda a: a.strip() + "<|eot_id|>", bos="<|begin_of_text|>",
        calls=lambda n, a: f'{{"name": "{n}", "parameters": {a}}}<|eom_id|>',
    ),
    "inst": Family(
        INST, LLAMA, "</s>", ("</s>",), lambda a: " " + a.strip() + " </s>", bos="<s>",
        letters="prefix",
    ),
    "mistral": Family(
        MISTRAL, (*LLAMA, "[INST]", "[/INST]", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]",
                  "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[SYSTEM_PROMPT]",
                  "[/SYSTEM_PROMPT]"),
        "</s>", ("</s>",), lambda a: a + "</s>", bos="<s>", letters="first",
        calls=lambda n, a: f"[TOOL_CALLS]{n}{a}</s>",
    ),
    "gemma": Family(
        GEMMA, ("<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>"), "<eos>",
        ("<end_of_turn>", "<eos>"), lambda a: a.strip() + "<end_of_turn>", bos="<bos>",
        letters="spaces", system=False,
    ),
    "phi": Family(
        PHI, (*LLAMA, "<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>"),
        "<|endoftext|>", ("<|end|>", "<|endoftext|>"), lambda a: a + "<|end|>", bos="<s>",
        letters="prefix", strips=True,
    ),
}  # fmt: skip

# What the tokenizers learn from: white space runs, words behind a space, pieces of markers.
TEXT = [
    "the invoice is due on Friday\n\nla factura vence el viernes", "Rechnung für März \U0001f642",
    "user\n\nassistant\n\n\n", "  two spaces ]\n\n  [/INST] a ] b", "<| im _end |> think> </s",
    '{"name": "look", "arguments": {"city": "X"}}',
] * 40  # fmt: skip
# In the manner of the published patterns: line breaks go with what stands before them.
PATTERN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def write_family(folder, family):
    """Write the tokenizer files of a family into a folder."""
    tokenizer = Tokenizer.from_str(_tokenizer(family.letters))
    strip = family.strips
    tokenizer.add_special_tokens([AddedToken(t, rstrip=strip, normalized=False)
                                  for t in family.special])  # fmt: skip
    tokenizer.add_tokens([AddedToken(t, normalized=False) for t in family.plain])
    if family.bos:
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{family.bos} $A", pair=f"{family.bos} $A $B",
            special_tokens=[(family.bos, tokenizer.token_to_id(family.bos))],
        )  # fmt: skip
    folder.mkdir(exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": family.eos}
    # The pad token is the end token, as many set it: the end must be trained all the same.
    config |= {"pad_token": family.eos, "chat_template": family.template}
    config |= {"bos_token": family.bos} if family.bos else {}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


@cache
def _tokenizer(letters):
    if letters == "bytes":
        return _bytes().to_str()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    tokenizer.train_from_iterator(TEXT, trainers.BpeTrainer(vocab_size=300, show_progress=False))
    model = json.loads(tokenizer.to_str())["model"]
    names = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    vocab = {name: i for i, name in enumerate(dict.fromkeys([*names, *model["vocab"]]))}
    merges = [tuple(merge) for merge in model["merges"]]
    made = Tokenizer(
        models.BPE(vocab, merges, byte_fallback=True, unk_token="<unk>", fuse_unk=True)
    )
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    made.normalizer = normalizers.Replace(" ", "▁")
    if letters == "prefix":  # a space before each text, taken off when it is read back
        made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), made.normalizer])
        steps.append(decoders.Strip(" ", 1, 0))
    elif letters == "first":  # the same, but not behind a control token
        made.normalizer = None
        made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
        steps.append(decoders.Strip(" ", 1, 0))
    made.decoder = decoders.Sequence(steps)
    return made.to_str()


def _bytes():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])  # fmt: skip
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=420, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator(TEXT, trainer)
    return tokenizer
