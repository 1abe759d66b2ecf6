from __future__ import annotations

import itertools
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.jsontext import IndexStep, KeyStep, Leaf, NotJson, leaves, path, splice, to_value

# --- generated records -------------------------------------------------------------------------

TEXT = st.text(
    st.characters(codec="utf-8")
    | st.sampled_from(list('"\\/\n\r\t\b{}[]:,`@é\u2028\x00😀'))
    | st.characters(categories=["Cs"]),
    max_size=12,
)
NUMBER = st.sampled_from(["0", "-0", "1.0", "1e3", "-12.50E-7", "4111111111111111", "9" * 400])


def escape(char: str, draw: st.DrawFn) -> str:
    """One of the ways in which JSON may write a character."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    units = draw(st.sampled_from([units, units.upper()]))
    ways = ["".join("\\u" + units[at : at + 4] for at in range(0, len(units), 4))]
    if char in '"\\/\b\f\n\r\t':
        ways.append(json.dumps(char)[1:-1] if char != "/" else "\\/")
    if char not in '"\\' and not char < " " and not "\ud800" <= char <= "\udfff":
        ways += [char] * 3
    return draw(st.sampled_from(ways))


@st.composite
def string_literal(draw: st.DrawFn, text: str) -> str:
    joined = text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
    style = draw(st.sampled_from(["ascii", "plain", "mixed"]))
    if style != "mixed":
        literal = json.dumps(joined, ensure_ascii=style == "ascii")
        return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in literal)
    return '"' + "".join(escape(char, draw) for char in joined) + '"'


def inner_forms(inner: str) -> st.SearchStrategy[str]:
    return st.sampled_from(
        [inner, f" {inner}\n", f"```json\n{inner}\n```", f"Sure: {inner}. Bye", json.dumps(inner)]
    )


@st.composite
def json_text(draw: st.DrawFn, depth: int = 3) -> str:
    kinds = ["string", "number", "word"] + (["object", "array", "nested"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "string":
        return draw(string_literal(draw(TEXT)))
    if kind == "number":
        return draw(NUMBER)
    if kind == "word":
        return draw(st.sampled_from(["true", "false", "null"]))
    if kind == "nested":
        return draw(string_literal(draw(inner_forms(draw(json_text(depth=depth - 1))))))
    space = draw(st.sampled_from(["", " ", "\n\t"]))
    parts = draw(st.lists(json_text(depth=depth - 1), max_size=4))
    if kind == "object":
        names = st.sampled_from(["a", "a", "content", "é"]) | TEXT
        parts = [f"{draw(string_literal(draw(names)))}{space}:{space}{part}" for part in parts]
        return "{" + space + f"{space},{space}".join(parts) + space + "}"
    return "[" + space + f"{space},{space}".join(parts) + space + "]"


SAFE = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@st.composite
def edited_leaf(draw: st.DrawFn) -> tuple[str, list[Leaf], int, int, int, str]:
    """A record, its leaves, and an edit of one leaf that holds no JSON itself."""
    record = draw(json_text().filter(lambda text: any(plain(leaf) for leaf in leaves(text))))
    found = leaves(record)
    at = draw(st.sampled_from([at for at, leaf in enumerate(found) if plain(leaf)]))
    length = len(found[at].text)
    start = draw(st.integers(0, length))
    end = draw(st.integers(start, length))
    if found[at].kind == "number":
        return record, found, at, 0, length, draw(NUMBER)
    return record, found, at, start, end, draw(SAFE)


def plain(leaf: Leaf) -> bool:
    return leaf.prose == ((0, len(leaf.text)),)


def skeleton(found: list[Leaf]) -> list[tuple[object, ...]]:
    return [(leaf.kind, ordinals(leaf.steps), ordinals(leaf.inner_steps)) for leaf in found]


def ordinals(steps: tuple[KeyStep | IndexStep, ...] | None) -> tuple[object, ...] | None:
    if steps is None:
        return None
    return tuple(step.ordinal if isinstance(step, KeyStep) else ("i", step.index) for step in steps)


# --- rules for all records ---------------------------------------------------------------------


@given(json_text())
def test_splicing_nothing_gives_the_record_back(record: str) -> None:
    assert splice(record, []) == record


@given(json_text())
def test_raw_spans_hold_the_source_of_the_leaf(record: str) -> None:
    for leaf in leaves(record):
        start, end = leaf.raw_span(0, len(leaf.text))
        raw = record[start:end]
        if leaf.inner_steps is None:
            assert (
                raw == leaf.text if leaf.kind == "number" else json.loads(f'"{raw}"') == leaf.text
            )


@given(json_text())
def test_spans_of_neighbours_meet_and_never_cut_an_escape(record: str) -> None:
    outer: Leaf | None = None
    for leaf in leaves(record):
        outer = leaf if leaf.inner_steps is None else outer
        assert outer is not None
        spans = [leaf.raw_span(at, at + 1) for at in range(len(leaf.text))]
        assert all(one[1] == two[0] for one, two in itertools.pairwise(spans))
        for at, (start, end) in enumerate(spans):
            low, high = leaf.outer_span(at, at + 1)
            if outer.kind == "string":
                assert json.loads(f'"{record[start:end]}"') == outer.text[low:high]


@settings(max_examples=150)
@given(edited_leaf())
def test_one_edit_changes_that_text_and_nothing_else(
    case: tuple[str, list[Leaf], int, int, int, str],
) -> None:
    record, found, at, start, end, new = case
    changed = splice(record, [(found[at], start, end, new)])
    raw_start, raw_end = found[at].raw_span(start, end)
    assert changed.startswith(record[:raw_start])
    assert changed.endswith(record[raw_end:])
    again = leaves(changed)
    # New text may hold JSON of its own, or end up as the text of keys further down.
    keep = [leaf for leaf in again if leaf.inner_steps is None]
    assert skeleton(keep) == skeleton([leaf for leaf in found if leaf.inner_steps is None])
    text = found[at].text
    assert text[:start] + new + text[end:] in {leaf.text for leaf in again}


@settings(max_examples=150)
@given(edited_leaf(), st.text('abcXYZ éß😀"\\/\n', min_size=1, max_size=6))
def test_inner_json_stays_json_with_the_same_leaves(
    case: tuple[str, list[Leaf], int, int, int, str], word: str
) -> None:
    record, found, at, start, end, new = case
    new = new if found[at].kind == "number" else word
    text = found[at].text
    if "{" in text or "[" in text or '"' in text or "`" in text:
        return  # half a bracket may become a whole one
    again = leaves(splice(record, [(found[at], start, end, new)]))
    assert skeleton(again) == skeleton(found)
    for number, (before, after) in enumerate(zip(found, again, strict=True)):
        if number == at:
            assert after.text == text[:start] + new + text[end:]
        elif plain(before):
            assert after.text == before.text


@given(st.data())
def test_ascii_sources_stay_ascii(data: st.DataObject) -> None:
    value = {"wide": "é", "a": data.draw(TEXT), "b": json.dumps({"c": data.draw(TEXT), "é": 1})}
    record = json.dumps(value)
    for leaf in leaves(record):
        if leaf.kind == "string":
            assert splice(record, [(leaf, 0, len(leaf.text), "Zoë 😀 \u2028")]).isascii()


@given(st.lists(st.tuples(SAFE, SAFE), min_size=1, max_size=5))
def test_all_leaves_can_be_edited_at_once(pairs: list[tuple[str, str]]) -> None:
    record = json.dumps([json.dumps({"old": old}) for old, _ in pairs])
    edits = [leaf for leaf in leaves(record) if leaf.label == "old" and leaf.kind == "string"]
    changed = splice(
        record,
        [(leaf, 0, len(leaf.text), new) for leaf, (_, new) in zip(edits, pairs, strict=True)][::-1],
    )
    assert [json.loads(item)["old"] for item in json.loads(changed)] == [new for _, new in pairs]


# --- what is JSON ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "{", "[1,]", '{"a":1,}', "{'a':1}", "[NaN]", "[Infinity]", "[-]", "01", "[1.]", "[.5]",
        "[+1]", "[1e]", '["\n"]', '["\x00"]', '["\\x41"]', '["\\u12"]', '{"a" 1}', "{1:2}", "[1 2]",
        "[1]]", "[1}", '{"a":1]', "[}", "nul", "[True]", '{"a":1}{"b":2}', "\ufeff{}", "[1]\x0c",
        "// note\n{}", "[\u00a01]", "[١]", '"abc', "[" * 10_000 + "]" * 10_000, "[" * 1_000_000,
        '{"a":' * 10_000, "9" * 5_000,
    ],
)  # fmt: skip
def test_what_is_not_strict_json_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        leaves(text)
    with pytest.raises(NotJson):
        to_value(text)


@given(json_text())
def test_what_python_parses_is_lexed(record: str) -> None:
    assert to_value(record) == json.loads(record)
    assert len([leaf for leaf in leaves(record) if leaf.inner_steps is None]) == count(
        json.loads(record, object_pairs_hook=tuple)
    )


def count(value: object) -> int:
    if isinstance(value, list):
        return sum(count(item) for item in value)
    if isinstance(value, tuple):
        return sum(1 + count(item) for _, item in value)
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def test_the_error_says_where_and_holds_no_value() -> None:
    with pytest.raises(NotJson) as caught:
        leaves('{\n "name": "Ana Reyes" "x": 1}')
    assert str(caught.value).startswith("line 2, column 2")
    assert "Ana" not in repr(vars(caught.value)) + repr(caught.value) + str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_neither_a_leaf_nor_a_step_shows_text() -> None:
    found = leaves('{"ana.reyes@example.org": "Ana Reyes"}')
    assert "na" not in "".join(map(repr, found)).replace("Leaf(string", "")
    assert "ana" not in repr(found[0].steps)


# --- leaves ------------------------------------------------------------------------------------


def shown(record: str) -> list[tuple[str, str, str]]:
    rows = []
    for leaf in leaves(record):
        inner = "" if leaf.inner_steps is None else " " + path(leaf.inner_steps, inner=True)
        rows.append((leaf.kind, path(leaf.steps) + inner, leaf.text))
    return rows


def test_paths_labels_and_order() -> None:
    record = '{"messages": [{"role": "user"}, {"n": [1.0, 1e3]}], "ok": true}'
    assert shown(record) == [
        ("key", "messages", "messages"),
        ("key", "messages[0].role", "role"),
        ("string", "messages[0].role", "user"),
        ("key", "messages[1].n", "n"),
        ("number", "messages[1].n[0]", "1.0"),
        ("number", "messages[1].n[1]", "1e3"),
        ("key", "ok", "ok"),
    ]
    assert [leaf.label for leaf in leaves(record)] == ["", "", "role", "", "n", "n", ""]


def test_duplicate_keys_are_both_leaves() -> None:
    rows = shown('{"a": "one", "a": "two", "b": 3}')
    assert [row[1:] for row in rows if row[0] != "key"] == [
        ("a", "one"), ("a~2", "two"), ("b", "3"),
    ]  # fmt: skip


def test_odd_and_hidden_keys_are_shown_by_number() -> None:
    found = leaves('[{"a": 1, "ana.reyes@example.org": {"x": 2}, "reyes": 3}]')
    assert [path(leaf.steps, frozenset({"reyes"})) for leaf in found if leaf.kind == "number"] == [
        "[0].a",
        "[0][key 2].x",
        "[0][key 3]",
    ]
    assert path(()) == "$"


@pytest.mark.parametrize(
    ("content", "inner"),
    [
        ('{"name": "Ana"}', "$.name"),
        (' [{"name": "Ana"}]\n', "$[0].name"),
        (json.dumps('{"name": "Ana"}'), "$.name"),
        (json.dumps(json.dumps(json.dumps({"a": json.dumps({"name": "Ana"})}))), "$.a.name"),
        ('Here:\n```json\n{"name": "Ana"}\n```\nand more', "$.name"),
        ('```\n["x", "Ana"]\n```', "$[1]"),
        ('Result: {"name": "Ana"}, as asked', "$.name"),
        ('{"a": 1}\n{"name": "Ana"}', "$.name"),
        ('<tool_call>{"f": "g", "arguments": "{\\"name\\": \\"Ana\\"}"}</tool_call>', "$.arguments.name"),
        ('```json\n{"name": "Ana"', None),
        ("{'name': 'Ana'}", None),
        ("Dear [Ana], {Ana} and [\"Ana\"]", None),
        ('"Ana"', None),
    ],
)  # fmt: skip
def test_json_inside_strings_is_walked(content: str, inner: str | None) -> None:
    record = json.dumps({"content": content})
    found = [leaf for leaf in leaves(record) if leaf.text == "Ana"]
    paths = [path(leaf.inner_steps or (), inner=True) for leaf in found]
    assert paths == ([inner] if inner else [])
    for leaf in found:
        low, high = leaf.outer_span(0, 3)
        assert content[low:high] == "Ana"
        changed = json.loads(splice(record, [(leaf, 0, 3, 'Z"o\\ë')]))["content"]
        assert changed != content
        assert any(again.text == 'Z"o\\ë' for again in leaves(json.dumps(changed)))


def test_prose_is_what_no_inner_json_covers() -> None:
    text = 'Hi {"a": 1} and {"b": 2}.'
    leaf = leaves(json.dumps(text))[0]
    assert [text[start:end] for start, end in leaf.prose] == ["Hi ", " and ", "."]
    assert leaves('"{\\"a\\": 1}"')[0].prose == ()


def test_the_label_reaches_into_inner_json() -> None:
    record = json.dumps({"emails": json.dumps(["ana@example.org"])})
    assert [leaf.label for leaf in leaves(record) if leaf.text.startswith("ana")] == ["emails"]


def test_hostile_text_is_searched_in_bounded_time() -> None:
    for text in ('{"a":[' * 4_000, '{"' * 50_000, '[{"a":"' * 4_000, "[" * 50_000):
        assert leaves(json.dumps(text))[0].text == text


# --- edits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "new", "expected"),
    [
        ('["caf\\u00e9 x"]', "Zoë", '["Zo\\u00eb"]'),
        ('["caf\\u00E9\\u00EF"]', "Zoë", '["Zo\\u00EB"]'),
        ('["café"]', "Zoë", '["Zoë"]'),
        ('["x", "caf\\u00e9"]', "Zoë", '["Zo\\u00eb", "caf\\u00e9"]'),
        ('["a\\/b"]', "c/d", '["c\\/d"]'),
        ('["a/b\\/c"]', "c/d", '["c/d"]'),
        ('["ana\\u0040example.org"]', "bo@example.org", '["bo\\u0040example.org"]'),
        ('["a\\u000ab"]', "c\nd", '["c\\u000ad"]'),
        ('["Yes \\ud83d"]', "Zoë", '["Zoë"]'),
        ('["x"]', '"\\\x01\ud83d', '["\\"\\\\\\u0001\\ud83d"]'),
    ],
)
def test_new_text_follows_the_style_around_it(record: str, new: str, expected: str) -> None:
    leaf = leaves(record)[0]
    assert splice(record, [(leaf, 0, len(leaf.text), new)]) == expected


def test_lone_surrogates_outside_an_edit_survive() -> None:
    record = '{"a": "Yes \\ud83d, Ana \\uDE00"}'
    leaf = leaves(record)[1]
    assert leaf.text == "Yes \ud83d, Ana \ude00"
    assert splice(record, [(leaf, 7, 10, "Bo")]) == '{"a": "Yes \\ud83d, Bo \\uDE00"}'


def test_a_number_stays_a_number() -> None:
    record = '{"card": 4111111111111111, "x": 1.50}'
    card, price = (leaf for leaf in leaves(record) if leaf.kind == "number")
    changed = splice(record, [(card, 0, 16, "4222222222222"), (price, 0, 1, "-3")])
    assert changed == '{"card": 4222222222222, "x": -3.50}'
    for new in ("x", "", "01", "1 ", "NaN", "+1"):
        with pytest.raises(ValueError, match="number") as caught:
            splice(record, [(card, 0, 16, new)])
        assert "4111" not in str(caught.value)
    with pytest.raises(ValueError, match="number"):
        splice(record, [(price, 0, 1, ""), (price, 2, 4, "2")])


def test_faulty_edits_are_refused_without_values() -> None:
    record = '{"a": "Ana Reyes", "b": "{\\"c\\": \\"Ana\\"}"}'
    found = leaves(record)
    a, b = found[1], found[3]
    inner = found[-1]
    for edits in (
        [(a, 0, 5, "x"), (a, 4, 9, "y")],
        [(b, 0, 9, "x"), (inner, 0, 3, "y")],
        [(a, 4, 10, "x")],
        [(a, 3, 2, "x")],
        [(leaves('{"a": "Ana Reyes"}')[1], 0, 3, "x")],
    ):
        with pytest.raises(ValueError, match=r"overlap|span|another record") as caught:
            splice(record, edits)
        assert "Ana" not in str(caught.value)


def test_keys_can_be_edited() -> None:
    record = '{"ana@example.org": 1, "b": 2}'
    assert splice(record, [(leaves(record)[0], 0, 3, 'b"o')]) == '{"b\\"o@example.org": 1, "b": 2}'
