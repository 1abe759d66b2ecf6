"""A checkpoint as an ONNX graph: the same answers in 32 bits, nearly in 8, whatever runs beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scrubbers.tagger.card import HOME
from scrubbers.tagger.labels import LABELS
from scrubbers.tagger.model import started
from scrubbers.tagger.pieces import LOOKS, tokenizer
from tagger.graph import Checkpoint, checkpoint, graph
from tagger.quantise import cost, evened, scales, watched, windows

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
SIZE = 9  # pieces of a window


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of two small layers, one channel of which is far larger than the rest."""
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=tokenizer(HOME).get_vocab_size(), hidden_size=32, num_hidden_layers=2,
        num_attention_heads=4, intermediate_size=64, max_position_embeddings=512,
        type_vocab_size=LOOKS, num_labels=len(LABELS), initializer_range=0.2,
    )  # fmt: skip
    model = transformers.BertForTokenClassification(config)
    for layer in model.bert.encoder.layer:
        torch.nn.init.normal_(layer.intermediate.dense.bias)
        layer.attention.output.LayerNorm.weight.data[3] = 20.0
    made = tmp_path_factory.mktemp("checkpoint")
    model.save_pretrained(made)
    return made


@pytest.fixture(scope="module")
def source(folder: Path) -> Checkpoint:
    return checkpoint(folder)


@pytest.fixture(scope="module")
def small(source: Checkpoint) -> bytes:
    plain, places = graph(source)
    seen = watched(plain.SerializeToString(), places, windows(HOME, 1, 20))
    data: bytes = graph(source, scales(source, seen))[0].SerializeToString()
    return data


def feeds(count: int) -> dict[str, NDArray[np.int64]]:
    rng = np.random.default_rng(3)
    return {
        "input_ids": rng.integers(5, 5000, (count, SIZE)),
        "token_type_ids": rng.integers(0, LOOKS, (count, SIZE)),
    }


def test_in_32_bits_it_answers_as_the_checkpoint(folder: Path, source: Checkpoint) -> None:
    model = transformers.BertForTokenClassification.from_pretrained(folder).eval()
    asked = feeds(3)
    with torch.inference_mode():
        expected = model(**{name: torch.from_numpy(one) for name, one in asked.items()}).logits
    (found,) = started(graph(source)[0].SerializeToString()).run(["logits"], asked)
    np.testing.assert_allclose(found, expected.numpy(), atol=2e-4)


def test_in_8_bits_it_answers_nearly_so(source: Checkpoint, small: bytes) -> None:
    plain = graph(source)[0].SerializeToString()
    assert len(small) < len(plain) / 2
    moved, changed = cost(plain, small, windows(HOME, 2, 10))
    assert moved < 0.05
    assert changed < 0.15


def test_large_channels_are_evened(source: Checkpoint) -> None:
    """Without it, bytes for the one channel leave few for the rest."""
    plain, places = graph(source)
    seen = watched(plain.SerializeToString(), places, windows(HOME, 1, 20))
    found = scales(source, seen)
    assert found["0.in"].even is None
    even = found["0.middle"].even
    assert even is not None
    assert even.argmax() == 3
    assert found["0.middle"].high < seen["0.middle"].high.max()


def test_channels_are_evened_around_one() -> None:
    even = evened(np.array([1.0, 8.0, 0.0], np.float32), np.array([1.0, 1.0, 1.0], np.float32))
    assert np.log(even).mean() == pytest.approx(0.0, abs=1e-6)
    assert even[1] > even[0] > even[2]


def run(session: Any, asked: dict[str, NDArray[np.int64]], rows: list[int]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = session.run(
        ["logits"], {name: one[rows] for name, one in asked.items()}
    )[0]
    return found


def test_a_windows_bits_are_the_same_alone_and_in_any_company(small: bytes) -> None:
    session, asked = started(small), feeds(40)
    alone = np.concatenate([run(session, asked, [row]) for row in range(40)])
    for rows in (list(range(40)), list(range(39, -1, -1)), [7, 3, 31], [0, 0, 5]):
        assert (run(session, asked, rows) == alone[rows]).all()
