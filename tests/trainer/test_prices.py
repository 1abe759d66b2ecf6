"""The guides' worked examples through the real functions, and the default price file."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.prices import (
    Prices,
    PricesError,
    bracket_minutes,
    cost,
    default_prices,
    over,
    rate,
    table_row,
    whole_hours,
)

BOOK = default_prices()
QWEN3_8B = 8.19e9
OFFERS = {o.provider: o.per_hour for o in BOOK.offers if o.card == "RTX 4090"}


def dated(**row: object) -> dict[str, object]:
    return {"source": "a quote", "date": "2026-11", **row}


@pytest.mark.parametrize(
    ("examples", "tokens", "epochs", "seconds", "hours", "digits", "vast", "runpod"),
    [
        (2_000, 600, 3, 1_029, 1.12, 2, 0.35, 0.83),
        (20_000, 1_000, 2, 11_429, 4.0, 1, 1.24, 2.97),
    ],
)
def test_the_first_guides_examples(
    examples: int, tokens: int, epochs: int, seconds: int, hours: float, digits: int,
    vast: float, runpod: float,
) -> None:  # fmt: skip
    pace = rate(BOOK, "RTX 4090", QWEN3_8B)
    assert pace is not None
    training = pace.seconds(examples * tokens * epochs)
    assert round(training) == seconds
    paid = whole_hours(training, BOOK)
    assert round(paid, digits) == hours
    assert round(cost(paid, OFFERS["Vast.ai"]), 2) == vast
    assert round(cost(paid, OFFERS["RunPod"]), 2) == runpod


def test_the_small_example_takes_67_minutes() -> None:
    pace = rate(BOOK, "RTX 4090", QWEN3_8B)
    assert pace is not None
    assert round(pace.seconds(3_600_000) / 60) == 17
    assert round(whole_hours(pace.seconds(3_600_000), BOOK) * 60) == 67
    assert [step.minutes for step in BOOK.minutes] == [10, 10, 15, 15]


def test_both_vram_tables_are_the_guides() -> None:
    found = {table.name: [(r.size, r.qlora, r.lora) for r in table.rows] for table in BOOK.tables}
    assert found["minimum"] == [
        ("3B", 3.5, 8), ("8B", 6, 22), ("14B", 8.5, 33), ("32B", 26, 76), ("70B", 41, 164)
    ]  # fmt: skip
    assert found["with margin"] == [
        ("2-3B", 4, 8), ("8-9B", 6, 16), ("12B", 10, 28), ("27-35B", 22, None), ("70B", 48, None)
    ]  # fmt: skip
    assert [table.margin for table in BOOK.tables] == [0, 0.2]
    by_size = {t.name: table_row(t, QWEN3_8B) for t in BOOK.tables}
    assert [row.size for row in by_size.values() if row] == ["8B", "8-9B"]
    assert table_row(BOOK.tables[0], 0.1e9) is None


def test_prices_of_larger_cards_and_needs_are_the_guides() -> None:
    others = {o.card: o.per_hour for o in BOOK.offers if o.card != "RTX 4090"}
    assert others == {"A40": 0.49, "RTX A6000": 0.53, "L40S": 1.09}
    assert {n.what: (n.gb, n.least) for n in BOOK.needs} == {
        "disk": (50, 50), "memory": (32, 16), "download": (16.4, 5)
    }  # fmt: skip


def test_times_of_the_second_guide_go_with_examples_and_epochs() -> None:
    assert bracket_minutes(BOOK, "rtx 3090", 1000, 3) == (20, 40)
    assert bracket_minutes(BOOK, "RTX 4090", 1000, 3) == (12, 25)
    assert bracket_minutes(BOOK, "RTX 5090", 1000, 3) == (8, 15)
    assert bracket_minutes(BOOK, "RTX 3090", 2000, 1.5) == (20, 40)
    assert bracket_minutes(BOOK, "A40", 1000, 3) is None


def test_a_card_without_a_rate_takes_it_from_the_times_of_both() -> None:
    known, slower = rate(BOOK, "RTX 4090", QWEN3_8B), rate(BOOK, "RTX 3090", QWEN3_8B)
    assert known
    assert slower
    assert slower.tokens_per_second / known.tokens_per_second == pytest.approx(18.5 / 30)
    assert "second guide" in slower.basis
    assert rate(BOOK, "A40", QWEN3_8B) is None
    assert rate(BOOK, "RTX 4090", QWEN3_8B, "lora") is None


def test_a_larger_model_trains_slower_in_proportion() -> None:
    known, larger = rate(BOOK, "RTX 4090", 8.0e9), rate(BOOK, "RTX 4090", 32e9)
    assert known
    assert larger
    assert larger.tokens_per_second == pytest.approx(known.tokens_per_second / 4)
    assert "scaled" in larger.basis
    assert "scaled" not in known.basis


@given(tokens=st.floats(0, 1e12), parameters=st.floats(1e8, 1e12))
def test_the_optimistic_case_is_never_the_longest(tokens: float, parameters: float) -> None:
    for card in BOOK.cards:
        pace = rate(BOOK, card.name, parameters)
        if pace:
            low, high = pace.spread
            assert 0 <= pace.seconds(tokens) * low <= pace.seconds(tokens)
            assert pace.seconds(tokens) <= pace.seconds(tokens) * high


def test_every_default_figure_has_a_source_and_a_date_gone_by() -> None:
    sections = (BOOK.cards, BOOK.offers, BOOK.throughput, BOOK.brackets, BOOK.tables,
                BOOK.minutes, BOOK.needs)  # fmt: skip
    for section in sections:
        assert section
        for row in section:
            assert row.source
            year, month = (int(part) for part in row.date.split("-")[:2])
            assert date(2026, 1, 1) <= date(year, month, 1) <= date(2026, 12, 31)


def test_the_default_names_no_card_that_it_does_not_have() -> None:
    assert over(BOOK, BOOK) == BOOK


def test_a_section_that_is_given_stands_in_for_the_defaults() -> None:
    mine = Prices.model_validate(
        {"currency": "€", "offers": (dated(card="rtx 4090", provider="Own", per_hour=0.2),)}
    )
    merged = over(BOOK, mine)
    assert [(o.provider, o.per_hour) for o in merged.offers] == [("Own", 0.2)]
    assert (merged.currency, merged.throughput) == ("€", BOOK.throughput)


def test_a_card_that_is_nowhere_is_told_with_the_nearest() -> None:
    mine = Prices.model_validate({"offers": (dated(card="RTX 4900", provider="X", per_hour=1),)})
    with pytest.raises(PricesError, match=r"offers\[0\]\.card.*did you mean `RTX 4090`"):
        over(BOOK, mine)
    with pytest.raises(PricesError, match="known: GTX 1660"):
        BOOK.card("something else")
    assert BOOK.card("rtx a6000").vram_gb == 48
