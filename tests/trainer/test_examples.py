import json

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models

from tests.trainer.families import CHATML, FAMILIES, IM, write_family
from trainer.examples import RowsRefused, RowsTooLong, load, to_dataset
from trainer.labels import IGNORED
from trainer.templates import load_tokenizer, make_template


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = write_family(tmp_path_factory.mktemp("model") / "m", FAMILIES["thinks"])
    tokenizer = load_tokenizer(folder)
    return tokenizer, make_template("chat", tokenizer)


def talk(*texts):
    roles = ["user", "assistant"] * len(texts)
    return {"messages": [{"role": r, "content": t} for r, t in zip(roles, texts, strict=False)]}


@pytest.fixture
def split(tmp_path):
    def write(*rows):
        path = tmp_path / "train.jsonl"
        path.write_bytes(b"".join(
            (row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode()) + b"\n"
            for row in rows
        ))  # fmt: skip
        return path

    return write


def test_rows_of_every_format_and_what_they_hold(split, model):
    share = {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]}
    lines = talk("line\u2028feed\x85", "an\u2028swer")  # no line ends but for readers of lines
    found = load(split(talk("a", "b", "c", "d"), share, lines, {"text": "t"}), *model, 2048)
    assert [(row.record, row.turns) for row in found.rows] == [
        (1, (1,)), (1, (3,)), (2, (1,)), (3, (1,)), (4, (0,))]  # fmt: skip
    lengths = [len(row.ids) for row in found.rows]
    stats = found.stats
    assert (stats.rows, stats.examples, stats.apart, stats.lost) == (4, 5, 1, 0)
    assert (stats.tokens, stats.longest) == (sum(lengths), max(lengths))
    assert stats.trained == sum(one != IGNORED for row in found.rows for one in row.labels[1:])


def test_a_holdout_may_be_empty_and_a_training_set_not(split, model):
    with pytest.raises(RowsRefused, match="no record"):
        load(split(), *model, 64)
    found = load(split(), *model, 64, holdout=True)
    assert (found.rows, found.stats.longest) == ([], 0)
    assert len(to_dataset(found.rows)) == 0
    assert load(split(talk("a", "b")), *model, 64, holdout=True).stats.rows == 1


def test_long_rows_are_refused_by_number_and_never_cut(split, model):
    fits = load(split(talk("a", "b")), *model, 2048).stats.longest
    with pytest.raises(RowsTooLong):
        load(split(talk("a", "b")), *model, fits - 1)
    rows = [talk("a", "b"), *[talk("a", "canary " * n) for n in (10, 30, 20, 1, 1, 1, 1)]]
    with pytest.raises(RowsTooLong) as caught:
        load(split(*rows), *model, fits)
    error = caught.value
    needed = load(split(*rows), *model, 2048).stats.longest
    assert (error.records, error.needed) == ((2, 3, 4, 5, 6, 7, 8), needed)
    said = str(error)
    for part in ("7 of 8 records", "record 2, 3, 4, 5, 6, …", f"more than {fits} tokens",
                 f"needs {needed}", "tokens.max_length", "tokens.over_length"):  # fmt: skip
        assert part in said
    assert "canary" not in said
    assert load(split(*rows), *model, needed).stats.longest == needed


def test_rows_that_cannot_be_rendered_are_refused_by_number(split, model):
    rows = [talk("a", "b"), b'{"messages": canary', talk("canary"), {"canary": 1}]
    with pytest.raises(RowsRefused) as caught:
        load(split(*rows), *model, 64)
    assert caught.value.records == (2, 3, 4)
    assert "3 of 4 records" in str(caught.value)
    assert "canary" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_data_set_is_in_memory_and_holds_the_labels(split, model):
    rows = load(split(talk("a", "b"), talk("c", "d", "e", "f")), *model, 2048).rows
    found = to_dataset(rows)
    assert found.cache_files == []
    assert found.column_names == ["input_ids", "labels", "length"]
    assert found["input_ids"][:] == [row.ids for row in rows]
    assert found["labels"][:] == [row.labels for row in rows]
    assert found["length"][:] == [len(row.ids) for row in rows]


def test_what_is_trained_in_an_unusual_way_is_counted(split, model):
    pair = {"prompt": "a", "chosen": "b", "rejected": "c"}
    rows = [talk("a", "b"), {"text": "all"}, {"text": "of it"}, pair, talk("a", " ", "b", "")]
    stats = load(split(*rows), *model, 2048).stats
    assert (stats.whole, stats.chosen, stats.empty) == (2, 1, 2)


@pytest.fixture(params=["drops", "unknown"])
def narrow(tmp_path, request):
    """A tokenizer of ASCII letters: others vanish, or become one token for all of them."""
    letters = [chr(n) for n in range(32, 127)] + ["\n"]
    vocab = {letter: i for i, letter in enumerate([*letters, "<unk>"])}
    unknown = "<unk>" if request.param == "unknown" else None
    made = Tokenizer(models.BPE(vocab, [], unk_token=unknown))
    made.decoder = decoders.Fuse()
    made.add_special_tokens([AddedToken(t, normalized=False) for t in IM])
    made.save(str(tmp_path / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>"}
    config |= {"chat_template": CHATML} | ({"unk_token": unknown} if unknown else {})
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    tokenizer = load_tokenizer(tmp_path)
    return tokenizer, make_template("chat", tokenizer)


def test_characters_that_the_tokenizer_has_no_token_for_are_refused_by_number(split, narrow):
    rows = [talk("a", "b"), talk("März", "b"), talk("a", "10 € canary"), {"text": "unk <unk> 北"}]
    with pytest.raises(RowsRefused, match="no token for 1 characters") as caught:
        load(split(*rows[:3]), *narrow, 2048)
    assert caught.value.records == (2, 3)
    assert "canary" not in str(caught.value)
    with pytest.raises(RowsRefused) as caught:
        load(split(rows[3]), *narrow, 2048)
    assert caught.value.records == (1,)
    assert load(split(rows[0]), *narrow, 2048).stats.rows == 1
