"""Python's own literals (what `repr` and `pprint` write) said again as strict JSON."""

from __future__ import annotations

import ast
import json
import math
import re
import warnings

# Words of Python and JavaScript -> (JSON, code of the note).
WORDS: dict[str, tuple[str, str]] = {
    "true": ("true", ""),
    "false": ("false", ""),
    "null": ("null", ""),
    "True": ("true", "python-literals"),
    "False": ("false", "python-literals"),
    "None": ("null", "python-literals"),
    "undefined": ("null", "undefined"),
    "NaN": ("null", "nan"),
    "nan": ("null", "nan"),
    "Infinity": ("null", "nan"),
    "-Infinity": ("null", "nan"),
    "inf": ("null", "nan"),
    "-inf": ("null", "nan"),
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_LITERAL = r"""[uUrR]?(?:"(?>[^"\\\n]|\\.)*+"|'(?>[^'\\\n]|\\.)*+')"""
# `pprint` breaks a long string into several, each on a line of its own.
_LITERALS = re.compile(rf"{_LITERAL}(?>[ \t]*\n\s*{_LITERAL})*+")
# Escapes that Python does not know and would leave as they are, where JSON means something.
_NOT_PYTHON = re.compile(r"\\[^\\'\"abfnrtvxuUN0-7\n]")


class Unfit(Exception):
    """A reading does not fit the text. Ends that reading, no user sees it."""


def quoted(text: str) -> str:
    """Write `text` as a JSON string: non-ASCII as it is, lone surrogates escaped."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    literal = json.dumps(joined, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", literal)


def from_python(text: str) -> tuple[str, set[str]]:
    """Strict JSON for a text of Python literals, and codes of what was mended. Raises Unfit."""
    if _NOT_PYTHON.search(text.replace("\\\\", "")):
        raise Unfit
    source = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix(",")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they quote the source
            tree = ast.parse(source, mode="eval")
        return _Literals(source.encode().split(b"\n")).shown(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unfit from None


class _Literals:
    """Says a tree of Python literals again as JSON, all of several equal keys."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.notes: set[str] = set()

    def shown(self, node: ast.expr) -> tuple[str, set[str]]:
        return self._shown(node), self.notes

    def _shown(self, node: ast.expr) -> str:
        match node:
            case ast.Dict():
                pairs = zip(node.keys, node.values, strict=True)
                shown = ", ".join(f"{self._key(key)}: {self._shown(item)}" for key, item in pairs)
                return f"{{{shown}}}"
            case ast.List() | ast.Tuple():
                return f"[{', '.join(map(self._shown, node.elts))}]"
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() | ast.Name() as operand):
                return self._scalar(operand, "-")
            case ast.Constant() | ast.Name():
                return self._scalar(node, "")
        raise Unfit

    def _scalar(self, node: ast.Constant | ast.Name, sign: str) -> str:
        value = node.id if isinstance(node, ast.Name) else node.value
        if isinstance(value, str) and isinstance(node, ast.Constant) and not sign:
            return self._text(node)
        if isinstance(value, int | float) and not isinstance(value, bool):
            infinite = isinstance(value, float) and math.isinf(value)
            return self._word("inf") if infinite else f"{sign}{value!r}"
        return self._word(sign + str(value))

    def _key(self, node: ast.expr | None) -> str:
        match node:
            case ast.Constant(value=str()):
                return self._text(node)
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                return quoted(str(value))
        raise Unfit

    def _text(self, node: ast.Constant) -> str:
        """Say a string, unless it is several that Python joins: 'so '' called' would lose quotes."""
        source = self._source(node)
        if _LITERALS.fullmatch(source) is None:
            raise Unfit
        self.notes |= {"single-quotes"} if source.endswith("'") else set()
        return quoted(str(node.value))

    def _source(self, node: ast.Constant) -> str:
        """Return the text of a node; its columns count bytes."""
        last = node.end_lineno or node.lineno
        lines = self.lines[node.lineno - 1 : last]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines).decode()

    def _word(self, word: str) -> str:
        if word not in WORDS:
            raise Unfit
        shown, note = WORDS[word]
        self.notes |= {note} if note else set()
        return shown
