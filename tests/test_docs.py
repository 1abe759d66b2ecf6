"""The documents are true where a machine can tell: commands, options, modules, links, words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import typer

from pipeline import folder
from pipeline.cli import app
from pipeline.config import GATES
from pipeline.reading import REASONS
from scrubbers.entities import ENTITY_TYPES

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "sample_data").glob("*.md")]
)
TEXTS = [*PAGES, *(p for p in (ROOT / "sample_data").rglob("*") if p.is_file()), ROOT / "Makefile"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
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
