from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.language import (
    UNKNOWN,
    detect_language,
    holds_words,
    record_language,
)
from scrubbers.scripts import foreign_scripts, unread_scripts

TURNS = [
    ("en", "hi, my card was charged twice for the same hotel"),
    ("en", "Write a short summary of the key points."),
    ("es", "hola, me cobraron dos veces la misma factura"),
    ("es", "Tengo también un problema con el router nuevo."),
    ("fr", "bonjour, je n'ai toujours pas reçu ma commande"),
    ("fr", "Pouvez-vous me rappeler demain matin ?"),
    ("de", "Guten Tag, ich habe meine Rechnung noch nicht bekommen"),
    ("de", "Bitte ändern Sie meine Adresse im System."),
    ("it", "buongiorno, vorrei sapere quando arriva il pacco"),
    ("it", "Non riesco più ad accedere al mio conto."),
    ("pt", "olá, não consigo aceder à minha conta desde ontem"),
    ("pt", "Você pode me enviar a segunda via do boleto?"),
    ("nl", "goedemorgen, ik heb mijn pakket nog niet ontvangen"),
    ("nl", "Kunt u mij morgen terugbellen over de factuur?"),
    ("ru", "Здравствуйте, я не могу войти в свой аккаунт"),
    ("el", "Καλημέρα, δεν μπορώ να συνδεθώ στον λογαριασμό μου"),
    ("ja", "こんにちは、注文した商品がまだ届いていません"),
    ("zh", "你好，我的订单还没有收到，请帮我查一下"),
    ("ko", "안녕하세요, 주문한 상품이 아직 도착하지 않았습니다"),
    ("pl", "Dzień dobry, nie mogę zalogować się na swoje konto od wczoraj wieczorem"),
    ("pl", "Proszę o zmianę adresu, ale nie mam jeszcze umowy."),
    ("ro", "Bună ziua, nu mai pot intra în cont și vreau să știu de ce"),
    ("sv", "Hej, jag har inte fått mitt paket än och vill veta var det är"),
    ("no", "Hei, jeg har ikke fått pakken og vil vite hvor den er nå"),
    ("da", "Hej, jeg har ikke fået pakken endnu og vil vide hvad der er sket"),
    ("fi", "Hei, en ole vielä saanut pakettia ja se on jo myöhässä"),
    ("cs", "Dobrý den, nemůžu se přihlásit ke svému účtu už od včerejšího večera"),
]


@pytest.mark.parametrize(("language", "text"), TURNS)
def test_short_turns_are_told_apart(language: str, text: str) -> None:
    assert detect_language(text, "xx") == language


@pytest.mark.parametrize(
    "text", ["", "ok thanks", "INV-2024-0012", "42", "foo_bar(baz)", "https://example.com/a/b/c"]
)
def test_too_little_text_takes_the_records_language(text: str) -> None:
    assert detect_language(text, "pt") == "pt"


def test_names_do_not_make_a_text_foreign() -> None:
    assert detect_language("Thanks, Nurul binti Ahmad. Sent to Eskil Haugland.", "en") == "en"


def test_a_records_language_is_that_of_its_prose() -> None:
    texts = ["user", "ok", "Bitte ändern Sie meine Adresse im System.", '{"a": 1}']
    assert record_language(texts) == "de"
    assert record_language(["42", "id-7"]) == UNKNOWN


def test_other_scripts_are_seen_inside_latin_text() -> None:
    assert foreign_scripts("The guest 田中太郎 arrives on Monday") == ["zh"]
    assert foreign_scripts("Гость: Иван, see the alpha value α and μ") == ["ru"]
    assert foreign_scripts("The angle α is small, Müller said") == []


def test_code_and_ids_hold_no_words() -> None:
    assert not holds_words("f4c1_aa/b.c 1234 `let x`")
    assert holds_words("Ana Reyes")


@pytest.mark.parametrize(
    "text",
    [
        "My name is John Doe and his mail is jdoe@acme.example",
        "Contact: Omar Vance, Elm Rise 4, Leeds. Mail ana@acme.example, www.acme.example/a/b.",
    ],
)
def test_names_and_addresses_make_no_other_language(text: str) -> None:
    assert detect_language(text, "en") == "en"


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("what does 日本 mean?", []),
        ('write the word "ありがとう" for me', []),
        ("the sign says 出口 and 非常口", []),
        ("the word мир means peace", []),
        ("see 日本語入力システム here", ["ja"]),
        ("the guest 田中太郎 arrives", ["zh"]),
        ("the guest 王伟 arrives", ["zh"]),
        ("ask 김민수 for it", ["ko"]),
        ("ask Иван for it", ["ru"]),
        ('ask "Иван" for it', ["ru"]),
        ("ask علي for it", ["ar"]),
    ],
)
def test_a_short_word_in_another_script_is_no_name(text: str, unread: list[str]) -> None:
    assert unread_scripts(text) == unread


WORDS = (
    "mail sent stay lane brand and to the de la der het een hallo yes zq ok kia ora paquet pakken"
)


@given(
    st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=12).map(" ".join)
    | st.text(max_size=80),
    st.sampled_from(["und", "en", "pt", "ca", "zh"]),
)
def test_whatever_the_text_a_language_or_the_fallback_is_told(text: str, fallback: str) -> None:
    told = detect_language(text, fallback)
    assert told == fallback or (len(told) in (2, 3) and told.isalpha())
