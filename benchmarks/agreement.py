"""Labelled chats through `prep`: what agreed before still agrees, people and values stay apart.

    python benchmarks/agreement.py DATA_DIR [--own] [--given] [--keep FOLDER]

DATA_DIR holds chat_gold_*.jsonl and score_agreement.py (format: the README there). Each file goes
through the command twice: with its labelled spans as findings (`prep --findings`), and with the
tool's own detection. Counted are the labelled pairs between user and answer; for each label the
entities that have one surrogate in all their forms, and different ones apart; names that still
stand in their owner's e-mail or user name; quarantined records. Failures are places, never values.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from scrubbers.entities import BALANCED, LABELS
from scrubbers.jsontext import leaves

Row = dict[str, Any]
Failure = tuple[str, str, str, int]
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})
CONFIG = (
    "data: {{inputs: [records.jsonl], output: out, max_quarantine: 1.0}}\n"
    "privacy: {{policy: {policy}, unscanned_languages: keep{more}}}\n"
)


@dataclass
class Mention:
    """One labelled span: what stood there, and what stands there now (None: not shipped)."""

    record: str
    label: str
    entity: str
    path: str
    old: str
    new: str | None = None


@dataclass
class Score:
    """Counts of one run: kept of all, by name; and where it failed."""

    kept: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    failures: dict[str, list[Failure]] = field(default_factory=lambda: defaultdict(list))

    def count(self, name: str, failure: Failure, *, good: bool) -> None:
        self.total[name] += 1
        self.kept[name] += good
        if not good:
            self.failures[name].append(failure)


# ---- running


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def findings_of(gold: Sequence[Row]) -> Row:
    """The labelled spans as findings, version 1."""
    found = [
        {"file": "records.jsonl", "record": number, "path": span["path"], "start": span["start"],
         "end": span["end"], "type": span["label"], "detector": "gold"}
        for number, one in enumerate(gold, start=1)
        for span in one["spans"]
        if span["label"] in LABELS
    ]  # fmt: skip
    return {"version": 1, "findings": found, "inputs": {"records.jsonl": None}}


def prepare(folder: Path, gold: Sequence[Row], *, given: bool, dates: str) -> None:
    texts = [json.dumps({"id": g["id"], **g["record"]}, ensure_ascii=False) for g in gold]
    (folder / "records.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    more = f", dates: {dates}" if dates else ""
    (folder / "privatune.yaml").write_text(
        CONFIG.format(policy="strict" if given else "balanced", more=more), encoding="utf-8"
    )
    command = [sys.executable, "-m", "pipeline", "prep", "--quiet"]
    if given:
        (folder / "findings.json").write_text(json.dumps(findings_of(gold)), encoding="utf-8")
        command += ["--findings", "findings.json"]
    environment = {"PRIVATUNE_KEY": secrets.token_hex(32), **os.environ}
    done = subprocess.run(command, check=False, env=environment, cwd=folder)
    if done.returncode not in (0, 1):  # 1: a gate said no, and left its report
        raise SystemExit(f"prep ended with {done.returncode}")


def kept_folder(folder: Path) -> Path:
    """`keep/`, or what a refused run left."""
    return folder / "out/keep" if (folder / "out").is_dir() else folder / "out.refused"


def shipped(folder: Path) -> dict[str, str]:
    """id -> line, of both splits."""
    lines = [
        line
        for split in ("train", "holdout")
        for line in (folder / f"out/ship/{split}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return {json.loads(line)["id"]: line for line in lines}


# ---- where a labelled span stands in what was written


def spans_now(folder: Path, gold: Sequence[Row], *, given: bool) -> list[Mention]:
    """Every labelled span with its text before and after."""
    new, where, edits = shipped(folder), _lineage(folder), _edits(folder)
    mentions = []
    for number, one in enumerate(gold, start=1):
        old = _texts(json.dumps({"id": one["id"], **one["record"]}))
        now = _texts(new[one["id"]]) if one["id"] in new else None
        for path, spans in _by_path(one["spans"]).items():
            moved = edits.get((*where[number], path), []) if now is not None else []
            known = [(s["start"], s["end"]) for s in spans] if given else None
            moves = _moves(old[path], now[path], moved, known) if now is not None else []
            for span in spans:
                text = old[path][span["start"] : span["end"]]
                mention = Mention(one["id"], span["label"], span["entity"], path, text)
                if now is not None:
                    first = _moved(moves, span["start"], last=False)
                    mention.new = now[path][first : _moved(moves, span["end"], last=True)]
                mentions.append(mention)
    return mentions


def _by_path(spans: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for span in sorted(spans, key=lambda span: span["start"]):
        found[span["path"]].append(span)
    return found


def _texts(line: str) -> dict[str, str]:
    from pipeline.places import place_of  # noqa: PLC0415

    found = (x for x in leaves(line) if x.inner_steps is None and x.kind != "key")
    return {place_of(leaf)["path"]: leaf.text for leaf in found}


def _lineage(folder: Path) -> dict[int, tuple[str, int]]:
    told = rows(kept_folder(folder) / "lineage.jsonl")[1:]
    return {row["source"]["record"]: (row["split"], row["record"]) for row in told}


def _edits(folder: Path) -> dict[tuple[str, int, str], list[tuple[int, int]]]:
    found: dict[tuple[str, int, str], list[tuple[int, int]]] = defaultdict(list)
    for row in rows(kept_folder(folder) / "edits.jsonl")[1:]:
        if row["kind"] != "key":
            found[row["split"], row["record"], row["path"]].append((row["start"], row["end"]))
    return {key: sorted(spans) for key, spans in found.items()}


def _moves(
    old: str, new: str, edits: Sequence[tuple[int, int]], known: Sequence[tuple[int, int]] | None
) -> list[tuple[int, int, int, int]]:
    """Old start and end, new start and end of each edit. `known`: the old ones, where given.

    Else they are found again by what no edit touched, which is the same in both texts; where that
    is a lone space, by the number of words.
    """
    if known is not None:
        return [(*before, *after) for before, after in zip(known, edits, strict=True)]
    pattern, at = "", 0
    for first, last in edits:
        words = r"\s+".join(r"\S+?" for _ in new[first:last].split())
        pattern += f"{re.escape(new[at:first])}({words}|.+?)"
        at = last
    found = re.fullmatch(pattern + re.escape(new[at:]), old, re.DOTALL)
    if found is None:
        raise SystemExit("an edit does not stand where edits.jsonl says")
    return [(*found.span(n), *edit) for n, edit in enumerate(edits, start=1)]


def _moved(moves: Sequence[tuple[int, int, int, int]], at: int, *, last: bool) -> int:
    """An offset of the old text in the new one; inside an edit its near or far end."""
    shift = 0
    for start, end, first, beyond in moves:
        if start < at < end or (at == start and not last) or (at == end and last):
            return beyond if last else first
        if at >= end:
            shift = beyond - end
    return at + shift


# ---- what is counted


def alnum(text: str) -> str:
    """Letters and digits alone, without case, accents and escapes."""
    text = re.sub(r"\\\\*u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    folded = unicodedata.normalize("NFKD", text).casefold().replace("ß", "ss")
    return "".join(c for c in folded if c.isalnum())


def words_of(text: str) -> list[str]:
    return [w for w in (alnum(word) for word in re.split(r"[\W_]+", text)) if w]


def digits_of(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isdecimal())


def alike(label: str, one: str, other: str) -> bool:
    """Whether two texts can be forms of one value."""
    a, b = sorted((alnum(one), alnum(other)), key=len)
    if not a or a in b:
        return bool(a)
    if label == "PHONE":
        return _tails(digits_of(one), digits_of(other), 8)
    if label in ("DATE", "DOB"):
        return _one_date(one, other)
    if label in ("CARD", "IBAN", "NATIONAL_ID", "BANK_ACCOUNT"):
        return b.endswith(a) or b.startswith(a)
    return _words_fit(words_of(one), words_of(other))


def _tails(one: str, other: str, length: int) -> bool:
    length = min(length, len(one), len(other))
    return length > 0 and one[-length:] == other[-length:]


def _one_date(one: str, other: str) -> bool:
    """Every number of the shorter form stands in the other, years by their last two digits."""
    few, many = sorted((_numbers(one), _numbers(other)), key=len)
    return bool(few) and not few - many


def _numbers(text: str) -> Counter[int]:
    return Counter(int(number) % 100 for number in re.findall(r"\d+", text))


def _words_fit(one: list[str], other: list[str]) -> bool:
    """Each word of the shorter form is one of the longer one, begins one, or its initial."""
    few, many = sorted((one, other), key=len)
    return bool(few) and all(any(b.startswith(a) or a.startswith(b) for b in many) for a in few)


def entities(mentions: Sequence[Mention], score: Score) -> None:
    """One entity, one surrogate up to form; two entities of one label, two surrogates.

    Only forms that were alike before have to be alike after, and only what differed must differ.
    """
    groups: dict[tuple[str, str, str], list[Mention]] = defaultdict(list)
    for one in mentions:
        if one.new is not None:
            groups[one.record, one.label, one.entity].append(one)
    for (record, label, _), found in groups.items():
        forms = list({one.old: one for one in found}.values())
        torn = [
            (a, b) for a, b in combinations(found, 2)
            if (a.old == b.old or alike(label, a.old, b.old)) and not alike(label, a.new or "", b.new or "")
        ]  # fmt: skip
        place = torn[0][1].path if torn else found[0].path
        score.count(f"one {label}", (record, label, place, len(forms)), good=not torn)
        same = [one for one in found if one.new == one.old]
        if same:
            score.count(f"changed {label}", (record, label, same[0].path, len(forms)), good=False)
        else:
            score.count(f"changed {label}", (record, label, "", 0), good=True)
    _apart(groups, score)


def _apart(groups: dict[tuple[str, str, str], list[Mention]], score: Score) -> None:
    by_label: dict[tuple[str, str], list[list[Mention]]] = defaultdict(list)
    for (record, label, _), found in groups.items():
        by_label[record, label].append(found)
    for (record, label), several in by_label.items():
        for one, other in combinations(several, 2):
            shared = {alnum(m.old) for m in one} & {alnum(m.old) for m in other}
            if not shared:
                now = {alnum(m.new or "") for m in one} & {alnum(m.new or "") for m in other}
                place = next((m.path for m in one if alnum(m.new or "") in now), "")
                forms = len({m.old for m in [*one, *other]})
                score.count(f"apart {label}", (record, label, place, forms), good=not now)


def links(gold: Sequence[Row], mentions: Sequence[Mention], score: Score) -> None:
    """What of a name stood in its owner's e-mail or user name still stands there.

    Whole words and initials are counted apart.
    """
    found: dict[tuple[str, str], list[Mention]] = defaultdict(list)
    for one in mentions:
        if one.new is not None:
            found[one.record, one.entity].append(one)
    for record in gold:
        for person, value in record["links"]:
            for name, handle in _pairs(found[record["id"], person], found[record["id"], value]):
                before, after = (
                    _shared(name.old, handle.old),
                    _shared(name.new or "", handle.new or ""),
                )
                for what, old, new in zip(("link", "initial"), before, after, strict=True):
                    failure = (record["id"], handle.label, handle.path, old)
                    if old:
                        score.count(f"{what} {handle.label}", failure, good=new >= old)


def _pairs(
    names: Sequence[Mention], handles: Sequence[Mention]
) -> Iterator[tuple[Mention, Mention]]:
    """Each form of the handle with the longest form of the name."""
    names = [name for name in names if name.label == "PERSON"]
    if names:
        whole = max(names, key=lambda name: len(name.old))
        once = {one.old: one for one in handles if one.label in ("EMAIL", "USERNAME")}
        yield from ((whole, one) for one in once.values())


def _shared(name: str, handle: str) -> tuple[int, int]:
    """How many words of the name stand in the local part, and how many initials of others."""
    local = handle.partition("@")[0]
    parts = {alnum(part) for part in re.split(r"[\W\d_]+", local) if part}
    words = initials = 0
    for word in re.split(r"[\W_]+", name):
        forms = {alnum(word), alnum(word.translate(UMLAUTS))} - {""}
        stands = any(len(form) > 2 and form in alnum(local) for form in forms)
        words += stands
        initials += not stands and any(form[:1] in parts for form in forms)
    return words, initials


# ---- telling


def direct_pairs(data: Path, gold: Path, folder: Path) -> tuple[dict[str, Any], list[Any]]:
    """Scored by the corpus's own script."""
    path = data / "score_agreement.py"
    spec = importlib.util.spec_from_file_location("score_agreement", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path}: not found")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    outputs = [folder / f"out/ship/{split}.jsonl" for split in ("train", "holdout")]
    result: tuple[dict[str, Any], list[Any]] = scorer.score(gold, outputs)
    return result


def tell(data: Path, gold: Path, folder: Path, *, given: bool) -> None:
    title = "labelled findings" if given else "own detection"
    print(f"\n== {gold.name}: {title}")
    lost = rows(kept_folder(folder) / "quarantine.jsonl")[1:]
    records = rows(gold)
    reasons = Counter(reason for row in lost for reason in row["reasons"])
    print(f"quarantined {len(lost)} of {len(records)}: {dict(reasons)}")
    for row in lost:
        print(f"  lost {records[row['record'] - 1]['id']}: {', '.join(row['reasons'])}")
    if not (folder / "out").is_dir():
        report = json.loads((folder / "out.refused/report.json").read_text(encoding="utf-8"))
        failed = [g for g in report["gates"] if g["state"] == "failed"]
        print("refused:", *(f"{g['name']}: {g['message']};" for g in failed))
        return
    pairs, failed = direct_pairs(data, gold, folder)
    for kind, (held, total) in pairs.items():
        print(f"{kind + ' pairs':22} {held:4} of {total:4}  {100 * held / max(total, 1):5.1f} %")
    for failure in failed:
        print("  pair", *failure)
    score = Score()
    mentions = spans_now(folder, records, given=given)
    if not given:  # what the default policy keeps is not judged
        mentions = [m for m in mentions if LABELS[m.label][0] in BALANCED]
    entities(mentions, score)
    links(records, mentions, score)
    sums = _summed(score)
    for name in [*sums, *sorted(score.total.keys() - sums)]:
        held, total = score.kept[name], score.total[name]
        print(f"{name:22} {held:4} of {total:4}  {100 * held / total:5.1f} %")
    for name, failures in sorted(score.failures.items()):
        for record, label, path, forms in failures:
            print(f"  {name}: {record} {label} {path} ({forms} forms)")


def _summed(score: Score) -> list[str]:
    """Add a sum over all labels to each kind of count."""
    kinds = sorted({name.partition(" ")[0] for name in score.total})
    for kind in kinds:
        names = [name for name in score.total if name.startswith(f"{kind} ")]
        score.total[f"all {kind}"] = sum(score.total[name] for name in names)
        score.kept[f"all {kind}"] = sum(score.kept[name] for name in names)
    return [f"all {kind}" for kind in kinds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--own", action="store_true", help="own detection alone")
    parser.add_argument("--given", action="store_true", help="labelled findings alone")
    parser.add_argument("--dates", default="", help="privacy.dates of the run")
    parser.add_argument("--keep", type=Path, help="a folder for the runs' own folders")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for gold in sorted(asked.data.glob("chat_gold_*.jsonl")):
            if gold.stem.endswith("_flat"):
                continue
            for given in (True, False):
                if asked.given not in {asked.own, given}:
                    continue  # one of the two was asked for, and it is the other
                how = "given" if given else "own"
                folder = (asked.keep or Path(name)) / f"{gold.stem}_{how}"
                folder.mkdir(parents=True)
                prepare(folder, rows(gold), given=given, dates=asked.dates)
                tell(asked.data, gold, folder, given=given)


if __name__ == "__main__":
    main()
