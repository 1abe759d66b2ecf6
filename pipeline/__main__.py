"""The doors of the house: `privatune`, and the bare `prep` and `train` that users chain."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("scrubbers", "validators", "trainer", "pipeline")


def _home_of(name: str) -> str:
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return str(Path(places[0]).resolve().parent) if places else ""


def fence() -> str | None:
    """A sentence when another distribution took one of our four generic names, else None."""
    homes = {name: _home_of(name) for name in PACKAGES}
    ours = homes["pipeline"]
    for name, home in homes.items():
        if home != ours:
            where = home or "nowhere"
            return (
                f"privatune: the package '{name}' was found in {where}, not beside the others in "
                f"{ours}. Another distribution uses that name: install privatune in an "
                "environment of its own."
            )
    return None


def _run(arguments: list[str]) -> int:
    fault = fence()
    if fault:
        sys.stderr.write(fault + "\n")
        return 2
    from pipeline.cli import run  # noqa: PLC0415  after the fence, so that a clash is told

    return run(arguments)


def main() -> None:
    """The command `privatune`."""
    sys.exit(_run(sys.argv[1:]))


def prep() -> None:
    """The command `prep`: short for `privatune prep`."""
    sys.exit(_run(["prep", *sys.argv[1:]]))


def train() -> None:
    """The command `train`: short for `privatune train`."""
    sys.exit(_run(["train", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
