"""The parameters of a URL's query: values under the label of their name, percent-decoded.

What is found never reaches over an escape, save in e-mails and telephone numbers:
`name=Ana%20Reyes` holds two names, and whoever replaces them leaves `%20` as it is. The name of a parameter is never part of a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import contact, finance
from scrubbers.rules.labelled import whole_values

_START = re.compile(r"\?(?=[\w.\-\[\]%]{1,60}=)")
_PARAMETER = re.compile(r"[?&;]([\w.\-\[\]%]{1,60})=([^\s&#;\"'<>`\\)|]{0,400})")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+|(?<=[^\W\d_])\+(?=[^\W\d_])")
# Names that say something else in a query than above a value in a record.
_LABELS = {
    **dict.fromkeys(("user", "u", "usr", "uname", "account_name"), "username"),
    **dict.fromkeys(("sig", "signature", "session", "sessionid", "sid", "jwt", "auth", "key"), "token"),
    **dict.fromkeys(("name", "fullname", "n"), "full name"),
    **dict.fromkeys(("fname", "given_name"), "first name"),
    **dict.fromkeys(("lname", "family_name"), "last name"),
}  # fmt: skip
# Their escapes, %40 and %2B, are written again by who replaces them.
_WHOLE = frozenset({"EMAIL_ADDRESS", "PHONE_NUMBER"})


def parameters(passage: Passage) -> Iterable[Finding]:
    """What the values of query parameters are by their names, and e-mails, phones, IBANs there."""
    text = passage.text
    if "=" not in text or "?" not in text:
        return
    for begin in _START.finditer(text):
        at = begin.start()
        while match := _PARAMETER.match(text, at):
            yield from _in_value(passage, match.group(1), *match.span(2))
            at = match.end()


def _in_value(passage: Passage, name: str, start: int, end: int) -> Iterator[Finding]:
    value, starts = _decoded(passage.text, start, end)
    inner = Passage(value, passage.language, _LABELS.get(name.casefold(), name))
    for rule in (whole_values, contact.emails, contact.phones, finance.ibans):
        for found in rule(inner):
            left, right = starts[found.start], starts[found.end]
            if found.type in _WHOLE:
                yield replace(found, start=left, end=right)
            else:
                yield from _pieces(passage.text, replace(found, start=left, end=right))


def _decoded(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """The value without escapes, and where each of its characters (and its end) stands in text."""
    parts: list[str] = []
    starts: list[int] = []
    at = start
    for match in _ESCAPES.finditer(text, start, end):
        parts.append(text[at : match.start()])
        starts += range(at, match.start())
        plain = _plain(match.group())
        parts.append(plain)
        starts += [match.start()] * len(plain)
        at = match.end()
    parts.append(text[at:end])
    return "".join(parts), [*starts, *range(at, end + 1)]


def _plain(escapes: str) -> str:
    if escapes == "+":
        return " "
    return bytes.fromhex(escapes.replace("%", "")).decode("utf-8", "replace")


def _pieces(text: str, found: Finding) -> Iterator[Finding]:
    """The finding's parts between escapes."""
    at = found.start
    for match in (*_ESCAPES.finditer(text, found.start, found.end), None):
        stop = match.start() if match else found.end
        if any(map(str.isalnum, text[at:stop])):
            yield replace(found, start=at, end=stop)
        at = match.end() if match else stop
