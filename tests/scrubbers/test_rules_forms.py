"""Tables, queries and command lines. All values are made up or published for tests."""

import pytest

from scrubbers.passage import Passage
from scrubbers.rules import find
from scrubbers.rules.contact import phones
from scrubbers.rules.queries import parameters
from scrubbers.rules.tables import cells, heads
from tests.scrubbers.test_rules import found

URL = (
    "https://acme.example/u?email=ana%40acme.example&phone=%2B442079460958&name=Ana%20Reyes"
    "&token=abcd1234efgh5678&user=areyes&page=2&date=2024-12-28"
)


def test_parameters_are_labelled_values() -> None:
    spans = {(f.type, URL[f.start : f.end]) for f in parameters(Passage(URL, "en"))}
    assert spans == {
        ("EMAIL_ADDRESS", "ana%40acme.example"),
        ("PHONE_NUMBER", "%2B442079460958"),
        ("PERSON", "Ana"),
        ("PERSON", "Reyes"),
        ("SECRET", "abcd1234efgh5678"),
        ("USERNAME", "areyes"),
    }


@pytest.mark.parametrize("text", ["is a? b=c", "?x=%", "?a=%zz&b=%C3", "f(x)?y=1:z=2", "?name="])
def test_what_is_no_query_harms_nothing(text: str) -> None:
    assert list(parameters(Passage(text, "en"))) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tel:%2B442079460958", "%2B442079460958"),
        ("cb=%2b442079460958", "%2b442079460958"),
        ("YWJj%2B442079460958", ""),  # Base64
    ],
)
def test_a_plus_may_be_escaped(text: str, value: str) -> None:
    spans = [text[f.start : f.end] for f in phones(Passage(text, "und"))]
    assert spans == [value] * bool(value)


TABLES = [
    ("name,ssn,phone\nOmar Vance,219-55-0199,2125550142\n", "PHONE_NUMBER", "2125550142"),
    ("name,ssn,phone\nomar vance,219-55-0199,2125550142\n", "PERSON", "omar vance"),
    ('name,phone\n"Vance, Omar",2125550142\n', "PERSON", "Vance, Omar"),
    ("nome;geburtsdatum;iban\nx;04.03.1985;BE68539007547034", "DATE_OF_BIRTH", "04.03.1985"),
    ("name\tdob\tphone\nomar vance\t19850304\t2125550142", "DATE_OF_BIRTH", "19850304"),
    ("| name | account |\n|---|---:|\n| omar | 77001403 |", "BANK_ACCOUNT", "77001403"),
    ("see:\n\nname | dob\n--- | ---\nomar | 1985-03-04", "DATE_OF_BIRTH", "1985-03-04"),
]


@pytest.mark.parametrize(("text", "kind", "value"), TABLES)
def test_the_head_of_a_column_labels_its_cells(text: str, kind: str, value: str) -> None:
    spans = {(f.type, text[f.start : f.end]) for f in cells(Passage(text, "und"))}
    assert (kind, value) in spans


@pytest.mark.parametrize(
    "text",
    [
        "item,price,qty\nred lamp,12.50,3",
        "name,price\nred lamp,12.50",
        "name,phone\n\nred lamp, 12",
        "phone,total\n2024-12-28,1250.00",
        "Thanks, bye\nOmar, Ana",
        "|\n|\n||\n",
    ],
)
def test_other_tables_hold_nothing(text: str) -> None:
    assert list(cells(Passage(text, "en"))) == []


def test_the_words_of_a_head_are_no_names() -> None:
    text = (
        "| Name | Geburtsdatum | Konto |\n|:---|---:|---|\n| Vogel, Petra | 04.03.1985 | 77001403 |"
    )
    assert heads(text) == ((0, text.index("\n")),)
    assert found(text, "de") == {
        ("PERSON", "Vogel, Petra"),
        ("DATE_OF_BIRTH", "04.03.1985"),
        ("BANK_ACCOUNT", "77001403"),
    }
    assert heads("Name | Geburtsdatum") == ()


FORMS = [
    ("postgres://ana:pw@db:5432/x", {("USERNAME", "ana"), ("PASSWORD", "pw")}),
    ("redis://ana:t9%40moth@db/0", {("USERNAME", "ana"), ("PASSWORD", "t9%40moth")}),
    ("curl -u ana:s3cret https://api.example", {("USERNAME", "ana"), ("PASSWORD", "s3cret")}),
    ("mysql -uana -pHunter2 shop", {("USERNAME", "ana"), ("PASSWORD", "Hunter2")}),
    ("psql --username=areyes -p 5432", {("USERNAME", "areyes")}),
    ("sshpass -p 'moth9' ssh areyes@db1", {("PASSWORD", "moth9"), ("USERNAME", "areyes")}),
    ("Authorization: Basic YW5hOnMzY3JldA==", {("SECRET", "YW5hOnMzY3JldA==")}),
    ("x;AccountKey=abcd1234EFGH5678==;y", {("SECRET", "abcd1234EFGH5678==")}),
    ("Cookie: lang=en; sessionid=8f7d6a5b4c3d", {("SECRET", "8f7d6a5b4c3d")}),
    ("ssh ana@10.1.2.3", {("USERNAME", "ana"), ("IP_ADDRESS", "10.1.2.3")}),
    ("to 0x" + "52908400" * 5, {("OTHER_ID", "52908400" * 5)}),
    ("Kennzeichen M-AB 1234", {("LICENCE_PLATE", "M-AB 1234")}),
    ("sort code 20-00-00", {("BANK_ACCOUNT", "20-00-00")}),
    ("account 55779911, 20-00-00", {("BANK_ACCOUNT", "55779911"), ("BANK_ACCOUNT", "20-00-00")}),
    # nobody's
    ("curl -u $USER:$PASS https://api.example", set()),
    ("ssh root@db1 then ls -la", set()),
    ("docker run -p 8080:80 -u root web", set()),
    ("Authorization: Bearer <token>", set()),
    ("Authorization: Bearer $TOKEN", set()),
    ("Kapitel M-AB 1234", set()),
    ("built on 20-00-00", set()),
]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_commands_headers_and_codes(text: str, expected: set[tuple[str, str]]) -> None:
    assert found(text, "de" if "K" in text[:1] else "en") == expected


def test_long_lines_of_the_new_forms_are_read_once() -> None:
    for unit in ("a,b\n", "?a=b&", "curl -u a ", "|a|b|\n", "ssh a "):
        find(Passage(unit * 3_000, "en"))
