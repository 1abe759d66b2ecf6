"""Drawing names: from the lists, then made of the letters that follow each other in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from string import ascii_lowercase

from scrubbers.surrogates import lists
from scrubbers.surrogates.components import MOST_CHARACTERS, SIZES, split_han
from scrubbers.surrogates.handles import split_camel, split_handle
from scrubbers.surrogates.hostwords import PATH_WORDS
from scrubbers.surrogates.people import HONORIFIC, WORD
from scrubbers.surrogates.slavic import is_adjectival
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import APOSTROPHES, fold
from scrubbers.surrogates.words import CODE_WORDS, COMMON, DIGRAPHS, PARTICLES, ROLES, TITLES

TAKEN = COMMON | TITLES | PARTICLES | ROLES | PATH_WORDS | CODE_WORDS | set(DIGRAPHS)
LIST_TRIES = 4
LONGEST, SHORTEST = 11, 4
FEWEST = 24  # names to draw from; where a size has fewer, its neighbours help out
FEWEST_CHARACTERS = 8
ADJECTIVAL = {"ru": "ов", "uk": "ськии"}  # others: ski


def draw_name(details: str, stream: Stream, counter: int) -> str:
    """A name of the kind, language, gender and size: from the lists, later made of their letters."""
    kind, language, gender, size = details.split(":")
    options = choices(kind, language, gender, size)
    if options and counter < LIST_TRIES:
        return stream.pick(options)
    return made_up(language, stream, size, gender, counter)


@lru_cache(maxsize=1024)
def choices(kind: str, language: str, gender: str, size: str = "") -> tuple[str, ...]:
    """The names that may be drawn, sorted."""
    if size:
        return sized(choices(kind, language, gender), size)
    wanted = source(kind, language, gender)
    return tuple(
        sorted(
            norm
            for norm in wanted
            if usable(norm)
            and usable(fold(wanted[norm]))
            and stands_alone(norm)
            and is_one(lists.display(norm, language), norm)
        )
    )


def is_one(shown: str, norm: str) -> bool:
    """Whether a written form is read back as one component: McLachlan, not VanDyke or O'Hara."""
    parted = any(char in APOSTROPHES for char in shown)  # in a mailbox
    return lists.name_norm(shown) == norm and not parted and len(split_camel(shown)) == 1


def source(kind: str, language: str, gender: str) -> dict[str, str]:
    """The lists of a kind: normal form -> written form."""
    if kind in ("given", "maybe"):
        given = lists.book(language).given
        return given.get(gender, {}) if gender != "x" else merged(given)
    surnames = lists.book(language).surname
    if gender in "fm":
        return {**surnames["x"], **surnames[gender]}
    adjectival = gender == "a"
    return {n: d for n, d in merged(surnames).items() if is_adjectival(n) == adjectival}


def merged(names: dict[str, dict[str, str]]) -> dict[str, str]:
    """Names of all genders."""
    return {norm: shown for part in names.values() for norm, shown in part.items()}


def sized(names: tuple[str, ...], size: str) -> tuple[str, ...]:
    """The names of a size, and those nearest to it where these are few."""
    if size.isdigit():
        low, high = bounds(size)
        exact = tuple(norm for norm in names if low <= len(norm) <= high)
        return exact if len(exact) >= FEWEST_CHARACTERS else ()
    fewest = FEWEST
    if len(names) <= fewest:
        return names
    low, high = bounds(size)
    away = [max(low - len(norm), len(norm) - high, 0) for norm in names]
    farthest = max(sorted(away)[fewest - 1], 0)
    return tuple(norm for norm, far in zip(names, away, strict=True) if far <= farthest)


def bounds(size: str) -> tuple[int, int]:
    """The shortest and longest norm of a size."""
    if size.isdigit():
        return int(size), int(size) if int(size) < MOST_CHARACTERS else LONGEST
    names = [name for _, name in SIZES]
    if size not in names:
        return SIZES[-1][0] + 1, LONGEST
    place = names.index(size)
    return (SIZES[place - 1][0] + 1 if place else SHORTEST - 1), SIZES[place][0]


def usable(norm: str) -> bool:
    """Whether a component may stand as a surrogate: no common word, no title, not too short."""
    shortest = 3 if norm.isascii() or norm < "\u0e00" else 1
    return len(norm) >= shortest and norm not in TAKEN


def stands_alone(norm: str) -> bool:
    """Whether a name is read back as one component wherever it is written."""
    if (
        lists.nominative(norm) != norm
        or HONORIFIC.search(norm)
        or not WORD.fullmatch(norm)
        or any(c in APOSTROPHES for c in norm)
    ):
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


def made_up(
    language: str, stream: Stream, size: str = "", gender: str = "x", counter: int = 0
) -> str:
    """A plausible name that is in no list, of the size as long as enough of them are left."""
    low, high = bounds(size) if size else (1, LONGEST)
    wider = counter // 12
    ending = ADJECTIVAL.get(language, "ski") if gender == "a" else ""
    high += len(ending)
    for _ in range(2000):
        norm = wander(language, stream, low, wider)
        norm = norm.rstrip("aeiouyаеиоуыя") + ending if ending else norm
        fits = low - wider <= len(norm) <= high + wider and is_adjectival(norm) == (gender == "a")
        if fits and not lists.is_known(norm) and usable(norm) and stands_alone(norm):
            return norm
    raise LookupError(f"no made-up name for {language}: its lists are empty")


def wander(language: str, stream: Stream, shortest: int = SHORTEST, wider: int = 0) -> str:
    """Letters that follow each other as in the lists; as many characters as asked for in East Asia."""
    if language in lists.CHARACTERS:
        pool = characters(language)
        return "".join(stream.pick(pool) for _ in range(shortest + stream.below(wider + 1)))
    follow, shortest = successors(language), max(shortest, SHORTEST)
    norm, pair = "", "^^"
    while len(norm) <= LONGEST:
        letter = stream.pick(follow[pair])
        if letter == "$":
            if len(norm) >= shortest:
                return norm
            norm, pair = "", "^^"
            continue
        norm, pair = norm + letter, pair[1] + letter
    return ""


def draw_initial(details: str, stream: Stream) -> str:
    """One letter of the alphabet that the details name."""
    return stream.pick(ALPHABETS.get(details, ALPHABETS["latin"]))


# Accents off, as in normal forms.
ALPHABETS: dict[str, Sequence[str]] = {
    "latin": "".join(c for c in ascii_lowercase if c not in PARTICLES),
    "link": "".join(c for c in ascii_lowercase if c in PARTICLES),
    "ru": "абвгдежзиклмнопрстуфхцчшщъыьэюя", "uk": "абвгґдеєжзиіклмнопрстуфхцчшщьюя",
    "el": "αβγδεζηθικλμνξοπρστυφχψω", "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "he": "אבגדהוזחטיכלמנסעפצקרשת", "hy": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ",
    "ka": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", "pair": DIGRAPHS,
}  # fmt: skip
