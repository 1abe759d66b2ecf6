from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrubbers.folding import fold

DISGUISES = {
    "ana\u200b.reyes@acme.example": "ana.reyes@acme.example",
    "ＴＥＬ ０１": "TEL 01",
    "219\u201055\u20130199": "219-55-0199",
    "BE68\u00a05390": "BE68 5390",
    "ana&#64;acme&nbsp;x &amp;#64;": "ana@acme x @",
    "ana%40acme": "ana@acme",
    "so\u00adft": "soft",
    "O\u2019Dowd": "O'Dowd",
    "cafe\u0301": "café",
    "٣٤": "34",
}


def test_disguises_are_undone() -> None:
    for disguised, plain in DISGUISES.items():
        assert fold(disguised).text == plain


def test_a_percent_or_ampersand_of_its_own_stays() -> None:
    for text in ("5 %40 off", "R&D; x", "a & b", "100%"):
        assert fold(text).text == text


@given(st.text())
def test_every_folded_character_maps_to_a_place_in_order(text: str) -> None:
    folded = fold(text)
    spans = [folded.original(i, i + 1) for i in range(len(folded.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(spans))


@given(st.text(alphabet=st.characters(max_codepoint=127, exclude_characters="&%")))
def test_plain_text_is_its_own_copy(text: str) -> None:
    assert fold(text).text is text


def test_the_span_covers_what_was_hidden_inside() -> None:
    text = "to ana\u200b.reyes&#64;acme.example now"
    folded = fold(text)
    start = folded.text.index("ana")
    span = folded.original(start, start + len("ana.reyes@acme.example"))
    assert text[slice(*span)] == "ana\u200b.reyes&#64;acme.example"
