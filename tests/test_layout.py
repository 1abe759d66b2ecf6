"""The house: imports one way, torch in one place, generic names fenced."""

import ast
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ("scrubbers", "validators", "trainer", "pipeline")
HEAVY = (
    "onnxruntime",
    "tokenizers",
    "spacy",
    "pandas",
    "datasets",
    "transformers",
    "torch",
    "presidio_analyzer",
    "pandera",
    "numpy",
)


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            names.add("relative")
    return names


@pytest.mark.parametrize("floor", FLOORS)
def test_no_import_goes_up(floor: str) -> None:
    above = set(FLOORS[FLOORS.index(floor) + 1 :])
    for path in (ROOT / floor).rglob("*.py"):
        assert not imports_of(path) & above, f"{path} imports upward"
        assert "relative" not in imports_of(path), f"{path} imports relatively"


@pytest.mark.parametrize("floor", ["scrubbers", "validators", "pipeline"])
def test_torch_is_imported_in_the_trainer_alone(floor: str) -> None:
    for path in (ROOT / floor).rglob("*.py"):
        assert "torch" not in imports_of(path), path


def test_modules_and_functions_stay_small() -> None:
    for floor in FLOORS:
        for path in (ROOT / floor).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert text.count("\n") <= 330, f"{path} is longer than a person holds in the head"
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and node.end_lineno:
                    assert node.end_lineno - node.lineno < 50, f"{path}: {node.name}"


SEALED = ("train", "compare", "export")
HELP = [["--help"], *([verb, "--help"] for verb in ("audit", "prep", "plan", "pull", *SEALED))]


@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from pipeline.cli import run; run(sys.argv[1:]); "
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip().splitlines()[-1] == "[]"


@pytest.mark.parametrize("verb", ["train", "compare", "export"])
def test_what_is_sealed_starts_no_thread_before(verb: str) -> None:
    code = (
        f"import os; import pipeline.cli, pipeline.{verb}, trainer.seal; "
        "from pipeline.cli_shared import load_config; load_config(None, needed=False, files=False); "
        "print(len(os.listdir('/proc/self/task')))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "1"  # a network namespace is for processes of one thread


def test_the_hook_imports_no_model_library(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text('{"prompt": "Is JSON fine?", "completion": "Yes, in March."}\n')
    heavy = tuple(name for name in HEAVY if name != "numpy")
    code = (
        "import sys; from pipeline.cli import run; print(run(sys.argv[1:])); "
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, "audit", "--fast", str(data)],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert out.stdout.strip().splitlines()[-2:] == ["0", "[]"]


def test_each_import_name_has_one_owner() -> None:
    owners = packages_distributions()
    for name in FLOORS:
        assert set(owners.get(name, ["privatune"])) == {"privatune"}


@pytest.mark.slow
def test_the_wheel_holds_the_four_packages_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == set(FLOORS)


def test_a_clash_of_names_is_told(tmp_path: Path) -> None:
    (tmp_path / "validators").mkdir()
    (tmp_path / "validators" / "__init__.py").write_text("")
    out = subprocess.run(
        [sys.executable, "-m", "pipeline", "--help"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert out.returncode == 2
    assert "validators" in out.stderr
    assert "environment of its own" in out.stderr
