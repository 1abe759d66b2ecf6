"""An encrypted file, written in a stream, that its writer cannot read back.

HPKE (RFC 9180: X25519, HKDF-SHA256, ChaCha20-Poly1305) carries a fresh file key to the holder of
the private key; it authenticates the header. The content goes in chunks of 64 KiB under that key,
whose nonces number them and mark the last (the STREAM construction of Hoang, Reyhanitabar, Rogaway
and Vizar, 2015): a chunk that is missing, moved, cut or from another file is found.

Layout: MAGIC, recipient's public key (32 bytes), the wrapped file key (80), then chunks, each 16
bytes longer than its text; all but the last hold 64 KiB.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

MAGIC = b"privatune lockbox 1\n"
CHUNK = 1 << 16
TAG = 16
KEY = 32
WRAPPED = KEY + KEY + TAG  # the sender's ephemeral public key, the file key, its tag
_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


class LockboxBroken(Exception):
    """A file that is no lockbox, or no longer the one that was written."""


class LockboxKey(Exception):
    """A private key that is not the one that this file was locked for."""


class Lockbox:
    """Takes bytes in pieces of any length; memory is one chunk and one piece.

    Without `close` the file has no last chunk, so what an interrupted run leaves cannot pass for
    a whole one.
    """

    def __init__(self, file: IO[bytes], recipient: X25519PublicKey) -> None:
        secret = secrets.token_bytes(KEY)
        head = MAGIC + recipient.public_bytes_raw()
        file.write(head + _SUITE.encrypt(secret, recipient, head))
        self._file, self._cipher = file, ChaCha20Poly1305(secret)
        self._waiting, self._number = bytearray(), 0

    def add(self, data: bytes) -> None:
        """Append to the content."""
        self._waiting += data
        while len(self._waiting) > CHUNK:  # the last chunk is never empty but for an empty file
            self._put(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]

    def close(self) -> None:
        """Write the last chunk; the file itself is the caller's to close."""
        self._put(bytes(self._waiting), last=True)
        self._waiting.clear()

    def _put(self, text: bytes, *, last: bool) -> None:
        nonce = _nonce(self._number, last=last)
        self._file.write(self._cipher.encrypt(nonce, text, None))
        self._number += 1


def unlocked(file: IO[bytes], private: X25519PrivateKey) -> Iterator[bytes]:
    """The content, chunk by chunk; raises LockboxBroken or LockboxKey.

    A chunk that was given is authentic, but only the end of the iteration says that all are here.
    """
    cipher = ChaCha20Poly1305(_file_key(file, private))
    number, chunk = 0, file.read(CHUNK + TAG)
    while True:
        following = file.read(CHUNK + TAG)
        try:
            text = cipher.decrypt(_nonce(number, last=not following), chunk, None)
        except InvalidTag:
            raise LockboxBroken(f"chunk {number + 1} is changed, moved, cut or missing") from None
        yield text
        if not following:
            return
        number, chunk = number + 1, following


def _file_key(file: IO[bytes], private: X25519PrivateKey) -> bytes:
    head, wrapped = file.read(len(MAGIC) + KEY), file.read(WRAPPED)
    if not head.startswith(MAGIC) or len(wrapped) != WRAPPED:
        raise LockboxBroken("its head is cut, or it is another kind of file")
    if head[len(MAGIC) :] != private.public_key().public_bytes_raw():
        raise LockboxKey("it was locked for another key")
    try:
        return _SUITE.decrypt(wrapped, private, head)
    except (InvalidTag, ValueError):  # ValueError: a point that gives no secret
        raise LockboxBroken("its head is changed") from None


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])
