"""Addresses of machines: IP, MAC, and URLs."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import at_runs, finding, holds, lower

_V4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d|-\w)")
_V6 = re.compile(
    r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f]{1,4})?(?:%\w{1,12})?(?![\w:])"
)
_MAC = re.compile(
    r"(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:-])"
)
_MAC_DOTTED = re.compile(r"(?<![\w.])(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}(?![\w.]\w|\w)")
_PAIR_GAPS, _FOUR_GAPS, _QUAD_GAPS = 5, 2, 3
_VERSION = re.compile(
    r"(?:\bv|version|ver|release|rel|build|firmware|driver|section|chapter|clause|kapitel|abschnitt"
    r"|artikel|art|sec|§)\.?[\s:=\"']*$",
    re.IGNORECASE,
)
_URL = re.compile(r"(?<![\w@])(?:https?://|ftp://|www\.)[^\s<>\"'`|\\\])}]{3,400}", re.IGNORECASE)


_URL_HINTS = ("://", "www.")


def addresses(passage: Passage) -> Iterable[Finding]:
    """IPv4 and IPv6 addresses; not versions, masks, loopback or the unspecified address."""
    text = passage.text
    for match in at_runs(_V4, text) if text.count(".") >= _QUAD_GAPS else ():
        if _names_a_host(match.group()) and not _VERSION.search(
            text[max(0, match.start() - 16) : match.start()]
        ):
            yield finding(match.span(), "IP_ADDRESS", 0.92)
    if text.count(":") > 1:
        for match in _V6.finditer(text):
            value = match.group()
            if any(c.isdigit() for c in value) and len(value) > 4 and _names_a_host(value):
                yield finding(match.span(), "IP_ADDRESS", 0.92)


def macs(passage: Passage) -> Iterable[Finding]:
    """Hardware addresses, in pairs or in Cisco's groups of four."""
    text = passage.text
    pairs = _MAC.finditer(text) if max(text.count(":"), text.count("-")) >= _PAIR_GAPS else ()
    fours = _MAC_DOTTED.finditer(text) if text.count(".") >= _FOUR_GAPS else ()
    for match in (*pairs, *fours):
        if len(set(match.group().lower())) > 3 and re.search(r"[A-Fa-f]|:", match.group()):
            yield finding(match.span(), "OTHER_ID", 0.9)


def _names_a_host(value: str) -> bool:
    try:
        address = ipaddress.ip_address(value.partition("%")[0])
    except ValueError:
        return False
    first = value.partition(".")[0]
    return not (address.is_loopback or address.is_unspecified) and first not in {"0", "255"}


def urls(passage: Passage) -> Iterable[Finding]:
    """Web addresses, without the punctuation of the sentence around them."""
    for match in _URL.finditer(passage.text) if holds(lower(passage.text), _URL_HINTS) else ():
        value = match.group().rstrip(".,;:!?*_")
        yield finding((match.start(), match.start() + len(value)), "URL", 0.6)
