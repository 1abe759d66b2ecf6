from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrubbers.windows import windows


@given(st.text(alphabet="ab é\n\t", max_size=300), st.integers(1, 30), st.integers(1, 60))
def test_cores_cover_the_text_once_and_windows_stay_small(
    text: str, overlap: int, extra: int
) -> None:
    size = 2 * overlap + extra
    found = windows(text, size, overlap)
    assert found[0].core_start == 0
    assert found[-1].core_end == len(text)
    for window in found:
        assert window.start <= window.core_start <= window.core_end <= window.end
        assert window.end - window.start <= max(size, 1)
    for before, after in pairwise(found):
        assert before.core_end == after.core_start
        assert after.start > before.start
