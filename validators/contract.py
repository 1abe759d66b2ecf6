"""What a production request looks like, as far as a record can be held against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

TURNS = ("any", "single", "alternating", "multi")
INPUTS = ("any", "text", "json")


class ContractError(Exception):
    """The contract itself cannot be used. The message names the setting and the next step."""


@dataclass(frozen=True)
class Contract:
    """The production request.

    `system` is the exact system prompt (None: not checked) and `system_required` asks for one
    whatever its text. `turns` is `any`, `single` (one answer), `alternating` (user and assistant
    in turn, which is always checked) or `multi` (two answers or more). `input` is the form of
    the last user turn before an answer. Fields are top-level keys of the record.
    `answer_schema` is a JSON schema, Draft 2020-12, for every answer that calls no tool.
    Raises ContractError for a word that is not known.
    """

    system: str | None = None
    system_required: bool = False
    turns: str = "any"
    input: str = "any"
    required_fields: tuple[str, ...] = ()
    forbidden_fields: tuple[str, ...] = ()
    answer_schema: Mapping[str, Any] | None = None
    placeholders: bool = False

    def __post_init__(self) -> None:
        if self.turns not in TURNS:
            raise ContractError(f"contract.turns must be one of {', '.join(TURNS)}.")
        if self.input not in INPUTS:
            raise ContractError(f"contract.input must be one of {', '.join(INPUTS)}.")
