"""Switches that keep the libraries underneath from calling out; set before any of them is imported.

`ORT_DISABLE_TELEMETRY`: ONNX Runtime's Linux builds since 1.29 post to a collector unless it or
`CI` is set. `TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS`, empty: tldextract, which Presidio's e-mail
recogniser asks, downloads the public suffix list. The `HF_` ones are read by the Hugging Face
libraries when they are imported. The second half is for what may stand beside the trainer; what
each guards is in `trainer/seal/guards.py`. The values differ because their readers do: some take
any truth, some compare with one word.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

SWITCHES: Mapping[str, str] = {
    "ORT_DISABLE_TELEMETRY": "1",
    "TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS": "",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "DISABLE_SAFETENSORS_CONVERSION": "1",
    "USE_HUB_KERNELS": "0",
    "TOKENIZERS_PARALLELISM": "false",
    "DISABLE_KUBEFLOW_INTEGRATION": "TRUE",
    "DISABLE_MLFLOW_INTEGRATION": "TRUE",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "WANDB_MODE": "disabled",
    "COMET_MODE": "DISABLED",
    "CLEARML_OFFLINE_MODE": "1",
    "SWANLAB_MODE": "disabled",
    "DVC_NO_ANALYTICS": "1",
    "AXOLOTL_DO_NOT_TRACK": "1",
    "UNSLOTH_DISABLE_STATISTICS": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_DO_NOT_TRACK": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "OLLAMA_NO_CLOUD": "1",
}


def silence() -> None:
    """Set every switch in this process's environment, which its workers inherit.

    urllib3, which comes along with several libraries, binds a socket when it is imported to see
    whether there is IPv6; it does not where Python says that there is none.
    """
    os.environ.update(SWITCHES)
    socket.has_ipv6 = False
