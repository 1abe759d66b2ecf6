"""What strace saw of a sealed command, judged: for tests of the seal and of whole runs."""

import re
import subprocess
import sys
from pathlib import Path

from tests.trainer.seal.inside import process

STRACE = ["strace", "-f", "-qq", "-e", "trace=network,seccomp,io_uring_setup"]
MADE = re.compile(r"\bsocket\((AF_\w+)[^)]*\)\s*= (-?\d+)")
RESUMED = re.compile(r"<\.\.\. \w+ resumed>")
SENT = re.compile(r"\b(?:connect|sendto|sendmsg|bind)\(.*\b(?:AF_INET6?|AF_NETLINK|AF_VSOCK)\b")
# The proof's own tries, inside the namespace: documentation addresses without a route.
PROOF = re.compile(r'"(?:192\.0\.2\.1|2001:db8::1)".* = -1 E')


def traced(trace: Path, code: str, **env: str) -> str:
    """Run code under strace, without `CI`; return the trace."""
    launcher = f"import os; os.execvp('strace', {[*STRACE, '-o', str(trace), sys.executable, '-c', code]!r})"
    done: subprocess.CompletedProcess[str] = process(launcher, env=env)
    assert done.returncode == 0, done.stderr
    return trace.read_text()


def leaks(trace: str) -> list[str]:
    """Lines that no sealed run may have.

    Before the filter is set: an address that is used and is not the proof's. After it: any socket
    that is made and is not AF_UNIX, any address that is used, and io_uring.
    """
    lines = trace.splitlines()
    filters = [n for n, line in enumerate(lines) if "SECCOMP_SET_MODE_FILTER" in line]
    assert filters, "no filter was set"
    before, after = lines[: filters[0]], lines[filters[0] :]
    used = [line for line in before if SENT.search(line) and not PROOF.search(line)]
    return used + [line for line in after if _is_leak(line)]


def _is_leak(line: str) -> bool:
    made = MADE.search(line)
    if made:
        return made[1] not in ("AF_UNIX", "AF_LOCAL") and int(made[2]) >= 0
    return bool(SENT.search(line)) or ("io_uring_setup(" in line and "= -1" not in line)
