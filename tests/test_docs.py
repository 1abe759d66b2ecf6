"""The documents are true where a machine can tell: commands, options, modules, links, words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import typer

from pipeline import compare_words, folder, run_folder
from pipeline.cli import app
from pipeline.config import GATES
from pipeline.reading import REASONS
from pipeline.sections_train import Lora, Train
from scrubbers.entities import ENTITY_TYPES
from trainer import llama_cpp
from trainer.advice import ADVICE
from trainer.examples import Stats
from trainer.job import Outcome
from trainer.recipe import COMPACT, REFERENCE, Recipe

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "sample_data").glob("*.md")]
)
TEXTS = [*PAGES, *(p for p in (ROOT / "sample_data").rglob("*") if p.is_file()), ROOT / "Makefile"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
TRAINING = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
# The page that explains a verb's every option; those that all verbs share are in the README.
PAGE_OF = {
    "train": "training.md",
    "plan": "planning.md",
    "pull": "models-local.md",
    "compare": "comparing.md",
    "export": "serving.md",
}
SHARED = {"--help", "--config", "--quiet", "--json"}
# The hosts that a page may name: specifications, no registry and no forge.
HOSTS = {"keepachangelog.com", "json-schema.org", "semver.org", "www.w3.org", "www.rfc-editor.org"}


def commands(command: Any, path: str = "privatune") -> list[tuple[str, Any]]:
    """Every command that `--help` shows, with its whole name."""
    inner = getattr(command, "commands", None)
    if inner is not None:
        shown = {name: one for name, one in inner.items() if not one.hidden}
        return [row for name, one in shown.items() for row in commands(one, f"{path} {name}")]
    return [(path, command)]


COMMANDS = commands(typer.main.get_command(app))


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_command_and_option_is_in_the_readme(name: str, command: Any) -> None:
    words = name.split()
    assert " ".join(words[:2]) in README
    assert f"`{words[-1]}`" in README or name in README
    for parameter in command.params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                assert f"`{option}" in README or f" {option}" in README, option


@pytest.mark.parametrize("verb", PAGE_OF)
def test_every_option_of_training_is_on_its_page(verb: str) -> None:
    page = (ROOT / "docs" / PAGE_OF[verb]).read_text(encoding="utf-8")
    command = dict(COMMANDS)[f"privatune {verb}"]
    options = {option for parameter in command.params for option in parameter.opts}
    missing = [o for o in sorted(options - SHARED) if o.startswith("--") and f"`{o}" not in page]
    assert missing == [], PAGE_OF[verb]


def rows(page: str, head: str) -> list[list[str]]:
    """The cells of the table under a head line."""
    lines = page[page.index(head) :].splitlines()[2:]
    taken = lines[: next((i for i, line in enumerate(lines) if not line.startswith("|")), None)]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in taken]


def test_the_two_recipes_are_those_of_the_code() -> None:
    def cell(recipe: Recipe, key: str) -> str:
        value = getattr(recipe, key.rsplit(".", maxsplit=1)[-1])
        return ", ".join(value) if isinstance(value, tuple) else f"{value}".removesuffix(".0")

    told = rows(TRAINING, "| setting | `reference` | `compact` | key |")
    for _, first, second, key in told:
        assert [first, second] == [cell(REFERENCE, key), cell(COMPACT, key)], key
    settings = {f"train.{name}" for name in (set(Recipe.__slots__) - {"preset", "max_length"})}
    assert {key.replace("lora.", "") for *_, key in told} == settings | {"tokens.max_length"}


def test_the_page_about_training_has_every_key() -> None:
    names = [f"train.{n}" for n in Train.model_fields if n != "lora"]
    names += [f"train.lora.{n}" for n in Lora.model_fields]
    assert [name for name in names if f"`{name}`" not in TRAINING] == []


def test_what_the_page_quotes_is_what_the_product_says() -> None:
    said = [
        *ADVICE.values(),
        *compare_words.ADVICE.values(),
        llama_cpp.BUILD,
        *((ROOT / "trainer" / name).read_text("utf-8") for name in ("gguf.py", "examples.py")),
    ]
    start = TRAINING.index("## What the run says, and when")
    quotes = re.findall(r"(?<![*\w])\*([^*|]+)\*(?!\*)", TRAINING[start:])
    assert len(quotes) > 10
    assert [quote for quote in quotes if not any(quote in words for words in said)] == []
    told = {code for code in ADVICE if ADVICE[code].split(". ")[0].split(":")[0] in TRAINING}
    assert set(ADVICE) - told == {"thinks-apart"}, "said in other words on the page"


def test_formats_name_the_fields_of_a_run() -> None:
    names = {*Outcome.__slots__, *Stats.__slots__, *run_folder.SAME, "status", "reason", "seal"}
    files = {name.strip("/") for name in run_folder.OURS if not name.startswith(".")}
    missing = [
        n for n in sorted(names) if f"`{n}`" not in FORMATS and f"`result.{n}`" not in FORMATS
    ]
    assert missing == []
    assert [n for n in sorted(files) if f"`{n}`" not in FORMATS and f"`{n}/`" not in FORMATS] == []


def test_the_readme_names_no_command_that_does_not_exist() -> None:
    known = {name for name, _ in COMMANDS}
    later = README.index("## Not in this version")
    for verb in re.findall(r"^privatune (\w+)|`privatune (\w+)", README[:later], re.MULTILINE):
        assert any(name.split()[1] in verb for name in known), verb


@pytest.mark.parametrize("package", ["scrubbers", "validators", "trainer", "pipeline"])
def test_every_module_has_its_line_on_the_map(package: str) -> None:
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    modules = [p.relative_to(ROOT).as_posix() for p in (ROOT / package).rglob("*.py")]
    missing = [m for m in modules if not m.endswith("__init__.py") and f"`{m}`" not in page]
    assert missing == [], "add one line each to docs/design.md"


def test_the_map_names_no_module_or_test_that_is_gone() -> None:
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:scrubbers|validators|trainer|pipeline|tests)/[\w/]+\.py)`", page)
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_formats_name_every_file_reason_and_type() -> None:
    files = (*folder.KEPT, *(f"{split}.jsonl" for split in folder.SPLITS))
    for name in (*files, folder.MANIFEST, folder.SIGNATURE, *(f"unreadable:{r}" for r in REASONS)):
        assert f"`{name}`" in FORMATS, name
    settings = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert [name for name in (*ENTITY_TYPES, *GATES) if f"`{name}`" not in settings] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target
    for host in (urlsplit(url).hostname for url in re.findall(r"https?://[^\s)>`\"]+", text)):
        assert host in HOSTS, host


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: p.name)
def test_no_machine_and_no_workshop_is_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.~$/:-])/(?:home|root|tmp|work|mnt|Users|opt)\b", text)
    # Put together here, so that the words do not stand in the repository themselves.
    words = (
        "sub" + "agent",
        "chat" + "gpt wrote",
        "co-" + "authored-by",
        "language " + "model wrote",
    )
    assert not [word for word in words if word in text.casefold()]
    assert not re.search(
        r"(?i)\bno personal data\b",
        re.sub(r"(?is)(?:not|never).{0,60}?\bno personal data", "", text),
    )
