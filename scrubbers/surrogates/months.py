"""Names of months and weekdays in the languages whose dates are read."""

from __future__ import annotations

from functools import cache

from scrubbers.surrogates.text import fold

# A name before "-" is the language; Polish, Russian and Finnish write a month of its own otherwise
# than one with a day: `-nom` is the name itself, `-loc` the form after "in".
MONTHS: dict[str, str] = {
    "en": "january february march april may june july august september october november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "pl-nom": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "pl-loc": "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu",
    "fi-nom": "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
    "fi-loc": "tammikuussa helmikuussa maaliskuussa huhtikuussa toukokuussa kesäkuussa heinäkuussa elokuussa syyskuussa lokakuussa marraskuussa joulukuussa",
    "ru-nom": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "ru-loc": "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
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
    "ro": "ian feb mar apr mai iun iul aug sep oct noi dec",
    "sv": "jan feb mar apr maj jun jul aug sep okt nov dec",
    "no": "jan feb mar apr mai jun jul aug sep okt nov des",
    "da": "jan feb mar apr maj jun jul aug sep okt nov dec",
    "ru": "янв фев мар апр май июн июл авг сен окт ноя дек",
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
    "ro": "luni marți miercuri joi vineri sâmbătă duminică",
    "sv": "måndag tisdag onsdag torsdag fredag lördag söndag",
    "no": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "fi": "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    "ru": "понедельник вторник среда четверг пятница суббота воскресенье",
    "en3": "mon tue wed thu fri sat sun",
    "de2": "mo di mi do fr sa so",
}
OTHER_SPELLINGS = {
    "fevr": ("fr3", 2), "janvr": ("fr3", 1), "sept": ("en3", 9), "setiembre": ("es", 9), "maerz": ("de", 3),
    "jänner": ("de", 1), "sett": ("it3", 9), "setem": ("pt3", 9),
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
    for word, (name, number) in OTHER_SPELLINGS.items():
        found.setdefault(fold(word), []).append((name, number))
    return found


def month_name(table: str, number: int) -> str:
    """The name of a month in one of the lists of `month_index`."""
    if table == "roman":
        return ROMAN[number - 1]
    words = SHORT[table[:2]] if table.endswith("3") else MONTHS[table]
    return words.split()[number - 1]


def is_short(table: str, number: int) -> bool:
    """Whether the name is cut short, so that a full stop may stand behind it."""
    return table.endswith("3") and month_name(table, number) not in MONTHS[table[:2]].split()


def alone(table: str) -> str:
    """The list for a month without a day, where the language has one."""
    named = f"{table[:2]}-nom"
    return named if table in MONTHS and named in MONTHS else table


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
