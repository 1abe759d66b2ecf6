"""How an address or place is read: tokens, towns, regions and countries, by their place in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from scrubbers.surrogates import areas
from scrubbers.surrogates.areas import Town
from scrubbers.surrogates.people import WORD
from scrubbers.surrogates.placewords import COUNTRIES, COUNTRY_CODES, STREET_ENDS, STREET_WORDS
from scrubbers.surrogates.postcodes import codes, digit_area
from scrubbers.surrogates.text import APOSTROPHES, fold, like
from scrubbers.surrogates.unit import Piece, Slot
from scrubbers.surrogates.words import PARTICLES

TOKEN = re.compile(f"[^\\W_ºª]*\\d[^\\W_ºª]*|(?![ºª]){WORD.pattern}(?![^\\W_])")
JOINT = re.compile(r"\.?(?:-|[ \t\u00a0]+)|[.'’]")  # between words of one name
BESIDE = re.compile(r"[ \t\u00a0]+")
NEAR = re.compile(r"[\s,./(–-]*")  # between town, region and postcode
# A word with one digit misread in it (B1umenstr), which other digits may stand for as well.
ONE_DIGIT = re.compile(r"(?=.*[^\W\d_]{3})[^\W\d_]+(?:\d[^\W\d_]+)+")
TWO_CAPITALS = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class Token:
    """`kind`: "code" (a postcode), "number", "mixed" or "word". `area`: of a postcode."""

    start: int
    end: int
    text: str
    kind: str
    area: str = ""
    pieces: tuple[Piece, ...] = ()
    lettered: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens first..last (inclusive) that are one thing: `piece` is what stands for them."""

    first: int
    last: int
    start: int
    piece: Piece


@cache
def generic_words() -> frozenset[str]:
    """The words of addresses that stay, in normal form."""
    return frozenset(map(fold, STREET_WORDS | PARTICLES | set(STREET_ENDS)))


@cache
def street_words() -> frozenset[str]:
    """The kinds of streets and parts of buildings."""
    return frozenset(map(fold, STREET_WORDS))


@cache
def countries() -> frozenset[str]:
    """The countries as phrases."""
    return frozenset(map(areas.phrase, COUNTRIES))


# --- tokens ---------------------------------------------------------------------------------


def tokens(text: str, *, keep_area: bool) -> list[Token]:
    """Postcodes that their form shows, then numbers, words and mixed tokens between them."""
    found: list[Token] = []
    end = 0
    for code in codes(text, generic_words(), keep_area=keep_area):
        found += plain_tokens(text, end, code.start)
        shown = text[code.start : code.end]
        found.append(
            Token(code.start, code.end, shown, "code", code.area, code.pieces, code.lettered)
        )
        end = code.end
    return [*found, *plain_tokens(text, end, len(text))]


def plain_tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens between two postcodes; digits alone may be a postcode by their number."""
    for match in TOKEN.finditer(text, start, end):
        kind, area = "word", ""
        if match[0].isdecimal():
            kind, area = "number", digit_area(match[0])
        elif re.search(r"\d", match[0]) and not ONE_DIGIT.fullmatch(match[0]):
            kind = "mixed"
        yield Token(*match.span(), match[0], kind, area)


def gap(text: str, found: Sequence[Token], left: int) -> str:
    """What stands between a token and the next."""
    return text[found[left].end : found[left + 1].start]


# --- towns, regions, countries --------------------------------------------------------------


def parts(text: str, found: Sequence[Token], *, keep_area: bool) -> dict[int, Part]:
    """Index of the first token -> what is one thing: known towns, their regions, countries."""
    made: dict[int, Part] = {}
    reader = Reader(text, found, keep_area)
    before: tuple[int, Town] | None = None  # the last town and the token behind it
    for first, last in runs(text, found):
        towards = before[1] if before and before[0] == first else None
        here = list(reader.run(first, last, towards))
        made.update((part.first, part) for part, _ in here)
        known = [(part.last + 1, town) for part, town in here if town]
        before = known[-1] if known else None
    return made


def runs(text: str, found: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """First and last index of words that stand together, as the words of one name do."""
    first = -1
    for index, token in enumerate(found):
        if token.kind != "word":
            first = -1
            continue
        first = index if first < 0 else first
        following = found[index + 1].kind if index + 1 < len(found) else ""
        if following != "word" or not JOINT.fullmatch(gap(text, found, index)):
            yield first, index
            first = -1


@dataclass(frozen=True, slots=True)
class Reader:
    """One value: its text and tokens, and whether areas stay."""

    text: str
    found: Sequence[Token]
    keep_area: bool

    def run(self, first: int, last: int, before: Town | None) -> Iterator[tuple[Part, Town | None]]:
        """The parts of one run of words. `before`: the town that stands just before it."""
        if self.phrase(first, last) in countries() or self.is_country_code(first, last):
            shown = self.text[self.found[first].start : self.found[last].end]
            yield Part(first, last, self.found[first].start, shown), None
            return
        for cut in (self.region_start(first, last, before), last + 1):
            town = self.town(first, cut - 1, last) if cut > first else None
            piece = self.region(cut, last, town[1] if town else before) if cut <= last else None
            if cut <= last and piece is None:
                continue
            if town:
                yield self.town_part(town[0], cut - 1, town[1]), town[1]
            if piece is not None:
                yield Part(cut, last, self.found[cut].start, piece), None
            return

    def phrase(self, first: int, last: int) -> str:
        """The normal form of some tokens."""
        return " ".join(fold(token.text) for token in self.found[first : last + 1])

    def is_country_code(self, first: int, last: int) -> bool:
        """The CH of CH-8001."""
        return (
            first == last
            and last + 1 < len(self.found)
            and self.found[first].text in COUNTRY_CODES
            and bool(self.found[last + 1].area)
            and gap(self.text, self.found, last) == "-"
        )

    # --- towns

    def town(self, first: int, last: int, run_last: int) -> tuple[int, Town] | None:
        """(first token, town) where the words are a known town, and not a street of its name.

        Words beside a house number are a street ("Lincoln 12"), unless a region or a postcode
        follows. Before those a town may stand behind the word for a street ("Elm St Dallas TX").
        """
        whole = areas.town_of(self.phrase(first, last))
        led = run_last > last or self.before_code(run_last)
        if whole:
            return None if self.beside_number(first, run_last) and not led else (first, whole)
        if not led or (run_last == last and not self.before_lettered(run_last)):
            return None
        for start in range(max(first + 1, last + 1 - areas.longest_town()), last + 1):
            known = areas.town_of(self.phrase(start, last))
            if known and fold(self.found[start - 1].text) in street_words():
                return start, known
        return None

    def beside_number(self, first: int, last: int) -> bool:
        """Whether a number that is no postcode touches the run."""
        before = first > 0 and BESIDE.fullmatch(gap(self.text, self.found, first - 1))
        after = last + 1 < len(self.found) and BESIDE.fullmatch(gap(self.text, self.found, last))
        return bool(
            (before and is_number(self.found[first - 1]))
            or (after and is_number(self.found[last + 1]))
        )

    def before_code(self, last: int) -> bool:
        """Whether a postcode follows."""
        return (
            last + 1 < len(self.found)
            and bool(self.found[last + 1].area)
            and bool(NEAR.fullmatch(gap(self.text, self.found, last)))
        )

    def before_lettered(self, last: int) -> bool:
        """Whether a postcode with letters follows, which stands behind its town."""
        return self.before_code(last) and self.found[last + 1].lettered

    def town_part(self, first: int, last: int, town: Town) -> Part:
        """A known town, written as the town of the surrogate area."""
        start, end = self.found[first].start, self.found[last].end
        if self.found[first].text in ("s", "S") and self.text[start - 1 : start] in tuple(
            APOSTROPHES
        ):
            start -= 1
        core = self.text[start:end]
        if self.keep_area:
            return Part(first, last, start, core)
        slot = Slot(
            (areas.area_unit(town.area),),
            lambda norms: like(core, areas.name_of(town.country, norms[0])),
        )
        return Part(first, last, start, slot)

    # --- regions

    def region_start(self, first: int, last: int, before: Town | None) -> int:
        """The token where a region at the end of a run begins; last + 1 where none is."""
        if TWO_CAPITALS.fullmatch(self.found[last].text) or self.behind_town(first, last, before):
            return last
        for start in range(max(first, last - 2), last + 1):
            if self.phrase(start, last) not in areas.regions("MX"):
                continue
            town = areas.town_of(self.phrase(first, start - 1)) if start > first else before
            if (town and town.country == "MX") or (start == first and self.some_area("5", start)):
                return start
        return last + 1

    def behind_town(self, first: int, last: int, before: Town | None) -> bool:
        """Whether the last word is a region of the town before it, in small letters too."""
        town = areas.town_of(self.phrase(first, last - 1)) if last > first else before
        word = self.phrase(last, last)
        return town is not None and len(word) == 2 and word in areas.regions(town.country)

    def region(self, first: int, last: int, town: Town | None) -> Piece | None:
        """What stands for a region: that of the postcode's or town's area, or another one."""
        start, end = self.found[first].start, self.found[last].end
        core, words = self.text[start:end], self.phrase(first, last)
        alone = last + 1 == len(self.found) and words not in generic_words()
        lone = areas.lone_regions().get(core, "") if alone else ""
        told = self.region_area(first, last, words, town)
        told = told or (self.near(first, town) if lone else None)
        if self.keep_area and (told or lone):
            return core
        if not told:
            return Slot((areas.region_unit(core),), lambda norms: norms[0]) if lone else None
        unit, kept = areas.area_unit(told[1]), generic_words()
        return Slot((unit,), lambda norms: areas.shown_region(core, told[0], norms[0], kept))

    def near(self, first: int, town: Town | None) -> tuple[str, str] | None:
        """(country or "", area) of what is around a region of elsewhere: MA is of Brazil too."""
        for country in ("CA", "BR"):
            if area := self.some_area(country, len(self.found)):
                return country, area
        area = self.some_area("5", first) or (town.area if town else "")
        return ("", area) if area.startswith("5 ") else None

    def region_area(
        self, first: int, last: int, words: str, town: Town | None
    ) -> tuple[str, str] | None:
        """(country, area) of a region: from the postcode beside it, or from its town."""
        following = self.found[last + 1].area if self.before_code(last) else ""
        if following.startswith("5 ") and words in areas.regions("US"):
            return "US", following
        for country in ("CA", "BR"):
            if words in areas.regions(country) and (
                area := self.some_area(country, len(self.found))
            ):
                return country, area
        if town and words in areas.regions(town.country):
            return town.country, town.area
        earlier = self.some_area("5", first)
        for country in ("IT", "MX"):
            if earlier and words in areas.regions(country):
                return country, earlier
        return None

    def some_area(self, plan: str, end: int) -> str:
        """The area of the last postcode of a plan before a token."""
        found = (token.area for token in reversed(self.found[:end]))
        return next((area for area in found if area.startswith(f"{plan} ")), "")


def is_number(token: Token) -> bool:
    """Digits that are no postcode."""
    return token.kind in ("number", "mixed") and not token.area
