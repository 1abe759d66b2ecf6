"""The child process of `pull`: the one that asks a model hub. Requests come in, events go out.

It runs alone, with nothing but a model's id, a revision and the paths of part files; see
`pipeline.hub` for what is taken out of its environment.
"""

from __future__ import annotations

import errno
import io
import json
import os
import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import ReadableBuffer

AT_ONCE = 4  # files
TRIES = 5  # connections that bring nothing, one after the other, until it is given up
CHUNK = 1 << 20  # bytes between two writes; what a broken connection may cost
PATIENCE = 30.0  # seconds for an answer of the hub's API
# All that the source learns about the asking program.
AGENT = {"user-agent": "privatune"}

_out_lock = threading.Lock()


class TooMuch(Exception):
    """The source sends more bytes than it listed."""


class Stopped(Exception):
    """Another file failed."""


class Part(io.FileIO):
    """A part file that counts what is written, ends when told to, and never outgrows its size."""

    def __init__(self, path: str, size: int, stop: threading.Event) -> None:
        """Open at the end of what is there."""
        super().__init__(path, "r+b" if Path(path).exists() else "w+b")
        self.size, self.stop = size, stop
        self.have = self.seek(0, os.SEEK_END)

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of it: the raw file may take less at a time."""
        view = memoryview(data)
        if self.stop.is_set():
            raise Stopped
        if self.tell() + len(view) > self.size:
            raise TooMuch
        total = len(view)
        while view:
            view = view[super().write(view) :]
        say({"bytes": total})
        return total


def say(event: dict[str, Any]) -> None:
    """One event, one line."""
    with _out_lock:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()


def listing(request: dict[str, Any]) -> dict[str, Any]:
    """Resolve the revision to a commit, and list the files at the top of that commit."""
    from huggingface_hub import HfApi, constants  # noqa: PLC0415
    from huggingface_hub.hf_api import RepoFile  # noqa: PLC0415

    token, endpoint = request["token"] or False, request["endpoint"] or constants.ENDPOINT
    api = HfApi(endpoint=endpoint, token=token, headers=AGENT)
    found = api.model_info(request["id"], revision=request["revision"], timeout=PATIENCE)
    tree = api.list_repo_tree(request["id"], revision=found.sha)
    files = [
        {"name": file.path, "size": file.size, "git": None if file.lfs else file.blob_id,
         "sha256": file.lfs.sha256 if file.lfs else None}
        for file in tree if isinstance(file, RepoFile)
    ]  # fmt: skip
    return {"commit": found.sha, "endpoint": endpoint, "files": files}


def fetch(request: dict[str, Any]) -> dict[str, Any]:
    """Bring files by commit into their part files, going on where an earlier try stopped."""
    from huggingface_hub import constants  # noqa: PLC0415

    constants.DOWNLOAD_CHUNK_SIZE = CHUNK
    stop = threading.Event()
    pool = ThreadPoolExecutor(AT_ONCE)
    jobs = [pool.submit(_file, request, file, stop) for file in request["files"]]
    try:
        for job in as_completed(jobs):
            job.result()
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
    return {}


def _file(request: dict[str, Any], file: dict[str, Any], stop: threading.Event) -> None:
    """One file; a connection that breaks is made again as long as bytes come."""
    from huggingface_hub import hf_hub_url  # noqa: PLC0415
    from huggingface_hub.file_download import http_get  # noqa: PLC0415

    url = hf_hub_url(
        request["id"], file["name"], revision=request["commit"], endpoint=request["endpoint"]
    )
    # Compressed bytes could not be gone on with from the middle.
    headers = {**AGENT, "Accept-Encoding": "identity"}
    if request["token"]:
        headers["authorization"] = f"Bearer {request['token']}"
    tries = TRIES
    while True:
        with Part(file["part"], file["size"], stop) as part:
            try:
                http_get(url, part, resume_size=part.have, headers=headers,
                         expected_size=file["size"])  # fmt: skip
            except Exception as error:
                tries = TRIES if part.seek(0, os.SEEK_END) > part.have else tries - 1
                if kind(error) != "offline" or not tries:
                    error.add_note(file["name"])
                    raise
            else:
                return
        time.sleep(1)


def kind(error: BaseException) -> str:
    """What went wrong, in one of the words of `pipeline.hub`: its messages stay in here."""
    names = [cls.__name__ for cls in type(error).__mro__]
    for name, word in (
        ("GatedRepoError", "gated"), ("RepositoryNotFoundError", "missing"),
        ("DisabledRepoError", "gated"), ("RevisionNotFoundError", "revision"),
        ("EntryNotFoundError", "file"), ("HFValidationError", "id"), ("TooMuch", "size"),
        ("TransportError", "offline"), ("OfflineModeIsEnabled", "offline"),
    ):  # fmt: skip
        if name in names:
            return word
    if "HfHubHTTPError" in names:
        return {401: "denied", 403: "denied", 404: "missing"}.get(status(error), "server")
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return "disk"
        # What http_get raises for a file that ended before its listed size has no number.
        return "size" if error.errno is None else "other"
    return "odd" if isinstance(error, KeyError | TypeError | ValueError) else "other"


def status(error: BaseException) -> int:
    """Give the HTTP status, 0 where there was none."""
    found = getattr(getattr(error, "response", None), "status_code", 0)
    return found if isinstance(found, int) else 0


def _listen(requests: queue.SimpleQueue[str]) -> None:
    """Pass requests on, and end the process, whatever it does, when the asker is gone."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def main() -> None:
    """Answer requests, one line each, until standard input closes or one fails."""
    does: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "listing": listing, "fetch": fetch,
    }  # fmt: skip
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=[requests], daemon=True).start()
    try:
        while True:
            request = json.loads(requests.get())
            say({"done": does[request["do"]](request)})
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:  # noqa: BLE001  told by kind: texts of libraries hold URLs
        what = "".join(getattr(error, "__notes__", [])[:1]) or type(error).__name__
        say({"error": kind(error), "status": status(error), "what": what})
    os._exit(0)  # threads that still wait for the network must not be waited for


if __name__ == "__main__":
    main()
