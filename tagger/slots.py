"""The names that grammar files may use: entry symbols, keys and slots."""

from __future__ import annotations

import re

LANGUAGES = ("en", "es", "fr", "de", "it", "pt", "nl", "pl", "ro", "sv", "no", "da", "fi")
ENTRIES = (
    "chat.user", "chat.assistant", "chat.system", "ticket", "mail", "letter", "form", "minutes",
    "clinical", "legal", "news", "transcript", "cv", "invoice", "review", "social",
    "table.caption", "code.comment", "log.message", "negative",
)  # fmt: skip
WORLD_ENTRIES = (  # in frames/world/: general text, answers, programs, who was what
    "world.article", "world.quiet", "instruct.answer", "instruct.quiet", "instruct.code", "instruct.data",
    "instruct.cue", "casting.list",
)  # fmt: skip
KEYS = tuple(
    f"key.{name}"
    for name in (
        "name given surname email phone street postcode city dob nid iban card account passport "
        "plate medical order customer date amount note user password org status"
    ).split()
)

PERSON_PARTS = frozenset(
    "given surname titled lastfirst init initials nick poss email user phone mobile street postcode "
    "city addr dob nid tax iban iban4 card card4 cvv account sortcode passport licence plate "
    "medical insurance password pin ip url first middle age".split()
)
CASES = frozenset("gen dat acc ins voc spoken".split())
THINGS = frozenset(
    "org org2 shop city city2 region country date date2 date.long month weekday time amount order "
    "ticket invoice booking policy contract customerno vat companyno bic mac imei tracking ip ipv6 "
    "url host secret apikey token user phone email street postcode addr iban plate card "
    "password".split()
)
FIELDS = (
    "science", "writer", "music", "film", "art", "politics", "sport", "royal", "thinker", "explorer",
)  # fmt: skip
WORLD = frozenset(  # see knowledge.py
    "figure figure2 figure3 regnal regnal2 noble mono mono2 born died day day2 team team2 university "
    "hospital label stadium square work film album song taxon taxon2 family storm ship pet law planet "
    "god award genre maker month.year".split()
) | {f"figure{n}.{field}" for n in ("", "2", "3") for field in FIELDS}
CODE = frozenset(  # see toolcalls.py
    "idname idname2 idname3 idclass idclass2 table column func param enum callid datauri hexhash "
    "commit errhex memaddr thread cron asn regexp part room short temp score clockword isofile "
    "envpath exfile testvalue sub hostname".split()
)
NEGATIVES = frozenset(
    "product brandmodel version uuid sku isbn codeid file placeholder flight number percent "
    "section demonym eponym language dish disease game library age year".split()
)

PERSON_SLOT = re.compile(r"p[1-5](?:\.([a-z0-9]+))?(?::([a-z]+))?")
CHOICE_SLOT = re.compile(r"p[1-5]\?.*\|.*", re.DOTALL)
THING_SLOT = re.compile(r"([a-z][a-z0-9]*(?:\.[a-z]+)?)(?::([a-z]+))?")


def is_slot(name: str) -> bool:
    """Whether the engine can fill the slot."""
    if CHOICE_SLOT.fullmatch(name):
        return True
    if found := PERSON_SLOT.fullmatch(name):
        return (not found[1] or found[1] in PERSON_PARTS) and (not found[2] or found[2] in CASES)
    if found := THING_SLOT.fullmatch(name):
        known = any(found[1] in group for group in (THINGS, NEGATIVES, WORLD, CODE))
        return known and (not found[2] or found[2] in CASES)
    return False
