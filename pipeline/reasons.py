"""Why a record is not written, and what of it was not read, as far as its findings tell."""

from __future__ import annotations

from collections.abc import Mapping

from scrubbers.record_scan import RecordFindings


def policy_reasons(
    found: RecordFindings, actions: Mapping[str, str], unscanned: str
) -> tuple[str, ...]:
    """Types that the policy quarantines; under `unscanned` "quarantine" also what was not read."""
    reasons = {f"policy:{f.type}" for _, f in found.findings if actions[f.type] == "quarantine"}
    if unscanned == "quarantine":
        reasons |= {reason for _, reason in found.unscanned}
    return tuple(sorted(reasons))


def unscanned(found: RecordFindings) -> tuple[tuple[str, str], ...]:
    """Leaves that were not read, and why."""
    return tuple(sorted({(f"leaf {index}", reason) for index, reason in found.unscanned}))
