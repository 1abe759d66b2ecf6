"""Forms of one value agree; different values differ."""

from __future__ import annotations

import re

import pytest

from scrubbers.surrogates.normal import Unwritable, units
from tests.scrubbers.surrogates.lookup import surrogate


def norms(entity: str, text: str) -> list[str]:
    return [unit.norm for unit in units(entity, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Ana Reyes",
        "ANA REYES",
        "ana reyes",
        "Reyes, Ana",
        "Ms Ana Reyes",
        "Dr. Ana Reyes, PhD",
        "Ana Reyes's",
    ],
)
def test_a_name_agrees_with_its_forms(text: str) -> None:
    given, surname = surrogate("PERSON", "Ana Reyes").split()
    shown = surrogate("PERSON", text).lower()
    assert given.lower() in shown
    assert surname.lower() in shown


def test_titles_particles_order_case_and_possessive_stay() -> None:
    given, surname = surrogate("PERSON", "Ana Reyes").split()
    assert surrogate("PERSON", "Sra. REYES, Ana's") == f"Sra. {surname.upper()}, {given}'s"
    assert surrogate("PERSON", "Ana van der Reyes") == f"{given} van der {surname}"
    assert surrogate("PERSON", "Frau Reyes-Reyes") == f"Frau {surname}-{surname}"


def test_a_name_owns_its_mailbox_and_user_name() -> None:
    given, surname = surrogate("PERSON", "Ana Reyes").lower().split()
    assert surrogate("EMAIL_ADDRESS", "ana.reyes@acme.example").startswith(f"{given}.{surname}@")
    assert surrogate("USERNAME", "@ana_reyes") == f"@{given}_{surname}"
    assert surrogate("USERNAME", "anaReyes") == given + surname.title()
    assert surrogate("EMAIL_ADDRESS", "reyes+news@acme.example").startswith(f"{surname}+news@")
    assert surrogate("USERNAME", "areyes").endswith(surname)
    assert surname in surrogate("USERNAME", "anareyes")


@pytest.mark.parametrize(
    ("left", "right"),
    [("José Muñoz", "Jose Munoz"), ("Müller", "MULLER"), ("O’Brien", "O'Brien"), ("O'Brien", "OBrien"),
     ("Łukasz", "Lukasz"), ("Ångström", "Angstrom"), ("Ａｎａ", "Ana"), ("İbrahim", "ibrahim"), ("Straße", "STRASSE")],
)  # fmt: skip
def test_spellings_of_one_name_share_a_unit(left: str, right: str) -> None:
    assert norms("PERSON", left) == norms("PERSON", right)


def test_ascii_names_get_ascii_surrogates() -> None:
    names = [
        f"{given} {surname}"
        for given in ("Jose", "Maria", "Begona")
        for surname in ("Garcia", "Muller")
    ]
    assert all(surrogate("PERSON", name).isascii() for name in names)


@pytest.mark.parametrize(
    ("text", "script"),
    [("Иван Петров", "[а-яё]+ [а-яё]+"), ("Γιώργος Παπαδόπουλος", "[ά-ώ]+ [ά-ώ]+"), ("山田太郎", "[一-鿿]+"),
     ("김철수", "[가-힣]+"), ("راشد", "[؀-ۿ]+"), ("ミヤザワ ケンタ", "[゠-ヿ]+ [゠-ヿ]+"), ("राहुल", "[ऀ-ॿ]+")],
)  # fmt: skip
def test_the_script_is_kept(text: str, script: str) -> None:
    assert re.fullmatch(script, surrogate("PERSON", text), re.IGNORECASE)


def test_the_gender_of_a_given_name_is_kept() -> None:
    kinds = {
        name: units("PERSON", name)[0].space.rpartition(":")[0]
        for name in ("Elisabeth", "Carmen", "Wolfgang", "Pedro")
    }
    assert kinds["Elisabeth"].endswith(":f")
    assert kinds["Carmen"].endswith(":f")
    assert kinds["Wolfgang"] == "name:given:de:m"
    assert kinds["Pedro"].endswith(":m")


def test_a_genitive_agrees_with_the_name() -> None:
    assert norms("PERSON", "Annas") == norms("PERSON", "Anna") == ["anna"]
    assert norms("PERSON", "Jonas") == ["jonas"]


@pytest.mark.parametrize(
    ("entity", "forms"),
    [
        ("IBAN_CODE", ["DE75 5001 0517 6208 4394 19", "de75500105176208439419", "DE75-5001-0517-6208-4394-19", "ＤＥ75500105176208439419"]),
        ("CREDIT_CARD", ["4921 3483 1592 9514", "4921348315929514", "4921-3483-1592-9514"]),
        ("PHONE_NUMBER", ["+44 7462 118903", "07462 118 903", "0044 7462 118903", "+44 (0)7462-118903", "44 7462 118903"]),
        ("PHONE_NUMBER", ["+1 (212) 555-0142", "212-555-0142", "1-212-555-0142", "(212) 555 0142", "2125550142"]),
        ("PHONE_NUMBER", ["+39 06 5550 142", "06 5550142"]),
        ("NATIONAL_ID", ["53790655-A", "53790655a", "53.790.655-A"]),
        ("OTHER_ID", ["INV-20931", "INV 20931", "20931"]),
        ("IP_ADDRESS", ["2001:db8:0:0::1", "2001:DB8::1"]),
        ("DATE_OF_BIRTH", ["1985-03-04", "04.03.1985", "03/04/1985", "4 March 1985", "March 4th, 1985", "4 de marzo de 1985", "19850304", "4.III.1985", "4 mars 85"]),
        ("DATE_OF_BIRTH", ["1985-03-24", "24.03.1985", "03/24/85", "24 März 1985", "24. maart 1985", "24 marca 1985"]),
        ("EMAIL_ADDRESS", ["ana@acme.example", "ANA@ACME.EXAMPLE", "mailto:ana@acme.example", "ana%40acme.example", "ana&#64;acme.example"]),
        ("ADDRESS", ["Hauptstraße 5", "HAUPTSTRASSE 5", "Hauptstr. 5"]),
        ("LICENCE_PLATE", ["KX19 VFD", "kx19vfd", "KX19-VFD"]),
    ],
)  # fmt: skip
def test_reformatted_values_share_their_units(entity: str, forms: list[str]) -> None:
    assert len({tuple(norms(entity, form)) for form in forms}) == 1
    assert len({re.sub(r"[\W_]", "", surrogate(entity, form)).lower() for form in forms[:2]}) <= 2


@pytest.mark.parametrize(
    ("entity", "left", "right"),
    [("PERSON", "Ana", "Anna"), ("CREDIT_CARD", "4921348315929514", "4921348315929522"), ("IBAN_CODE", "DE75500105176208439419", "DE75500105176208439420"),
     ("PHONE_NUMBER", "07462118903", "07462118904"), ("EMAIL_ADDRESS", "a.b@x.example", "ab@x.example"), ("EMAIL_ADDRESS", "ab@x.example", "ab@y.example"),
     ("DATE_OF_BIRTH", "1985-03-04", "1985-04-03"), ("DATE_OF_BIRTH", "1985-03-04", "1986-03-04"), ("PASSWORD", "Secret1x", "secret1x")],
)  # fmt: skip
def test_different_values_differ(entity: str, left: str, right: str) -> None:
    assert surrogate(entity, left) != surrogate(entity, right)


def test_the_last_digits_alone_agree_with_the_whole_number() -> None:
    card, iban = (
        surrogate("CREDIT_CARD", "4921 3483 1592 9514"),
        surrogate("IBAN_CODE", "NL87 INGB 0711 2614 30"),
    )
    assert card.endswith(surrogate("CREDIT_CARD", "9514"))
    assert iban.replace(" ", "").endswith(surrogate("IBAN_CODE", "1430"))


@pytest.mark.parametrize("swap", [("03/04/1985", "1985-03-04"), ("03/04/1985", "1985-04-03")])
def test_a_date_agrees_whichever_number_is_the_month(swap: tuple[str, str]) -> None:
    slashed, iso = (surrogate("DATE_OF_BIRTH", text) for text in swap)
    first, second, year = slashed.split("/")
    wanted = f"{year}-{first}-{second}" if swap[1].endswith("03-04") else f"{year}-{second}-{first}"
    assert iso == wanted


def test_a_weekday_fits_its_new_date_and_the_time_stays() -> None:
    assert surrogate("DATE_TIME", "Friday, 17 July 2025").split(",")[0] in {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}  # fmt: skip
    assert surrogate("DATE_TIME", "1985-03-14T10:15:00Z").endswith("T10:15:00Z")


@pytest.mark.parametrize("text", ["next Friday", "Feb 30", "30.02.2025", "seen soon", "--"])
def test_what_cannot_be_read_as_a_date_is_refused(text: str) -> None:
    with pytest.raises(Unwritable) as caught:
        units("DATE_TIME", text)
    assert text not in str(caught.value)
