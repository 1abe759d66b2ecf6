"""What a production request looks like, as far as a record can be held against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

TURNS = ("any", "single", "multi")


class ContractError(Exception):
    """The contract itself cannot be used. The message names the setting and the next step."""


@dataclass(frozen=True)
class Contract:
    """The production request.

    `system` is the exact system prompt (None: not checked) and `system_required` asks for one
    whatever its text. `turns` is `any`, `single` (one answer) or `multi` (two or more).
    Fields are top-level keys of the record. `answer_schema` is a JSON schema, Draft 2020-12,
    for every answer that calls no tool. `template` is `chat`, `alpaca`, `alpaca-fr`, `plain` or
    a text with `{instruction}`, `{input}` and `{output}` (see `trainer.templates`).
    Raises ContractError for a word that `turns` does not know.
    """

    system: str | None = None
    system_required: bool = False
    turns: str = "any"
    required_fields: tuple[str, ...] = ()
    forbidden_fields: tuple[str, ...] = ()
    answer_schema: Mapping[str, Any] | None = None
    template: str = "chat"
    placeholders: bool = False

    def __post_init__(self) -> None:
        if self.turns not in TURNS:
            raise ContractError("contract.turns must be `any`, `single` or `multi`.")
