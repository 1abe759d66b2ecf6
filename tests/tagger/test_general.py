"""General text: names are exact, identifiers and cue words without a value are left alone."""

import random
import re

import pytest

from tagger import knowledge, toolcalls
from tagger.cast import Cast
from tagger.general import SCENES, articles, general
from tagger.grammar import COMMON, Symbol, grammar_of, parse, walk
from tagger.pieces import flatten
from tagger.rawframes import literal, logical
from tagger.samples import finished
from tagger.slots import CODE, LANGUAGES, WORLD, WORLD_ENTRIES

NAME_ENDS = re.compile(r"[\w]")


def made(scene, language, numbers):
    for seed in numbers:
        name, pieces = general(Cast(random.Random(f"{scene}{seed}"), language), scene)
        yield finished(pieces, language, name)


def slots_of(grammar, start):
    """The slots that a symbol can come to, but for the older negatives it may quote."""
    seen, open_, slots = set(), [start], set()
    while open_:
        name = open_.pop()
        if name in seen or name == "negative" or name.startswith("ng."):
            continue
        seen.add(name)
        for row in grammar.productions(name):
            for part in walk(row.parts):
                if isinstance(part, Symbol):
                    open_.append(part.name)
                else:
                    slots.add(part.name)
    return slots


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_quiet_text_can_come_to_a_person_or_a_number_of_one(language):
    for symbol in ("world.quiet", "instruct.quiet", "instruct.code", "instruct.data"):
        for slot in slots_of(grammar_of(language), symbol):
            labels = {label for _, label in Cast(random.Random(1), language).fill(slot)}
            assert labels <= {None, "ORG", "LOCATION", "DATE"}, slot


@pytest.mark.parametrize("language", LANGUAGES)
def test_cue_words_come_to_no_value_but_those_of_a_firm(language):
    for slot in slots_of(grammar_of(language), "instruct.cue"):
        labels = {label for _, label in Cast(random.Random(1), language).fill(slot)}
        assert labels <= {None, "ORG", "LOCATION"} or slot in ("vat", "companyno"), slot


@pytest.mark.parametrize("language", LANGUAGES)
def test_general_text_of_every_scene_can_be_made(language):
    for scene in sorted(SCENES):
        for sample in made(scene, language, range(40)):
            assert sample["text"].strip()
            assert sample["scene"].startswith(scene)


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
