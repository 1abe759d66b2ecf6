"""Dates, times and amounts in local forms."""

from __future__ import annotations

import random
from datetime import date, timedelta

from tagger.wordlists import entries

FIRST = date(2015, 1, 1)
SPAN = 4600  # days of events after FIRST
NUMERIC = {  # forms by language; the first ones are the usual ones
    "en": ("{d:02}/{m:02}/{y}", "{d}/{m}/{y2:02}", "{d:02}-{m:02}-{y}", "{d}.{m}.{y2:02}", "{y}-{m:02}-{d:02}"),
    "es": ("{d:02}/{m:02}/{y}", "{d}/{m}/{y}", "{d:02}-{m:02}-{y}", "{d}/{m}/{y2:02}", "{d:02}.{m:02}.{y}"),
    "fr": ("{d:02}/{m:02}/{y}", "{d:02}/{m:02}/{y2:02}", "{d}/{m}/{y}", "{d:02}.{m:02}.{y}", "{d:02}-{m:02}-{y}"),
    "de": ("{d:02}.{m:02}.{y}", "{d}.{m}.{y}", "{d:02}.{m:02}.{y2:02}", "{d}.{m}.{y2:02}", "{d:02}/{m:02}/{y}"),
    "it": ("{d:02}/{m:02}/{y}", "{d}/{m}/{y}", "{d:02}.{m:02}.{y}", "{d:02}-{m:02}-{y}", "{d}/{m}/{y2:02}"),
    "pt": ("{d:02}/{m:02}/{y}", "{d}/{m}/{y}", "{d:02}-{m:02}-{y}", "{d:02}/{m:02}/{y2:02}", "{d:02}.{m:02}.{y}"),
    "nl": ("{d:02}-{m:02}-{y}", "{d}-{m}-{y}", "{d:02}/{m:02}/{y}", "{d}-{m}-{y2:02}", "{d:02}.{m:02}.{y}"),
    "pl": ("{d:02}.{m:02}.{y}", "{d}.{m:02}.{y}", "{d:02}-{m:02}-{y}", "{d:02}.{m:02}.{y2:02}", "{d:02}/{m:02}/{y}"),
    "ro": ("{d:02}.{m:02}.{y}", "{d}.{m:02}.{y}", "{d:02}/{m:02}/{y}", "{d:02}-{m:02}-{y}", "{d:02}.{m:02}.{y2:02}"),
    "sv": ("{y}-{m:02}-{d:02}", "{d}/{m} {y}", "{y2:02}{m:02}{d:02}", "{y}{m:02}{d:02}", "{d}.{m}.{y}"),
    "no": ("{d:02}.{m:02}.{y}", "{d}.{m}.{y}", "{d:02}.{m:02}.{y2:02}", "{d}/{m}-{y}", "{d:02}/{m:02}/{y}"),
    "da": ("{d:02}-{m:02}-{y}", "{d:02}.{m:02}.{y}", "{d}/{m} {y}", "{d}/{m}-{y2:02}", "{d:02}.{m:02}.{y2:02}"),
    "fi": ("{d}.{m}.{y}", "{d:02}.{m:02}.{y}", "{d}.{m}.{y2:02}", "{d}.{m}. {y}", "{d:02}/{m:02}/{y}"),
}  # fmt: skip
AMERICAN = (
    "{m:02}/{d:02}/{y}",
    "{m}/{d}/{y}",
    "{m}/{d}/{y2:02}",
    "{m:02}-{d:02}-{y}",
    "{m}-{d}-{y2:02}",
)
WORDS = {
    "en": ("{d} {month} {y}", "{d} {mon} {y}", "{d}{th} {month} {y}", "{month} {d}, {y}", "{d}-{mon}-{y}", "{d}{th} of {month} {y}"),
    "es": ("{d} de {month} de {y}", "{d} de {month} del {y}", "{d} {mon} {y}", "{d}-{mon}-{y}", "{d} de {month}, {y}"),
    "fr": ("{d} {month} {y}", "{d} {month} {y}", "{d} {mon}. {y}", "1er {month} {y}"), "de": ("{d}. {month} {y}", "{d}. {mon}. {y}", "{d:02}. {month} {y}"),
    "it": ("{d} {month} {y}", "{d} {mon} {y}", "1° {month} {y}"), "pt": ("{d} de {month} de {y}", "{d} de {month} {y}", "{d}/{mon}/{y}"),
    "nl": ("{d} {month} {y}", "{d} {mon}. {y}", "{d} {mon} {y}"), "pl": ("{d} {month} {y} r.", "{d} {month} {y}", "{d} {month} {y} roku"),
    "ro": ("{d} {month} {y}", "{d:02} {month} {y}", "{d} {mon}. {y}"), "sv": ("{d} {month} {y}", "den {d} {month} {y}", "{d} {mon} {y}"),
    "no": ("{d}. {month} {y}", "{d}. {mon}. {y}"), "da": ("{d}. {month} {y}", "d. {d}. {month} {y}", "{d}. {mon}. {y}"), "fi": ("{d}. {month} {y}", "{d}. {month}ta {y}"),
}  # fmt: skip
WITHOUT_YEAR = {
    "en": ("{d} {month}", "{month} {d}", "{d}{th} {mon}", "{mon} {d}", "{d}/{m}", "the {d}{th} of {month}"), "es": ("{d} de {month}", "{d}/{m}", "{d} {mon}"), "fr": ("{d} {month}", "{d}/{m:02}", "{d:02}/{m:02}"),
    "de": ("{d}. {month}", "{d}.{m}.", "{d:02}.{m:02}.", "{d}. {mon}"), "it": ("{d} {month}", "{d}/{m}", "{d} {mon}"), "pt": ("{d} de {month}", "{d}/{m}", "{d:02}/{m:02}"), "nl": ("{d} {month}", "{d}-{m}", "{d} {mon}", "{d}/{m}"),
    "pl": ("{d} {month}", "{d}.{m:02}", "{d:02}.{m:02}."), "ro": ("{d} {month}", "{d}.{m:02}", "{d} {mon}"), "sv": ("{d} {month}", "{d}/{m}", "den {d} {mon}"), "no": ("{d}. {month}", "{d}/{m}", "{d}.{m}."),
    "da": ("{d}. {month}", "{d}/{m}", "d. {d}. {month}"), "fi": ("{d}. {month}", "{d}.{m}."),
}  # fmt: skip
MONTH_YEAR = {"es": "{month} de {y}", "pt": "{month} de {y}"}
OUTSIDE = ("the ", "den ", "d. ")  # words of a form that are no part of the date
ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
CURRENCY = {
    "US": "$", "GB": "£", "IE": "€", "CA": "CA$", "AU": "A$", "IN": "₹", "MX": "$", "AR": "$", "CO": "$", "CL": "$", "CH": "CHF",
    "BR": "R$", "PL": "zł", "RO": "lei", "SE": "kr", "NO": "kr", "DK": "kr.",
}  # fmt: skip


def event(rng: random.Random) -> date:
    """A day of something that happened or will."""
    return FIRST + timedelta(days=int(rng.triangular(0, SPAN, SPAN * 0.85)))


def birth(rng: random.Random) -> date:
    """A day of birth: of adults mostly, of children at times."""
    age = rng.triangular(16, 95, 38) if rng.random() < 0.9 else rng.uniform(0, 16)
    return date(2026, 1, 1) - timedelta(days=int(age * 365.25))


def fill(form: str, day: date, language: str) -> str:
    """A form filled in."""
    names = entries("dates", f"months.{language}")
    month = names[day.month - 1]
    number = 1 if form.startswith("1") else day.day
    return form.format(
        d=number, m=day.month, y=day.year, y2=day.year % 100, month=month, mon=month[:3],
        th=ENDINGS.get(number, "th"),
    )  # fmt: skip


def written(
    rng: random.Random, day: date, language: str, country: str, *, words: bool = False
) -> str:
    """A whole date."""
    dice = rng.random()
    if words or dice < 0.3:
        forms = WORDS[language]
        form = "{month} {d}, {y}" if country == "US" and rng.random() < 0.7 else rng.choice(forms)
        return fill(form, day, language).replace("uutata ", "uuta ")
    if dice < 0.42:
        return day.isoformat() if rng.random() < 0.85 else f"{day.year}/{day.month:02}/{day.day:02}"
    forms = AMERICAN if country == "US" else NUMERIC[language]
    return fill(forms[min(int(rng.expovariate(0.7)), len(forms) - 1)], day, language)


def short(rng: random.Random, day: date, language: str, country: str) -> str:
    """A day and month, or month and year."""
    if rng.random() < 0.3:
        forms = (MONTH_YEAR.get(language, "{month} {y}"), "{month} {y}", "{m:02}/{y}", "{y}-{m:02}")
        text = fill(rng.choice(forms), day, language)
        return standing_alone(text, day, language)
    if country == "US" and rng.random() < 0.8:
        return fill(
            rng.choice(("{month} {d}", "{mon} {d}", "{m}/{d}", "{month} {d}{th}")), day, language
        )
    return fill(rng.choice(WITHOUT_YEAR[language]), day, language)


def standing_alone(text: str, day: date, language: str) -> str:
    """The month's own form where it differs from the one after a day."""
    if language not in ("pl", "fi"):
        return text
    names = entries("dates", f"months.{language}"), entries("dates", f"alone.{language}")
    return text.replace(names[0][day.month - 1], names[1][day.month - 1])


def month(rng: random.Random, language: str) -> str:
    """A month's name alone."""
    section = f"alone.{language}" if language in ("pl", "fi") else f"months.{language}"
    return rng.choice(entries("dates", section))


def clock(rng: random.Random, language: str) -> str:
    """A time of day."""
    hour, minute = rng.randint(0, 23), rng.choice((0, 15, 30, 45, rng.randint(0, 59)))
    if language == "en" and rng.random() < 0.5:
        half = "am" if hour < 12 else "pm"
        return f"{hour % 12 or 12}{f':{minute:02}' if minute else ''}{rng.choice(('', ' '))}{half}"
    glue = {"fr": "h", "fi": ".", "da": ".", "pt": "h"}.get(language, ":")
    return f"{hour:02}{glue if rng.random() < 0.6 else ':'}{minute:02}"


def amount(rng: random.Random, country: str) -> str:
    """A sum of money."""
    value = rng.choice((rng.uniform(1, 100), rng.uniform(10, 2000), rng.uniform(500, 90000)))
    sign = CURRENCY.get(country, "€")
    if country in ("US", "GB", "IE", "CA", "AU", "IN", "MX"):
        return f"{sign}{value:,.2f}" if rng.random() < 0.7 else f"{sign}{int(value)}"
    text = (
        f"{value:,.2f}".replace(",", "\0")
        .replace(".", ",")
        .replace("\0", rng.choice((".", " ", "")))
    )
    if rng.random() < 0.3:
        text = text.split(",")[0]
    code = {"zł": "PLN", "lei": "RON", "€": "EUR", "kr": "SEK", "R$": "BRL"}.get(sign, sign)
    return rng.choice((f"{text} {sign}", f"{text} {sign}", f"{sign} {text}", f"{text} {code}"))
