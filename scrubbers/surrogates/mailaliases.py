"""Which words of a mailbox or user name are made of a name of its record: strandmbeki, jdupuis, hp."""

from __future__ import annotations

from collections.abc import Sequence

from scrubbers.surrogates import lists
from scrubbers.surrogates.components import CAMEL
from scrubbers.surrogates.likeness import BEGINNING, KEPT, kept_forms, relation
from scrubbers.surrogates.register import MOST, Name, Register, Word
from scrubbers.surrogates.text import fold
from scrubbers.surrogates.words import CODE_WORDS, PARTICLES, ROLES

LONGEST_WORD = 48


def handle_meanings(words: Sequence[Word], registers: Sequence[Register]) -> tuple[str, ...]:
    """For each word of a handle what it stands for: in a full name first, then in a lone one."""
    for names in registers:
        results: dict[tuple[str, ...], int] = {}
        for name in handle_candidates(words, names):
            told, score = explained(words, name)
            if score:
                results[told] = max(score, results.get(told, 0))
        if results:
            most = max(results.values())
            chosen = [told for told, score in results.items() if score == most]
            return chosen[0] if len(chosen) == 1 else common(chosen)
    return ("",) * len(words)


def common(results: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What several readings have in common."""
    return tuple(told[0] if len(set(told)) == 1 else "" for told in zip(*results, strict=True))


def handle_candidates(words: Sequence[Word], names: Register) -> list[Name]:
    """Names of which a component stands in a word, whole or shortened."""
    found: set[int] = set()
    for word in words:
        folded = fold(word.text)[:LONGEST_WORD]
        for first in range(len(folded) - 2):
            for last in range(first + BEGINNING, len(folded) + 1):
                found.update(names.by_part.get(lists.name_norm(folded[first:last]), ()))
        if len(names.names) <= MOST:
            near = names.by_letter.get(folded[:1], ())
            found.update(
                i for i in near if any(relation(folded, p) == "short" for p in names.names[i].parts)
            )
    return [names.names[i] for i in sorted(found)]


def explained(words: Sequence[Word], name: Name) -> tuple[tuple[str, ...], int]:
    """What the words of a handle are in a name, and how many letters of whole components that is."""
    told, score, free = [], 0, list(name.words)
    for word in words:
        options = free + [KEPT + fold(p) for p in CAMEL.split(word.text) if fold(p) in CODE_WORDS]
        meant = read_word(word, options)
        for target in meant:
            if target in free:
                free.remove(target)
            score += worth(word, target)
        told.append("" if meant == word.norms else " ".join(meant))
    return (tuple(told), score) if score >= BEGINNING else (("",) * len(words), 0)


def worth(word: Word, target: str) -> int:
    """How much a word says for a component: its letters if whole, less if shortened, else little."""
    if target.startswith(KEPT) or len(target) < BEGINNING:
        return 0
    if target in lists.name_norm(word.text):
        return 4 * len(target)
    return BEGINNING if relation(word.text, target) == "short" else 1


def read_word(word: Word, options: Sequence[str]) -> tuple[str, ...]:
    """One word of a handle as parts of a name in any order; () where it is not made of them."""
    folded = fold(word.text)
    stays = not word.norms and folded in ROLES | PARTICLES
    if len(folded) > LONGEST_WORD or (stays and lists.name_norm(folded) not in options):
        return ()
    for target in options:
        kind = "" if target.startswith(KEPT) else relation(word.text, target)
        if kind in ("same", "short") or (kind == "initial" and len(folded) == 1):
            return (target,)
    for own in (False, True):
        found = segments(folded, tuple(options), own=own)
        if len(found) > 1 and any(worth(word, target) > BEGINNING for target in found):
            return found
    found = initials(folded, options)
    return found if len(found) > 1 else ()


def segments(folded: str, options: tuple[str, ...], *, own: bool) -> tuple[str, ...]:
    """Parts that make up the letters, whole ones first; `own`: the first letter may be unknown."""
    if not folded:
        return ()
    tried: list[tuple[str, str]] = []
    for target in options:
        forms = kept_forms(target[1:]) if target.startswith(KEPT) else whole_forms(folded, target)
        tried += [(form, KEPT + form if target.startswith(KEPT) else target) for form in forms]
    tried.sort(key=lambda pair: -len(pair[0]))
    for target in options:
        if not target.startswith(KEPT):
            tried += [(target[:size], target) for size in range(len(target) - 2, BEGINNING - 1, -1)]
            tried.append((target[0], target))
    if own:
        tried.append((folded[0], folded[0]))
    for form, target in tried:
        if not folded.startswith(form):
            continue
        if len(form) == len(folded):
            return (target,)
        left = tuple(o for o in options if o.removeprefix(KEPT) != target.removeprefix(KEPT))
        rest = segments(folded[len(form) :], left, own=False)
        if rest:
            return (target, *rest)
    return ()


def whole_forms(folded: str, norm: str) -> list[str]:
    """The beginning of the letters that is this component, umlauts written out or not."""
    sizes = range(min(len(norm) + 3, len(folded)), len(norm) - 1, -1)
    return [folded[:size] for size in sizes if lists.name_norm(folded[:size]) == norm]


def initials(folded: str, options: Sequence[str]) -> tuple[str, ...]:
    """Letters that are the initials of neighbouring components: hp of Hans-Peter."""
    parts = [option for option in options if not option.startswith(KEPT)]
    for first in range(len(parts) - len(folded) + 1):
        some = parts[first : first + len(folded)]
        if [part[0] for part in some] == list(folded):
            return tuple(some)
    return ()
