from __future__ import annotations

import pytest

from scrubbers import onnx_names, weights
from scrubbers.evidence import Hit
from scrubbers.passage import Passage
from scrubbers.weights import ModelsMissing
from tests.scrubbers.models_at_hand import need

FILLER = "The parcel was sent on time and the invoice was paid in full last week. "


def strong(text: str) -> set[str]:
    hits: list[Hit] = onnx_names.evidence([Passage(text, "en")])[0]
    return {text[h.start : h.end] for h in hits if h.group == "PERSON" and h.score > 0.5}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Please call Margaret Okonkwo about the claim.", {"Margaret", "Okonkwo"}),
        ("Hola, me llamo Lucía Fernández y tengo una duda.", {"Lucía", "Fernández"}),
        ("Mein Name ist Jürgen Schröder, ich warte seit Montag.", {"Jürgen", "Schröder"}),
        ("Bonjour, je suis Hélène Lefebvre, cliente depuis 2019.", {"Hélène", "Lefebvre"}),
    ],
)
def test_names_of_several_languages(text: str, name: set[str]) -> None:
    need("rampart")
    assert name <= strong(text)


@pytest.mark.parametrize("before", [0, 5, 6, 7, 11, 12])
def test_a_name_at_any_seam_is_found_once_and_whole(before: int) -> None:
    need("rampart")
    text = FILLER * before + "Please call Margaret Okonkwo about it. " + FILLER * 4
    assert strong(text) == {"Margaret", "Okonkwo"}


def test_text_that_makes_many_pieces_fits() -> None:
    need("rampart")
    text = "\ud55c\uad6d\uc5b4" * 160 + " Margaret Okonkwo"
    assert onnx_names.evidence([Passage(text, "ko")])


def test_a_passages_result_does_not_depend_on_its_neighbours() -> None:
    need("rampart")
    passages = [Passage("Ana Reyes called.", "en"), Passage(FILLER * 9, "en"), Passage("", "en")]
    alone = [onnx_names.evidence([passage])[0] for passage in passages]
    assert onnx_names.evidence(passages) == alone


def test_missing_weights_are_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(weights, "models_root", lambda: tmp_path)
    monkeypatch.setattr(weights, "checked_folder", weights.checked_folder.__wrapped__)
    onnx_names._model.cache_clear()
    with pytest.raises(ModelsMissing, match="privatune models install"):
        onnx_names.evidence([Passage("Ana Reyes", "en")])
