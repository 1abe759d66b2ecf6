"""Grammar files: what they say, what is wrong in them, how many frames they hold."""

import itertools
import random
from pathlib import Path

import pytest

from tagger.grammar import BadFrame, Choice, Grammar, Slot, Symbol, count, expand, load, parse

SMALL = """
# a comment
@chat.user
3* [Hi|Hello|], I am {p1}[, from {p1.city}|]. <ask>
\\# Heading for {p1?him|her}
@ask
Where is [my|the] order {order}?
Call [me [now|later]|us]\\n<3 \\[ok\\] \\{x\\}
"""


def grammar_from(text: str, tmp_path: Path) -> Grammar:
    path = tmp_path / "en.txt"
    path.write_text(text, encoding="utf-8")
    return load(path)


def everything(grammar: Grammar, name: str) -> set[tuple[str, ...]]:
    """All expansions, by brute force."""

    def of_parts(parts):
        options = []
        for part in parts:
            if isinstance(part, Choice):
                options.append([row for option in part.options for row in of_parts(option)])
            elif isinstance(part, Symbol):
                options.append(list(everything(grammar, part.name)))
            else:
                options.append([(part.name,) if isinstance(part, Slot) else (part,)])
        return [sum(row, ()) for row in itertools.product(*options)]

    return {row for production in grammar.productions(name) for row in of_parts(production.parts)}


def test_frames_are_counted_exactly(tmp_path):
    grammar = grammar_from(SMALL, tmp_path)
    assert grammar.faults == []
    assert count(grammar, "ask") == 5
    assert count(grammar, "chat.user") == 3 * 2 * 5 + 1 == len(everything(grammar, "chat.user"))


def test_escapes_stand_for_themselves():
    assert parse(r"a\nb \{c\} \[d\] \< \| \\ <3 \#") == ("a\nb {c} [d] < | \\ <3 #",)


@pytest.mark.parametrize("text", ["[a|b", "{p1", "a]"])
def test_what_is_not_closed_is_refused(text):
    with pytest.raises(BadFrame):
        parse(text)


def test_faults_are_listed_and_left_out(tmp_path):
    grammar = grammar_from("@mail\nDear {p9}\nHello <nobody>\nBye {p1:gen}\n<mail>\n", tmp_path)
    assert [row.line for row in grammar.productions("mail")] == [4]
    told = "\n".join(grammar.faults)
    assert "unknown slot {p9}" in told
    assert "unknown symbol <nobody>" in told
    assert "comes back to <mail>" in told


def test_weights_and_chance_decide_and_the_seed_repeats(tmp_path):
    grammar = grammar_from("@mail\n50* a\nb\n", tmp_path)
    drawn = [expand(grammar, "mail", random.Random(i))[0] for i in range(60)]
    assert drawn.count("a") > drawn.count("b")
    assert drawn == [expand(grammar, "mail", random.Random(i))[0] for i in range(60)]


def test_an_empty_alternative_leaves_one_space(tmp_path):
    grammar = grammar_from("@mail\n[well |]so [|then ] we go\n", tmp_path)
    for seed in range(20):
        text = "".join(map(str, expand(grammar, "mail", random.Random(seed))))
        assert "  " not in text
        assert text == text.strip()


def test_the_files_of_the_repository_have_no_fault():
    for path in sorted((Path(__file__).parents[2] / "tagger" / "frames").glob("common.txt")):
        assert load(path).faults == []
