"""Evidence for names, places, organisations and dates by spaCy's NER, English and French."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from scrubbers import weights
from scrubbers.entities import LABELS
from scrubbers.evidence import Hit
from scrubbers.heavy import load_spacy
from scrubbers.passage import Passage
from scrubbers.windows import Window, windows

# language -> the weights whose NER speaks it. French is optional: used when it is installed.
MODELS = {"en": "en-md", "fr": "fr-md"}
# For the other languages the English model still votes: it acts on nothing alone there, but
# where it and the ONNX model agree on a capitalised word they are right 9 times in 10.
VOTER = "en-md"

# spaCy refuses more than 1,000,000 characters (E088) and keeps about 1 KB a token; its network
# sees 9 tokens around a word, so the overlap is far beyond what a seam could change.
WINDOW = 20_000
OVERLAP = 400
# One text a batch: the sums of a network can differ with what else is in the batch, and a
# record's findings may not depend on its neighbours or on the number of workers. (Larger
# batches were no more than 20 % faster.)
BATCH = 1
# spaCy gives no score; measured precision on chats lies near this.
SCORE = 0.85

UNUSED = ["tok2vec", "tagger", "parser", "senter", "attribute_ruler", "lemmatizer",
          "morphologizer"]  # fmt: skip


@cache
def native(language: str) -> bool:
    """Whether an installed model speaks that language."""
    return language in MODELS and weights.is_installed(MODELS[language])


def languages() -> tuple[str, ...]:
    """The languages in which spaCy's findings may stand alone."""
    return tuple(language for language in MODELS if native(language))


def evidence(passages: Sequence[Passage]) -> list[list[Hit]]:
    """Hits with our entity types as groups, in text order. Raises ModelsMissing."""
    found: list[list[Hit]] = [[] for _ in passages]
    jobs: dict[str, list[tuple[int, Window]]] = {}
    for place, passage in enumerate(passages):
        if not any(map(str.isalpha, passage.text)):
            continue
        name = MODELS[passage.language] if native(passage.language) else VOTER
        for window in windows(passage.text, WINDOW, OVERLAP):
            jobs.setdefault(name, []).append((place, window))
    for name, listed in jobs.items():
        texts = (passages[place].text[w.start : w.end] for place, w in listed)
        for (place, window), doc in zip(listed, _pipeline(name).pipe(texts), strict=True):
            found[place] += _hits(doc, window)
    return found


def _hits(doc: Any, window: Window) -> Iterator[Hit]:
    for entity in doc.ents:
        start = entity.start_char + window.start
        known = LABELS.get(entity.label_)
        if known and window.core_start <= start < window.core_end:
            yield Hit(start, entity.end_char + window.start, known[0], SCORE)


@cache
def _pipeline(name: str) -> _Pipe:
    folder = weights.checked_folder(name)
    return _Pipe(load_spacy().load(folder, exclude=UNUSED))


class _Pipe:
    """A loaded spaCy pipeline, NER alone."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp

    def pipe(self, texts: Iterator[str]) -> Iterator[Any]:
        """Docs in the order of the texts."""
        with self._nlp.memory_zone():
            yield from self._nlp.pipe(texts, batch_size=BATCH)
