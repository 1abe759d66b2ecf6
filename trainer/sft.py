"""TRL's SFTTrainer over flat rows: the guides' steps and batches, without their padding.

A step holds the same records as the guides' padded batches and has the same mean loss over their
trained tokens; how they are spread over rows, and over devices, changes nothing in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.distributed as dist
from trl import SFTTrainer

from trainer.advice import advice
from trainer.flat import Row
from trainer.parts import Parts, row_loss


class RunStopped(Exception):
    """A run that cannot go on usefully: the loss is no number, or there is nothing to learn."""


class FlatTrainer(SFTTrainer):
    """Trains on rows of `trainer.flat`; evaluation is the holdout's loss per trained token."""

    model: Any

    def __init__(self, *args: Any, parts: Parts, holdout: Sequence[Row] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self.parts, self.holdout = parts, holdout
        self.tokens_seen = 0
        self._signal_seen = False

    def training_step(
        self, model: Any, inputs: dict[str, Any], num_items_in_batch: Any = None
    ) -> torch.Tensor:
        """Forward and backward of one step; returns its mean loss per trained token."""
        del num_items_in_batch
        model.train()
        rows: list[Row] = [row.to(self.args.device) for row in inputs["rows"]]
        counts = torch.tensor(
            [sum(row.trained for row in rows), sum(row.ids.numel() for row in rows)],
            device=self.args.device,
        )
        trained, tokens = (int(n) for n in _over_ranks(counts))
        if not trained:
            raise RunStopped(advice("no-signal"))
        lost = torch.zeros((), device=self.args.device)
        for row in rows:
            loss = row_loss(self.parts, row)
            self.accelerator.backward(loss / trained)
            lost += loss.detach()
        self._share_gradients()
        self.tokens_seen += tokens
        return self._checked(_over_ranks(lost) / trained)

    def _share_gradients(self) -> None:
        """Add up the gradients of all processes: the adapter's only, so few bytes.

        The forward pass goes to the body of the model and not through the wrapper that would do
        this, so that a row costs no logits.
        """
        if not _several():
            return
        for weight in self.parts_trained():
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
            dist.all_reduce(weight.grad)

    def parts_trained(self) -> list[torch.nn.Parameter]:
        """The weights that are trained."""
        return [p for p in self.model.parameters() if p.requires_grad]

    def _checked(self, mean: torch.Tensor) -> torch.Tensor:
        value = float(mean)
        if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 -- NaN
            raise RunStopped(advice("nan"))
        if not self._signal_seen:
            grads = [p.grad for p in self.parts_trained() if p.grad is not None]
            self._signal_seen = value != 0 and any(bool(grad.any()) for grad in grads)
            if not self._signal_seen:
                raise RunStopped(advice("no-signal"))
        return mean

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Mean loss per trained token of the holdout, over all processes."""
        metrics = {"eval_loss": self.holdout_loss()}
        self.log(dict(metrics))
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics

    @torch.no_grad()
    def holdout_loss(self) -> float:
        """Token-weighted; the rows are shared out over the processes."""
        self.model.eval()
        lost = torch.zeros(2, device=self.args.device, dtype=torch.float64)
        for row in self.holdout[self.args.process_index :: self.args.world_size]:
            moved = row.to(self.args.device)
            lost += torch.stack([row_loss(self.parts, moved), moved.labels.new_tensor(row.trained)])
        self.model.train()
        total, count = (float(n) for n in _over_ranks(lost))
        return total / count if count else float("nan")

    def floating_point_ops(self, _: Any) -> int:
        """Not counted: the library would look for padded tensors."""
        return 0

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """None is written: it would name paths, and ask a hub for the base's licence."""


def _several() -> bool:
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1


def _over_ranks(tensor: torch.Tensor) -> torch.Tensor:
    if _several():
        dist.all_reduce(tensor)
    return tensor
