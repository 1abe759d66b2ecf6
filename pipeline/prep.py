"""`privatune prep`: raw files to a prepared folder, in two passes and one rename."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from dataclasses import replace as change
from itertools import islice
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from pipeline import folder
from pipeline.books import Books
from pipeline.config import Config
from pipeline.errors import Refused, UsageFault
from pipeline.evidence import prove
from pipeline.findings_fit import fit
from pipeline.gates import Verdict, judge
from pipeline.given import Findings, Given
from pipeline.home import Key
from pipeline.inputs import expand, is_prepared, keyed_hash, labels, read_all
from pipeline.look import name_is_plain
from pipeline.own_key import spellings
from pipeline.plan import CountTokens, build_plan, detector_settings, token_counter, versions
from pipeline.progress import bar
from pipeline.report import Report, manifest
from pipeline.report import build as build_report
from pipeline.report import write as write_report
from pipeline.scan_plan import Plan
from pipeline.settle import Settled, settle
from pipeline.spool import Spool
from pipeline.stray import folders_of, refuse_copies
from pipeline.table import Table
from pipeline.vault import NAME as VAULT
from pipeline.vault import recipient
from pipeline.violations import Tally
from pipeline.workers import Item, scan_stream
from pipeline.write import Desk, outcomes, with_tokens
from pipeline.writer import Writer
from scrubbers.detect import Detector, build
from scrubbers.keys import signing_key, subkey


@dataclass(frozen=True)
class Run:
    """One run of `prep`: what it reads, with what, and where it puts it."""

    config: Config
    key: Key
    files: list[str]
    names: list[str]
    output: Path
    work: Path
    plan: Plan
    versions: Mapping[str, Any]
    workers: int
    quiet: bool
    vault: X25519PublicKey | None
    given: Given | None = None

    @property
    def told(self) -> dict[str, Any] | None:
        """What is told of findings that were given."""
        return self.given.told() if self.given else None

    def items(self) -> Iterator[Item]:
        """All records, read anew."""
        as_messages = self.config.data.output_format == "messages"
        return read_all(self.files, as_messages=as_messages, form=self.plan.format)


def prep(
    config: Config, key: Key, *, force: bool = False, workers: int = 1, quiet: bool = False,
    findings: Findings | None = None,
) -> Report:  # fmt: skip
    """Prepare the data set that `config` describes; raises Refused when a gate says no.

    `findings`: a list of findings to carry out, instead of detection or beside it.
    """
    output = config.data.output
    files = expand(config.input_files(), output)
    _refuse_output(output, force=force)
    key = key.at(config.privacy.key_epoch)
    key.refuse_inside([output, *map(Path, files)])
    vault = recipient(config.privacy.vault)
    refuse_copies(key, folders_of(config, map(Path, files)), vault)
    settings = detector_settings(config)
    plan = change(
        build_plan(config, key.secret, config.dataset, settings),
        own_key=spellings(one.secret for one in key.all()),
    )
    work = output.parent / f".{output.name}.partial"
    with _locked(work):
        run = Run(
            config,
            key,
            files,
            labels(files, name_is_plain),
            output,
            work,
            plan,
            versions(settings),
            workers,
            quiet,
            vault,
        )
        return _prepare(_with_given(run, findings) if findings else run, force=force)


def _with_given(run: Run, findings: Findings) -> Run:
    told = fit(findings, run.key.secret, run.key.id, run.files, run.names, run.items())
    return change(run, plan=change(run.plan, given=told.mode), given=told)


def _refuse_output(output: Path, *, force: bool) -> None:
    if output.exists() and not (force and is_prepared(output)):
        more = "" if force else " `--force` replaces an earlier prepared folder."
        raise UsageFault(f"{output}: exists. Name another `data.output`, or move it away.{more}")


@contextmanager
def _locked(work: Path) -> Iterator[None]:
    """Hold the work folder alone; it stays when the run breaks, so that a scan resumes."""
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageFault(
            f"{work.parent}: cannot be written ({error.strerror}). Name another `data.output`."
        ) from None
    lock = os.open(work / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageFault(f"{work}: another `prep` writes this output now. Wait for it.") from None
    try:
        yield
    finally:
        os.close(lock)


def _prepare(run: Run, *, force: bool) -> Report:
    hash_key = subkey(run.key.secret, "input", run.config.dataset)
    hashes = {n: keyed_hash(f, hash_key) for n, f in zip(run.names, run.files, strict=True)}
    spool = _scan(run, hashes)
    settled = settle(
        spool, run.plan.surrogate_key, scope=run.plan.scope, fraction=run.config.holdout.fraction
    )
    books, table = _write(run, spool, settled, token_counter(run.config))
    for violation in prove(run.work / "new", run.plan, books.tally):
        books.tally.book(violation)
    verdict = judge(run.config, books, settled, table)
    report = build_report(run.config, books, settled, verdict, run.versions)
    write_report(report, run.work / "new" / "keep")
    if verdict.failed:
        raise Refused(_refuse(run, verdict, books.tally))
    body = manifest(report, run.config, hash_key, run.key, hashes)
    fingerprint = _seal(run, body)
    _publish(run, force=force)
    return report.sealed(fingerprint, run.output)


def _scan(run: Run, hashes: Mapping[str, str]) -> Spool:
    header = {
        "config": run.config.fingerprint(run.plan.value_key), "inputs": dict(hashes),
        "key": run.key.id, "versions": run.versions,
        "findings": run.told,
    }  # fmt: skip
    spool = Spool(run.work / "spool.jsonl", header)
    kept = spool.resume()
    numbers = {file: index for index, file in enumerate(run.files)}
    with closing(spool), bar("scanning", quiet=run.quiet) as advance:
        advance(kept)
        items = run.given.put_on(run.items(), numbers) if run.given else run.items()
        rest = islice(items, kept, None)
        for entries in scan_stream(rest, numbers, run.plan, run.workers):
            spool.append(entries)
            advance(len(entries))
    return spool


def _write(
    run: Run, spool: Spool, settled: Settled, counter: CountTokens | None
) -> tuple[Books, Table]:
    new = run.work / "new"
    shutil.rmtree(new, ignore_errors=True)
    books, table = Books(list(run.names), given=run.told), Table()
    tokens = run.config.tokens
    desk = Desk(
        run.plan, settled, _once(lambda: build(run.plan.settings)), counter, tokens.max_length,
        tokens.over_length == "drop",
    )  # fmt: skip
    with ExitStack() as stack, bar("writing", quiet=run.quiet) as advance:
        writer = Writer(new, books, stack, run.plan, run.vault)
        pairs = zip(run.items(), spool, strict=True)
        for outcome in with_tokens(outcomes(pairs, desk), desk):
            writer.write(outcome)
            table.add(outcome)
            advance()
    _write_values(new / "keep" / "values.idx", spool)
    return books, table


def _once(make: Callable[[], Detector]) -> Callable[[], Detector]:
    made: list[Detector] = []

    def get() -> Detector:
        if not made:
            made.append(make())
        return made[0]

    return get


def _write_values(path: Path, spool: Spool) -> None:
    """Keyed hashes of all originals, sorted, one a line; 16 bytes each while they are sorted."""
    import numpy as np  # noqa: PLC0415  only a whole run pays for it

    hashes = bytearray()
    for entry in spool:
        for value in entry.values:
            hashes += bytes.fromhex(value)
    distinct = np.unique(np.frombuffer(bytes(hashes), dtype="V16"))
    with path.open("w", encoding="ascii") as file:
        file.write(f"version {folder.VERSION}\n")
        file.writelines(hashed.tobytes().hex() + "\n" for hashed in distinct)


def _refuse(run: Run, verdict: Verdict, tally: Tally) -> str:
    """Leave the evidence, and no data, beside where the output would have been."""
    refused = run.output.parent / f"{run.output.name}.refused"
    shutil.rmtree(refused, ignore_errors=True)
    (run.work / "new" / "keep").rename(refused)
    for name in ("edits.jsonl", "lineage.jsonl", "pairs.jsonl", "values.idx", VAULT):
        (refused / name).unlink(missing_ok=name == VAULT)
    shutil.rmtree(run.work)
    reasons = "; ".join(f"{g.name}: {g.message}{tally.first(g.name)}" for g in verdict.failed)
    return f"{run.output}: not written. {reasons}. All places are in {refused / 'report.html'}."


def _seal(run: Run, body: dict[str, Any]) -> str:
    new = run.work / "new"
    fingerprint = folder.seal(new, body, signing_key(run.key.secret, run.config.dataset))
    folder.verify_kept(folder.verify(new))
    return fingerprint


def _publish(run: Run, *, force: bool) -> None:
    """One rename makes the folder; an earlier one is moved aside first and then removed."""
    aside = run.work / "old"
    if force and run.output.exists():
        run.output.rename(aside)
    (run.work / "new").rename(run.output)
    shutil.rmtree(run.work)
