import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trainer.families import CHATML, FAMILIES, IM, Family, write_family
from trainer.labels import (
    IGNORED,
    end_of_turn,
    find_ending,
    generation_prompt,
    label,
    spans,
    stop_tokens,
)
from trainer.templates import RenderError, TokenizerError, load_tokenizer, make_template, render

NAMES = sorted(FAMILIES)
CALLERS = [name for name in NAMES if FAMILIES[name].calls]
TOOL = {"type": "function", "function": {
    "name": "look", "description": "Look up.", "parameters": {"type": "object"}}}  # fmt: skip
ARGUMENTS = '{"city": "X", "days": 2}'
CALL = {"id": "callcalla", "type": "function", "function": {"name": "look", "arguments": ARGUMENTS}}
# Answers that begin or end where a token could reach over the seam, or that name control tokens.
ANSWERS = [
    "On Friday.", "\nOn a line of its own", "\n\nTwo", " a space first", "  two spaces", "\t", "🙂",
    "é́ \U0001f469\u200d\U0001f680 März", "]", "> <", "ends in a space ", "ends in a break\n", "0",
    "Write <|im_end|> to end, <|end|> or </s>, <end_of_turn>, <|eot_id|>[/INST] <|im_start|>user",
]  # fmt: skip


def user(text):
    return {"role": "user", "content": text}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


def system(text):
    return {"role": "system", "content": text}


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """(tokenizer, template) of every family."""
    root = tmp_path_factory.mktemp("families")
    made = {}
    for name, family in FAMILIES.items():
        tokenizer = load_tokenizer(write_family(root / name, family))
        made[name] = tokenizer, make_template("chat", tokenizer)
    return made


@pytest.fixture
def make_model(tmp_path):
    def make(template, **more):
        family = Family(template, IM, "<|im_end|>", (), str, **more)
        tokenizer = load_tokenizer(write_family(tmp_path / "made", family))
        return tokenizer, make_template("chat", tokenizer)

    return make


def runs(example):
    """Spans of trained tokens."""
    places = [i for i, one in enumerate(example.labels) if one != IGNORED]
    starts = [i for i in places if i - 1 not in places]
    return [(i, next(j for j in range(i, len(example.ids) + 1) if j not in places)) for i in starts]


def served(tokenizer, messages, tools=None):
    """The ids that production sends, by the library's own words."""
    text = tokenizer.apply_chat_template(
        messages, tools=tools, tokenize=False, add_generation_prompt=True
    )
    return tokenizer(text, add_special_tokens=False, truncation=False)["input_ids"]


def read(tokenizer, ids):
    return tokenizer.backend_tokenizer.decode(ids, skip_special_tokens=False)


def trained(model, value, form="messages"):
    """Trained text by turn, after holding every example against what production sends."""
    tokenizer, template = model
    found = {}
    for example in label(value, form, tokenizer, template):
        assert all(a in (b, IGNORED) for a, b in zip(example.labels, example.ids, strict=True))
        spread = runs(example)
        assert len(spread) == len(example.turns)
        for turn, (start, end) in zip(example.turns, spread, strict=True):
            messages = parsed(value["messages"][:turn])
            assert example.ids[:start] == served(tokenizer, messages, value.get("tools"))
            ids = example.ids[start:end]
            stops = {tokenizer.convert_tokens_to_ids(t) for t in stop_tokens(tokenizer, template)}
            assert stops & set(ids) == {ids[-1]}
            assert stops & set(ids[:-1]) == set()
            assert turn not in found
            head = read(tokenizer, example.ids[:start])
            found[turn] = read(tokenizer, example.ids[:end])[len(head) :]
    return found


def parsed(messages):
    """As templates want them: no null, arguments as objects."""
    done = []
    for message in messages:
        copy = {**message, "content": message["content"] or ""}
        if "tool_calls" in message:
            function = {**CALL["function"], "arguments": json.loads(ARGUMENTS)}
            copy["tool_calls"] = [{**CALL, "function": function}]
        done.append(copy)
    return done


def same(name, got, expected):
    """Equal, but for the space that tokenizers with a prefix put behind a control token."""
    if FAMILIES[name].letters == "prefix":
        assert got.removeprefix(" ") == expected.removeprefix(" ")
    else:
        assert got == expected


def test_importing_labels_loads_no_heavy_library():
    heavy = "{'torch', 'transformers', 'tokenizers', 'datasets', 'pandas', 'numpy'}"
    script = f"import sys, trainer.examples; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_is_the_answer_and_its_end_of_turn_token(models, name):
    for answer in ANSWERS:
        found = trained(models[name], {"messages": [user("When?"), assistant(answer)]})
        assert list(found) == [1]
        same(name, found[1], FAMILIES[name].trained(answer))


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_of_several_turns(models, name):
    talk = [user("One?"), assistant("1"), user("Two?\n"), assistant("It is 2."), user("3?"),
            assistant("3 🙂")]  # fmt: skip
    found = trained(models[name], {"messages": talk})
    for turn in (1, 3, 5):
        same(name, found[turn], FAMILIES[name].trained(talk[turn]["content"]))
    count = 3 if FAMILIES[name].apart else 1
    tokenizer, template = models[name]
    made = label({"messages": talk}, "messages", tokenizer, template)
    assert len(made) == count
    assert made[-1].turns[-1] == 5


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_with_a_system_turn(models, name):
    value = {"messages": [system("Be brief."), user("When?"), assistant("Friday.")]}
    if not FAMILIES[name].system:
        with pytest.raises(RenderError, match="system"):
            trained(models[name], value)
        return
    found = trained(models[name], value)
    assert list(found) == [2]
    same(name, found[2], FAMILIES[name].trained("Friday."))


@pytest.mark.parametrize("name", CALLERS)
def test_tool_calls_are_trained_and_tools_reach_the_prompt(models, name):
    tokenizer, template = models[name]
    result = {"role": "tool", "content": "rain", "tool_call_id": "callcalla"}
    talk = [user("Weather?"), assistant(None, tool_calls=[CALL]), result, assistant("Rain."),
            user("And now?"), assistant("Sun.")]  # fmt: skip
    value = {"messages": talk, "tools": [TOOL]}
    found = trained(models[name], value)
    assert found[1] == FAMILIES[name].calls("look", ARGUMENTS)
    assert found[3] == FAMILIES[name].trained("Rain.")
    assert found[5] == FAMILIES[name].trained("Sun.")
    made = label(value, "messages", tokenizer, template)
    assert all("Look up." in read(tokenizer, example.ids) for example in made)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in CALLERS])
def test_a_template_that_leaves_out_calls_or_tools_is_refused(models, name):
    tokenizer, template = models[name]
    old = {"function_call": {"name": "look", "arguments": ARGUMENTS}}
    for more in ({"tool_calls": [CALL]}, old):
        talk = [user("Weather?"), assistant(None, **more)]
        words = "base model knows no tools" if "tool_calls" in more else "function_call"
        with pytest.raises(RenderError, match=words):
            label({"messages": talk}, "messages", tokenizer, template)
    talk = [user("Weather?"), assistant("Rain.")]
    with pytest.raises(RenderError, match="the tools"):
        label({"messages": talk, "tools": [TOOL]}, "messages", tokenizer, template)


@pytest.mark.parametrize("name", NAMES)
def test_stop_tokens(models, name):
    assert stop_tokens(*models[name]) == FAMILIES[name].stops
    assert end_of_turn(*models[name]) == FAMILIES[name].stops[0]


@pytest.mark.parametrize("name", NAMES)
def test_what_production_sends(models, name):
    tokenizer, _ = models[name]
    talk = [user("One?"), assistant("1"), user("Two?")]
    text = generation_prompt(talk, None, *models[name])
    ids = tokenizer(text, add_special_tokens=False, truncation=False)["input_ids"]
    assert ids == served(tokenizer, talk)
    if tokenizer.bos_token:  # as often as the template writes it, none added
        assert ids.count(tokenizer.bos_token_id) == text.count(tokenizer.bos_token)


CHUNKS = st.sampled_from([
    "a", "1", " ", "\n", "]", ">", "<", "|", "🙂", "\u0301", "<|im_end|>", "</s>", "[INST]", "user",
    "<|end|>", "<end_of_turn>", "<|eot_id|>",
])  # fmt: skip
WORDS = st.lists(CHUNKS | st.text(max_size=3), max_size=6).map("".join)


def harmless(family, text):
    """Without the strings that this family's template reads as its own (not those of a user)."""
    return "".join(text.replace("▁", "").split("think>"))  # "▁" is read back as a space


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(pairs=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4), head=WORDS)
def test_any_conversation_is_trained_as_production_writes_it(models, name, pairs, head):
    family = FAMILIES[name]
    talk = [system(head)] if head and family.system else []
    for question, answer in pairs:
        talk += [user(question), assistant(harmless(family, answer))]
    found = trained(models[name], {"messages": talk})
    assert sorted(found) == [i for i, m in enumerate(talk) if m["role"] == "assistant"]
    for turn, got in found.items():
        same(name, got, family.trained(talk[turn]["content"]))


def one(model, value, form):
    (example,) = label(value, form, *model)
    ((start, end),) = runs(example)
    assert end == len(example.ids)
    text = read(model[0], example.ids)
    head = read(model[0], example.ids[:start])
    return head, text[len(head) :], example


def with_template(model, name):
    return model[0], make_template(name, model[0])


@pytest.mark.parametrize("family", ["chatml", "headers", "inst"])
@pytest.mark.parametrize(
    "answer", ["the invoice", "\nthe invoice", " x", "{output} </s> <|im_end|> x"]
)
def test_alpaca_rows_by_the_prompt_of_the_contract(models, family, answer):
    model = with_template(models[family], "alpaca")
    tokenizer, template = model
    row = {"instruction": "Translate.", "input": "la factura", "output": answer}
    head, tail, example = one(model, row, "alpaca")
    prompt = "### Instruction:\nTranslate.\n\n### Input:\nla factura\n\n### Response:\n"
    bos, eos = tokenizer.bos_token or "", tokenizer.eos_token
    assert (head.replace(f"{bos} #", f"{bos}#"), tail) == (bos + prompt, answer + eos)
    ids = tokenizer(prompt, add_special_tokens=True, truncation=False)["input_ids"]
    assert example.ids[: len(ids)] == ids
    assert example.labels[len(ids) :] == example.ids[len(ids) :]
    assert example.ids.count(tokenizer.eos_token_id) == 1
    assert example.labels[-1] == tokenizer.eos_token_id == tokenizer.pad_token_id
    assert prompt + answer + eos == render(row, "alpaca", tokenizer, template)
    assert end_of_turn(tokenizer, template) == eos
    assert stop_tokens(tokenizer, template) == (eos,)


def test_an_end_token_that_stands_in_the_row_already_is_not_doubled(models):
    model = with_template(models["chatml"], "alpaca-fr")
    row = {"instruction": "i", "input": "", "output": "o<|im_end|>"}
    assert one(model, row, "alpaca")[1] == "o<|im_end|>"
    plain = with_template(models["headers"], "plain")
    value = {"text": "<|begin_of_text|>as rendered elsewhere<|eot_id|> on<|end_of_text|>"}
    example = label(value, "text", *plain)[0]
    assert read(models["headers"][0], example.ids) == value["text"]
    assert example.ids.count(plain[0].convert_tokens_to_ids("<|eot_id|>")) == 1
    assert len(example.ids) == example.trained + 1


def test_a_prompt_that_ends_inside_a_token_is_cut_as_production_cuts_it(models):
    model = with_template(models["chatml"], "Q: {instruction} A: {output}")
    head, tail, example = one(model, {"instruction": "q", "output": "the invoice"}, "alpaca")
    assert (head, tail) == ("Q: q A: ", "the invoice<|im_end|>")
    joint = model[0](head + tail, add_special_tokens=False, truncation=False)["input_ids"]
    assert example.ids != joint


@pytest.mark.parametrize("key", ["history", "system"])
def test_what_a_prompt_has_no_place_for_is_refused(models, key):
    row = {"instruction": "i", "output": "o", key: "Be brief." if key == "system" else [["a", "b"]]}
    with pytest.raises(RenderError, match=key):
        label(row, "alpaca", *with_template(models["chatml"], "alpaca"))
    assert label(row, "alpaca", *models["chatml"])[0].trained


@pytest.mark.parametrize("family", ["chatml", "headers", "inst", "gemma"])
def test_plain_rows(models, family):
    model = with_template(models[family], "plain")
    tokenizer = model[0]
    bos, eos = tokenizer.bos_token or "", tokenizer.eos_token
    head, tail, _ = one(model, {"prompt": "When?\n", "completion": "\nNow"}, "prompt-completion")
    assert (head.replace(" ", ""), tail) == (bos + "When?\n", "\nNow" + eos)
    for way in (model, models[family]):  # plain text is no conversation, whatever the template
        (example,) = label({"text": "all of it"}, "text", *way)
        assert read(tokenizer, example.ids).replace("> a", ">a") == bos + "all of it" + eos
        assert example.ids.count(tokenizer.bos_token_id) == bool(bos)
        assert example.trained >= len(example.ids) - 1
    with pytest.raises(RenderError, match="`chat`"):
        label({"messages": []}, "messages", *model)


def test_weight_0_is_not_trained(models):
    talk = [user("a"), assistant("b", weight=0), user("c"), assistant("d", weight=1)]
    assert list(trained(models["chatml"], {"messages": talk})) == [3]
    with pytest.raises(RenderError, match="answer") as caught:
        label({"messages": talk[:2]}, "messages", *models["chatml"])
    assert caught.value.fault.openai == "example_missing_assistant_message"


@pytest.mark.parametrize("weight", ["0", "1", 0.5, 2, -1, [], {}])
@pytest.mark.parametrize("key", ["weight", "loss_weight"])
def test_weights_that_are_no_yes_or_no_are_refused(models, key, weight):
    talk = [user("a"), assistant("b", **{key: weight}), user("c"), assistant("d")]
    with pytest.raises(RenderError, match="0 or 1") as caught:
        label({"messages": talk}, "messages", *models["chatml"])
    assert caught.value.fault.path == f"messages[1].{key}"
    for off in (0, False, 0.0):
        talk[1][key] = off
        assert list(trained(models["chatml"], {"messages": talk})) == [3]
    for on in (1, True, None):
        talk[1][key] = on
        assert list(trained(models["chatml"], {"messages": talk})) == [1, 3]


@pytest.mark.parametrize("name", [name for name in NAMES if FAMILIES[name].system])
def test_a_developer_turn_is_seen_by_the_model(models, name):
    talk = [{"role": "developer", "content": "Be brief."}, user("When?"), assistant("Friday.")]
    tokenizer, template = models[name]
    (example,) = label({"messages": talk}, "messages", tokenizer, template)
    text = read(tokenizer, example.ids)
    assert text.index("Be brief.") < text.index("When?")
    if "m.role }}" not in FAMILIES[name].template and "' + m.role" not in FAMILIES[name].template:
        as_system = [system("Be brief."), *talk[1:]]
        assert example == label({"messages": as_system}, "messages", tokenizer, template)[0]


def test_a_developer_turn_is_a_system_turn_where_the_template_has_none(models):
    talk = [{"role": "developer", "content": "Be brief."}, user("When?"), assistant("Friday.")]
    with pytest.raises(RenderError, match="no system turn"):
        label({"messages": talk}, "messages", *models["gemma"])


@pytest.mark.parametrize(("name", "turn", "role"), [("thinks", 2, "system"), ("inst", 2, "system")])
def test_a_turn_that_the_template_leaves_out_is_refused(models, name, turn, role):
    talk = [user("a"), assistant("b"), user("canary"), assistant("d")]
    talk.insert(turn, {"role": role, "content": "a"})  # a text that stands elsewhere too
    for ask in (
        lambda *m: label({"messages": talk}, "messages", *m),
        lambda *m: render({"messages": talk}, "messages", *m),
        lambda *m: generation_prompt(talk[:-1], None, *m),
    ):
        with pytest.raises(RenderError, match=f"leaves out.*{role}") as caught:
            ask(*models[name])
        assert caught.value.fault.path == f"messages[{turn}]"
        assert "canary" not in str(caught.value)


def test_a_system_text_beside_the_turns_is_the_first_turn(models):
    talk = [user("a"), assistant("b")]
    rows = [
        ({"system": "Be brief.", "messages": talk}, "messages"),
        ({"system": "Be brief.", "prompt": "a", "completion": "b"}, "prompt-completion"),
        ({"system": "Be brief.", "prompt": talk[:1], "completion": talk[1:]}, "prompt-completion"),
        ({"system": "Be brief.", "prompt": "a", "chosen": "b", "rejected": "c"}, "preference"),
    ]
    (expected,) = label({"messages": [system("Be brief."), *talk]}, "messages", *models["chatml"])
    for value, form in rows:
        assert label(value, form, *models["chatml"]) == [expected]
    for way in ("plain", "alpaca"):
        with pytest.raises(RenderError):
            label(*rows[1], *with_template(models["chatml"], way))


def test_an_old_list_of_functions_is_refused(models):
    for value, form in (({"messages": [user("a"), assistant("b")]}, "messages"),
                        ({"prompt": "a", "completion": "b"}, "prompt-completion")):  # fmt: skip
        with pytest.raises(RenderError, match="`tools`") as caught:
            label({**value, "functions": [TOOL["function"]]}, form, *models["thinks"])
        assert caught.value.fault.path == "functions"


@pytest.mark.parametrize("more", [{"refusal": "I cannot."}, {}, {"reasoning_content": "hm"}])
def test_an_answer_of_null_is_refused(models, more):
    talk = [user("a"), assistant(None, **more)]
    with pytest.raises(RenderError, match="refusal" if "refusal" in more else "null") as caught:
        label({"messages": talk}, "messages", *models["chatml"])
    assert "I cannot" not in str(caught.value)


def test_two_answers_in_a_row_are_named_as_such(models):
    talk = [user("a"), assistant("b"), assistant("c")]
    with pytest.raises(RenderError, match="in a row") as caught:
        label({"messages": talk}, "messages", *models["opens-thinking"])
    assert caught.value.fault.path == "messages[2]"


def test_answers_that_nothing_asks_for_are_context(models):
    talk = [assistant("Hello."), user("a"), assistant("b"), user("and")]
    assert list(trained(models["chatml"], {"messages": talk})) == [2]
    for messages in ([assistant("Hello.")], [user("a")], []):
        with pytest.raises(RenderError, match="answer"):
            label({"messages": messages}, "messages", *models["chatml"])


def test_pairs_and_prompts_train_the_answer_alone(models):
    prompt = [user("a"), assistant("given"), user("b")]
    rows = [
        ({"prompt": prompt, "completion": [assistant("c")]}, "prompt-completion"),
        ({"prompt": prompt, "chosen": [assistant("c")], "rejected": [assistant("z")]}, "preference"),
    ]  # fmt: skip
    for value, form in rows:
        head, tail, example = one(models["chatml"], value, form)
        assert "given" in head
        assert tail == "c<|im_end|>"
        assert example.turns == (3,)
        assert "z" not in head
    head, tail, _ = one(
        models["chatml"], {"prompt": "p", "chosen": "c", "rejected": "r"}, "preference"
    )
    assert (head, tail) == ("<|im_start|>user\np<|im_end|>\n<|im_start|>assistant\n", "c<|im_end|>")


def test_every_chat_format(models):
    share = {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]}
    made = [
        label(share, "sharegpt", *models["chatml"]),
        label({"instruction": "q", "output": "a"}, "alpaca", *models["chatml"]),
        label({"messages": [user([{"type": "text", "text": "q"}]), assistant("a")]}, "messages",
              *models["chatml"]),
    ]  # fmt: skip
    assert made[0] == made[1] == made[2]


def test_reasoning_is_kept_where_the_template_keeps_it_and_counted_where_not(models):
    talk = [user("a"), assistant("b", reasoning_content="because"), user("c"), assistant("d")]
    found = trained(models["thinks"], {"messages": talk})
    assert found[1] == "<think>\nbecause\n</think>\n\nb<|im_end|>"
    thinks, other = (label({"messages": talk}, "messages", *models[n]) for n in ("thinks", "smol"))
    assert [example.lost for example in thinks] == [0, 0]
    assert [example.lost for example in other] == [1]


def test_a_loop_of_tools_with_reasoning_is_one_example(models):
    result = {"role": "tool", "content": "rain", "tool_call_id": "callcalla"}
    talk = [user("a"), assistant("", tool_calls=[CALL], reasoning_content="ask"), result,
            assistant("b", reasoning_content="know")]  # fmt: skip
    made = label({"messages": talk, "tools": [TOOL]}, "messages", *models["thinks"])
    assert [example.turns for example in made] == [(1, 3)]


@pytest.mark.parametrize(
    ("template", "message"),
    [(CHATML.replace("<|im_end|>", ""), "never stop"), ("{{ messages[0].content }}", "render")],
)
def test_templates_that_no_answer_can_be_learnt_with(make_model, template, message):
    model = make_model(template)
    for ask in (find_ending, stop_tokens, lambda *m: label({"text": "t"}, "text", *m)):
        with pytest.raises(TokenizerError, match=message):
            ask(*model)


def test_an_end_of_turn_that_is_no_token_of_the_tokenizer(make_model):
    with pytest.raises(TokenizerError, match="never stop"):
        end_of_turn(*make_model(CHATML.replace("<|im_end|>", "<|turn_end|>")))


def test_answers_that_production_begins_otherwise_are_refused_without_a_value(make_model):
    template = CHATML.replace("assistant\n{% endif %}", "assistant\n<think>\n{% endif %}")
    with pytest.raises(RenderError, match="otherwise") as caught:
        label({"messages": [user("canary"), assistant("b")]}, "messages", *make_model(template))
    assert caught.value.fault.path == "messages[1]"
    assert "canary" not in repr(caught.value)


def test_control_tokens_of_template_and_answer_that_mix_are_refused(make_model):
    template = CHATML.replace("{{ m.content }}<", "{{ '<|im_start|>' + m.content }}<")
    with pytest.raises(RenderError, match="control token"):
        label({"messages": [user("a"), assistant("b <|im_start|> c")]}, "messages",
              *make_model(template))  # fmt: skip


def test_lone_surrogates_are_no_text(models):
    (example,) = label(
        {"messages": [user("a"), assistant("\ud800")]}, "messages", *models["chatml"]
    )
    assert read(models["chatml"][0], example.ids).endswith("assistant\n?<|im_end|>")


def test_spans_say_what_is_asked_and_what_is_answered(models):
    tokenizer, template = models["headers"]
    talk = [user("One?"), assistant("1"), user("Two?"), assistant("2")]
    found = spans(
        {"messages": talk}, "messages", tokenizer, template, find_ending(tokenizer, template)
    )
    assert [(span.turn, span.answer, span.end) for span in found] == [
        (1, "1", "<|eot_id|>"), (3, "2", "<|eot_id|>")]  # fmt: skip
    assert found[1].prompt == generation_prompt(talk[:3], None, tokenizer, template)


def test_qwen(qwen):
    tokenizer = load_tokenizer(qwen)
    model = tokenizer, make_template("chat", tokenizer)
    result = {"role": "tool", "content": "rain", "tool_call_id": "callcalla"}
    talk = [system("Be brief."), user("One?"), assistant("\n1 é🙂"), user("Weather?"),
            assistant(None, tool_calls=[CALL]), result, assistant(" Rain. <|im_end|>")]  # fmt: skip
    think = "<think>\n\n</think>\n\n"
    assert trained(model, {"messages": talk, "tools": [TOOL]}) == {
        2: think + "1 é🙂<|im_end|>",
        4: think + f'<tool_call>\n{{"name": "look", "arguments": {ARGUMENTS}}}\n</tool_call><|im_end|>',
        6: think + " Rain. <|im_end|><|im_end|>",
    }  # fmt: skip
    assert stop_tokens(*model) == ("<|im_end|>",)
    (example,) = label({"messages": [user("hi"), assistant("x")]}, "messages", *model)
    assert example.ids == [151644, 872, 198, 6023, 151645, 198, 151644, 77091, 198, 151667, 271,
                           151668, 271, 87, 151645]  # fmt: skip
    assert example.labels == [IGNORED] * 9 + example.ids[9:]
