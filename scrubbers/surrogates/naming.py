"""Drawing names: from the lists, then made of the letters that follow each other in them."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase

from scrubbers.surrogates import lists
from scrubbers.surrogates.hostwords import PATH_WORDS
from scrubbers.surrogates.people import WORD, split_han, split_handle
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import APOSTROPHES, fold, fold_name
from scrubbers.surrogates.words import COMMON, PARTICLES, ROLES, TITLES

LIST_TRIES = 4
LONGEST, SHORTEST = 11, 4


def draw_name(details: str, stream: Stream, counter: int) -> str:
    """A name of the kind, language and gender: from the lists, later made of their letters."""
    kind, language, gender = details.split(":")
    options = choices(kind, language, gender)
    if options and counter < LIST_TRIES:
        return stream.pick(options)
    return made_up(language, stream)


@lru_cache(maxsize=512)
def choices(kind: str, language: str, gender: str) -> tuple[str, ...]:
    """The names that may be drawn, sorted."""
    source = lists.book(language).given if kind == "given" else lists.book(language).surname
    wanted = (
        source.get(gender, {}) if kind == "given" else {**source["x"], **source.get(gender, {})}
    )
    if gender == "x":
        wanted = {norm: shown for part in source.values() for norm, shown in part.items()}
    return tuple(
        sorted(
            norm
            for norm in wanted
            if usable(norm)
            and usable(fold(wanted[norm]))
            and stands_alone(norm)
            and fold_name(lists.display(norm, language)) == norm
        )
    )


def usable(norm: str) -> bool:
    """Whether a component may stand as a surrogate: no common word, no title, not too short."""
    shortest = 3 if norm.isascii() or norm < "\u0e00" else 1
    taken = (COMMON, TITLES, PARTICLES, ROLES, PATH_WORDS)
    return len(norm) >= shortest and not any(norm in words for words in taken)


def stands_alone(norm: str) -> bool:
    """Whether a name is read back as one component wherever it is written."""
    if fold_name(norm) != norm or not WORD.fullmatch(norm) or any(c in APOSTROPHES for c in norm):
        return False
    return lists.is_known(norm) or (
        split_handle(norm) == ("", [norm]) and not split_han(norm)
        and not (norm.endswith("s") and lists.is_known(norm[:-1]))
    )  # fmt: skip


@lru_cache(maxsize=64)
def successors(language: str) -> dict[str, str]:
    """Pair of letters -> the letters that follow it in the language's names, "$" for the end."""
    found: dict[str, list[str]] = {}
    for norm in sorted(lists.written()[language]):
        padded = f"^^{norm}$"
        for i in range(len(padded) - 2):
            found.setdefault(padded[i : i + 2], []).append(padded[i + 2])
    return {pair: "".join(letters) for pair, letters in found.items()}


@lru_cache(maxsize=64)
def characters(language: str) -> str:
    """The characters of the names of an East Asian language."""
    return "".join(sorted({c for norm in lists.written()[language] for c in norm}))


def made_up(language: str, stream: Stream) -> str:
    """A plausible name that is in no list."""
    for _ in range(1000):
        norm = wander(language, stream)
        if not lists.is_known(norm) and usable(norm) and stands_alone(norm):
            return norm
    raise LookupError(f"no made-up name for {language}: its lists are empty")


def wander(language: str, stream: Stream) -> str:
    """Letters that follow each other as in the lists; two or three characters in East Asia."""
    if language in ("zh", "ja", "ko", "kana"):
        pool = characters(language)
        return "".join(stream.pick(pool) for _ in range(2 + stream.below(2)))
    follow = successors(language)
    norm, pair = "", "^^"
    while len(norm) <= LONGEST:
        letter = stream.pick(follow[pair])
        if letter == "$":
            if len(norm) >= SHORTEST:
                return norm
            norm, pair = "", "^^"
            continue
        norm, pair = norm + letter, pair[1] + letter
    return ""


def draw_initial(details: str, stream: Stream) -> str:
    """One letter of the alphabet that the details name."""
    return stream.pick(ALPHABETS.get(details, ALPHABETS["latin"]))


# Accents off, as in normal forms.
ALPHABETS = {
    "latin": "".join(c for c in ascii_lowercase if c not in PARTICLES),
    "link": "".join(c for c in ascii_lowercase if c in PARTICLES),
    "ru": "абвгдежзиклмнопрстуфхцчшщъыьэюя", "uk": "абвгґдеєжзиіклмнопрстуфхцчшщьюя",
    "el": "αβγδεζηθικλμνξοπρστυφχψω", "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "he": "אבגדהוזחטיכלמנסעפצקרשת", "hy": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ",
    "ka": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
}  # fmt: skip
