"""What stands in programs, calls and logs and belongs to nobody: identifiers, hashes, codes, paths."""

from __future__ import annotations

import random

from tagger.draw import shaped, some
from tagger.nameforms import ascii_name
from tagger.namelists import ORIGINS
from tagger.names import listed
from tagger.wordlists import entries, sections

HEX = "0123456789abcdef"
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
KEPT = frozenset("idname idname2 idname3 idclass idclass2 table column func param".split())
ORIGINS_OF_CODE = tuple(
    name for name in ORIGINS if name not in ("chinese", "korean", "vietnamese", "japanese")
)
IMAGE_HEADS = (
    ("png", "iVBORw0KGgoAAAANSUhEUgAA"), ("jpeg", "/9j/4AAQSkZJRgABAQ"), ("gif", "R0lGODlh"), ("svg+xml", "PHN2ZyB4bWxucz0i"), ("webp", "UklGR"),
)  # fmt: skip


def name_word(rng: random.Random) -> str:
    """A given name or surname in small plain letters, as programs are full of."""
    dice = rng.random()
    if dice < 0.3:
        return rng.choice(entries("code", "nameword"))
    kind = rng.choice(("f", "m", "f", "m", "surname.m"))
    word = ascii_name(rng.choice(listed(rng.choice(ORIGINS_OF_CODE), kind))).replace(".", "")
    word = word.replace("-", "_").strip("_")
    return word or "rose"


def identifier(rng: random.Random, kind: str) -> str:
    """A variable, class, table, column, function or parameter; many hold a name."""
    word = name_word(rng)
    if kind.startswith("idclass"):
        tail = rng.choice(("", "", "", *entries("code", "classtail")))
        return "".join(part.title() for part in word.split("_")) + tail
    if kind == "table":
        word = word if rng.random() < 0.5 else rng.choice(entries("code", "table"))
        return word + rng.choice(("", "", "s", "_log", "_old", "_2024", "_staging", "_dim"))
    if kind == "column":
        return combined(rng, word, "columntail")
    if kind == "func":
        return function_name(rng, word)
    if kind == "param":
        return rng.choice(entries("code", "param"))
    tail = rng.choice(("", "", "", "", "", *entries("code", "tail")))
    if tail and rng.random() < 0.25:
        return word.replace("_", "") + tail.title()
    return word + (f"_{tail}" if tail else "") + rng.choice(("", "", "", "", "2", "_id"))


def combined(rng: random.Random, word: str, tails: str) -> str:
    """A column: a town or name and what is measured."""
    first = word if rng.random() < 0.4 else rng.choice(entries("code", "town"))
    return f"{first}_{rng.choice(entries('code', tails))}"


def function_name(rng: random.Random, word: str) -> str:
    """A verb and its object, in the usual styles."""
    verb, obj = rng.choice(entries("code", "verb")), rng.choice(entries("code", "object"))
    middle = f"_{word}" if rng.random() < 0.2 else ""
    name = f"{verb}{middle}_{obj}"
    if rng.random() < 0.3:
        first, *rest = name.split("_")
        return first + "".join(part.title() for part in rest)
    return name


def call_id(rng: random.Random) -> str:
    """The id of a tool call, a message, a run."""
    head, alphabet, size = rng.choice((
        ("call_", BASE64[:62], 24), ("call_", BASE64[:62], 8), ("toolu_", BASE64[:62], 22), ("chatcmpl-", BASE64[:62], 29), ("msg_", BASE64[:62], 16),
        ("run_", HEX, 12), ("req_", BASE64[:62], 14), ("call-", BASE64[26:52], 6), ("call_", BASE64[26:52], 12), ("fc_", HEX, 32), ("evt_", BASE64[:62], 20), ("job-", HEX, 8),
    ))  # fmt: skip
    return head + some(rng, alphabet, size)


def data_uri(rng: random.Random) -> str:
    """A picture in base64, whole or cut short."""
    kind, head = rng.choice(IMAGE_HEADS)
    body = head + some(rng, BASE64, rng.choice((12, 24, 40, 80, 160)))
    return f"data:image/{kind};base64,{body}" + rng.choice(
        ("", "...", "==", "=", "…", "[truncated]", "... (truncated)")
    )


def hexhash(rng: random.Random) -> str:
    """A digest of a usual length."""
    text = some(rng, HEX, rng.choice((32, 40, 64, 64, 16)))
    return rng.choice(("", "", "sha256:", "md5:", "sha1-")) + text


def error_hex(rng: random.Random) -> str:
    """An error code."""
    return rng.choice((
        "0x" + shaped(rng, "80$$$$$$"), "0x" + shaped(rng, "$$$$$$$$"), shaped(rng, "E####"), shaped(rng, "ERR-####"), shaped(rng, "ORA-0####"), shaped(rng, "TS####"),
        shaped(rng, "P20##"), shaped(rng, "F0#"), shaped(rng, "U####"), shaped(rng, "SQLSTATE 4####"), shaped(rng, "##-##"), shaped(rng, "HTTP 5##"), shaped(rng, "ERR_%##_TIMEOUT"),
    ))  # fmt: skip


def cron(rng: random.Random) -> str:
    """When a job runs."""
    minute, hour = (
        rng.choice(("*/5", "0", "15", "30", "*/10")),
        rng.choice(("*", "3", "8-18", "*/2", "22")),
    )
    return (
        f"{minute} {hour} {rng.choice(('*', '1', '1,15'))} * {rng.choice(('*', '1-5', '0', 'MON'))}"
    )


def file_with_date(rng: random.Random) -> str:
    """A file whose name holds a day; the name is no date of anything."""
    day = f"{rng.randint(2015, 2026)}{rng.choice(('-', '', '_'))}"
    glue = day[4:]
    day += f"{rng.randint(1, 12):02}{glue}{rng.randint(1, 28):02}"
    head, tail = rng.choice(entries("code", "filehead")), rng.choice(entries("code", "filetail"))
    return rng.choice((f"{head}_{day}.{tail}", f"{day}_{head}.{tail}", f"{head}-{day}.{tail}"))


def part_number(rng: random.Random) -> str:
    """A part, article or clause number."""
    return shaped(rng, rng.choice((
        "####.##", "##.###.#", "A##-###", "##/####", "####-##-##", "%###", "##.##", "?? ####", "#-###-##", "%##/%", "??###.##", "%#", "######", "0## ### ## ##",
    )))  # fmt: skip


def test_value(rng: random.Random) -> str:
    """What stands for a number or an address in examples."""
    return rng.choice(entries("code", "testvalue"))


def score(rng: random.Random) -> str:
    """A result of a match or set."""
    return f"{rng.randint(0, 7)}{rng.choice(('-', '–', ':', '–'))}{rng.randint(0, 6)}"


def clock_words(rng: random.Random, language: str) -> str:
    """A time of day as people write it there, without a colon at times."""
    hour, minute = rng.randint(0, 23), rng.choice((0, 15, 30, 45, 5, 20))
    form = rng.choice(entries("code", f"clock.{language}"))
    return form.format(h=hour, m=f"{minute:02}", h12=hour % 12 or 12)


def code_thing(rng: random.Random, kind: str, language: str) -> str:
    """The text of a slot of this module; never labelled."""
    makers = {
        "callid": call_id, "datauri": data_uri, "hexhash": hexhash, "errhex": error_hex, "cron": cron, "isofile": file_with_date, "part": part_number,
        "testvalue": test_value, "score": score,
    }  # fmt: skip
    if kind in makers:
        return makers[kind](rng)
    if kind == "clockword":
        return clock_words(rng, language)
    shapes = {
        "commit": ("&&&&&&&", "&&&&&&&&", "&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&"), "memaddr": ("0x7ff&&&&&&&&&", "0x00000000&&&&&&&&", "0x&&&&&&", "00007FF$$$$$$$$$"), "asn": ("AS#####", "AS####", "AS%####", "AS 6####"),
        "room": ("%##", "%.##", "?%##", "%#", "?-%##", "%##?"), "temp": ("%# °C", "%# °C", "-% °C", "%##°F", "%#,# °C", "%# K"), "thread": ("tid=%####", "[%####]", "Thread-%#", "pid %####", "0x&&&&", "pool-%-thread-%#"),
    }  # fmt: skip
    if kind in shapes:
        return shaped(rng, rng.choice(shapes[kind]))
    if kind in KEPT:
        return identifier(rng, kind)
    table = sections("code")
    return rng.choice(table.get(f"{kind}.{language}") or table[kind])
