"""What is measured: the product, the tagger alone, and the peers; each from texts to spans."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from benchmarks import quality_models as peers
from benchmarks.quality_corpora import SHORT
from scrubbers.catalog import NAMES, TAGGER, chosen
from scrubbers.detect import Detector, DetectorSettings, build
from scrubbers.finding import Finding
from scrubbers.jsontext import leaves
from scrubbers.language import detect_language
from scrubbers.passage import Passage
from scrubbers.record_scan import scan_records
from scrubbers.tagger.card import CARD, MODEL, card, checked
from scrubbers.tagger.model import loaded
from scrubbers.weights import checked_folder, sha256_of, versions

PACKAGES = (
    "presidio-analyzer", "spacy", "onnxruntime", "tokenizers", "lingua-language-detector",
    "phonenumbers", "python-stdnum", "numpy",
)  # fmt: skip


class NoTagger(Exception):
    """There is no model of the tagger to measure."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where models lie that are no part of the product.

    `model`: another tagger, a folder with its card or an ONNX file, None for the product's own. For
    a file, `base`: the folder of its tokenizer, None for that of the multilingual model, and
    `floor`: the least probability that counts. `spacy`: a folder or package of a whole English model, for Presidio.
    """

    model: Path | None = None
    base: Path | None = None
    floor: float = 0.5
    spacy: str = "en_core_web_md"


@dataclass(frozen=True, slots=True)
class System:
    """A way to find spans, a sentence about it, and the models behind it: name -> version, hash."""

    find: peers.Finder
    models: Mapping[str, str]


def product(_: Options) -> System:
    """Default settings, over records of one text each: rules, models, propagation."""
    settings = DetectorSettings()
    return System(scanning(build(settings), settings.languages), models_of(settings.detectors))


def rules(_: Options) -> System:
    """The product without models, as the hook runs it."""
    settings = DetectorSettings(detectors=("rules",))
    return System(scanning(build(settings), settings.languages), {})


def scanning(detector: Detector, languages: Sequence[str]) -> peers.Finder:
    """A scan of each text as the one value of a record, like `audit` of a file of texts."""

    def find(texts: Sequence[str]) -> peers.Found:
        records = [leaves(json.dumps({"text": text}, ensure_ascii=False)) for text in texts]
        found: peers.Found = []
        for seen in scan_records(records, detector, languages):
            spans = []
            for index, finding in seen.findings:
                leaf = seen.leaves[index]
                if leaf.kind != "key" or leaf.inner_steps is not None:
                    start, end = leaf.outer_span(finding.start, finding.end)
                    spans.append({"start": start, "end": end, "label": SHORT[finding.type]})
            found.append(spans)
        return found

    return find


def tagger(options: Options) -> System:
    """The tagger alone: a given model, or the product's own. Raises NoTagger."""
    if options.model:
        return trial(options.model, options)
    if TAGGER not in NAMES:
        raise NoTagger("The product has no tagger in this version: name a model with --model.")
    detector = build(DetectorSettings(detectors=(TAGGER,)))

    def find(texts: Sequence[str]) -> peers.Found:
        passages = [Passage(text, detect_language(text)) for text in texts]
        return [[as_span(one) for one in findings] for findings in detector(passages)]

    return System(find, models_of([TAGGER]))


def trial(model: Path, options: Options) -> System:
    """A model that is not in the product: a folder with its card, or what training writes."""
    digest = sha256_of(model) if model.is_file() else peers.folder_sha256(model)
    models = {model.name: f"sha256:{digest}"}
    if (model / CARD).is_file():
        run = loaded(model, checked(model))

        def find(texts: Sequence[str]) -> peers.Found:
            return [
                [{"start": one.start, "end": one.end, "label": one.type} for one in found]
                for found in run(texts)
            ]

        return System(find, models)
    from tagger.tag import Tagger  # noqa: PLC0415  not in the wheel; brings torch for a checkpoint

    return System(Tagger(model, options.base or checked_folder("rampart"), options.floor), models)


def models_of(detectors: Sequence[str]) -> dict[str, str]:
    """The models behind some detectors, with versions and hashes."""
    models = versions([weights for row in chosen(detectors) for weights in row.weights])
    return models | ({TAGGER: f"sha256:{card().sha256[MODEL]}"} if TAGGER in detectors else {})


def as_span(finding: Finding) -> peers.Span:
    """A finding with the corpora's short name."""
    return {"start": finding.start, "end": finding.end, "label": SHORT[finding.type]}


def onnx(_: Options) -> System:
    """The multilingual model as it is."""
    return System(peers.onnx(), versions(["rampart"]))


def presidio(options: Options) -> System:
    """Presidio as its users set it up. Raises ModelMissing."""
    folder = peers.spacy_folder(options.spacy)
    models = {"spaCy en md": f"sha256:{peers.folder_sha256(folder)}"}
    return System(peers.presidio(options.spacy), models)


def union(options: Options) -> System:
    """What either of those two finds. Raises ModelMissing."""
    one, two = onnx(options), presidio(options)
    return System(peers.union(one.find, two.find), {**one.models, **two.models})


SYSTEMS: Mapping[str, Callable[[Options], System]] = {
    "product": product, "tagger": tagger, "rules": rules, "presidio": presidio, "onnx": onnx,
    "union": union,
}  # fmt: skip


def packages() -> dict[str, str]:
    """Versions of what runs underneath."""
    return {name: metadata.version(name) for name in PACKAGES}
