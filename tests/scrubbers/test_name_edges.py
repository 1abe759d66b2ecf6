import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.name_edges import trimmed


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I'm Margaret Ellison", "Margaret Ellison"),
        ("bin Petra Vogel", "Petra Vogel"),
        ("ben Sanne Bakker", "Sanne Bakker"),
        ("ik ben sanne bakker", "sanne bakker"),
        ("kevin phoned", "kevin"),
        ("Petra von", "Petra"),
        ("Ana Reyes and", "Ana Reyes"),
        ("for Ana", "Ana"),
        ("My", ""),
        # what stays
        ("Ben Okonkwo", "Ben Okonkwo"),
        ("ben okonkwo", "ben okonkwo"),
        ("will okonkwo", "will okonkwo"),
        ("de la Rosa", "de la Rosa"),
        ("van Dijk", "van Dijk"),
        ("J. R. Okonkwo", "J. R. Okonkwo"),
        ("Y. Tanaka", "Y. Tanaka"),
        ("Nurul binti Ahmad", "Nurul binti Ahmad"),
        ("Ana bin Reyes", "Ana bin Reyes"),
        ("Mia", "Mia"),
        ("May Okonkwo", "May Okonkwo"),
    ],
)
def test_edges(text: str, name: str) -> None:
    start, end = trimmed(text, 0, len(text))
    assert text[start:end] == name


@given(st.text(alphabet="Iabn m'.,\n-de", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_a_trimmed_span_lies_in_the_span(text: str, first: int, second: int) -> None:
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    left, right = trimmed(text, start, end)
    assert start <= left <= right <= max(end, start)
