"""Where records begin and end in a stream of text: lines, arrays, values one after the other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.recover import MAX_REPAIR, repair
from pipeline.sources import true_text
from pipeline.window import Window, loose_length, skip_value, strict_length, value_length

if TYPE_CHECKING:
    from collections.abc import Iterator

_PEEK = 4 * 1024 * 1024  # code points of a first line that is read to tell an array from a list
_SPACE = re.compile(r"[ \t\r\n\ufeff]*+")
_LINE_TAIL = re.compile(r"([ \t]*+)(,?)[ \t]*+(?:(\r?\n)|(\r?\Z))?")
_ARRAY_TAIL = re.compile(r"[ \t\r\n]*+([,\]{\[]?)")
_ARRAY_GOES_ON = re.compile(r"[ \t\r\n]*+[,\]]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A record's strict JSON text, or the reason why there is none.

    `exact`: the text is the input's, but for its encoding.
    """

    line: int
    text: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()
    exact: bool = True
    eol: str = ""


@dataclass(slots=True)
class _State:
    """What the reading of one file remembers between records."""

    mode: str = "lines"  # "array": inside one; "after": behind one
    lead: str = ""  # what stands before the value on its line
    fresh: bool = True  # the value is the first on its line
    pretty: bool = True  # the last record, if any, took several lines
    sound: bool = True  # the last piece was a record
    comments: bool = False


def pieces(window: Window) -> Iterator[Piece]:
    """All records of a text in order, and a piece with a reason for each that is lost."""
    state = _State()
    if _skip_space(window, state) and _opens_array(window):
        window.advance(1)
        state.mode = "array"
    while _skip_space(window, state):
        if _punctuation(window, state):
            continue
        piece = _piece(window, state)
        state.sound = not piece.reason
        if state.comments:
            piece = replace(piece, notes=(*piece.notes, "comment-lines"))
            state.comments = False
        yield piece
    if state.mode == "array" and state.sound:
        yield Piece(window.line, reason="unclosed-array")


def _skip_space(window: Window, state: _State) -> bool:
    """Go to the next value; False at the end of the text."""
    while True:
        found = _SPACE.match(window.text, window.at)
        space = found.group() if found else ""
        window.advance(len(space))
        if "\n" in space or "\ufeff" in space:
            state.fresh = state.fresh or "\n" in space
            state.lead = ""
        state.lead += re.split("[\n\ufeff]", space)[-1]
        if window.size():
            return True
        if window.ended:
            return False
        window.more()


def _opens_array(window: Window) -> bool:
    """Whether the text is one array of records, rather than lines that are lists themselves."""
    if not window.text.startswith("[", window.at):
        return False
    while (end := window.text.find("\n", window.at)) < 0 and not window.ended:
        if window.size() > _PEEK:
            return True
        window.more()
    if end < 0:
        return True
    line = window.text[window.at : end].rstrip()
    if strict_length(line) != len(line):
        return True
    while not window.text[end:].strip() and not window.ended:
        window.more()
        end = window.text.find("\n", window.at)
    return not window.text[end:].strip()


def _punctuation(window: Window, state: _State) -> bool:
    """Pass what stands between records: commas, the brackets of the array, comment lines."""
    char = window.text[window.at]
    if char == "," or (char == "]" and state.mode == "array"):
        window.advance(1)
        state.mode = "after" if char == "]" else state.mode
        return True
    if char == "[" and state.mode == "after":
        window.advance(1)
        state.mode = "array"
        return True
    if char == "/" and window.size() < 2:
        window.more()
    if char == "#" or window.text.startswith("//", window.at):
        window.skip_line()
        state.comments = True
        return True
    return False


def _piece(window: Window, state: _State) -> Piece:
    line = window.line
    length = value_length(window)
    if isinstance(length, int):
        piece = _whole(window, state, length)
        if piece is not None:
            return piece
    elif length == "too-long":
        skip_value(window)
        return Piece(line, reason="too-long")
    elif length == "truncated" and (state.pretty or state.mode == "array"):
        # All that follows would be inside this value, so no other record can be in it.
        window.advance(window.size())
        return Piece(line, reason="truncated")
    return _broken(window, state)


def _whole(window: Window, state: _State, length: int) -> Piece | None:
    """Take the strict value of that length, unless what follows shows that it is but a part."""
    tail = _tail(window, state, length)
    if tail is None:
        return None
    spaces, note, eol = tail
    line = window.line
    text = window.text[window.at : window.at + length]
    notes: tuple[str, ...] = (note,) if note else ()
    if state.mode == "array":
        notes += ("array",)
    elif not state.fresh and "several-per-line" not in notes:
        notes += ("several-per-line",)
    if state.mode != "array":
        state.pretty = "\n" in text
        notes += ("pretty-printed",) if state.pretty else ()
        if state.fresh and eol is not None:
            text = state.lead + text + spaces
    window.advance(length)
    state.fresh, state.lead = False, ""
    return _settled(Piece(line, text, notes=notes, eol=eol or ""))


def _tail(window: Window, state: _State, length: int) -> tuple[str, str, str | None] | None:
    """Tell what follows a value: spaces that belong to its line, a note, the line's end.

    The end is None where the line goes on; the whole is None where nothing may follow so.
    """
    pattern = _ARRAY_TAIL if state.mode == "array" else _LINE_TAIL
    while True:
        tail = pattern.match(window.text, window.at + length)
        # Two, because a carriage return alone does not show yet whether the line ends.
        if tail is None or tail.end() + 2 <= len(window.text) or window.ended:
            break
        window.more()
    if tail is None:
        return None
    if state.mode == "array":
        sign = tail.group(1)
        if not sign and tail.end() < len(window.text):
            return None
        return "", "missing-comma" if sign and sign in "{[" else "", None
    spaces, comma, eol, end = tail.groups()
    if eol is not None or end is not None:
        return ("", "trailing-comma", eol or "") if comma else (spaces, "", eol or "")
    opens = window.text[tail.end()] in "{[" and window.text[window.at] in "{["
    return ("", "several-per-line", None) if opens else None


def _settled(piece: Piece) -> Piece:
    """Settle the bytes that were no UTF-8."""
    settled = true_text(piece.text)
    if settled is None:
        return Piece(piece.line, reason="encoding", eol=piece.eol)
    text, notes = settled
    return replace(piece, text=text, notes=piece.notes + notes, exact=piece.exact and not notes)


def _broken(window: Window, state: _State) -> Piece:
    """Repair what starts here, as far as its brackets reach or to the end of its line."""
    line = window.line
    start = window.text[window.at]
    loose = loose_length(window, MAX_REPAIR) if start in "{[\"'" else None
    whole = None
    if loose is not None and _tail(window, state, loose) is not None:
        whole = loose
    to_line_end = window.line_length()
    for length in sorted({length for length in (whole, to_line_end) if length is not None}):
        piece = _repaired(window, state, length) if start in "{[\"'" else None
        if piece is not None:
            window.advance(length)
            state.fresh, state.lead = False, ""
            return piece
    reason = _reason(window, state, to_line_end)
    if whole is not None and not _resumes(window, state, to_line_end):
        window.advance(whole)
    else:
        window.skip_line()
    return Piece(line, reason=reason)


def _resumes(window: Window, state: _State, to_line_end: int | None) -> bool:
    """Whether the reading goes on at the next line, rather than behind the brackets' end."""
    if to_line_end is None:
        return False
    end = window.at + to_line_end
    opens = window.text[window.at : end].rstrip().endswith(tuple("{[:"))
    if state.mode == "lines" or opens:
        return not opens
    following = _SPACE.match(window.text, end)
    at = following.end() if following else end
    length = (
        strict_length(window.text, at) if window.text.startswith(("{", "["), at) else "not-json"
    )
    return isinstance(length, int) and _ARRAY_GOES_ON.match(window.text, at + length) is not None


def _reason(window: Window, state: _State, to_line_end: int | None) -> str:
    if to_line_end is None:
        return "too-long"
    if state.mode == "array":
        return "broken-array"
    length = strict_length(window.text[window.at : window.at + to_line_end])
    return "not-json" if isinstance(length, int) else length


def _repaired(window: Window, state: _State, length: int) -> Piece | None:
    broken = window.text[window.at : window.at + length]
    settled = _settled(Piece(window.line, broken))
    fixed = None if settled.reason else repair(settled.text)
    if fixed is None:
        return None
    text, notes = fixed
    notes += settled.notes + (("array",) if state.mode == "array" else ())
    eol = "\r\n" if broken.endswith("\r") else ""
    return Piece(window.line, text, notes=notes, exact=False, eol=eol)
