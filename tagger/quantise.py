"""A trained checkpoint as an int8 ONNX file, with its size and hash.

    python -m tagger.quantise CHECKPOINT OUT.onnx

Matrices get one scale a column, embeddings one for the table; activations are scaled as they come
(dynamic quantisation), so no text is needed for calibration.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import BertForTokenClassification

INPUTS = ("input_ids", "token_type_ids", "attention_mask")


class Plain(torch.nn.Module):
    """The model as a function of three arrays, each windows x pieces."""

    def __init__(self, model: BertForTokenClassification) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, ids: torch.Tensor, looks: torch.Tensor, attention: torch.Tensor
    ) -> torch.Tensor:
        """Logits, windows x pieces x labels."""
        found: torch.Tensor = self.model(
            input_ids=ids, token_type_ids=looks, attention_mask=attention
        ).logits
        return found


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    asked = parser.parse_args()
    model = BertForTokenClassification.from_pretrained(
        asked.checkpoint, dtype=torch.float32, attn_implementation="eager"
    )
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        export(model.eval(), plain)
        quantize_dynamic(
            plain, asked.out, per_channel=True, weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gather"],
        )  # fmt: skip
    data = asked.out.read_bytes()
    print(f"{asked.out}: {len(data) / 2**20:.1f} MiB, sha256 {hashlib.sha256(data).hexdigest()}")


def export(model: BertForTokenClassification, path: Path) -> None:
    """The checkpoint as ONNX in 32 bits, any number of windows of any length."""
    one = torch.ones((2, 8), dtype=torch.long)
    free = {name: {0: "windows", 1: "pieces"} for name in (*INPUTS, "logits")}
    torch.onnx.export(
        Plain(model), (one, one, one), path, input_names=list(INPUTS), output_names=["logits"],
        dynamic_axes=free, opset_version=17, dynamo=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
