"""What a tool returned, normalised: content for the model, payloads for the person."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nbagents.results import Bounds, CallResult, Failure, Payload, Result
from nbagents.tools.context import payload_of
from nbagents.tools.plain import clean_text, is_sequence, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.tools.tool import Tool

__all__ = ["MAX_CONTENT", "failed_result", "result_of"]

MAX_CONTENT = 100_000
"""Characters of one result that a model is given."""

MAX_PREVIEW = 140
"""Source: goadesign/goa-ai, result previews."""

NOTHING = "The tool returned no value (null)."


def result_of(tool: Tool, value: object, *, max_content: int = MAX_CONTENT) -> CallResult:
    """Normalise what a tool returned.

    Args:
        tool: The tool.
        value: What it returned: a `Result`, or anything.
        max_content: Characters that the model is given at most; the rest is cut, and it is said.
    """
    given = value if isinstance(value, Result) else None
    try:
        content = _text(given.content if given else value)
        payloads = _payloads(given.data, tool.name) if given else ()
    except Exception as error:  # noqa: BLE001  a user's __str__ may raise anything
        return failed_result(_malformed(tool, error))
    content, bounds = _bounded(content, max_content)
    return CallResult(
        content=content,
        data=given.data if given else None,
        payloads=payloads,
        has_next=_has_next(tool, given),
        preview=_one_line(given.preview) if given else None,
        bounds=bounds,
    )


def failed_result(failure: Failure) -> CallResult:
    """A call that gave no result; the model reads why."""
    status = "timed_out" if failure.kind == "timeout" else "failed"
    return CallResult(content=failure.message, failure=failure, status=status)


def _text(value: object) -> str:
    return NOTHING if value is None else text_of(value)


def _payloads(data: object, tool_name: str) -> tuple[Payload, ...]:
    if data is None:
        return ()
    if is_sequence(data) and data and all(isinstance(one, Payload) for one in data):
        return tuple(cast("Sequence[Payload]", data))
    return (payload_of(data, tool_name),)


def _has_next(tool: Tool, given: Result | None) -> bool | None:
    if given is not None and given.has_next is not None:
        return given.has_next
    return False if tool.command else None


def _bounded(content: str, max_content: int) -> tuple[str, Bounds | None]:
    total = len(content)
    if total <= max_content:
        return content, None
    note = (
        f"\n[Cut: these are the first {max_content:,} of {total:,} characters; "
        f"{total - max_content:,} are missing. Ask for less at once.]"
    )
    return content[:max_content] + note, Bounds(returned=max_content, total=total, truncated=True)


def _one_line(preview: str | None) -> str | None:
    if preview is None:
        return None
    line = " ".join(clean_text(str(preview)).split())
    return line if len(line) <= MAX_PREVIEW else line[: MAX_PREVIEW - 1] + "…"


def _malformed(tool: Tool, error: Exception) -> Failure:
    return Failure(
        kind="malformed_result",
        recovery="replan",
        message=f"The tool {tool.name!r} ran, but its result cannot be read "
        f"({type(error).__name__}).",
        debug_message=f"{type(error).__name__} while the result was turned into text",
    )
