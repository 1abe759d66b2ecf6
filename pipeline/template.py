"""The template that production renders with: its text, and how a prepared folder names it."""

from __future__ import annotations

import hashlib

from pipeline.config import Config

NAMED = ("chat", "alpaca", "alpaca-fr", "plain")


def template_of(config: Config) -> str:
    """Its name, or the text of its file."""
    template = config.contract.template
    if template.file is not None:
        return template.file.read_text(encoding="utf-8")
    return template.name or "chat"


def template_mark(config: Config) -> str:
    """Its name; of a file, `sha256:` and the hash of its bytes."""
    template = config.contract.template
    if template.file is None:
        return template.name or "chat"
    return f"sha256:{hashlib.sha256(template.file.read_bytes()).hexdigest()}"
