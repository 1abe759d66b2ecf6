"""The record table of a run: one row a record, checked as a whole against its pandera schema."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from pipeline.write import Outcome
from validators.frames import check_frame

if TYPE_CHECKING:
    import pandas as pd

STATUSES = ("train", "holdout", "quarantine", "dropped")


class Table:
    """Columns in flat arrays, so that a million records take some tens of megabytes."""

    def __init__(self) -> None:
        self._numbers = {name: array("q") for name in ("number", "file", "line", "turns", "characters", "tokens")}
        self._codes = {name: array("i") for name in ("format", "language", "status", "reason")}
        self._words: dict[str, dict[str, int]] = {name: {} for name in self._codes}

    def add(self, outcome: Outcome) -> None:
        """Append one record; -1 stands for unknown in the number columns."""
        entry = outcome.entry
        tokens = -1 if outcome.tokens is None else outcome.tokens
        line = -1 if entry.line is None else entry.line
        numbers = (entry.number, entry.file, line, entry.turns, entry.characters, tokens)
        for column, number in zip(self._numbers.values(), numbers, strict=True):
            column.append(number)
        words = (entry.format, entry.language, outcome.status, "; ".join(entry.reasons))
        for name, word in zip(self._codes, words, strict=True):
            known = self._words[name]
            self._codes[name].append(known.setdefault(word, len(known)))

    def frame(self) -> pd.DataFrame:
        """The table as pandas has it; words are categories, unknown numbers are missing."""
        import pandas as pd  # noqa: PLC0415  half a second that only a whole run pays

        columns: dict[str, object] = {n: pd.Series(c, dtype="int64") for n, c in self._numbers.items()}
        for name, codes in self._codes.items():
            columns[name] = pd.Categorical.from_codes(list(codes), categories=list(self._words[name]))
        table = pd.DataFrame(columns)
        for name in ("line", "tokens"):
            table[name] = table[name].astype("Int64").mask(table[name] < 0)
        return table

    def faults(self) -> list[tuple[str, int, str]]:
        """(gate, count, message) of what the schema of the set refuses; these always fail."""
        return [(fault.code, 1, fault.message) for fault in check_frame(self.frame())]
