"""Loss and perplexity on the trained-on tokens: logits are made for these positions only."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.labels import IGNORED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from trainer.labels import Example

CHUNK = 512  # positions whose logits are made 32 bits wide at a time
NO_ROOM = (
    "out of memory with one record at a time. Lower `--max-new-tokens`, free the card of other "
    "processes, or take one with more memory."
)


class MemoryShort(Exception):
    """Not even a single record fits into memory. The message says what to change."""


@dataclass(frozen=True, slots=True)
class Loss:
    """`nll`: sum of negative log probabilities, in nats, over `tokens` trained-on tokens."""

    nll: float
    tokens: int

    @property
    def mean(self) -> float:
        """Nats per token; not a number without tokens."""
        return self.nll / self.tokens if self.tokens else math.nan

    @property
    def perplexity(self) -> float:
        """The exponential of the mean; infinite where that is beyond a float."""
        return math.exp(self.mean) if self.mean < 700 else math.inf


def together(parts: Sequence[Loss]) -> Loss:
    """Add losses up: long answers count as much as they have tokens."""
    return Loss(math.fsum(part.nll for part in parts), sum(part.tokens for part in parts))


def losses(
    model: Any,
    examples: Sequence[Example],
    *,
    budget: int = 4096,
    advance: Callable[[int], None] | None = None,
) -> list[Loss]:
    """Measure each example, in their order; a batch has at most `budget` tokens with its padding.

    A first token has nothing before it and is not counted, whatever its label. Raises MemoryShort.
    """
    found: list[Loss] = [Loss(0.0, 0)] * len(examples)
    model.eval()

    def measure(rows: Sequence[int]) -> None:
        for row, loss in zip(rows, _batch(model, [examples[row] for row in rows]), strict=True):
            found[row] = loss
        if advance:
            advance(len(rows))

    for rows in batches([len(example.ids) for example in examples], budget):
        run_or_halve(rows, measure)
    return found


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Group the indices of rows, longest first: rows times longest stays within `budget`.

    A row that is longer than the budget stands alone. Longest first, so that what does not fit
    into memory shows at once.
    """
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (-lengths[row], row)):
        if batch and (len(batch) + 1) * lengths[batch[0]] > budget:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def run_or_halve(rows: Sequence[int], run: Callable[[Sequence[int]], None]) -> None:
    """Run over `rows`, in halves where memory does not suffice. Raises MemoryShort for a single row."""
    if _fits(rows, run):
        return
    if len(rows) == 1:
        raise MemoryShort(NO_ROOM)
    middle = len(rows) // 2
    run_or_halve(rows[:middle], run)
    run_or_halve(rows[middle:], run)


def _fits(rows: Sequence[int], run: Callable[[Sequence[int]], None]) -> bool:
    import torch  # noqa: PLC0415 -- dear to import

    try:
        run(rows)
    except (RuntimeError, MemoryError) as error:
        # On a CPU it is a plain RuntimeError, known by the allocator's name.
        known = isinstance(error, torch.OutOfMemoryError | MemoryError)
        if not known and "DefaultCPUAllocator" not in str(error):
            raise
    else:
        return True
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return False


def _batch(model: Any, examples: Sequence[Example]) -> list[Loss]:
    """Losses of a few examples, padded on the right: a causal model never looks there."""
    import torch  # noqa: PLC0415 -- dear to import

    longest = max(len(example.ids) for example in examples)
    ids = torch.zeros(len(examples), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    wanted = torch.full_like(ids, IGNORED)  # [row, position]: the token that follows it
    for row, example in enumerate(examples):
        length = len(example.ids)
        ids[row, :length] = torch.tensor(list(example.ids))
        mask[row, :length] = 1
        wanted[row, : length - 1] = torch.tensor(list(example.labels[1:]), dtype=torch.long)
    keep = (wanted != IGNORED).any(dim=0).nonzero().flatten()
    if not len(keep):
        return [Loss(0.0, 0)] * len(examples)
    with torch.no_grad():
        logits = _logits(model, ids.to(model.device), mask.to(model.device), keep)
        sums = _sums(logits, wanted[:, keep].to(logits.device))
    counts = (wanted != IGNORED).sum(dim=1).tolist()
    return [Loss(nll, count) for nll, count in zip(sums, counts, strict=True)]


def _logits(model: Any, ids: Any, mask: Any, keep: Any) -> Any:
    """Logits [row, kept position, token]."""
    keep = keep.to(ids.device)
    inner = model.get_base_model() if hasattr(model, "get_base_model") else model
    if "logits_to_keep" in inspect.signature(inner.forward).parameters:
        more = {"logits_to_keep": keep, "use_cache": False}
        return model(input_ids=ids, attention_mask=mask, **more).logits
    return model(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, keep.cpu()]


def _sums(logits: Any, wanted: Any) -> list[float]:
    """Sum -log p(wanted) of each row, in 32 bits for a token and in 64 for the sum."""
    import torch  # noqa: PLC0415 -- dear to import

    sums = torch.zeros(len(wanted), dtype=torch.float64)
    rows, places = (wanted != IGNORED).nonzero(as_tuple=True)
    for start in range(0, len(rows), CHUNK):
        row, place = rows[start : start + CHUNK], places[start : start + CHUNK]
        nll = torch.nn.functional.cross_entropy(
            logits[row, place].float(), wanted[row, place], reduction="none"
        )
        sums.index_add_(0, row.cpu(), nll.double().cpu())
    return [float(total) for total in sums]
