"""The words and tables of `privatune plan`, from the estimate's plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

FIT = {"roomy": "yes", "fits": "barely", "no": "no"}
KERNELS = {"compile": "compiled layers", "liger": "Liger's kernels", "none": "plain layers"}


def as_text(body: dict[str, Any]) -> str:
    """The whole estimate, for a terminal."""
    parts = [
        _head(body), _memory(body["memory"], body["model"]), _tables(body["tables"]),
        _cards(body), _time(body), _needs(body["needs"]), _advice(body["advice"]),
    ]  # fmt: skip
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(body: dict[str, Any]) -> list[str]:
    data, run, model = body["data"], body["run"], body["model"]
    spread = ", ".join(f"{name} % {count:,}" for name, count in data["percentiles"].items())
    counts = f"{data['train']:,} train + {data['holdout']:,} holdout records"
    batch = f"{run['batch_size']} x {run['gradient_accumulation']} records a step"
    steps = f"{run['steps']:,} steps, {run['tokens']:,} tokens"
    lines = [
        f"data    {counts}; {data['tokens']:,} tokens to train on ({data['counted']})",
        f"        mean {data['mean']:,.0f}, {spread}, longest {data['longest']:,}",
        f"run     {run['preset']}: {run['epochs']:g} epochs, {batch}, {steps}",
    ]
    if model is None:
        return [*lines, "model   none named: reckoned with 8 billion parameters; `--model FOLDER`"]
    lines.append(
        f"model   {model['family']}, {model['parameters'] / 1e9:.2f} billion parameters, "
        f"{model['linear'] / 1e9:.2f} of them in linear layers; adapter of rank {run['r']}: "
        f"{model['adapter'] / 1e6:.1f} million"
    )
    return lines + [f"        note: {note}" for note in model["notes"]]


def _memory(memory: dict[str, Any] | None, model: dict[str, Any] | None) -> list[str]:
    if memory is None or model is None:
        return []
    lines = ["memory  peak in GiB; padded batches, as the guide's script trains"]
    rows = [
        [f"{batch} x", *(f"{cell['peak_gib']:.1f}" for cell in cells)]
        for batch, cells in _by(memory["padded"], "batch")
    ]
    lengths = [f"{cell['length']:,}" for _, cells in _by(memory["padded"], "batch")[:1]
               for cell in cells]  # fmt: skip
    lines += _grid(["batch x length", *lengths], rows)
    rows = [
        [f"{tokens:,}", *(f"{cell['peak_gib']:.1f}" for cell in cells)]
        for tokens, cells in _by(memory["packed"], "tokens")
    ]
    if rows:
        kernels = KERNELS[memory["kernels"]]
        words = f"packed rows, as `train` lays them out, {kernels}; layers computed twice:"
        lines += ["", "        " + words]
        lines += _grid(["tokens of a row", "all", "half", "none"], rows)
    return lines


def _by(cells: list[dict[str, Any]], key: str) -> list[tuple[Any, list[dict[str, Any]]]]:
    return [(name, list(group)) for name, group in groupby(cells, key=lambda cell: cell[key])]


def _tables(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
    lines = ["tables  published figures in GB, to hold against it"]
    for row in rows:
        gb = f"{row['gb']:g}" if row["gb"] else "not on one card"
        margin = f" + {row['margin']:.0%}" if row["margin"] and row["gb"] else ""
        lines.append(
            f"        {row['table']}, {row['size']}: {gb}{margin} ({row['card']}; {row['source']})"
        )
    return lines


def _cards(body: dict[str, Any]) -> list[str]:
    """One line for each card and offer."""
    sign, rows = body["currency"], []
    for card in body["cards"]:
        first = [card["card"], f"{card['vram_gb']:g}", *_fit(card), *_hours(card["hours"])]
        offers = [
            [f"{offer['provider']} {sign}{offer['per_hour']:.2f}", _cost(offer["cost"], sign)]
            for offer in card["offers"]
        ] or [["", ""]]
        rows.append([*first, *offers[0]])
        rows += [[""] * len(first) + offer for offer in offers[1:]]
    fit = ["padded", "packed"] if body["model"] else ["holds up to"]
    head = ["card", "GB", *fit, "hours", "from - to", "price an hour", "cost"]
    return ["cards" + _about(body["memory"]), *_grid(head, rows)]


def _about(memory: dict[str, Any] | None) -> str:
    """What the columns of the cards say."""
    if memory is None:
        return ""
    return (
        "   padded: does the guide's batch fit, with a fifth to spare? packed: the rows that\n"
        f"        `train` would choose, {KERNELS[memory['kernels']]}, and their peak in GiB"
    )


def _fit(card: dict[str, Any]) -> list[str]:
    if "padded" not in card:
        sizes = [size for size in card.get("tables", {}).values() if size]
        return [", ".join(dict.fromkeys(sizes)) or "-"]
    packed = card["packed"]
    if packed is None:
        return [FIT[card["padded"]], "no"]
    more = f", {packed['checkpointed']} layers twice" if packed["checkpointed"] else ""
    more += ", base in bf16" if packed["copy"] else ""
    row = f"{packed['tokens']:,} tokens{more}: {packed['peak_gib']:.1f}"
    return [FIT[card["padded"]], row]


def _hours(hours: dict[str, float] | None) -> list[str]:
    if hours is None:
        return ["-", ""]
    return [f"{hours['planned']:.2f}", f"{hours['optimistic']:.2f} - {hours['pessimistic']:.2f}"]


def _cost(cost: dict[str, float], sign: str) -> str:
    return f"{sign}{cost['planned']:.2f} ({cost['optimistic']:.2f} - {cost['pessimistic']:.2f})"


def _time(body: dict[str, Any]) -> list[str]:
    fixed = ", ".join(f"{one['step']} {one['minutes']:g}" for one in body["minutes"])
    total = sum(one["minutes"] for one in body["minutes"])
    lines = [f"time    in every figure of hours, minutes for: {fixed}; {total:g} in all"]
    bases: dict[str, list[str]] = {}
    for card in body["cards"]:
        if card["hours"] is not None:
            bases.setdefault(card["basis"], []).append(
                f"{card['card']} {card['training_seconds']:,} s"
            )
    for basis, cards in bases.items():
        shown = ", ".join(cards[:4]) + (" and all others" if len(cards) > 4 else "")
        lines.append(f"        training alone: {shown}; by {basis}")
    brackets = [
        f"{card['card']} {card['bracket_minutes'][0]:,} to {card['bracket_minutes'][1]:,} min"
        for card in body["cards"]
        if "bracket_minutes" in card
    ]
    if brackets:
        words = "by the second guide's times, whatever the length of records: "
        lines.append("        " + words + ", ".join(brackets))
    return lines


def _needs(needs: list[dict[str, Any]]) -> list[str]:
    lines = []
    for need in needs:
        may = f", {need['least']:g} may do" if need["least"] < need["gb"] else ""
        own = f"; this model: {need['this_model_gb']:g}" if need["this_model_gb"] else ""
        lines.append(f"{need['what']:<10}{need['gb']:g} GB{may} ({need['about']}){own}")
    return [f"{'needs   ' if i == 0 else '        '}{line}" for i, line in enumerate(lines)]


def _advice(advice: Sequence[str]) -> list[str]:
    return [f"{'advice  ' if i == 0 else '        '}{line}" for i, line in enumerate(advice)]


def _grid(head: list[str], rows: list[list[str]]) -> list[str]:
    """Columns as wide as their widest cell, the first left and the others right of their edge."""
    wide = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    return list(_lines([head, *rows], wide))


def _lines(rows: list[list[str]], wide: list[int]) -> Iterator[str]:
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, wide, strict=True)]
        yield ("        " + "  ".join(cells)).rstrip()
