"""What holds for one record: its named groups, and the interval by which its dates move."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.known import NONE, Known
from pipeline.owners import alone
from pipeline.reading import RawRecord
from pipeline.replace import Terms
from pipeline.scan_plan import Plan
from pipeline.spool import Entry
from scrubbers.keys import digest
from scrubbers.surrogates.shift import offset


def terms_of_raw(raw: RawRecord, key: str, language: str, plan: Plan) -> Terms:
    """What holds for a record that is not booked yet."""
    if plan.dates != "shift":
        return _terms(language, plan)
    groups = named_groups(json.loads(raw.text), plan)
    return _shifting(groups, key, language, plan)


def terms_of(entry: Entry, plan: Plan, apart: Known = NONE) -> Terms:
    """What holds for a booked record; `apart`: see `owners`."""
    return replace(_booked(entry, plan), alone=alone(entry, apart))


def _booked(entry: Entry, plan: Plan) -> Terms:
    if plan.dates != "shift":
        return _terms(entry.language, plan)
    return _shifting(entry.groups, entry.key, entry.language, plan)


def _shifting(groups: Sequence[str], key: str, language: str, plan: Plan) -> Terms:
    return _terms(language, plan, offset(plan.surrogate_key, dates_id(groups, key)))


def _terms(language: str, plan: Plan, days: int = 0) -> Terms:
    return Terms(language, plan.dates, days, keeps_area(plan.actions))


def keeps_area(actions: Mapping[str, str]) -> bool:
    """Whether towns stay, so that those in addresses, and the area of the postcode, stay too."""
    return actions["LOCATION"] != "replace"


def dates_id(groups: Sequence[str], key: str) -> str:
    """What the interval of a record's dates comes from: its first group, or the record."""
    return groups[0] if groups else key


def named_groups(value: object, plan: Plan) -> tuple[str, ...]:
    """Keyed hashes of the fields that `holdout.group_by` names, as far as the record has them."""
    if not isinstance(value, dict):
        return ()
    named = [(name, value[name]) for name in plan.group_by if value.get(name) not in (None, "")]
    return tuple(digest(plan.value_key, "group", name, str(v)).hex() for name, v in named)
