"""Each level of the seal, forced in turn, tried from Python, from C and from children."""

import shutil
import socket
import sys
import threading
from collections.abc import Iterator

import pytest

from tests.trainer.seal.inside import ROOT, can, has, process, refusal, sealed

KERNEL = ["namespace", "seccomp"]
NEEDS_CURL = pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")

# Ways out below Python, as C code would go; each leaves an errno, or 0 where it got out.
BELOW = """
import ctypes, socket, struct, sys
C = ctypes.CDLL(None, use_errno=True)
def tried(way):
    ctypes.set_errno(0)
    return ctypes.get_errno() if way() < 0 else 0
def to(port, host='127.0.0.1'):
    return struct.pack('=H', 2) + struct.pack('>H4s8x', port, socket.inet_aton(host))
def tcp(port):
    made = C.socket(2, 1, 0)
    return made if made < 0 else C.connect(made, to(port), 16)
def udp(port):
    made = C.socket(2, 2, 0)
    return made if made < 0 else C.sendto(made, b'x', 1, 0, to(port), 16)
"""


@pytest.fixture
def server() -> Iterator[tuple[int, int, list[str]]]:
    """TCP and UDP ports on loopback, outside the seal, and a list of what came in."""
    seen: list[str] = []
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
    ):
        udp.bind(("127.0.0.1", 0))

        def accept() -> None:
            while True:
                try:
                    tcp.accept()[0].close()
                except OSError:
                    return
                seen.append("tcp")

        def receive() -> None:
            while udp.recv(10) != b"end":
                seen.append("udp")

        threads = [threading.Thread(target=accept), threading.Thread(target=receive)]
        for thread in threads:
            thread.start()
        yield tcp.getsockname()[1], udp.getsockname()[1], seen
        tcp.shutdown(socket.SHUT_RDWR)
        with socket.socket(type=socket.SOCK_DGRAM) as last:
            last.sendto(b"end", udp.getsockname())
        for thread in threads:
            thread.join(10)


@pytest.mark.parametrize("level", KERNEL)
def test_nothing_gets_out_below_python(level: str, server: tuple[int, int, list[str]]) -> None:
    if not has(level):
        return
    tcp, udp, seen = server
    code = f"{BELOW}\nR['tcp'] = tried(lambda: tcp({tcp}))\nR['udp'] = tried(lambda: udp({udp}))"
    code += "\nfor family in (2, 10, 16, 17, 40): R[str(family)] = tried(lambda: C.socket(family, 2, 0))"
    code += "\nfor call in (425, 426, 427): R[f'io_uring {call}'] = tried(lambda: C.syscall(call, 1, None))"
    result = sealed(code, f"want={level!r}, require='kernel'")
    assert result["seal"]["level"] == level
    assert all(value for name, value in result.items() if name != "seal"), result
    assert seen == []


def test_python_alone_has_the_hole_that_the_kernel_closes(
    server: tuple[int, int, list[str]],
) -> None:
    """The tries of the test above can succeed, and the proof sees it."""
    tcp, udp, seen = server
    code = f"{BELOW}\nR['tcp'] = tried(lambda: tcp({tcp}))\nR['udp'] = tried(lambda: udp({udp}))"
    code += "\nfrom trainer.seal import proof\n"
    code += "R['proof'] = proof.filter_holds(local=False)"
    result = sealed(code, "want='python'")
    assert result["tcp"] == result["udp"] == 0
    assert result["proof"][0] is False
    assert result["proof"][1]["tcp"] == result["proof"][1]["udp"] == "open"
    assert sorted(seen) == ["tcp", "udp"]


@pytest.mark.parametrize("level", ["namespace", "seccomp", "python"])
def test_nothing_gets_out_of_python(level: str, server: tuple[int, int, list[str]]) -> None:
    if level != "python" and not has(level):
        return
    tcp, udp, seen = server
    code = f"""
import os, socket, subprocess, urllib.request
WAYS = {{
    'tcp': lambda: socket.create_connection(('127.0.0.1', {tcp})),
    'udp': lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp})),
    'tcp6': lambda: socket.socket(socket.AF_INET6).connect(('::1', {tcp})),
    'raw': lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    'url': lambda: urllib.request.urlopen('http://127.0.0.1:{tcp}'),
    'name': lambda: socket.getaddrinfo('privatune.example', 80),
    'old name': lambda: socket.gethostbyname('privatune.example'),
    'address': lambda: socket.gethostbyaddr('192.0.2.1'),
    'program': lambda: subprocess.run(['sh', '-c', 'true']),
    'shell': lambda: os.system('true'),
    'spawn': lambda: os.posix_spawn('/bin/sh', ['sh'], {{}}),
    'exec': lambda: os.execv('/bin/sh', ['sh', '-c', 'true']),
}}
for name, way in WAYS.items():
    try: way()
    except OSError as told: R[name] = 'sealed' in str(told)
    else: R[name] = False
"""
    result = sealed(code, f"want={level!r}")
    attempts = {(a["what"], a["where"]) for a in result.pop("seal")["attempts"]}
    assert [name for name, stopped in result.items() if not stopped] == []
    assert {what for what, _ in attempts} == {
        "socket.__new__", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
        "subprocess.Popen", "os.system", "os.posix_spawn", "os.exec",
    }  # fmt: skip
    assert all(where.startswith("__main__:") for _, where in attempts), attempts
    assert seen == []


@pytest.mark.parametrize("level", KERNEL)
def test_a_child_is_sealed_too(level: str, server: tuple[int, int, list[str]]) -> None:
    if not has(level):
        return
    tcp, _, seen = server
    child = f"import socket; socket.create_connection((\\'127.0.0.1\\', {tcp}), 5)"
    code = f"""
import subprocess, sys
done = subprocess.run([sys.executable, '-c', '{child}'], capture_output=True, text=True)
R['code'], R['words'] = done.returncode, done.stderr
"""
    result = sealed(code, f"want={level!r}")
    assert result["code"] == 1
    assert "PermissionError" in result["words"]
    assert seen == []


@NEEDS_CURL
@pytest.mark.parametrize("level", KERNEL)
def test_curl_gets_out_of_no_kernel_seal(level: str, server: tuple[int, int, list[str]]) -> None:
    if not has(level):
        return
    code = "import subprocess\nR['code'] = subprocess.run(['curl', '-s', 'http://127.0.0.1:{}']).returncode"
    result = sealed(code.format(server[0]), f"want={level!r}, programs=['curl']")
    assert result["code"] == 7  # curl: could not connect
    assert server[2] == []


@NEEDS_CURL
def test_curl_would_get_out_where_python_alone_seals(server: tuple[int, int, list[str]]) -> None:
    """So programs are stopped there unless they are named; and the test above can fail."""
    code = "import subprocess\nR['code'] = subprocess.run(['curl', '-s', 'http://127.0.0.1:{}']).returncode"
    sealed(code.format(server[0]), "want='python', programs=['curl']")
    assert server[2] == ["tcp"]


def test_threads_that_run_already_are_under_the_filter() -> None:
    if not has("seccomp"):
        return
    before = f"""{BELOW}
import queue, threading
ask, answer = queue.Queue(), queue.Queue()
def work():
    ask.get()
    answer.put(tried(lambda: C.socket(2, 1, 0)))
threading.Thread(target=work, daemon=True).start()
"""
    result = sealed("ask.put(1); R['there'] = answer.get(timeout=10)", before=before)
    assert result["there"] != 0
    assert result["seal"]["level"] == "seccomp"
    assert "2 threads run" in result["seal"]["not_reached"]["namespace"]


@pytest.mark.skipif(sys.platform != "linux", reason="a door of x86_64 Linux")
def test_the_second_door_of_x86_is_shut() -> None:
    import os

    if not has("seccomp") or os.uname().machine != "x86_64":
        return
    code = f"{BELOW}\nR['x32'] = tried(lambda: C.syscall(0x40000000 | 41, 2, 1, 0))"
    result = sealed(code, "want='seccomp'")
    assert result["x32"] == 38  # ENOSYS


def test_without_network_namespaces_the_filter_holds_and_says_why() -> None:
    """A real refusal by the kernel: a namespace in which none may be made."""
    if not can("namespace"):
        assert "namespace: " in refusal("want='namespace'")
        return
    outer = (
        "import pathlib, ctypes\n"
        "assert ctypes.CDLL(None).unshare(0x10000000) == 0\n"
        "pathlib.Path('/proc/sys/user/max_net_namespaces').write_text('0')\n"
    )
    if process(outer).returncode:
        pytest.skip("this machine makes no user namespace with privileges")
    assert "namespace: unshare: ENOSPC" in refusal("want='namespace'", before=outer)
    seal = sealed("", "require='kernel'", before=outer)["seal"]
    assert seal["level"] == "seccomp"
    assert "ENOSPC" in seal["not_reached"]["namespace"]


def test_an_unprivileged_user_writes_files_as_before() -> None:
    if not has("namespace"):
        return
    before = """
import os, tempfile, pathlib, ctypes, inspect, json
import trainer.seal.entry
folder = tempfile.mkdtemp()
os.chmod(folder, 0o777)
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65533); os.setuid(65533)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as it is for one who logged in so
tempfile.tempdir = folder
"""
    code = """
pathlib.Path(folder, 'made').write_text('x')
R['owner'] = [os.stat(folder + '/made').st_uid, os.stat(folder + '/made').st_gid]
R['me'] = [os.getuid(), os.getgid()]
"""
    result = sealed(code, "require='kernel'", before=before)
    assert result["owner"] == result["me"]
    assert 0 not in result["me"]


def test_network_sockets_that_were_open_are_put_away() -> None:
    before = "import socket, os, stat\nold = socket.socket()\nown, other = socket.socketpair()"
    code = (
        "R['socket'] = stat.S_ISSOCK(os.fstat(old.fileno()).st_mode)\n"
        "own.send(b'hello'); R['pair'] = other.recv(9).decode()"
    )
    result = sealed(code, before=before)
    assert result["socket"] is False
    assert result["pair"] == "hello"
    assert result["seal"]["closed_sockets"] == 1


def test_an_input_that_is_a_network_socket_is_refused() -> None:
    code = (
        "from trainer import seal\ntry: seal.enter()\n"
        "except seal.SealError as told: print(told)\nelse: print('entered')"
    )
    with socket.create_server(("127.0.0.1", 0)) as open_port:
        assert "descriptor 0" in process(code, stdin=open_port).stdout


# What a change to the code would do: each control must be seen to fail.
MUTATIONS = {
    "a filter that lets IPv4 through": "from trainer.seal import seccomp; seccomp.STRICT = (1, 2)",
    "a filter that allows all": "from trainer.seal import seccomp; seccomp.program = lambda m, local: [(6, 0, 0, 0x7fff0000)]",
    "a filter without io_uring": "from trainer.seal import seccomp; seccomp.IO_URING = ()",
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_level_is_not_claimed_without_its_proof(name: str) -> None:
    if not has("seccomp"):
        return
    # A namespace around it, so that what gets past the filter ends there.
    around = "from trainer.seal import namespace\nnamespace.enter()\n" if can("namespace") else ""
    words = refusal("want='seccomp', require='kernel'", before=around + MUTATIONS[name])
    assert "the proof found a way past the filter" in words
    assert "`python` was reached" in words


def test_a_hook_that_stops_nothing_is_noticed() -> None:
    words = refusal("want='python'", before="from trainer.seal import hook; hook.CHECKS = {}")
    assert "the audit hook did not stop" in words


def test_less_than_required_is_refused_with_the_reason() -> None:
    words = refusal("require='kernel', want='python'")
    assert "`python` was reached" in words
    assert "--require-seal python" in words
    assert ROOT.name not in words
