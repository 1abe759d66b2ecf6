"""YAML as people mean it: the core schema of YAML 1.2, bounded, without duplicate keys.

PyYAML follows YAML 1.1, where `off` and `no` are false, `2e-4` is text and `12:30` is 750. A gate
set to `off` and a learning rate of `2e-4` must mean what they say, so the resolvers are replaced.
Messages give line and column and never quote the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_BYTES = 1 << 20
MAX_NODES = 100_000  # with every alias written out: the guard against "billion laughs"
MAX_DEPTH = 32

Place = tuple[str | int, ...]

_CORE = "tag:yaml.org,2002:"
_TAGS = {_CORE + name for name in ("null", "bool", "int", "float", "str", "seq", "map", "merge")}
_RESOLVERS = (
    ("null", r"(?:~|null|Null|NULL|)", ("~", "n", "N", "")),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)", tuple("tTfF")),
    ("int", r"[-+]?[0-9]+", tuple("-+0123456789")),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?",
        tuple("-+.0123456789"),
    ),
    ("merge", r"<<", ("<",)),
)


@dataclass(frozen=True, slots=True)
class Document:
    """The plain value of a YAML file, and the line (from 1) on which each key or item stands."""

    value: object
    lines: Mapping[Place, int]


class YamlError(Exception):
    """The file is not usable YAML. `faults` are sentences with line and column, without content."""

    def __init__(self, faults: list[str]) -> None:
        """Keep all faults; the message is one per line."""
        super().__init__("\n".join(faults))
        self.faults = faults


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the resolvers of YAML 1.2."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  # PyYAML's own form

    def construct_int(self, node: yaml.ScalarNode) -> int:
        """Read plain decimals; PyYAML would read a leading zero as octal."""
        return int(node.value)

    def construct_float(self, node: yaml.ScalarNode) -> float:
        """Read plain floats."""
        return float(node.value)


for _name, _pattern, _first in _RESOLVERS:
    _Loader.add_implicit_resolver(_CORE + _name, re.compile(f"^{_pattern}$"), list(_first))
_Loader.add_constructor(_CORE + "int", _Loader.construct_int)
_Loader.add_constructor(_CORE + "float", _Loader.construct_float)


def parse(data: bytes) -> Document:
    """Read one YAML document. Raises YamlError for anything that is not plain, bounded YAML."""
    loader = _Loader(_text(data))
    try:
        node = loader.get_single_node()
        if node is None:
            return Document(None, {})
        faults, lines = _inspect(node)
        if faults:
            raise YamlError(faults)
        return Document(loader.construct_document(node), lines)
    except yaml.MarkedYAMLError as exc:
        raise YamlError([_syntax(exc)]) from None
    except yaml.reader.ReaderError as exc:
        raise YamlError([_character(loader, exc)]) from None
    except RecursionError:
        raise YamlError(["is nested too deeply; a configuration needs only a few levels"]) from None
    except ValueError:  # int() refuses numbers of thousands of digits
        raise YamlError(["holds a number that is too long"]) from None
    finally:
        loader.dispose()


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise YamlError([f"is larger than {MAX_BYTES >> 20} MiB; is this the right file?"])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        raise YamlError([f"line {line}: is not UTF-8 text; save the file as UTF-8"]) from None
    bad = next((m for m in yaml.reader.Reader.NON_PRINTABLE.finditer(text)), None)
    if bad:
        line, column = _position(text, bad.start())
        raise YamlError([f"line {line}, column {column}: a control character; remove it"])
    return text


def _position(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1


def _character(loader: _Loader, exc: yaml.reader.ReaderError) -> str:
    return f"line {loader.line + 1}: a character (number {exc.position}) that YAML does not allow"


def _syntax(exc: yaml.MarkedYAMLError) -> str:
    mark = exc.problem_mark or exc.context_mark
    problem = exc.problem or ""
    if "'\\t'" in problem:
        hint = "a tab; indent with spaces"
    elif "undefined alias" in problem:
        hint = "an alias (`*name`) whose anchor (`&name`) does not stand before it"
    elif "expected a single document" in (exc.context or ""):
        hint = "a second document starts; keep one"
    elif "mapping values are not allowed" in problem:
        hint = "a `:` that does not belong here; put text that holds `: ` in quotes"
    else:
        hint = (
            "not valid YAML; look at the indentation, quotes and brackets here and one line above"
        )
    return f"line {mark.line + 1}, column {mark.column + 1}: {hint}" if mark else hint


def _inspect(root: yaml.Node) -> tuple[list[str], dict[Place, int]]:
    """Walk the graph as if every alias were written out; stop when it is too large."""
    faults: list[str] = []
    lines: dict[Place, int] = {}
    stack: list[tuple[yaml.Node, Place, int]] = [(root, (), 0)]
    count = 0
    while stack:
        node, place, depth = stack.pop()
        count += 1
        if count > MAX_NODES or depth > MAX_DEPTH:
            return ["is too large once its aliases are written out, or nested too deeply"], {}
        if node.tag not in _TAGS:
            faults.append(f"{_at(node)}: a YAML tag (`!...`); only plain values are understood")
            continue
        if isinstance(node, yaml.MappingNode):
            faults += _key_faults(node)
        for step, child, line in _children(node):
            lines.setdefault((*place, step), line)
            stack.append((child, (*place, step), depth + 1))
    return sorted(set(faults), key=_line_of), lines


def _children(node: yaml.Node) -> Iterator[tuple[str | int, yaml.Node, int]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value), value, key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield index, item, item.start_mark.line + 1


def _key_faults(node: yaml.MappingNode) -> list[str]:
    faults = []
    seen: dict[Any, int] = {}
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag not in (_CORE + "str", _CORE + "merge"):
            faults.append(f"{_at(key)}: a key must be text; put it in quotes")
        elif key.value in seen:
            faults.append(f"{_at(key)}: this key stands on line {seen[key.value]} already")
        else:
            seen[key.value] = key.start_mark.line + 1
    return faults


def _at(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}, column {node.start_mark.column + 1}"


def _line_of(fault: str) -> tuple[int, str]:
    number = re.match(r"line (\d+)", fault)
    return (int(number[1]) if number else 0, fault)
