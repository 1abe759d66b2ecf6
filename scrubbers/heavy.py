"""spaCy and Presidio, imported without what they drag in and without their network calls.

Presidio registers a spaCy factory, so that spaCy imports Presidio, and Presidio imports
transformers (and with it torch), stanza and GLiNER wherever they are installed, as optional
parts. None is used here; importing them costs seconds and hundreds of MiB for each worker.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from scrubbers.switches import silence

UNUSED = ("transformers", "torch", "stanza", "gliner", "langextract")


def load_spacy() -> ModuleType:
    """The spacy module, with Presidio's factory already resolved."""
    load_presidio()
    import spacy  # noqa: PLC0415  only under the guard around it

    return spacy


def load_presidio() -> ModuleType:
    """The presidio_analyzer module; its log, which quotes text at DEBUG, is switched off."""
    silence()
    logging.getLogger("presidio-analyzer").disabled = True
    with _absent(UNUSED):
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
