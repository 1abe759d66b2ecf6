"""The language of a text, and of a record; only where there is enough of it to tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from scrubbers.scripts import SCRIPTS, foreign_scripts

UNKNOWN = "und"
# Fewer letters than this say too little: the record's language holds ("ok thanks", an id).
MIN_LETTERS = 25
# lingua's confidence (shares over all its languages) below which the record's language holds.
MIN_CONFIDENCE = 0.35
# More of a text does not change the answer.
MAX_CHARACTERS = 2_000

# The languages of the name detectors, and others that chats come in, so that those are told
# apart. Chosen rather than all 75, whose rare ones take short European texts away. lingua knows
# Norwegian by its two written forms; Bokmål stands for it.
CANDIDATES = (
    "en", "es", "fr", "de", "it", "pt", "nl", "ca", "da", "sv", "no", "fi", "pl", "cs", "ro",
    "hu", "tr", "vi", "id", "ru", "uk", "bg", "el", "ar", "fa", "he", "hi", "ja", "ko", "zh",
    "th",
)  # fmt: skip
_OURS = {"nb": "no"}
# Up to this many letters, a language other than the record's must be this many times likelier.
SHORT_LETTERS = 120
SHORT_ODDS = 4.0
# And another than the common ones must be this likely, and in any length of text this many times
# likelier than each of those: names and addresses make texts look foreign. Function words can
# tell some of the others, too.
COMMON = ("en", "es", "fr", "de", "it", "pt", "nl")
RARE = 0.9
RARE_ODDS = 5.0
# Up to this many letters, function words are counted first: lingua's low-accuracy mode takes
# short instructions for Danish or French where their "the" and "of" leave no doubt.
COUNTED_LETTERS = 400
# A function word counts 1, divided by the number of languages below that have it. The winner
# needs this much, and this many times the second's.
FUNCTION_POINTS = 1.5
FUNCTION_ODDS = 2.0
_ALIKE = frozenset({"no", "da"})  # a word or two tells them apart: neither is the other's rival
FUNCTION_WORDS: dict[str, str] = {
    "en": "the of and to in is that it for on you with as are this be at have not or by from was "
    "but what can my your if will one all would there their so do how which who when please i "
    "we they has had an could should does its me he she his her them then than into any",
    "es": "el la de que y en los se del las un por con no una su para es al lo como más o pero "
    "sus le ha me si sin sobre este ya entre cuando muy desde mi qué yo porque hay esta son está "
    "tu te usted nos cómo tengo quiero hola",
    "fr": "le de la les et des en un du une que est pour qui dans par plus pas au sur ne se ce "
    "il je nous vous avec sont son mais ou elle cette ses mon ma mes votre vos notre aux bonjour "
    "merci être avoir fait quand comment où très ai suis",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch "
    "es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen "
    "so zum war haben nur oder aber vor zur bis mehr durch ich mein meine bitte wir ihr ihre ihnen",
    "it": "di e il la che in un è per una sono non si del le da della con i dei alla come più mi "
    "ha al nel anche lo gli questo ma dal se ho ci cosa perché questa mia mio tua suo sua può "
    "delle nella sul grazie ciao vorrei essere",
    "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi "
    "ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso "
    "ela entre era depois sem mesmo aos ter você meu minha obrigado olá",
    "nl": "de van het een en in is dat op te zijn met voor niet aan er die om ook als dan maar "
    "bij of uit nog naar heb heeft hij ik je mijn wij we wat over door zo worden wordt geen kan "
    "deze dit moet u uw hoe graag bedankt ben was hebben haar",
    "pl": "nie się jest na że do to jak co ale czy za od przez po dla tak już jego jej był była być są może "
    "ich który która które oraz tym tego tej jako proszę dziękuję mnie mam pan pani ze we przy pod "
    "tylko także gdy aby żeby dzień dobry moje mój",
    "ro": "și este nu pe cu din care pentru sunt mai fost lui ca ce dar sau sunteți vă dumneavoastră "
    "prin după între această acest aceasta fi avea are au și-a într în că să îi îmi mă mea meu "
    "vreau bună ziua mulțumesc către până când cum unei unui ei lor fără",
    "sv": "och att det som på är inte jag för av med till den har de ett om var vi kan från så men "
    "eller när hur vad min mitt mina du ni han hon dem detta denna skulle ska vill blir också bara "
    "efter under över vid här där mig dig hej tack mycket",
    "no": "og det som på er ikke jeg for av med til den har de et om var vi kan fra så men eller når "
    "hvordan hva min mitt mine du dere han hun dem dette denne skulle skal vil blir også bare "
    "etter under over ved her der meg deg hei takk mye noe være ble",
    "da": "og det som på er ikke jeg for af med til den har de et om var vi kan fra så men eller når "
    "hvordan hvad min mit mine du han hun dem dette denne skulle skal vil bliver også bare efter "
    "under over ved her der mig dig hej tak meget noget være blev",
    "fi": "ja on ei se että en oli mutta kun niin myös joka jos tai kuin mitä hän minä sinä me te he "
    "ovat olen ole olla tämä sitä siitä sen minun sinun voi voin voinko miten missä kanssa vain nyt "
    "mukaan jälkeen hei kiitos sekä eikä ollut sitten",
}
# Cyrillic and Arabic letters are shared; there, lingua decides.
_SHARED = frozenset({"ar", "ru"})
# Scripts written without spaces say in two characters what others say in a word.
_DENSE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_WORD = re.compile(r"[^\W\d_]{2,}")
# What is not language: code, addresses, JSON keys and identifiers, placeholders. A word with a
# sign in it is tried where it begins or where another kind of noise has just ended: elsewhere
# the places before have shown that it holds none.
_NOISE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|\"[\w$.-]+\"\s*:|(?:(?<!\S)|(?<=[`:}>]))\S*(?:@|://|[_\\/]|\w\.\w|\d)\S*"
    r"|\{\{.*?\}\}|<[^<>\n]{1,60}>",
    re.DOTALL,
)


def detect_language(text: str, fallback: str = UNKNOWN) -> str:
    """The ISO 639-1 code of the text's language; `fallback` where the text cannot tell."""
    return _language(text[:MAX_CHARACTERS], fallback)


@lru_cache(maxsize=256)  # system prompts come again and again
def _language(text: str, fallback: str) -> str:
    words = _words(text)
    letters = sum(map(len, words))
    if letters < MIN_LETTERS:
        return _main_script(text) or fallback
    script = _main_script(text)
    if script and script not in _SHARED:
        return script
    if letters <= COUNTED_LETTERS and (counted := _by_function_words(words)):
        return counted
    values = _detector().compute_language_confidence_values(" ".join(_telling(words)))
    odds = {
        _OURS.get(code := v.language.iso_code_639_1.name.lower(), code): v.value for v in values
    }
    best: str = max(odds, key=lambda code: (odds[code], code))
    if odds[best] < MIN_CONFIDENCE or (not script and not _leads(odds, best)):
        return _by_function_words(words) or fallback
    if script or letters > SHORT_LETTERS:
        return best
    rare = best not in COMMON and (odds[best] < RARE or letters < 2 * MIN_LETTERS)
    return fallback if rare or odds[best] < SHORT_ODDS * odds.get(fallback, 0.0) else best


def _leads(odds: dict[str, float], best: str) -> bool:
    """Whether a language is a common one, or far likelier than each of them."""
    return best in COMMON or all(odds[best] >= RARE_ODDS * odds.get(one, 0.0) for one in COMMON)


def _by_function_words(words: Sequence[str]) -> str | None:
    points = dict.fromkeys(FUNCTION_WORDS, 0.0)
    known = _speakers()
    for word in words:
        speakers = known.get(word.casefold(), ())
        for language in speakers:
            points[language] += 1 / len(speakers)
    first = max(points, key=lambda language: (points[language], language))
    others = [points[one] for one in points if one != first and not {one, first} <= _ALIKE]
    clear = points[first] >= max(FUNCTION_POINTS, FUNCTION_ODDS * max(others))
    return first if clear else None


def is_function_word(word: str) -> bool:
    """Whether it is a function word of one of the languages above."""
    return word.casefold() in _speakers()


@cache
def _speakers() -> dict[str, tuple[str, ...]]:
    """Function word -> the languages that have it."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in FUNCTION_WORDS.items():
        for word in set(words.split()):
            found[word] = (*found.get(word, ()), language)
    return found


def _telling(words: Sequence[str]) -> Sequence[str]:
    """The words without the capitalised ones (names say nothing), if enough others are left."""
    plain = [word for word in words if word[0].islower()]
    return plain if sum(map(len, plain)) >= 3 * MIN_LETTERS else words


def _main_script(text: str) -> str | None:
    """The language whose script more than half of the letters are in, if any."""
    letters = sum(map(str.isalpha, text))
    for language in foreign_scripts(text):
        shares = SCRIPTS if language == "ja" else [(language, dict(SCRIPTS)[language])]
        own = sum(len(run) for _, script in shares[:3] for run in script.findall(text))
        if 2 * own > letters:
            return language
    return None


def record_language(texts: Sequence[str], fallback: str = UNKNOWN) -> str:
    """The language of a record: that of its leaves' prose, read as one text."""
    prose = sorted((t for t in texts if t), key=lambda t: (-len(_words(t)), t))
    return detect_language("\n".join(prose)[:MAX_CHARACTERS], fallback)


def holds_words(text: str, count: int = 2) -> bool:
    """Whether at least `count` words of two letters or more stand in it, code apart."""
    return len(_words(text)) + 2 * len(_DENSE.findall(text[:MAX_CHARACTERS])) >= count


def _words(text: str) -> tuple[str, ...]:
    return _prose_words(text[:MAX_CHARACTERS])


@lru_cache(maxsize=512)  # each leaf is asked for its words four times
def _prose_words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_NOISE.sub(" ", text)))


@cache
def _detector() -> Any:
    """The lingua detector in its low-accuracy mode: 0.1 ms a call and 40 MiB, where the other needs 450."""
    from lingua import (  # noqa: PLC0415  slow to load, and not needed for every command
        IsoCode639_1,
        LanguageDetectorBuilder,
    )

    theirs = {own: code for code, own in _OURS.items()}
    codes = [getattr(IsoCode639_1, theirs.get(code, code).upper()) for code in CANDIDATES]
    builder = LanguageDetectorBuilder.from_iso_codes_639_1(*codes)
    return builder.with_low_accuracy_mode().build()
