"""What the rules find and what they leave alone. All values are made up or published for tests."""

import pytest

from scrubbers.folding import fold
from scrubbers.overlaps import settle
from scrubbers.passage import Passage
from scrubbers.rules import find


def found(text: str, language: str = "en", label: str = "") -> set[tuple[str, str]]:
    """(type, text) of the settled findings that the default policy acts on."""
    folded = fold(text)
    settled = settle(find(Passage(folded.text, language, label)), folded.text)
    places = [(f.type, folded.original(f.start, f.end)) for f in settled]
    ignored = {"DATE_TIME", "URL"}
    return {(kind, text[start:end]) for kind, (start, end) in places if kind not in ignored}


FINDS = [
    # contact
    ("en", "mail ana@acme.example", "EMAIL_ADDRESS", "ana@acme.example"),
    ("en", "ANA@ACME.EXAMPLE wrote", "EMAIL_ADDRESS", "ANA@ACME.EXAMPLE"),
    ("en", "root@db01.corp.internal down", "EMAIL_ADDRESS", "root@db01.corp.internal"),
    ("de", "an ana@münchen.example", "EMAIL_ADDRESS", "ana@münchen.example"),
    ("de", "an ana@xn--mnchen-3ya.example", "EMAIL_ADDRESS", "ana@xn--mnchen-3ya.example"),
    ("en", "ana@\u200bacme.example", "EMAIL_ADDRESS", "ana@\u200bacme.example"),
    ("en", "tel212-555-0142ext9", "PHONE_NUMBER", "212-555-0142ext9"),
    ("en", "212-555-0142 is mine", "PHONE_NUMBER", "212-555-0142"),
    ("en", "ring 020 7946 0958", "PHONE_NUMBER", "020 7946 0958"),
    ("en", "reach me at 312.555.0142 (cell)", "PHONE_NUMBER", "312.555.0142"),
    ("en", "+44 20 7946 0958 or (212) 555-0142", "PHONE_NUMBER", "(212) 555-0142"),
    ("es", "mi móvil es 600 123 456", "PHONE_NUMBER", "600 123 456"),
    ("fr", "appelez le 06 39 98 00 00", "PHONE_NUMBER", "06 39 98 00 00"),
    ("ja", "身分證字號A123456789電話0912345678", "PHONE_NUMBER", "0912345678"),
    ("ja", "身分證字號A123456789電話0912345678", "NATIONAL_ID", "A123456789"),
    # finance
    ("en", "BE68 5390 0754 7034 PAID TODAY", "IBAN_CODE", "BE68 5390 0754 7034"),
    ("en", "be68 5390 0754 7034 please", "IBAN_CODE", "be68 5390 0754 7034"),
    ("en", "to DE89-3704-0044-0532-0130-00", "IBAN_CODE", "DE89-3704-0044-0532-0130-00"),
    ("nl", "op BE68\u00a05390\u00a00754\u00a07034", "IBAN_CODE", "BE68\u00a05390\u00a00754\u00a07034"),
    ("en", "card 4111111111111111", "CREDIT_CARD", "4111111111111111"),
    ("en", "use 4111 1111 1111 1111 now", "CREDIT_CARD", "4111 1111 1111 1111"),
    ("en", "the card ending 9514", "CREDIT_CARD", "9514"),
    ("es", "la tarjeta acabada en 9514", "CREDIT_CARD", "9514"),
    ("de", "Ihre Karte endet auf 9514", "CREDIT_CARD", "9514"),
    ("fr", "votre carte se terminant par 9514", "CREDIT_CARD", "9514"),
    ("en", "routing number is 121000358", "BANK_ACCOUNT", "121000358"),
    # identity
    ("en", "SSN 219‐55‐0199", "NATIONAL_ID", "219‐55‐0199"),
    ("en", "and ssn 899-12-3456", "NATIONAL_ID", "899-12-3456"),
    ("es", "DNI 12345678Z", "NATIONAL_ID", "12345678Z"),
    ("es", "con NIE X-1234567-L vive", "NATIONAL_ID", "X-1234567-L"),
    ("it", "c.f. RSSMRA85T10A562S", "NATIONAL_ID", "RSSMRA85T10A562S"),
    ("pt", "CPF 111.444.777-35", "NATIONAL_ID", "111.444.777-35"),
    ("pl", "PESEL 44051401458", "NATIONAL_ID", "44051401458"),
    ("en", "passport number is P1234567", "PASSPORT", "P1234567"),
    ("en", "read out P1234567 as the passport number", "PASSPORT", "P1234567"),
    ("de", "F12345671 (Reisepassnummer)", "PASSPORT", "F12345671"),
    ("en", "MRN 00-712-044  DOB unknown", "MEDICAL_ID", "00-712-044"),
    ("en", "NHS number: 943 476 5919", "MEDICAL_ID", "943 476 5919"),
    ("de", "Versichertennummer A123456780", "MEDICAL_ID", "A123456780"),
    ("nl", "kenteken 12-ABC-3", "LICENCE_PLATE", "12-ABC-3"),
    # other
    ("en", "dispute LMB-D-1234567 is open", "OTHER_ID", "LMB-D-1234567"),
    ("de", "Kd.-Nr. 10 388", "OTHER_ID", "10 388"),
    ("nl", "klantnr 0123456", "OTHER_ID", "0123456"),
    ("es", "Pedido ABC/0123456", "OTHER_ID", "ABC/0123456"),
    ("en", "client 10.31.7.20 refused", "IP_ADDRESS", "10.31.7.20"),
    ("en", "from 2001:db8:4f1:9::1c", "IP_ADDRESS", "2001:db8:4f1:9::1c"),
    ("en", "dob 9.11.78", "DATE_OF_BIRTH", "9.11.78"),
    ("fr", "né le 6 juin 1994", "DATE_OF_BIRTH", "6 juin 1994"),
    ("it", "Nata il 12.IV.1986", "DATE_OF_BIRTH", "12.IV.1986"),
    ("es", "fecha de nacimiento: 22/06/2014", "DATE_OF_BIRTH", "22/06/2014"),
    ("en", "password is Tr0ub4dor&3", "PASSWORD", "Tr0ub4dor&3"),
    ("en", "PIN 4821", "PASSWORD", "4821"),
    ("en", "postgres://svc:t9Wren-moth@10.31.7.20/db", "PASSWORD", "t9Wren-moth"),
    ("en", "key AKIAIOSFODNN7EXAMPLE", "SECRET", "AKIAIOSFODNN7EXAMPLE"),
    ("en", "ls /home/areyes/data", "USERNAME", "areyes"),
    ("en", "thanks @ana_reyes for it", "USERNAME", "@ana_reyes"),
    # addresses
    ("en", "I live at 31 Coopers Rise.", "ADDRESS", "31 Coopers Rise"),
    ("de", "wohnhaft Lindenstraße 12a, 02826 Görlitz", "ADDRESS", "Lindenstraße 12a"),
    ("de", "wohnhaft Lindenstraße 12a, 02826 Görlitz", "ADDRESS", "02826"),
    ("es", "vive en Calle Mayor 5, 28013 Madrid", "ADDRESS", "Calle Mayor 5"),
    ("fr", "au 9, place de la Fontaine", "ADDRESS", "9, place de la Fontaine"),
    ("it", "in via Garibaldi 18", "ADDRESS", "via Garibaldi 18"),
    ("pt", "na Rua das Flores, 88", "ADDRESS", "Rua das Flores, 88"),
    ("nl", "IJssellaan 5 A, 7412 CV Deventer", "ADDRESS", "IJssellaan 5 A"),
    ("en", "postcode M1 1AE", "ADDRESS", "M1 1AE"),
    # people
    ("en", "Mr. Tailor will call", "PERSON", "Tailor"),
    ("en", "Dr. Ines da Costa met us", "PERSON", "Ines da Costa"),
    ("fr", "Chère Madame de La Rive,", "PERSON", "de La Rive"),
    ("en", "my name is ana reyes", "PERSON", "ana reyes"),
    ("de", "Mit freundlichen Grüßen\nAnna Beispiel", "PERSON", "Anna Beispiel"),
    ("es", "Paciente: Ana Reyes, 40", "PERSON", "Ana Reyes"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "kind", "value"), FINDS)
def test_finds(language: str, text: str, kind: str, value: str) -> None:
    assert (kind, value) in found(text, language)


LEAVES_ALONE = [
    "03/14 08:51:06 INFO net: if TR7 idx 6041187",
    "what is exhibit 41b",
    "REGISTRATION step H1, part B43",
    '"integrity":"sha512-aM2qBv8Zx81kQpLmN0w","public":true',
    "see /pages/4010232102/Runbook, ts 1735689602",
    '"ts_us": 1735689600000004',
    '{"tabId": 918273645, "groupId": 2125550142}',
    "SHE WANTS BINS FOR UNITS 101-105",
    "<task-notification>risk-free</task-notification>",
    "```py\nlogging.getLogger('app.core').info(x)\n```",
    "for 8 years, a 10th-year review in May",
    "icon foo@2x.png here",
    "@property\ndef name(self):\n    return 1",
    "upgrade to v1.2.3.4 and bind 127.0.0.1 or 0.0.0.0",
    "Hello {{name}}, your order [ORDER_ID] <order_id> XXXX",
    "Invoice 4471 from Norden AB, due 12 March, total 1,250 EUR",
    "order 3 items for 1,250.00 EUR in 2024, case 2 of 12",
    "Dear Team, thanks for all",
    "Chapter 10.2.3.4 of the book sold 10000 copies since 1999-2003",
    "Extract the invoice fields as JSON.",
    "The password must be at least 8 characters.",
    "pi is 3.14159265 and 10000000 is big; 978-0-306-40615-7",
]


@pytest.mark.parametrize("text", LEAVES_ALONE)
def test_leaves_alone(text: str) -> None:
    assert found(text) == set()


LABELS = [
    ("customer_phone", "944550138", "PHONE_NUMBER"),
    ("iban", "BE68539007547034", "IBAN_CODE"),
    ("dob", "1979-02-11", "DATE_OF_BIRTH"),
    ("firstName", "ana", "PERSON"),
    ("acct_no", "7700 1403", "BANK_ACCOUNT"),
    ("password", "hunter", "PASSWORD"),
    ("plz", "6600", "ADDRESS"),
    ("street", "'t Zand 118", "ADDRESS"),
    ("orderId", "ASV/0123456", "OTHER_ID"),
    ("ssn", "219550199", "NATIONAL_ID"),
]


@pytest.mark.parametrize(("label", "value", "kind"), LABELS)
def test_a_json_key_types_its_value(label: str, value: str, kind: str) -> None:
    assert found(value, "und", label) == {(kind, value)}


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("name", "get_weather"),
        ("invoice_id", "4471"),
        ("phone", "{{phone}}"),
        ("customer", "ACME GmbH"),
        ("total", "1250"),
        ("ts", "1735689600000"),
        ("password", "string"),
    ],
)
def test_a_json_key_alone_is_not_enough(label: str, value: str) -> None:
    assert found(value, "und", label) == set()


@pytest.mark.parametrize("language", ["en", "es", "de"])
@pytest.mark.parametrize(
    "unit", ["a.", "@", "A.", "1 ", "1.", "A1-", "a@", "\n", "(", "Aa ", "password ", "calle 1 ", "0:", "x", "+1("]
)  # fmt: skip
def test_a_long_hostile_text_hides_nothing_behind_it(unit: str, language: str) -> None:
    """Their time: benchmarks/worst_case.py."""
    text = (
        unit * (20_000 // len(unit)) + "\n\nwrite to ana@acme.example, card 4111 1111 1111 1111\n"
    )
    assert found(text, language) >= {
        ("EMAIL_ADDRESS", "ana@acme.example"),
        ("CREDIT_CARD", "4111 1111 1111 1111"),
    }
