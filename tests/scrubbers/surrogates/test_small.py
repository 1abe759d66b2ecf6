"""Which units are so few that a surrogate may equal another value of the set."""

from __future__ import annotations

import pytest

from scrubbers.surrogates.draw import is_small
from scrubbers.surrogates.normal import units


@pytest.mark.parametrize(
    ("entity", "text", "small"),
    [
        ("ADDRESS", "12", True), ("ADDRESS", "Lindenweg 12", False), ("PERSON", "J.", True), ("CREDIT_CARD", "9514", True), ("OTHER_ID", "42", True),
        ("ADDRESS", "48005", True), ("PERSON", "Ana", False), ("PHONE_NUMBER", "+44 7462 118903", False), ("PHONE_NUMBER", "1234", True),
        ("EMAIL_ADDRESS", "ana@acme.example", False), ("NATIONAL_ID", "53790655A", False),
    ],
)  # fmt: skip
def test_small_spaces(entity: str, text: str, small: bool) -> None:
    assert all(is_small(unit.space) for unit in units(entity, text)) == small
