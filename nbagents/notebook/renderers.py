"""What the views of payloads say to Python, and what they ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.runs.record import Run

__all__ = ["answer_ask", "take_emit"]


def take_emit(run: Run, kind: str, value: JsonValue) -> None:
    """Take what the person did in a payload's view; in any thread, so it runs no code of theirs."""
    del run
    if kind == "map":
        from nbagents.notebook.maps import take_user_move  # noqa: PLC0415  a run showed a map

        take_user_move(value)


def answer_ask(run: Run, kind: str, question: JsonValue) -> JsonValue:
    """Answer what a payload's view asks for.

    Raises:
        LookupError: No renderer of this kind answers questions.
    """
    del run, question
    raise LookupError(f"The renderer of {kind!r} answers no questions.")
