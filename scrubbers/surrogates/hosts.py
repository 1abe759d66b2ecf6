"""E-mail addresses, host names, URLs and IP addresses: on reserved names and ranges only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

from scrubbers.surrogates import lists, people
from scrubbers.surrogates.codes import code_pieces
from scrubbers.surrogates.hostwords import (
    ENDS,
    PATH_WORDS,
    SECOND_LEVEL,
    STEMS,
    SUBDOMAINS,
    SYLLABLES,
)
from scrubbers.surrogates.readings import Reading, through
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import fold, like
from scrubbers.surrogates.unit import Piece, Slot, Unit, Unwritable

AT = re.compile(r"\s*[@＠]\s*")  # spelled ones are read before (`spokenmail`, `escapes`)
SCHEME = re.compile(r"^\s*(?:mailto:|[a-z][a-z0-9+.-]*://)", re.I)
HOST = re.compile(r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)+")
# A URL that findings from elsewhere take along in front of an address.
RUN_IN = re.compile(
    r"\s*(?:[a-z][a-z0-9+.-]*://)?(?:[\w-]{1,63}\.){1,20}[\w-]{1,63}(?::\d+)?[/?#](?:\S*[/?#&=:;,])?(?=\S|$)",
    re.I,
)
LONGEST_HOST = 600  # twice what the domain name system allows (RFC 1035), and a remark
LETTER = r"[^\W\d_ʼºª]"
NUMBERED = re.compile(f"{LETTER}\\d{{5,}}{LETTER}?|\\d{{5,}}{LETTER}")  # s2201847: no name
CODED = re.compile(r"[A-Z]{1,6}[-_]?[0-9]{3,}")  # INV-20931
WORD_TRIES = 4


# --- e-mail ---------------------------------------------------------------------------------


def email_pieces(text: str, stands_for: Sequence[str] = ()) -> list[Piece]:
    """Local part through the map of names, host through the map of domains.

    `stands_for`: what each word of the local part means in its record, as in `Context`.
    """
    start, end, host = mailbox(text)
    before = url_pieces(text[:start]) if RUN_IN.fullmatch(text[:start]) else [text[:start]]
    return [
        *before,
        *local_pieces(text[start:end], stands_for),
        text[end:host],
        *(host_pieces(text[host:]) if host > end else ()),
    ]


def mailbox(text: str) -> tuple[int, int, int]:
    """Where the local part of an address starts and ends, and where the host starts."""
    at = AT.search(text)
    if not at:
        return 0, len(text), len(text)
    before = RUN_IN.match(text, 0, at.start()) if at.start() <= LONGEST_HOST else None
    scheme = before or SCHEME.match(text[: at.start()])
    return scheme.end() if scheme else 0, at.start(), at.end()


def local_pieces(text: str, stands_for: Sequence[str] = ()) -> list[Piece]:
    """A mailbox: a student's or customer's number, or a name."""
    if NUMBERED.fullmatch(text):
        return code_pieces(text)
    return people.mailbox_pieces(text, stands_for)


def user_pieces(text: str, stands_for: Sequence[str] = ()) -> list[Piece]:
    """A user name: a number with its letter behind a sign or a domain, or a name."""
    start = max(text.rfind(sign) for sign in "@＠\\/") + 1
    if NUMBERED.fullmatch(text[start:]):
        return [*people.handle_pieces(text[:start]), *code_pieces(text[start:])]
    return people.user_pieces(text, stands_for)


def host_pieces(text: str) -> Iterator[Piece]:
    """The host name at the start of a text; what follows it (a port, a sign) stays."""
    address = find_address(text)
    if address and address.start() == 0:
        yield address_slot(address[0])
        yield text[address.end() :]
        return
    match = HOST.search(text) if len(text) <= LONGEST_HOST else None
    if not match:
        yield from people.handle_pieces(text)
        return
    yield text[: match.start()]
    yield from domain_pieces(match[0])
    yield text[match.end() :]


def domain_pieces(host: str) -> Iterator[Piece]:
    """Subdomains by label, the registrable name as one unit under `.example`."""
    labels = host.split(".")
    size = (
        3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2].lower() in SECOND_LEVEL else 2
    )
    for label in labels[:-size]:
        yield from [label] if fold(label) in SUBDOMAINS else [label_slot(label)]
        yield "."
    registrable = ".".join(labels[-size:])
    unit = Unit("domain", fold(registrable))
    yield Slot(
        (unit,), lambda norms: like(registrable, norms[0]) if registrable.isupper() else norms[0]
    )


def label_slot(label: str) -> Slot:
    """One label below the registrable name, without its hyphens and digits."""
    unit = Unit("label", fold(label))
    return Slot((unit,), lambda norms: norms[0].upper() if label.isupper() else norms[0])


def draw_domain(_: str, stream: Stream, counter: int) -> str:
    """A name under the top-level domain that RFC 2606 keeps for examples."""
    return draw_word("", stream, counter) + ".example"


def draw_word(_: str, stream: Stream, counter: int) -> str:
    """A made-up word of two stems (8,800 of them), later with one to three syllables between."""
    middle = "".join(
        stream.pick(SYLLABLES) for _ in range(min(3, max(0, counter - WORD_TRIES + 1)))
    )
    return stream.pick(STEMS) + middle + stream.pick(ENDS)


# --- IP -------------------------------------------------------------------------------------

V4 = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
V6 = re.compile(
    r"(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})(?![\w:])", re.I
)
DOCUMENTATION = ("192.0.2.", "198.51.100.", "203.0.113.")  # RFC 5737
BENCHMARK = int(IPv4Address("198.18.0.0"))  # RFC 2544, a /15
DOC6 = int(IPv6Address("2001:db8::"))  # RFC 3849, a /32


def find_address(text: str) -> re.Match[str] | None:
    """The first thing that is an IP address."""
    for pattern in (V6, V4):
        for match in pattern.finditer(text):
            if parse(match[0]):
                return match
    return None


def parse(text: str) -> IPv4Address | IPv6Address | None:
    """The address, or None; leading zeros in IPv4 are read as decimal."""
    try:
        if ":" in text:
            return ip_address(text)
        return ip_address(".".join(str(int(part)) for part in text.split(".")))
    except ValueError:
        return None


def ip_pieces(text: str) -> list[Piece]:
    """An address with whatever stands around it (brackets, port, prefix length, zone)."""
    match = find_address(text)
    if not match:
        return code_pieces(text, prefixes=False)
    return [text[: match.start()], address_slot(match[0]), text[match.end() :]]


def address_slot(text: str) -> Slot:
    """One address; an exploded or upper-case form stays one."""
    address = parse(text)
    if address is None:
        raise Unwritable("not an IP address: quarantine the record")
    unit = Unit(f"ip:{address.version}", address.compressed)

    def render(norms: Sequence[str]) -> str:
        exploded = address.version == 6 and "::" not in text and len(text) == 39
        shown = ip_address(norms[0]).exploded if exploded else norms[0]
        return shown.upper() if text != text.lower() else shown

    return Slot((unit,), render)


def draw_ip(details: str, stream: Stream, counter: int) -> str:
    """Documentation ranges first (765 addresses of IPv4), then the benchmarking range."""
    if details == "6":
        network = stream.below(2**32) << 64  # as short as most addresses are
        return IPv6Address(DOC6 + network + stream.below(2**16)).compressed
    if counter < WORD_TRIES:
        return stream.pick(DOCUMENTATION) + str(stream.below(255))
    return str(IPv4Address(BENCHMARK + stream.below(2**17)))


# --- URL ------------------------------------------------------------------------------------


def url_pieces(text: str) -> list[Piece]:
    """Scheme stays, credentials and path through the map of names, host as in an e-mail."""
    scheme = SCHEME.match(text)
    start = scheme.end() if scheme else 0
    cut = next((i for i in range(start, len(text)) if text[i] in "/?#"), len(text))
    at = text.rfind("@", start, cut)
    found: list[Piece] = [text[:start]]
    if at >= 0:
        found += [*user_pieces(text[start:at]), "@"]
    found += host_pieces(text[max(start, at + 1) : cut])
    return [*found, *path_pieces(text[cut:])]


def path_pieces(text: str) -> Iterator[Piece]:
    """Words that every address has stay; keys are codes, the rest is names and numbers."""
    for part in re.split(r"([/?&=#;:,]+)", text):
        single = len(part) == 1 and lists.is_alphabetic(fold(part)[:1] or part)  # Ⅿ is m
        plain = part.isalnum() and fold(part) in PATH_WORDS
        if plain or single or not re.search(r"[^\W_]", part):
            yield part
        elif CODED.fullmatch(part) or is_key(part):
            yield from code_pieces(part, prefixes=bool(CODED.fullmatch(part)))
        else:
            yield from through(Reading(part, uncoded), named_pieces, part)


def named_pieces(part: str) -> list[Piece]:
    """A part of a path that is names and numbers."""
    return list(people.handle_pieces(part))


def uncoded(part: str) -> str:
    """Names and numbers as written, but a name in capitals that would be the front of a code."""
    return part.lower() if CODED.fullmatch(part) else part


def is_key(part: str) -> bool:
    """Whether a part of a path is letters and digits mixed, without a separator.

    Letters of other scripts are names, whose surrogates have no Latin ones. A raised numeral or a
    fraction counts as a Latin letter, as in words.
    """
    if re.search(r"[-_.%]", part) or not re.search(r"\d", part):
        return False
    letters = fold("".join(re.findall(LETTER, part)))
    return any(lists.script(char) == "latin" for char in letters)
