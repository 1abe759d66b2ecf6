"""The last digits of numbers known in a record are looked for: `last four 6467`, `*6467`, `last4`.

Digits count where they end a confirmed number of the record and the words before or behind them, a
mask, a cue of the number's own type or the JSON key say that they are an end, or where they are the
whole leaf. They get the type of the longer number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubbers.entities import BALANCED
from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues
from scrubbers.rules.common import compact, plain
from scrubbers.words import word_list

DETECTOR = "tails"
_SCORE = 0.8
_TYPES = frozenset(
    word_list(
        "PHONE_NUMBER IBAN_CODE CREDIT_CARD BANK_ACCOUNT NATIONAL_ID PASSPORT MEDICAL_ID OTHER_ID"
    )
)
_SIZES = range(3, 7)
_USUAL = 4
_SHORTEST = 7  # letters and digits of a number that has an end worth naming
_DIGITS = re.compile(r"(?<!\d)(?<!\d[-.,/:])\d{3,6}(?!\w|[.,]\d)", re.ASCII)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SIGNS = "*#•●∙·⋅◦…＊xX"
_MASK = re.compile(
    rf"(?:[{_SIGNS[:-2]}]|(?<![^\W_])[xX]|\.{{3}}"
    rf"|(?<![^\W_])[{_SIGNS}][{_SIGNS} \u00a0.-]*[{_SIGNS}][ \u00a0.-]?)$"
)
_CLAUSE = re.compile(r"[!?;\n]|\.\s")
_WORD = re.compile(r"[^\W\d_]+|(?<!\d)[3-6](?!\d)")
_REACH = 72  # characters looked at on either side
_WORDS = 9  # words looked at
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

# Words that say only the end follows (plain spelling): alone they are enough.
_ENDING = frozenset(
    word_list("""ending ends ended endings tail suffix finishing finishes
    terminada terminado terminadas terminados terminacion acaba acabada acabado acaban termina terminan
    terminant finissant finit termine terminee finissent terminaison
    endet enden endend endende endenden endung endziffer endziffern endnummer schlussziffern
    terminante termina finisce finiscono terminanti
    terminam acabam terminacao
    eindigt eindigend eindigen eindigende eindcijfers
    konczy konczaca konczacy konczace konczacej zakonczona zakonczony koncowka koncowke koncowki""")
)
_LAST = frozenset(
    word_list("""last final end ultimo ultimos ultima ultimas dernier derniers derniere dernieres letzte letzten
    letzter letztes ultime ultimi finale finali laatste laatst einde ostatnie ostatnich ostatnia
    ostatnimi fin fim ende""")
)
_COUNT = frozenset(
    word_list("""digit digits number numbers cifra cifras digito digitos numero numeros chiffre chiffres ziffer ziffern stellen
    cifre cijfer cijfers cyfra cyfry cyfr three four five six tres cuatro cinco seis trois quatre cinq drei vier funf
    sechs tre quattro cinque sei quatro drie vijf zes trzy cztery piec szesc 3 4 5 6""")
)
_KEY_WORD = re.compile(r"last|end|tail|suffix|ultim|dernier|letzt|laatst|ostatni|termin|koncow")


def tail_findings(
    passages: Sequence[Passage], findings: Sequence[Sequence[Finding]]
) -> list[list[Finding]]:
    """Extra findings for each passage; nothing that a finding of an acted type touches."""
    ends = _ends(passages, findings)
    if not ends:
        return [[] for _ in passages]
    return [
        list(_found(passage, ends, [f for f in group if f.type in BALANCED]))
        for passage, group in zip(passages, findings, strict=True)
    ]


def _ends(
    passages: Sequence[Passage], findings: Sequence[Sequence[Finding]]
) -> dict[str, tuple[str, ...]]:
    """The digits that confirmed numbers end with -> the types of those, most telling first."""
    ends: dict[str, dict[str, None]] = {}
    for passage, group in zip(passages, findings, strict=True):
        for found in group:
            if found.type not in _TYPES:
                continue
            packed = compact(passage.text[found.start : found.end])
            for size in _SIZES if len(packed) >= _SHORTEST else ():
                end = packed[-size:]
                if end.isascii() and end.isdigit():
                    ends.setdefault(end, {})[found.type] = None
    return {end: tuple(kinds) for end, kinds in ends.items()}


def _found(
    passage: Passage, ends: dict[str, tuple[str, ...]], known: Sequence[Finding]
) -> Iterator[Finding]:
    text = passage.text
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        kinds = ends.get(match[0])
        if not kinds or any(f.start < end and start < f.end for f in known):
            continue
        if kind := _kind(passage, start, end, kinds):
            yield Finding(start, end, kind, _SCORE, DETECTOR)


def _kind(passage: Passage, start: int, end: int, kinds: Sequence[str]) -> str:
    """The type of the number whose end stands here, "" where nothing says that it is one."""
    text, size = passage.text, end - start
    before = text[max(0, start - _REACH) : start]
    masked = size >= _USUAL and bool(_MASK.search(before))
    if before[-1:].isalnum() and not masked:
        return ""
    is_year = bool(_YEAR.fullmatch(text, start, end))
    whole = text.strip(" \t\n.\"'()") == text[start:end]
    cue = cues.before(text, start) or (cues.of_label(passage.label) if whole else None)
    told = cue.kind if cue and cue.kind in kinds else ""
    if masked or _said(before, text[end : end + _REACH], is_year=is_year):
        return told or kinds[0]
    if whole and (_is_key(passage.label) or (size >= _USUAL and not is_year)):
        return told or kinds[0]
    return told if size >= _USUAL and not is_year else ""


def _said(before: str, after: str, *, is_year: bool) -> bool:
    """Whether the words on either side say that an end of a number stands between them."""
    clauses = _CLAUSE.split(before)[-1], _CLAUSE.split(after)[0]
    words, behind = (list(map(plain, _WORD.findall(clause))) for clause in clauses)
    words, behind = words[-_WORDS:], behind[:_WORDS]
    if any(map(_ENDING.__contains__, words)) or _counted(words) or _counted(behind):
        return True
    return not is_year and any(map(_LAST.__contains__, words))


def _counted(words: Sequence[str]) -> bool:
    """Whether they say `the last four`."""
    return any(map(_LAST.__contains__, words)) and any(map(_COUNT.__contains__, words))


def _is_key(label: str) -> bool:
    """Whether a JSON key asks for the end of a number: `last4`, `iban_end`, `ultime4`."""
    words = [plain(word) for word in re.findall(r"[^\W\d_]+", _CAMEL.sub("_", label))]
    return any(map(_KEY_WORD.match, words))
