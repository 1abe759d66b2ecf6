"""samples(seed, n): one text each with exact spans, of all scenes and languages.

`python -m tagger.samples N [--seed S] [--languages en,de] [--out FILE | --stats]`
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypedDict

from tagger import mails, noise, programs, shapes
from tagger.cast import COUNTRIES, Cast, render
from tagger.fields import chosen, harmless_fields
from tagger.grammar import COMMON, grammar_of
from tagger.pieces import Pieces, flatten, joined, plain, text_of
from tagger.slots import ENTRIES, LANGUAGES

LONGEST, SHORTEST = 1500, 10
TRIES = 6
PROSE = tuple(name for name in ENTRIES if name not in ("code.comment", "log.message", "table.caption", "negative"))
CHATS = ("chat.user", "chat.assistant", "ticket", "social", "review", "transcript", "chat.system")
SCENES = (  # name, weight
    ("frame", 30), ("turns", 14), ("bare", 4), ("json", 10), ("form", 7), ("table", 4), ("program", 7), ("mail", 6), ("export", 3), ("dialogue", 2), ("names", 4), ("contact", 1),
    ("mixed", 3), ("negative", 13), ("quiet.json", 3), ("quiet.program", 4), ("quiet.table", 1.5), ("quiet.form", 1),
)  # fmt: skip
DIRECT = frozenset(
    "PERSON EMAIL PHONE ADDRESS DOB IBAN CARD BANK_ACCOUNT NATIONAL_ID PASSPORT LICENCE_PLATE IP USERNAME "
    "PASSWORD SECRET MEDICAL_ID OTHER_ID".split()
)


class Span(TypedDict):
    """Where a value stands and what it is."""

    start: int
    end: int
    label: str


class Sample(TypedDict):
    """One text with its spans."""

    text: str
    spans: list[Span]
    lang: str
    scene: str


def samples(seed: int, n: int, languages: Sequence[str] | None = None) -> Iterator[Sample]:
    """So many samples; the same seed gives the same, and more of them continue the same row."""
    spoken = tuple(languages or LANGUAGES)
    made, index = 0, 0
    while made < n:
        rng = random.Random(f"{seed}:{index}")
        index += 1
        for sample in scene_samples(rng, rng.choice(spoken)):
            if made < n:
                made += 1
                yield sample


def scene_samples(rng: random.Random, language: str) -> list[Sample]:
    """The leaves of one scene."""
    for _ in range(TRIES):
        scene = rng.choices([name for name, _ in SCENES], [weight for _, weight in SCENES])[0]
        leaves = leaves_of(rng, scene, language)
        found = [finished(pieces, language, name) for name, pieces in leaves]
        kept = [sample for sample in found if SHORTEST <= len(sample["text"]) <= LONGEST or scene == "bare"]
        if kept:
            return kept
    return []


def finished(pieces: Pieces, language: str, scene: str) -> Sample:
    """A sample of pieces."""
    text, spans = flatten(pieces)
    shown: list[Span] = [{"start": int(s["start"]), "end": int(s["end"]), "label": str(s["label"])} for s in spans]
    return {"text": text, "spans": shown, "lang": language, "scene": scene}


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
        return noise.noisy(rng, shapes.table(cast), noise.FORMAT)
    if scene == "program":
        return noise.noisy(rng, programs.program(cast, quiet=False), noise.FORMAT)
    makers = {"mail": mails.mail, "export": mails.chat_export, "dialogue": mails.transcript, "names": mails.names, "contact": mails.contact}
    return noise.noisy(rng, makers[scene](cast), noise.CASUAL if scene in ("export", "dialogue") else noise.FORMAL)


def frame(cast: Cast) -> tuple[str, Pieces]:
    """An expansion of an entry symbol, at times two of them."""
    rng, grammar = cast.rng, grammar_of(cast.language)
    known = [name for name in PROSE if grammar.has(name)]
    if not known:
        return "form", shaped_scene(cast, "form")
    symbol = rng.choice(known)
    pieces = render(cast, grammar, symbol)
    if rng.random() < 0.12 and len(text_of(pieces)) < 500:
        extra = rng.choice([name for name in (symbol, "negative", "negative") if grammar.has(name)])
        pieces = [*pieces, (rng.choice((" ", "\n", "\n\n")), None), *render(cast, grammar, extra)]
    return symbol, noise.noisy(rng, pieces, noise.CASUAL if symbol in CHATS else noise.FORMAL)


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
        symbols = [name for name in ("chat.user", "mail", "form", "cv", "invoice", "ticket") if grammar.has(name)]
        said = render(cast, grammar, rng.choice(symbols)) if symbols and rng.random() < 0.7 else shapes.form(cast, chosen(cast, 5))
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
        return shapes.table(cast, quiet_rows=True)
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


def statistics(seed: int, n: int, languages: Sequence[str] | None) -> str:
    """What n samples hold."""
    labels: Counter[str] = Counter()
    scenes: Counter[str] = Counter()
    spoken: Counter[str] = Counter()
    lengths: list[int] = []
    bare = direct = 0
    for sample in samples(seed, n, languages):
        labels.update(span["label"] for span in sample["spans"])
        scenes[sample["scene"]] += 1
        spoken[sample["lang"]] += 1
        lengths.append(len(sample["text"]))
        bare += not sample["spans"]
        direct += not any(span["label"] in DIRECT for span in sample["spans"])
    lengths.sort()
    marks = [lengths[int(len(lengths) * share)] for share in (0.05, 0.25, 0.5, 0.75, 0.95)]
    rows = [
        f"{n} samples, mean length {sum(lengths) / n:.0f}, length at 5/25/50/75/95 %: {' '.join(map(str, marks))}",
        f"without any span {bare / n:.1%}, without a direct identifier {direct / n:.1%}",
        "labels per 1,000 samples: " + ", ".join(f"{k} {v * 1000 / n:.0f}" for k, v in labels.most_common()),
        "scenes: " + ", ".join(f"{k} {v / n:.1%}" for k, v in scenes.most_common()),
        "languages: " + ", ".join(f"{k} {v / n:.1%}" for k, v in sorted(spoken.items())),
    ]
    return "\n".join(rows)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="tagger.samples", description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--languages", default="")
    parser.add_argument("--out", default="-")
    parser.add_argument("--stats", action="store_true")
    arguments = parser.parse_args()
    languages = arguments.languages.split(",") if arguments.languages else None
    if arguments.stats:
        print(statistics(arguments.seed, arguments.number, languages))
        return 0
    rows = (json.dumps(row, ensure_ascii=False) for row in samples(arguments.seed, arguments.number, languages))
    if arguments.out == "-":
        sys.stdout.writelines(f"{row}\n" for row in rows)
    else:
        with open(arguments.out, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.writelines(f"{row}\n" for row in rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
