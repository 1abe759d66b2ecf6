"""Two CPU processes of one run, through torch's own launcher, inside one sealed parent."""

from pathlib import Path

import pytest

from tests.trainer.seal.inside import has, sealed

pytestmark = [pytest.mark.slow, pytest.mark.train]

RANK = """
import json, pathlib, sys
from trainer import seal
S = seal.enter(require="kernel", peers=["localhost"])
import torch
import torch.distributed as group
group.init_process_group("gloo")
mine = torch.tensor([group.get_rank() + 1.0])
group.all_reduce(mine)
told = {"sum": mine.item(), "level": S.level, "attempts": S.evidence()["attempts"]}
pathlib.Path(sys.argv[1], str(group.get_rank())).write_text(json.dumps(told))
group.destroy_process_group()
"""


def test_two_ranks_add_up_over_loopback_inside_the_seal(tmp_path: Path) -> None:
    if not has("namespace"):
        return
    (tmp_path / "rank.py").write_text(RANK)
    code = f"""
import json, pathlib, subprocess, sys
launcher = [sys.executable, '-m', 'torch.distributed.run', '--nproc-per-node', '2',
            '--master-addr', '127.0.0.1', '--master-port', '29511', {str(tmp_path / "rank.py")!r}]
out = pathlib.Path({str(tmp_path)!r})
done = subprocess.run([*launcher, str(out)], capture_output=True, text=True)
R['code'], R['words'] = done.returncode, done.stderr[-2000:]
R['ranks'] = [json.loads((out / n).read_text()) for n in '01' if (out / n).exists()]
"""
    result = sealed(code, "require='kernel', peers=['localhost']")
    assert result["code"] == 0, result["words"]
    assert result["ranks"] == [{"sum": 3.0, "level": "namespace", "attempts": []}] * 2
