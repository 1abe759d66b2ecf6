"""How much longer or shorter records became: in tokens, or in characters without a tokenizer."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Drift:
    """Lengths of the written records, and before and after of those that hold an edit."""

    whole: int = 0
    raw: int = 0
    written: int = 0
    ratios: array[float] = field(default_factory=lambda: array("d"))
    worst: dict[str, Any] = field(default_factory=dict)

    def add(self, raw: int, written: int, source: Mapping[str, Any] | None) -> None:
        """One record; `source` says where it came from, None where nothing was replaced in it."""
        self.whole += written
        if source is None or not raw:
            return
        self.raw += raw
        self.written += written
        ratio = written / raw
        self.ratios.append(ratio)
        if abs(ratio - 1) > abs(self.worst.get("ratio", 1) - 1):
            self.worst = {"ratio": round(ratio, 3), **source}

    @property
    def share(self) -> float:
        """By how much the whole set grew; below 0 where it shrank."""
        before = self.whole - self.written + self.raw
        return self.whole / before - 1 if before else 0.0

    def table(self, measure: str, limit: float) -> dict[str, Any] | None:
        """The figures of the report; None where nothing was replaced."""
        if not self.ratios:
            return None
        ordered = sorted(self.ratios)
        return {
            "measure": measure, "records": len(ordered), "set": round(self.share, 4), "limit": limit,
            "mean": round(sum(ordered) / len(ordered), 3),
            "p95": round(ordered[round((len(ordered) - 1) * 0.95)], 3), "worst": self.worst,
        }  # fmt: skip
