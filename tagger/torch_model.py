"""A checkpoint in place of an ONNX file, so that it can be judged on a GPU before it is quantised."""

from __future__ import annotations

from pathlib import Path

import torch
from transformers import BertForTokenClassification

from scrubbers.tagger.pieces import Numbers
from scrubbers.tagger.windows import Floats, Model


def torch_model(folder: Path) -> Model:
    """The checkpoint in a folder as a function of two arrays."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = BertForTokenClassification.from_pretrained(folder, dtype=torch.float32)
    model = model.to(device).eval()

    @torch.inference_mode()
    def run(ids: Numbers, looks: Numbers) -> Floats:
        put = [torch.from_numpy(one).to(device) for one in (ids, looks)]
        found: Floats = (
            model(input_ids=put[0], token_type_ids=put[1]).logits.float().cpu().numpy()
        )  # fmt: skip
        return found

    return run
