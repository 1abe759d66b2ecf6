"""`compare.html`: the numbers, and answers side by side; one page without scripts or loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from pipeline.compare_words import table, what
from pipeline.report_page import STYLE

SHOWN = 200  # answers on the page; the file beside it has all
MORE = """
body{max-width:90rem}
.side{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.8rem}
.side>div{border:1px solid #8884;border-radius:.4rem;padding:.5rem .7rem;min-width:0}
.side>.right{border-color:#1a7f37}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;font:.9rem/1.45 ui-monospace,monospace}
h3{font-size:1rem;margin:1.6rem 0 .4rem}.tag{opacity:.7;font-size:.85rem}
"""
# Even a fault in the escaping could load nothing and run nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(body: Mapping[str, Any], answers: Sequence[Mapping[str, Any]]) -> str:
    """The whole page; everything in it is escaped."""
    parts = [_numbers(body), _advice(body), _fields(body), _answers(body, answers), _about(body)]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f'<meta http-equiv=Content-Security-Policy content="{POLICY}">'
        "<meta name=viewport content='width=device-width'>"
        f"<title>Privatune comparison</title><style>{STYLE}{MORE}</style>"
        f"<body><h1>Privatune comparison</h1>{''.join(parts)}</body></html>\n"
    )


def _rows(rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> str:
    def line(tag: str, row: Sequence[str]) -> str:
        cells = (
            f"<{tag}{' class=n' if i in numbers else ''}>{escape(cell)}</{tag}>"
            for i, cell in enumerate(row)
        )
        return f"<tr>{''.join(cells)}</tr>"

    head, *others = rows
    return f"<table>{line('th', head)}{''.join(line('td', row) for row in others)}</table>"


def _numbers(body: Mapping[str, Any]) -> str:
    return f"<p>{escape(what(body))}.</p>{_rows(table(body), (1, 2))}"


def _advice(body: Mapping[str, Any]) -> str:
    return "".join(f"<p class=note>{escape(one['message'])}</p>" for one in body["advice"])


def _fields(body: Mapping[str, Any]) -> str:
    if not body["fields"]:
        return ""
    names = list(body["models"])
    kinds = list(body["fields"][0][names[0]])
    head = ["field", *(f"{name}: {kind}" for name in names for kind in kinds)]
    rows = [
        [row["path"], *(f"{row[name][kind]:,}" for name in names for kind in kinds)]
        for row in body["fields"]
    ]
    return f"<h2>Fields</h2>{_rows([head, *rows], range(1, len(head)))}"


def _answers(body: Mapping[str, Any], answers: Sequence[Mapping[str, Any]]) -> str:
    names = list(body["models"])
    more = len(answers) - SHOWN
    note = (
        f"<p>The first {SHOWN:,}; answers.jsonl has all {len(answers):,}.</p>" if more > 0 else ""
    )
    shown = "".join(_answer(one, names) for one in answers[:SHOWN])
    return f"<h2>Answers</h2>{note}{shown}"


def _answer(one: Mapping[str, Any], names: Sequence[str]) -> str:
    columns = [f"<div><b>expected</b><pre>{escape(one['expected'])}</pre></div>"]
    for name in names:
        said = one[name]
        right = " class=right" if said["exact"] else ""
        tag = "equal" if said["exact"] else "differs"
        tag += "" if said["ended"] else ", does not end"
        columns.append(
            f"<div{right}><b>{name}</b> <span class=tag>{tag}</span>"
            f"<pre>{escape(said['text'])}</pre></div>"
        )
    return (
        f"<h3>Record {one['record']:,}, answer {one['answer']:,}</h3>"
        f"<details><summary>request</summary><pre>{escape(one['request'])}</pre></details>"
        f"<div class=side>{''.join(columns)}</div>"
    )


def _about(body: Mapping[str, Any]) -> str:
    rows = [("base", body["base"]["name"]), ("its hash", body["base"]["hash"]),
            ("manifest", body["manifest"]), ("seal", body["seal"]["level"]),
            *body["versions"].items()]  # fmt: skip
    return f"<h2>About</h2>{_rows([('', ''), *rows], ())}"
