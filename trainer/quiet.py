"""Keep the libraries quiet: no bars or lines of their own, no tracker that happens to be there."""

from __future__ import annotations

import os
import sys
import warnings
from logging import getLogger

# Packages that libraries import where they find them, to report a run or to fetch kernels. To an
# import they are not there; one that something has imported before stays.
HIDDEN = (
    "wandb", "comet_ml", "mlflow", "clearml", "swanlab", "neptune", "dagshub", "azureml", "dvclive",
    "codecarbon", "trackio", "flytekit", "tensorboard", "tensorboardX", "kernels",
)  # fmt: skip


def quiet() -> None:
    """Call before torch's friends are imported, and again after: some read it then, some later."""
    os.environ["TRANSFORMERS_VERBOSITY"] = "error"
    os.environ["TQDM_DISABLE"] = "1"
    # bitsandbytes warns that it found no package to fetch CPU kernels with; triton and Liger of
    # kernels for other makers' cards.
    for name in ("bitsandbytes", "liger_kernel", "torch", "peft", "accelerate"):
        getLogger(name).setLevel("ERROR")
    for name in HIDDEN:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # None: cannot be imported
    for kind in (FutureWarning, UserWarning, DeprecationWarning):
        warnings.simplefilter("ignore", kind)
