"""Cards, prices, rates and fixed minutes: the guides' as the default, or a file of one's own.

Nothing is rounded before the end: that is how the first guide's own figures come about (its larger
example costs $2.97, and $2.96 if the hours are rounded first).
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Date = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}(-\d{2})?$")]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
SAME_SIZE = 0.15  # models whose sizes differ by less are taken to train at one rate
DEFAULT_SPREAD = (0.65, 1.35)  # how far the second guide's times lie around their middle


class PricesError(Exception):
    """A price file that does not fit together. The message says where, and the next step."""


class Row(BaseModel):
    """A mapping with known keys only, and the source and date of its figures."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, hide_input_in_errors=True, allow_inf_nan=False
    )

    source: Text = Field(description="Where the figure comes from.")
    date: Date = Field(description="When it was read, as 2026-09 or 2026-09-30.")


class Card(Row):
    """A graphics card."""

    name: Text = Field(description="Its name, as offers and rates use it.")
    vram_gb: Positive = Field(description="Its memory, in GB.")


class Offer(Row):
    """What a card costs by the hour."""

    card: Text = Field(description="A name from `cards`.")
    provider: Text = Field(description="Who rents it out.")
    per_hour: NotNegative = Field(description="Price of an hour.")


class Throughput(Row):
    """A measured training rate."""

    card: Text = Field(description="A name from `cards`.")
    model: Text = Field(description="What was trained.")
    parameters: Positive = Field(description="Its size, in billions of parameters.")
    method: Literal["qlora", "lora"] = Field(default="qlora", description="How.")
    tokens_per_second: Positive = Field(description="Training tokens a second, without padding.")


class Bracket(Row):
    """A time that a run of some size takes, from least to most."""

    card: Text = Field(description="A name from `cards`.")
    minutes: tuple[Positive, Positive] = Field(description="Least and most minutes.")
    examples: Positive = Field(description="For so many examples,")
    epochs: Positive = Field(description="and so many passes.")
    parameters: Positive = Field(description="Size of the model, in billions of parameters.")


class Size(BaseModel):
    """One row of a published VRAM table, in GB."""

    model_config = Row.model_config

    size: Text = Field(description="The row's name.")
    parameters: tuple[Positive, Positive] = Field(description="Billions, from least to most.")
    qlora: Positive = Field(description="GB with the base in 4 bits.")
    lora: Positive | None = Field(default=None, description="GB with the base in 16 bits.")
    card: Text = Field(description="The card that the source names for it.")


class Table(Row):
    """A published VRAM table."""

    name: Text = Field(description="What it is called in the output.")
    about: Text = Field(description="What it holds for.")
    margin: NotNegative = Field(description="Share to add, as the source says.")
    rows: tuple[Size, ...] = Field(min_length=1, description="Its rows.")


class Minutes(Row):
    """A step around the training that takes the same time for every run."""

    step: Text = Field(description="What is done.")
    minutes: NotNegative = Field(description="How long it takes.")


class Need(Row):
    """What else a machine must have, in GB."""

    what: Literal["disk", "memory", "download"] = Field(description="Of what.")
    gb: Positive = Field(description="How much is advised.")
    least: Positive = Field(description="How much may do.")
    about: Text = Field(description="What it is for.")


class Prices(BaseModel):
    """A price file: each section that it gives stands in for the default's."""

    model_config = Row.model_config

    currency: Annotated[str, StringConstraints(min_length=1, max_length=3)] = Field(
        default="$", description="Sign that stands before prices."
    )
    cards: tuple[Card, ...] = Field(default=(), description="Cards and their memory.")
    offers: tuple[Offer, ...] = Field(default=(), description="Prices by the hour.")
    throughput: tuple[Throughput, ...] = Field(default=(), description="Measured rates.")
    brackets: tuple[Bracket, ...] = Field(default=(), description="Times of whole runs.")
    tables: tuple[Table, ...] = Field(default=(), description="Published VRAM tables.")
    minutes: tuple[Minutes, ...] = Field(default=(), description="Fixed steps.")
    needs: tuple[Need, ...] = Field(default=(), description="Disk, memory, download.")

    def card(self, name: str) -> Card:
        """Find a card by name, whatever the case. Raises PricesError."""
        for card in self.cards:
            if card.name.casefold() == name.casefold():
                return card
        raise PricesError(f"no card of this name; {_nearest(name, self)}")

    @property
    def fixed_minutes(self) -> float:
        """Minutes of all steps around the training."""
        return sum(step.minutes for step in self.minutes)


def default_prices() -> Prices:
    """The figures of both guides."""
    text = files("trainer").joinpath("prices.yaml").read_text(encoding="utf-8")
    return Prices.model_validate(_tuples(yaml.safe_load(text)))


def _tuples(value: object) -> object:
    """Lists as tuples, which is what strict fields take."""
    if isinstance(value, list):
        return tuple(_tuples(one) for one in value)
    if isinstance(value, dict):
        return {key: _tuples(one) for key, one in value.items()}
    return value


def over(default: Prices, given: Prices) -> Prices:
    """Put the sections that `given` has in place of the default's.

    Raises PricesError where one of them names a card that `cards` does not have.
    """
    merged = default.model_copy(
        update={name: getattr(given, name) for name in given.model_fields_set}
    )
    known = {card.name.casefold() for card in merged.cards}
    for section in ("offers", "throughput", "brackets"):
        for index, row in enumerate(getattr(given, section)):
            if row.card.casefold() not in known:
                near = _nearest(row.card, merged)
                raise PricesError(f"{section}[{index}].card: not one of `cards`; {near}")
    return merged


def _nearest(name: str, prices: Prices) -> str:
    names = {card.name.casefold(): card.name for card in prices.cards}
    near = difflib.get_close_matches(name.casefold(), list(names), n=1)
    return f"did you mean `{names[near[0]]}`?" if near else "known: " + ", ".join(names.values())


@dataclass(frozen=True, slots=True)
class Rate:
    """Training tokens a second, how far they may be off, and where they come from.

    `spread`: time of the optimistic and the pessimistic case, as shares of the planned one.
    """

    tokens_per_second: float
    spread: tuple[float, float]
    basis: str

    def seconds(self, tokens: float) -> float:
        """Planned seconds for so many training tokens."""
        return tokens / self.tokens_per_second


def rate(prices: Prices, card: str, parameters: float, method: str = "qlora") -> Rate | None:
    """What a card trains at: from its own rate, else by the brackets from another card's.

    parameters: single ones. None when neither is known for this card.
    """
    own = _bracket(prices, card)
    spread = _spread(own) if own else DEFAULT_SPREAD
    rows = [row for row in prices.throughput if row.method == method]
    if found := [row for row in rows if row.card.casefold() == card.casefold()]:
        row = min(found, key=lambda one: abs(one.parameters - parameters / 1e9))
        return _scaled(row, parameters, spread, 1.0, "")
    for row in rows:
        other = _bracket(prices, row.card)
        if own and other:
            share = _middle(other) / _middle(own)
            return _scaled(row, parameters, spread, share, f"; {own.source}'s times of both cards")
    return None


def _scaled(
    row: Throughput, parameters: float, spread: tuple[float, float], share: float, words: str
) -> Rate:
    size = parameters / 1e9
    basis = f"{row.tokens_per_second:,.0f} tokens/s, {row.model} on {row.card} ({row.source})"
    if abs(size / row.parameters - 1) > SAME_SIZE:
        share *= row.parameters / size
        words += "; scaled by the model's size"
    return Rate(row.tokens_per_second * share, spread, basis + words)


def _bracket(prices: Prices, card: str) -> Bracket | None:
    return next((one for one in prices.brackets if one.card.casefold() == card.casefold()), None)


def _middle(bracket: Bracket) -> float:
    return sum(bracket.minutes) / 2


def _spread(bracket: Bracket) -> tuple[float, float]:
    least, most = bracket.minutes
    return least / _middle(bracket), most / _middle(bracket)


def bracket_minutes(
    prices: Prices, card: str, examples: float, epochs: float
) -> tuple[float, float] | None:
    """Least and most minutes by the card's bracket, in proportion to examples and epochs."""
    own = _bracket(prices, card)
    if own is None:
        return None
    share = examples * epochs / (own.examples * own.epochs)
    return own.minutes[0] * share, own.minutes[1] * share


def whole_hours(training_seconds: float, prices: Prices) -> float:
    """Hours that are paid: the training and the fixed steps around it."""
    return (training_seconds / 60 + prices.fixed_minutes) / 60


def cost(hours: float, per_hour: float) -> float:
    """What these hours cost."""
    return hours * per_hour


def table_row(table: Table, parameters: float) -> Size | None:
    """The row of a published table that a model of so many single parameters belongs to."""
    size = parameters / 1e9
    inside = [row for row in table.rows if row.parameters[0] <= size <= row.parameters[1]]
    return inside[0] if inside else None
