"""What can be wrong with a record or a set: one table of codes, with OpenAI's names beside them."""

from __future__ import annotations

from dataclasses import dataclass

# Our code -> the name in OpenAI's fine-tuning format checks (their guide "Data preparation and
# analysis for chat model fine-tuning"), or None where they have none.
CODES: dict[str, str | None] = {
    "record-type": "data_type",
    "format-unknown": None,
    "field-missing": None,
    "field-required": None,
    "field-forbidden": None,
    "field-type": None,
    "turns-missing": "missing_messages_list",
    "turn-type": "data_type",
    "turn-key-missing": "message_missing_key",
    "turn-key-unknown": "message_unrecognized_key",
    "role-unknown": "unrecognized_role",
    "content-missing": "missing_content",
    "content-type": "missing_content",
    "content-part": "missing_content",
    "turn-weight": None,
    "turn-empty": "missing_content",
    "answer-empty": "missing_content",
    "answer-missing": "example_missing_assistant_message",
    "answer-not-last": None,
    "order-system": None,
    "order-first": None,
    "order-repeat": None,
    "tool-arguments": None,
    "tool-call": None,
    "tool-result-alone": None,
    "tool-result-missing": None,
    "system-missing": None,
    "system-differs": None,
    "turn-pattern": None,
    "input-form": None,
    "answer-not-json": None,
    "answer-schema": None,
    "placeholder": None,
    "token-limit": "too_many_tokens",
    # the template of the base model
    "template-system": None,
    "template-refuses": None,
    "template-drops": None,
    "characters-lost": None,
    "template-format": None,
    # the set
    "table": None,
    "table-empty-answer": None,
    "table-duplicate": None,
    "table-reason": None,
    "table-books": None,
    "table-holdout": None,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: `code` from CODES, the place, a sentence without any value."""

    code: str
    path: str
    message: str
    openai: str | None = None


def fault(code: str, path: str, message: str) -> Fault:
    """Make a fault with OpenAI's name for it. Raises KeyError for a code that is not listed."""
    return Fault(code, path, message, CODES[code])
