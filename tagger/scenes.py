"""The scenes that samples are taken from: what is said, by whom, in which shape."""

from __future__ import annotations

import random

from tagger import general, mails, near, noise, programs, shapes, tables
from tagger.cast import COUNTRIES, Cast, render
from tagger.fields import chosen, harmless_fields
from tagger.grammar import COMMON, grammar_of
from tagger.pieces import Pieces, joined, text_of
from tagger.slots import ENTRIES, LANGUAGES
from tagger.wordlists import entries

PROSE = tuple(
    name
    for name in ENTRIES
    if name not in ("code.comment", "log.message", "table.caption", "negative")
)
CHATS = ("chat.user", "chat.assistant", "ticket", "social", "review", "transcript", "chat.system")


def new_cast(rng: random.Random, language: str) -> Cast:
    """A cast of the language, now and then of people and places of another country."""
    if rng.random() < 0.12:
        other = rng.choice([name for name in LANGUAGES if name != language])
        return Cast(rng, language, rng.choice(COUNTRIES[other]))
    return Cast(rng, language)


def leaves_of(rng: random.Random, scene: str, language: str) -> list[tuple[str, Pieces]]:
    """(scene and part, pieces) of each leaf of a scene."""
    cast = new_cast(rng, language)
    if scene == "frame":
        return [frame(cast)]
    if scene == "turns":
        return turns(cast)
    if scene in ("document", "instruct"):
        return [(scene, document(cast) if scene == "document" else instructed(cast))]
    if scene == "bare":
        symbol = "bare" if rng.random() < 0.75 else "bare.quiet"
        pieces = render(cast, grammar_of(COMMON), symbol)
        return [("bare", noise.noisy(rng, pieces, noise.CASUAL))]
    if scene == "json":
        return json_leaves(cast)
    if scene in ("quiet.json", "quiet.form", "quiet.table", "quiet.program", "negative"):
        return [(scene, quiet(cast, scene))]
    if scene == "mixed":
        return [mixed(cast)]
    if scene in near.SCENES:
        return [near.near(cast, scene)]
    if scene in general.SCENES:
        return [general.general(cast, scene)]
    return [(scene, shaped_scene(cast, scene))]


def shaped_scene(cast: Cast, scene: str) -> Pieces:
    """The scenes that one function makes."""
    rng = cast.rng
    if scene == "form":
        fields = chosen(cast, rng.randint(2, 8))
        if rng.random() < 0.25:
            fields += harmless_fields(cast, rng.randint(1, 3))
        return noise.noisy(rng, shapes.form(cast, fields), noise.FORMAL)
    if scene == "table":
        return noise.noisy(rng, tables.table(cast), noise.FORMAT)
    if scene == "program":
        return noise.noisy(rng, programs.program(cast, quiet=False), noise.FORMAT)
    makers = {
        "mail": mails.mail,
        "export": mails.chat_export,
        "dialogue": mails.transcript,
        "names": mails.names,
        "contact": mails.contact,
    }
    return noise.noisy(
        rng, makers[scene](cast), noise.CASUAL if scene in ("export", "dialogue") else noise.FORMAL
    )


def frame(cast: Cast) -> tuple[str, Pieces]:
    """An expansion of an entry symbol, at times two of them."""
    rng, grammar = cast.rng, grammar_of(cast.language)
    known = [name for name in PROSE if grammar.has(name)]
    if not known:
        return "form", shaped_scene(cast, "form")
    symbol = rng.choice(known)
    cast.voice = symbol == "transcript"
    pieces = render(cast, grammar, symbol)
    if rng.random() < 0.2 and len(text_of(pieces)) < 500:
        extra = rng.choice([name for name in (symbol, "negative", "negative") if grammar.has(name)])
        pieces = [*pieces, (rng.choice((" ", "\n", "\n\n")), None), *render(cast, grammar, extra)]
    return symbol, noise.noisy(rng, pieces, noise.CASUAL if symbol in CHATS else noise.FORMAL)


def document(cast: Cast) -> Pieces:
    """A longer text: several parts about one cast, people named in short later."""
    rng, grammar = cast.rng, grammar_of(cast.language)
    known = [name for name in PROSE if grammar.has(name)]
    symbol = rng.choice(known) if known else ""
    cast.voice = symbol == "transcript"
    parts: list[Pieces] = []
    goal = rng.choice((300, 500, 700, 1000, 1300))
    while sum(len(text_of(part)) for part in parts) < goal and len(parts) < 9:
        dice = rng.random()
        if not symbol or dice < 0.12:
            parts.append(shapes.form(cast, chosen(cast, rng.randint(2, 5))))
        elif dice < 0.2 and grammar.has("negative"):
            parts.append(render(cast, grammar, "negative"))
        elif dice < 0.26:
            parts.append(tables.table(cast))
        elif dice < 0.3:
            parts.append(shapes.signature(cast, rng.choice(("p1", "p2"))))
        else:
            parts.append(
                render(cast, grammar, symbol if rng.random() < 0.75 else rng.choice(known))
            )
        cast.later = rng.random() < 0.8
        cast.kept = {} if rng.random() < 0.5 else cast.kept
    return noise.noisy(rng, joined(parts, rng.choice(("\n\n", "\n\n", "\n", " "))), noise.FORMAL)


def instructed(cast: Cast) -> Pieces:
    """An instruction and the text it is about."""
    rng, grammar = cast.rng, grammar_of(cast.language)
    known = [
        name
        for name in (
            "chat.user",
            "ticket",
            "mail",
            "clinical",
            "legal",
            "news",
            "minutes",
            "letter",
            "review",
            "transcript",
            "invoice",
            "cv",
            "negative",
        )
        if grammar.has(name)
    ]
    body = render(cast, grammar, rng.choice(known)) if known else shapes.form(cast, chosen(cast, 4))
    order = rng.choice(entries("instruct", cast.language if rng.random() < 0.8 else "en"))
    if rng.random() < 0.15:
        return [*noise.noisy(rng, body, noise.CASUAL), (f"\n\n{order.rstrip(': ')}", None)]
    quotes = rng.choice(
        (
            ("", ""),
            ("", ""),
            ('"', '"'),
            ("```\n", "\n```"),
            ('"""\n', '\n"""'),
            ("<text>", "</text>"),
            ("### Input:\n", "\n\n### Response:"),
        )
    )
    return [
        (order + rng.choice(("\n\n", "\n", " ")) + quotes[0], None),
        *noise.noisy(rng, body, noise.CASUAL),
        (quotes[1], None),
    ]


def turns(cast: Cast) -> list[tuple[str, Pieces]]:
    """Some turns of one chat; who was named once is named in short later."""
    rng, grammar = cast.rng, grammar_of(cast.language)
    if not grammar.has("chat.user"):
        return [("bare", render(cast, grammar_of(COMMON), "bare"))]
    habits = tuple((change, 1.0) for change, share in noise.CASUAL if rng.random() < share)
    out: list[tuple[str, Pieces]] = []
    for i in range(rng.choice((1, 2, 2, 3, 4))):
        user = i % 2 == 0
        symbol = "chat.user" if user else "chat.assistant"
        if i and user and rng.random() < 0.3:
            pieces = render(cast, grammar, "bare")
        else:
            pieces = render(cast, grammar, symbol if grammar.has(symbol) else "chat.user")
        pieces = noise.noisy(rng, pieces, habits) if user else pieces
        out.append((f"turns.{'user' if user else 'assistant'}", pieces))
        cast.later = True
    return out


def json_leaves(cast: Cast) -> list[tuple[str, Pieces]]:
    """A user's text and JSON of the same values, or JSON alone."""
    rng, grammar = cast.rng, grammar_of(cast.language)
    dice = rng.random()
    if dice < 0.15:
        return [("json", shapes.json_text(cast, shapes.people_json(cast)))]
    out: list[tuple[str, Pieces]] = []
    if dice < 0.5:
        symbols = [
            name
            for name in ("chat.user", "mail", "form", "cv", "invoice", "ticket")
            if grammar.has(name)
        ]
        said = (
            render(cast, grammar, rng.choice(symbols))
            if symbols and rng.random() < 0.7
            else shapes.form(cast, chosen(cast, 5))
        )
        out.append(("json.user", noise.noisy(rng, said, noise.CASUAL)))
    cast.worn = noise.VALUES if rng.random() < 0.5 else ()
    node = shapes.wrapped(cast, shapes.record(cast))
    out.append(("json", shapes.json_text(cast, node)))
    return out


def quiet(cast: Cast, scene: str) -> Pieces:
    """Text without identifiers, in all shapes."""
    rng, grammar = cast.rng, grammar_of(cast.language)
    if scene == "quiet.json":
        return shapes.json_text(cast, shapes.wrapped(cast, shapes.quiet_record(cast)))
    if scene == "quiet.form":
        return shapes.form(cast, harmless_fields(cast, rng.randint(2, 7)))
    if scene == "quiet.table":
        return tables.table(cast, quiet_rows=True)
    if scene == "quiet.program":
        return programs.program(cast, quiet=True)
    parts = [render(cast, grammar, "negative") for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    return noise.noisy(rng, joined(parts, rng.choice((" ", "\n", "\n- "))), noise.CASUAL)


def mixed(cast: Cast) -> tuple[str, Pieces]:
    """Two languages in one text: a foreign block, log or form in a chat."""
    rng = cast.rng
    language, country = cast.language, cast.country
    other = rng.choice([name for name in LANGUAGES if name != language])
    first = Cast(rng, language, rng.choice(COUNTRIES[other]))
    parts: list[Pieces] = []
    grammar = grammar_of(language)
    if grammar.has("chat.user"):
        parts.append(render(first, grammar, rng.choice(("chat.user", "chat.assistant"))))
    dice = rng.random()
    if dice < 0.3:
        parts.append(programs.log(Cast(rng, "en", country)))
    elif dice < 0.55:
        second = Cast(rng, other, first.country)
        parts.append(shapes.form(second, chosen(second, rng.randint(2, 5))))
    elif dice < 0.8 and grammar_of(other).has("chat.user"):
        parts.append(render(Cast(rng, other), grammar_of(other), rng.choice(("chat.user", "mail"))))
    else:
        parts.append(shapes.signature(first, "p1"))
    return "mixed", noise.noisy(rng, joined(parts, rng.choice(("\n\n", "\n", " "))), noise.CASUAL)
