"""TRL's SFTTrainer over flat rows: the guides' steps and batches, without their padding.

A step holds the same records as the guides' padded batches and has the same mean loss over their
trained tokens; how they are spread over rows, and over devices, changes nothing in it. What flat
rows are not proven for trains over the library's padded batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler
from trl import SFTTrainer

from trainer.advice import advice
from trainer.flat import Row
from trainer.guard import RunStopped
from trainer.labels import Example
from trainer.losses import losses, together
from trainer.parts import Parts, row_loss


class OwnTrainer(SFTTrainer):
    """What both layouts share: a holdout loss per trained token, no file beside a checkpoint."""

    model: Any

    @property
    def tokens(self) -> int:
        """Tokens of the records trained on so far, over all processes, without padding."""
        return int(self._total_train_tokens)

    @tokens.setter
    def tokens(self, count: int) -> None:
        self._total_train_tokens = count

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Mean loss per trained token of the holdout, over all processes."""
        metrics = {"eval_loss": self.holdout_loss()}
        self.log(dict(metrics))
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics

    def holdout_loss(self) -> float:
        """Token-weighted."""
        raise NotImplementedError

    def _load_from_checkpoint(self, *given: Any, **named: Any) -> None:
        with self._same_types():
            super()._load_from_checkpoint(*given, **named)

    def _load_best_model(self) -> None:
        with self._same_types():
            super()._load_best_model()

    @contextmanager
    def _same_types(self) -> Iterator[None]:
        """Keep the adapter in the type in which it is trained: PEFT loads it anew in float32."""
        kinds = {name: weight.dtype for name, weight in self.model.named_parameters()}
        yield
        for name, weight in self.model.named_parameters():
            if weight.dtype != kinds[name]:
                weight.data = weight.data.to(kinds[name])

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """None is written: it would name paths, and ask a hub for the base's licence."""


class PaddedTrainer(OwnTrainer):
    """Trains on the library's padded batches."""

    def __init__(self, *args: Any, held: Sequence[Example], **more: Any) -> None:
        super().__init__(*args, **more)
        self.held = held

    def holdout_loss(self) -> float:
        """Each process measures all: few records, and no padding to agree on."""
        found = together(losses(self.model, self.held))
        self.model.train()
        return found.mean


class FlatTrainer(OwnTrainer):
    """Trains on rows of `trainer.flat`. Each process lays out a whole step and takes its rows."""

    def __init__(self, *args: Any, parts: Parts, holdout: Sequence[Row] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self.parts, self.holdout = parts, holdout

    def get_train_dataloader(self) -> DataLoader[Any]:
        """Give whole steps, in an order that seed and epoch alone decide.

        The library's own would deal the records out to the processes, and repeat some to fill the
        last step.
        """
        data: Any = self.train_dataset
        return DataLoader(
            data, batch_size=self.args.per_device_train_batch_size, collate_fn=self.data_collator,
            sampler=_Order(len(data), self),
        )  # fmt: skip

    def training_step(
        self, model: Any, inputs: dict[str, Any], num_items_in_batch: Any = None
    ) -> torch.Tensor:
        """Forward and backward of one step; returns its mean loss per trained token."""
        del num_items_in_batch
        model.train()
        rows: list[Row] = [row.to(self.args.device) for row in inputs["rows"]]
        trained, tokens = inputs["trained"], inputs["tokens"]
        if not trained:
            raise RunStopped(advice("no-signal"))
        lost = torch.zeros((), device=self.args.device)
        for row in rows:
            loss = row_loss(self.parts, row)
            self.accelerator.backward(loss / trained)
            lost += loss.detach()
        self._share_gradients()
        self.tokens += tokens
        mean: torch.Tensor = _over_ranks(lost) / trained
        return mean

    def _share_gradients(self) -> None:
        """Add up the gradients of all processes: the adapter's only, so few bytes.

        The forward pass goes to the body of the model and not through the wrapper that would do
        this, so that a row costs no logits.
        """
        if not _several():
            return
        for weight in self.model.parameters():
            if not weight.requires_grad:
                continue
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
            dist.all_reduce(weight.grad)

    @torch.no_grad()
    def holdout_loss(self) -> float:
        """The rows are shared out over the processes."""
        self.model.eval()
        lost = torch.zeros(2, device=self.args.device, dtype=torch.float64)
        for row in self.holdout[self.args.process_index :: self.args.world_size]:
            loss = row_loss(self.parts, row.to(self.args.device))
            lost += torch.stack([loss.double(), loss.new_tensor(row.trained).double()])
        self.model.train()
        total, count = (float(n) for n in _over_ranks(lost))
        return total / count if count else float("nan")

    def floating_point_ops(self, _: Any) -> int:
        """Not counted: the library would look for padded tensors."""
        return 0


class _Order(Sampler[int]):
    """The records of an epoch, shuffled by the seed and the epoch that the trainer is in."""

    def __init__(self, count: int, trainer: FlatTrainer) -> None:
        self.count, self.trainer = count, trainer

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[int]:
        args = self.trainer.args
        steps = -(-self.count // args.per_device_train_batch_size)
        epoch = self.trainer.state.global_step // steps
        draw = torch.Generator().manual_seed(args.seed + epoch)
        yield from torch.randperm(self.count, generator=draw).tolist()


def _several() -> bool:
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1


def _over_ranks(tensor: torch.Tensor) -> torch.Tensor:
    if _several():
        dist.all_reduce(tensor)
    return tensor
