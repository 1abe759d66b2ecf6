"""Identity numbers and plates whose form alone says what they are, mostly with a check digit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import compact, finding, runs


@dataclass(frozen=True, slots=True)
class _Form:
    """One number's form. `languages` empty: any. `check`: python-stdnum module, or "" for none."""

    body: str
    pattern: re.Pattern[str]
    kind: str
    country: str
    score: float
    check: str = ""
    languages: tuple[str, ...] = ()


def _form(
    pattern: str, kind: str, country: str, score: float, check: str = "", languages: str = ""
) -> _Form:
    return _Form(pattern, _alone(pattern), kind, country, score, check, tuple(languages.split()))


def _alone(body: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-])(?:{body})(?![\w]|[-./]\d)")


_ID = "NATIONAL_ID"
_MBI = r"[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]{2}\d{2}"
FORMS: tuple[_Form, ...] = (
    # The never-issued areas 000, 666 and 9xx, groups 00 and serials 0000 (SSA) are no SSN.
    _form(r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}", _ID, "US", 0.85),
    _form(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", _ID, "GB", 0.85),
    _form(r"\d{8}[- ]?[A-HJ-NP-TV-Za-hj-np-tv-z]", _ID, "ES", 0.85, "es.dni", "es und"),
    _form(r"\d{2}\.\d{3}\.\d{3}[- ]?[A-HJ-NP-TV-Z]", _ID, "ES", 0.9, "es.dni"),
    _form(r"[XYZxyz][- ]?\d{7}[- ]?[A-Za-z]", _ID, "ES", 0.9, "es.nie"),
    _form(r"[A-Za-z]{6}\d{2}[A-EHLMPR-Ta-ehlmpr-t]\d{2}[A-Za-z]\d{3}[A-Za-z]", _ID, "IT", 0.95, "it.codicefiscale"),
    _form(r"[A-Z]{3} [A-Z]{3} ?\d{2}[A-EHLMPR-T]\d{2} ?[A-Z]\d{3}[A-Z]", _ID, "IT", 0.95, "it.codicefiscale"),
    _form(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", _ID, "MX", 0.9),
    _form(r"[A-ZÑ]{4}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[A-Z0-9]{3}", _ID, "MX", 0.75),
    _form(r"\d{3}\.\d{3}\.\d{3}-\d{2}", _ID, "BR", 0.85),
    _form(r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}", "OTHER_ID", "BR", 0.85),
    _form(r"\d{1,2}\.\d{3}\.\d{3}-[\dkK]", _ID, "CL", 0.85),
    _form(r"(?:20|23|24|27|30|33|34)-\d{8}-\d", _ID, "AR", 0.85),
    _form(r"[12] ?\d{2} ?(?:0\d|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", _ID, "FR", 0.9, "fr.nir", "fr und"),
    _form(r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", _ID, "BE", 0.9),
    _form(r"756\.\d{4}\.\d{4}\.\d{2}", _ID, "CH", 0.9),
    _form(r"\d{8} ?\d ?[A-Z]{2}\d", _ID, "PT", 0.75, "pt.cc"),
    _form(r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", _ID, "FI", 0.85, "fi.hetu"),
    _form(r"\d{6}(?:\d{2})?[-+]\d{4}", _ID, "SE", 0.75, "se.personnummer"),
    _form(r"\d{6}-[1-8]\d{6}", _ID, "KR", 0.85),
    _form(r"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]", _ID, "IN", 0.75),
    _form(r"[A-Z][12]\d{8}", _ID, "TW", 0.6, "tw.id"),
    _form(r"[STFGM]\d{7}[A-Z]", _ID, "SG", 0.7),
    _form(r"\d{17}[\dXx]", _ID, "CN", 0.85, "cn.ric"),
    _form(r"\d{7}[A-W][ABHWTX]?", _ID, "IE", 0.75, "ie.pps", "en"),
    _form(_MBI, "MEDICAL_ID", "US", 0.85),
    _form(r"[A-Z]\d{9}", "MEDICAL_ID", "DE", 0.7, "de.kvnr", "de"),
    _form(r"[A-Z]{2}\d{2} ?[A-Z]{3}", "LICENCE_PLATE", "GB", 0.7, "", "en"),
    _form(r"[A-HJ-NP-TV-Z]{2}[- ]\d{3}[- ][A-HJ-NP-TV-Z]{2}", "LICENCE_PLATE", "FR", 0.75, "", "fr it es und"),
    _form(r"[A-HJ-NP-TV-Z]{2}\d{3}[A-HJ-NP-TV-Z]{2}", "LICENCE_PLATE", "FR", 0.65, "", "fr it es"),
    _form(r"\d{4}[- ]?[BCDFGHJKLMNPRSTVWXYZ]{3}", "LICENCE_PLATE", "ES", 0.6, "", "es"),
    _form(r"\d{2}-[A-Z]{3}-\d|\d-[A-Z]{3}-\d{2}|[A-Z]{2}-\d{3}-[A-Z]|[A-Z]-\d{3}-[A-Z]{2}", "LICENCE_PLATE", "NL", 0.7, "", "nl"),
    _form(r"\d{2}-[A-Z]{2}-\d{2}|[A-Z]{2}-\d{2}-[A-Z]{2}", "LICENCE_PLATE", "PT", 0.7, "", "pt nl"),
    _form(r"[A-Z]{3}-?\d[A-Z]\d{2}", "LICENCE_PLATE", "BR", 0.7, "", "pt"),
)  # fmt: skip


_INNER = frozenset("./-_")
_PUBLIC = frozenset({"XAXX010101000", "XEXX010101000"})  # the tax office's generic numbers


_HEAD = re.compile(r"(?<![\w./-])(?:[A-Z]{3} [A-Z]{3} ?|[A-Za-z]{1,6}[- ]?)$")
_ENOUGH = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ./+-]{5,20}")


def numbers(passage: Passage) -> Iterable[Finding]:
    """Numbers with an unmistakable form; those with a check digit must pass it."""
    text = passage.text
    for at, _ in runs(text):
        before = text[at - 1 : at]
        if not (before.isalnum() or before in _INNER) and _ENOUGH.match(text, at):
            yield from _forms_at(passage, at)
        if before and (before in " -" or before.isalpha()):
            head = _HEAD.search(text, max(0, at - 8), at)
            if head and _ENOUGH.match(text, head.start()):
                yield from _forms_at(passage, head.start())


def _forms_at(passage: Passage, at: int) -> Iterable[Finding]:
    text = passage.text
    forms, any_of_them = _read_in(passage.language)
    if not any_of_them.match(text, at):
        return
    for form in forms:
        match = form.pattern.match(text, at)
        if match and match.group() not in _PUBLIC and _passes(form.check, match.group()):
            yield finding(match.span(), form.kind, form.score, form.country)


@lru_cache(maxsize=64)
def _read_in(language: str) -> tuple[tuple[_Form, ...], re.Pattern[str]]:
    """The forms looked for in a language, and one expression for all of them."""
    forms = tuple(f for f in FORMS if not f.languages or language in f.languages)
    return forms, _alone("|".join(form.body for form in forms))


def _passes(check: str, value: str) -> bool:
    if not check:
        return True
    is_valid: Callable[[str], bool]
    try:
        is_valid = import_module(f"stdnum.{check}").is_valid
    except ModuleNotFoundError:  # not in every release: the form has to do
        return True
    return is_valid(compact(value) if check not in {"fi.hetu", "se.personnummer"} else value)
