"""A model hub on loopback: the few endpoints that `pull` asks, and every way to misbehave."""

import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """One model. `asked` has every request; the other fields say what it does wrong."""

    daemon_threads = True

    def __init__(self, folder: Path, name: str = "acme/tiny") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.name = name
        self.files = {p.name: p.read_bytes() for p in folder.iterdir()} if folder else {}
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.large = 1000  # bytes from which a file is listed with a SHA-256, as large files are
        self.served: dict[str, bytes] = {}  # other bytes than those listed
        self.gone: set[str] = set()
        self.cut: dict[str, list[int]] = {}  # name -> bytes after which each try breaks off
        self.hang: dict[str, int] = {}  # name -> bytes after which nothing more comes
        self.end = threading.Event()
        self.extra: list[dict] = []  # more entries of the listing
        self.refuse: tuple[int, str] | None = None
        self.token = ""
        self.elsewhere = ""  # address that files are redirected to
        self.commit = COMMIT
        self.sizes: dict[str, int] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def paths(self, method: str = "GET") -> list[str]:
        return [path for verb, path, _ in self.asked if verb == method]

    def handle_error(self, request, client_address) -> None:
        """Clients go away here on purpose."""


@contextmanager
def hub(folder: Path, **fields):
    with Hub(folder) as server:
        for key, value in fields.items():
            setattr(server, key, value)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.end.set()
            server.shutdown()
            thread.join()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Hub

    def log_message(self, *_) -> None:
        pass

    def do_GET(self) -> None:
        hub = self.server
        url = urlsplit(self.path)
        path = unquote(url.path)
        headers = {key.lower(): value for key, value in self.headers.items()}
        hub.asked.append((self.command, path, headers))
        if hub.refuse:
            return self.say(*hub.refuse)
        if hub.token and headers.get("authorization") != f"Bearer {hub.token}":
            return self.say(401, "GatedRepo")
        api, at = f"/api/models/{hub.name}", f"/{hub.name}/resolve/{hub.commit}/"
        if path in (f"{api}/revision/main", f"{api}/revision/{hub.commit}"):
            return self.send(json.dumps({"id": hub.name, "sha": hub.commit, "siblings": []}))
        if path.startswith(f"{api}/revision/"):
            return self.say(404, "RevisionNotFound")
        if path == f"{api}/tree/{hub.commit}":
            return self.tree(int(parse_qs(url.query).get("page", ["0"])[0]))
        if path.startswith(at) and (name := path.removeprefix(at)) in hub.files:
            return self.file(name)
        code = "EntryNotFound" if path.startswith(at) else "RepoNotFound"
        return self.say(404 if path.startswith(at) else 401, code)

    do_HEAD = do_POST = do_PUT = do_GET

    def tree(self, page: int) -> None:
        """Give the listing in two pages, as long ones come."""
        rows = [entry(name, data, self.server) for name, data in self.server.files.items()]
        rows = [*rows, {"type": "directory", "path": "onnx", "oid": "0" * 40}, *self.server.extra]
        half = len(rows) // 2
        link = (
            "" if page else f'<{self.server.address}{self.path.split("?")[0]}?page=1>; rel="next"'
        )
        self.send(json.dumps(rows[half:] if page else rows[:half]), link=link)

    def file(self, name: str) -> None:
        hub = self.server
        if name in hub.gone:
            self.say(404, "EntryNotFound")
        elif hub.elsewhere:
            self.send_response(302)
            self.send_header("Location", hub.elsewhere + self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.bytes_of(name)

    def bytes_of(self, name: str) -> None:
        hub = self.server
        data = hub.served.get(name, hub.files[name])
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        stops = hub.cut.get(name)
        stop = stops.pop(0) if stops else len(data)
        if hang := hub.hang.pop(name, 0):
            self.wfile.write(data[start:hang])
            hub.end.wait(30)
            start = hang
        self.wfile.write(data[start:stop])
        self.close_connection = stop < len(data)

    def send(self, text: str, link: str = "") -> None:
        self.send_response(200)
        if link:
            self.send_header("Link", link)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def say(self, status: int, code: str) -> None:
        self.send_response(status)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()


def entry(name: str, data: bytes, hub: Hub) -> dict:
    size = hub.sizes.get(name, len(data))
    made = {"type": "file", "path": name, "size": size, "oid": git_hash(data)}
    if len(data) >= hub.large:
        digest = hashlib.sha256(data).hexdigest()
        made |= {"lfs": {"oid": digest, "size": size, "pointerSize": 130}, "xetHash": "a" * 64}
    return made


def git_hash(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
