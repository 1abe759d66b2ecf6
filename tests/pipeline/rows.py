"""Made-up records that the tests of the whole path share; every identifier is planted."""

from __future__ import annotations

import json

WORD = "zqcanary"  # stands in ordinary text too: no report, log or spool may quote any text
IDENTIFIERS = (
    "Ottilie Zqcanary",
    "zqcanary@mail.example",
    "DE89 3704 0044 0532 0130 00",
    "DE89370400440532013000",
    "4111 1111 1111 1111",
    "+44 7700 900123",
)


def chat(number: int) -> dict[str, object]:
    """A support chat whose answer is JSON that agrees with the user's words."""
    mail = f"zqcanary{number}@mail.example"
    name = "Ottilie Zqcanary"
    user = (
        f"My name is {name}, mail {mail}, IBAN DE89 3704 0044 0532 0130 00, "
        f"card 4111 1111 1111 1111, phone +44 7700 900123. The zqcanary machine hums, case {number}."
    )
    answer = {"name": name, "email": mail, "iban": "DE89370400440532013000", "nr": number}
    return {
        "messages": [
            {"role": "system", "content": "Answer as JSON."},
            {"role": "user", "content": user},
            {"role": "assistant", "content": json.dumps(answer)},
        ]
    }


def plain(number: int) -> dict[str, object]:
    """An Alpaca row without an identifier."""
    return {
        "instruction": f"Explain version 2.{number} of the zqcanary JSON parser in March.",
        "input": None,
        "output": f"It parses {number} files.",
    }
