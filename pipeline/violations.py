"""What a set can be accused of, by name, and the tally of what was judged and what was violated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Violation = tuple[str, str, dict[str, Any]]  # name, sentence, place
PLACES = 5  # places shown for each name; the count says how many there are

# What the written surrogates are held against (pipeline.evidence), and what a violation is.
EVIDENCE: Mapping[str, str] = {
    "edit": "surrogates that do not stand or read as the books say",
    "surrogate-is-original": "surrogates that equal an original of the set",
    "surrogate-is-part": "surrogates that are their original in part",
    "agreement": "places where one value has two surrogates",
    "collision": "places where two values share a surrogate",
    "range": "surrogates outside the range that the table names",
    "pair-broken": "pairs of values that agreed before and do not now",
    "structure": "records whose JSON, keys or array lengths changed",
    "answer-schema-broken": "answers that satisfied the schema before and do not now",
    "dates": "dates that moved by another interval than their record's",
}
# Why some are not judged.
EXEMPT: Mapping[str, str] = {
    "surrogate-is-original": "of kinds with few values, and single given names, which may be someone's",
    "surrogate-is-part": "short forms that stand for another value",
    "agreement": "short forms that stand for another value",
    "range": "parts of numbers, and forms for which no range is told",
    "answer-schema-broken": "answers that did not satisfy it before",
}
# The limits that `accept` may name; reconciliation, and a set of nothing, are none of them.
ACCEPTABLE = frozenset({"max_quarantine", "over_length", *EVIDENCE})


SHOWN = 3  # places of each name that a terminal gets


def in_words(place: Mapping[str, Any]) -> str:
    """Where it is: file, record and path, which names no key that may be a value (`jsontext.path`)."""
    source = place.get("source")
    where = f"{source['file']} record {source['record']}" if source else ""
    where = where or f"{place['split']} record {place['record']}"
    path = place.get("path")
    return f"{where} {path}" if path else where


@dataclass
class Tally:
    """How many each check judged, left out and saw violated; the first places of each."""

    judged: Counter[str] = field(default_factory=Counter)
    exempt: Counter[str] = field(default_factory=Counter)
    violated: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    by_letters: int = 0  # surrogates that were held against their original's letters

    def book(self, violation: Violation) -> None:
        """Count a violation, and keep its place while it is one of the first."""
        name, words, place = violation
        self.violated[name] += 1
        shown = self.places.setdefault(name, [])
        if len(shown) < PLACES:
            shown.append({**place, "message": words})

    def first(self, name: str) -> str:
        """The first places of a violation in words, "" where it has none."""
        shown = [in_words(place) for place in self.places.get(name, [])[:SHOWN]]
        return f" ({'; '.join(shown)})" if shown else ""

    def table(self) -> list[dict[str, Any]]:
        """One row for each check, also for those that judged nothing."""
        return [
            {
                "check": name, "looks_for": words, "judged": self.judged[name],
                "violated": self.violated[name], "places": self.places.get(name, []),
                **({"exempt": self.exempt[name], "why": EXEMPT[name]} if self.exempt[name] else {}),
            }
            for name, words in EVIDENCE.items()
        ]  # fmt: skip
