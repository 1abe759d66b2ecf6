"""Whether an agreement is no accident: values that say enough to be counted as a pair."""

from __future__ import annotations

import re

from scrubbers.words import COMMON, word_list

# Answers that any text may hold: yes, no, nothing, something else.
NOTHING = frozenset(
    word_list("""yes no true false none null nil unknown other undefined not the and for you ja nein nee oui non
    aucun ninguno ninguna nessuno nenhum nenhuma geen kein keine sim nao tak nie otro otra autre andere
    altro outro inny low medium high open closed pending active inactive male female""")
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_ADDRESS = re.compile(r"\S{10,}")  # user names, paths, hosts: one run of characters
_ADDRESS_MARKS = frozenset("@/.-:")


def says_enough(
    value: str, packed: str, said: str, kind: str, role: str, sides: tuple[bool, bool] | None
) -> bool:
    """Whether a value of an answer and what an earlier turn says agree by more than accident.

    `packed`: the value's folded letters and digits. `sides`: whether the value, and what was
    said, were found to be identifiers; None where nobody looked.
    """
    single = not any(map(str.isspace, value))
    if sides is not None and single and packed in COMMON and sides[0] != sides[1]:
        return False  # "Will" and "will you"
    if sides is not None and any(sides):
        return len(packed) >= 2
    if kind in ("date", "phone", "tail"):
        return True
    if packed.isdigit():
        return len(packed) >= 4 and _YEAR.fullmatch(packed) is None
    if any(map(str.isdigit, packed)):
        return len(packed) >= 3
    return role != "system" and _name_like(value, packed, said, single=single or kind == "part")


def _name_like(value: str, packed: str, said: str, *, single: bool) -> bool:
    """Letters alone: a word with a capital in both places, or an address of some kind."""
    if packed in NOTHING:
        return False
    if packed.lower() == packed.upper():  # a script without capitals
        return len(packed) >= 2
    if _ADDRESS.fullmatch(value) and not _ADDRESS_MARKS.isdisjoint(value):
        return True
    capital = any(map(str.isupper, value))
    return capital and len(packed) >= 3 and (not single or any(map(str.isupper, said)))
