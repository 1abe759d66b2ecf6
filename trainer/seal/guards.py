"""What each switch guards, and the constant in which the library keeps what it read.

The switches themselves are in `scrubbers/switches.py`; docs/seal.md has this table for readers.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib.util import find_spec

from scrubbers.switches import SWITCHES

EXERCISED, NOT_EXERCISED = "exercised", "set, not exercised"
Resolved = dict[str, str | bool | None]


@dataclass(frozen=True, slots=True)
class Guard:
    """A switch, the library that reads it and what leaves without it."""

    switch: str
    library: str  # import name
    against: str
    constant: str = ""  # "module:name" or "module:name()"; empty where it is read at each use
    expected: object = True
    tested: bool = False  # a test turns it off and sees the seal stop something


HUB = "huggingface_hub"
CONSTANTS = "huggingface_hub.constants:"
TRACKERS = "transformers.integrations.integration_utils:"
NO_TELEMETRY = CONSTANTS + "HF_HUB_DISABLE_TELEMETRY"

GUARDS: tuple[Guard, ...] = (
    Guard("HF_HUB_OFFLINE", HUB, "every request to the hub", CONSTANTS + "HF_HUB_OFFLINE", tested=True),
    Guard("TRANSFORMERS_OFFLINE", HUB, "the same, by its older name", CONSTANTS + "HF_HUB_OFFLINE", tested=True),
    Guard("HF_HUB_DISABLE_TELEMETRY", HUB, "usage counts, TRL's too", NO_TELEMETRY, tested=True),
    Guard("DISABLE_TELEMETRY", HUB, "the same, by another name", NO_TELEMETRY, tested=True),
    Guard("DO_NOT_TRACK", HUB, "the same, by the common name", NO_TELEMETRY, tested=True),
    Guard("HF_HUB_DISABLE_IMPLICIT_TOKEN", HUB, "the stored token in each request", CONSTANTS + "HF_HUB_DISABLE_IMPLICIT_TOKEN", tested=True),
    Guard("HF_HUB_DISABLE_UPDATE_CHECK", HUB, "the command line's version query", CONSTANTS + "HF_HUB_DISABLE_UPDATE_CHECK", tested=True),
    Guard("HF_DATASETS_OFFLINE", "datasets", "fetching of data sets and scripts", "datasets.config:HF_HUB_OFFLINE", tested=True),
    Guard("HF_UPDATE_DOWNLOAD_COUNTS", "datasets", "a count for each loader, local files too", "datasets.config:HF_UPDATE_DOWNLOAD_COUNTS", expected=False, tested=True),
    Guard("DISABLE_SAFETENSORS_CONVERSION", "transformers", "model name and token to a conversion service", tested=True),
    Guard("DISABLE_KUBEFLOW_INTEGRATION", "transformers", "all metrics to a cluster's server", TRACKERS + "is_kubeflow_available()", expected=False, tested=True),
    Guard("DISABLE_MLFLOW_INTEGRATION", "mlflow", "metrics and parameters to a tracker", TRACKERS + "is_mlflow_available()", expected=False),
    Guard("USE_HUB_KERNELS", "kernels", "code fetched from the hub and run", "transformers.integrations.hub_kernels:_kernels_enabled", expected=False),
    Guard("TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS", "tldextract", "a list fetched at the first e-mail address", tested=True),
    Guard("ORT_DISABLE_TELEMETRY", "onnxruntime", "usage events to a collector", tested=True),
    Guard("MLFLOW_DISABLE_TELEMETRY", "mlflow", "usage events"),
    Guard("WANDB_MODE", "wandb", "configuration, metrics and facts about the host"),
    Guard("COMET_MODE", "comet_ml", "metrics, sent from its import on"),
    Guard("CLEARML_OFFLINE_MODE", "clearml", "metrics and parameters to a tracker"),
    Guard("SWANLAB_MODE", "swanlab", "metrics and parameters to a tracker"),
    Guard("DVC_NO_ANALYTICS", "dvc", "usage events"),
    Guard("AXOLOTL_DO_NOT_TRACK", "axolotl", "configuration and errors, which may quote rows"),
    Guard("UNSLOTH_DISABLE_STATISTICS", "unsloth", "facts about the host, at each model load"),
    Guard("VLLM_NO_USAGE_STATS", "vllm", "facts about host and model, every ten minutes"),
    Guard("VLLM_DO_NOT_TRACK", "vllm", "the same, by another name"),
    Guard("RAY_USAGE_STATS_ENABLED", "ray", "usage reports of the head node"),
    Guard("GRADIO_ANALYTICS_ENABLED", "gradio", "analytics at each launch"),
    Guard("OLLAMA_NO_CLOUD", "ollama", "models that run elsewhere"),
)  # fmt: skip


class Unresolved(Exception):
    """The library that reads the switch is not loaded, or has no such constant."""


def resolved() -> list[Resolved]:
    """What each library made of its switch, as far as it is loaded now.

    `holds` is None where it keeps no constant or is not loaded; the environment has it then.
    """
    return [_resolved(guard) for guard in GUARDS]


def open_switches() -> list[str]:
    """Switches that a loaded library read otherwise than we set them, or that were changed since."""
    return [str(row["switch"]) for row in resolved() if row["holds"] is False]


def _resolved(guard: Guard) -> Resolved:
    installed = _is_installed(guard.library)
    value = os.environ.get(guard.switch)
    row: Resolved = {
        "switch": guard.switch,
        "value": SWITCHES[guard.switch],
        "library": guard.library,
        "installed": installed,
        "state": EXERCISED if installed and guard.tested else NOT_EXERCISED,
        "constant": guard.constant or None,
        "holds": None if value == SWITCHES[guard.switch] else False,
    }
    if guard.constant and row["holds"] is None:
        try:
            row["holds"] = constant(guard.constant) == guard.expected
        except Unresolved:
            row["holds"] = None
    return row


def constant(path: str) -> object:
    """Value of "module:name" or "module:name()" of a loaded module. Raises Unresolved."""
    module, _, name = path.partition(":")
    loaded = sys.modules.get(module)
    found = getattr(loaded, name.removesuffix("()"), Unresolved)
    if loaded is None or found is Unresolved:
        raise Unresolved
    return found() if name.endswith("()") and callable(found) else found


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
