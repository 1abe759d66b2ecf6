from hypothesis import given
from hypothesis import strategies as st

from scrubbers.finding import Finding
from scrubbers.propagate import propagate

FIRST = "Ana Reyes paid with 4111 1111 1111 1111, ana.reyes@acme.example, +44 7462 118903"


def mark(text: str, value: str, kind: str) -> Finding:
    start = text.index(value)
    return Finding(start, start + len(value), kind, 0.9, "test")


CONFIRMED = [
    mark(FIRST, "Ana Reyes", "PERSON"),
    mark(FIRST, "4111 1111 1111 1111", "CREDIT_CARD"),
    mark(FIRST, "ana.reyes@acme.example", "EMAIL_ADDRESS"),
    mark(FIRST, "+44 7462 118903", "PHONE_NUMBER"),
]


def extra(text: str, confirmed: list[Finding] = CONFIRMED, first: str = FIRST) -> list[str]:
    return [text[f.start : f.end] for f in propagate([first, text], [confirmed, []])[1]]


def test_forms_of_a_confirmed_value_are_found() -> None:
    assert extra("REYES, ANA asked") == ["ANA", "REYES, ANA"] or "REYES, ANA" in extra(
        "REYES, ANA asked"
    )
    assert extra("that is Ana's card") == ["Ana"]
    assert extra("card 4111-1111-1111-1111") == ["4111-1111-1111-1111"]
    assert extra("call 07462 118 903") == ["07462 118 903"]
    assert extra("login ana.reyes ok") == ["ana.reyes"]


def test_parts_of_words_are_no_names() -> None:
    assert extra("Anagram, banana, analysis, montanareyes") == []


def test_a_name_that_is_a_word_counts_only_as_a_name() -> None:
    text = "Will Baker called"
    confirmed = [mark(text, "Will Baker", "PERSON")]
    assert extra("I will. Will you? the baker", confirmed, text) == []
    assert extra("please ask Will today", confirmed, text) == ["Will"]


def test_short_numbers_are_not_looked_for() -> None:
    text = "ticket 123"
    assert extra("123 and 123", [mark(text, "123", "OTHER_ID")], text) == []


@given(st.lists(st.text(alphabet="aAneyRs 0123456789.@-", max_size=60), max_size=4))
def test_propagation_only_adds_and_a_second_run_adds_nothing(texts: list[str]) -> None:
    leaves = [FIRST, *texts]
    findings: list[list[Finding]] = [CONFIRMED, *([] for _ in texts)]
    added = propagate(leaves, findings)
    assert all(f not in old for old, new in zip(findings, added, strict=True) for f in new)
    both = [[*old, *new] for old, new in zip(findings, added, strict=True)]
    assert not any(propagate(leaves, both))
