"""Names of months and weekdays in the languages whose dates are read."""

from __future__ import annotations

from functools import cache

from scrubbers.surrogates.text import fold

# A name before "-" is the language; Polish, Russian, Finnish and others write a month of its own otherwise
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
    "el": "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "hu": "január február március április május június július augusztus szeptember október november december",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "bg": "януари февруари март април май юни юли август септември октомври ноември декември",
    "pl-nom": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "pl-loc": "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu",
    "fi-nom": "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
    "fi-loc": "tammikuussa helmikuussa maaliskuussa huhtikuussa toukokuussa kesäkuussa heinäkuussa elokuussa syyskuussa lokakuussa marraskuussa joulukuussa",
    "ru-nom": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "ru-loc": "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    "el-nom": "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος",
    "el-loc": "ιανουάριο φεβρουάριο μάρτιο απρίλιο μάιο ιούνιο ιούλιο αύγουστο σεπτέμβριο οκτώβριο νοέμβριο δεκέμβριο",
    "cs-nom": "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
    "cs-loc": "lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci",
    "hu-loc": "januárban februárban márciusban áprilisban májusban júniusban júliusban augusztusban szeptemberben októberben novemberben decemberben",
    "uk-nom": "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
    "uk-loc": "січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні",
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
    "el": "ιαν φεβ μαρ απρ μαΐ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
    "hu": "jan febr márc ápr máj jún júl aug szept okt nov dec",
    "bg": "яну фев мар апр май юни юли авг сеп окт ное дек",
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
    "el": "δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή",
    "cs": "pondělí úterý středa čtvrtek pátek sobota neděle",
    "hu": "hétfő kedd szerda csütörtök péntek szombat vasárnap",
    "tr": "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
    "uk": "понеділок вівторок середа четвер п’ятниця субота неділя",
    "bg": "понеделник вторник сряда четвъртък петък събота неделя",
    "ja": "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
    "zh": "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
    "pl-acc": "poniedziałek wtorek środę czwartek piątek sobotę niedzielę",
    "cs-acc": "pondělí úterý středu čtvrtek pátek sobotu neděli",
    "ru-acc": "понедельник вторник среду четверг пятницу субботу воскресенье",
    "uk-acc": "понеділок вівторок середу четвер п’ятницю суботу неділю",
    "fi-loc": "maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina",
    "en3": "mon tue wed thu fri sat sun",
    "de2": "mo di mi do fr sa so",
}
# Words for other things as well: a weekday only right beside a date.
WEEKDAYS_BESIDE: dict[str, str] = {
    "es3": "lun mar mié jue vie sáb dom",
    "fr3": "lun mar mer jeu ven sam dim",
    "it3": "lun mar mer gio ven sab dom",
    "pt-bare": "segunda terça quarta quinta sexta sábado domingo",
    "pt3": "seg ter qua qui sex sáb dom",
    "nl2": "ma di wo do vr za zo",
    "pl3": "pon wto śro czw pią sob nie",
    "ru2": "пн вт ср чт пт сб вс",
    "ja1": "月 火 水 木 金 土 日",
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
