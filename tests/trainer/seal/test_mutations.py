"""Each switch whose code path is installed, turned off: the seal must stop something then.

Several switches may guard one path. With all of them off something is stopped; with any one of
them on, nothing is. So each is seen to work, and the seal is seen to catch what it guards.
"""

from dataclasses import dataclass

import pytest

from tests.trainer.seal.inside import sealed
from trainer.seal.guards import GUARDS

pytestmark = [pytest.mark.slow, pytest.mark.train]

OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
QUIET = ("HF_HUB_DISABLE_TELEMETRY", "DISABLE_TELEMETRY", "DO_NOT_TRACK")

TRAINER = """
import tempfile, datasets, tokenizers, transformers, trl
from huggingface_hub.utils import _telemetry
words = tokenizers.Tokenizer(tokenizers.models.WordLevel({'a': 0, 'b': 1, 'end': 2}, unk_token='a'))
words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, eos_token='end', pad_token='end')
config = transformers.LlamaConfig(
    vocab_size=4, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1)
args = trl.SFTConfig(output_dir=tempfile.mkdtemp(), use_cpu=True, bf16=False, max_steps=1, report_to='none')
trainer = trl.SFTTrainer(
    model=transformers.LlamaForCausalLM(config), args=args, processing_class=tokenizer,
    train_dataset=datasets.Dataset.from_list([{'text': 'a b'}] * 4))
_telemetry._TELEMETRY_QUEUE.join()
"""


@dataclass(frozen=True)
class Path:
    """What is tried, by whom, and the switches of which each alone keeps it quiet."""

    by: str  # the module that is told
    switches: tuple[str, ...]
    code: str


PATHS = {
    "the hub's usage count": Path(
        "huggingface_hub.utils._telemetry",
        (*QUIET, *OFFLINE),
        "from huggingface_hub.utils import _telemetry, send_telemetry\n"
        "send_telemetry('made-up/topic')\n_telemetry._TELEMETRY_QUEUE.join()",
    ),
    "a question to the hub": Path(
        "huggingface_hub.",
        OFFLINE,
        "import huggingface_hub\n"
        "try: huggingface_hub.HfApi().model_info('made-up/model')\nexcept Exception: pass",
    ),
    "a list that the hub keeps of its callers": Path(
        "huggingface_hub.utils._detect_agent",
        OFFLINE,
        "from huggingface_hub.utils import _detect_agent\n_detect_agent._fetch_registry()",
    ),
    "the version query of the hub's command": Path(
        "huggingface_hub.cli._cli_utils",
        ("HF_HUB_DISABLE_UPDATE_CHECK", *OFFLINE),
        "from huggingface_hub.cli._cli_utils import check_cli_update\n"
        "check_cli_update('huggingface_hub')",
    ),
    "the count of a loader of local files": Path(
        "datasets.",
        ("HF_DATASETS_OFFLINE", "HF_UPDATE_DOWNLOAD_COUNTS", *OFFLINE),
        "import datasets\nrows = S.caches / 'rows.jsonl'\nrows.write_text('{\"a\": 1}\\n')\n"
        "datasets.load_dataset('json', data_files=str(rows), split='train')",
    ),
    "the usage count of TRL's trainers": Path(
        "huggingface_hub.utils._telemetry", (*QUIET, *OFFLINE), TRAINER
    ),
    "metrics to a cluster's server": Path(
        "transformers.integrations.integration_utils",
        ("DISABLE_KUBEFLOW_INTEGRATION",),
        "import os, transformers\n"
        "from transformers.integrations.integration_utils import KubeflowCallback\n"
        "os.environ['KUBEFLOW_TRAINER_SERVER_URL'] = 'http://collector.example'\n"
        "token = S.caches / 'service'\ntoken.write_text('x')\n"
        "os.environ['KUBEFLOW_TRAINER_SERVER_TOKEN'] = str(token)\n"
        "args = transformers.TrainingArguments(output_dir='unused', report_to='none', use_cpu=True)\n"
        "if 'kubeflow' in args.report_to:\n"
        "    KubeflowCallback()._update_status(metrics={'loss': 1}, force=True)",
    ),
    "the list of domain endings": Path(
        "tldextract.",
        ("TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS",),
        "import tldextract\n"
        "try: tldextract.TLDExtract(cache_dir=None)('mail.example.co.uk')\nexcept Exception: pass",
    ),
}
# The trainer takes ten seconds to make: one switch of each kind, the others are seen without it.
ALONE = [
    (name, switch)
    for name, path in PATHS.items()
    for switch in path.switches
    if path.code is not TRAINER or switch in (QUIET[0], OFFLINE[0])
]
# Guarded, but shown in other ways below or in tests/test_egress.py.
ELSEWHERE = {
    "HF_HUB_DISABLE_IMPLICIT_TOKEN",
    "DISABLE_SAFETENSORS_CONVERSION",
    "ORT_DISABLE_TELEMETRY",
}


def stopped(path: Path, *, left_on: str | None = None) -> list[str]:
    """What was stopped of the path, with its switches off but one."""
    off = sorted({*path.switches} - {left_on})
    turned = f"import os\nfor name in {off!r}: del os.environ[name]\n"
    # With `CI` set TRL would keep quiet, and a test in CI would prove nothing: the seal unsets it.
    attempts = sealed(turned + path.code, env={"CI": "true"})["seal"]["attempts"]
    return [row["what"] for row in attempts if row["where"].startswith(path.by)]


@pytest.mark.parametrize("name", PATHS)
def test_with_its_switches_off_the_seal_stops_it(name: str) -> None:
    assert stopped(PATHS[name]) == ["socket.getaddrinfo"]


@pytest.mark.parametrize(("name", "switch"), ALONE)
def test_each_of_its_switches_alone_keeps_it_quiet(name: str, switch: str) -> None:
    assert stopped(PATHS[name], left_on=switch) == []


def test_a_stored_token_is_in_no_request() -> None:
    code = """
import os
(S.caches / 'token').write_text('hf_madeUpForThisTest')
for name in OFF: del os.environ[name]
from huggingface_hub.utils import build_hf_headers
R['sent'] = 'authorization' in build_hf_headers()
"""
    assert sealed(code, before="OFF = ['HF_HUB_DISABLE_IMPLICIT_TOKEN']")["sent"] is True
    assert sealed(code, before="OFF = []")["sent"] is False


CONVERSION = """
import os
for name in OFF: del os.environ[name]
import torch, transformers
root = S.caches / 'hub' / 'models--made-up--model'
folder = root / 'snapshots' / ('0' * 40)
folder.mkdir(parents=True)
(root / 'refs').mkdir()
(root / 'refs' / 'main').write_text('0' * 40)
config = transformers.LlamaConfig(
    vocab_size=4, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1)
model = transformers.LlamaForCausalLM(config)
model.config.save_pretrained(folder)
torch.save(model.state_dict(), folder / 'pytorch_model.bin')
import threading, time
begun = []
real = threading.Thread.start
threading.Thread.start = lambda self: (begun.append(self.name), real(self))[1]
time.sleep = lambda seconds: None  # between the hub's retries
try: transformers.LlamaForCausalLM.from_pretrained('made-up/model')
except Exception as told: R['told'] = type(told).__name__ + str(told)
for thread in threading.enumerate():
    if 'conversion' in thread.name: thread.join(60)
R['begun'] = [name for name in begun if 'conversion' in name]
"""


def test_no_conversion_of_weights_is_asked_for() -> None:
    """Weights of the old kind, in the cache, under a name of the hub."""
    off = ["DISABLE_SAFETENSORS_CONVERSION", *OFFLINE]
    without = sealed(CONVERSION, before=f"OFF = {off!r}")
    within = sealed(CONVERSION, before=f"OFF = {off[1:]!r}")
    assert without["begun"] != [], without
    assert within["begun"] == []
    count = [sum(row["count"] for row in r["seal"]["attempts"]) for r in (without, within)]
    assert count[0] > count[1]


def test_every_switch_that_is_called_exercised_is_in_these_tests() -> None:
    here = {switch for path in PATHS.values() for switch in path.switches}
    assert {guard.switch for guard in GUARDS if guard.tested} == here | ELSEWHERE
