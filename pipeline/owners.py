"""Mailboxes and user names that have their owner beside them in one record and not in another."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from pipeline.known import Known, first_bits
from pipeline.spool import Entry, Mark

# What is read through the names of its record: `a.reyes@` beside Ana Reyes is hers.
OWNED = frozenset({"EMAIL_ADDRESS", "USERNAME"})


@dataclass
class Owned:
    """Keyed hashes of such values, and of the units that each was read as; 16 bytes a mention."""

    values: array[int] = field(default_factory=lambda: array("Q"))
    readings: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, entry: Entry) -> None:
        """Take the mailboxes and user names of a record."""
        for mark in entry.marks:
            if mark.acted and mark.type in OWNED:
                self.values.append(first_bits(mark.value))
                self.readings.append(_reading(entry, mark))

    def apart(self) -> Known:
        """The values that were read in more than one way: in all records they are read alone."""
        if not self.values:
            return Known()
        both = np.stack(
            [np.frombuffer(self.values, np.uint64), np.frombuffer(self.readings, np.uint64)]
        )
        values, counts = np.unique(np.unique(both, axis=1)[0], return_counts=True)
        return Known(values[counts > 1].tolist())


def _reading(entry: Entry, mark: Mark) -> int:
    parts = "".join(entry.units[number][1] for number in mark.units)
    return int.from_bytes(blake2b(parts.encode(), digest_size=8).digest(), "big")


def alone(entry: Entry, apart: Known) -> frozenset[int]:
    """Which of the record's replaced findings are read without their owner, by their number."""
    if not len(apart):
        return frozenset()
    acted = [mark for mark in entry.marks if mark.acted]
    return frozenset(n for n, m in enumerate(acted) if m.type in OWNED and m.value in apart)
