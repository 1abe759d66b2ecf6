"""Calls below Python: the C library and raw system calls, with errno instead of exceptions."""

from __future__ import annotations

import ctypes
import errno
import os

_LIBC = ctypes.CDLL(None, use_errno=True)
Argument = int | bytes | ctypes.Array[ctypes.c_char] | None


def call(name: str, *arguments: Argument) -> int:
    """Result of a function of the C library, or minus errno. ENOSYS where it has no such one."""
    function = getattr(_LIBC, name, None)
    return -errno.ENOSYS if function is None else _checked(function, arguments)


def system_call(number: int, *arguments: Argument) -> int:
    """Result of a system call by its number, or minus errno."""
    return _checked(_LIBC.syscall, (number, *arguments))


def _checked(function: ctypes._NamedFuncPointer, arguments: tuple[Argument, ...]) -> int:
    function.restype = ctypes.c_long
    ctypes.set_errno(0)
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    # A C `int` comes back in the low half of the register; what is above it is not defined.
    result = ctypes.c_int(function(*wide)).value
    return -ctypes.get_errno() if result < 0 else result


def words(code: int) -> str:
    """Name and meaning of what `call` gave back: `EPERM (Operation not permitted)`."""
    number = abs(code)
    return f"{name(code)} ({os.strerror(number)})"


def name(code: int) -> str:
    """Symbolic name of minus errno."""
    return errno.errorcode.get(abs(code), str(abs(code)))


def address_of(buffer: ctypes.Array[ctypes.c_char]) -> int:
    """Where a buffer lies, for structures that point to it; the caller keeps the buffer alive."""
    return ctypes.addressof(buffer)


def block(content: bytes) -> ctypes.Array[ctypes.c_char]:
    """Memory with this content, for a call that takes a pointer."""
    return ctypes.create_string_buffer(content, len(content))
