import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken

from tests.trainer.families import FAMILIES, write_family
from trainer.continued import Encoded, go_on
from trainer.labels import find_ending
from trainer.templates import load_tokenizer, make_template

NAMES = sorted(FAMILIES)
PIECES = [" ", "\n", "\n\n", "a", " b", "]", "🙂", "e\u0301", "\ud800", "[INST]", "[/INST]", "user",
          "<|im_start|>", "<|assistant|>", "<think>", "END", "END", "END"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=8).map("".join)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    root = tmp_path_factory.mktemp("families")
    made = {}
    for name, family in FAMILIES.items():
        tokenizer = load_tokenizer(write_family(root / name, family))
        made[name] = tokenizer, find_ending(tokenizer, make_template("chat", tokenizer))
    return made


def ids(text, tokenizer):
    text = text.encode("utf-8", "replace").decode()
    return tokenizer(text, add_special_tokens=False, truncation=False)["input_ids"]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=80, deadline=None)
@given(shared=TEXTS, ends=st.lists(TEXTS, min_size=1, max_size=3))
def test_ids_are_those_of_the_whole_text(models, name, shared, ends):
    tokenizer, ending = models[name]
    known = Encoded()
    for end in ends:
        text = (shared + end).replace("END", ending.token)
        known = go_on(text, known, tokenizer, ending)
        assert list(known.ids) == ids(text, tokenizer)


def test_what_is_shared_is_not_encoded_again_unless_the_token_reaches_over(models):
    tokenizer, ending = models["chatml"]
    known = go_on("a <|im_end|> b", Encoded(), tokenizer, ending)
    assert known.cuts == ((12, len(known.ids) - len(ids(" b", tokenizer))),)
    assert go_on("a <|im_end|> c", known, tokenizer, ending).cuts == known.cuts
    assert not models["phi"][1].cuts  # swallows the white space behind it


def test_a_longer_token_that_begins_with_the_end_token(tmp_path):
    tokenizer = load_tokenizer(write_family(tmp_path / "made", FAMILIES["chatml"]))
    tokenizer.backend_tokenizer.add_tokens([AddedToken("<|im_end|>x", normalized=False)])
    ending = find_ending(tokenizer, make_template("chat", tokenizer))
    known = go_on("a<|im_end|>", Encoded(), tokenizer, ending)
    text = "a<|im_end|>x"
    assert list(go_on(text, known, tokenizer, ending).ids) == ids(text, tokenizer)
