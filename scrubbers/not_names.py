"""Single words that stand where a name could, and are none there."""

from __future__ import annotations

import re

from scrubbers.name_guards import CALENDAR, NUMBERED, word_set
from scrubbers.rules.common import plain
from scrubbers.words import TITLES

# Greetings of languages without a name detector, and the printers' filler text.
_LIPSUM = (
    "dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna "
    "aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo "
    "consequat duis aute irure in reprehenderit voluptate velit esse cillum eu fugiat nulla pariatur"
)
_PHRASES = re.compile(
    r"(?<!\w)(?:kia ora|t[eē]n[aā] koe|dzie[nń] dobry|dobry wiecz[oó]r|cze[sś][cć]|dobr[yý] den|dobar dan|dober dan"
    r"|dobr[eé] r[aá]no|god dag|god morgen|god kveld|hej hej|goddag|hyv[aä][aä] (?:p[aä]iv[aä][aä]|huomenta)"
    r"|bun[aă] (?:ziua|seara|diminea[tț]a)|j[oó] (?:napot|reggelt|est[eé]t)(?: k[ií]v[aá]nok)?|selamat (?:pagi|siang|sore|malam)"
    r"|terima kasih|xin ch[aà]o|namaste|namaskar|salaam alaikum|as-?salamu alaykum|shalom|merhaba|g[uü]nayd[iı]n"
    r"|mabuhay|magandang (?:umaga|hapon|gabi)|aloha|sawubona|jambo|konnichiwa|ohayo|ni hao|annyeong|sat sri akal"
    rf"|lorem ipsum(?:[\s,.]+(?:{_LIPSUM.replace(' ', '|')}))*)(?!\w)",
    re.IGNORECASE,
)
# What is named after someone: with or without the 's, and only without ("Reyes's test" is hers).
_THING = (
    r"theorem|syndrome|lemma|conjecture|algorithm|distribution|equations?|inequality|paradox|laws?|disease"
    r"|principle|razor|polynomials?|sequence|triangle|-satz|-syndrom|-krankheit"
)
_WEAK_THING = r"test|scale|score|sign|effect|constant|coefficient|matrix|chains?|transform|diagram|filter|curve|criterion|cipher"
_NAMED_AFTER = re.compile(
    rf"(?:['’]s?)? ?(?:{_THING})(?!\w)|[ -](?:{_WEAK_THING})(?!\w)", re.IGNORECASE
)
_THING_OF = re.compile(
    r"(?<!\w)(?:teorema|théorème|satz|s[ií]ndrome|syndrome|sindrome|ley|loi|legge|lei|wet|gesetz|enfermedad|maladie|malattia"
    r"|doença|ziekte|morbus|algoritmo|algorithme|distribución|ecuación|équation|equazione|equação|apache)"
    r"\s(?:de |di |von |des |van |do |da |del |d['’])?$",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"(?<=\w )v(?:s|ersus)?\.?(?= (?!d\.))")
_VERSUS_BEFORE, _VERSUS_AFTER = re.compile(r"\bvs\.? $"), re.compile(r" vs\.? ")
# Days and months as they are shortened, of which some are names too: not beside a number.
_SHORT = word_set(
    "mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec "
    "lun mié mie jue vie sáb sab dom ene abr ago dic mer jeu ven sam janv févr fév avr juil déc "
    "mo di mi do fr sa so mär mai okt dez gio mag giu lug set ott seg ter qua qui sex fev out "
    "ma wo vr za zo mrt"
)
_NUMBER_AFTER = re.compile(r"\.?,?[ -]{1,2}\d")
_NUMBER_BEFORE = re.compile(r"\d(?:st|nd|rd|th|\.|º)?(?: de| of)?[ -]$")
_LIST_NUMBER = re.compile(r"[ .:#-]{1,3}\d{1,4}(?!\d)")
_PRODUCTS = word_set(
    "docker kafka gson kubernetes nginx postgres postgresql mysql redis mongodb numpy scipy django "
    "flask react angular node python java javascript typescript golang kotlin pytorch tensorflow keras "
    "linux ubuntu debian fedora github gitlab jira confluence excel powerpoint firefox android iphone "
    "chatgpt openai siri hadoop terraform ansible airflow celery webpack gradle maven selenium"
)
_LEAST = 4  # letters of a lower-case word that one model alone may call a name
_SURE = 0.85
# Short answers and commands in lower case.
_CHAT = word_set(
    "end stop exit quit okay done bye cheers regards thanks thx best note sent help home back next menu "
    "test ende fertig danke fin gracias merci grazie fine obrigado einde klaar bedankt groetjes"
)


def nowhere(text: str, *, german: bool = False) -> list[tuple[int, int]]:
    """The spans of fixed phrases in which nothing is a name; in German, "v." is a name's von."""
    found = [match.span() for match in _PHRASES.finditer(text)]
    return found if german else [*found, *(match.span() for match in _VERSUS.finditer(text))]


def is_ordinary(text: str, start: int, end: int, *, agreed: bool, odds: float) -> bool:
    """Whether text[start:end], one word that a model takes for a name, is none where it stands.

    `agreed`: both models take it for one; `odds`: the surer one's probability.
    """
    word, before, rest = text[start:end], text[max(0, start - 24) : start], text[end : end + 24]
    low = word.casefold().rstrip(".")
    short = word.islower() and len(word) < _LEAST and not agreed
    if short or low in _PRODUCTS or (word.islower() and low in _CHAT):
        return True
    if low in _SHORT or low in CALENDAR:
        return bool(_NUMBER_AFTER.match(rest) or _NUMBER_BEFORE.search(before))
    if len(word) > 1 and _LIST_NUMBER.match(rest) and (word.isupper() or low in NUMBERED):
        return not (agreed and odds >= _SURE)
    if _VERSUS_BEFORE.search(before) or _VERSUS_AFTER.match(rest) or _THING_OF.search(before):
        return True
    titled = plain("".join(before.split()[-1:])) in TITLES
    return not titled and _NAMED_AFTER.match(rest) is not None
