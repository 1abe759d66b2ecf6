"""The environment of a sealed run: switches, no tokens, caches of its own that are wiped after."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from scrubbers.switches import silence
from trainer.seal.fault import SealError
from trainer.seal.guards import Unresolved, constant, open_switches

UNSET = (
    # A token that nobody reads cannot be sent.
    "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGINGFACE_HUB_TOKEN", "HUGGINGFACE_TOKEN",
    "HF_API_TOKEN", "HF_TOKEN_PATH", "HF_OIDC_RESOURCE", "HF_OIDC_ID_TOKEN",
    "WANDB_API_KEY", "COMET_API_KEY", "CLEARML_API_ACCESS_KEY", "CLEARML_API_SECRET_KEY",
    "NEPTUNE_API_TOKEN", "SWANLAB_API_KEY", "MLFLOW_TRACKING_TOKEN", "MLFLOW_TRACKING_PASSWORD",
    # Set, it makes libraries keep quiet: what a test in CI sees would not be what a user gets.
    "CI", "TRANSFORMERS_IS_CI",
    # Places that a trainer or a request reports to when they are there.
    "KUBEFLOW_TRAINER_SERVER_URL", "KUBEFLOW_TRAINER_SERVER_TOKEN",
    "ECS_CONTAINER_METADATA_URI", "ECS_CONTAINER_METADATA_URI_V4",
    "MLFLOW_TRACKING_URI", "TRACKIO_SPACE_ID",
)  # fmt: skip
# Rows stay in such caches as Arrow files. HF_HOME also holds the stored token.
CACHES: Mapping[str, str] = {
    "HF_HOME": "",
    "HF_HUB_CACHE": "hub",
    "HUGGINGFACE_HUB_CACHE": "hub",
    "HF_ASSETS_CACHE": "assets",
    "HF_XET_CACHE": "xet",
    "HF_DATASETS_CACHE": "datasets",
    "HF_MODULES_CACHE": "modules",
}
KEPT_AT = ("huggingface_hub.constants:HF_HOME", "datasets.config:HF_DATASETS_CACHE")
# systemd-resolved looks names up on behalf of others; nss-resolve(8). Not for verbs that fetch.
NO_RESOLVER: Mapping[str, str] = {"SYSTEMD_NSS_RESOLVE_NETWORK": "0"}
# Ranks on one machine: loopback is all there is.
LOOPBACK: Mapping[str, str] = {
    "GLOO_SOCKET_IFNAME": "lo",
    "NCCL_SOCKET_IFNAME": "lo",
    "NCCL_IB_DISABLE": "1",
}


def prepare(caches: Path) -> list[str]:
    """Set and unset; return the names that were set and are not any more.

    Raises SealError when a library already read other values than these.
    """
    silence()
    gone = [name for name in UNSET if os.environ.pop(name, None) is not None]
    for name, folder in CACHES.items():
        os.environ[name] = str(caches / folder)
    _refuse_early_readers(caches)
    return gone


def _refuse_early_readers(caches: Path) -> None:
    wrong = open_switches()
    if wrong:
        raise SealError(
            f"{', '.join(wrong)}: a library was loaded before the seal and read other values. "
            "Unset them, and load no library of models or data before the command."
        )
    for path in KEPT_AT:
        try:
            place = Path(str(constant(path)))
        except Unresolved:
            continue
        if not place.is_relative_to(caches):
            raise SealError(
                f"{path.partition('.')[0]} was loaded before the seal, with a cache outside the "
                "run. Enter the seal before anything loads it."
            )
