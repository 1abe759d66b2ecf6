"""Who says which leaf of a record, and in which order; told from the leaves alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from scrubbers.jsontext import IndexStep, KeyStep, Leaf, Step, Steps
from validators.shapes import CONVERSATION
from validators.turns import ROLES, UNKNOWN

# Fields of the formats that are turns by themselves: their place in the order, and who speaks.
FIELDS: dict[str, tuple[int, str]] = {
    "system": (0, "system"), "history": (1, ""), "messages": (2, ""), "conversations": (2, ""),
    "conversation": (2, ""), "prompt": (2, "user"), "instruction": (2, "user"),
    "input": (3, "user"), "context": (3, "user"), "output": (4, "assistant"),
    "response": (4, "assistant"), "completion": (4, "assistant"),
    "chosen": (4, "assistant"), "rejected": (4, "assistant"),
}  # fmt: skip
SIDES = ("chosen", "rejected")  # two answers to one prompt: neither is earlier than the other
TALKS = ("messages", *CONVERSATION)
ROLE_KEYS = ("role", "from")
CALLED = frozenset({"arguments", "parameters"})


@dataclass(frozen=True, slots=True)
class Spoken:
    """The turn of a leaf: turns compare by `order`; `side` is chosen, rejected or "" for both."""

    order: tuple[int, int, int]
    role: str
    side: str


def spoken(leaves: Sequence[Leaf]) -> list[Spoken | None]:
    """The turn of each leaf; None where the leaf stands in no turn (tools, other fields)."""
    roles = {leaf.steps[:-1]: ROLES.get(leaf.text, UNKNOWN) for leaf in leaves if _names_role(leaf)}
    first = {step.name for leaf in leaves for step in leaf.steps[:1] if isinstance(step, KeyStep)}
    talk = next((name for name in TALKS if name in first), None)
    fields = FIELDS if talk is None else {k: FIELDS[k] for k in ("system", talk)}
    found: dict[Steps, Spoken | None] = {}
    for leaf in leaves:
        head = leaf.steps[:3]
        if head not in found:
            found[head] = _turn(head, roles, fields)
    return [None if _names_role(leaf) else found[leaf.steps[:3]] for leaf in leaves]


def _names_role(leaf: Leaf) -> bool:
    outer = leaf.inner_steps is None and leaf.kind == "string"
    return outer and leaf.label in ROLE_KEYS and len(leaf.steps) <= 3


def _turn(
    head: Steps, roles: dict[Steps, str], fields: dict[str, tuple[int, str]]
) -> Spoken | None:
    """The turn that the first three steps of a path lead into."""
    if not head:
        return None
    first = head[0]
    name, rest = (first.name, head[1:]) if isinstance(first, KeyStep) else ("messages", head)
    if name not in fields:
        return None
    rank, role = fields[name]
    numbers = [step.index for step in takewhile(_is_index, rest) if isinstance(step, IndexStep)]
    if name == "history" and len(numbers) == 2:
        return Spoken((rank, numbers[0], numbers[1]), ("user", "assistant")[numbers[1] % 2], "")
    entry = head[: len(head) - len(rest) + bool(numbers)]  # the message, where there is one
    told = roles.get(entry) or role or UNKNOWN
    return Spoken((rank, numbers[0] if numbers else 0, 0), told, name if name in SIDES else "")


def _is_index(step: Step) -> bool:
    return isinstance(step, IndexStep)


def answers(leaf: Leaf) -> bool:
    """Whether a leaf of an assistant's turn is a value in JSON of its own: text without more JSON."""
    if leaf.kind == "key" or not leaf.text or leaf.prose != ((0, len(leaf.text)),):
        return False
    called = (step.name in CALLED for step in leaf.steps[2:] if isinstance(step, KeyStep))
    return leaf.inner_steps is not None or any(called)


def in_order(
    leaves: Sequence[Leaf], turns: Sequence[Spoken | None], side: str
) -> Iterator[list[int]]:
    """Numbers of the leaves that can be read, turn by turn; `side`: of two answers, this one."""
    told = [
        (turn.order, number)
        for number, turn in enumerate(turns)
        if turn is not None and turn.side in ("", side) and leaves[number].kind != "key"
    ]
    for _, group in groupby(sorted(told), key=lambda pair: pair[0]):
        yield [number for _, number in group]
