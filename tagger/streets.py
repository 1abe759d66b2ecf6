"""Street lines as each country writes them."""

from __future__ import annotations

import random

from tagger.cities import cities
from tagger.floors import FLOORS, with_floor
from tagger.names import HOME, made_up
from tagger.wordlists import entries

LANGUAGE_OF = {
    "US": "en", "GB": "en", "IE": "en", "CA": "en", "AU": "en", "IN": "en", "ES": "es", "MX": "es",
    "AR": "es", "CO": "es", "CL": "es", "FR": "fr", "BE": "nl", "CH": "de", "DE": "de", "AT": "de",
    "IT": "it", "PT": "pt", "BR": "pt", "NL": "nl", "PL": "pl", "RO": "ro", "SE": "sv", "NO": "no",
    "DK": "da", "FI": "fi",
}  # fmt: skip


def base_language(country: str, language: str) -> str:
    """The language of a street: the country's; in Belgium, Switzerland, Canada often the text's."""
    if country in ("BE", "CH", "CA") and language in ("fr", "de", "nl", "it", "en"):
        return language if (country, language) not in (("BE", "de"), ("BE", "it")) else "nl"
    return LANGUAGE_OF[country]


def base_of(rng: random.Random, country: str, language: str) -> str:
    """What a street is called, without its type."""
    if rng.random() < 0.6:
        return rng.choice(entries("places", f"base.{language}"))
    if rng.random() < 0.5:
        return made_up(rng, HOME[country][0], "surname")
    return rng.choice(cities(country)).split(" (")[0].split("/")[0]


def street(rng: random.Random, country: str, language: str = "") -> str:
    """A street line with house number, flat and the like."""
    spoken = base_language(country, language)
    base = base_of(rng, country, spoken)
    most = 2900 if country in ("US", "CA", "MX", "AR", "BR", "CL", "AU") else 260
    number = str(rng.choice((rng.randint(1, 30), rng.randint(1, 120), rng.randint(1, most))))
    maker = {
        "en": english, "de": german, "fr": french, "es": spanish, "it": italian, "pt": portuguese,
        "nl": dutch, "pl": polish, "ro": romanian, "sv": swedish, "no": norwegian, "da": danish,
        "fi": finnish,
    }[spoken]  # fmt: skip
    line = maker(rng, base, number, country)
    if spoken in FLOORS and rng.random() < 0.12:
        line = with_floor(rng, line, spoken, country)
    return line.lower() if rng.random() < 0.03 else line


def kind_of(rng: random.Random, language: str) -> str:
    """A word for street."""
    return rng.choice(entries("places", f"type.{language}"))


def english(rng: random.Random, base: str, number: str, country: str) -> str:
    """14 Elm Ave, Apt 3; Flat 6, 31 Coopers Rise; P.O. Box 114; No. 12/4, 3rd Cross, Temple Road."""
    road = f"{base} {kind_of(rng, 'en')}"
    dice = rng.random()
    if country == "IN" and dice < 0.7:
        head = rng.choice(("No. ", "#", "Flat ", "H.No. ", "Plot No. ", "Door No ", ""))
        inner = rng.choice(
            ("", f"{rng.randint(1, 12)}th Cross, ", f"{base} Apartments, ", "2nd Main, ")
        )
        return f"{head}{number}{rng.choice(('', 'A', '/4', '-B'))}, {inner}{road}"
    if dice < 0.05:
        return f"{rng.choice(('P.O. Box', 'PO Box', 'RR', 'HC'))} {number}"
    if dice < 0.12:
        return f"{base} {rng.choice(('House', 'Cottage', 'Farm', 'Lodge', 'Barn'))}, {road}"
    if dice < 0.32:
        flat = f"{rng.randint(1, 40)}{rng.choice(('', '', 'A', 'b'))}"
        if country in ("GB", "IE", "AU"):
            head = rng.choice((f"Flat {flat}, ", f"{flat}/", f"Apt {flat}, ", f"Unit {flat}, "))
            return f"{head}{number} {road}"
        tail = rng.choice(
            (f" Apt {flat}", f", Apt. {flat}", f" #{flat}", f", Unit {flat}", f", Suite {number}0")
        )
        return f"{number} {road}{tail}"
    if dice < 0.4:
        return f"{number} {rng.choice('NSEW')}{rng.choice(('', '.'))} {road}"
    return road if dice < 0.44 else f"{number}{rng.choice(('', '', '', '', 'a', 'B'))} {road}"


def german(rng: random.Random, base: str, number: str, country: str) -> str:
    """Lindenstr. 5a; Am Speicher 3; Wiener Straße 14/2/7."""
    kind = kind_of(rng, "de")
    if rng.random() < 0.25:
        road = rng.choice(entries("places", "whole.de"))
    elif " " in base or rng.random() < 0.08:
        road = f"{base.replace(' ', '-')}-{kind.capitalize()}"
    else:
        road = base + kind
    if country == "CH":
        road = road.replace("ß", "ss")
    tail = rng.choice(("", "", "", "", "a", "b", " c", "-12", "/2"))
    if country == "AT" and rng.random() < 0.4:
        tail = f"/{rng.randint(1, 9)}/{rng.randint(1, 30)}"
    return f"{road} {number}{tail}"


def french(rng: random.Random, base: str, number: str, country: str) -> str:
    """12 bis, rue de la Gare; Rue de Namur 12 bte 3 in Belgium; 5 quai Saint-Pierre."""
    road = f"{kind_of(rng, 'fr')} {base}"
    if country in ("BE", "CH"):
        tail = rng.choice(("", "", f" bte {rng.randint(1, 20)}", "A")) if country == "BE" else ""
        return f"{road[0].upper()}{road[1:]}{rng.choice((' ', ', '))}{number}{tail}"
    head = f"{number}{rng.choice(('', '', '', '', ' bis', ' ter', 'B'))}"
    tail = rng.choice(
        ("", "", "", "", f", apt {rng.randint(1, 60)}", ", bât. C", f", {base[:1]}2", ", 3e étage")
    )
    return f"{head}{rng.choice((' ', ', ', ' '))}{road}{tail}"


def spanish(rng: random.Random, base: str, number: str, country: str) -> str:
    """C/ Mayor, 12, 3.º B; Av. Pellegrini al 2300; CALLE MINA 410 INT. 3, COL. OBRERA."""
    road = f"{kind_of(rng, 'es')} {base}"
    if country == "MX":
        tail = rng.choice(
            ("", f" Int. {rng.randint(1, 20)}", f", Col. {base}", "-A", ", Col. Centro")
        )
        return f"{road} {rng.choice(('', '', 'No. ', '#'))}{number}{tail}"
    if country in ("AR", "CO", "CL"):
        if country == "CO" and rng.random() < 0.6:
            return f"{rng.choice(('Cra.', 'Calle', 'Carrera', 'Cl.'))} {rng.randint(1, 130)} # {rng.randint(1, 99)}-{rng.randint(10, 99)}"
        tail = rng.choice(
            (
                "",
                "",
                f", {rng.randint(1, 12)}º {rng.choice('ABCD')}",
                f", depto. {rng.randint(1, 99)}",
                " PB",
            )
        )
        return f"{road} {'al ' if rng.random() < 0.08 else ''}{number}{tail}"
    floor = f"{rng.randint(1, 12)}{rng.choice(('º', '.º', 'º ', '.º ', 'o '))}{rng.choice(('A', 'B', 'C', 'izq.', 'dcha.', 'D', '2ª'))}"
    tail = rng.choice(
        (
            "",
            "",
            f", {floor}",
            f", {floor}",
            ", bajo",
            f", esc. B, {floor}",
            f", piso {floor}",
            " bis",
        )
    )
    return f"{road}{rng.choice((', ', ' ', ', nº ', ' nº '))}{number}{tail}"


def italian(rng: random.Random, base: str, number: str, country: str) -> str:  # noqa: ARG001
    """Via Garibaldi 12/B; Piazza Dante, 4 int. 7; Via Roma s.n.c."""
    tail = rng.choice(
        (
            "",
            "",
            "",
            "/A",
            "/b",
            " bis",
            f", int. {rng.randint(1, 30)}",
            ", scala C",
            f" interno {rng.randint(1, 9)}",
        )
    )
    if rng.random() < 0.04:
        number, tail = "s.n.c.", ""
    return f"{kind_of(rng, 'it')} {base}{rng.choice((' ', ', ', ', ', ' n. '))}{number}{tail}"


def portuguese(rng: random.Random, base: str, number: str, country: str) -> str:
    """Rua das Flores, 12, 3.º Esq.; Rua XV de Novembro, 145 - apto 32 - Centro."""
    road = f"{kind_of(rng, 'pt')} {base}"
    if country == "BR":
        tail = rng.choice(
            (
                "",
                "",
                f", apto {rng.randint(1, 120)}",
                f" - apto. {rng.randint(1, 99)}, Bloco B",
                " - Centro",
                f", ap {rng.randint(11, 209)}",
                f" casa {rng.randint(1, 9)}",
            )
        )
        return f"{road}{rng.choice((', ', ', nº ', ' '))}{number}{tail}"
    tail = rng.choice(
        (
            "",
            "",
            f", {rng.randint(1, 9)}.º Esq.",
            f", {rng.randint(1, 9)}º Dto",
            ", r/c",
            f" {rng.randint(1, 9)}ºB",
            ", Lote 4",
        )
    )
    return f"{road}{rng.choice((', ', ', n.º ', ' ', ' nº '))}{number}{tail}"


def dutch(rng: random.Random, base: str, number: str, country: str) -> str:
    """Kerkstraat 12-B; Lange Voorhout 4; Turnhoutsebaan 12 bus 3."""
    kind = kind_of(rng, "nl")
    road = (
        rng.choice(entries("places", "whole.nl"))
        if rng.random() < 0.15
        else base.replace(" ", "") + kind
    )
    box = f" bus {rng.randint(1, 40)}" if country == "BE" and rng.random() < 0.3 else ""
    return f"{road} {number}{box or rng.choice(('', '', '', '', 'a', ' B', '-2', '-III', ' hs', 'bis'))}"


def polish(rng: random.Random, base: str, number: str, country: str) -> str:  # noqa: ARG001
    """Ul. Polna 12/4; al. Jana Pawła II 3 m. 12."""
    tail = rng.choice(
        (
            "",
            f"/{rng.randint(1, 99)}",
            f"/{rng.randint(1, 99)}",
            f" m. {rng.randint(1, 60)}",
            "A",
            f"b/{rng.randint(1, 9)}",
        )
    )
    head = f"{kind_of(rng, 'pl')} " if rng.random() < 0.9 else ""
    return f"{head}{base} {number}{tail}"


def romanian(rng: random.Random, base: str, number: str, country: str) -> str:  # noqa: ARG001
    """Str. Florilor nr. 12, bl. A3, sc. B, et. 2, ap. 14."""
    block = f", bl. {rng.choice('ABCDMP')}{rng.randint(1, 40)}, sc. {rng.choice('ABC12')}, ap. {rng.randint(1, 90)}"
    floor = f", bl. {rng.randint(1, 90)}, et. {rng.randint(1, 10)}, ap. {rng.randint(1, 90)}"
    tail = rng.choice(("", "", block, floor, f", ap. {rng.randint(1, 40)}"))
    return (
        f"{kind_of(rng, 'ro')} {base}{rng.choice((' nr. ', ' ', ', nr. ', ', nr.'))}{number}{tail}"
    )


def swedish(rng: random.Random, base: str, number: str, country: str) -> str:  # noqa: ARG001
    """Storgatan 12 B, lgh 1102."""
    tail = rng.choice(
        ("", "", "", " A", "B", f", lgh 1{rng.randint(0, 9)}0{rng.randint(1, 9)}", ", 3 tr")
    )
    return f"{base}{kind_of(rng, 'sv')} {number}{tail}"


def norwegian(rng: random.Random, base: str, number: str, country: str) -> str:  # noqa: ARG001
    """Storgata 12B, H0203."""
    gap = (
        " "
        if base in entries("places", "base.no") and base.endswith("s") and rng.random() < 0.5
        else ""
    )
    tail = rng.choice(("", "", "", "A", " B", f", H0{rng.randint(1, 9)}0{rng.randint(1, 4)}", "c"))
    return f"{base}{gap}{kind_of(rng, 'no')} {number}{tail}"


def danish(rng: random.Random, base: str, number: str, country: str) -> str:  # noqa: ARG001
    """Nørregade 12, 3. tv."""
    door = f", {rng.randint(1, 5)}. {rng.choice(('tv', 'th', 'mf', 'tv.', 'th.'))}"
    return f"{base}{kind_of(rng, 'da')} {number}{rng.choice(('', '', 'A', ' B', door, door, ', st. th', ', kl.'))}"


def finnish(rng: random.Random, base: str, number: str, country: str) -> str:  # noqa: ARG001
    """Kauppakatu 12 B 34."""
    tail = rng.choice(
        (
            "",
            "",
            f" {rng.choice('ABCD')} {rng.randint(1, 99)}",
            f" as. {rng.randint(1, 60)}",
            "a",
            f" {rng.choice('ABC')}{rng.randint(1, 40)}",
        )
    )
    return f"{base}{kind_of(rng, 'fi')} {number}{tail}"
