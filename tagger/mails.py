"""Mails, chat exports, lists of names, cards of contacts."""

from __future__ import annotations

from tagger import times
from tagger.cast import Cast, render
from tagger.grammar import grammar_of
from tagger.pieces import Pieces, joined, mapped, plain
from tagger.shapes import signature

HEADERS = {
    "en": ("From", "To", "Cc", "Subject", "Date"), "es": ("De", "Para", "CC", "Asunto", "Fecha"), "fr": ("De", "À", "Cc", "Objet", "Date"), "de": ("Von", "An", "Cc", "Betreff", "Datum"), "it": ("Da", "A", "Cc", "Oggetto", "Data"),
    "pt": ("De", "Para", "Cc", "Assunto", "Data"), "nl": ("Van", "Aan", "Cc", "Onderwerp", "Datum"), "pl": ("Od", "Do", "DW", "Temat", "Data"), "ro": ("De la", "Către", "Cc", "Subiect", "Data"), "sv": ("Från", "Till", "Kopia", "Ämne", "Datum"),
    "no": ("Fra", "Til", "Kopi", "Emne", "Dato"), "da": ("Fra", "Til", "Cc", "Emne", "Dato"), "fi": ("Lähettäjä", "Vastaanottaja", "Kopio", "Aihe", "Päiväys"),
}  # fmt: skip
WROTE = {
    "en": ("On ", " at 10:02, ", " wrote:"), "es": ("El ", ", ", " escribió:"), "fr": ("Le ", " à 10:02, ", " a écrit :"), "de": ("Am ", " um 10:02 schrieb ", ":"), "it": ("Il ", " alle ore 10:02 ", " ha scritto:"), "pt": ("Em ", ", ", " escreveu:"),
    "nl": ("Op ", " schreef ", ":"), "pl": ("W dniu ", " użytkownik ", " napisał:"), "ro": ("În ", ", ", " a scris:"), "sv": ("Den ", " skrev ", ":"), "no": ("Den ", " skrev ", ":"), "da": ("Den ", " skrev ", ":"), "fi": ("", " ", " kirjoitti:"),
}  # fmt: skip
AND = {
    "en": " and ", "es": " y ", "fr": " et ", "de": " und ", "it": " e ", "pt": " e ", "nl": " en ", "pl": " i ", "ro": " și ", "sv": " och ", "no": " og ", "da": " og ", "fi": " ja ",
}  # fmt: skip
SUBJECTS = {
    "en": "Re: your request", "es": "Re: su solicitud", "fr": "Re : votre demande", "de": "AW: Ihre Anfrage", "it": "R: la sua richiesta", "pt": "Re: o seu pedido", "nl": "Re: uw aanvraag", "pl": "Odp: zapytanie", "ro": "Re: solicitarea dvs.", "sv": "SV: din fråga", "no": "SV: din henvendelse", "da": "SV: din henvendelse", "fi": "VS: kyselysi",
}  # fmt: skip


def mailbox(cast: Cast, person: str) -> Pieces:
    """Name and address as a header writes them."""
    rng = cast.rng
    dice = rng.random()
    name = cast.fill(f"{person}.lastfirst" if rng.random() < 0.2 else person)
    if dice < 0.55:
        return [*name, (" <", None), *cast.fill(f"{person}.email"), (">", None)]
    if dice < 0.7:
        return [('"', None), *name, ('" <', None), *cast.fill(f"{person}.email"), (">", None)]
    if dice < 0.8:
        return [*name, (" [mailto:", None), *cast.fill(f"{person}.email"), ("]", None)]
    return cast.fill(f"{person}.email") if dice < 0.95 else name


def headers(cast: Cast) -> Pieces:
    """The head of a mail."""
    rng = cast.rng
    words = HEADERS[cast.language if rng.random() < 0.7 else "en"]
    rows: list[Pieces] = [
        [(f"{words[0]}: ", None), *mailbox(cast, "p2")],
        [(f"{words[1]}: ", None), *mailbox(cast, "p1")],
    ]
    if rng.random() < 0.3:
        rows.append(
            [
                (f"{words[2]}: ", None),
                *joined(
                    [mailbox(cast, "p3"), mailbox(cast, "p4")][: rng.randint(1, 2)],
                    rng.choice((", ", "; ")),
                ),
            ]
        )
    if rng.random() < 0.6:
        rows.append(
            [
                (f"{words[4]}: ", None),
                *cast.fill("date"),
                (f" {times.clock(rng, cast.language)}", None),
            ]
        )
    subject: Pieces = plain(SUBJECTS[cast.language])
    if rng.random() < 0.5:
        subject = [
            *subject,
            (" ", None),
            *cast.fill(rng.choice(("order", "ticket", "p1.surname", "invoice", "p1"))),
        ]
    rows.append([(f"{words[3]}: ", None), *subject])
    return joined(rows, "\n")


def mail(cast: Cast) -> Pieces:
    """A mail: head, body, signature, quotation; parts may be missing."""
    rng = cast.rng
    grammar = grammar_of(cast.language)
    symbol = rng.choice(
        [name for name in ("mail", "mail", "letter", "chat.user") if grammar.has(name)] or ["bare"]
    )
    parts: list[Pieces] = []
    if rng.random() < 0.45:
        parts.append(headers(cast))
    parts.append(render(cast, grammar, symbol))
    if rng.random() < 0.5:
        parts.append(signature(cast, rng.choice(("p2", "p1", "p2"))))
    if rng.random() < 0.25:
        before, between, after = WROTE[cast.language]
        line = [
            *plain(before),
            *cast.fill("date2"),
            (between, None),
            *mailbox(cast, "p1"),
            (after, None),
        ]
        old = (
            render(cast, grammar, "chat.user") if grammar.has("chat.user") else cast.fill("p1.addr")
        )
        parts.append([*line, ("\n> ", None), *mapped(old, lambda text: text.replace("\n", "\n> "))])
    return joined(parts, "\n\n")


def chat_export(cast: Cast) -> Pieces:
    """An exported chat: stamps, names, short lines."""
    rng = cast.rng
    grammar = grammar_of(cast.language)
    day = cast.fill("date")
    style = rng.randrange(4)
    rows: list[Pieces] = []
    shown = {
        person: cast.fill(f"{person}{rng.choice(('', '.given', '.user', '.nick', '.given'))}")
        for person in ("p1", "p2", "p3")
    }
    for _ in range(rng.randint(2, 6)):
        who = rng.choice(("p1", "p2", "p3"))
        clock = times.clock(rng, cast.language)
        symbol = "chat.user" if who == "p1" else "chat.assistant"
        text = (
            render(cast, grammar, symbol)
            if grammar.has(symbol) and rng.random() < 0.6
            else render(cast, grammar, rng.choice(("bare", "bare.quiet")))
        )
        head: Pieces = {
            0: [("[", None), *day, (f", {clock}] ", None), *shown[who], (": ", None)], 1: [*day, (f" {clock} - ", None), *shown[who], (": ", None)],
            2: [("<", None), *shown[who], ("> ", None)], 3: [*shown[who], (f"  {clock}\n", None)],
        }[style]  # fmt: skip
        rows.append([*head, *text])
        if len(rows) > 1 and sum(len(part) for row in rows for part, _ in row) > 500:
            break
    return joined(rows, "\n")


def transcript(cast: Cast) -> Pieces:
    """A dialogue with speakers' names or roles."""
    rng = cast.rng
    grammar = grammar_of(cast.language)
    roles = rng.choice(
        (
            ("Agent", "Customer"),
            ("A", "B"),
            ("User", "Assistant"),
            ("", ""),
            ("Q", "A"),
            ("Bot", "Caller"),
        )
    )
    names = (
        [cast.fill("p2.given"), cast.fill("p1.given")]
        if roles == ("", "")
        else [plain(role) for role in roles]
    )
    rows: list[Pieces] = []
    for i in range(rng.randint(2, 4)):
        symbol = ("chat.assistant", "chat.user")[i % 2]
        text = (
            render(cast, grammar, symbol) if grammar.has(symbol) else render(cast, grammar, "bare")
        )
        rows.append([*names[i % 2], (": ", None), *text])
    return joined(rows, "\n")


def names(cast: Cast) -> Pieces:
    """A list of names: attendees, copies, teams, family trees."""
    rng = cast.rng
    form = rng.choice(("", "", ".lastfirst", ".given", ".init", ".surname", ".titled"))
    people = [Cast(rng, cast.language, cast.country) for _ in range(rng.randint(2, 9))]
    shown = [other.fill(f"p1{form}") for other in people]
    style = rng.randrange(5)
    head = (
        rng.choice(
            ("", "", "", "cc: ", "@all ", "Team: ", "1. ", "Dr. ", "Attendees: ", "Present: ")
        )
        if style != 3
        else ""
    )
    if style == 0:
        return [*plain(head), *joined(shown[:-1], ", "), (AND[cast.language], None), *shown[-1]]
    if style == 1:
        return joined(
            [[(f"{rng.choice(('- ', '* ', '• '))}", None), *name] for name in shown], "\n"
        )
    if style == 2:
        rows = [
            [
                *name,
                (rng.choice((", ", " - ", " (")), None),
                *other.fill(
                    rng.choice(("p1.dob", "p1.phone", "city", "p1.email", "p1.age", "org"))
                ),
            ]
            for name, other in zip(shown, people, strict=True)
        ]
        return joined(rows[:5], "\n")
    if style == 3:
        return joined([[(f"{i}. ", None), *name] for i, name in enumerate(shown, 1)], "\n")
    return [*plain(head), *joined(shown, rng.choice((", ", "; ", " / ", "\n", " · ", " | ")))]


def contact(cast: Cast) -> Pieces:
    """A card of a contact, a calendar entry."""
    if cast.rng.random() < 0.6:
        return [
            ("BEGIN:VCARD\nVERSION:3.0\nFN:", None), *cast.fill("p1"), ("\nN:", None), *cast.fill("p1.surname"), (";", None), *cast.fill("p1.given"), (";;;\nTEL;TYPE=CELL:", None), *cast.fill("p1.mobile"), ("\nEMAIL:", None), *cast.fill("p1.email"), ("\nEND:VCARD", None),
        ]  # fmt: skip
    return [
        ("BEGIN:VEVENT\nSUMMARY:", None), *cast.fill("p1"), (" / ", None), *cast.fill("p2.titled"), ("\nLOCATION:", None), *cast.fill("p1.street"), ("\nORGANIZER;CN=", None), *cast.fill("p2"), (":mailto:", None), *cast.fill("p2.email"), ("\nEND:VEVENT", None),
    ]  # fmt: skip
