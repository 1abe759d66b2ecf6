"""What is no identifier: products, versions, codes, placeholders, words of the world."""

from __future__ import annotations

import random
import uuid as uuids

from tagger.draw import shaped, some
from tagger.wordlists import entries, sections

WORDS_OF_CODE = (
    "user", "get", "set", "parse", "order", "customer", "total", "index", "name", "address", "find", "is", "has", "load", "list",
    "email", "token", "phone", "id", "count", "session", "handler", "request", "model", "price", "maria", "jordan", "max", "will",
)  # fmt: skip


def code_identifier(rng: random.Random) -> str:
    """A name in a program."""
    words = rng.sample(WORDS_OF_CODE, rng.randint(2, 3))
    style = rng.randrange(6)
    if style == 0:
        return "_".join(words)
    if style == 1:
        return words[0] + "".join(word.title() for word in words[1:])
    if style == 2:
        return "".join(word.title() for word in words)
    if style == 3:
        return "_".join(words).upper()
    if style == 4:
        return ".".join(words) + "()"
    return f"{'-'.join(words)}"


def version(rng: random.Random) -> str:
    """A version of a program; some look like IP addresses or dates."""
    numbers = [rng.randint(0, 30) for _ in range(rng.choice((2, 3, 3, 3, 4)))]
    text = ".".join(map(str, numbers))
    if rng.random() < 0.15:
        text = f"{rng.randint(2019, 2026)}.{rng.randint(1, 12)}.{rng.randint(0, 9)}"
    return (
        rng.choice(("", "", "v", "v"))
        + text
        + rng.choice(("", "", "", "", "-rc1", "-beta.2", "+build.114", "-SNAPSHOT"))
    )


def uuid(rng: random.Random) -> str:
    """A UUID, rarely in capitals or without hyphens."""
    text = str(uuids.UUID(int=rng.getrandbits(128), version=4))
    return (
        text.upper()
        if rng.random() < 0.1
        else text.replace("-", "")
        if rng.random() < 0.06
        else text
    )


def sku(rng: random.Random) -> str:
    """An article or part number."""
    return shaped(
        rng,
        rng.choice(
            (
                "???-####",
                "##-###-##",
                "ART-#####",
                "?##-?##",
                "SKU#####",
                "?????-##-?",
                "#####.##",
                "B0@@@@@@@@",
                "#######",
                "EN ISO ####",
                "DIN ###",
                "RAL ####",
                "??##?/##",
                "P/N ###-####-##",
                "4##############"[:13],
            )
        ),
    )


def isbn(rng: random.Random) -> str:
    """A book number with its check digit."""
    body = "978" + some(rng, "0123456789", 9)
    check = -sum(int(char) * (1 + 2 * (i % 2)) for i, char in enumerate(body)) % 10
    whole = f"{body}{check}"
    return (
        whole
        if rng.random() < 0.4
        else f"{whole[:3]}-{whole[3]}-{whole[4:8]}-{whole[8:12]}-{whole[12]}"
    )


def number(rng: random.Random) -> str:
    """A plain number: a count, a measure, a long one at times."""
    dice = rng.random()
    if dice < 0.75:
        return str(rng.randint(2, 60) if dice < 0.5 else rng.randint(10, 999))
    return str(rng.randint(1000, 9999)) if dice < 0.95 else str(rng.randint(10**4, 10**6))


def product(rng: random.Random) -> str:
    """A product or service."""
    return rng.choice(entries("negatives", "product"))


def brand_model(rng: random.Random) -> str:
    """A make and a model."""
    shape = rng.choice(("?##", "####", "#", "## Pro", "?-###", "##?", "#.#", "", "S##", "?#### ??"))
    brand = rng.choice(entries("negatives", "brand"))
    return f"{brand}{'' if brand.endswith('-') else ' '}{shaped(rng, shape)}".strip()


def private_ip(rng: random.Random) -> str:
    """An address of a private network."""
    head = rng.choice(("10.%d.%d.%d", "192.168.%d.%d", "172.16.%d.%d", "127.0.0.1", "0.0.0.0"))  # noqa: S104
    return head % tuple(rng.randint(0, 254) for _ in range(head.count("%d")))


def word(rng: random.Random, kind: str, language: str) -> str:
    """A word of a list: in the language where it is kept by language."""
    table = sections("negatives")
    return rng.choice(table.get(f"{kind}.{language}") or table[kind])


def negative(rng: random.Random, kind: str, language: str) -> str:
    """The text of a negative slot."""
    makers = {
        "product": product, "brandmodel": brand_model, "version": version, "uuid": uuid, "sku": sku,
        "isbn": isbn, "codeid": code_identifier, "number": number,
    }  # fmt: skip
    if kind in makers:
        return makers[kind](rng)
    if kind == "flight":
        return (
            rng.choice(
                ("LH", "BA", "AF", "IB", "TP", "KL", "SK", "AY", "LO", "FR", "U2", "EK", "AA")
            )
            + rng.choice(("", " "))
            + str(rng.randint(10, 9999))
        )
    if kind == "percent":
        return (
            f"{rng.randint(1, 100)}{rng.choice(('%', ' %'))}"
            if rng.random() < 0.6
            else f"{rng.uniform(0, 100):.1f} %".replace(".", rng.choice(".,"))
        )
    if kind == "age":
        return str(rng.randint(2, 94))
    if kind == "year":
        return str(rng.randint(1925, 2031))
    return word(rng, kind, language)
