"""How far an answer agrees with the expected one: as text, as JSON, field by field."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest
from statistics import NormalDist
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from validators.answers import check_answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

EQUAL, DIFFERENT, MISSING, EXTRA = "equal", "different", "missing", "extra"
OUTCOMES = (EQUAL, DIFFERENT, MISSING, EXTRA)
_FENCED = re.compile(r"\A\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_$][\w$-]{0,60}\Z")
# 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom (any table of the distribution).
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
_Z = NormalDist().inv_cdf(0.975)
_NOT_JSON = object()


@dataclass(frozen=True, slots=True)
class Agreement:
    """One answer beside the expected one. None: does not apply to this record.

    `json` and `fields` apply where the expected answer is a JSON object or array, `schema` where
    the contract has an answer schema. `fields`: (path, outcome) of every single value; of an answer
    that is no JSON all are missing. `fenced`: JSON inside a code fence, which production wants off.
    """

    exact: bool
    json: bool | None
    schema: bool | None
    fields: tuple[tuple[str, str], ...] | None
    fenced: bool


@dataclass(frozen=True, slots=True)
class Interval:
    """A difference, tuned minus base, with its 95 % interval (None: too few to give one)."""

    value: float
    low: float | None
    high: float | None

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def agree(expected: str, answer: str, schema: Mapping[str, Any] | None = None) -> Agreement:
    """Hold an answer against the expected one; outer white space does not count.

    Both are compared in Unicode's NFC form: some tokenizers compose letters and accents (Qwen's),
    so that no model of theirs can write a record's separate ones. Raises ContractError for an unusable schema.
    """
    wanted, given = _composed(parsed(expected)), _composed(parsed(answer))
    expected, composed = (normalize("NFC", text) for text in (expected, answer))
    is_json = isinstance(wanted, dict | list)
    fence = _FENCED.match(answer)
    return Agreement(
        exact=expected.strip() == composed.strip(),
        json=isinstance(given, dict | list) if is_json else None,
        schema=not check_answer(answer.strip(), "answer", schema) if schema is not None else None,
        fields=tuple(compared(wanted, given)) if is_json else None,
        fenced=fence is not None and parsed(fence[1]) is not _NOT_JSON,
    )


def parsed(text: str) -> object:
    """Read strict JSON, numbers as decimals; `_NOT_JSON` for anything else, `NaN` included."""
    try:
        return json.loads(
            text.strip(), parse_int=Decimal, parse_float=Decimal, parse_constant=_refuse
        )
    except (ValueError, RecursionError, ArithmeticError):
        return _NOT_JSON


def _composed(value: object) -> object:
    """The value in NFC, escaped letters too; keys that would fall together stay as they are."""
    if isinstance(value, str):
        return normalize("NFC", value)
    if isinstance(value, list):
        return [_composed(part) for part in value]
    if isinstance(value, dict):
        keys = [normalize("NFC", key) for key in value]
        keys = keys if len(set(keys)) == len(keys) else [*value]
        return dict(zip(keys, map(_composed, value.values()), strict=True))
    return value


def _refuse(name: str) -> object:
    raise ValueError(name)


def compared(wanted: object, given: object, path: str = "$") -> Iterator[tuple[str, str]]:
    """List (path, outcome) of every field that either side has, down to its single values.

    A path names all elements of an array alike (`$.items[].price`); elements are held against those
    at the same place. Numbers are equal by value, an empty object or array is a value. Where kinds
    differ, what was wanted inside is missing and what is given is extra. Whatever is given, so many
    outcomes are not `extra` as there are wanted values.
    """
    if isinstance(wanted, dict) and isinstance(given, dict) and (wanted or given):
        yield from _unwanted(wanted, path)
        for key in [*wanted, *(key for key in given if key not in wanted)]:
            inner = path + step(key)
            yield from compared(wanted.get(key, _NOT_JSON), given.get(key, _NOT_JSON), inner)
    elif isinstance(wanted, list) and isinstance(given, list) and (wanted or given):
        yield from _unwanted(wanted, path)
        for one, other in zip_longest(wanted, given, fillvalue=_NOT_JSON):
            yield from compared(one, other, f"{path}[]")
    elif _single(wanted) and _single(given):
        yield path, EQUAL if _same(wanted, given) else DIFFERENT
    else:
        yield from ((place, MISSING) for place in _singles(wanted, path))
        yield from ((place, EXTRA) for place in _singles(given, path))


def _unwanted(wanted: dict[str, Any] | list[Any], path: str) -> Iterator[tuple[str, str]]:
    if not wanted:  # and the other side is filled
        yield path, DIFFERENT


def step(key: str) -> str:
    """Write one key of a path: `.name`, or quoted where it is no plain word."""
    return f".{key}" if _WORD.match(key) else f"[{json.dumps(key, ensure_ascii=False)}]"


def _single(value: object) -> bool:
    return value is not _NOT_JSON and not (isinstance(value, dict | list) and value)


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _singles(value: object, path: str) -> Iterator[str]:
    """List the paths of the single values in a value; none for a value that is not there."""
    if value is _NOT_JSON:
        return
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _singles(part, path + step(key))
    elif isinstance(value, list) and value:
        for part in value:
            yield from _singles(part, f"{path}[]")
    else:
        yield path


def difference_of_shares(base: Sequence[bool], tuned: Sequence[bool]) -> Interval | None:
    """Paired difference of two shares: Agresti and Min's adjusted Wald interval, 2005.

    Half a record is added to each of the four cells, which keeps it honest for small sets.
    """
    count = len(base)
    if not count:
        return None
    gained = sum(not b and t for b, t in zip(base, tuned, strict=True))
    lost = sum(b and not t for b, t in zip(base, tuned, strict=True))
    up, down, whole = gained + 0.5, lost + 0.5, count + 2
    middle = (up - down) / whole
    half = _Z * math.sqrt(up + down - (up - down) ** 2 / whole) / whole
    return Interval((gained - lost) / count, max(-1.0, middle - half), min(1.0, middle + half))


def difference_of_means(
    base: Sequence[float], tuned: Sequence[float], weights: Sequence[float]
) -> Interval | None:
    """Paired difference of weighted means, from sums: (sum tuned - sum base) / sum of weights.

    Each entry belongs to one record; its weight is its number of tokens, or 1. The interval is the
    ratio estimator's (Cochran 1977, 6.4) with Student's t; None for a single record.
    """
    total, count = math.fsum(weights), len(weights)
    if not total:
        return None
    gaps = [t - b for b, t in zip(base, tuned, strict=True)]
    value = math.fsum(gaps) / total
    if count < 2:
        return Interval(value, None, None)
    squares = math.fsum((g - value * w) ** 2 for g, w in zip(gaps, weights, strict=True))
    error = math.sqrt(squares * count / (count - 1)) / total
    half = error * (_T[count - 2] if count - 2 < len(_T) else _Z)
    return Interval(value, value - half, value + half)
