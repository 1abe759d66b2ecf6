"""spaCy and Presidio, imported without what they drag in and without their network calls.

Presidio registers a spaCy factory, so that spaCy imports Presidio, and Presidio imports
transformers (and with it torch), stanza and GLiNER wherever they are installed, as optional
parts. None is used here; importing them costs seconds and hundreds of MiB for each worker.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

UNUSED = ("transformers", "torch", "stanza", "gliner", "langextract")
# tldextract, which Presidio's e-mail recogniser asks, downloads the public suffix list unless
# this variable is there, and empty, before its import; then it takes the copy in its package.
SUFFIX_LISTS = "TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS"


def load_spacy() -> ModuleType:
    """The spacy module, with Presidio's factory already resolved."""
    load_presidio()
    import spacy  # noqa: PLC0415  only under the guard around it

    return spacy


def load_presidio() -> ModuleType:
    """The presidio_analyzer module; its log, which quotes text at DEBUG, is switched off."""
    os.environ[SUFFIX_LISTS] = ""
    logging.getLogger("presidio-analyzer").disabled = True
    with _absent(UNUSED), _no_probe():
        import presidio_analyzer  # noqa: PLC0415  only under the guard around it
        import spacy  # noqa: PLC0415  only under the guard around it

        spacy.util.registry.factories.get_all()
    _forbid_fetching()
    return presidio_analyzer


def _forbid_fetching() -> None:
    """Also where tldextract was imported before us; and keep its cache out of HOME."""
    from tldextract import TLDExtract, tldextract  # noqa: PLC0415  only under the guard around it

    tldextract.TLD_EXTRACTOR = TLDExtract(cache_dir=None, suffix_list_urls=())


@contextmanager
def _no_probe() -> Iterator[None]:
    """Keep urllib3, which comes along, from binding a socket to see whether there is IPv6."""
    has_ipv6, socket.has_ipv6 = socket.has_ipv6, False
    try:
        yield
    finally:
        socket.has_ipv6 = has_ipv6


@contextmanager
def _absent(names: tuple[str, ...]) -> Iterator[None]:
    """Make the import of modules that are not loaded yet fail, as if not installed."""
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # the import system's own marker
    try:
        yield
    finally:
        for name in hidden:
            if sys.modules.get(name) is None:
                sys.modules.pop(name, None)
