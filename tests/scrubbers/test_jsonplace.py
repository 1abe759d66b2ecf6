from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.jsonplace import PlaceError, Places
from scrubbers.jsontext import Leaf, leaves, path
from tests.scrubbers.test_jsontext import json_text


def shown(leaf: Leaf, *, hidden: bool) -> dict[str, str | None]:
    """The place of a leaf as audit and books write it; `hidden`: every key by its number."""
    steps = [*leaf.steps, *(leaf.inner_steps or ())]
    names = frozenset(s.name for s in steps if hasattr(s, "name")) if hidden else frozenset()
    inner = leaf.inner_steps
    outer_key = leaf.kind == "key" and inner is None
    return {
        "path": path(leaf.steps, names),
        "inner": None if inner is None else path(inner, names, inner=True),
        "kind": "key" if outer_key else None,
    }


@st.composite
def spans(draw: st.DrawFn) -> tuple[list[Leaf], int, int, int]:
    """The leaves of a record, and a span of one that lies in what no inner JSON covers."""
    found = leaves(draw(json_text().filter(lambda text: any(map(ranges, leaves(text))))))
    index = draw(st.sampled_from([i for i, leaf in enumerate(found) if ranges(leaf)]))
    first, last = draw(st.sampled_from(ranges(found[index])))
    start = draw(st.integers(first, last - 1))
    return found, index, start, draw(st.integers(start + 1, last))


def ranges(leaf: Leaf) -> list[tuple[int, int]]:
    return [(first, last) for first, last in leaf.prose if first < last]


@given(spans(), st.booleans(), st.booleans())
def test_every_place_leads_back_to_its_leaf_and_span(
    span: tuple[list[Leaf], int, int, int], hidden: bool, named: bool
) -> None:
    found, index, start, end = span
    place = shown(found[index], hidden=hidden)
    inner = place["inner"] if named else None
    outer = found[index].outer_span(start, end)
    back = Places(found).find(str(place["path"]), *outer, inner=inner, kind=place["kind"])
    assert back == (index, start, end)


@given(spans(), st.integers(-2, 2), st.integers(-2, 2))
def test_a_place_is_exact_or_refused(
    span: tuple[list[Leaf], int, int, int], left: int, right: int
) -> None:
    found, index, start, end = span
    place = shown(found[index], hidden=False)
    first, last = found[index].outer_span(start, end)
    first, last = first + left, last + right
    try:
        at, begin, stop = Places(found).find(str(place["path"]), first, last, kind=place["kind"])
    except PlaceError:
        return
    assert found[at].outer_span(begin, stop) == (first, last)
    assert any(a <= begin and stop <= b for a, b in found[at].prose)


RECORD = json.dumps(
    {
        "messages": [{"role": "user", "content": 'So: {"name": "Jos\\u00e9", "nr": 48151} ok'}],
        "Ana Rey": "hers",
        "owners": {"Ana Rey": {"due": 1}},
    }
)


# So: {"name": "Jos\u00e9", "nr": 48151} ok
@pytest.mark.parametrize(
    ("place", "words"),
    [
        (("messages[1].content", 0, 2), "no such `path`"),
        (("messages[0].contents", 0, 2), "no such `path`"),
        (("messages[0]", 0, 2), "leads to no text"),
        (("messages..content", 0, 2), "is no path like"),
        (("messages[0]content", 0, 2), "is no path like"),
        (("messages[0].content", 40, 45), "does not lie in the 41 code points"),
        (("messages[0].content", 2, 2), "does not lie in"),
        (("messages[0].content", 14, 18), "cuts an escape"),
        (("messages[0].content", 18, 23), "cuts an escape"),
        (("messages[0].content", 0, 10), "crosses the border"),
        (("messages[0].content", 14, 33), "crosses the border"),
        (("messages[0].content", 14, 23, "$.nr"), "not lie at the place that `inner` names"),
        (("messages[0].content", 14, 23, "$.no"), "no such `inner`"),
        (("messages[0].content", 14, 23, "name"), "one begins with"),
    ],
)  # fmt: skip
def test_a_place_that_is_not_there_is_refused_in_words(
    place: tuple[str, int, int, str], words: str
) -> None:
    with pytest.raises(PlaceError, match=words):
        Places(leaves(RECORD)).find(*place[:3], inner=place[3] if len(place) > 3 else None)


@pytest.mark.parametrize(
    ("place", "kind", "text"),
    [
        (("messages[0].content", 14, 23), None, "José"),
        (("messages[0].content", 33, 36), None, "815"),
        (("messages[0].content", 6, 10), None, "name"),
        (("messages[0].content", 0, 2), None, "So"),
        (("[key 2]", 0, 3), None, "her"),
        (("[key 2]", 0, 3), "key", "Ana"),
        (("owners[key 1]", 0, 3), None, "Ana"),  # its value is no text
        (("Ana Rey", 0, 4), None, "hers"),
    ],
)  # fmt: skip
def test_a_place_is_the_innermost_text(
    place: tuple[str, int, int], kind: str | None, text: str
) -> None:
    found = leaves(RECORD)
    index, start, end = Places(found).find(*place, kind=kind)
    assert found[index].text[start:end] == text


@pytest.mark.parametrize("name", ["$", "text"])
def test_a_record_that_is_one_string(name: str) -> None:
    assert Places(leaves('"Ana Rey"')).find(name, 0, 3) == (0, 0, 3)
