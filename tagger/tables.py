"""Tables of several people or things: Markdown, CSV, TSV, HTML, aligned."""

from __future__ import annotations

import random

from tagger.cast import Cast, render
from tagger.fields import chosen, harmless_fields, value
from tagger.grammar import grammar_of
from tagger.pieces import Pieces, joined, mapped, plain, text_of


def table(cast: Cast, *, quiet_rows: bool = False) -> Pieces:
    """A table of several people, or of things: Markdown, CSV, TSV, HTML, aligned."""
    rng = cast.rng
    header, rows = table_rows(cast, quiet_rows=quiet_rows)
    style = rng.choice(
        ("markdown", "markdown", "csv", "csv", "semicolon", "tsv", "html", "aligned", "pipe")
    )
    out: list[Pieces] = []
    for i, row in enumerate([header, *rows]):
        if style in ("markdown", "pipe"):
            line = joined(row, " | ")
            out.append([("| ", None), *line, (" |", None)] if style == "markdown" else line)
            if i == 0 and style == "markdown":
                out.append(
                    plain("|" + "|".join(rng.choice(("---", " --- ", ":--")) for _ in row) + "|")
                )
        elif style in ("csv", "semicolon", "tsv"):
            out.append(delimited(rng, row, {"csv": ",", "semicolon": ";", "tsv": "\t"}[style]))
        elif style == "html":
            tag = "th" if i == 0 else "td"
            out.append(
                [
                    ("<tr>", None),
                    *[p for cell in row for p in [(f"<{tag}>", None), *cell, (f"</{tag}>", None)]],
                    ("</tr>", None),
                ]
            )
        else:
            out.append(
                [p for cell in row for p in [*cell, (" " * max(2, 22 - len(text_of(cell))), None)]]
            )
    caption: Pieces = []
    grammar = grammar_of(cast.language)
    if not quiet_rows and grammar.has("table.caption") and rng.random() < 0.5:
        caption = [
            *render(cast, grammar, "table.caption"),
            ("\n" if style != "markdown" else "\n\n", None),
        ]
    return [*caption, *joined(out, "\n")]


def table_rows(cast: Cast, *, quiet_rows: bool) -> tuple[list[Pieces], list[list[Pieces]]]:
    """The header and the rows of a table."""
    rng = cast.rng
    if quiet_rows:
        fields = harmless_fields(cast, 4)
        rows = []
        for _ in range(rng.randint(2, 5)):
            fresh = {field.kind: field.value for field in harmless_fields(cast, 16)}
            rows.append([fresh.get(field.kind, field.value) for field in fields])
        return [plain(field.key) for field in fields], rows
    fields = chosen(cast, rng.randint(2, 5))
    keys = [(field.kind, field.key) for field in fields]
    extra = harmless_fields(cast, rng.choice((0, 0, 1, 1, 2)))
    rows = []
    for _ in range(rng.randint(1, 6)):
        other = Cast(rng, cast.language, cast.country)
        row = [value(other, kind, key, "p1") for kind, key in keys]
        rows.append(
            [[(text.replace("\n", ", "), label) for text, label in cell] for cell in row]
            + [field.value for field in extra]
        )
    return [plain(key) for _, key in keys] + [plain(field.key) for field in extra], rows


def delimited(rng: random.Random, row: list[Pieces], sign: str) -> Pieces:
    """A line of a CSV file, quoted where it must be and at times where not."""
    always = rng.random() < 0.15
    cells: list[Pieces] = []
    for cell in row:
        text = text_of(cell)
        if always or sign in text or '"' in text or "\n" in text:
            cells.append(
                [('"', None), *mapped(cell, lambda part: part.replace('"', '""')), ('"', None)]
            )
        else:
            cells.append(cell)
    return joined(cells, sign)
