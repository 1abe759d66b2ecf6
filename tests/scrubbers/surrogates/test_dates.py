"""Dates that are shifted, made coarse or drawn: form, language, intervals."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrubbers.surrogates.context import contexts
from scrubbers.surrogates.dateorder import record_order
from scrubbers.surrogates.dateread import readings
from scrubbers.surrogates.dates import UnreadableDate
from scrubbers.surrogates.months import MONTHS, SHORT, WEEKDAYS, month_index
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.shift import moved, offset, unshifted
from scrubbers.surrogates.unit import Value
from scrubbers.surrogates.write import write
from tests.scrubbers.surrogates.lookup import KEY, surrogate

DAYS = st.integers(3, 50).map(lambda weeks: 7 * weeks) | st.integers(-50, -3).map(
    lambda weeks: 7 * weeks
)
CALENDAR = st.dates(date(1931, 6, 1), date(2028, 6, 1))
ENGLISH = ("st", "nd", "rd")


def values(*texts: str, entity: str = "DATE_TIME") -> list[Value]:
    return [Value(entity, text) for text in texts]


def changed(
    found: list[Value], language: str = "en", dates: str = "shift", days: int = 63
) -> list[str]:
    """The values of one record as they are written."""
    return [
        write(value.entity, value.text, context, lambda unit: moved(unit, dates, days))
        for value, context in zip(found, contexts(found, language, dates), strict=True)
    ]


def shifted(text: str, language: str = "en", days: int = 63) -> str:
    return changed(values(text), language, days=days)[0]


def ordinal(day: int) -> str:
    ending = "th" if 10 < day < 20 or day % 10 not in (1, 2, 3) else ENGLISH[day % 10 - 1]
    return f"{day}{ending}"


def month(language: str, day: date) -> str:
    return MONTHS[language].split()[day.month - 1]


def short(language: str, day: date) -> str:
    return SHORT[language].split()[day.month - 1]


# How a date is written in each language, told without the reader.
WRITTEN = {
    "en": [
        lambda d: f"{d:%m/%d/%Y}", lambda d: f"{d.month}/{d.day}/{d:%y}",
        lambda d: f"{month('en', d).title()} {d.day}, {d.year}",
        lambda d: f"{d.day} {month('en', d).title()} {d.year}",
        lambda d: f"{WEEKDAYS['en'].split()[d.weekday()].title()}, {month('en', d).title()} {ordinal(d.day)}, {d.year}",
        lambda d: f"the {ordinal(d.day)} of {month('en', d)} {d.year}",
        lambda d: f"{d:%d}-{short('en', d).upper()}-{d:%Y}",
    ],
    "es": [
        lambda d: f"{d:%d/%m/%Y}", lambda d: f"{d.day} de {month('es', d)} de {d.year}",
        lambda d: f"{WEEKDAYS['es'].split()[d.weekday()]}, {d.day} de {month('es', d)} del {d.year}",
        lambda d: f"{d:%d}/{short('es', d).upper()}/{d.year}",
    ],
    "fr": [lambda d: f"{d:%d.%m.%Y}", lambda d: f"{'1er' if d.day == 1 else d.day} {month('fr', d)} {d.year}"],
    "de": [
        lambda d: f"{d:%d.%m.%y}", lambda d: f"{d.day}.{d.month}.{d.year}",
        lambda d: f"{WEEKDAYS['de'].split()[d.weekday()].title()}, {d.day}. {month('de', d).title()} {d.year}",
    ],
    "it": [lambda d: f"{d.day} {month('it', d)} {d.year}", lambda d: f"{d:%d-%m-%Y}"],
    "pt": [lambda d: f"{d.day} de {month('pt', d)} de {d.year}"],
    "nl": [lambda d: f"{d.day} {month('nl', d)} {d.year}"],
    "pl": [lambda d: f"{d.day} {month('pl', d)} {d.year}"],
    "ro": [lambda d: f"{d.day} {month('ro', d)} {d.year}"],
    "sv": [lambda d: f"{d.day} {month('sv', d)} {d.year}"],
    "no": [lambda d: f"{d.day}. {month('no', d)} {d.year}"],
    "da": [lambda d: f"{d.day}. {month('da', d)} {d.year}"],
    "fi": [lambda d: f"{d.day}. {month('fi', d)} {d.year}"],
    "ru": [lambda d: f"{d.day} {month('ru', d)} {d.year} г."],
}  # fmt: skip
EVERYWHERE = [
    lambda d: d.isoformat(), lambda d: f"{d:%Y%m%d}", lambda d: f"{d}T10:15:00+02:00",
    lambda d: f"{d:%Y/%m/%d} 23:59", lambda d: f"{d:%d.%m.%Y}",
]  # fmt: skip


@st.composite
def records(draw: st.DrawFn) -> tuple[str, list]:
    language = draw(st.sampled_from(sorted(WRITTEN)))
    forms = st.sampled_from([*WRITTEN[language], *EVERYWHERE])
    return language, draw(st.lists(st.tuples(CALENDAR, forms), min_size=1, max_size=5))


@given(record=records(), days=DAYS)
@settings(max_examples=400, deadline=None)
def test_every_date_of_a_record_moves_by_one_interval_in_its_own_form(record, days: int) -> None:
    language, dated = record
    swapped = {(d.year, d.day, d.month) for d, _ in dated if d.day != d.month}
    assume(swapped.isdisjoint((d.year, d.month, d.day) for d, _ in dated))
    assume(all(1930 <= (d + timedelta(days=days)).year < 2030 for d, _ in dated))
    found = values(*(form(day) for day, form in dated))
    wanted = [form(day + timedelta(days=days)) for day, form in dated]
    for old, new, right in zip(found, changed(found, language, days=days), wanted, strict=True):
        assert without_zeros(old.text, new) == without_zeros(old.text, right)


def without_zeros(old: str, text: str) -> str:
    """Where `old` does not tell whether numbers below ten get a zero (12/11/2024), any will do."""
    day = re.sub(r"^(\d+([./-])\d+)\2\d\d$", r"\1", old)  # a year's zero tells nothing
    told = re.search(r"(?<!\d)(?:0\d|\d)(?!\d)", day) or "T" in old
    return text if told else re.sub(r"(?<!\d)0(\d)(?!\d)", r"\1", text)


@given(record=records(), days=DAYS)
@settings(max_examples=200, deadline=None)
def test_a_shifted_record_is_read_back_as_the_shifted_dates(record, days: int) -> None:
    language, dated = record
    found = values(*(form(day) for day, form in dated))
    told = contexts(found, language, "shift")
    written = values(*changed(found, language, days=days))
    again = contexts(written, language, "shift", told[0].order)
    for old, before, new, after in zip(found, told, written, again, strict=True):
        was = units("DATE_TIME", old.text, before)
        now = units("DATE_TIME", new.text, after)
        assert [moved(unit, "shift", days) for unit in was] == [unit.norm for unit in now]
        assert [unshifted(unit.norm, days) for unit in now] == [(unit.norm,) for unit in was]


@pytest.mark.parametrize("word", sorted(month_index()))
def test_no_word_is_two_months(word: str) -> None:
    assert len({number for _, number in month_index()[word]}) == 1


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "Friday, 17 July 2026 at 10:30 CET", "Friday, 18 September 2026 at 10:30 CET"),
        ("en", "1O/l4/2024", "12/16/2024"), ("de", "O4.ll.", "06.01."),
        ("it", "12.IV.1986", "14.VI.1986"), ("es", "12 de marzo del 72", "14 de mayo del 72"),
        ("fr", "1er septembre 2025", "3 novembre 2025"), ("fr", "31 mai 2025", "2 août 2025"),
        ("fr", "30 mai 2025", "1er août 2025"), ("es", "12º de mayo", "14º de julio"),
        ("en", "march 3RD", "may 5TH"), ("nl", "1ste mei 2025", "3de juli 2025"),
        ("fr", "03 janv. 1938", "07 mars 1938"), ("en", "Sep '24", "Nov '24"),
        ("en", "Feb 2021", "Apr 2021"), ("en", "2021-02", "2021-04"), ("en", "03/2025", "05/2025"),
        ("ru", "в марте 2024", "в мае 2024"), ("pl", "marzec 2024", "maj 2024"),
        ("ja", "2024年3月14日", "2024年5月16日"), ("en", "15/03/2506", "17/05/2506"),
        ("en", "2025-03-14/2025-03-16", "2025-05-16/2025-05-18"),
        ("en", "14/03/2025-16/03/2025", "16/05/2025-18/05/2025"),
        ("en", "1735689602", "1741132802"), ("en", "1735689602000", "1741132802000"),
        ("nl", "010671", "030871"), ("en", "22JUN2014", "24AUG2014"),
    ],
)  # fmt: skip
def test_a_date_keeps_its_form(language: str, text: str, wanted: str) -> None:
    assert shifted(text, language) == wanted


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "july the fourth seventy six", "september the fifth seventy six"),
        ("en", "May second, nineteen ninety nine", "July fourth, nineteen ninety nine"),
        ("es", "cinco de mayo", "siete de julio"),
        ("es", "veintidós de agosto", "veinticuatro de octubre"),
        ("fr", "le premier mai mille neuf cent quatre-vingt-dix", "le trois juillet mille neuf cent quatre-vingt-dix"),
        ("fr", "trente mai", "premier août"),
        ("de", "am dritten Mai neunzehnhundertsechsundsiebzig", "am fünften Juli neunzehnhundertsechsundsiebzig"),
        ("it", "SETTE SETTE CINQUANTANOVE", "OTTO NOVE CINQUANTANOVE"),
        ("pt", "dois de maio de mil novecentos e setenta e seis", "quatro de julho de mil novecentos e setenta e seis"),
        ("nl", "drie mei tweeduizendvierentwintig", "vijf juli tweeduizendvierentwintig"),
    ],
)  # fmt: skip
def test_a_date_in_words_stays_in_words(language: str, text: str, wanted: str) -> None:
    assert shifted(text, language) == wanted


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "3 to 5 March 2025", "5 to 7 May 2025"),
        ("en", "28 to 30 March 2025", "30 May to 1 June 2025"),
        ("en", "March 28-30, 2025", "May 30-June 1, 2025"),
        ("fr", "du 28 au 30 mars", "du 30 mai au 1er juin"),
        ("es", "del 28 al 30 de marzo", "del 30 de mayo al 1 de junio"),
        ("de", "vom 28. bis 30. März", "vom 30. Mai bis 1. Juni"),
        ("de", "28.-30.3.2025", "30.5.-1.6.2025"),
        ("es", "15, 17 y 24 de enero de 1990", "19, 21 y 28 de marzo de 1990"),
        ("en", "30 December to 2 January 2025", "3 March to 6 March 2025"),
    ],
)  # fmt: skip
def test_days_that_share_a_month_move_with_it(language: str, text: str, wanted: str) -> None:
    assert shifted(text, language) == wanted


def test_over_new_year_a_stay_has_as_many_days() -> None:
    new = changed(values("2024-12-28", "2025-01-03", "28 Dec 2024"), days=10 * 7)
    first, last = (date.fromisoformat(text) for text in new[:2])
    assert (last - first).days == 6
    assert new[2] == f"{first.day} {short('en', first).title()} {first.year}"


@pytest.mark.parametrize(
    ("texts", "language", "wanted"),
    [
        (["03/04/2025"], "en", "mdy"), (["03/04/2025"], "de", "dmy"), (["03/04/2025"], "und", "dmy"),
        (["03/04/2025", "25/04/2025"], "en", "dmy"), (["03/04/2025", "04/25/2025"], "fr", "mdy"),
        (["03/04/2025", "2025-04-03"], "en", "dmy"), (["03/04/2025", "4 March 2025"], "es", "mdy"),
        (["03/04/2025", "25.04.2025"], "en", "mdy"),
    ],
)  # fmt: skip
def test_the_record_tells_which_number_is_the_month(texts, language: str, wanted: str) -> None:
    assert record_order(values(*texts), language) == wanted


def test_a_country_tells_english_dates_apart() -> None:
    dated = values("03/04/2025")
    british = Value("PHONE_NUMBER", "020 7946 0958", "GB")
    american = Value("PHONE_NUMBER", "+1 212 555 0142")
    assert record_order([*dated, british], "en") == "dmy"
    assert record_order([*dated, american], "en") == "mdy"


def test_both_forms_of_an_ambiguous_date_keep_their_interval() -> None:
    assert changed(values("03/04/2025", "2025-04-10", "2025-04-03"), "en", days=21) == [
        "24/04/2025", "2025-05-01", "2025-04-24",
    ]  # fmt: skip


def test_a_day_without_a_year_is_reckoned_in_the_year_of_the_record() -> None:
    assert changed(values("14 Feb", "14 February 2024"), days=28) == ["13 Mar", "13 March 2024"]
    assert changed(values("14 Feb", "14 February 2023"), days=28) == ["14 Mar", "14 March 2023"]
    assert changed(values("28 Dec", "3 January 2025"), days=70)[0] == "8 Mar"
    assert changed(values("29 Feb", "3 March"), days=21) == ["21 Mar", "24 March"]


def test_two_digits_are_not_read_as_another_century() -> None:
    assert shifted("31/12/29", "fr") == "04/03/2030"


@pytest.mark.parametrize(
    "text", ["Fri 3rd", "30.02.2025", "Feb 30", "Easter 2025", "next Friday", "10:30"]
)
@pytest.mark.parametrize("dates", ["", "shift", "generalise"])
def test_what_is_no_day_of_the_calendar_is_refused_by_name(text: str, dates: str) -> None:
    context = contexts(values(text), "en", dates)[0]
    with pytest.raises(UnreadableDate) as caught:
        units("DATE_TIME", text, context)
    assert caught.value.reason == "date-unreadable"
    assert text not in str(caught.value)


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "14 March 2024", "March 2024"), ("en", "March 14th, 2024", "March 2024"),
        ("en", "Friday, 14 March 2024", "March 2024"), ("en", "2024-03-14", "2024-03"),
        ("en", "2024-03-14T10:15:00Z", "2024-03"), ("en", "14/03/2024", "03/2024"),
        ("en", "03/14/2024", "03/2024"), ("es", "14 de marzo de 2024", "marzo de 2024"),
        ("ru", "14 марта 2024", "март 2024"), ("en", "14 March", "March"), ("de", "14.03.2024", "03.2024"),
        ("en", "3 to 5 March 2025", "March 2025"), ("en", "12-Sep-24", "Sep-24"),
        ("en", "20250314", "20250301"), ("en", "2024年3月14日", "2024年3月"),
        ("en", "march the fourth seventy six", "march seventy six"),
    ],
)  # fmt: skip
def test_a_coarse_date_is_month_and_year(language: str, text: str, wanted: str) -> None:
    assert changed(values(text), language, "generalise") == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("04/22/1967", "1967"), ("2 augustus 1953", "1953"), ("9.11.78", "1978"), ("5 March", "March"), ("93", "90")],
)  # fmt: skip
def test_a_coarse_birthday_is_its_year(text: str, wanted: str) -> None:
    assert changed(values(text, entity="DATE_OF_BIRTH"), "en", "generalise") == [wanted]


def test_years_of_birth_that_tell_an_age_over_89_are_one() -> None:
    born = [Value("DATE_OF_BIRTH", text) for text in ("4 May 1921", "4 May 1933", "4 May 1941")]
    new = changed([*born, *values("3 June 2025")], "en", "generalise")
    assert new == ["1935", "1935", "1941", "June 2025"]


@given(day=CALENDAR)
@settings(max_examples=100, deadline=None)
def test_a_drawn_birthday_keeps_its_year_and_changes_its_day(day: date) -> None:
    new = date.fromisoformat(surrogate("DATE_OF_BIRTH", day.isoformat()))
    assert new.year == day.year


@given(text=st.text("0123456789-./, MarchapilOo5\n:T", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for reading in readings(text, "dmy"):
        start, end = reading.span
        assert 0 <= start < end <= len(text)


def test_another_record_moves_by_another_interval() -> None:
    assert len({offset(KEY, str(number)) for number in range(2000)}) == 96


def test_a_date_of_birth_is_one_wherever_it_stands() -> None:
    found = [Value("DATE_OF_BIRTH", "04/22/1967"), *values("1967-04-22", "1968-04-22")]
    assert changed(found, "en", "generalise") == ["1967", "1967", "1968-04"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2025-W10-1", "2025-W19-1"),
        ("2025W101", "2025W191"),
        ("2025-W10", "2025-W19"),
        ("2024-W45-3", "2025-W02-3"),
        ("2025-062", "2025-125"),
        ("2024-350", "2025-047"),
        ("Δευτέρα 3 Μαρτίου 2025", "Δευτέρα 5 Μαΐου 2025"),
        ("3. března 2025", "5. května 2025"),
        ("2025. március 3.", "2025. május 5."),
        ("3 Mart 2025", "5 Mayıs 2025"),
        ("3 березня 2025", "5 травня 2025"),
        ("3 февруари 2025", "7 април 2025"),
    ],
)
def test_week_dates_days_of_the_year_and_more_languages_are_shifted(text: str, wanted: str) -> None:
    assert shifted(text, "und") == wanted


@pytest.mark.parametrize(
    "text",
    ["31 April 2025", "29 February 2023", "2025 April 31", "31-Apr-25", "April 31st, 2025", "31/04/25", "30.02.25",
     "0 May 2025", "el 31 de abril de 2025", "31. Juni 2025", "31 ноября 2025", "31 Απριλίου 2025", "2025-W54",
     "thirty-first of April 2025", "the thirty-first of April"],
)  # fmt: skip
@pytest.mark.parametrize("dates", ["shift", "generalise", ""])
def test_a_day_that_no_calendar_has_is_unreadable(text: str, dates: str) -> None:
    with pytest.raises(UnreadableDate):
        changed(values(text), dates=dates)


@pytest.mark.parametrize(
    "text",
    ["29 February 2024", "31 March 2025", "31/03/25", "04/30/25", "the thirty-first of March"],
)
def test_the_last_days_of_months_are_read(text: str) -> None:
    assert shifted(text) != text


WEEKDAYS_WRITTEN = {
    "en": "{w}, {d} March 2025", "es": "{w}, {d} de marzo de 2025", "fr": "{w} {d} mars 2025",
    "de": "{w}, den {d}. März 2025", "it": "{w} {d} marzo 2025", "pt": "{w}, {d} de março de 2025",
    "nl": "{w} {d} maart 2025", "pl": "{w}, {d} marca 2025", "ro": "{w}, {d} martie 2025",
    "sv": "{w} {d} mars 2025", "no": "{w} {d}. mars 2025", "fi": "{w} {d}. maaliskuuta 2025",
    "ru": "{w}, {d} марта 2025", "el": "{w} {d} Μαρτίου 2025", "cs": "{w} {d}. března 2025",
    "uk": "{w}, {d} березня 2025", "bg": "{w}, {d} март 2025",
}  # fmt: skip


@pytest.mark.parametrize("language", WEEKDAYS_WRITTEN)
@given(day=st.integers(13, 31))
@settings(max_examples=20, deadline=None)
def test_the_weekday_fits_a_drawn_date_in_every_language(language: str, day: int) -> None:
    names = WEEKDAYS[language].split()
    old = WEEKDAYS_WRITTEN[language].format(w=names[date(2025, 3, day).weekday()], d=day)
    new = surrogate("DATE_TIME", old)
    (reading,) = readings(new, "", language)
    assert reading.year is not None
    right = names[date(reading.year, reading.month, reading.day).weekday()]
    assert new.startswith(right)


def test_weekdays_in_brackets_and_cut_short_fit_a_drawn_date() -> None:
    for text, names in (
        ("2025年3月13日(木)", "月火水木金土日"),
        ("2025-03-13 (Thu)", WEEKDAYS["en3"].title().split()),
    ):
        new = surrogate("DATE_TIME", text)
        (reading,) = readings(new)
        weekday = date(reading.year or 0, reading.month, reading.day).weekday()
        assert new.endswith(f"({names[weekday]})")


def test_two_dates_have_a_weekday_each_and_articles_are_none() -> None:
    new = surrogate("DATE_TIME", "Monday 17 March 2025 to Friday 21 March 2025")
    for name, day, month_of in re.findall(r"(\w+) (\d+) (\w+) 2025", new):
        number = MONTHS["en"].split().index(month_of.lower()) + 1
        assert name.lower() == WEEKDAYS["en"].split()[date(2025, number, int(day)).weekday()]
    assert surrogate("DATE_TIME", "do 13 de março de 2025").startswith("do ")


def test_an_english_month_tells_the_order_where_the_language_is_not_known() -> None:
    new = changed(values("3 March 2025", "3/3/25"), "und", days=133)
    assert new == ["14 July 2025", "7/14/25"]


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (("segunda-feira, 3 de março de 2025",), ["março de 2025"]),
        (("2025年3月3日(月)",), ["2025年3月"]),
        (("Monday, the 3rd of March 2025",), ["March 2025"]),
        (("2025-W10-1",), ["2025-03"]),
    ],
)
def test_weekdays_go_where_the_day_goes(texts: tuple[str, ...], wanted: list[str]) -> None:
    assert changed(values(*texts), "und", "generalise") == wanted


def test_a_year_of_birth_alone_tells_no_age_over_ninety() -> None:
    old = [Value("DATE_OF_BIRTH", "1931"), Value("DATE_OF_BIRTH", "93")]
    assert changed(old, "en", "generalise") == ["1934", "90"]
    seen = [*old, Value("DATE_TIME", "2025-03-03")]
    assert changed(seen, "en", "generalise") == ["1935", "90", "2025-03"]
    assert changed([Value("DATE_OF_BIRTH", "1984"), seen[2]], "en", "generalise")[0] == "1984"
