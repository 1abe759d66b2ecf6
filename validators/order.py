"""The order of the turns of one conversation: system first, user and assistant in turn, tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from validators.faults import Fault, fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validators.turns import Turn


def check_order(turns: Sequence[Turn]) -> list[Fault]:
    """List what is wrong with the order; turns of unknown role are left out of it."""
    known = [turn for turn in turns if turn.role != "unknown"]
    found = _check_system(known)
    talk = [turn for turn in known if turn.role != "system"]
    for before, turn in zip([None, *talk], talk, strict=False):
        problem = _check_pair(before, turn)
        if problem:
            found.append(problem)
    return found + _check_end(talk)


def _check_system(turns: Sequence[Turn]) -> list[Fault]:
    return [
        fault("order-system", turn.path, "A system turn stands after the first turn: move it to "
              "the top or join it with the first one.")
        for turn in turns[1:]
        if turn.role == "system"
    ]  # fmt: skip


def _check_pair(before: Turn | None, turn: Turn) -> Fault | None:
    if turn.role == "tool":
        return _check_tool(before, turn)
    if before is None:
        if turn.role == "user":
            return None
        return fault("order-first", turn.path, "The conversation starts with an answer: most "
                     "templates want a user turn first. Add it or drop this turn.")  # fmt: skip
    if before.role == "assistant" and before.calls:
        return fault("tool-result-missing", turn.path, "The turn before calls a tool, but no tool "
                     "result follows: add the result or drop the call.")  # fmt: skip
    expected = "assistant" if before.role in ("user", "tool") else "user"
    if turn.role == expected:
        return None
    return fault("order-repeat", turn.path, f"Expected a turn of role {expected} here, found "
                 f"{turn.role} after {before.role}: join the two turns or add the one between."
                 )  # fmt: skip


def _check_tool(before: Turn | None, turn: Turn) -> Fault | None:
    called = before is not None and (before.role == "tool" or before.calls > 0)
    if called:
        return None
    return fault("tool-result-alone", turn.path, "A tool result without a tool call before it: "
                 "add the assistant's call or drop the result.")  # fmt: skip


def _check_end(talk: Sequence[Turn]) -> list[Fault]:
    answers = [turn for turn in talk if turn.role == "assistant"]
    if not answers:
        place = talk[-1].path if talk else ""
        return [fault("answer-missing", place, "No turn of the assistant: there is nothing to "
                      "learn. Add the answer or drop the record.")]  # fmt: skip
    if talk[-1].role != "assistant":
        return [fault("answer-not-last", talk[-1].path, "The last turn is not the assistant's: "
                      "add the answer or cut the conversation after the last one.")]  # fmt: skip
    return []
