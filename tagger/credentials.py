"""Passwords, keys, tokens, user names, hosts and addresses of machines."""

from __future__ import annotations

import base64
import random
from string import ascii_letters, ascii_uppercase, digits

from tagger.draw import shaped, some
from tagger.nameforms import ascii_name
from tagger.names import Person, made_up
from tagger.wordlists import entries

WORD = ascii_letters + digits
KEYS = (  # provider forms: beginning, alphabet, length
    ("sk-", WORD, 48), ("sk-proj-", WORD + "-_", 64), ("sk_live_", WORD, 24), ("sk_test_", WORD, 24), ("pk_live_", WORD, 24), ("rk_live_", WORD, 24),
    ("ghp_", WORD, 36), ("gho_", WORD, 36), ("github_pat_", WORD + "_", 60), ("glpat-", WORD + "-_", 20), ("AKIA", ascii_uppercase + "234567", 16),
    ("ASIA", ascii_uppercase + "234567", 16), ("AIza", WORD + "-_", 35), ("xoxb-", digits, 12), ("xoxp-", digits, 12), ("SG.", WORD + "-_", 40),
    ("hf_", ascii_letters, 34), ("npm_", WORD, 36), ("dop_v1_", "0123456789abcdef", 64), ("key-", "0123456789abcdef", 32), ("EAAC", WORD, 60),
    ("sq0atp-", WORD + "-_", 22), ("AC", "0123456789abcdef", 32), ("pypi-", WORD + "-_", 60), ("ya29.", WORD + "-_", 50), ("whsec_", WORD, 32),
    ("shpat_", "0123456789abcdef", 32), ("lin_api_", WORD, 40), ("", "0123456789abcdef", 32), ("", "0123456789abcdef", 40), ("", WORD, 32), ("", WORD + "+/", 43),
)  # fmt: skip
SYMBOLS = "!!!@#$%&*?._-+=;:"
MAILS = ("gmail.com", "outlook.com", "hotmail.com", "yahoo.com", "icloud.com", "proton.me", "example.com", "example.org", "example.net", "live.com", "gmx.net", "mail.com")  # fmt: skip
LOCAL_MAILS = {
    "de": ("gmx.de", "web.de", "t-online.de", "freenet.de", "posteo.de"), "fr": ("orange.fr", "free.fr", "laposte.net", "wanadoo.fr", "sfr.fr"), "it": ("libero.it", "virgilio.it", "tiscali.it", "alice.it", "pec.it"),
    "es": ("yahoo.es", "telefonica.net", "hotmail.es", "terra.es"), "pt": ("sapo.pt", "uol.com.br", "terra.com.br", "bol.com.br"), "nl": ("ziggo.nl", "kpnmail.nl", "planet.nl", "telenet.be"), "pl": ("wp.pl", "onet.pl", "o2.pl", "interia.pl"),
    "ro": ("yahoo.ro", "gmail.com"), "sv": ("telia.com", "bredband.net", "hotmail.se"), "no": ("online.no", "getmail.no"), "da": ("mail.dk", "stofanet.dk", "jubii.dk"), "fi": ("luukku.com", "elisanet.fi", "kolumbus.fi"), "en": ("btinternet.com", "aol.com", "comcast.net", "sky.com", "rediffmail.com"),
}  # fmt: skip
ENDINGS = {"de": "de", "fr": "fr", "it": "it", "es": "es", "pt": "pt", "nl": "nl", "pl": "pl", "ro": "ro", "sv": "se", "no": "no", "da": "dk", "fi": "fi", "en": "co.uk"}  # fmt: skip


def domain(rng: random.Random, language: str) -> str:
    """A domain of a firm or a family, many under reserved names."""
    stem = ascii_name(
        made_up(rng, rng.choice(("us", "de", "fr", "it", "es", "pl", "nl")), "surname")
    )
    if rng.random() < 0.5:
        extra = rng.choice(
            (
                "-group",
                "consult",
                "-law",
                "clinic",
                "-partners",
                "soft",
                "bau",
                "media",
                "tech",
                "-logistik",
                "shop",
                "net",
            )
        )
        stem += extra
    ending = rng.choice(
        ("example", "test", "com", "org", "net", "io", "eu", ENDINGS[language], ENDINGS[language])
    )
    return f"{stem}.{ending}"


def handle(rng: random.Random, person: Person) -> str:
    """A user name, of the name mostly."""
    given, family = ascii_name(person.given), ascii_name(person.surname)
    first = given.split("-")[0]
    year = str(rng.randint(50, 99)) if rng.random() < 0.6 else str(rng.randint(1950, 2012))
    dice = rng.random()
    if dice < 0.22:
        hobby = rng.choice(entries("things", "hobby"))
        return rng.choice(
            (
                f"{hobby}{year}",
                f"{rng.choice(entries('things', 'hobby'))}_{hobby}",
                f"xX{hobby}Xx",
                f"{hobby}.{first}",
                f"the{hobby}{rng.randint(1, 99)}",
                f"{first}_{hobby}",
            )
        )
    forms = (
        f"{first}.{family}", f"{first[0]}{family}", f"{first}{family[0]}", f"{first}_{family}", f"{family}{first[0]}", f"{first[0]}.{family}",
        f"{first}{year}", f"{family}.{first}", f"{first}{family}", f"{first[:3]}{family[:3]}", f"{first}-{family}", f"{first[0]}{family}{rng.randint(1, 99)}",
        f"{first}.{family[0]}", f"{family[:5]}{first[:2]}{rng.randint(1, 9)}", f"{(person.nick and ascii_name(person.nick)) or first}{year[-2:]}",
    )  # fmt: skip
    name = rng.choice(forms)
    return name if rng.random() < 0.93 else name.title().replace(".", "")


def email(rng: random.Random, person: Person, language: str) -> str:
    """An address of the person, with the name in it mostly."""
    local = handle(rng, person).replace("xX", "")
    if rng.random() < 0.06:
        local += f"+{rng.choice(('shop', 'news', 'bank', 'x'))}"
    dice = rng.random()
    place = (
        rng.choice(MAILS)
        if dice < 0.4
        else rng.choice(LOCAL_MAILS[language])
        if dice < 0.6
        else domain(rng, language)
    )
    address = f"{local}@{place}"
    if rng.random() < 0.05:
        return address.upper() if rng.random() < 0.3 else address.title()
    return address


def password(rng: random.Random) -> str:
    """A password as people choose it, or as a machine does."""
    dice = rng.random()
    if dice < 0.3:
        return some(rng, WORD + SYMBOLS, rng.randint(8, 18)).strip(".,;:-_") or "Xk2!pq"
    word = (
        rng.choice(entries("things", "hobby"))
        if rng.random() < 0.5
        else made_up(rng, "us", "surname")
    )
    if dice < 0.42:
        other = rng.choice(entries("things", "hobby"))
        return rng.choice(
            (
                f"{word}-{other}-{rng.randint(1, 99)}",
                f"{word}{other.title()}{rng.randint(1, 999)}",
                f"{word} {other} {rng.choice(entries('things', 'hobby'))}",
            )
        )
    styled = rng.choice(
        (
            word.title(),
            word.title(),
            word,
            word.upper(),
            word.title().replace("o", "0").replace("a", "@"),
            word.title().replace("i", "1").replace("e", "3"),
        )
    )
    number = rng.choice(
        (
            str(rng.randint(1, 99)),
            str(rng.randint(1950, 2026)),
            str(rng.randint(100, 9999)),
            "123",
            "",
        )
    )
    mark = rng.choice(("!", "!!", "#", "?", "*", "$", "%", "&", "", "", ".", "_"))
    return rng.choice(
        (
            f"{styled}{number}{mark}",
            f"{styled}{mark}{number}",
            f"{number}{styled}{mark}",
            f"{styled[:2]}{mark}{styled[2:]}{number}",
        )
    )


def pin(rng: random.Random) -> str:
    """A PIN of four to six digits."""
    return some(rng, digits, rng.choice((4, 4, 4, 5, 6)))


def api_key(rng: random.Random) -> str:
    """A key of a provider's form."""
    head, alphabet, length = rng.choice(KEYS)
    body = some(rng, alphabet, length)
    if head.startswith("xox"):
        body += f"-{some(rng, digits, 12)}-{some(rng, WORD, 24)}"
    return head + body


def token(rng: random.Random) -> str:
    """A token: JWT, bearer, hexadecimal."""
    dice = rng.random()
    if dice < 0.4:
        parts = (
            '{"alg":"HS256","typ":"JWT"}',
            f'{{"sub":"{some(rng, digits, 8)}","iat":{rng.randint(10**9, 2 * 10**9)}}}',
        )
        coded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
        return ".".join((*coded, some(rng, WORD + "-_", 43)))
    return api_key(rng) if dice < 0.6 else some(rng, WORD + "-_", rng.randint(20, 50)).strip("-_")


def secret(rng: random.Random) -> str:
    """Some secret that is no password: key, token, PUK, one-time or recovery code."""
    dice = rng.random()
    if dice < 0.4:
        return api_key(rng)
    if dice < 0.55:
        return token(rng)
    if dice < 0.7:
        return some(rng, digits, 8)
    if dice < 0.85:
        return "-".join(
            some(rng, "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 4) for _ in range(rng.randint(2, 4))
        )
    return some(rng, WORD, rng.randint(10, 24)) + rng.choice(("", "==", "="))


def ipv4(rng: random.Random) -> str:
    """A public address of documentation ranges or elsewhere; private ones are negatives."""
    if rng.random() < 0.35:
        return rng.choice(("192.0.2.", "198.51.100.", "203.0.113.")) + str(rng.randint(1, 254))
    first = rng.choice([n for n in range(11, 223) if n not in (127, 172, 192, 169)])
    return ".".join(
        str(n) for n in (first, rng.randint(0, 255), rng.randint(0, 255), rng.randint(1, 254))
    )


def ipv6(rng: random.Random) -> str:
    """A public address, shortened mostly."""
    groups = [some(rng, "0123456789abcdef", rng.randint(1, 4)).lstrip("0") or "0" for _ in range(6)]
    head = rng.choice(
        ("2001:db8", "2001:db8", f"2a02:{groups[5]}", f"2a01:{groups[4]}", f"2600:{groups[3]}")
    )
    return f"{head}::{':'.join(groups[:2])}" if rng.random() < 0.5 else f"{head}:{':'.join(groups)}"


def mac(rng: random.Random) -> str:
    """A hardware address."""
    pairs = [some(rng, "0123456789abcdef", 2) for _ in range(6)]
    text = (
        rng.choice((":", ":", "-")).join(pairs)
        if rng.random() < 0.9
        else "".join(pairs[:2]) + "." + "".join(pairs[2:4]) + "." + "".join(pairs[4:])
    )
    return text.upper() if rng.random() < 0.5 else text


def url(rng: random.Random, person: Person | None, language: str) -> str:
    """A personal page, profile or a link with a name in it."""
    site = domain(rng, language)
    name = handle(rng, person) if person else shaped(rng, "^^^^^^")
    forms = (
        f"https://www.{site}/{name}", f"https://{site}", f"www.{site}", f"https://{site}/u/{name}", f"https://linkedin.com/in/{name}-{shaped(rng, '&&&&&&')}",
        f"https://github.com/{name}", f"http://{name}.{site}", f"https://{site}/profile?id={shaped(rng, '######')}", f"instagram.com/{name}", f"https://portal.{site}/reset?t={some(rng, WORD, 18)}", f"https://{site}/~{name}/cv.html",
    )  # fmt: skip
    return rng.choice(forms)
