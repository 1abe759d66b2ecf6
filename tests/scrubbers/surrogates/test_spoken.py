"""Dictated codes, numbers and addresses agree with the written ones and stay dictated."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubbers.surrogates import spoken, spokenmail
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.numberwords import LANGUAGES, say, together, words_of
from tests.scrubbers.surrogates.lookup import looked_up, read_back, surrogate


def in_words(lang: str, groups: list[str]) -> str:
    """Digits as they are dictated: groups with a leading zero digit by digit."""
    said = [
        say(lang, int(group)) if group[0] != "0" else " ".join(say(lang, int(d)) for d in group)
        for group in groups
    ]
    return ", ".join(said)


GROUPS = st.lists(st.from_regex(r"[0-9]|[0-9]{2}|[1-9][0-9]{2}", fullmatch=True), min_size=4, max_size=6)  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_number_below_a_thousand_is_read_as_it_is_said(lang: str) -> None:
    words = words_of(lang)
    assert all(words.numbers[together(say(lang, n))] == str(n) for n in range(1000))


@pytest.mark.parametrize("lang", LANGUAGES)
@given(groups=GROUPS)
@example(["3", "3", "3", "73"])
@settings(max_examples=40, deadline=None)
def test_dictated_digits_share_the_unit_and_stay_words(lang: str, groups: list[str]) -> None:
    text, digits = in_words(lang, groups), "".join(groups)
    assert units("OTHER_ID", text) == units("OTHER_ID", digits)
    made = surrogate("OTHER_ID", text)
    assert not re.search(r"\d", made)
    assert read_back("OTHER_ID", made) == looked_up("OTHER_ID", digits)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("six one seven five five five oh one double four", "6175550144"),
        ("Triple Seven Four-Twenty Nought", "777420 0".replace(" ", "")),
        ("plus three four, six twelve, five five five, oh nineteen", "+346125550" + "19"),
        ("nueve uno cinco cinco cincuenta y cinco cero doce", "9155550" + "12"),
        ("zéro sept soixante-dix quatre-vingt-onze septante-deux", "07709172"),
        ("null eins sechs null fünf und fünfzig fünf und fünfzig zwo", "0160" + "55552"),
        ("tre quattro sette cinquantacinque trecentoventi", "347" + "55320"),
        ("onze nove meia meia cinco", "119665"),
        ("nul zes twaalf vijfendertig", "061235"),
        ("sześć zero jeden pięćset pięćdziesiąt pięć", "601555"),
        ("BO guion 668 guion 2045", "BO-668-2045"),
        ("ge ye ka cero be cero", "gyk0b0"),
        ("x-ray kilo seven papa two mike", "xk7p2m"),
        ("T as in Tango four two two nine", "T4229"),
        ("eme de Madrid cuatro cinco uno dos", "m4512"),
    ],
)  # fmt: skip
def test_what_is_dictated_is_read(text: str, plain: str) -> None:
    reading = spoken.reading(text, "OTHER_ID")
    assert reading is not None
    assert reading.plain == plain
    assert read_back("OTHER_ID", surrogate("OTHER_ID", text)) == looked_up("OTHER_ID", plain)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Three Ninety-Five Two Eight", r"([A-Z][a-z]+[- ]?)+"),
        ("TRES QUINCE CINCO CINCUENTA Y CINCO", r"[A-Z ]+"),
        ("double five oh one two", r"[a-z ]+"),
        ("zéro six trente-neuf", r"[a-zéè -]+"),
    ],
)
def test_the_look_of_the_words_is_kept(text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, surrogate("OTHER_ID", text))


@pytest.mark.parametrize("text", ["DE 427 2100 4417 09", "AB 12 CD", "FTS 21 0000 4471", "UN ONE 4", "c f c s h j", "BE 4471"])  # fmt: skip
def test_written_codes_are_not_taken_for_dictated_ones(text: str) -> None:
    assert spoken.reading(text, "OTHER_ID") is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ange point leca arobase maquis tiret mail point example", "ange.leca@maquis-mail.example"),
        ("eme de Murcia i ele u punto soler arroba posta punto example", "milu.soler@posta.example"),
        ("jot minus vogt unterstrich vierundachtzig ät weide punkt example", "j-vogt_84@weide.example"),
        ("luigi punto rossi chiocciola posta punto example", "luigi.rossi@posta.example"),
        ("jan streepje bos apenstaartje weide punt example", "jan-bos@weide.example"),
        ("rui ponto sousa arroba posta ponto example", "rui.sousa@posta.example"),
        ("ola kropka nowak małpa poczta kropka example", "ola.nowak@poczta.example"),
        ("ana [at] posta (dot) example", "ana@posta.example"),
        ("ana.reyes @ posta.example", "ana.reyes@posta.example"),
        ("A N A underscore R at posta dot example", "ANA_R@posta.example"),
    ],
)  # fmt: skip
def test_dictated_addresses_agree_and_keep_their_signs(text: str, plain: str) -> None:
    assert units("EMAIL_ADDRESS", text) == units("EMAIL_ADDRESS", plain)
    made = surrogate("EMAIL_ADDRESS", text)
    assert read_back("EMAIL_ADDRESS", made) == looked_up("EMAIL_ADDRESS", plain)
    signs = r"arobase|arroba|ät|chiocciola|apenstaartje|małpa|\[at\]|@| at "
    assert re.findall(signs, made) == re.findall(signs, text)


@given(new=st.from_regex(r"[a-z]{2,7}", fullmatch=True))  # fmt: skip
@settings(max_examples=100, deadline=None)
def test_names_that_are_number_words_are_spelled(new: str) -> None:
    reading = spokenmail.reading("ana punto reyes arroba posta punto example", "EMAIL_ADDRESS")
    assert reading is not None
    for name in (new, "seis", "otto", "due", "eme", "punto"):
        address = f"{name}.{new}@{name}.example"
        again = spokenmail.reading(reading.write(address), "EMAIL_ADDRESS")
        assert again is not None
        assert again.plain == address
