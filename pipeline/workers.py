"""Run the scan in this process or over several; the order of entries is the input's."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TypeAlias

from pipeline.given import INSTEAD
from pipeline.reading import RawRecord, Unreadable
from pipeline.scan import scan_batch
from pipeline.scan_plan import Plan
from pipeline.spool import Entry
from scrubbers.detect import Detector, build

Item: TypeAlias = RawRecord | Unreadable
BATCH_RECORDS = 64
BATCH_CHARACTERS = 200_000


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Cut a stream by number and by length, so that one long record does not swell a batch."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.text) if isinstance(item, RawRecord) else 0
        if len(batch) >= BATCH_RECORDS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def scan_stream(
    items: Iterable[Item], files: dict[str, int], plan: Plan, workers: int
) -> Iterator[list[Entry]]:
    """Entries of each batch, in input order, for any number of workers."""
    if workers <= 1:
        detector = detector_of(plan)
        for batch in batches(items):
            yield scan_batch(batch, files, plan, detector)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _start, (plan, files)) as pool:
        yield from _in_order(pool, batches(items), workers)


def detector_of(plan: Plan) -> Detector | None:
    """The detector of a run; None where findings were given instead."""
    return None if plan.given == INSTEAD else build(plan.settings)


def _start(plan: Plan, files: dict[str, int]) -> None:
    global _STATE  # noqa: PLW0603  a worker process holds one detector for its whole life
    _STATE = (plan, files, detector_of(plan))


_STATE: tuple[Plan, dict[str, int], Detector | None] | None = None


def _scan(batch: Sequence[Item]) -> list[Entry]:
    if _STATE is None:
        raise RuntimeError("worker was not started")
    plan, files, detector = _STATE
    return scan_batch(batch, files, plan, detector)


def _in_order(
    pool: ProcessPoolExecutor, work: Iterator[list[Item]], workers: int
) -> Iterator[list[Entry]]:
    waiting: deque[Future[list[Entry]]] = deque()
    for batch in work:
        waiting.append(pool.submit(_scan, batch))
        if len(waiting) >= 2 * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
