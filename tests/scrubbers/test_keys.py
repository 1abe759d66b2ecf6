"""Keys: fixed by secret, purpose and data set, and by nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers import keys

SECRET = bytes(range(32))


def test_subkeys_differ_by_purpose_and_data_set_and_secret() -> None:
    made = {
        keys.subkey(secret, purpose, dataset)
        for secret in (SECRET, SECRET[::-1])
        for purpose in ("surrogates", "index")
        for dataset in ("a", "b", "")
    }
    assert len(made) == 12
    assert all(len(key) == 32 for key in made)


def test_a_known_value_keeps_old_releases_readable() -> None:
    key = keys.subkey(SECRET, "surrogates", "demo")
    assert key.hex() == "2e7e9c672c39656b82a25659bfc527903d51d841f622a1eb609aa387e8b7a0ea"
    assert keys.digest(key, "name", "ana").hex() == "a53bb927950c5222f2071ee3ecc16ece"


def test_a_short_secret_is_refused_without_being_shown() -> None:
    with pytest.raises(keys.WeakSecret) as caught:
        keys.subkey(b"hunter2", "surrogates", "demo")
    assert "hunter2" not in str(caught.value)


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_framing_is_unambiguous(left: list[str], right: list[str]) -> None:
    same = keys.digest(SECRET, *left) == keys.digest(SECRET, *right)
    assert same == (left == right)


def test_the_signing_key_is_the_same_each_time_and_another_for_another_set() -> None:
    made = [keys.signing_key(SECRET, name).private_bytes_raw() for name in ("a", "a", "b")]
    assert made[0] == made[1] != made[2]


def test_the_key_id_says_which_key_it_was() -> None:
    assert keys.key_id(SECRET) == keys.key_id(bytes(SECRET)) != keys.key_id(SECRET[::-1])
    assert SECRET.hex() not in keys.key_id(SECRET)
