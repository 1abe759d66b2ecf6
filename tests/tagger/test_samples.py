"""Samples: spans are exact, JSON is JSON, the seed decides everything."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn

from tagger import cast as casts
from tagger import noise
from tagger.cast import Cast, render
from tagger.grammar import load
from tagger.jsons import Style, dump, encoded, leaf
from tagger.money import card
from tagger.pieces import OUTER, flatten, text_of
from tagger.samples import samples
from tagger.scenes import leaves_of
from tagger.slots import LANGUAGES

LABELS = frozenset(filter(None, casts.LABELS.values())) | {"PERSON", "ORG", "DATE", "OTHER_ID"}
PIECES = st.lists(
    st.tuples(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12),
        st.sampled_from([None, "PERSON", "PHONE", "SECRET"]),
    ),
    max_size=8,
)
FRAMES = """
@chat.user
[Hi|Hello], {p1.given} here, {p1.phone} or {p1.email}. My {brandmodel} is [dead|broken].
{p1.titled} ({p1.dob}) lives at {p1.addr}; {p2.poss} car is {p1.plate}.
"""


def check(sample):
    text, end = sample["text"], 0
    for span in sample["spans"]:
        assert span["label"] in LABELS
        assert end <= span["start"] < span["end"] <= len(text)
        value = text[span["start"] : span["end"]]
        assert value == value.strip(OUTER)
        end = span["end"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_spans_are_inside_sorted_and_without_outer_space(language):
    for sample in samples(7, 150, [language]):
        check(sample)
        assert sample["lang"] == language


@given(PIECES)
def test_flattened_pieces_say_what_was_written(pieces):
    text, spans = flatten(pieces)
    assert text == text_of(pieces)
    wanted = [(part.strip(OUTER), label) for part, label in pieces if label and part.strip(OUTER)]
    assert [(text[s["start"] : s["end"]], s["label"]) for s in spans] == wanted


@given(PIECES, st.integers(), st.sampled_from([*noise.CASUAL, *noise.FORMAL]))
def test_noise_keeps_the_labels_of_the_pieces(pieces, seed, change):
    import random

    after = change[0](random.Random(seed), pieces)
    assert [label for _, label in after][: len(pieces)] == [label for _, label in pieces]
    assert all(label is None for _, label in after[len(pieces) :])


@given(PIECES, st.booleans(), st.integers(0, 4))
@settings(max_examples=60)
def test_json_reads_back_what_went_in(pieces, ascii_only, indent):
    node = {"a": leaf(pieces), "b": [encoded({"c": leaf(pieces)}, Style(2, True))]}
    read = json.loads(text_of(dump(node, Style(indent, ascii_only))))
    assert read["a"] == text_of(pieces)
    assert json.loads(read["b"][0])["c"] == text_of(pieces)


def test_json_scenes_hold_json():
    import random

    seen = 0
    for seed in range(150):
        for scene, pieces in leaves_of(random.Random(seed), "json", LANGUAGES[seed % 13]):
            text = text_of(pieces)
            if (
                scene == "json"
                and text[:1] in "{["
                and not text.startswith(('{\\"', "{\\n", "[{\\", "[\\n"))
            ):
                json.loads(text)
                seen += 1
            elif scene == "json" and (
                fenced := re.search(r"```(?:json)?\n(.*)\n```", text, re.DOTALL)
            ):
                json.loads(fenced[1])
                seen += 1
    assert seen > 80


@pytest.mark.slow
def test_the_seed_decides_everything_whatever_the_hash_seed():
    run = (sys.executable, "-m", "tagger.samples", "60", "--seed", "3")
    texts = [
        subprocess.run(
            run, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True,
            cwd=Path(__file__).parents[2],
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert texts[0] == texts[1] != b""


def test_more_samples_continue_the_same_row():
    assert list(samples(5, 40))[:20] == list(samples(5, 20))


def test_a_cast_says_the_same_value_again(tmp_path):
    import random

    path = tmp_path / "en.txt"
    path.write_text(FRAMES, encoding="utf-8")
    grammar = load(path)
    assert grammar.faults == []
    for seed in range(40):
        cast = Cast(random.Random(seed), "en", "GB")
        pieces = [piece for _ in range(6) for piece in render(cast, grammar, "chat.user")]
        mails = {text for text, label in pieces if label == "EMAIL"}
        plates = {text for text, label in pieces if label == "LICENCE_PLATE"}
        assert len(mails) <= 1
        assert len(plates) <= 1


def test_numbers_with_check_digits_are_mostly_right():
    import random

    rng = random.Random(2)
    cast = Cast(rng, "de", "DE")
    assert iban.is_valid(
        cast.fill("p1.iban")[0][0].replace(" ", "").replace("-", "").replace(".", "").upper()
    )
    assert all(luhn.is_valid(card(rng)) for _ in range(50))


def test_a_share_holds_no_identifier():
    rows = list(samples(11, 800, ["en", "de"]))
    quiet = sum(not row["spans"] for row in rows) / len(rows)
    assert 0.12 < quiet < 0.4
