"""Where the local part of an e-mail address begins: behind a URL or a query that runs into it.

RFC 5322 allows `/ ? = # &` in a local part, so a pattern that follows it takes a whole URL for one.
Nobody's mailbox is called that; but return paths carry another address in theirs.
"""

from __future__ import annotations

import re
from dataclasses import replace
from string import hexdigits
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubbers.finding import Finding

_SIGNS = '/\\?#:;,()<>[]{}|"`'
# The last of these ends what is no local part; escaped in a URL, once or more often, as well.
_BREAK = re.compile(
    rf"[{re.escape(_SIGNS)}]|%(?:25)*(?:2[0236789CF]|3[ABCEF]|5[BCD]|60|7[BCD])", re.IGNORECASE
)
_EQUALS = re.compile(r"=|%(?:25)*3D", re.IGNORECASE)
_AMPERSAND = re.compile(r"&|%(?:25)*26", re.IGNORECASE)
# Return paths: sender rewriting and bounce tags, and `you=your.host` behind a list's name.
_TAGGED = re.compile(r"(?:srs[01]|prvs|msprvs1|btv1)", re.IGNORECASE)
_HOST = re.compile(
    r"(?:[\w-]+\.)+(?:com|org|net|edu|gov|info|biz|eu|io|co|me|app|dev|example|test|invalid|"
    r"us|uk|ie|ca|au|nz|in|za|de|at|ch|fr|be|lu|es|mx|ar|cl|it|pt|br|nl|pl|cz|dk|no|se|fi|ro)",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r"(?:[\w.\[\]-]*[_.\[-])?(?:e?-?mails?|address|users?|usernames?|login|to|from|cc|bcc|reply-?to|"
    r"sender|recipients?|contact|account|owner|name|id|uid|sub|subject|email_?address|"
    r"correo|courriel|adresse|next|url|q|query|[a-z])\]?",
    re.IGNORECASE,
)


def without_url(found: Finding, text: str) -> Finding:
    """The finding, from where its local part begins; others than e-mail addresses as they are."""
    if found.type != "EMAIL_ADDRESS":
        return found
    at = text.find("@", found.start, found.end)
    start = local_start(text, found.start, at) if at > found.start else found.start
    return replace(found, start=start)


def local_start(text: str, start: int, at: int) -> int:
    """Where the local part in front of the at sign at `at` begins, at `start` or behind it.

    `start` where nothing would be left, or where words are: that is no part of a URL.
    """
    begin = start + _half_escape(text, start)
    local = text[begin:at]
    if any(map(str.isspace, local)):
        return start
    cut = _last(_BREAK, local)
    cut = max(cut, _behind_key(local, cut))
    while cut < len(local) and not (local[cut].isalnum() or local[cut] in "_+"):
        cut += 1
    return begin + cut if cut < len(local) else start


def _half_escape(text: str, start: int) -> int:
    """2 where a pattern began within %3D or %22, whose digits are no part of the address."""
    pair = text[start : start + 2]
    escaped = (
        start > 0 and text[start - 1] == "%" and len(pair) == 2 and set(pair) <= set(hexdigits)
    )
    return 2 if escaped and (_BREAK.fullmatch(f"%{pair}") or pair.upper() in {"3D", "26"}) else 0


def _last(signs: re.Pattern[str], local: str, start: int = 0) -> int:
    return max((match.end() for match in signs.finditer(local, start)), default=start)


def _behind_key(local: str, start: int) -> int:
    """Behind the last `&` and `=` of a query; a return path keeps its own."""
    if start or _EQUALS.search(local):
        start = _last(_AMPERSAND, local, start)
    signs = list(_EQUALS.finditer(local, start))
    if not signs:
        return start
    for number, sign in enumerate([None, *signs]):
        first = sign.end() if sign else start
        word = local[first : signs[number].start()] if number < len(signs) else ""
        if _TAGGED.fullmatch(word):
            return first
    if not _HOST.fullmatch(local, signs[-1].end()):
        return signs[-1].end()
    keyed = _KEYS.fullmatch(local[start : signs[0].start()])
    return signs[0].end() if keyed else start
