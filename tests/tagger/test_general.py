"""General text: names are exact, identifiers and cue words without a value are left alone."""

import random
import re

import pytest

from tagger import knowledge, toolcalls
from tagger.cast import Cast
from tagger.general import SCENES, articles, general
from tagger.grammar import COMMON, grammar_of, parse
from tagger.pieces import flatten
from tagger.rawframes import literal, logical
from tagger.samples import DIRECT, finished
from tagger.slots import CODE, LANGUAGES, WORLD, WORLD_ENTRIES

NAME_ENDS = re.compile(r"[\w]")
QUIET = ("world.quiet", "answer.quiet", "snippet.code", "snippet.data")


def made(scene, language, numbers):
    for seed in numbers:
        name, pieces = general(Cast(random.Random(f"{scene}{seed}"), language), scene)
        yield finished(pieces, language, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_general_text_can_be_made_and_quiet_ones_hold_nobody(language):
    for scene in sorted(SCENES):
        for sample in made(scene, language, range(60)):
            labels = {span["label"] for span in sample["spans"]}
            if sample["scene"] in QUIET:
                assert not labels & DIRECT - {"OTHER_ID"}, sample[
                    "scene"
                ]  # of a shop, in a question
            if sample["scene"] == "cue.cue":
                assert labels <= {"ORG", "OTHER_ID", "LOCATION"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_is_never_a_part_of_an_identifier(language):
    for scene in ("snippet", "answer"):
        for sample in made(scene, language, range(150)):
            text = sample["text"]
            for span in sample["spans"]:
                if span["label"] == "PERSON":
                    before = text[span["start"] - 1 : span["start"]]
                    after = text[span["end"] : span["end"] + 1]
                    assert before not in ("_", "`", ".", "$")
                    assert after not in ("_", "`", "(", "=")
                    assert not NAME_ENDS.match(after)


def test_actor_and_part_are_two_names():
    both = 0
    for sample in made("casting", "en", range(120)):
        for span in sample["spans"]:
            if span["label"] == "PERSON":
                value = sample["text"][span["start"] : span["end"]].casefold()
                assert " as " not in value
                assert not value.startswith(("dr", "captain ", "president "))
        both += " as " in sample["text"] and len(sample["spans"]) > 1
    assert both > 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_slots_of_general_text_have_text_and_one_label(language):
    rng = random.Random(language)
    for kind in sorted(WORLD):
        pieces = knowledge.known_thing(rng, kind, language, "DE")
        text, spans = flatten(pieces)
        assert text.strip()
        assert len(spans) <= 1
        assert "%" not in text
    for kind in sorted(CODE):
        assert toolcalls.code_thing(rng, kind, language)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ludwig van Beethoven", "van Beethoven"), ("Marie Curie", "Curie"), ("Malcolm X", "Malcolm X"),
        ("Robert the Bruce", "Robert the Bruce"), ("Pelé", "Pelé"), ("Ignatius of Loyola", "Ignatius of Loyola"),
    ],
)  # fmt: skip
def test_known_persons_in_short(name, short):
    assert knowledge.in_short(name) == short


def test_a_thing_asked_for_again_is_the_same():
    cast = Cast(random.Random(3), "en")
    assert cast.fill("idname") == cast.fill("idname")
    first, again = cast.fill("figure.music")[0], cast.fill("figure.music")[0]
    assert again[0] in first[0]


def test_blocks_are_taken_literally_but_for_their_holes():
    rows = ["@x", "<<<", "# {a}[0] | <b> \\n", "\t«uuid»", ">>>", "y"]
    (_, head), (number, block), (_, last) = logical(rows)
    assert (head, number, last) == ("@x", 3, "y")
    parts = parse(block)
    assert parts[0] == "# {a}[0] | <b> \\n\n\t"
    assert parts[1].name == "uuid"
    assert parse(literal("«a|b»"))[0].options == (("a",), ("b",))


def test_a_block_without_end_is_a_fault():
    assert list(logical(["<<<", "a"])) == [(2, "[")]


def test_english_articles_follow_the_next_letter():
    pieces = [("It is a ", None), ("apple or an pear by a ", None), ("Otto", "PERSON")]
    assert articles(pieces) == [("It is an apple or a pear by a ", None), ("Otto", "PERSON")]


@pytest.mark.parametrize("language", [COMMON, *LANGUAGES])
def test_the_files_of_general_text_have_no_fault(language):
    grammar = grammar_of(language)
    assert not [fault for fault in grammar.faults if "world." in fault or "instruct." in fault]
    assert all(grammar.has(name) for name in WORLD_ENTRIES)
