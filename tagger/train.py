"""Train the tagger on prepared arrays; writes a checkpoint and a log.

    python -m tagger.train DATA.npz ... --out OUT --base FOLDER [--steps N] [--teacher CHECKPOINT]

Windows of like length go together, `tokens` pieces a step; a share of them is generated, the rest
comes from the corpora by weight. Labels that a corpus does not annotate are masked out of the loss.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from transformers import BertForTokenClassification

from tagger.base import base_model

IGNORED = -100
UNKNOWN = 3  # the piece that stands for none
LEARNT, SOFT = 0.7, 2.0  # weight and temperature of a teacher's answers
BUCKET = 16  # windows of a batch differ in length by less than this


@dataclass
class Data:
    """All windows on the device, joined; where each begins; which set it is of."""

    ids: torch.Tensor
    looks: torch.Tensor
    labels: torch.Tensor
    masks: torch.Tensor
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    sets: NDArray[np.int64]
    weights: NDArray[np.float64]


def main() -> None:
    """Train and save."""
    asked = arguments()
    torch.manual_seed(asked.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = read(asked.data, device)
    model = base_model(asked.base, asked.layers).to(device)
    if asked.fresh:
        model.init_weights()
    log = fit(model, data, asked, device)
    asked.out.mkdir(parents=True, exist_ok=True)
    model.half().save_pretrained(asked.out)
    (asked.out / "log.json").write_text(json.dumps({"arguments": described(asked), "steps": log}))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--layers", type=int, nargs="*", default=[], help="of the base, from 0")
    parser.add_argument("--teacher", type=Path, help="a checkpoint whose answers are learnt, too")
    parser.add_argument("--fresh", action="store_true", help="forget what the base learnt")
    parser.add_argument("--hide", type=float, default=0.0, help="share of pieces made unknown")
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--tokens", type=int, default=24_000)
    parser.add_argument("--generated", type=float, default=0.6)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def described(asked: argparse.Namespace) -> dict[str, Any]:
    """The settings of a run, without paths."""
    return {name: value for name, value in vars(asked).items()
            if name not in ("data", "out", "base", "teacher")} | {"teacher": bool(asked.teacher)}  # fmt: skip


def read(paths: Sequence[Path], device: str) -> Data:
    """The arrays of `tagger.prepare`, on the device; set 0 of every file is generated text."""
    held = [np.load(path) for path in paths]
    lengths = np.concatenate([one["lengths"] for one in held]).astype(np.int64)
    sets: list[NDArray[np.int64]] = []
    masks, weights = [held[0]["masks"][:1]], [held[0]["weights"][:1]]
    for one in held:
        own = one["sets"].astype(np.int64)
        sets.append(np.where(own > 0, own + sum(map(len, masks)) - 1, 0))
        masks.append(one["masks"][1:])
        weights.append(one["weights"][1:])

    def put(name: str) -> torch.Tensor:
        joined = np.concatenate([one[name] for one in held]).astype(np.int32)
        return torch.from_numpy(joined).to(device)

    return Data(
        put("ids"), put("looks"), put("labels"),
        torch.from_numpy(np.concatenate(masks)).to(device),
        np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths, np.concatenate(sets),
        np.concatenate(weights),
    )  # fmt: skip


def probabilities(data: Data, generated: float) -> NDArray[np.float64]:
    """How often each window is drawn: sets by weight times size ** 0.6, windows of one alike."""
    sizes = np.bincount(data.sets, weights=data.lengths)
    shares = data.weights * sizes**0.6
    shares[1:] *= (1 - generated) / max(shares[1:].sum(), 1e-9)
    shares[0] = generated if len(sizes) > 1 else 1.0
    counts = np.bincount(data.sets)
    found: NDArray[np.float64] = (shares / counts)[data.sets]
    return found / found.sum()


def batches(data: Data, asked: argparse.Namespace) -> Any:
    """Endless lists of windows of like length."""
    rng = np.random.default_rng(asked.seed)
    chance = np.cumsum(probabilities(data, asked.generated))
    waiting: dict[int, list[int]] = {}
    while True:
        for window in np.searchsorted(chance, rng.random(4096) * chance[-1]).tolist():
            bucket = -(-int(data.lengths[window]) // BUCKET) * BUCKET
            group = waiting.setdefault(bucket, [])
            group.append(window)
            if len(group) * bucket >= asked.tokens:
                yield waiting.pop(bucket), bucket


def gathered(data: Data, windows: list[int], width: int, device: str) -> tuple[torch.Tensor, ...]:
    """ids, looks, attention and labels of a batch, each windows x width."""
    starts = torch.from_numpy(data.starts[windows]).to(device)
    lengths = torch.from_numpy(data.lengths[windows]).to(device)
    place = torch.arange(width, device=device)
    inside = place[None] < lengths[:, None]
    index = torch.where(inside, starts[:, None] + place[None], 0)
    masks = data.masks[torch.from_numpy(data.sets[windows]).to(device)]
    labels = data.labels[index].long()
    known = masks.gather(1, labels) & inside
    return (
        torch.where(inside, data.ids[index], 0).long(), torch.where(inside, data.looks[index], 0).long(),
        inside.long(), torch.where(known, labels, IGNORED), masks,
    )  # fmt: skip


def loss_of(logits: torch.Tensor, labels: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Cross-entropy over the labels that each window's set annotates."""
    open_ones = logits.float().masked_fill(~masks[:, None, :], -1e4)
    return functional.cross_entropy(open_ones.transpose(1, 2), labels, ignore_index=IGNORED)


def fit(
    model: BertForTokenClassification, data: Data, asked: argparse.Namespace, device: str
) -> list[dict[str, float]]:
    """One cycle of AdamW; returns the log."""
    head = [value for name, value in model.named_parameters() if name.startswith("classifier")]
    body = [value for name, value in model.named_parameters() if not name.startswith("classifier")]
    rates = [asked.rate, asked.rate * 4]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": rates[0]}, {"params": head, "lr": rates[1]}],
        weight_decay=0.01, fused=device == "cuda",
    )  # fmt: skip
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=rates, total_steps=asked.steps, pct_start=0.05
    )
    model.train()
    teacher = base_model(asked.teacher).to(device).eval() if asked.teacher else None
    log, running, began = [], torch.zeros((), device=device), time.monotonic()
    for step, (windows, width) in zip(
        range(1, asked.steps + 1), batches(data, asked), strict=False
    ):
        ids, looks, attention, labels, masks = gathered(data, windows, width, device)
        with torch.autocast(device, torch.bfloat16):
            seen = hidden(ids, attention, asked.hide)
            logits = model(input_ids=seen, token_type_ids=looks, attention_mask=attention).logits
        loss = loss_of(logits, labels, masks)
        if teacher is not None:
            with torch.no_grad(), torch.autocast(device, torch.bfloat16):
                told = teacher(input_ids=ids, token_type_ids=looks, attention_mask=attention).logits
            loss = loss * (1 - LEARNT) + LEARNT * distance(logits, told, attention)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad(set_to_none=True)
        running += (loss.detach() - running) * 0.02
        if step % 500 == 0 or step == asked.steps:
            spent = round(time.monotonic() - began)
            log.append({"step": step, "loss": round(float(running), 5), "seconds": spent})
            print(log[-1], flush=True)
    return log


def hidden(ids: torch.Tensor, attention: torch.Tensor, share: float) -> torch.Tensor:
    """The pieces with a share of them unknown, so that names are read from what stands around."""
    if not share:
        return ids
    hit = (torch.rand(ids.shape, device=ids.device) < share) & attention.bool() & (ids > UNKNOWN)
    return torch.where(hit, UNKNOWN, ids)


def distance(logits: torch.Tensor, told: torch.Tensor, attention: torch.Tensor) -> torch.Tensor:
    """How far the model's answers are from its teacher's, over every label, a mean over pieces."""
    own = functional.log_softmax(logits.float() / SOFT, -1)
    other = functional.softmax(told.float() / SOFT, -1)
    each = functional.kl_div(own, other, reduction="none").sum(-1) * attention
    return each.sum() / attention.sum() * SOFT**2


if __name__ == "__main__":
    main()
