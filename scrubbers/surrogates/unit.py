"""The atom that gets a surrogate of its own, and the pieces of which a value is put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

DAY = "day"  # the family of dates that are shifted; norm: ISO 8601


class Unwritable(ValueError):
    """No surrogate can be written for this value. The record belongs in quarantine."""

    reason = "no-surrogate"


@dataclass(frozen=True, slots=True)
class Unit:
    """`space` is "family:details" and a function of family and norm; `norm` is the value itself.

    Two places that hold the same unit get the same surrogate. The details tell locale, kind and
    shape, so that a candidate can be drawn without the value.
    """

    space: str
    norm: str

    @property
    def family(self) -> str:
        """The part of the space that, with the norm, tells a unit from all others."""
        return self.space.partition(":")[0]

    @property
    def is_drawn(self) -> bool:
        """Whether its surrogate is drawn; a shifted date's is reckoned."""
        return self.family != DAY


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch of text that depends on units: `render` gets their surrogates' norms in order."""

    units: tuple[Unit, ...]
    render: Callable[[Sequence[str]], str]


Piece = str | Slot


@dataclass(frozen=True, slots=True)
class Value:
    """A found value of a record: its type, its text, and a country where a detector told one."""

    entity: str
    text: str
    country: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What a record says about one value beyond the value's own text; `context.contexts` tells it.

    `plan`: the telephone plan that another form of the number shows. `stands_for`: for each word
    of a name, user name or mailbox the norms of the components that it stands for elsewhere in the
    record, joined by spaces ("=de": this stays), or once, for a code, the norm of the longer one;
    "" for itself. `order`: "dmy" or "mdy", how a date like 03/04/1985 is read. `dates`: ""
    where dates are drawn like other values, "shift", "generalise", or "year" for what is a date of
    birth elsewhere in a record whose dates are made coarse; then `year` is what a date
    without one is reckoned in (0: unknown) and `language` that of the record. `keep_area`: towns
    outside addresses stay, so the town and the beginning of the postcode inside them stay too.
    """

    plan: str = ""
    stands_for: tuple[str, ...] = ()
    order: str = ""
    dates: str = ""
    year: int = 0
    language: str = ""
    keep_area: bool = False


ALONE = Context()
