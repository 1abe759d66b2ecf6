"""The lockbox: what goes in comes out, for one key alone, and only whole."""

from __future__ import annotations

import io

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.lockbox import CHUNK, KEY, MAGIC, TAG, WRAPPED, Lockbox, LockboxBroken, LockboxKey
from scrubbers.lockbox import unlocked as unlock

PRIVATE = X25519PrivateKey.generate()
HEAD = len(MAGIC) + KEY + WRAPPED
FULL = CHUNK + TAG


def locked(content: bytes, piece: int = 10_000, key: X25519PrivateKey = PRIVATE) -> bytes:
    file = io.BytesIO()
    box = Lockbox(file, key.public_key())
    for start in range(0, len(content), piece):
        box.add(content[start : start + piece])
    box.close()
    return file.getvalue()


def unlocked(data: bytes, key: X25519PrivateKey = PRIVATE) -> bytes:
    return b"".join(unlock(io.BytesIO(data), key))


@pytest.mark.parametrize("length", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 7])
def test_what_goes_in_comes_out(length: int) -> None:
    content = bytes(number % 251 for number in range(length))
    for piece in (4_000, CHUNK, 1 << 20):
        assert unlocked(locked(content, piece)) == content


def test_another_key_opens_nothing() -> None:
    with pytest.raises(LockboxKey):
        unlocked(locked(b"text"), X25519PrivateKey.generate())


def test_equal_contents_do_not_look_equal() -> None:
    first, second = locked(b"same" * 40_000), locked(b"same" * 40_000)
    step = 1000
    assert not any(first[i : i + 16] in second for i in range(HEAD, len(first), step))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_changed_bit_is_found_wherever_it_is(data: st.DataObject) -> None:
    whole = locked(b"one row\n" * 30)
    at = data.draw(st.integers(0, len(whole) - 1))
    bit = data.draw(st.integers(0, 7))
    changed = bytearray(whole)
    changed[at] ^= 1 << bit
    with pytest.raises((LockboxBroken, LockboxKey)):
        unlocked(bytes(changed))


def test_a_cut_file_is_found_wherever_it_is_cut() -> None:
    short = locked(b"row")
    for end in range(len(short)):
        with pytest.raises(LockboxBroken):
            unlocked(short[:end])
    long = locked(bytes(3 * CHUNK))
    for end in (HEAD, HEAD + FULL, HEAD + 2 * FULL, HEAD + 2 * FULL + 1, len(long) - 1):
        with pytest.raises(LockboxBroken):
            unlocked(long[:end])
    with pytest.raises(LockboxBroken):
        unlocked(long + b"x")


def test_moved_doubled_and_foreign_chunks_are_found() -> None:
    ours, theirs = locked(bytes(4 * CHUNK)), locked(bytes(4 * CHUNK))
    head, chunks = ours[:HEAD], [ours[HEAD + i * FULL :][:FULL] for i in range(4)]
    foreign = theirs[HEAD + FULL :][:FULL]
    orders = (
        [chunks[1], chunks[0], *chunks[2:]], [chunks[0], chunks[0], *chunks[2:]], chunks[1:],
        [*chunks[:2], chunks[3]], [chunks[0], foreign, *chunks[2:]], [*chunks, chunks[3]],
    )  # fmt: skip
    for order in orders:
        with pytest.raises(LockboxBroken):
            unlocked(head + b"".join(order))
    with pytest.raises(LockboxBroken):
        unlocked(theirs[:HEAD] + b"".join(chunks))
    assert unlocked(head + b"".join(chunks)) == bytes(4 * CHUNK)


def test_a_point_without_a_secret_is_a_broken_head() -> None:
    whole = bytearray(locked(b"row"))
    start = len(MAGIC) + KEY
    whole[start : start + KEY] = bytes(KEY)  # X25519 of the point 0 is 0 for every key
    with pytest.raises(LockboxBroken):
        unlocked(bytes(whole))


def test_memory_is_one_chunk_and_what_waits_is_never_written_in_clear() -> None:
    file = io.BytesIO()
    box = Lockbox(file, PRIVATE.public_key())
    for _ in range(40):
        box.add(b"zqcanary" * 1000)
        assert len(box._waiting) <= CHUNK
        assert b"zqcanary" not in file.getvalue()
    with pytest.raises(LockboxBroken):  # not closed: a run that broke
        unlocked(file.getvalue())
