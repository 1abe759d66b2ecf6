"""Corpora that the tagger is trained on and measured with, by name; their texts stay outside.

A row says which labels a corpus annotates: what it does not annotate is masked out of the loss.
Licences allow training and shipping a model; share-alike, non-commercial and research-only ones
are not here. A fifth of each, by document (Presidio's by template), is its dev part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tagger.labels import EVERY, TYPES

Row = dict[str, Any]
COPY = re.compile(r"(-(low|medium|high))?(-robustness.*)?\Z")
DEV = 5  # one document of so many
BYTE = 2  # of a document's hash: the one by which every corpus's part is nearest to a fifth


@dataclass(frozen=True)
class Corpus:
    """A file, its licence, the labels that it annotates, and how often it is read."""

    name: str
    licence: str
    annotated: frozenset[str]
    weight: float = 1.0


def labels(text: str) -> frozenset[str]:
    """A set of labels, from words."""
    return frozenset(text.split())


# What a text of this kind would hold only with a label: to find it there is a mistake to learn from.
ACCOUNTS = labels("IBAN CARD BANK_ACCOUNT PASSPORT LICENCE_PLATE PASSWORD SECRET IP")
NAMES = labels("PERSON LOCATION ORG") | ACCOUNTS
PROSE = NAMES | labels("EMAIL PHONE NATIONAL_ID USERNAME MEDICAL_ID")
TRAINED = (
    Corpus("presidio_v1_half_a", "MIT", EVERY - labels("OTHER_ID"), 1.5),
    Corpus("presidio_v2_half_a", "MIT", EVERY - labels("OTHER_ID"), 1.5),
    Corpus("plpii_pl_a", "CC BY 4.0", EVERY - labels("IP DATE URL"), 1.5),
    Corpus("tab_en_train_dev", "MIT", PROSE | labels("DATE OTHER_ID ADDRESS")),
    Corpus("echr_es_projected", "MIT", PROSE - labels("LOCATION ORG"), 0.4),
    Corpus("echr_fr_projected", "MIT", PROSE - labels("LOCATION ORG"), 0.4),
    Corpus(
        "meddocan_es_train_dev", "CC BY 4.0",
        ACCOUNTS | labels("PERSON LOCATION MEDICAL_ID ADDRESS DATE DOB EMAIL OTHER_ID ORG PHONE USERNAME"),
    ),
    Corpus("eds_pseudo_fr_a", "BSD-3-Clause", EVERY - labels("OTHER_ID URL"), 3.0),
    Corpus("ler_de_legal", "CC BY 4.0", PROSE | labels("ADDRESS")),
    Corpus("lener_pt_legal", "MIT", PROSE | labels("DATE")),
    Corpus("sec_filings_train", "CC BY 3.0", NAMES - labels("BANK_ACCOUNT"), 0.5),
    Corpus("lifebench_en_a", "Apache-2.0", NAMES | labels("PHONE OTHER_ID"), 0.4),
    Corpus("wnut17_train_dev", "CC BY 4.0", PROSE | labels("URL ADDRESS"), 2.5),
    Corpus("btc_twitter_a_f", "CC BY 4.0", PROSE | labels("URL ADDRESS"), 2.5),
    Corpus("wikigold_en", "CC BY 4.0", PROSE | labels("ADDRESS OTHER_ID"), 1.5),
    Corpus("ronec_ro_valid", "MIT", PROSE | labels("DATE ADDRESS OTHER_ID")),
    Corpus("norne_nb", "CC0 (annotations)", PROSE | labels("ADDRESS OTHER_ID"), 1.5),
    Corpus("swedish_ner", "CC BY 4.0", PROSE - labels("LOCATION ORG"), 1.0),
)  # fmt: skip
# Never trained on: they judge.
JUDGES = (
    "chat_gold_a_flat", "instruct_labelled_a", "presidio_values_a", "pii_nano_en_a",
    "grascco_de_phi_a", "wikineural_en_val", "wikineural_es_val", "wikineural_fr_val",
    "wikineural_it_val", "wikineural_nl_val",
)  # fmt: skip


def documents(folder: Path, name: str) -> Iterator[Row]:
    """The documents of a corpus as they are."""
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def rows(folder: Path, name: str) -> Iterator[Row]:
    """The documents of a corpus, without spans of labels that the tagger does not know."""
    for row in documents(folder, name):
        row["spans"] = [span for span in row["spans"] if span["label"] in TYPES]
        yield row


def is_dev(row: Row) -> bool:
    """Whether a document belongs to the dev part: by its template or id, never by its place.

    Copies of one document (the Polish corpus has some that are damaged, and three degrees of each)
    go where it goes.
    """
    template = (row.get("meta") or {}).get("template")
    mark = str(template or COPY.sub("", row["id"])).encode()
    return blake2b(mark, digest_size=8).digest()[BYTE] % DEV == 0


def dev(folder: Path, name: str) -> list[Row]:
    """The dev part of a corpus that is trained on."""
    return [row for row in rows(folder, name) if is_dev(row)]


def train(folder: Path, name: str) -> list[Row]:
    """What the model may see of a corpus."""
    return [row for row in rows(folder, name) if not is_dev(row)]
