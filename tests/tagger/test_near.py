"""Names beside other words: what is labelled is the name, and words that are names stay words."""

import random

import pytest

from tagger import near
from tagger.cast import Cast
from tagger.grammar import count
from tagger.invent import invented
from tagger.pieces import flatten
from tagger.slots import LANGUAGES

SCENES = sorted(near.SCENES)


def drawn(language, scene, number):
    for seed in range(number):
        cast = Cast(random.Random(f"{language}:{scene}:{seed}"), language)
        name, pieces = near.near(cast, scene)
        yield name, pieces


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_have_no_fault_and_many_frames(language):
    grammar = near.near_grammar(language)
    assert grammar.faults == []
    for rows in near.SYMBOLS.values():
        for symbol, _ in rows:
            assert count(grammar, symbol) > 5_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_holds_a_value_alone_and_never_the_word_beside_it(language):
    for scene in SCENES:
        for _, pieces in drawn(language, scene, 40):
            text, spans = flatten(pieces)
            values = [part.strip() for part, label in pieces if label and part.strip()]
            assert len(values) == len(spans)
            for span in spans:
                after, before = text[span["end"] :][:1], text[: span["start"]][-1:]
                if span["label"] == "PERSON":
                    assert not (after.isalpha() and text[span["end"] - 1].isalpha()) or after == "s"
                    assert not before.isalpha()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_name_is_of_somebody_in_the_cast(language):
    for seed in range(250):
        cast = Cast(random.Random(seed), language)
        pieces = near.peopled(cast, near.near_grammar(language), "near.name", words=seed % 2 == 0)
        own = " ".join(
            f"{who.given} {who.middle} {who.surnames} {who.nick} {who.suffix}"
            for who in cast.people.values()
        )
        starts = {word[:2].casefold() for word in own.replace("-", " ").split()}
        named = " ".join(text for text, label in pieces if label == "PERSON")
        named = named.replace("-", " ").replace(".", " ")
        assert all(len(word) < 3 or word[:2].casefold() in starts for word in named.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_quiet_names_nobody(language):
    for symbol in (
        "near.quiet",
        "near.opening",
        "near.caps.quiet",
        "wordname.quiet",
        "social.quiet",
    ):
        for seed in range(40):
            cast = Cast(random.Random(seed), language)
            pieces = near.peopled(cast, near.near_grammar(language), symbol, words=False)
            assert not cast.people
            assert not any(label == "PERSON" for _, label in pieces)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_names_here_and_words_there(language):
    names, words = set(), ""
    for _, pieces in drawn(language, "wordname", 400):
        names |= {
            part.split()[0].lower() for part, label in pieces if label == "PERSON" and part.strip()
        }
        words += " " + " ".join(part.lower() for part, label in pieces if label is None)
    both = names & set(words.replace(",", " ").replace(".", " ").split())
    assert len(both) > 15


def test_invented_names_are_many_and_look_like_names():
    rng = random.Random(5)
    names = [invented(rng) for _ in range(500)]
    assert len(set(names)) > 450
    assert all(name[0].isupper() and 3 <= len(name) <= 20 for name in names)
