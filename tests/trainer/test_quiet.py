"""Trackers that lie in the environment are not there to the libraries."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.train, pytest.mark.slow]

SCRIPT = """
from trainer.quiet import quiet
quiet()
import bitsandbytes, peft, transformers, trl
from trl import SFTTrainer
print("end")
"""


def test_a_tracker_in_the_environment_is_never_imported(tmp_path):
    for name in ("wandb", "mlflow", "comet_ml", "kernels"):
        (tmp_path / f"{name}.py").write_text(f"print('imported {name}')\nrun = None\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(tmp_path), "PATH": "", "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert done.stdout == "end\n", done.stderr[-500:]
