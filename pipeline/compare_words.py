"""What a comparison says to people: the table of numbers, and advice that follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Body = Mapping[str, Any]
FEW = 30  # answers below which a share moves by more than three points with each of them
LEAST = 10  # records below which no model is called the better one
MOVED = 0.05  # share of the base's loss below which the tuned model's has hardly moved
GOOD, POOR = 0.95, 0.90

# What is measured, how it is called, and how it is written.
ROWS = (
    ("loss", "loss (nats per token)", "number"),
    ("perplexity", "perplexity", "number"),
    ("exact", "exact match", "share"),
    ("json", "valid JSON", "share"),
    ("schema", "fits the answer schema", "share"),
    ("fields", "fields right", "share"),
    ("ended", "ends by itself", "share"),
    ("mean_length", "mean length, tokens", "number"),
)

# Code -> sentence. Recipes and thresholds are those of the two practice guides (docs/guides.md).
ADVICE = {
    "few": "{answers} held-out answers are too few to tell a small difference: one of them moves a "
    "share by {points:.0f} points. Read them side by side, and prepare more records.",
    "not-applied": "The tuned model gives every token the base's own probability: the adapter is "
    "not applied, or nothing was learned. Check that {run} holds the adapter that `train` wrote, "
    "and that the training loss fell.",
    "same-answers": "{same} of {answers} answers are the base's own, letter by letter: the adapter "
    "changed little. Look at the training loss; if it hardly fell, raise train.learning_rate "
    "(5e-4), and check that contract.template is what production sends.",
    "worse-loss": "The tuned model's loss on held-out records is higher than the base's: it learned "
    "the training records by heart. Lower train.epochs, or set train.lora.dropout to 0.05.",
    "worse-answers": "The tuned model's answers are worse than the base's ({what}). Do not serve it: "
    "read the answers side by side, then look for faults in the training records; each one is a "
    "behaviour that was taught.",
    "endless": "{open} of {answers} answers did not end within {limit} tokens: either the end token "
    "was not trained on, or a stop token is missing, and both mostly come together. Check "
    "contract.template, and the stops where the model is served; `--max-new-tokens` allows more "
    "(the longest expected answer has {longest}).",
    "stock-endless": "{open} of {answers} answers did not end within {limit} tokens (the longest "
    "expected one has {longest}): ask for brevity in the prompt, set the server's stop tokens, and "
    "take the instruction-tuned form of the model. `--max-new-tokens` allows more.",
    "cut": "{cut} of {answers} expected answers are longer than the {limit} new tokens that were "
    "allowed (the longest has {longest}), so `--max-new-tokens` cut what was asked for: exact match, "
    "JSON and ends say nothing here. Give it at least {longest}.",
    "unsure": "n = {records} is too small to say {question}: hold out at least {least} records "
    "(prepare more, or raise holdout.fraction), and read these answers side by side.",
    "little": "The tuned model changed little: its loss on held-out records is within {moved:.0%} of "
    "the base's ({what}). Take more steps (train.epochs, or more records) or a higher "
    "train.learning_rate (5e-4) before anything else.",
    "ignored": "The tuned model does not keep to what it was shown ({what}){though}: the records have too "
    "little variety, or the rank is too low. Set train.lora.r to 32 and train.lora.alpha to 64, and "
    "train again.",
    "fenced": "{fenced} answers are JSON in a code fence, which production cannot read as it is: "
    "ask for bare JSON in the system prompt, or take the fence off in the application.",
    "better": "The tuned model is better on records that it never saw ({what}).",
    "no-difference": "No difference that this holdout can tell: the stock model with the same "
    "prompt may be enough.",
    "enough": "The stock model with the production prompt already does this job ({what}): keep the "
    "prompt, and spare yourself the training.",
    "form": "The stock model does not keep to the form ({what}). Try an example in the prompt and "
    "the server's JSON mode first; a strict format is what fine-tuning teaches well.",
    "content": "The form is right and values differ ({what}). Where the values stand in the "
    "request, fine-tuning can teach to pick them; where they are facts from elsewhere, retrieval "
    "gives them better and stays current.",
    "words": "These answers are free text, and of those exact match says little: read them side by "
    "side. A tone or a house style is a reason to fine-tune, missing facts are one for retrieval.",
    "order": "Before training: prompts and retrieval solve about four cases in five. Fine-tune for "
    "a strict format, a style, a narrow domain or task, or shorter prompts; not to add facts, not "
    "to mend one wrong answer, not to beat the largest models.",
}  # fmt: skip


def advice(body: Body) -> list[dict[str, str]]:
    """What follows from the numbers, the gravest first: `{code, message}`."""
    found = _of_tuned(body) if "tuned" in body["models"] else _of_stock(body)
    return [
        {"code": code, "message": ADVICE[code].format(**_values(body), **more)}
        for code, more in found
    ]


Found = Iterator[tuple[str, dict[str, Any]]]


def _values(body: Body) -> dict[str, Any]:
    answers = body["answers"]
    return {
        "answers": answers, "points": 100 / answers, "same": body.get("same_answers"),
        "run": body.get("run", ""), "limit": body["settings"]["max_new_tokens"],
        "longest": body["longest_expected"], "cut": body["cut"], "records": body["records"],
        "least": LEAST, "moved": MOVED,
    }  # fmt: skip


def _of_tuned(body: Body) -> Found:
    tuned = body["models"]["tuned"]
    stuck = list(_stuck(body))
    yield from stuck
    if body["cut"]:
        yield "cut", {}
    else:
        yield from _open(tuned, "endless")
    yield from _fence(tuned)
    yield from _verdict(body, stuck=bool(stuck))
    if body["records"] >= LEAST:
        yield from _few(body)


def _verdict(body: Body, *, stuck: bool) -> Found:
    """One answer to whether the training was worth it, and what to change where it was not."""
    tuned, loss = body["models"]["tuned"], body["differences"]["loss"]
    worse, better = [] if body["cut"] else _moved(body, -1), _moved(body, 1)
    higher, lower = (loss["clear"] and loss["value"] * sign > 0 for sign in (1, -1))
    weak = [] if stuck or body["cut"] else _weak(body, better)
    if weak and _still(body):
        yield "little", {"what": _list(tuned, weak)}
        weak = []
    if body["records"] < LEAST:
        yield "unsure", {"question": "which of the two models is better"}
        return
    if higher:
        yield "worse-loss", {}
    if worse:
        yield "worse-answers", {"what": _list(tuned, worse)}
    gain = _list(tuned, better) if better else "loss" if lower and not worse else ""
    if weak and not higher:
        though = f", though it is better than the base ({gain})" if gain else ""
        yield "ignored", {"what": _list(tuned, weak), "though": though}
    elif gain:
        yield "better", {"what": gain}
    elif not worse and not higher:
        yield "no-difference", {}


def _weak(body: Body, better: Sequence[str]) -> list[str]:
    """What the tuned model does not keep to: the form, or else, unimproved, the answers."""
    base, tuned = body["models"]["base"], body["models"]["tuned"]
    form = [name for name in ("json", "schema") if _below(tuned, name, POOR)]
    same = base["exact"]["share"] >= tuned["exact"]["share"] and not better
    return form or (["exact"] if same and _below(tuned, "exact", POOR) else [])


def _still(body: Body) -> bool:
    """Whether the loss hardly moved."""
    base, gap = body["models"]["base"]["loss"], body["differences"]["loss"]["value"]
    return base is not None and abs(gap) < MOVED * base


def _of_stock(body: Body) -> Found:
    base = body["models"]["base"]
    if body["cut"]:
        yield "cut", {}
    else:
        yield from _of_prompt(body)
        yield from _open(base, "stock-endless")
    yield from _fence(base)
    yield from _few(body)
    yield "order", {}


def _of_prompt(body: Body) -> Found:
    """Whether the prompt does the job by itself, or which part is missing."""
    base = body["models"]["base"]
    checks = [name for name in ("schema", "json", "fields") if base[name]] or ["exact"]
    form = [name for name in ("schema", "json") if _below(base, name, GOOD)]
    if not any(_below(base, name, GOOD) for name in (*checks, "ended")):
        if body["records"] < LEAST:
            yield "unsure", {"question": "that the stock model with this prompt is enough"}
        else:
            yield "enough", {"what": _list(base, checks)}
    elif form:
        yield "form", {"what": _list(base, form)}
    elif "fields" in checks:
        yield "content", {"what": _list(base, ["fields"])}
    else:
        yield "words", {}


def _stuck(body: Body) -> Found:
    base, tuned = body["models"]["base"], body["models"]["tuned"]
    if base["loss"] == tuned["loss"] and body["same_answers"] == body["answers"]:
        yield "not-applied", {}
    elif body["same_answers"] >= GOOD * body["answers"] and base["exact"]["share"] < GOOD:
        yield "same-answers", {}


def _moved(body: Body, sign: int) -> list[str]:
    """Shares whose difference is clear, in one direction."""
    gaps = body["differences"]
    return [
        name
        for name in ("exact", "json", "schema", "fields")
        if gaps[name] and gaps[name]["clear"] and gaps[name]["value"] * sign > 0
    ]


def _open(model: Body, code: str) -> Found:
    ended = model["ended"]
    if ended["share"] < POOR:
        yield code, {"open": ended["of"] - ended["count"]}


def _fence(model: Body) -> Found:
    if model["fenced"]:
        yield "fenced", {"fenced": model["fenced"]}


def _few(body: Body) -> Found:
    if body["answers"] < FEW:
        yield "few", {}


def _below(model: Body, name: str, least: float) -> bool:
    return model[name] is not None and model[name]["share"] < least


def _list(model: Body, names: Sequence[str]) -> str:
    words = {name: word for name, word, _ in ROWS}
    return ", ".join(f"{words[name]} {model[name]['share']:.0%}" for name in names)


def table(body: Body) -> list[tuple[str, ...]]:
    """Head and rows as texts: what, base, and, where there is one, tuned and the difference."""
    names = list(body["models"])
    both = "differences" in body
    rows: list[tuple[str, ...]] = [("", *names, *(["difference (95 % interval)"] if both else []))]
    for key, word, form in ROWS:
        cells = [_cell(body["models"][name][key], form) for name in names]
        if any(cell != "-" for cell in cells):
            gap = [_gap(body["differences"].get(key), form)] if both else []
            rows.append((word, *cells, *gap))
    return rows


def _cell(value: Any, form: str) -> str:
    if value is None:
        return "-"
    return f"{value['share']:.1%} ({value['count']}/{value['of']})" if form == "share" else (
        f"{value:,.3f}" if value < 1000 else f"{value:.3g}")  # fmt: skip


def _gap(value: Body | None, form: str) -> str:
    if value is None:
        return ""
    scale, digits = (100, 1) if form == "share" else (1, 3)
    unit = " points" if form == "share" else ""
    told = f"{value['value'] * scale:+.{digits}f}{unit}"
    if value["low"] is None:
        return f"{told} (no interval from one record)"
    low, high = (f"{value[end] * scale:+.{digits}f}" for end in ("low", "high"))
    return f"{told} ({low} to {high}{'' if value['clear'] else ', not clear'})"


def what(body: Body) -> str:
    """One line: what was compared and how."""
    settings = body["settings"]
    chosen = settings["temperature"]
    way = f"temperature {chosen:g}, seed {settings['seed']}" if chosen else "greedy"
    turns = "every answer" if settings["every_turn"] else "the last answer of each"
    return (
        f"{body['records']:,} of {body['holdout']:,} held-out records, {turns}: "
        f"{body['answers']:,} answers, {way}, at most {settings['max_new_tokens']:,} new tokens"
    )


def as_text(body: Body) -> str:
    """The comparison for a terminal; no text of a record is in it."""
    rows = table(body)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [what(body), ""]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:3], widths[1:3], strict=False)]
        lines.append("  ".join([*cells, *row[3:]]).rstrip())
    lines += ["", *(f"- {one['message']}" for one in body["advice"])]
    return "\n".join(lines)
