"""Faults that users of other scrubbers reported, with made-up inputs and what is right.

Consistency and safety of surrogates, and structure and dates inside JSON. Each is a whole run.
"""

from __future__ import annotations

import ipaddress
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from stdnum import luhn
from stdnum.iso7064 import mod_97_10

from tests.conftest import write_rows
from tests.pipeline.runs import configure, counts, prep, report, rows, shipped, texts
from tests.pipeline.test_given import at, give, of

pytestmark = pytest.mark.usefixtures("work")


def asked(*prompts: str) -> list[dict[str, str]]:
    return [{"prompt": prompt, "completion": "Noted."} for prompt in prompts]


def prompts(out: str = "out") -> list[str]:
    return [json.loads(text)["prompt"] for text in texts(out)]


def given(
    lines: list[dict[str, str]], parts: dict[str, str], out: str = "out", **more: Any
) -> None:
    """Prepare the lines with every occurrence of the parts (part -> type) as the findings."""
    write_rows(Path("rows.jsonl"), list(lines))
    configure(["rows.jsonl"], out, **more)
    found = [
        {**at(line["prompt"], part, kind, nth=nth), "record": number}
        for number, line in enumerate(lines, 1)
        for part, kind in parts.items()
        for nth in range(line["prompt"].count(part))
    ]
    assert prep("--findings", give(of(*found))) == 0


def scanned(*lines: object, out: str = "out", **more: Any) -> int:
    """Prepare the lines with the rules alone."""
    write_rows(Path("rows.jsonl"), list(lines))
    configure(["rows.jsonl"], out, **more)
    return prep()


# --- one value, one surrogate; two values, two ------------------------------------------------


def test_two_mailboxes_get_two_surrogates() -> None:
    assert scanned(*asked("one@acme.example and two@acme.example")) == 0
    one, two = re.findall(r"\S+@\S+", prompts()[0])
    assert one != two
    assert one.partition("@")[2] == two.partition("@")[2]


def test_a_person_named_twice_stays_one_person() -> None:
    given(asked("Alice and Bob and Alice"), {"Alice": "PERSON", "Bob": "PERSON"})
    first, second, third = prompts()[0].split(" and ")
    assert first == third != second
    assert not {first, second} & {"Alice", "Bob"}


def test_later_records_neither_reuse_a_surrogate_nor_take_a_new_one() -> None:
    lines = asked("I am John Doe.", "I am James Smith.", "I am John Doe.")
    given(lines, {"John Doe": "PERSON", "James Smith": "PERSON"})
    first, second, third = prompts()
    assert first == third
    assert not set(first.split()[2:]) & set(second.split()[2:])


def test_runs_agree_under_one_key_and_name_and_not_under_another() -> None:
    lines, parts = asked("Ana met Omar. Ana left."), {"Ana": "PERSON", "Omar": "PERSON"}
    given(lines, parts, "first", privacy={"dataset": "letters"})
    given(lines, parts, "second", privacy={"dataset": "letters"})
    given(lines, parts, "third", privacy={"dataset": "others"})
    assert prompts("first") == prompts("second") != prompts("third")
    ana, omar, again = re.findall(r"\b[A-Z]\w+", prompts("first")[0])
    assert ana == again != omar


def test_a_surrogate_has_the_language_of_its_name() -> None:
    given(asked("Kontakt: Wojciech Wiśniewski"), {"Wojciech Wiśniewski": "PERSON"})
    surname = prompts()[0].split()[-1]
    assert surname.endswith(
        ("ski", "cki", "dzki", "ak", "ek", "ik", "ek", "yk", "czyk")
    ) or re.search(r"[ąćęłńóśźżwzk]", surname)


def test_a_text_of_many_entities_is_kept_whole() -> None:
    people = [f"Zq{letter}r Qv{letter}n" for letter in "abcdefghijklmnopqrstuvwxy"]
    given(asked("; ".join(people)), dict.fromkeys(people, "PERSON"))
    assert counts() == (1, 1, 0, 0, 0)
    new = prompts()[0].split("; ")
    assert len(set(new)) == len(people)
    assert not set(new) & set(people)


def test_three_hundred_mailboxes_get_three_hundred_surrogates() -> None:
    lines = asked(*(f"write to u{n}.zq@acme.example" for n in range(300)))
    assert scanned(*lines) == 0
    assert len(set(prompts())) == 300


@pytest.mark.parametrize("name", ["salt", "key", "seed"])
def test_a_secret_in_the_configuration_is_refused(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scanned(*asked("ana@acme.example"), privacy={name: "correct horse battery staple"}) == 2
    told = capsys.readouterr().err
    assert f"privacy.{name}" in told
    assert "horse" not in told
    assert not Path("out").exists()


def test_one_address_has_one_surrogate_in_all_records_and_it_is_nobodys() -> None:
    assert scanned(*asked("from 81.2.69.160", "now 81.2.69.144 and 81.2.69.160")) == 0
    (first,), (other, again) = (re.findall(r"[\d.]{7,}", text) for text in prompts())
    assert first == again != other
    reserved = [
        ipaddress.ip_network(n) for n in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")
    ]
    for address in (first, other):
        assert any(ipaddress.ip_address(address) in network for network in reserved)


def test_no_surrogate_can_be_somebodys() -> None:
    lines = asked(
        *(
            f"mail u{n}@firm-{n}.example, tel +1 212 {200 + n} {4000 + n}, ssn 219-{10 + n}-{5000 + n}, "
            f"card {card(n)}, iban {iban(n)}"
            for n in range(80)
        )
    )
    assert scanned(*lines) == 0
    for text in prompts():
        mail, phone, ssn, account, bank = re.fullmatch(
            r"mail (\S+), tel (.+), ssn (\S+), card (\S+), iban (\S+)", text
        ).groups()  # type: ignore[union-attr]
        assert mail.endswith(".example")
        assert re.fullmatch(r"\+1 \d{3} 555 01\d\d", phone)
        assert ssn.startswith("9")
        assert not re.fullmatch(r"9\d\d-(5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}", ssn)  # an ITIN
        assert not luhn.is_valid(account)
        assert mod_97_10.checksum(bank[4:] + bank[:4]) != 1


def card(number: int) -> str:
    body = f"4{number * 7919 + 10**13:014d}"
    return body + luhn.calc_check_digit(body)


def iban(number: int) -> str:
    body = f"{number * 104729 + 10**17:018d}"
    return f"DE{98 - int(body + '131400') % 97:02d}{body}"


# --- JSON and structure -----------------------------------------------------------------------


def test_an_escape_before_a_value_stays_an_escape() -> None:
    line = '{"prompt":"Contact:\\nana.reyes@acme.example \\u00e9 \\ud83d\\ude00","completion":"ok","n":[1.0,1e3,12345678901234567890]}'
    Path("rows.jsonl").write_text(line + "\n", encoding="utf-8")
    configure(["rows.jsonl"])
    assert prep() == 0
    (new,) = shipped().values()
    mail = re.search(r"\\n(\S+@\S+) ", new)
    assert mail
    assert new == line.replace("ana.reyes@acme.example", mail[1]) + "\n"


def test_a_row_of_turns_is_taken() -> None:
    turns = [
        {"role": "user", "content": "I am at ana@acme.example"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "Writing to ana@acme.example."}],
        },
    ]
    assert scanned({"messages": turns}) == 0
    said, answered = json.loads(texts()[0])["messages"]
    mail = said["content"].split()[-1]
    assert mail != "ana@acme.example"
    assert answered["content"][0]["text"] == f"Writing to {mail}."


def test_no_span_crosses_quotes_or_keys() -> None:
    inner = '{"oid":"2.16.840.1.113883","v":"S99910353"},{"type":"x"}'
    line = {"prompt": f"Read {inner}", "completion": inner}
    assert scanned(line) == 0
    new = json.loads(texts()[0])
    for text in (new["prompt"].removeprefix("Read "), new["completion"]):
        first, second = json.loads(f"[{text}]")
        assert list(first) == ["oid", "v"]
        assert second == {"type": "x"}


def test_what_a_leaf_holds_does_not_depend_on_the_leaf_beside_it() -> None:
    def row(beside: str) -> dict[str, Any]:
        held = {"a": "May", "b": beside}
        return {"prompt": "Fill in.", "completion": json.dumps(held)}

    assert scanned(row("Lee"), row("17 items"), privacy={"detectors": ["rules"]}) == 0
    first, second = (json.loads(json.loads(text)["completion"])["a"] for text in texts())
    assert first == second == "May"


# --- dates ------------------------------------------------------------------------------------


def test_a_date_of_birth_is_shifted_and_never_masked_in_silence() -> None:
    assert scanned(*asked("DOB 01/15/2020"), privacy={"dates": "shift"}) == 0
    month, day, year = map(int, prompts()[0].split()[1].split("/"))
    moved = (date(year, month, day) - date(2020, 1, 15)).days
    assert moved % 7 == 0
    assert 0 < abs(moved) <= 366


def test_an_interval_over_new_year_holds() -> None:
    assert scanned(*asked("in 2024-12-28, out 2025-01-03"), privacy={"dates": "shift"}) == 0
    first, last = map(date.fromisoformat, re.findall(r"\d{4}-\d\d-\d\d", prompts()[0]))
    assert (last - first).days == 6
    assert first != date(2024, 12, 28)


def test_what_is_no_date_of_the_calendar_is_told_not_left() -> None:
    lines = asked("seen Fri 3rd, due 30.02.2025", "nothing here")
    assert scanned(*lines, privacy={"dates": "shift"}) == 0
    assert counts() == (2, 1, 0, 1, 0)
    assert any("date" in reason for reason in report()["reasons"])
    (place,) = rows("quarantine.jsonl")
    assert place["record"] == 1


# --- the ends of numbers ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("My card is 4539 1488 0343 6467", '{"last4":"6467"}'),
        ("My card is 4539 1488 0343 6467", '{"last4":6467}'),
        ("My card is 4539 1488 0343 6467", "The last four digits are 6467."),
        ("My card is 4539 1488 0343 6467", "Noted, *6467, x6467 and •••• 6467"),
        ("IBAN DE89370400440532013000", '{"iban_end":"3000"}'),
        ("tel. 347 1234567", '{"ultime4":"4567"}'),
        ("SSN 219-09-9999", "last four of my SSN 9999"),
        ("SSN 219-09-9999", '{"ssn_last4":"9999"}'),
    ],
)
def test_the_end_of_a_number_follows_it(prompt: str, answer: str) -> None:
    assert scanned({"prompt": prompt, "completion": answer}) == 0
    (line,) = map(json.loads, texts())
    end, new = prompt[-4:], line["prompt"][-4:]
    assert new.isdigit()
    assert new != end
    assert line["completion"] == answer.replace(end, new)


def test_ends_of_two_numbers_in_one_answer() -> None:
    prompt = "IBAN DE89370400440532013000, phone +49 171 2345678"
    answer = '{"iban_last4":"3000","phone_last4":"5678"}'
    assert scanned({"prompt": prompt, "completion": answer}) == 0
    (line,) = map(json.loads, texts())
    iban, phone = line["prompt"].split(", phone ")
    assert json.loads(line["completion"]) == {"iban_last4": iban[-4:], "phone_last4": phone[-4:]}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("tel:%2B12127365000", '{"phone":"+12127365000"}'),
        ("+49 171 2345678 or 49-171-2345678", "https://a.example/?x=1&phone=%2B491712345678"),
        ("+49 171 2345678", '{"phone":491712345678}'),
        ("tel:%2b491712345678", "https://a.example/?phone=%2B49%20171%202345678&text=hi"),
        ("+33 6 12 34 56 78", "https://a.example/?to=33612345678&cb=%2B33612345678"),
    ],
)
def test_forms_of_a_telephone_number_stay_one_number(line: str, answer: str) -> None:
    assert scanned({"prompt": line, "completion": answer}) == 0
    (written,) = map(json.loads, texts())
    forms = re.findall(r"(?:%2[Bb]|\+)?\d(?:[\d -]|%20){9,}", " | ".join(written.values()))
    digits = {re.sub(r"%2[Bb]|%20|\D", "", form) for form in forms}
    assert len(digits) == 1
    assert not digits & {"12127365000", "491712345678", "33612345678"}


# --- names inside other words -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "answer", "form"),
    [
        ("Maria Keller", "https://linkedin.com/in/mariakeller", "https://linkedin.com/in/{g}{s}"),
        ("Maria Keller", "getMariaKellerReport()", "get{G}{S}Report()"),
        ("Lena Fischer", "lena_fischer_2024.csv", "{g}_{s}_2024.csv"),
        ("Lena Fischer", "lena-fischer-backup.zip", "{g}-{s}-backup.zip"),
        ("Paul Neumann", "login pneumann", "login {i}{s}"),
        ("Paul Neumann", "ask neumannp", "ask {s}{i}"),
        ("Sean O'Brien", '{"u":"sobrien"}', '{{"u":"{i}{s}"}}'),
        ("Ana Reyes", "A. Reyes signed", "{I}. {S} signed"),
        ("Petra Novak", "P. Novak signed", "{I}. {S} signed"),
    ],
)
def test_a_name_inside_other_words_follows_it(name: str, answer: str, form: str) -> None:
    assert scanned({"prompt": f"My name is {name}.", "completion": answer}) == 0
    (line,) = map(json.loads, texts())
    new = re.fullmatch(r"My name is (\S+) (.+)\.", line["prompt"])
    assert new
    assert f"{new[1]} {new[2]}" != name
    given, surname = new[1], new[2]
    small = re.sub(r"[^a-z]", "", surname.lower())
    wanted = form.format(
        g=given.lower(), s=small, G=given, S=surname, i=given[0].lower(), I=given[0]
    )
    assert line["completion"] == wanted


def test_a_name_that_is_a_verb_stays_a_verb() -> None:
    assert scanned({"prompt": "My name is Will Grace.", "completion": "Grace will call."}) == 0
    (line,) = map(json.loads, texts())
    assert line["completion"].endswith(" will call.")


# --- what a reviewer found --------------------------------------------------------------------


def test_the_url_around_a_mailbox_stays() -> None:
    url = "https://shop.acmecorp.com/account?email="
    given_all = {"detectors": ["rules", "presidio"]}
    assert scanned(*asked(f"See {url}paul.neumann%40web.example&x=1"), privacy=given_all) == 0
    (new,) = prompts()
    assert new.startswith(f"See {url}")
    assert new.endswith(".example&x=1")
    assert "neumann" not in new


@pytest.mark.parametrize(
    "text", ["It arrives tomorrow between 9 and 11.", "We refund within 5 days.", "seen Friday"]
)
def test_relative_times_stay_under_the_strict_policy(text: str) -> None:
    strict = {"policy": "strict", "detectors": ["rules", "presidio"]}
    assert scanned(*asked(text, "due 2025-02-28"), privacy=strict) == 0
    left, dated = prompts()
    assert left == text
    assert dated != "due 2025-02-28"


@pytest.mark.parametrize("dates", ["shift", "generalise"])
@pytest.mark.parametrize(
    "text",
    ["Meeting on 31 April 2025.", "Termin am 31. Juni 2025", "el 30 de febrero de 2025",
     "June 31, 2025 at noon", "le 31 novembre"],
)  # fmt: skip
def test_a_day_that_no_month_has_is_told(text: str, dates: str) -> None:
    assert scanned(*asked(text, "nothing here"), privacy={"dates": dates}) == 0
    assert counts() == (2, 1, 0, 1, 0)


def test_a_strict_run_puts_the_weekday_right() -> None:
    strict = {"policy": "strict", "detectors": ["rules"]}
    assert scanned(*asked("Termin: Montag, den 17. März 2025"), privacy=strict) == 0
    (new,) = prompts()
    match = re.fullmatch(r"Termin: (\w+), den (\d+)\. (\w+) 2025", new)
    assert match
    names = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]
    months = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
    day = date(2025, months.split().index(match[3]) + 1, int(match[2]))
    assert match[1] == names[day.weekday()]


def test_a_year_of_birth_beside_an_age_over_ninety_is_made_coarse() -> None:
    lines = [
        {"prompt": "Paul is 93, seen 2025-03-03.", "completion": '{"age": 93, "birth_year": 1931}'}
    ]
    lines += [
        {"prompt": "She is 45 years old, born 1980, seen 2025-03-03.", "completion": "Noted."}
    ]
    assert scanned(*lines, privacy={"dates": "generalise"}) == 0
    first, second = map(json.loads, texts())
    assert json.loads(first["completion"]) == {"age": 90, "birth_year": 1935}
    assert second["prompt"] == "She is 45 years old, born 1980, seen 2025-03."


@pytest.mark.parametrize("dates", ["shift", "generalise"])
def test_week_dates_keep_their_form_or_become_the_month(dates: str) -> None:
    assert scanned(*asked("seen 2025-W10-1, due 2025-W12"), privacy={"dates": dates}) == 0
    form = (
        r"seen 202\d-W\d\d-1, due 202\d-W\d\d" if dates == "shift" else "seen 2025-03, due 2025-03"
    )
    assert re.fullmatch(form, prompts()[0])
