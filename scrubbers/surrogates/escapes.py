r"""Values that stand escaped in running text: %40, &#64;, &amp;, \u00f1, \" and doubled backslashes."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html.entities import codepoint2name
from itertools import accumulate, pairwise

from scrubbers.surrogates.readings import Reading
from scrubbers.surrogates.unit import Unwritable

MAY_ESCAPE = re.compile(r"[%&\\]")
LAYERS = 4
HEX = "[0-9A-Fa-f]"
PERCENT = re.compile(f"(?:%{HEX}{{2}})+")
ENTITY = re.compile(f"&(?:#[0-9]{{1,7}}|#[xX]{HEX}{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,30}});")
PAIR = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
BACKSLASH = re.compile(rf"{PAIR}|\\u{HEX}{{4}}|\\x{HEX}{{2}}|\\[\"'\\/]")
# In these a backslash before a letter is no escape: CORP\nora, and passwords.
RAW_TYPES = frozenset(("USERNAME", "PASSWORD", "SECRET", "URL", "EMAIL_ADDRESS"))
DOMAIN_NUMBER = re.compile(r"[\w.-]+\\{1,2}u\d{5,}")  # CORP\u0041902 is a user, not an A
DOUBLED = re.compile(r"\\\\")
BLANK = re.compile(r"\\[nrt]")
BLANKS = {"\\n": "\n", "\\r": "\r", "\\t": "\t"}
STOPGAP = "~"  # for a sign that would begin an escape by chance


@dataclass(frozen=True, slots=True)
class Layer:
    """One kind of escaping as it stood in a text: its decoded characters, each with its source."""

    sign: str
    chars: tuple[tuple[str, str], ...]  # (character, how it was written)

    @property
    def plain(self) -> str:
        """The text below the layer."""
        return "".join(char for char, _ in self.chars)


def reading(text: str, entity: str = "") -> Reading | None:
    """The text without escapes; None if it has no sign that could begin one."""
    if not MAY_ESCAPE.search(text):
        return None
    layers = peel(text, entity)
    plain = layers[-1].plain if layers else text

    def write(new: str) -> str:
        for exact in (True, False):
            written = wrap(new, layers, exact=exact)
            if unescaped(written, entity) == new:
                return written
        return quieted(new, layers, entity)

    return Reading(plain, write)


def peel(text: str, entity: str) -> list[Layer]:
    """The layers of escaping, outermost first."""
    found: list[Layer] = []
    while len(found) < LAYERS:
        layer = next(filter(None, (kind(text, entity) for kind in KINDS)), None)
        if layer is None:
            break
        found.append(layer)
        text = layer.plain
    return found


def unescaped(text: str, entity: str) -> str:
    """The text without escapes."""
    layers = peel(text, entity)
    return layers[-1].plain if layers else text


def wrap(new: str, layers: Sequence[Layer], *, exact: bool) -> str:
    """The layers put on again, innermost first."""
    for layer in reversed(layers):
        new = "".join(escaped(new, layer, exact=exact))
    return new


def quieted(new: str, layers: Sequence[Layer], entity: str) -> str:
    """Written with another sign where a new letter or digit made an escape of what was none."""
    for sign in "%&\\":
        new = new.replace(sign, STOPGAP)
        written = wrap(new, layers, exact=False)
        if unescaped(written, entity) == new:
            return written
    raise Unwritable("an escaped value that cannot be written back: quarantine the record")


# --- the kinds ------------------------------------------------------------------------------


def split(text: str, pattern: re.Pattern[str], decode: Callable[[str], str]) -> Layer | None:
    """A text as a layer, None if nothing in it is escaped."""
    chars: list[tuple[str, str]] = []
    end, sign = 0, ""
    for match in pattern.finditer(text):
        plain = decode(match[0])
        if not plain:
            continue
        chars += ((char, char) for char in text[end : match.start()])
        chars += zip(plain, spread(plain, match[0]), strict=True)
        end, sign = match.end(), match[0][0]
    return Layer(sign, (*chars, *((char, char) for char in text[end:]))) if sign else None


def spread(plain: str, source: str) -> list[str]:
    """The escape of each character; several stand for one run of percent escapes."""
    if len(plain) == 1:
        return [source]
    ends = list(accumulate((3 * len(char.encode()) for char in plain), initial=0))
    return [source[start:end] for start, end in pairwise(ends)]


def percent(text: str, _: str) -> Layer | None:
    """%40, of UTF-8; what is no text stays."""
    return split(text, PERCENT, from_percent)


def from_percent(source: str) -> str:
    """The text of percent escapes, "" if they are none of readable UTF-8."""
    try:
        plain = bytes.fromhex(source.replace("%", "")).decode()
    except UnicodeDecodeError:
        return ""
    return plain if readable(plain) else ""


def entities(text: str, _: str) -> Layer | None:
    """&#64;, &#x40;, &commat; and &amp;."""
    return split(text, ENTITY, from_entity)


def from_entity(source: str) -> str:
    """The character of an HTML entity, "" if there is none."""
    plain = html.unescape(source)
    return plain if len(plain) == 1 and plain != source and readable(plain) else ""


def backslashes(text: str, entity: str) -> Layer | None:
    r"""\u00f1, \xf1, \", \\ and, where no backslash belongs, \n."""
    pattern = DOUBLED if entity == "USERNAME" and DOMAIN_NUMBER.fullmatch(text) else BACKSLASH
    layer = split(text, pattern, from_backslash)
    return layer or (None if entity in RAW_TYPES else split(text, BLANK, BLANKS.__getitem__))


def from_backslash(source: str) -> str:
    """The character of a backslash escape, "" if it is not readable."""
    if source[1] not in "ux":
        return source[1]
    units = [int(part, 16) for part in re.split(r"\\[ux]", source)[1:]]
    data = b"".join(unit.to_bytes(2, "big") for unit in units)
    plain = data.decode("utf-16-be", errors="replace")
    return plain if readable(plain) and "\ufffd" not in plain else ""


def readable(plain: str) -> bool:
    """Whether decoded text is text: line ends and the signs of layout count."""
    return all(
        char.isprintable() or char in "\n\r\t\u00a0\u00ad\u200b\u200c\u200d\u202f\ufeff"
        for char in plain
    )


KINDS: tuple[Callable[[str, str], Layer | None], ...] = (backslashes, entities, percent)


# --- putting a layer on ---------------------------------------------------------------------


def escaped(new: str, layer: Layer, *, exact: bool) -> Iterator[str]:
    """The characters of a text, each escaped or not as it was in the layer.

    A character that stood escaped and bare is written place by place, if it comes as often. One
    that is new follows the others: beyond ASCII escaped if those were. `exact` trusts the places;
    else all that ever was escaped is.
    """
    sources: dict[str, list[str]] = {}
    for char, source in layer.chars:
        sources.setdefault(char, []).append(source)
    seen: dict[str, int] = {}
    foreign = [source for char, source in layer.chars if not char.isascii() and source != char]
    for char in new:
        place = seen[char] = seen.get(char, -1) + 1
        known = [] if char.isascii() and char.isalnum() else sources.get(char, [])
        changed = [source for source in known if source != char]
        if exact and len(known) == new.count(char):
            yield known[place]
        elif changed and (not exact or len(changed) == len(known)):
            yield changed[0]
        elif (foreign and not char.isascii() and not known) or (not exact and char == layer.sign):
            yield escape(char, layer.sign, foreign[0] if foreign else "")
        else:
            yield char


def escape(char: str, sign: str, example: str) -> str:
    """One character in a kind of escaping, like the example."""
    upper = any(c.isupper() for c in example[2:])
    if sign == "%":
        return "".join(f"%{byte:02X}" for byte in char.encode())
    if sign == "&":
        name = codepoint2name.get(ord(char))
        if name and (char == "&" or (example and example[1] != "#")):
            return f"&{name};"
        return f"&#x{ord(char):x};" if example[:3].lower() == "&#x" else f"&#{ord(char)};"
    if char == "\\":
        return "\\\\"
    units = re.findall("....", char.encode("utf-16-be").hex())
    return "".join(f"\\u{unit.upper() if upper else unit}" for unit in units)
