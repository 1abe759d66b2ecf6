"""Addresses: street, postcode and town of one address fit together, wherever they stand."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubbers.surrogates import areas, places
from scrubbers.surrogates.areatable import LANGUAGES, PLAN_OF, rows
from scrubbers.surrogates.draw import capacity, draw
from scrubbers.surrogates.normal import Unwritable, units
from scrubbers.surrogates.settle import settle
from scrubbers.surrogates.unit import ALONE, Slot, Unit
from scrubbers.surrogates.write import write
from tests.scrubbers.surrogates.lookup import (
    LOOKUP,
    Lookup,
    looked_up,
    read_back,
    surrogate,
    unit_digest,
)

# --- one address in several forms and leaves ------------------------------------------------

# Facts, not taken from the table: (beginning of the postcode, town) that belong together.
FACTS = {
    "ES": {"28": "Madrid", "08": "Barcelona", "41": "Sevilla", "46": "Valencia", "50": "Zaragoza"},
    "FR": {"75": "Paris", "13": "Marseille", "69": "Lyon", "31": "Toulouse", "33": "Bordeaux"},
    "DE": {"01": "Dresden", "40": "Düsseldorf", "70": "Stuttgart", "90": "Nürnberg", "28": "Bremen"},
    "IT": {"20": "Milano", "00": "Roma", "10": "Torino", "40": "Bologna", "80": "Napoli"},
    "US": {"75": "Dallas", "10": "New York", "60": "Chicago", "98": "Seattle", "33": "Miami"},
    "MX": {"64": "Monterrey", "44": "Guadalajara", "72": "Puebla", "97": "Mérida", "22": "Tijuana"},
    "SE": {"41": "Göteborg", "21": "Malmö", "75": "Uppsala", "72": "Västerås", "90": "Umeå"},
    "PL": {"80": "Gdańsk", "20": "Lublin", "40": "Katowice", "85": "Bydgoszcz", "15": "Białystok"},
    "BE": {"20": "Antwerpen", "90": "Gent", "40": "Liège", "80": "Brugge", "60": "Charleroi"},
    "AT": {"80": "Graz", "40": "Linz", "50": "Salzburg", "60": "Innsbruck", "69": "Bregenz"},
    "CH": {"80": "Zürich", "12": "Genève", "40": "Basel", "30": "Bern", "69": "Lugano"},
    "NL": {"35": "Utrecht", "10": "Amsterdam", "30": "Rotterdam", "56": "Eindhoven", "97": "Groningen"},
    "GB": {"M": "Manchester", "LS": "Leeds", "B": "Birmingham", "G": "Glasgow", "SE": "London"},
    "CA": {"M5": "Toronto", "H2": "Montréal", "V6": "Vancouver", "T2": "Calgary", "B3": "Halifax"},
    "PT": {"11": "Lisboa", "40": "Porto", "47": "Braga", "80": "Faro", "30": "Coimbra"},
    "BR": {"20": "Rio de Janeiro", "41": "Salvador", "80": "Curitiba", "69": "Manaus", "50": "Recife"},
    "IE": {"D04": "Dublin", "T12": "Cork", "V94": "Limerick", "H91": "Galway", "X91": "Waterford"},
}  # fmt: skip
# How a whole address is written: {code} stands for what follows the beginning of the postcode.
WHOLE = {
    "ES": "Calle Ferraz 3, {b}013 {t}", "FR": "12 rue Vaneau, {b}008 {t}", "DE": "Gleimstr. 5, {b}127 {t}",
    "IT": "Via Brera 9, {b}121 {t}", "US": "88 Mercer St, {t}, {b}204", "MX": "Calle Morelia 7, C.P. {b}010, {t}",
    "SE": "Vasagatan 4, {b}1 14 {t}", "PL": "ul. Chmielna 8, {b}-827 {t}", "BE": "Meir 21, {b}18 {t}",
    "AT": "Sporgasse 4, {b}10 {t}", "CH": "Bahnhofstrasse 2, CH-{b}01 {t}", "NL": "Voorstraat 6, {b}14 RK {t}",
    "GB": "6 Deansgate, {t} {b}3 2LH", "CA": "5 Front St, {t} {b}J 2T3", "PT": "Rua Augusta 9, {b}00-176 {t}",
    "BR": "Rua Direita, 4, {t}, {b}041-020", "IE": "2 Dame St, {t}, {b} X285",
}  # fmt: skip
BEGINNING = {
    "GB": r"\b([A-Z]{1,2})\d[A-Z\d]? \d[A-Z]{2}\b", "CA": r"\b([A-Z]\d)[A-Z] \d[A-Z]\d\b",
    "IE": r"\b([A-Z]\d[\dW]) [A-Z\d]{4}\b",
}  # fmt: skip
CASES = [
    (country, begin, town) for country, known in FACTS.items() for begin, town in known.items()
]


def town_and_beginning(country: str, text: str) -> tuple[str, str]:
    """The known town of a written address, and the beginning of its postcode."""
    shape = BEGINNING.get(
        country, r"(?<!\d)(\d\d)[\d-]*(?: ?\d\d(?!\d))?[\d-]*(?: [A-Z]{2})?(?!\d)"
    )
    code = [
        m
        for m in re.finditer(shape, text)
        if len(re.sub(r"\D", "", m[0])) > 3 or country in BEGINNING
    ][-1]
    rest = (
        text[: code.start()].rpartition(",")[2] if country in ("GB", "CA") else text[code.end() :]
    )
    if country in ("US", "BR", "IE"):
        rest = text[: code.start()].split(",")[-2]
    return rest.strip(" ,"), code[1]


@pytest.mark.parametrize(("country", "begin", "town"), CASES)
def test_the_towns_and_postcodes_of_the_table_are_facts(
    country: str, begin: str, town: str
) -> None:
    known = areas.town_of(areas.phrase(town))
    assert known
    assert known.country == country
    assert areas.area_of(PLAN_OF[country], begin)[0] == known.area


@pytest.mark.parametrize(("country", "begin", "town"), CASES)
def test_town_and_postcode_of_an_address_fit(country: str, begin: str, town: str) -> None:
    text = WHOLE[country].format(b=begin, t=town)
    new_town, new_begin = town_and_beginning(country, surrogate("ADDRESS", text))
    known = areas.town_of(areas.phrase(new_town))
    assert known, (text, new_town)
    assert known.country == country
    assert areas.area_of(PLAN_OF[country], new_begin)[0] == known.area


@pytest.mark.parametrize(("country", "begin", "town"), CASES)
def test_parts_in_leaves_of_their_own_are_those_of_the_whole(
    country: str, begin: str, town: str
) -> None:
    whole = surrogate("ADDRESS", WHOLE[country].format(b=begin, t=town))
    code = re.search(
        r"\{b\}(?:[^ ,{]|(?<=1) (?=14)| (?=[A-Z\d]))*", WHOLE[country].replace(" {t}", "|")
    )
    assert code
    alone = code[0].partition("|")[0].format(b=begin)
    assert surrogate("ADDRESS", alone) in whole
    assert surrogate("LOCATION", town) in whole
    assert surrogate("ADDRESS", town) in whole


def test_a_fact_of_each_kind_spelled_out() -> None:
    # 41 is Sevilla, 51 Ceuta: whatever comes out, the two digits belong to the town.
    spain = {"01": "Vitoria-Gasteiz", "03": "Alicante", "06": "Badajoz", "09": "Burgos", "14": "Cordoba",
             "15": "A Coruna", "18": "Granada", "23": "Jaen", "24": "Leon", "29": "Malaga", "30": "Murcia",
             "37": "Salamanca", "38": "Santa Cruz de Tenerife", "39": "Santander", "41": "Sevilla",
             "45": "Toledo", "46": "Valencia", "47": "Valladolid", "48": "Bilbao", "49": "Zamora",
             "50": "Zaragoza", "51": "Ceuta", "52": "Melilla"}  # fmt: skip
    seen = 0
    for begin, town in spain.items():
        new = surrogate("ADDRESS", f"{begin}013 {town}")
        if new[:2] in spain:
            seen += 1
            assert new[6:] == spain[new[:2]]
    assert seen > 5


@pytest.mark.parametrize(
    ("left", "right"),
    [("28013", "28013 Madrid"), ("02-123", "02123"), ("411 14", "41114"), ("3514 RK", "3514RK"), ("3514 RK", "3514"),
     ("M5V 2T6", "m5v2t6"), ("SW1A 1AA", "sw1a1aa"), ("1200-176", "1200176"), ("01310-200", "01310200"), ("01.310-200", "01310200"),
     ("D02 X285", "d02x285"), ("D-01097", "01097"), ("75201-1187", "75201")],
)  # fmt: skip
def test_forms_of_a_postcode_agree(left: str, right: str) -> None:
    one, other = ({(u.family, u.norm) for u in units("ADDRESS", text)} for text in (left, right))
    assert one <= other or other <= one
    assert "area" in {family for family, _ in one & other}


@pytest.mark.parametrize(
    ("left", "right"),
    [("Madrid", "MADRID"), ("München", "Muenchen"), ("Nürnberg", "Nuremberg"), ("Gent", "Gand"), ("Den Haag", "'s-Gravenhage"),
     ("Milano", "Mailand"), ("A Coruña", "La Coruña"), ("St. Gallen", "Sankt Gallen"), ("Görlitz", "Gör1itz"), ("Köln", "koln")],
)  # fmt: skip
def test_names_of_one_town_agree(left: str, right: str) -> None:
    assert [u.norm for u in units("LOCATION", left)] == [u.norm for u in units("LOCATION", right)]


@pytest.mark.parametrize(
    ("text", "shape"),
    [("Dallas, TX 75201", r"[A-Z][\w .']+, [A-Z]{2} \d{5}"), ("43036 Fidenza PR", r"\d{5} \w+ [A-Z]{2}"), ("Toronto ON M5V 2T6", r"[\w .'-]+ [A-Z]{2} [A-Z]\d[A-Z] \d[A-Z]\d"),
     ("Salvador/BA, 40010-000", r"[\w -]+/[A-Z]{2}, \d{5}-\d{3}"), ("MONTERREY, N.L.", r"[\w -]+, [\w.]+\."), ("Eagle Pass TX", r"\w+ \w+ [A-Z]{2}")],
)  # fmt: skip
def test_a_region_stays_a_region_of_the_country(text: str, shape: str) -> None:
    assert re.fullmatch(shape, surrogate("ADDRESS", text))


@pytest.mark.parametrize("zip_code", ["75201", "10001", "60601", "98101", "02108", "33101"])
def test_a_state_is_that_of_the_zip_code_beside_it(zip_code: str) -> None:
    states = {
        "0": "PR MA NH ME VT CT NJ AE", "1": "NY PA", "2": "DC MD VA WV NC SC", "3": "GA FL AL TN MS",
        "4": "KY OH IN MI", "5": "IA WI MN SD ND MT", "6": "IL MO KS NE", "7": "LA AR OK TX",
        "8": "CO WY ID UT AZ NM NV", "9": "CA HI OR WA",
    }  # fmt: skip
    state, code = surrogate("ADDRESS", f"7 Mercer St, Ashdale, ID {zip_code}").split()[-2:]
    assert state in states[code[0]].split()


# --- streets --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    [("Av. Pellegrini al 2300", "Av. Pellegrini 2300"), ("Blumenstr. 12a", "B1umenstr. l2a"), ("Blumenstr. 12a", "Blumenstr. 12 a"), ("615 Burr Oak Dr.", "615 Burr 0ak Dr."),
     ("2081 W. Elm Rd", "2O81 W. Elm Rd"), ("Ds. v.d. Boschstraat", "Ds. van den Boschstraat"), ("C/ Peñón, 3, bajo", "c/ penon 3 bajo")],
)  # fmt: skip
def test_forms_of_a_street_agree(left: str, right: str) -> None:
    assert [u.norm for u in units("ADDRESS", left)] == [u.norm for u in units("ADDRESS", right)]


def test_the_kind_of_street_floors_and_the_length_of_numbers_stay() -> None:
    text = surrogate("ADDRESS", "Avda. de la Constitución, 118, esc. B, 4.º izq.")
    assert re.fullmatch(r"Avda\. de la \w+, \d{3}, esc\. B, \d\.º izq\.", text)
    assert re.fullmatch(r"\w+straße \d\d", surrogate("ADDRESS", "Blumenstraße 12"))
    assert re.fullmatch(r"\d\d(?:st|nd|rd|th) Street", surrogate("ADDRESS", "42nd Street"))


def test_a_word_is_about_as_long_as_the_one_that_it_replaces() -> None:
    names = (
        "Pellegrini",
        "Elm",
        "Constitución",
        "Goethe",
        "Vaneau",
        "Tepatitlan",
        "Lovell",
        "Mesquite",
        "Oberstdorf",
        "Piedecuesta",
    )
    far = [n for n in names if abs(len(surrogate("LOCATION", n)) - max(len(n), 4)) > 2]
    assert len(far) <= 1


def test_a_town_that_the_table_lacks_gets_none_that_it_has() -> None:
    for town in ("Berlin", "Warszawa", "Oberstdorf", "Eagle Pass", "Rosario", "Tromsø"):
        assert areas.town_of(areas.phrase(surrogate("LOCATION", town))) is None


def test_a_street_named_after_a_town_is_a_street() -> None:
    assert units("ADDRESS", "Lincoln 12")[0].family == "word"
    assert units("ADDRESS", "14 Lincoln Ave")[1].family == "word"
    assert units("ADDRESS", "12 Elm St Dallas TX 75201")[2].family == "area"


# --- areas that stay ------------------------------------------------------------------------


def kept_area(text: str) -> str:
    found = places.address_pieces(text, keep_area=True)
    return "".join(
        p if isinstance(p, str) else p.render([LOOKUP(unit) for unit in p.units]) for p in found
    )


@pytest.mark.parametrize(
    ("text", "shape"),
    [("28013", r"28\d{3}"), ("Calle Ferraz 3, 28013 Madrid", r"Calle \w+ \d, 28\d{3} Madrid"), ("E1 6AN", r"E\d \d[A-Z]{2}"), ("3514 RK", r"35\d\d [A-Z]{2}"),
     ("7 Elm St, Dallas, TX 75201", r"\d \w+ St, Dallas, TX 75\d{3}"), ("01310-200", r"01\d{3}-\d{3}")],
)  # fmt: skip
def test_an_area_can_stay_where_towns_do(text: str, shape: str) -> None:
    new = kept_area(text)
    assert re.fullmatch(shape, new)
    assert new != text


def test_a_town_alone_is_replaced_even_where_areas_stay() -> None:
    assert kept_area("Madrid") == surrogate("ADDRESS", "Madrid")


# --- the table ------------------------------------------------------------------------------


def test_every_area_that_can_be_drawn_has_a_town_in_each_country_that_has_one() -> None:
    for country in LANGUAGES:
        plan = PLAN_OF[country]
        for kind in ("t",) if plan in ("GB", "CA", "IE") else areas.kinds(plan):
            mine = [
                area for area in areas.members(plan, kind) if (country, area) in areas.book().main
            ]
            assert not mine or mine == list(areas.members(plan, kind))


def test_no_town_reads_as_something_else() -> None:
    for words in areas.book().towns:
        assert words not in places.countries()
        assert words not in areas.regions("MX") or words == "cdmx"
        assert not re.search(r"\d", words)


def test_the_table_has_the_countries_and_no_line_twice() -> None:
    assert {row.country for row in rows()} == set(LANGUAGES)
    beginnings = [(PLAN_OF[r.country], r.country, b) for r in rows() for b in r.beginnings]
    assert len(beginnings) == len(set(beginnings))


def test_all_postcodes_of_five_digits_keep_surrogates_of_their_own() -> None:
    found = [areas.area_unit(f"5 {number:02d}") for number in range(100)]
    found += [units("ADDRESS", f"28{number:03d}")[1] for number in range(1000)]
    counters = settle([u.space for u in found], [unit_digest(u) for u in found], (), unit_digest)
    lookup = Lookup(counters)
    drawn = {(unit.family, lookup(unit)) for unit in found}
    assert len(drawn) == len(found)
    assert all(lookup(unit) != unit.norm for unit in found)


@pytest.mark.parametrize(
    "text",
    ["28013", "9000", "01310-200", "SW1A 1AA", "E1 6AN", "K1A 0B1", "D02 X285", "Eagle Pass TX"],
)
def test_capacities_hold_what_is_drawn(text: str) -> None:
    for unit in units("ADDRESS", text):
        some = {draw(unit.space, bytes([n]), 0) for n in range(200)}
        assert 2 <= len(some) <= capacity(unit.space)


# --- every address --------------------------------------------------------------------------

TOWNS = st.sampled_from(sorted(areas.book().towns)).map(str.title)
WORDS = st.sampled_from(
    ("Blumenstr.", "12a", "C/", "Peñón", "3", "bajo", "48005", "Hauptstraße", "SW1A 1AA", "1012 AB", "TX", "PR", "BA", "N.L.",
     "Ds.", "van", "den", "40", "bis", "Elmhirst", "Ave", "St", "7.º", "P.zza", "0301", "B0M1B0", "m5v 2t6", "l2a", "0ak",
     "42nd", "Apt12b", "B1umen", "K7abc", "2O81", "D-", "CH-", "8001", "España", "Italy", "411 14", "80-827", "1200-176",
     "NE", "LA", "ON", "(", ")", "東京", "75201-1187", "D02 X285", "'s", "New", "Al", "1ST", "A1 2BC"))  # fmt: skip
GAPS = st.sampled_from((" ", ", ", "\n", " - ", "/", "", "; ", "-"))
PARTS = st.lists(st.tuples(st.one_of(TOWNS, WORDS, WORDS), GAPS), min_size=1, max_size=6)


@example(drawn=[("48005", " "), ("TX", " ")], case=str, counter=0, keep=False)
@example(drawn=[("Venecia", " "), ("TX", " ")], case=str, counter=0, keep=False)
@example(drawn=[("01310-200", " "), ("FR", " "), ("MO", "")], case=str, counter=3, keep=False)
@example(drawn=[("75201-1187", ""), ("St", " ")], case=str.upper, counter=0, keep=False)
@example(drawn=[("CA", " "), ("Ave", "")], case=str, counter=8, keep=False)
@given(
    drawn=PARTS, case=st.sampled_from((str, str.upper, str.lower)), counter=st.integers(0, 12),
    keep=st.booleans(),
)  # fmt: skip
@settings(max_examples=600, deadline=None)
def test_a_written_address_is_read_back_as_what_was_looked_up(drawn, case, counter, keep) -> None:
    text = case("".join(word + gap for word, gap in drawn))

    def found(shown: str) -> list[Unit]:
        pieces = places.address_pieces(shown, keep_area=keep)
        return [unit for piece in pieces if isinstance(piece, Slot) for unit in piece.units]

    def lookup(unit: Unit) -> str:
        return draw(unit.space, unit_digest(unit), counter)

    wanted = [(unit.family, lookup(unit)) for unit in found(text)]
    pieces = places.address_pieces(text, keep_area=keep)
    new = "".join(
        p if isinstance(p, str) else p.render([lookup(u) for u in p.units]) for p in pieces
    )
    assert [(unit.family, unit.norm) for unit in found(new)] == wanted


@given(
    code=st.from_regex(
        r"[0-9]{4,5}|[0-9]{2}-[0-9]{3}|[1-9][0-9]{3} [A-HJ-NP-RTV-Z]{2}", fullmatch=True
    )
)
@settings(max_examples=200, deadline=None)
def test_a_postcode_in_json_agrees_with_the_address(code: str) -> None:
    try:
        alone = surrogate("ADDRESS", code)
    except Unwritable:
        return
    leaf = json.loads(json.dumps({"zip": alone}))
    assert leaf["zip"] in surrogate("ADDRESS", f"Calle Ferraz 3, {code} Ashdale")
    assert read_back("ADDRESS", alone) == looked_up("ADDRESS", code)


def test_settled_surrogates_are_written_like_first_ones() -> None:
    unit = units("LOCATION", "Madrid")[0]
    moved = Lookup({unit_digest(unit): 3})
    text = write("ADDRESS", "28013 Madrid", ALONE, moved)
    assert areas.town_of(areas.phrase(text[6:])).area == f"5 {text[:2]}"
