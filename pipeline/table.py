"""The record table of a run: one row a record, checked as a whole against its pandera schema."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipeline.write import Outcome
from validators.frames import SHIPPED, STATUSES, check_frame

if TYPE_CHECKING:
    import pandas as pd

NUMBERS = ("number", "line", "turns", "characters", "tokens")
WORDS = ("file", "format", "language", "status", "reason")
UNKNOWN = -1


class Table:
    """Columns in flat arrays, so that a million records take some tens of megabytes."""

    def __init__(self) -> None:
        self._numbers = {name: array("q") for name in NUMBERS}
        self._codes = {name: array("i") for name in WORDS}
        self._words: dict[str, dict[str, int]] = {name: {} for name in WORDS}

    def add(self, outcome: Outcome) -> None:
        """Append one record."""
        entry = outcome.entry
        numbers = (entry.number, entry.line, entry.turns, entry.characters, outcome.tokens)
        for column, number in zip(self._numbers.values(), numbers, strict=True):
            column.append(UNKNOWN if number is None else number)
        shipped = outcome.status in SHIPPED
        reason = "" if shipped else "; ".join(entry.reasons) or outcome.status
        words = (str(entry.file), entry.format, entry.language, outcome.status, reason)
        for name, word in zip(WORDS, words, strict=True):
            known = self._words[name]
            self._codes[name].append(known.setdefault(word, len(known)) if word else UNKNOWN)

    def frame(self) -> pd.DataFrame:
        """The table as `validators.frames` describes it; unknown values are missing."""
        import pandas as pd  # noqa: PLC0415  half a second that only a whole run pays

        columns: dict[str, Any] = {
            name: pd.Categorical([*map(self._lookup(name), codes)], self._categories(name))
            for name, codes in self._codes.items()
        }
        for name, numbers in self._numbers.items():
            column = pd.Series(numbers, dtype="int64")
            columns[name] = column.astype("Int64").mask(column == UNKNOWN)
        columns["answer"] = pd.Series([pd.NA] * len(self), dtype="Int64")
        table = pd.DataFrame(columns)
        return table.astype({"number": "int64", "characters": "int64", "turns": "Int32"})

    def _lookup(self, name: str) -> Callable[[int], str | None]:
        words = [*self._words[name], None]  # the last one, at -1, is the unknown
        return words.__getitem__

    def _categories(self, name: str) -> list[str]:
        return list(STATUSES) if name == "status" else list(self._words[name])

    def __len__(self) -> int:
        return len(self._numbers["number"])

    def faults(self, records: int) -> list[tuple[str, int, str]]:
        """(gate, count, message) of what the set's schema refuses; these always fail."""
        return [(f.code, 1, f.message) for f in check_frame(self.frame(), records=records)]
