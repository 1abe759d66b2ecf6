"""Surrogates without collisions over the whole set, from keyed digests alone.

Every unit's first candidate is its surrogate unless that is another unit's, or stands in the set
as an original; then it is drawn again. The result depends on the set of units, never on their
order: in each round, of those that want the same surrogate, the lowest digest gets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scrubbers.surrogates.draw import capacity, draw, surrogate_unit
from scrubbers.surrogates.unit import Unit

Digests = NDArray[np.uint64]
STRICT_TRIES = 64  # as long as this no surrogate equals any original of its family
ROUNDS = 40
FEW = 500  # so many units are not worth a round over arrays
ATTEMPTS = 20
STRIDE = 1 << 32  # counters of a further attempt start here
MIX = np.uint64(0x9E3779B97F4A7C15)
TUPLE_ROUNDS = 50
GIVEN = "name:given"


class SettleError(RuntimeError):
    """No set of different surrogates was found. Says which family, never which value."""


@dataclass(slots=True)
class Table:
    """Units sorted by digest, and what each has got so far (arrays of equal length)."""

    high: Digests
    low: Digests
    spaces: Sequence[str]
    place: NDArray[np.int64]  # where each unit stands in `spaces`
    counter: NDArray[np.int64]
    surrogate: Digests  # the first 8 bytes of the surrogate's own unit digest
    unit_digest: Callable[[Unit], bytes]
    taken: Digests
    late: set[int] = field(default_factory=set)  # taken since `taken` was last sorted
    sizes: dict[str, int] = field(default_factory=dict)  # units in each space

    def space(self, index: int) -> str:
        """The space of a unit."""
        return self.spaces[int(self.place[index])]

    def key(self, index: int) -> bytes:
        """The digest of a unit."""
        return int(self.high[index]).to_bytes(8, "big") + int(self.low[index]).to_bytes(8, "big")


def settle(
    spaces: Sequence[str],
    digests: bytes | Sequence[bytes] | Digests,
    full_names: Iterable[tuple[bytes, ...]],
    unit_digest: Callable[[Unit], bytes],
    starts: Mapping[bytes, int] | None = None,
) -> dict[bytes, int]:
    """Digest of a unit (16 bytes) -> counter of its surrogate, only where that is above 0.

    `spaces[i]` belongs to `digests[i]` (a sequence of 16 bytes each, those joined, or an array of
    n x 2 uint64); a unit may be listed twice. `full_names` are the digests of the units of each
    name with two or more components. `unit_digest` must depend on `Unit.family` and `Unit.norm`
    only. `starts` are counters from `first_counter` that are above 0. Raises SettleError.
    """
    table = build(spaces, digests, unit_digest)
    starting = set_starts(table, starts or {})
    pending = rounds(table, starting)
    stuck = [index for index in pending if not settle_one(table, int(index), 0)]
    for name in sorted({table.space(index) for index in stuck}):
        settle_again(table, name)
    settle_tuples(table, full_names)
    moved = np.flatnonzero(table.counter)
    return {table.key(int(index)): int(table.counter[index]) for index in moved}


def build(
    spaces: Sequence[str], digests: bytes | Sequence[bytes] | Digests,
    unit_digest: Callable[[Unit], bytes],
) -> Table:  # fmt: skip
    """The sorted table, duplicates dropped."""
    pairs = as_pairs(digests)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    ranked = pairs[order]
    fresh = np.ones(len(ranked), dtype=bool)
    fresh[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    high, low = np.ascontiguousarray(ranked[fresh, 0]), np.ascontiguousarray(ranked[fresh, 1])
    place = order[fresh].astype(np.int64)
    sizes: dict[str, int] = {}
    for index in place:
        sizes[spaces[index]] = sizes.get(spaces[index], 0) + 1
    empty = np.zeros(len(high), dtype=np.uint64)
    return Table(high, low, spaces, place, np.zeros(len(high), dtype=np.int64), empty,
                 unit_digest, np.empty(0, dtype=np.uint64), sizes=sizes)  # fmt: skip


def as_pairs(digests: bytes | Sequence[bytes] | Digests) -> Digests:
    """Digests as n x 2 uint64, big-endian halves."""
    if isinstance(digests, np.ndarray):
        return digests.reshape(-1, 2)
    joined = digests if isinstance(digests, bytes) else b"".join(digests)
    return np.frombuffer(joined, dtype=">u8").astype(np.uint64).reshape(-1, 2)


def set_starts(table: Table, starts: Mapping[bytes, int]) -> NDArray[np.int64]:
    """Counters that do not start at 0; returns all indices."""
    for key, counter in starts.items():
        index = find(table, np.frombuffer(key, dtype=">u8").astype(np.uint64).reshape(1, 2))[0]
        if index >= 0:
            table.counter[index] = counter
    return np.arange(len(table.high))


def find(table: Table, pairs: Digests) -> NDArray[np.int64]:
    """Indices of digests in the table, -1 for those that are not there."""
    index = np.searchsorted(table.high, pairs[:, 0])
    index = np.minimum(index, max(len(table.high) - 1, 0))
    if not len(table.high):
        return np.full(len(pairs), -1)
    same = (table.high[index] == pairs[:, 0]) & (table.low[index] == pairs[:, 1])
    return np.where(same, index, -1)


# --- many at once ---------------------------------------------------------------------------


def rounds(table: Table, pending: NDArray[np.int64]) -> NDArray[np.int64]:
    """All units draw at once, the losers again; returns those that are left."""
    for _ in range(ROUNDS):
        if len(pending) <= FEW:
            break
        drawn = np.fromiter((candidate(table, int(i)) for i in pending), np.uint64, len(pending))
        good = drawn != table.high[pending]
        good &= free_of_originals(table, pending, drawn) & ~contains(table.taken, drawn)
        keep = np.flatnonzero(good)
        _, first = np.unique(drawn[keep], return_index=True)
        winners = keep[first]
        table.surrogate[pending[winners]] = drawn[winners]
        table.taken = np.sort(np.concatenate((table.taken, drawn[winners])))
        lost = np.ones(len(pending), dtype=bool)
        lost[winners] = False
        pending = pending[lost]
        table.counter[pending] += 1
    return pending


def candidate(table: Table, index: int) -> int:
    """The first 8 bytes of the digest of a unit's present candidate."""
    space = table.space(index)
    norm = draw(space, table.key(index), int(table.counter[index]))
    return int.from_bytes(table.unit_digest(surrogate_unit(space, norm))[:8], "big")


def free_of_originals(
    table: Table, pending: NDArray[np.int64], drawn: Digests
) -> NDArray[np.bool_]:
    """Whether each candidate is no original, where that is asked of its space."""
    asked = np.fromiter((is_strict(table, int(i)) for i in pending), bool, len(pending))
    return ~asked | ~contains(table.high, drawn)


def contains(ranked: Digests, wanted: Digests) -> NDArray[np.bool_]:
    """Which of `wanted` stand in a sorted array."""
    if not len(ranked):
        return np.zeros(len(wanted), dtype=bool)
    index = np.minimum(np.searchsorted(ranked, wanted), len(ranked) - 1)
    found: NDArray[np.bool_] = ranked[index] == wanted
    return found


def is_strict(table: Table, index: int) -> bool:
    """Single given names may be someone's; so may values of a space that the set half fills."""
    space = table.space(index)
    return not space.startswith(GIVEN) and 2 * table.sizes[space] <= capacity_of(space)


_capacities: dict[str, int] = {}


def capacity_of(space: str) -> int:
    """`capacity`, remembered."""
    if space not in _capacities:
        if len(_capacities) > 1 << 16:
            _capacities.clear()
        _capacities[space] = capacity(space)
    return _capacities[space]


# --- one by one -----------------------------------------------------------------------------


def settle_one(table: Table, index: int, start: int, ignored: frozenset[int] = frozenset()) -> bool:
    """Draws until a candidate is free; False when the tries are used up.

    `ignored` are surrogates that count as free although they are taken.
    """
    space, own = table.space(index), int(table.high[index])
    strict = is_strict(table, index)
    table.counter[index] = max(int(table.counter[index]), start)
    for tries in range(max(2000, min(60 * capacity_of(space), 2_000_000))):
        drawn = candidate(table, index)
        wanted = np.array([drawn], dtype=np.uint64)
        taken = drawn in table.late or bool(contains(table.taken, wanted)[0])
        original = strict and tries < STRICT_TRIES and bool(contains(table.high, wanted)[0])
        if drawn != own and not original and (not taken or drawn in ignored):
            table.surrogate[index] = drawn
            table.late.add(drawn)
            return True
        table.counter[index] += 1
    return False


def settle_again(table: Table, space: str) -> None:
    """A small space where the last unit found only itself left: all its units draw anew."""
    members = [i for i in range(len(table.high)) if table.space(i) == space]
    for attempt in range(1, ATTEMPTS + 1):
        mine = {int(table.surrogate[index]) for index in members}
        table.late -= mine
        if try_again(table, members, attempt * STRIDE, mine):
            return
    family = space.partition(":")[0]
    raise SettleError(
        f"no set of different surrogates for {table.sizes[space]} values of family {family}: "
        "keep this type or give the data set in parts"
    )


def try_again(table: Table, members: list[int], start: int, mine: set[int]) -> bool:
    """One attempt over a space whose old surrogates are free again."""
    open_ones = set(mine)
    for index in members:
        table.counter[index] = start
        if not settle_one(table, index, start, frozenset(open_ones)):
            return False
        open_ones.discard(int(table.surrogate[index]))
    return True


# --- full names -----------------------------------------------------------------------------


def settle_tuples(table: Table, full_names: Iterable[tuple[bytes, ...]]) -> None:
    """No full name's surrogates are, in order, another one of the set, nor parts of that name."""
    members = [name_rows(table, names) for names in by_length(full_names)]
    originals = [np.sort(combine(table.high[rows])) for rows in members]
    for _ in range(TUPLE_ROUNDS):
        bumped: set[int] = set()
        for rows, known in zip(members, originals, strict=True):
            clash = contains(known, combine(table.surrogate[rows]))
            bumped.update(int(row[-1]) for row in rows[clash])
            bumped.update(parts_of_itself(table, rows))
        if not bumped:
            return
        for index in sorted(bumped):
            if not settle_one(table, index, int(table.counter[index]) + 1):
                raise SettleError("full names of the set cannot be avoided: give it in parts")
    raise SettleError("full names of the set cannot be avoided: give it in parts")


def parts_of_itself(table: Table, rows: NDArray[np.int64]) -> list[int]:
    """Given names whose surrogate is another component of the same name: Thomas for Martin Thomas.

    Of all others no surrogate is any original, or they are few (`is_strict`).
    """
    same = table.surrogate[rows][:, :, None] == table.high[rows][:, None, :]
    found = np.unique(rows[same.any(axis=2)])
    return [int(index) for index in found if table.space(int(index)).startswith(GIVEN)]


def by_length(full_names: Iterable[tuple[bytes, ...]]) -> list[Digests]:
    """The names of two components, of three ..., each as names x components x 2 uint64."""
    joined: dict[int, bytearray] = {}
    for name in full_names:
        if len(name) > 1:
            joined.setdefault(len(name), bytearray()).extend(b"".join(name))
    return [
        np.frombuffer(bytes(joined[size]), dtype=">u8").astype(np.uint64).reshape(-1, size, 2)
        for size in sorted(joined)
    ]


def name_rows(table: Table, names: Digests) -> NDArray[np.int64]:
    """Indices into the table, names x components, those with an unknown component dropped."""
    size = names.shape[1]
    rows = find(table, names.reshape(-1, 2)).reshape(-1, size)
    return np.unique(rows[(rows >= 0).all(axis=1)], axis=0)


def combine(columns: Digests) -> Digests:
    """One number for each row of 8-byte digests; the order counts."""
    total = np.zeros(len(columns), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for column in columns.T:
            total = (total ^ column) * MIX
            total ^= total >> np.uint64(29)
    return total
