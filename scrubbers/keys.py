"""Subkeys, keyed digests and the signing key, all derived from the one secret of a home.

Nothing that is stored about raw content may be a plain hash: the plain hash of a phone number is
the phone number. Everything goes through `digest` with a subkey of its own purpose.
"""

from __future__ import annotations

import hmac

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MINIMUM = 16
DIGEST_BYTES = 16


class WeakSecret(ValueError):
    """The secret cannot be used as a key."""


def subkey(secret: bytes, purpose: str, dataset: str) -> bytes:
    """32 bytes for one purpose and data set, by HKDF-SHA256 (RFC 5869).

    Raises WeakSecret for a secret under 16 bytes.
    """
    if len(secret) < MINIMUM:
        raise WeakSecret(
            f"the secret key has {len(secret)} bytes, at least {MINIMUM} are needed: "
            "make a new one with 32 random bytes"
        )
    info = b"privatune/1" + frame(purpose, dataset)
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(secret)


def digest(key: bytes, *parts: str) -> bytes:
    """HMAC-SHA256 over the parts, 16 bytes; ("ab", "c") and ("a", "bc") differ."""
    return hmac.digest(key, frame(*parts), "sha256")[:DIGEST_BYTES]


def frame(*parts: str) -> bytes:
    """Each part as its length in 8 bytes and its UTF-8 (lone surrogates pass as they are)."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join([len(part).to_bytes(8, "big") + part for part in encoded])


def key_id(secret: bytes) -> str:
    """A public name of the secret, 16 hex digits; says nothing about it."""
    return subkey(secret, "key id", "")[:8].hex()


def signing_key(secret: bytes, dataset: str) -> Ed25519PrivateKey:
    """The Ed25519 key that signs this data set's manifest; the same secret gives the same key."""
    return Ed25519PrivateKey.from_private_bytes(subkey(secret, "signing", dataset))
