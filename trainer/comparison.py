"""What the answers of a model come to, and how far those of base and tuned model differ."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.agreement import (
    EQUAL,
    EXTRA,
    OUTCOMES,
    Agreement,
    Interval,
    agree,
    difference_of_means,
    difference_of_shares,
)
from trainer.losses import Loss, together

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trainer.generate import Answer, Question
    from trainer.labels import Example

SHARES = ("exact", "json", "schema")  # what an answer meets or not, where it applies
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Side:
    """One model on the holdout. `losses`: by record; the others: one for each question."""

    losses: dict[int, Loss]
    answers: list[Answer]
    agreements: list[Agreement]


def side(
    examples: Sequence[Example],
    losses: Sequence[Loss],
    questions: Sequence[Question],
    answers: Sequence[Answer],
    schema: Mapping[str, Any] | None = None,
) -> Side:
    """Put together what was measured of one model. Raises ContractError as `agree` does."""
    by_record: dict[int, list[Loss]] = defaultdict(list)
    for example, loss in zip(examples, losses, strict=True):
        by_record[example.record].append(loss)
    held = zip(questions, answers, strict=True)
    return Side(
        {record: together(parts) for record, parts in by_record.items()},
        list(answers),
        [agree(question.expected, answer.text, schema) for question, answer in held],
    )


def summary(one: Side) -> Body:
    """Count one model's answers: `{count, of, share}` for each share, None where none applies."""
    whole = together(list(one.losses.values()))
    lengths = [answer.tokens for answer in one.answers]
    return {
        "loss": _finite(whole.mean),
        "perplexity": _finite(whole.perplexity),
        "tokens": whole.tokens,
        **{name: _share(_met(one, name)) for name in SHARES},
        "fields": _fields_share(one),
        "extra_fields": sum(kind == EXTRA for _, kind in _all_fields(one)),
        "fenced": sum(agreement.fenced for agreement in one.agreements),
        "ended": _share([answer.ended for answer in one.answers]),
        "mean_length": sum(lengths) / len(lengths) if lengths else None,
    }


def differences(base: Side, tuned: Side, questions: Sequence[Question]) -> Body:
    """Tuned minus base, each with its 95 % interval, records as the unit; None: does not apply."""
    records = [question.record for question in questions]
    found = {name: _shares(_met(base, name), _met(tuned, name), records) for name in SHARES}
    lengths = ([float(answer.tokens) for answer in one.answers] for one in (base, tuned))
    ended = ([answer.ended for answer in one.answers] for one in (base, tuned))
    return {
        "loss": _body(_loss_gap(base, tuned)),
        **{name: _body(interval) for name, interval in found.items()},
        "fields": _body(_fields_gap(base, tuned, records)),
        "ended": _body(_shares(next(ended), next(ended), records)),
        "mean_length": _body(
            difference_of_means(*_sums(next(lengths), next(lengths), [1.0] * len(records), records))
        ),
    }


def fields(sides: Mapping[str, Side]) -> list[Body]:
    """Count the outcomes of each field path for each model, the least agreeing first."""
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for name, one in sides.items():
        for path, outcome in _all_fields(one):
            counts[path][name][outcome] += 1
    rows: list[Body] = [
        {"path": path, **{name: {kind: of[name][kind] for kind in OUTCOMES} for name in sides}}
        for path, of in counts.items()
    ]
    last = list(sides)[-1]
    return sorted(rows, key=lambda row: (_right(row[last]), row["path"]))


def identical(base: Side, tuned: Side) -> int:
    """Count the questions that both models answer alike, letter by letter."""
    both = zip(base.answers, tuned.answers, strict=True)
    return sum(one.text == other.text for one, other in both)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None  # JSON has no word for the others


def _met(one: Side, name: str) -> list[bool | None]:
    return [getattr(agreement, name) for agreement in one.agreements]


def _share(met: Sequence[bool | None]) -> Body | None:
    known = [one for one in met if one is not None]
    if not known:
        return None
    return {"count": sum(known), "of": len(known), "share": sum(known) / len(known)}


def _all_fields(one: Side) -> list[tuple[str, str]]:
    return [pair for agreement in one.agreements for pair in agreement.fields or ()]


def _fields_share(one: Side) -> Body | None:
    """Share of the expected fields that are right; extra ones are counted apart."""
    return _share([kind == EQUAL for _, kind in _all_fields(one) if kind != EXTRA])


def _right(counts: Mapping[str, int]) -> float:
    return counts[EQUAL] / max(1, sum(counts.values()))


def _shares(
    base: Sequence[bool | None], tuned: Sequence[bool | None], records: Sequence[int]
) -> Interval | None:
    """Where a record has several answers, these are no independent trials: records are."""
    both = [
        (b, t, record)
        for b, t, record in zip(base, tuned, records, strict=True)
        if b is not None and t is not None
    ]
    if len({record for *_, record in both}) == len(both):
        return difference_of_shares([b for b, _, _ in both], [t for _, t, _ in both])
    first, second, of = zip(*((float(b), float(t), r) for b, t, r in both), strict=True)
    return _clustered(first, second, [1.0] * len(of), of)


def _clustered(
    base: Sequence[float], tuned: Sequence[float], weights: Sequence[float], records: Sequence[int]
) -> Interval | None:
    """Difference of shares, by record, with an interval that few records cannot make narrow.

    Where all records change alike their spread is zero, which proves nothing. So two made-up ones
    of mean size, one wholly gained and one wholly lost, widen the interval; Agresti and Min add as
    many for single answers.
    """
    first, second, weight = _sums(base, tuned, weights, records)
    found = difference_of_means(first, second, weight)
    if found is None:
        return None
    mean = math.fsum(weight) / len(weight)
    wide = difference_of_means([*first, 0.0, mean], [*second, mean, 0.0], [*weight, mean, mean])
    if wide is None or wide.low is None or wide.high is None:
        return found
    return Interval(found.value, max(-1.0, wide.low), min(1.0, wide.high))


def _sums(
    base: Sequence[float], tuned: Sequence[float], weights: Sequence[float], records: Sequence[int]
) -> tuple[list[float], list[float], list[float]]:
    """Add up the answers of each record: (base, tuned, weight), one entry for a record."""
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for record, *row in zip(records, base, tuned, weights, strict=True):
        sums[record] = [old + new for old, new in zip(sums[record], row, strict=True)]
    first, second, weight = ([row[i] for row in sums.values()] for i in range(3))
    return first, second, weight


def _loss_gap(base: Side, tuned: Side) -> Interval | None:
    records = list(base.losses)
    first, second = ([one.losses[record].nll for record in records] for one in (base, tuned))
    return difference_of_means(first, second, [float(base.losses[r].tokens) for r in records])


def _fields_gap(base: Side, tuned: Side, records: Sequence[int]) -> Interval | None:
    def count(one: Side, *kinds: str) -> list[float]:
        return [
            float(sum(kind in kinds for _, kind in agreement.fields or ()))
            for agreement in one.agreements
        ]

    wanted = count(base, *(kind for kind in OUTCOMES if kind != EXTRA))
    kept = [place for place, number in enumerate(wanted) if number]
    first, second, weight = ([column[place] for place in kept]
                             for column in (count(base, EQUAL), count(tuned, EQUAL), wanted))  # fmt: skip
    return _clustered(first, second, weight, [records[place] for place in kept])


def _body(interval: Interval | None) -> Body | None:
    if interval is None:
        return None
    return {"value": interval.value, "low": interval.low, "high": interval.high,
            "clear": interval.clear}  # fmt: skip
