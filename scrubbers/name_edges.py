"""Where a name really begins and ends: function words and verbs at its edges are none of it.

Models and rules both swallow them ("ich bin Petra Vogel", "kevin phoned", "I'm Margaret").
"""

from __future__ import annotations

import re

from scrubbers.name_guards import word_set

_TOKEN = re.compile(r"\S+")
_STRIPPED = " \t\n.,;:!?\"'’()[]«»„“”*#>-"
# "I'm", "it's", "j'ai", "c'est": a pronoun and its verb in one.
_JOINED = re.compile(
    r"(?:i|you|we|they|he|she|it|that|this|here|there|who|what|name|let)['’](?:m|s|re|ve|ll|d)"
    r"|(?:j|c|qu|m|t|s|n)['’](?:ai|est|étais|appelle|habite|y|en|a|suis)",
    re.IGNORECASE,
)
# Never part of a name's edge, in any case. Left out: what is a given name or a surname as well.
_WORDS = word_set(
    "i you we they he she it my your our their this that these those here there and or but if "
    "when while with from for at by as are was were be been has have had the not yes please can "
    "could would should does did who what where why how since because although after before then "
    "also im vs versus re cc attn about into than until hi hello hey dear thanks thank sorry "
    "ich wir ihr sie er mein meine meinem meinen unser unsere und oder aber wenn von für ist war "
    "sind hat haben wurde bitte hier heißt heiße heisse name nicht als wie auch beim wegen "
    "soy me nosotros ella ellos y o pero por para es está fue llamo llama "
    "je suis nous vous il ils elles mes notre votre et mais avec pour est était moi "
    "io sono mio suo voi e per è chiamo chiama "
    "eu meu minha seu nós ele ela com para chamo chama são foi está "
    "ik wij jij hij zij mijn jouw onze uw of maar met voor heet zijn heeft hebben"
)
# These only in lower case: with a capital they are names too (Ben, Bin, Van, An, Do, Will).
_SMALL = word_set(
    "a an no so do to in on of us son sei seid der die das su sus tu mis mi con lei lui noi ed "
    "mia sua mon ma ou mas era yo elle par mit en sou em is his her sein "
    "dem den ein eine im am zu aus auf an bei un una unos la el los las lo de del al en les des du "
    "au une da do dos um uma op te van het een aan uit om il gli i v von vom zum zur le di d "
)
# These in lower case at the end; at the beginning they can be a name ("will smith").
_LAST = word_set("will may might must just now")
# These behind their pronoun, or in lower case before a capital; else they are the given name Ben
# and the "son of" between the parts of a name.
_AM = {"bin": "ich", "ben": "ik"}
# What people do in front of or behind a name in a report of a talk.
_VERBS = word_set(
    "phoned called texted emailed mailed wrote said says asked rang reported told sent lives lived "
    "works worked wants wanted needs needed calls phones writes asks tells sends thinks thought knows "
    "knew came comes went goes got gets left leaves moved paid pays made makes saw seen met meet call "
    "phone text email mail tell ask contact contacted replied answered confirmed cancelled canceled "
    "ordered booked signed joined requested complained visited reached meets replies confirms "
    "rief ruft sagt sagte schrieb schreibt fragt fragte wohnt möchte braucht meldet kommt kam "
    "llamó llama dijo dice escribió escribe vive quiere necesita pidió preguntó trabaja vino "
    "appelle appela dit écrit habite veut demande travaille vient "
    "chiamò dice disse scrive scrisse abita vuole chiede lavora "
    "ligou disse diz escreveu escreve vive quer pediu trabalha "
    "belde belt zegt zei schreef schrijft woont wil vraagt vroeg werkt kwam"
)
# Small words that may begin a name: "de la Rosa", "van Dijk", "al Amin".
_LEADING = word_set(
    "de la las los da do dos das del della di du des van von vom den der ten ter le el al zu ibn 't d v"
)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of a name without function words and verbs at both ends; empty if none is left."""
    words = [(start + m.start(), start + m.end()) for m in _TOKEN.finditer(text[start:end])]
    while words and (_is_edge(text, words[0], words[1:2]) or _says_am(text, words)):
        words = words[1:]
    while words and (_is_edge(text, words[-1], []) or text[slice(*words[-1])] in _LAST):
        words = words[:-1]
    return (words[0][0], words[-1][1]) if words else (start, start)


def _is_edge(text: str, word: tuple[int, int], follows: list[tuple[int, int]]) -> bool:
    """Whether a word at the edge is none of the name. `follows`: the next one, at the beginning."""
    start, end = word
    if _cut(text, start, end):
        return False
    value = text[start:end].strip(_STRIPPED)
    low = value.casefold()
    if not value or _JOINED.fullmatch(value) or (low in _WORDS and not _initial(value)):
        return True
    if not value.islower():
        return False
    if low in _VERBS:
        return True
    if low not in _SMALL | _LEADING:
        return False
    return not (follows and low in _LEADING and text[slice(*follows[0])][:1].isalpha())


def _says_am(text: str, words: list[tuple[int, int]]) -> bool:
    """Whether the first word is the verb of "ich bin Petra" or "ik ben Sanne"."""
    pronoun = _AM.get(text[slice(*words[0])])
    if pronoun is None:
        return False
    spoken = text[max(0, words[0][0] - 5) : words[0][0]].casefold().split()
    return spoken[-1:] == [pronoun] or (len(words) > 1 and text[words[1][0]].isupper())


def _cut(text: str, start: int, end: int) -> bool:
    """Whether a finding begins or ends inside a word: what it covers of it stays covered."""
    return text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()


def _initial(value: str) -> bool:
    return len(value) == 1 and value.isupper() and value != "I"
