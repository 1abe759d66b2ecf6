"""Which programs may be started: what compiles kernels, under any name that systems give it."""

import pytest

from trainer.seal.hook import PROGRAMS, Rules, _may_start

RULES = Rules(local=False, peers=frozenset(), listening=False, programs=PROGRAMS, python=False)


@pytest.mark.parametrize(
    "program",
    ["gcc", "/usr/bin/gcc-13", "x86_64-linux-gnu-gcc", "aarch64-linux-gnu-g++-12", "clang-18",
     "/opt/cuda/bin/ptxas", "c++"],
)  # fmt: skip
def test_a_compiler_may_be_started_under_its_names(program):
    assert _may_start(RULES, (program, [program, "-c", "x.c"], None, None))


@pytest.mark.parametrize(
    "program", ["curl", "/bin/sh", "gcc-curl", "mygcc", "gccx", "python3", "ssh-gcc/ssh", "nc"]
)
def test_nothing_else_may(program):
    assert not _may_start(RULES, (program, [program], None, None))
