"""Which values of an answer agree with an earlier turn, in which form, and when they no longer do."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.jsontext import Leaf, leaves
from validators.pairs import KINDS, Pair, holds, judged, pairs


def chat(*turns: tuple[str, Any]) -> str:
    said = [{"role": role, "content": text} for role, text in turns]
    return json.dumps({"messages": said}, ensure_ascii=False)


def asked(user: str, answer: Any) -> str:
    """A user's words, and an answer that is JSON."""
    return chat(("user", user), ("assistant", json.dumps(answer)))


def found(text: str, marks: dict[int, list[tuple[int, int, str]]] | None = None) -> list[Pair]:
    return pairs(leaves(text), marks)


def kinds(text: str) -> list[str]:
    return [pair.kind for pair in found(text)]


def shown(text: str) -> list[tuple[str, str]]:
    """(text of the answer's leaf, text of the earlier one) of each pair."""
    all_leaves = leaves(text)
    return [
        (all_leaves[pair.inner].text, all_leaves[pair.earlier].text) for pair in pairs(all_leaves)
    ]


# (what the user wrote, what the answer's JSON says, kind)
SAME = [
    ("I am Ottilie Zqberg.", "Ottilie Zqberg", "exact"),
    ("yo soy ottilie zqberg", "Ottilie Zqberg", "case"),
    ("KONTO VON ZQBERG", "Zqberg", "case"),
    ("Je m'appelle Zélie Garçon", "Zelie Garcon", "chars"),
    ("Ｏｔｔｉｌｉｅ Zqberg", "Ottilie Zqberg", "chars"),
    ("O&#39;Halloran here", "O'Halloran", "chars"),
    ("see /u?n=Jos%C3%A9%20Zqberg", "José Zqberg", "chars"),
    ("Ottilie\u200bZqberg", "Ottilie Zqberg", "spacing"),
    ("IBAN DE89 3704 0044 0532 0130 00, danke", "DE89370400440532013000", "spacing"),
    ("carte 4111-1111-1111-1111", "4111 1111 1111 1111", "spacing"),
    ("tel 0 2 3 5 5 5 0 1 0 4", "0235550104", "spacing"),
    ("tel 07700 900 123", "+447700900123", "phone"),
    ("mobile (+44) 7700 900 123", "07700 900123", "phone"),
    ("chiamami: 0039331 5550162", "331 555 0162", "phone"),
    ("born 4 March 1985", "1985-03-04", "date"),
    ("geboren am 4. März 1985", "03/04/1985", "date"),
    ("nato il 12.IV.1986", "1986-04-12", "date"),
    ("nacida el 22/JUN/2014", "2014-06-22", "date"),
    ("on 03/04/1985", "1985-03-04", "date"),
    ("on 03/04/1985", "1985-04-03", "date"),
    ("since Feb 2021", "2021-02", "date"),
    ("le lundi 6 mai 2024", "2024-05-06T00:00:00Z", "date"),
    ("REYES, Ana", "Ana Reyes", "order"),
    ("ORTIZ VILLEGAS TOMAS", "Tomas Ortiz Villegas", "order"),
    ("Frau Krüger ruft an", "Krueger", "part"),
    ("Ana María Reyes", "Ana Reyes", "part"),
    ("ask Juan Reyes", "J. Reyes", "part"),
    ("card 4111 1111 1111 9514", "9514", "tail"),
    ("card 4111 1111 1111 9514", "**** 9514", "tail"),
    ("我叫王小明，住在上海", "王小明", "exact"),
    ("меня зовут Анна Зкберг", "Анна Зкберг", "exact"),
    ("제 이름은 김민수입니다", "김민수", "exact"),
]


@pytest.mark.parametrize(("user", "value", "kind"), SAME)
def test_a_value_is_found_in_the_form_in_which_it_stood(user: str, value: str, kind: str) -> None:
    assert kinds(asked(user, {"value": value})) == [kind]


ACCIDENTS = [
    ("yes, order 1 please", {"ok": True, "n": 1, "answer": "yes"}),
    ("Yes. None of them.", {"a": "Yes", "b": "None"}),
    ("the card is open", {"status": "open", "kind": "Card"}),
    ("on 03/05/2024", {"year": 2024, "month": "05"}),
    ("in 2024", {"year": "2024"}),
    ("DE89 3704 0044 0532 0130 00", {"n": "0044"}),
    ("call 0235550104", {"n": "5501"}),
    ("Anastasia came", {"name": "Ana"}),
    ("ratio 3/4 at 2.5 km", {"r": "2.5", "s": "0.75"}),
    ("I want to have my money", {"name": "Will Grace"}),
    ("tel 07700 900123", {"tel": "07700 900124"}),
    ("born 4 March 1985", {"born": "1985-03-05"}),
]


@pytest.mark.parametrize(("user", "answer"), ACCIDENTS)
def test_what_any_text_may_hold_is_no_pair(user: str, answer: dict[str, Any]) -> None:
    assert found(asked(user, answer)) == []


def test_words_that_a_system_prompt_lists_are_no_pair() -> None:
    text = chat(
        ("system", "Answer Refund, Delivery or Other Matter for Norrland Parcels 0815-B."),
        ("user", "where is it"),
        ("assistant", '{"topic": "Refund", "more": "Other Matter", "code": "0815-B"}'),
    )
    assert [inner for inner, _ in shown(text)] == ["0815-B"]


def test_identifiers_count_however_short() -> None:
    text = asked("Bass River NS, grace", {"prov": "NS", "first": "grace"})
    all_leaves = leaves(text)
    inner = [n for n, leaf in enumerate(all_leaves) if leaf.text in ("NS", "grace")]
    assert found(text) == []
    assert [p.inner for p in found(text, {n: [(0, 2, "LOCATION")] for n in inner})] == inner[:1]
    user = next(n for n, leaf in enumerate(all_leaves) if leaf.text.startswith("Bass"))
    marks = {n: [(0, 2, "LOCATION")] for n in inner} | {
        user: [(11, 13, "LOCATION"), (15, 20, "PERSON")]
    }
    assert [p.inner for p in found(text, marks)] == inner


def test_a_name_that_is_a_word_is_not_paired_with_the_word() -> None:
    text = chat(
        ("user", "My advisor is Will."),
        ("user", "Will you send it?"),
        ("assistant", '{"advisor": "Will"}'),
    )
    all_leaves = leaves(text)
    at = {leaf.text: n for n, leaf in enumerate(all_leaves)}
    inner, name, word = at["Will"], at["My advisor is Will."], at["Will you send it?"]
    kind = "PERSON"
    assert found(text) == [Pair(inner, word, "exact")]
    assert found(text, {inner: [(0, 4, kind)], name: [(14, 18, kind)]}) == [
        Pair(inner, name, "exact")
    ]
    assert found(text, {inner: [(0, 4, kind)]}) == []


def test_a_name_is_paired_with_the_name_and_not_with_a_firm_of_that_name() -> None:
    firm, person = "Works at Zqberg Rope Ltd.", "I am OTTILIE ZQBERG."
    answer = '{"family": "Zqberg"}'
    text = chat(("user", person), ("user", firm), ("assistant", answer))
    at = {leaf.text: n for n, leaf in enumerate(leaves(text))}
    inner, name, rope = at["Zqberg"], at[person], at[firm]
    of_firm = {rope: [(9, 24, "ORGANIZATION")], inner: [(0, 6, "PERSON")]}
    assert found(text) == [Pair(inner, rope, "exact")]
    assert found(text, of_firm | {name: [(5, 19, "PERSON")]}) == [Pair(inner, name, "case")]
    alone = chat(("user", "hello"), ("user", firm), ("assistant", answer))
    assert found(alone, of_firm) == []  # the firm's name is a surrogate of its own


PLACES = [
    {"role": "assistant", "content": '```json\n{"name": "Ottilie Zqberg"}\n```'},
    {"role": "assistant", "content": 'Here: {"name": "Ottilie Zqberg"} done'},
    {"role": "assistant", "content": json.dumps({"body": json.dumps({"name": "Ottilie Zqberg"})})},
    {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {
        "name": "f", "arguments": json.dumps({"name": "Ottilie Zqberg"})}}]},
    {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {
        "name": "f", "arguments": {"name": "Ottilie Zqberg"}}}]},
    {"role": "assistant", "content": [{"type": "text", "text": '{"name": "Ottilie Zqberg"}'}]},
]  # fmt: skip


@pytest.mark.parametrize("answer", PLACES)
def test_json_of_an_answer_is_found_wherever_it_stands(answer: dict[str, Any]) -> None:
    talk = [{"role": "user", "content": "Ottilie Zqberg speaking"}, answer]
    text = json.dumps({"messages": talk})
    assert shown(text) == [("Ottilie Zqberg", "Ottilie Zqberg speaking")]


FORMATS = [
    {"instruction": "I am Ottilie Zqberg", "input": "", "output": '{"a": "Ottilie Zqberg"}'},
    {"output": '{"a": "Ottilie Zqberg"}', "instruction": "x", "input": "I am Ottilie Zqberg"},
    {"prompt": "I am Ottilie Zqberg", "completion": '{"a": "Ottilie Zqberg"}'},
    {"prompt": [{"role": "user", "content": "I am Ottilie Zqberg"}],
     "completion": [{"role": "assistant", "content": '{"a": "Ottilie Zqberg"}'}]},
    {"conversations": [{"from": "human", "value": "I am Ottilie Zqberg"},
                       {"from": "gpt", "value": '{"a": "Ottilie Zqberg"}'}]},
    [{"role": "user", "content": "I am Ottilie Zqberg"},
     {"role": "assistant", "content": '{"a": "Ottilie Zqberg"}'}],
    {"history": [["I am Ottilie Zqberg", "Hello"]], "instruction": "as JSON",
     "output": '{"a": "Ottilie Zqberg"}'},
    {"prompt": "I am Ottilie Zqberg", "chosen": "no", "rejected": '{"a": "Ottilie Zqberg"}'},
]  # fmt: skip


@pytest.mark.parametrize("record", FORMATS)
def test_turns_are_known_in_every_format(record: object) -> None:
    assert shown(json.dumps(record)) == [("Ottilie Zqberg", "I am Ottilie Zqberg")]


def test_only_what_was_said_before_is_earlier() -> None:
    late = chat(("assistant", '{"a": "Ottilie Zqberg"}'), ("user", "I am Ottilie Zqberg"))
    own = chat(("user", "hi"), ("assistant", 'Ottilie Zqberg: {"a": "Ottilie Zqberg"}'))
    sides = {"prompt": "hi", "chosen": "Ottilie Zqberg", "rejected": '{"a": "Ottilie Zqberg"}'}
    fields = {"input": "Ottilie Zqberg", "messages": json.loads(own)["messages"]}
    for text in (late, own, json.dumps(sides), json.dumps(fields)):
        assert found(text) == []


def test_a_user_is_named_before_an_answer_and_the_nearest_turn_before_others() -> None:
    text = chat(
        ("user", "one Zqberg"), ("user", "two Zqberg"), ("user", "three ZQBERG"),
        ("assistant", '{"a": "Zqberg"}'), ("assistant", '{"b": "Zqberg"}'),
    )  # fmt: skip
    assert shown(text) == [("Zqberg", "two Zqberg")] * 2


def test_parts_may_stand_in_several_leaves_of_one_tool_result() -> None:
    tool = json.dumps({"given": "Ottilie", "family": "Zqberg", "born": "4 March 1985"})
    text = chat(
        ("user", "who?"), ("tool", tool),
        ("assistant", '{"name": "Zqberg Ottilie", "born": "1985-03-04"}'),
    )  # fmt: skip
    assert kinds(text) == ["order", "date"]


def replaced(text: str, old: str, new: str) -> list[Leaf]:
    return leaves(text.replace(old, new))


def test_a_pair_holds_while_both_sides_change_alike() -> None:
    text = asked("My name is Zqberg, Ottilie", {"name": "Ottilie Zqberg"})
    (pair,) = found(text)
    both = text.replace("Ottilie", "Mathilde").replace("Zqberg", "Vqdal")
    assert holds(pair, leaves(text))
    assert holds(pair, leaves(both))
    assert not holds(pair, replaced(text, "Zqberg, Ottilie", "Vqdal, Mathilde"))
    assert not holds(pair, leaves(both.replace("Mathilde Vqdal", "Mathilde Vqdahl")))


def test_a_pair_may_not_become_a_weaker_one() -> None:
    text = asked("My name is Ottilie Zqberg", {"name": "Ottilie Zqberg"})
    (pair,) = found(text)
    assert not holds(pair, replaced(text, "is Ottilie Zqberg", "is Zqberg, Ottilie"))
    assert not holds(pair, replaced(text, "is Ottilie Zqberg", "is OTTILIE ZQBERG"))


# What each kind looks like before and after, by a surrogate of the same form.
NAMES = st.lists(
    st.sampled_from(("Ottilie", "Zqberg", "Mathilde", "Vqdal", "José", "Garçon", "Ünal", "Łucja")),
    min_size=2, max_size=2, unique=True,
)  # fmt: skip
NUMBERS = st.integers(10**9, 10**10 - 1).map(str)
DAYS = st.dates(date(1930, 1, 1), date(2029, 12, 31))
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}  # fmt: skip


def name_form(form: int, name: list[str]) -> str:
    first, last = name
    return (
        f"{first} {last}", f"{last}, {first}", f"{first.upper()} {last.upper()}",
        f"{first}  {last}", f"{last.upper()} {first}",
    )[form]  # fmt: skip


def number_form(form: int, number: str) -> str:
    return (
        number, f"{number[:3]} {number[3:6]} {number[6:]}", f"{number[:4]}-{number[4:]}",
        f"(+44) {number[:5]} {number[5:]}", f"0{number}", f"0044{number}",
    )[form]  # fmt: skip


def date_form(form: int, day: Any) -> str:
    if form < len(MONTHS):
        month = list(MONTHS.values())[form].split()[day.month - 1]
        return f"{day.day}{'. ' if form == 2 else ' '}{month} {day.year}"
    return (
        day.isoformat(), f"{day.day:02}.{day.month:02}.{day.year:04}",
        f"{day.day}/{day.month}/{day.year}",
    )[form - len(MONTHS)]  # fmt: skip


FORMS = {"name": (name_form, 5, NAMES), "number": (number_form, 6, NUMBERS),
         "date": (date_form, 10, DAYS)}  # fmt: skip
WORDS = st.sampled_from(["Hi, ", "Guten Tag: ", "¿es ", "né le ", "è: ", "Order for "])


@given(st.sampled_from(sorted(FORMS)), st.data())
def test_any_form_of_a_value_is_found_holds_and_breaks(which: str, data: st.DataObject) -> None:
    write, count, values = FORMS[which]
    mine, theirs = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    one, other = data.draw(st.tuples(values, values).filter(lambda two: two[0] != two[1]))
    if which == "name" and set(one) & set(other):
        return
    before, after = data.draw(WORDS), data.draw(st.sampled_from([".", ", please", "\n"]))

    def record(said: Any, answer: Any) -> str:
        return asked(before + write(theirs, said) + after, {"id": 7, "it": write(mine, answer)})

    (pair,) = found(record(one, one))
    assert holds(pair, leaves(record(one, one)))
    assert holds(pair, leaves(record(other, other)))
    assert not holds(pair, leaves(record(other, one)))
    assert not holds(pair, leaves(record(one, other)))


SCRAPS = st.text(st.sampled_from('aB1 %&#é\u200b\\"{}[]:,.-+/0王김ß'), max_size=12)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | SCRAPS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCRAPS, inner, max_size=3),
    max_leaves=8,
)


@given(SCRAPS, ANY)
def test_whatever_is_found_holds_in_the_record_itself(user: str, answer: object) -> None:
    all_leaves = leaves(asked(user, answer))
    some = pairs(all_leaves)
    assert all(judged(some, all_leaves))
    assert all(pair.kind in KINDS and pair.earlier < pair.inner for pair in some)
    assert len({pair.inner for pair in some}) == len(some)


@given(st.recursive(ANY, lambda inner: st.dictionaries(
    st.sampled_from(["messages", "role", "content", "history", "prompt", "chosen", "system"]),
    inner | st.lists(inner, max_size=3), max_size=4)))  # fmt: skip
def test_no_record_is_too_odd(record: object) -> None:
    pairs(leaves(json.dumps(record)))


@pytest.mark.slow
def test_a_record_of_a_million_characters_is_read_in_bounded_steps() -> None:
    text = asked("12 34 56 Aa Ab " * 60_000, [f"Aa {n} Ab" for n in range(3_000)])
    assert len(text) > 900_000
    assert len(judged(found(text), leaves(text))) == len(found(text))


def test_an_end_that_looks_like_a_year_still_holds_but_is_no_new_pair() -> None:
    text = asked("card 4111 1111 1111 9514", {"last4": "9514"})
    (pair,) = found(text)
    new = asked("card 4149 5609 9373 2016", {"last4": "2016"})
    assert pair.kind == "tail"
    assert holds(pair, leaves(new))
    assert not holds(pair, leaves(asked("card 4149 5609 9373 2017", {"last4": "2016"})))
    assert found(new) == []
