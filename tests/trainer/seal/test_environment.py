"""Switches, tokens and caches: set before any import, resolved after, wiped at the end."""

import json
from pathlib import Path

from scrubbers.switches import SWITCHES
from tests.trainer.seal.inside import ROOT, process, refusal, sealed
from trainer.seal.environment import UNSET
from trainer.seal.guards import EXERCISED, GUARDS, NOT_EXERCISED
from trainer.seal.hook import PROGRAMS

TOKEN = "hf_madeUpForThisTest"
SILENT = {"TOKENIZERS_PARALLELISM"}  # no network: it stops a warning about forks


def test_every_switch_has_a_guard_and_a_line_in_the_docs() -> None:
    page = (ROOT / "docs" / "seal.md").read_text()
    assert {guard.switch for guard in GUARDS} == set(SWITCHES) - SILENT
    for guard in GUARDS:
        (row,) = [
            x
            for x in page.splitlines()
            if x.startswith(f"| `{guard.switch}={SWITCHES[guard.switch]}` |")
        ]
        assert f"`{guard.library}`" in row
        assert (EXERCISED if guard.tested else NOT_EXERCISED) in row, row
    for name in (*UNSET, *PROGRAMS):
        assert f"`{name}`" in page, name


def test_names_that_report_or_hide_are_taken_out_and_children_do_not_see_them() -> None:
    code = """
import os, subprocess, sys
R['own'] = [name for name in NAMES if name in os.environ]
R['child'] = subprocess.run([sys.executable, '-c', 'import os; print(*os.environ)'], capture_output=True, text=True).stdout.split()
"""
    before = f"NAMES = {UNSET!r}"
    result = sealed(code, before=before, env=dict.fromkeys(UNSET, TOKEN))
    assert result["own"] == []
    assert set(result["child"]).isdisjoint(UNSET)
    assert set(result["child"]) >= set(SWITCHES)
    assert sorted(result["seal"]["unset"]) == sorted(UNSET)
    assert TOKEN not in json.dumps(result["seal"])


def test_a_user_who_switched_them_on_is_overruled() -> None:
    code = "import huggingface_hub, datasets; S.confirm()"
    env = {"HF_HUB_OFFLINE": "0", "HF_DATASETS_OFFLINE": "0", "HF_UPDATE_DOWNLOAD_COUNTS": "1"}
    seal = sealed(code, env=env)["seal"]
    rows = {row["switch"]: row for row in seal["switches"]}
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_UPDATE_DOWNLOAD_COUNTS"):
        assert rows[name]["holds"] is True, name
        assert rows[name]["state"] == EXERCISED
    assert rows["VLLM_NO_USAGE_STATS"]["holds"] is None
    assert rows["VLLM_NO_USAGE_STATS"]["state"] == NOT_EXERCISED


def test_a_library_that_read_other_values_before_is_refused() -> None:
    words = refusal("", before="import huggingface_hub.constants", env={"HF_HUB_OFFLINE": "0"})
    assert "HF_HUB_OFFLINE" in words
    assert "loaded before the seal" in words


def test_a_library_that_caches_elsewhere_is_refused() -> None:
    before = "from scrubbers.switches import silence; silence(); import datasets.config"
    assert "with a cache outside the run" in refusal("", before=before)


def test_a_constant_that_changes_later_is_refused_and_told() -> None:
    code = """
import huggingface_hub.constants as constants
constants.HF_HUB_OFFLINE = False
try: S.confirm()
except seal.SealError as told: R['words'] = str(told)
"""
    result = sealed(code)
    assert "HF_HUB_OFFLINE" in result["words"]
    rows = {row["switch"]: row["holds"] for row in result["seal"]["switches"]}
    assert rows["HF_HUB_OFFLINE"] is False


def test_caches_lie_in_the_run_and_are_gone_after(tmp_path: Path) -> None:
    code = (
        "import datasets\n"
        "rows = datasets.Dataset.from_list([{'a': 1}])\n"
        "rows.save_to_disk(str(datasets.config.HF_DATASETS_CACHE / 'rows'))\n"
        "R['cache'] = str(datasets.config.HF_DATASETS_CACHE)\n"
        "R['there'] = (datasets.config.HF_DATASETS_CACHE / 'rows').is_dir()"
    )
    env = {"HF_DATASETS_CACHE": "/nowhere/else"}
    result = sealed(code, f"caches=__import__('pathlib').Path({str(tmp_path)!r})", env=env)
    assert result["there"] is True
    assert Path(result["cache"]).is_relative_to(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_forked_child_that_ends_leaves_the_caches(tmp_path: Path) -> None:
    code = (
        "import os, sys\nchild = os.fork()\nif child == 0: sys.exit(0)\n"
        "os.waitpid(child, 0)\nR['there'] = S.caches.is_dir()"
    )
    assert sealed(code)["there"] is True


def test_entering_loads_no_library_of_models_or_data() -> None:
    code = (
        "import sys\nfrom trainer import seal\nseal.enter()\n"
        "print([m for m in ('torch', 'transformers', 'datasets', 'numpy', 'huggingface_hub') if m in sys.modules])"
    )
    assert process(code).stdout.strip() == "[]"
