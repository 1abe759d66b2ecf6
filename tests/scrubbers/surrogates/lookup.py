"""A lookup like the pipeline's: a unit's digest, the settled counter, the candidate."""

from __future__ import annotations

from collections.abc import Mapping

from scrubbers.keys import digest, subkey
from scrubbers.surrogates.draw import draw, surrogate_unit
from scrubbers.surrogates.normal import Unit, units
from scrubbers.surrogates.unit import ALONE, Context
from scrubbers.surrogates.write import write

KEY = subkey(b"a secret of the tests, 32 bytes.", "surrogates", "tests")


def unit_digest(unit: Unit) -> bytes:
    return digest(KEY, unit.family, unit.norm)


class Lookup:
    def __init__(self, counters: Mapping[bytes, int] | None = None) -> None:
        self.counters = counters or {}

    def __call__(self, unit: Unit) -> str:
        key = unit_digest(unit)
        return draw(unit.space, key, self.counters.get(key, 0))


LOOKUP = Lookup()


def surrogate(entity: str, text: str, context: Context = ALONE, *, valid: bool = False) -> str:
    return write(entity, text, context, LOOKUP, valid=valid)


def looked_up(entity: str, text: str) -> list[tuple[str, str]]:
    return [(surrogate_unit(unit.space, "").family, LOOKUP(unit)) for unit in units(entity, text)]


def read_back(entity: str, text: str) -> list[tuple[str, str]]:
    return [(surrogate_unit(u.space, u.norm).family, u.norm) for u in units(entity, text)]
