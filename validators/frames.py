"""The record table and the rules of the whole set, in pandera; failing values stay hidden."""

from __future__ import annotations

from functools import partial
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from validators.faults import Fault, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd
    import pandera.pandas as pa

STATUSES = ("train", "holdout", "quarantine", "dropped")
SHIPPED = ("train", "holdout")
PLACES = 5  # how many failing rows a fault names

# Column -> pandas type. `turns`, `tokens` and `answer` are empty where nothing could be counted;
# `answer` is the length of the shortest answer, in characters without outer white space.
COLUMNS: dict[str, str] = {
    "number": "int64", "file": "category", "line": "Int64", "format": "category",
    "language": "category", "turns": "Int32", "characters": "int64", "answer": "Int64",
    "tokens": "Int64", "status": "category", "reason": "category",
}  # fmt: skip


def record_table(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Build the record table from whole columns; a column that is not given is empty."""
    import pandas as pd  # noqa: PLC0415 -- dear to import

    length = max((len(column) for column in columns.values()), default=0)
    empty: list[Any] = [None] * length
    return pd.DataFrame(
        {name: pd.Series(columns.get(name, empty), dtype=kind) for name, kind in COLUMNS.items()}
    )


def schema() -> pa.DataFrameSchema:
    """Make the schema of the record table: types, ranges, reasons, one row for each record."""
    import pandera.pandas as pa  # noqa: PLC0415 -- dear to import

    count = pa.Check.ge(0)
    columns = {
        "number": pa.Column("int64", pa.Check.ge(1)),
        "file": pa.Column("category"),
        "line": pa.Column("Int64", pa.Check.ge(1), nullable=True),
        "format": pa.Column("category", nullable=True),
        "language": pa.Column("category", nullable=True),
        "turns": pa.Column("Int32", count, nullable=True),
        "characters": pa.Column("int64", count),
        "answer": pa.Column("Int64", count, nullable=True),
        "tokens": pa.Column("Int64", count, nullable=True),
        "status": pa.Column("category", pa.Check.isin(STATUSES)),
        "reason": pa.Column("category", nullable=True),
    }
    # One answer for the whole table: pandera would list a failing row once for every column.
    checks = [pa.Check(partial(_all, rule), name=name) for name, rule in RULES.items()]
    return pa.DataFrameSchema(columns, checks=checks, strict="filter", name="records")


def _answered(table: pd.DataFrame) -> pd.Series[bool]:
    return ~table["status"].isin(SHIPPED) | table["answer"].isna() | (table["answer"].fillna(0) > 0)


def _reasoned(table: pd.DataFrame) -> pd.Series[bool]:
    return table["status"].isin(SHIPPED) == table["reason"].isna()


def _single(table: pd.DataFrame) -> pd.Series[bool]:
    return ~table.duplicated(["file", "number"], keep="first")


RULES = {
    "table-empty-answer": _answered,
    "table-reason": _reasoned,
    "table-duplicate": _single,
}


def _all(rule: Callable[[pd.DataFrame], pd.Series[bool]], table: pd.DataFrame) -> bool:
    return bool(rule(table).all())


def check_frame(
    table: pd.DataFrame,
    *,
    records: int | None = None,
    holdout: tuple[float, float] | None = None,
) -> list[Fault]:
    """List every failure of the table, each with its first places and never with a value.

    `records` is the number that was read: the table must account for each. `holdout` gives the
    bounds of the share of train + holdout that must be held out; None where none is expected.
    """
    import pandera.errors  # noqa: PLC0415 -- dear to import

    try:
        schema().validate(table, lazy=True)
        found = []
    except pandera.errors.SchemaErrors as errors:
        found = _row_faults(errors.failure_cases, table)
    return found + _check_books(table, records) + _check_share(table, holdout)


_SENTENCES = {
    "table-empty-answer": "shipped with an empty answer: quarantine or drop them",
    "table-reason": "without a reason though they do not ship, or shipped with one",
    "table-duplicate": "in the table twice",
}


def _row_faults(cases: pd.DataFrame, table: pd.DataFrame) -> list[Fault]:
    missing = [name for name in COLUMNS if name not in table]
    if missing:
        return [fault("table", "", f"The table lacks the columns {', '.join(missing)}.")]
    found = []
    for (column, check), rows in cases.groupby(["column", "check"], sort=True):
        name = str(check)
        if name in RULES:
            bad = (~RULES[name](table)).to_numpy().nonzero()[0].tolist()
            found.append(
                fault(name, "", f"{len(bad)} records {_SENTENCES[name]}{_where(bad, table)}.")
            )
        else:
            rule = name.split("(", maxsplit=1)[0]
            known = {int(i) for i in rows["index"] if _is_row(i)}
            places = _where(sorted(known), None if column in ("file", "number") else table)
            found.append(fault("table", str(column), f"{len(known) or 'All'} rows break the rule "
                               f"`{rule}` of the column{places}."))  # fmt: skip
    return found


def _is_row(index: object) -> bool:
    return isinstance(index, int | float) and index == index  # noqa: PLR0124 -- NaN is no row


def _where(rows: Sequence[int], table: pd.DataFrame | None) -> str:
    """Name the first rows by file and record, or by row where those may be what is wrong."""
    first = list(rows)[:PLACES]
    if not first:
        return ""
    if table is None or table["number"].dtype.kind != "i":
        return f" (rows {', '.join(str(row + 1) for row in first)} of the table)"
    numbers, files = table["number"], table["file"]
    return f" ({', '.join(f'{files.iloc[row]}:{numbers.iloc[row]}' for row in first)})"


def _check_books(table: pd.DataFrame, records: int | None) -> list[Fault]:
    if records is None or records == len(table):
        return []
    return [fault("table-books", "", f"{records} records were read, the table accounts for "
                  f"{len(table)}. Do not use this set; report it as a fault of the program."
                  )]  # fmt: skip


def _check_share(table: pd.DataFrame, bounds: tuple[float, float] | None) -> list[Fault]:
    if bounds is None or "status" not in table:
        return []
    held = int((table["status"] == "holdout").sum())
    shipped = held + int((table["status"] == "train").sum())
    least, most = ceil(bounds[0] * shipped - 1e-9), floor(bounds[1] * shipped + 1e-9)
    if least > most or least <= held <= most:  # no whole number of records fits a tiny set
        return []
    return [fault("table-holdout", "status", f"The holdout has {held} of {shipped} records; it "
                  f"should have {least} to {most}. See the groups of related records."
                  )]  # fmt: skip
