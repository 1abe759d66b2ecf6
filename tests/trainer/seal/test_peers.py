"""Distributed runs: ranks of one machine meet over loopback; other machines by name alone."""

import shutil

import pytest

from tests.trainer.seal.inside import can, has, process, refusal, sealed

NEAR, FAR = "peers=['localhost']", "peers=['192.0.2.7']"


def test_ranks_meet_over_loopback_inside_the_parents_namespace() -> None:
    if not has("namespace"):
        return
    rank = """
import socket, sys
from trainer import seal
S = seal.enter(require="kernel", peers=["localhost"])
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10) as met: met.send(b"here")
print(S.level)
"""
    code = f"""
import socket, subprocess, sys
with socket.create_server(('127.0.0.1', 0)) as meeting:
    child = subprocess.Popen([sys.executable, '-c', {rank!r}, str(meeting.getsockname()[1])], stdout=-1, text=True)
    R['heard'] = meeting.accept()[0].recv(9).decode()
    R['rank'] = child.communicate()[0].strip()
try: socket.create_connection(('192.0.2.1', 9), 5)
except OSError as told: R['python'] = 'sealed' in str(told)
import ctypes, struct
C = ctypes.CDLL(None, use_errno=True)
C.connect(C.socket(2, 1, 0), struct.pack('=H', 2) + struct.pack('>H4s8x', 9, socket.inet_aton('192.0.2.1')), 16)
R['below'] = ctypes.get_errno()
R['vsock'] = C.socket(40, 1, 0)
"""
    result = sealed(code, f"require='kernel', {NEAR}")
    assert result["heard"] == "here"
    assert result["rank"] == "namespace"
    assert result["python"] is True
    assert result["below"] == 101  # ENETUNREACH
    assert result["vsock"] == -1
    proof = result["seal"]["proof"]["namespace"]
    assert proof["tcp"] == proof["udp"] == "ENETUNREACH"
    assert proof["filter: io_uring"] == "ENOSYS"


def test_a_filter_alone_cannot_let_loopback_through() -> None:
    words = refusal(f"want='seccomp', {NEAR}")
    assert "cannot tell" in words


def test_other_machines_are_reached_by_name_and_nobody_else() -> None:
    code = """
import socket
def tried(host):
    with socket.socket(type=socket.SOCK_DGRAM) as way:
        try: way.connect((host, 9))
        except OSError as told: return 'sealed' in str(told)
    return 'let'
R['peer'], R['other'], R['loopback'] = tried('192.0.2.7'), tried('192.0.2.8'), tried('127.0.0.1')
"""
    result = sealed(code, FAR)
    assert result["peer"] is not True  # no route, perhaps, but not stopped by the seal
    assert result["other"] is True
    assert result["loopback"] == "let"
    assert result["seal"]["level"] == "python"
    assert result["seal"]["peers"] == ["192.0.2.7"]


def test_python_alone_starts_ranks_that_seal_themselves_and_nothing_else() -> None:
    code = """
import subprocess, sys
def started(*command):
    try: return subprocess.run(command, check=False).returncode
    except PermissionError: return 'stopped'
R['rank'] = started(sys.executable, '-c', 'pass')
R['other'] = started('sh', '-c', 'true')
"""
    result = sealed(code, f"want='python', {NEAR}")
    assert (result["rank"], result["other"]) == (0, "stopped")
    assert sealed(code, "want='python'")["rank"] == "stopped"


def test_other_machines_and_the_kernel_are_refused_with_the_reason() -> None:
    words = refusal(f"require='kernel', {FAR}")
    assert "peers on other machines must be reached" in words


def test_a_peer_without_an_address_is_refused() -> None:
    assert "peer nowhere.invalid" in refusal("peers=['nowhere.invalid']")


@pytest.mark.skipif(shutil.which("ip") is None, reason="needs `ip` to set a route")
def test_a_namespace_with_a_way_out_is_not_taken_for_one_without() -> None:
    """The mark in the environment is no proof: with a route, the tries go through."""
    if not can("namespace"):
        assert "namespace: " in refusal("want='namespace'")
        return
    around = (  # the route leads to loopback, so that nothing leaves the machine
        "import subprocess, sys\nfrom trainer.seal import namespace, proof\nimport os\n"
        "assert namespace.enter() is None\n"
        "subprocess.run(['ip', 'route', 'add', 'default', 'dev', 'lo'], check=True)\n"
        "print(proof.namespace_holds()[0])"
    )
    done = process(around)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "False"
