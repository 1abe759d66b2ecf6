"""`privatune plan`: tokens, GPU memory, hours and cost of a run, before anything is rented."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.config import Config, ConfigError
from pipeline.config_faults import sentences, without_nulls
from pipeline.errors import UsageFault
from pipeline.estimate_advice import advice, card_advice
from pipeline.estimate_data import ENOUGH_STEPS, Data, Measured, data_of, measured, steps_of
from pipeline.estimate_memory import Load, load_of, on_card, peaks
from pipeline.estimate_text import as_text
from pipeline.folder import verify
from pipeline.sections_train import Train
from pipeline.strict_yaml import YamlError, parse
from trainer.prices import (
    Card,
    Prices,
    PricesError,
    Rate,
    bracket_minutes,
    cost,
    default_prices,
    over,
    rate,
    table_row,
    whole_hours,
)
from trainer.recipe import Recipe, recipe_of
from trainer.shape import Shape, read_shape

USUAL = 8.0e9  # parameters that are reckoned with when no model is named: both guides' size
Q4_K_M = 4.85 / 8  # bytes a parameter of llama.cpp's Q4_K_M
GIVEN_SPREAD = (0.9, 1.1)


@dataclass(frozen=True)
class Estimate:
    """What a run will take: plain values by name, told as a table or as JSON."""

    body: dict[str, Any]

    def as_json(self) -> str:
        """The estimate for machines."""
        return json.dumps(self.body, indent=1, ensure_ascii=False)

    def as_text(self) -> str:
        """The estimate for people."""
        return as_text(self.body)


@dataclass(frozen=True)
class Basis:
    """All that an estimate is made from."""

    data: Data
    recipe: Recipe
    prices: Prices
    shape: Shape | None
    train: Train
    rate: Rate | None  # for every card, where one was measured or given

    @property
    def tokens(self) -> float:
        """Training tokens of the whole run, padding not counted."""
        return self.data.tokens * self.recipe.epochs

    @property
    def parameters(self) -> float:
        """Size of the base, or the usual one."""
        return self.shape.total if self.shape else USUAL

    @property
    def longest(self) -> int:
        """The longest row that a batch is padded to."""
        return max(1, min(self.data.longest, self.recipe.max_length))

    @property
    def load(self) -> Load | None:
        """What lies on the card, where the model is known."""
        if self.shape is None:
            return None
        return load_of(
            self.shape, self.recipe, self.train, self.longest, self.data.mean, self.tokens
        )


def verb(  # noqa: PLR0913  options of the verb
    root: Path, config: Config, *, model: Path | None = None, prices: Path | None = None,
    card: str | None = None, tokens_per_second: float | None = None,
    steps_file: Path | None = None, probe: Path | None = None,
) -> Estimate:  # fmt: skip
    """Estimate a run over the prepared folder `root`.

    Raises FolderError, ShapeError, ConfigError, PricesError, UsageFault.
    """
    prepared = verify(root, config.trust)
    model = model or config.train.model
    book = default_prices()
    if (file := prices or config.prices) is not None:
        book = read_prices(file, book)
    basis = Basis(
        data_of(prepared, config, model),
        recipe_of(config.train.model_dump(), config.tokens.max_length),
        book,
        read_shape(model) if model is not None else None,
        config.train,
        _own_rate(tokens_per_second, steps_file, probe),
    )
    cards = [book.card(card)] if card else list(book.cards)
    return Estimate(_body(root, basis, cards))


def read_prices(path: Path, default: Prices) -> Prices:
    """Read a price file over the default. Raises ConfigError or PricesError with every fault."""
    try:
        document = parse(path.read_bytes())
        raw = without_nulls({} if document.value is None else document.value, Prices)
        given = Prices.model_validate_json(json.dumps(raw), strict=True)
    except YamlError as error:
        raise ConfigError([f"{path}: {fault}" for fault in error.faults]) from None
    except ValidationError as error:
        raise ConfigError(sentences(error, document, path, Prices)) from None
    except OSError as error:
        raise ConfigError([f"{path}: the price file cannot be read ({error.strerror})"]) from None
    try:
        return over(default, given)
    except PricesError as error:
        raise PricesError(f"{path}: {error}") from None


def _own_rate(given: float | None, steps: Path | None, probe: Path | None) -> Rate | None:
    if sum(one is not None for one in (given, steps, probe)) > 1:
        raise UsageFault("Give one of `--tokens-per-second`, `--steps-file` and `--probe`.")
    if given is not None:
        if given <= 0:
            raise UsageFault("--tokens-per-second must be more than 0.")
        return Rate(given, GIVEN_SPREAD, f"{given:,.0f} tokens/s, as given")
    file = steps or probe
    if file is None:
        return None
    rate = _measured_rate(measured(file))
    if probe is not None and _on_cpu(probe):
        return replace(rate, basis=rate.basis + " on a CPU, which says nothing of these cards")
    return rate


def _on_cpu(run: Path) -> bool:
    """Whether a run folder tells of a run that no GPU had a part in."""
    try:
        result = json.loads((run / "run.json").read_bytes())["result"]
        return not result["peak_gib"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _measured_rate(found: Measured) -> Rate:
    short = f"; the guide reads {ENOUGH_STEPS}" if found.steps < ENOUGH_STEPS else ""
    words = (
        f"{found.tokens_per_second:,.0f} tokens/s, {found.seconds_per_step:.2f} s a step, "
        f"measured over {found.steps} steps{short}"
    )
    return Rate(found.tokens_per_second, found.spread, words)


def _body(root: Path, basis: Basis, cards: list[Card]) -> dict[str, Any]:
    rows = [_card(basis, card) for card in cards]
    return {
        "version": 1,
        "folder": str(root),
        "data": _data(basis.data),
        "run": {
            **basis.recipe.as_dict(),
            "steps": steps_of(basis.recipe, basis.data.train),
            "tokens": round(basis.tokens),
        },
        "model": _model(basis),
        "memory": peaks(basis.load) if basis.load else None,
        "tables": _tables(basis),
        "currency": basis.prices.currency,
        "cards": rows,
        "minutes": [{"step": s.step, "minutes": s.minutes} for s in basis.prices.minutes],
        "needs": _needs(basis),
        "advice": [*advice(basis.data, basis.recipe), *card_advice(rows, basis.longest)],
    }


def _data(data: Data) -> dict[str, Any]:
    return {
        "train": data.train, "holdout": data.holdout, "tokens": data.tokens,
        "mean": round(data.mean, 1), "longest": data.longest, "percentiles": data.percentiles,
        "max_length": data.limit, "counted": data.source,
    }  # fmt: skip


def _model(basis: Basis) -> dict[str, Any] | None:
    shape, recipe = basis.shape, basis.recipe
    if shape is None:
        return None
    return {
        "family": shape.family, "parameters": shape.total, "linear": shape.linear,
        "embeddings_and_head": shape.embeddings + shape.head,
        "adapter": shape.lora(recipe.r, recipe.targets), "notes": list(shape.notes),
    }  # fmt: skip


def _tables(basis: Basis) -> list[dict[str, Any]]:
    """The guides' VRAM tables: the row of this model's size, or all rows when none is named."""
    found = []
    for table in basis.prices.tables:
        own = table_row(table, basis.parameters) if basis.shape else None
        for row in [own] if own else [] if basis.shape else table.rows:
            gb = row.qlora if basis.recipe.method == "qlora" else row.lora
            found.append({
                "table": table.name, "size": row.size, "gb": gb, "margin": table.margin,
                "card": row.card, "about": table.about, "source": table.source,
            })  # fmt: skip
    return found


def _card(basis: Basis, card: Card) -> dict[str, Any]:
    found: dict[str, Any] = {"card": card.name, "vram_gb": card.vram_gb}
    if basis.load is not None:
        found |= on_card(basis.load, card.vram_gb)
    elif rows := _tables(basis):
        found["tables"] = {t["table"]: _largest_size(rows, t["table"], card) for t in rows}
    bracket = bracket_minutes(basis.prices, card.name, basis.data.train, basis.recipe.epochs)
    if bracket:
        found["bracket_minutes"] = [round(one) for one in bracket]
    return found | _hours(basis, card)


def _largest_size(rows: list[dict[str, Any]], table: str, card: Card) -> str | None:
    """The largest model of a published table that the card holds, its margin added."""
    fits = [
        row["size"]
        for row in rows
        if row["table"] == table and row["gb"] and row["gb"] * (1 + row["margin"]) <= card.vram_gb
    ]
    return fits[-1] if fits else None


def _hours(basis: Basis, card: Card) -> dict[str, Any]:
    """Hours and cost: planned, optimistic, pessimistic. Only what the training takes varies."""
    known = basis.rate or rate(basis.prices, card.name, basis.parameters, basis.recipe.method)
    if known is None:
        return {"hours": None, "offers": []}
    planned = known.seconds(basis.tokens)
    low, high = (planned * share for share in known.spread)
    hours = {name: whole_hours(seconds, basis.prices) for name, seconds in
             (("planned", planned), ("optimistic", low), ("pessimistic", high))}  # fmt: skip
    offers = [
        {"provider": offer.provider, "per_hour": offer.per_hour, "source": offer.source,
         "date": offer.date,
         "cost": {name: round(cost(h, offer.per_hour), 2) for name, h in hours.items()}}
        for offer in basis.prices.offers if offer.card.casefold() == card.name.casefold()
    ]  # fmt: skip
    return {
        "training_seconds": round(planned), "basis": known.basis,
        "hours": {name: round(value, 2) for name, value in hours.items()}, "offers": offers,
    }  # fmt: skip


def _needs(basis: Basis) -> list[dict[str, Any]]:
    """Disk, memory and download: the guides' figures, and what this model's size comes to."""
    own: dict[str, float] = {}
    if basis.shape is not None:
        wide = 2 * basis.shape.total / 1e9  # GB in 16 bits
        # The base, the merged model and its F16 form, each in 16 bits, and the quantised one.
        own = {"disk": 3 * wide + Q4_K_M * basis.shape.total / 1e9, "memory": wide,
               "download": wide}  # fmt: skip
    return [
        {"what": need.what, "gb": need.gb, "least": need.least, "about": need.about,
         "source": need.source, "this_model_gb": round(own[need.what], 1) if own else None}
        for need in basis.prices.needs
    ]  # fmt: skip
