"""Every calendar date is found by rule, and nothing that only looks like one."""

from __future__ import annotations

import json
import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.detect import AllowEntry, DetectorSettings, build
from scrubbers.finding import Finding
from scrubbers.jsontext import leaves
from scrubbers.passage import Passage
from scrubbers.record_scan import scan_records
from scrubbers.rules.ages import ages
from scrubbers.rules.calendar import days, only_dates
from tests.scrubbers.surrogates.test_dates import EVERYWHERE, WRITTEN


def found(text: str, language: str = "en", label: str = "", dates: str = "shift") -> list[str]:
    return [text[f.start : f.end] for f in days(Passage(text, language, label), dates)]


@given(
    day=st.dates(date(1931, 1, 1), date(2029, 12, 31)),
    form=st.sampled_from(
        [(lang, form) for lang, forms in WRITTEN.items() for form in (*forms, *EVERYWHERE)]
    ),
)
@settings(max_examples=400, deadline=None)
def test_a_date_in_any_language_and_form_is_found(day: date, form) -> None:
    language, write = form
    text = f"({write(day)})."
    digits = {char for one in found(text, language) for char in one}
    assert digits
    left = text
    for one in found(text, language):
        left = left.replace(one, "")
    assert str(day.year) not in left
    assert str(day.day) not in left.split("T")[0].replace("23:59", "")


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "charged twice, both on 2 February; on 5/2 at 10:30", ["2 February", "5/2"]),
        ("en", "from 3 to 5 March 2025, then 14/03/2025-16/03/2025", ["3 to 5 March 2025", "14/03/2025", "16/03/2025"]),
        ("en", "scan_20250314.pdf IMG-20250314-WA0001.jpg", ["20250314", "20250314"]),
        ("en", "log 2024-03-14T10:15:00Z 2024-03-14 10:15:00,123", ["2024-03-14", "2024-03-14"]),
        ("en", "1O/l4/2024 and 8 March l979", ["1O/l4/2024", "8 March l979"]),
        ("en", "born on july the fourth seventy six, in March", ["july the fourth seventy six", "March"]),
        ("en", "the 5th of may, meeting on may 5", ["5th of may", "may 5"]),
        ("es", "el 9/8 a las 10; hasta finales de agosto; cinco de mayo", ["9/8", "agosto", "cinco de mayo"]),
        ("de", "am 12.9. um 10 Uhr, O4.ll. und 03.02., Ende Juni", ["12.9.", "O4.ll.", "03.02.", "Juni"]),
        ("fr", "le 12/06, quinze août, depuis mars, 1er septembre 2025", ["12/06", "quinze août", "mars", "1er septembre 2025"]),
        ("it", "nato il 12.IV.1986 o 12/4", ["12.IV.1986"]),
        ("ru", "14 марта 2024 г., в марте", ["14 марта 2024", "марте"]),
        ("fi", "14. maaliskuuta 2024, maaliskuussa", ["14. maaliskuuta 2024", "maaliskuussa"]),
        ("ja", "会議は2024年3月14日に", ["2024年3月14日"]),
        ("en", "Feb 2021 to 2021-02, 03/2025, Sep-24", ["Feb 2021", "2021-02", "03/2025", "Sep-24"]),
    ],
)  # fmt: skip
def test_what_is_a_date(language: str, text: str, wanted: list[str]) -> None:
    assert found(text, language) == wanted


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "next Friday at 10:30, tomorrow, in 8 years, for 3 weeks, the 60s, aged 4, 24/7, 9-5"),
        ("en", "version 1.12.61, v2.3.4, 10.12.0.1, rated 4/5, 1/2 cup, $12.05, 3.5 %, the 5th floor"),
        ("en", "set 3 alarms; only 5 may attend; I may first check; one may ask; march 2 miles"),
        ("en", "budget 2010-12, in 2019, law no. 12/2024, room 101, port 8080, 555-0142"),
        ("es", "Ley 39/2015 y Real Decreto 5/2020; puntuación 9/10"), ("de", "Kapitel 3.2., § 5.2., Az. 7/2019"),
        ("fr", "Vers 16 heures, un des chefs, 3,5 sur 10"), ("ro", "nu și-a mai atins"),
    ],
)  # fmt: skip
def test_what_is_none(language: str, text: str) -> None:
    assert found(text, language) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("seen Fri 3rd, due 30.02.2025", ["Fri 3rd", "30.02.2025"]), ("on Feb 30", ["Feb 30"]),
        ("in 2024-W12", ["2024-W12"]), ("Easter Monday 2025", ["Easter Monday 2025"]),
        ("on the 13th of this month", ["13th of this month"]), ("31/31/2024", ["31/31/2024"]),
    ],
)  # fmt: skip
def test_what_is_one_and_cannot_be_read_is_found_too(text: str, wanted: list[str]) -> None:
    assert found(text) == wanted


@pytest.mark.parametrize(
    ("label", "value", "is_found"),
    [
        ("invoice_date", "20250314", True), ("createdAt", "1735689602", True), ("id", "1735689602", False),
        ("date", "12/06", True), ("ratio", "12/06", False), ("start", "2010-12", True), ("dob", "22111995", True),
    ],
)  # fmt: skip
def test_a_key_tells_what_its_numbers_are(label: str, value: str, *, is_found: bool) -> None:
    assert found(value, label=label) == ([value] if is_found else [])


def test_what_is_coarse_already_stays_so() -> None:
    text = "March 2024, 12/2024, 2024-03; Friday, 14 March 2024 and 2024-03-14T10:15:00Z"
    assert found(text, dates="generalise") == ["Friday, 14 March 2024", "2024-03-14T10:15:00Z"]
    assert found("20250301", label="date", dates="generalise") == []


@pytest.mark.parametrize(
    ("text", "label", "wanted"),
    [
        ("a 93-year-old and a 45 years old", "", ["93"]), ("die 94-jährige, 92 Jahre alt", "", ["94", "92"]),
        ("de 93 años, âgé de 91 ans, 95 anni", "", ["93", "91", "95"]), ("aged 97", "", ["97"]),
        ("93 years of experience, 91 % and 95 items", "", []), ("93", "age", ["93"]), ("89", "age", []),
        ("93", "count", []),
    ],
)  # fmt: skip
def test_ages_over_89(text: str, label: str, wanted: list[str]) -> None:
    assert [text[start:end] for start, end in ages(text, label)] == wanted


def marked(text: str, part: str, detector: str = "spacy", kind: str = "DATE_TIME") -> Finding:
    start = text.index(part)
    return Finding(start, start + len(part), kind, 0.85, detector)


def test_a_model_is_cut_to_the_dates_inside() -> None:
    text = "from 14 March 2024 until next Friday, for 8 years, due 28.02 or Fri 3rd"
    passage = Passage(text, "en")
    own = days(passage, "shift")
    spans = ["from 14 March 2024 until next Friday", "8 years", "28.02", "Fri 3rd"]
    kept = only_dates([marked(text, one) for one in spans], own, passage, "shift")
    assert [text[f.start : f.end] for f in kept] == ["14 March 2024", "28.02", "Fri 3rd"]


def test_a_date_inside_an_identifier_stays_its_own() -> None:
    detect = build(DetectorSettings(detectors=("rules",), dates="shift"))
    text = "codice fiscale RSSMRA85T10A562S, nato il 10/12/1985"
    kinds = {text[f.start : f.end]: f.type for f in detect([Passage(text, "it")])[0]}
    assert kinds == {"RSSMRA85T10A562S": "NATIONAL_ID", "10/12/1985": "DATE_OF_BIRTH"}


def test_an_allowed_date_stays() -> None:
    settings = DetectorSettings(
        detectors=("rules",), dates="shift", allow=(AllowEntry("14 March 2024", "our birthday"),)
    )
    assert build(settings)([Passage("since 14 March 2024", "en")])[0] == []


@pytest.mark.parametrize(
    "unit", ["1/", "may ", "1 may ", "one may ", "3 and 5 March ", "1" + " " * 99, "x", "2024-"]
)
def test_long_texts_take_no_square_of_their_length(unit: str) -> None:
    def seconds(length: int) -> float:
        start = time.process_time()
        days(Passage(unit * (length // len(unit)), "en", "date"), "shift")
        return time.process_time() - start

    seconds(2_000)
    assert seconds(40_000) < 25 * max(seconds(4_000), 0.02)


def test_a_bare_day_and_month_is_a_date_where_the_record_has_it() -> None:
    detector = build(DetectorSettings(detectors=("rules",), dates="shift"))
    texts = ["fue el 9/8, puntuación 4/5", "- Hecho: 09/08, estacionado, 3/7", "- 2.9 de 10"]
    record = leaves(json.dumps(texts, ensure_ascii=False))
    hit = scan_records([record], detector, ("es",))[0]
    assert [record[i].text[f.start : f.end] for i, f in hit.findings] == ["9/8", "09/08"]


def kinds(text: str, dates: str, label: str = "", language: str = "en") -> list[tuple[str, str]]:
    detect = build(DetectorSettings(detectors=("rules",), dates=dates))
    (one,) = detect([Passage(text, language, label)])
    return [(text[f.start : f.end], f.type) for f in one if f.type.startswith("DATE_")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Paul is 93, born 1931, seen 2025-03-03.", ["1931"]),
        ("geboren im Jahr 1931", ["1931"]),
        ("née en 1931; founded 1931; in 1931", ["1931"]),
        ("Year of birth: 1931", ["1931"]),
        ("born in 1931-2", []),
    ],
)
def test_years_of_birth_are_found_under_generalise_alone(text: str, wanted: list[str]) -> None:
    told = [value for value, kind in kinds(text, "generalise") if kind == "DATE_OF_BIRTH"]
    assert told == wanted
    assert not any(kind == "DATE_OF_BIRTH" for _, kind in kinds(text, "shift"))


@pytest.mark.parametrize(
    "label", ["birth_year", "birthYear", "yob", "geboren", "Geburtsjahr", "año de nacimiento"]
)
def test_years_of_birth_are_found_by_their_key(label: str) -> None:
    assert kinds("1931", "generalise", label) == [("1931", "DATE_OF_BIRTH")]
    assert kinds("1931", "generalise", "founded") == []


def test_a_date_behind_a_date_of_birth_is_none_itself() -> None:
    text = "Born on the third of March nineteen eighty-four, Monday 3 March 2025"
    assert kinds(text, "shift") == [
        ("third of March nineteen eighty-four", "DATE_OF_BIRTH"), ("3 March 2025", "DATE_TIME")
    ]  # fmt: skip
    assert kinds("born in Rome, married 3 March 2010", "shift") == [("3 March 2010", "DATE_TIME")]


def test_weeks_and_days_of_the_year_are_found_whole() -> None:
    text = "seen 2025-W10-1 and 2025W101, on 2025-062; case 2025-062"
    assert found(text) == found(text, dates="generalise") == ["2025-W10-1", "2025W101", "2025-062"]
    assert found("2025-062", label="created_at") == ["2025-062"]
    assert found("in 2025-W10", dates="draw") == []


def test_a_month_in_a_language_that_is_not_read_is_found_to_be_told() -> None:
    assert found("3 במרץ 2025", "und") == ["3 במרץ 2025"]
    assert found("tanggal 3 maret 2025", "id") == ["3 maret 2025"]
    for text in ("Top 10 albums 2023", "please set 31; 31 sets", "3. Platz 2023"):
        assert found(text, "und") == []
