"""Keep the libraries from writing to the terminal: bars of their own, and lines that may name rows."""

from __future__ import annotations

import os
import warnings
from logging import getLogger


def quiet() -> None:
    """Call before torch's friends are imported, and again after: some read it then, some later."""
    os.environ["TRANSFORMERS_VERBOSITY"] = "error"
    os.environ["TQDM_DISABLE"] = "1"
    # bitsandbytes warns that it found no package to fetch CPU kernels with; triton and Liger of
    # kernels for other makers' cards.
    for name in ("bitsandbytes", "liger_kernel", "torch", "peft", "accelerate"):
        getLogger(name).setLevel("ERROR")
    for kind in (FutureWarning, UserWarning, DeprecationWarning):
        warnings.simplefilter("ignore", kind)
