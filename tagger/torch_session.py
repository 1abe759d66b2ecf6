"""A checkpoint in place of an ONNX file, so that it can be judged on a GPU before it is quantised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from numpy import float32, int64
from numpy.typing import NDArray
from transformers import BertForTokenClassification


class TorchSession:
    """Has `run` as ONNX Runtime's sessions do."""

    def __init__(self, folder: Path) -> None:
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        model = BertForTokenClassification.from_pretrained(folder, dtype=torch.float32)
        self.model = model.to(self.device).eval()

    @torch.inference_mode()
    def run(self, _: Sequence[str], feed: Mapping[str, NDArray[int64]]) -> list[NDArray[float32]]:
        """The logits of a batch, windows x pieces x labels."""
        arrays = {name: torch.from_numpy(value).to(self.device) for name, value in feed.items()}
        found: NDArray[float32] = self.model(**arrays).logits.float().cpu().numpy()
        return [found]
