"""System calls of a sealed process, seen from outside, with every switch turned off."""

import shutil
from pathlib import Path

import pytest

from tests.trainer.seal.inside import has
from tests.trainer.seal.test_mutations import PATHS, TRAINER
from tests.trainer.seal.tracing import leaks, traced

pytestmark = [
    pytest.mark.slow,
    pytest.mark.train,
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace, see .ci/run"),
]
ALL_OFF = """
import os
from scrubbers.switches import SWITCHES
for name in SWITCHES: os.environ.pop(name, None)
"""


@pytest.mark.parametrize("level", ["namespace", "seccomp"])
@pytest.mark.parametrize("name", ["the usage count of TRL's trainers", "a question to the hub"])
def test_no_socket_is_made_even_with_all_switches_off(
    tmp_path: Path, level: str, name: str
) -> None:
    if not has(level):
        return
    enter = f"from trainer import seal\nS = seal.enter(want={level!r}, require='kernel')\n"
    assert leaks(traced(tmp_path / "trace", enter + ALL_OFF + PATHS[name].code)) == []


def test_what_goes_past_python_is_seen_by_the_trace(tmp_path: Path) -> None:
    """The filter of ranks, which must let loopback through, shows what the judge looks for."""
    if not has("seccomp"):
        return
    code = (
        "import ctypes, struct\nfrom trainer.seal import seccomp\nseccomp.install(local=True)\n"
        "C = ctypes.CDLL(None)\nmade = C.socket(2, 2, 0)\n"
        "C.connect(made, struct.pack('=H', 2) + b'\\0\\x09\\x7f\\0\\0\\1' + bytes(8), 16)"
    )
    found = leaks(traced(tmp_path / "trace", code))
    assert len(found) == 2
    assert "AF_INET" in found[0]
    assert "127.0.0.1" in found[1]


def test_a_sealed_trainer_trains(tmp_path: Path) -> None:
    """Nothing that training needs is stopped: the whole of it, traced, with no attempt."""
    code = (
        "from trainer import seal\nS = seal.enter()\n"
        f"{TRAINER}trainer.train()\nS.confirm()\nassert S.evidence()['attempts'] == []"
    )
    if has("seccomp"):
        assert leaks(traced(tmp_path / "trace", code)) == []
