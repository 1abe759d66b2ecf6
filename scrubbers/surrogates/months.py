"""Names of months and weekdays in the languages whose dates are read."""

from __future__ import annotations

from functools import cache

from scrubbers.surrogates.text import fold

MONTHS: dict[str, str] = {
    "en": "january february march april may june july august september october november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
}  # fmt: skip
SHORT: dict[str, str] = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "fr": "janv févr mars avr mai juin juil août sept oct nov déc",
    "de": "jan feb mär apr mai jun jul aug sep okt nov dez",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "pl": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
}
WEEKDAYS: dict[str, str] = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "pl": "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    "en3": "mon tue wed thu fri sat sun",
    "de2": "mo di mi do fr sa so",
}
OTHER_SPELLINGS = {
    "fevr": ("fr", 2), "sept": ("en", 9), "setiembre": ("es", 9), "maerz": ("de", 3),
    "jänner": ("de", 1), "februari": ("nl", 2),
}  # fmt: skip
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


@cache
def month_index() -> dict[str, list[tuple[str, int]]]:
    """Normal form of a month's name -> (its list, number) for every list that has it."""
    found: dict[str, list[tuple[str, int]]] = {}
    tables = {**MONTHS, **{f"{k}3": v for k, v in SHORT.items()}}
    for name, words in tables.items():
        for number, word in enumerate(words.split(), 1):
            found.setdefault(fold(word), []).append((name, number))
    for number, word in enumerate(ROMAN, 1):
        found.setdefault(word, []).append(("roman", number))
    for word, (language, number) in OTHER_SPELLINGS.items():
        found.setdefault(fold(word), []).append((language, number))
    return found


def month_name(table: str, number: int) -> str:
    """The name of a month in one of the lists of `month_index`."""
    if table == "roman":
        return ROMAN[number - 1]
    words = SHORT[table[:2]] if table.endswith("3") else MONTHS[table]
    return words.split()[number - 1]


@cache
def weekday_index() -> dict[str, tuple[str, int]]:
    """Normal form of a weekday -> (its list, 0 for Monday)."""
    return {
        fold(word): (name, number)
        for name, words in reversed(WEEKDAYS.items())
        for number, word in enumerate(words.split())
    }


def weekday_name(table: str, number: int) -> str:
    """The name of a weekday in one of the lists of `weekday_index`."""
    return WEEKDAYS[table].split()[number]
