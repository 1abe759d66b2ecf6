"""Logins and secrets in the forms of command lines, headers and connection strings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import finding, holds, lower
from scrubbers.rules.shapes import is_placeholder
from scrubbers.words import word_list

_Q = r"[\"'`\\]{0,2}"
_WORD = r"[^\s\"'`\\|;&<>]"
_PROGRAMS = (
    r"(?:curl|wget|mysql|mysqldump|mysqladmin|mariadb|psql|mongo|mongosh|mongodump|redis-cli|sshpass"
    r"|docker login|podman login|helm registry login|az login|svn|ldapsearch|smbclient|sqlcmd|http|mosquitto_pub|mosquitto_sub)"
)
_LINE = re.compile(rf"(?<![\w/.-]){_PROGRAMS}[ \t][^\n]{{1,600}}")
_PAIR = re.compile(
    rf"(?<=\s)(?:-u|--user|--proxy-user|-U)[ =]?{_Q}({_WORD}{{1,64}}?)[:%]({_WORD}{{1,64}})"
)
_USER = re.compile(rf"(?<=\s)(?:-u|-U|--user(?:name)?)[ =]?{_Q}([A-Za-z][\w.@-]{{1,39}})(?![\w:%])")
_GLUED_PASSWORD = re.compile(rf"(?<=\s)-p{_Q}([^\s\"'`\\|;&<>=]{_WORD}{{2,63}})")
_APART_PASSWORD = re.compile(rf"(?<=\s)(?:-p|-a|-w|-P) {_Q}({_WORD}{{3,64}})")
_LONG_PASSWORD = re.compile(rf"(?<=\s)--(?:password|pass|http-password)[ =]{_Q}({_WORD}{{3,64}})")
_GLUED = ("mysql", "mariadb")
_APART = (
    "sshpass",
    "docker",
    "podman",
    "helm",
    "redis-cli",
    "mongo",
    "ldapsearch",
    "az ",
    "sqlcmd",
)

_HEADER = re.compile(
    r"(?:authorization|x-api-key|x-auth-token|api-key)[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?:(?:basic|bearer|token|digest|apikey)\s{1,2})?"
    r"([A-Za-z0-9+/_.~=-]{8,2000})",
    re.IGNORECASE,
)
_SCHEMES = frozenset(word_list("basic bearer token digest apikey negotiate"))
_CONNECTION = re.compile(
    r"(?:AccountKey|SharedAccessKey|SharedAccessSignature|EndpointKey|ApiKey|ClientSecret)=([^\s;\"'`<>]{8,400})"
)
_COOKIES = re.compile(
    r"(?:set-)?cookie[\"']?\s{0,2}[:=]\s{0,2}[\"']?([^\n\"']{3,2000})", re.IGNORECASE
)
_COOKIE = re.compile(
    r"(?<![\w.-])[\w.-]{0,30}(?:sess|sid|auth|token|jwt|csrf|xsrf|remember|login)[\w.-]{0,30}=([^\s;,\"']{6,1000})",
    re.IGNORECASE,
)
_SSH = re.compile(
    r"(?<![\w/.-])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)[ \t](?:[^\n;|&@]{0,120}[ \t])?([A-Za-z_][\w.-]{0,31})@(?=[\w.-])"
)
_ETHER = re.compile(r"(?<![0-9A-Za-z])0x[0-9a-fA-F]{40}(?![0-9A-Za-z])")
_NOBODY = frozenset(
    word_list(
        "root git ubuntu ec2-user admin user username pi deploy debian centos postgres mysql myuser name you me"
    )
)
_DUMMIES = frozenset(
    word_list("password pass passwd secret token mypassword yourpassword your_password")
)


def commands(passage: Passage) -> Iterable[Finding]:
    """Users and passwords given to known programs; the user of an ssh login."""
    text = passage.text
    if " -" in text:
        for line in _LINE.finditer(text):
            yield from _in_line(text, *line.span())
    if "@" in text and holds(text, ("ssh", "scp", "sftp", "rsync", "mosh")):
        for match in _SSH.finditer(text):
            if match.group(1) not in _NOBODY:
                yield finding(match.span(1), "USERNAME", 0.85)


def _in_line(text: str, start: int, end: int) -> Iterable[Finding]:
    program = text[start : start + 12]
    for pair in _PAIR.finditer(text, start, end):
        yield from _user(pair, 1)
        yield from _secret(pair, 2, "PASSWORD")
    for user in _USER.finditer(text, start, end):
        yield from _user(user, 1)
    forms = [_LONG_PASSWORD]
    forms += [_GLUED_PASSWORD] * program.startswith(_GLUED)
    forms += [_APART_PASSWORD] * program.startswith(_APART)
    for form in forms:
        for match in form.finditer(text, start, end):
            yield from _secret(match, 1, "PASSWORD")


def _user(match: re.Match[str], group: int) -> Iterable[Finding]:
    value = match.group(group)
    if value.lower() not in _NOBODY and not is_placeholder(value) and value[0] not in "$<{%":
        yield finding(match.span(group), "USERNAME", 0.85)


def _secret(match: re.Match[str], group: int, kind: str) -> Iterable[Finding]:
    value = match.group(group)
    dummy = value.lower() in _DUMMIES or is_placeholder(value) or value[0] in "$<{%["
    if not dummy and not value.startswith(("http://", "https://")):
        yield finding(match.span(group), kind, 0.96)


def headers(passage: Passage) -> Iterable[Finding]:
    """Credentials in HTTP headers and connection strings; Ethereum addresses."""
    text = passage.text
    if holds(lower(text), ("authorization", "api-key", "auth-token")):
        for match in _HEADER.finditer(text):
            if match.group(1).lower() not in _SCHEMES:
                yield from _secret(match, 1, "SECRET")
    if holds(text, ("Key=", "Signature=", "Secret=")):
        for match in _CONNECTION.finditer(text):
            yield from _secret(match, 1, "SECRET")
    if "0x" in text:
        for match in _ETHER.finditer(text):
            yield finding((match.start() + 2, match.end()), "OTHER_ID", 0.9)  # "0x" stays


def cookies(passage: Passage) -> Iterable[Finding]:
    """The values of cookies that keep a session or a login."""
    text = passage.text
    if "ookie" not in text and "COOKIE" not in text:
        return
    for line in _COOKIES.finditer(text):
        for match in _COOKIE.finditer(text, *line.span(1)):
            yield from _secret(match, 1, "SECRET")
