import pytest

from tests.scrubbers.test_rules import found

SPELLED = [
    ("My name is A-N-A R-E-Y-E-S", "PERSON", "A-N-A R-E-Y-E-S"),
    ("that is spelled R E Y E S", "PERSON", "R E Y E S"),
    ("it is two one two, five five five, zero one four two", "PHONE_NUMBER", "two one two, five five five, zero one four two"),
    ("seis cero cero uno dos tres cuatro", "PHONE_NUMBER", "seis cero cero uno dos tres cuatro"),
    ("mail me at ana at acme dot com", "EMAIL_ADDRESS", "ana at acme dot com"),
    ("e-mail: ana dot reyes at acme dot example", "EMAIL_ADDRESS", "ana dot reyes at acme dot example"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "value"), SPELLED)
def test_spelled_values(text: str, kind: str, value: str) -> None:
    assert found(text) == {(kind, value)}


@pytest.mark.parametrize(
    "text",
    [
        "count: one two three four five six seven eight nine",
        "one two three testing",
        "pick option A B C or D",
        "the name has a b in it",
        "look at the dot com boom",
        "x-y-z coordinates",
        "meet me at noon at the dot",
    ],
)
def test_plain_words(text: str) -> None:
    assert found(text) == set()
