"""`report.html`: one self-contained page without scripts, for the person who signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from pipeline.gates import Verdict
from pipeline.report import LONE

STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:1px solid #8886}
table{border-collapse:collapse;width:100%;margin:.6rem 0}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8883;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.passed{color:#1a7f37}.warned,.accepted{color:#9a6700}.failed{color:#cf222e;font-weight:600}
.off{opacity:.6}.note{background:#8882;padding:.8rem 1rem;border-radius:.4rem}
.bar{background:#5b8def;height:.8rem;display:inline-block}
"""


FILES_ACROSS = 5


def page(body: Mapping[str, Any], verdict: Verdict) -> str:
    """The whole page; everything in it is escaped."""
    parts = [
        _outcome(body, verdict), _gates(verdict), _chosen(body), _replaced(body), _unscanned(body),
        _surrogates(body), _evidence(body), _drift(body), _tokens(body), _faults(body), _set(body), _versions(body),
    ]  # fmt: skip
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width'>"
        f"<title>Privatune report</title><style>{STYLE}</style>"
        f"<body><h1>Privatune report</h1>{''.join(parts)}</body></html>\n"
    )


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()
) -> str:
    def cells(tag: str, row: Sequence[object]) -> str:
        return "".join(
            f"<{tag}{' class=n' if i in numbers else ''}>{_cell(v)}</{tag}>"
            for i, v in enumerate(row)
        )

    lines = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><tr>{cells('th', heads)}</tr>{lines}</table>"


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def _outcome(body: Mapping[str, Any], verdict: Verdict) -> str:
    counts = body["counts"]
    state = "failed" if verdict.failed else "passed"
    word = "Refused: a gate said no; nothing was written." if verdict.failed else "Prepared."
    rows = [
        (name, counts[name]) for name in ("records", "train", "holdout", "quarantine", "dropped")
    ]
    reasons = _table(("why records were left out", "records"), body["reasons"].items(), (1,))
    return (
        f"<p class={state}>{word}</p><p>Data set <b>{escape(body['privacy']['dataset'])}</b>, "
        f"one surrogate for a value per <b>{escape(body['privacy']['scope'])}</b>.</p>"
        f"<p class=note>{escape(body['promise'])}</p>"
        f"{_table(('records', ''), rows, (1,))}{reasons if body['reasons'] else ''}"
    )


def _gates(verdict: Verdict) -> str:
    rows = "".join(
        f"<tr><td class={gate.state}>{gate.state}</td><td>{escape(gate.name)}</td>"
        f"<td>{escape(gate.message)}</td></tr>"
        for gate in verdict.gates
    )
    return f"<h2>Gates</h2><table><tr><th>state<th>check<th>what was found</tr>{rows}</table>"


def _chosen(body: Mapping[str, Any]) -> str:
    """What a person let pass, with the reasons; of allowed values the number alone."""
    accepted = [(one["violation"], one["reason"]) for one in body["accepted"]]
    allowed = Counter(body["allowed"]).items()
    parts = []
    if accepted:
        parts += ["<h2>Accepted by name</h2>", _table(("violation", "reason"), accepted)]
    if allowed:
        parts += ["<h2>Values allowed to stay</h2>", _table(("reason", "values"), allowed, (1,))]
    return "".join(parts)


def _replaced(body: Mapping[str, Any]) -> str:
    return (
        f"<h2>What was replaced</h2>{_by_file(body['replaced'])}"
        "<h2>What was found and kept by policy</h2>"
        f"<p>Policy <b>{escape(body['privacy']['policy'])}</b>. These still stand in the set.</p>"
        f"{_by_file(body['kept_by_policy'])}"
    )


def _by_file(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Types down, files across while they fit; else one line for each file and type."""
    if not counts:
        return "<p>Nothing.</p>"
    files = list(counts)
    if len(files) > FILES_ACROSS:
        rows = [(file, kind, n) for file, kinds in counts.items() for kind, n in kinds.items()]
        return _table(("file", "type", "findings"), rows, (2,))
    kinds = sorted({kind for of_file in counts.values() for kind in of_file})
    table = [(kind, *(counts[file].get(kind, 0) for file in files)) for kind in kinds]
    sums = [(*row, sum(n for n in row if isinstance(n, int))) for row in table]
    return _table(("type", *files, "all"), sums, range(1, len(files) + 2))


def _unscanned(body: Mapping[str, Any]) -> str:
    if not body["not_scanned"]:
        return "<h2>What was not scanned</h2><p>Every text was read by every detector.</p>"
    rows = body["not_scanned"].items()
    return f"<h2>What was not scanned</h2>{_table(('reason', 'records'), rows, (1,))}"


def _surrogates(body: Mapping[str, Any]) -> str:
    origins = body["surrogates"]["origins"]
    rows = [(kind, origin, n) for kind, table in origins.items() for origin, n in table.items()]
    lone = body["surrogates"]["lone_names"]
    return (
        f"<h2>What stays linkable</h2><p class=note>{escape(body['linkable'])}</p>"
        f"<h2>Where surrogates come from</h2>{_table(('type', 'origin', 'findings'), rows, (2,))}"
        f"<p>{body['surrogates']['redraws']:,} surrogates were drawn again to avoid a collision.</p>"
        f"<p>{LONE.format(lone)}.</p>"
    )


def _evidence(body: Mapping[str, Any]) -> str:
    """Each check over the written set, also those that had nothing to judge."""
    rows = [
        (
            row["check"],
            row["looks_for"],
            row["judged"] or "nothing",
            row["violated"],
            _left_out(row),
        )
        for row in body["evidence"]
    ]
    heads = ("check", "looks for", "judged", "violations", "not judged")
    found = [
        (row["check"], place["message"], _where(place))
        for row in body["evidence"]
        for place in row["places"]
    ]
    places = _table(("check", "what is wrong", "first places"), found) if found else ""
    return (
        "<h2>The evidence</h2><p>The written set read back and held against keyed hashes of the "
        f"originals; <code>check</code> does it anew.</p>{_table(heads, rows, (2, 3))}{places}"
    )


def _left_out(row: Mapping[str, Any]) -> str:
    return f"{row['exempt']:,} {row['why']}" if "exempt" in row else ""


def _where(place: Mapping[str, Any]) -> str:
    source = place.get("source", {})
    came = f", from {source['file']} record {source['record']}" if source else ""
    return f"{place['split']} record {place['record']} {place.get('path', '')}".strip() + came


def _drift(body: Mapping[str, Any]) -> str:
    table = body["drift"]
    if table is None:
        return "<h2>Lengths before and after</h2><p>Nothing was replaced.</p>"
    worst = table["worst"]
    most = (
        f" Farthest from it: {worst['ratio']:.2f}, {worst['file']} record {worst['record']}."
        if worst
        else ""
    )
    return (
        f"<h2>Lengths before and after</h2><p>In {escape(table['measure'])}, the set changed by "
        f"{table['set']:+.1%}; limit {table['limit']:.0%}. Records with surrogates have "
        f"{table['mean']:.2f} of their length, 95 % of them at most {table['p95']:.2f}."
        f"{escape(most)}</p>"
    )


def _tokens(body: Mapping[str, Any]) -> str:
    table = body["tokens"]
    if table is None:
        return "<h2>Tokens</h2><p>Not counted: set <code>tokens.tokenizer</code>.</p>"
    most = max(row["records"] for row in table["histogram"])
    bars = "".join(
        f"<tr><td class=n>{row['from']:,}–{row['to'] - 1:,}<td class=n>{row['records']:,}"
        f"<td><span class=bar style='width:{20 * row['records'] / most:.1f}rem'></span></tr>"
        for row in table["histogram"]
    )
    facts = ", ".join(f"{p} %: {n:,}" for p, n in table["percentiles"].items())
    return (
        f"<h2>Tokens</h2><p>{table['total']:,} in all, longest {table['longest']:,}, "
        f"limit {table['max_length']:,}, over it {table['over']:,}. {facts}.</p>"
        f"<table><tr><th class=n>tokens<th class=n>records<th></tr>{bars}</table>"
    )


def _faults(body: Mapping[str, Any]) -> str:
    rows = [
        (code, group["count"], group["message"], "; ".join(_place(p) for p in group["places"]))
        for code, group in sorted(body["faults"].items())
    ]
    shown = _table(("fault", "count", "what to do", "first places"), rows, (1,))
    return f"<h2>Faults of form</h2>{shown if rows else '<p>None.</p>'}"


def _place(place: Mapping[str, Any]) -> str:
    line = f" line {place['line']}" if place["line"] else ""
    return f"{place['file']} record {place['record']}{line} {place['path']}".strip()


def _set(body: Mapping[str, Any]) -> str:
    repairs = [
        (f, note, n) for f, notes in body["read_with_repairs"].items() for note, n in notes.items()
    ]
    holdout = body["holdout"]
    hubs = f"<p>Values in more than 1 % of the records, not used to join: {holdout['hubs']:,}.</p>"
    return (
        f"<h2>The set</h2>{_table(('language', 'records'), body['languages'].items(), (1,))}"
        f"{_table(('format', 'records'), body['formats'].items(), (1,))}{hubs}"
        + (_table(("file", "read with repair", "records"), repairs, (2,)) if repairs else "")
    )


def _versions(body: Mapping[str, Any]) -> str:
    rows = [*body["versions"]["packages"].items(), *body["versions"]["models"].items()]
    found = body["detectors"].items()
    return (
        f"<h2>Detectors</h2>{_table(('detector', 'findings'), found, (1,))}"
        f"<h2>Versions</h2>{_table(('package or model', 'version or SHA-256'), rows)}"
    )
