"""What a tool returned, normalised: content for the model, payloads for the person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import IOBase
from typing import TYPE_CHECKING, cast

from nbagents.redaction import cut
from nbagents.results import Bounds, CallResult, Failure, Payload, Result
from nbagents.tools.bundles import is_displayable
from nbagents.tools.foreign import is_file, kind_of
from nbagents.tools.payloads import payload_of
from nbagents.tools.plain import clean_text, is_sequence, taken
from nbagents.tools.told import Telling

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.tools.handles import Handles
    from nbagents.tools.tool import Tool

__all__ = ["MAX_CONTENT", "failed_result", "one_line", "result_of"]

MAX_CONTENT = 100_000
"""Characters of one result that a model is given."""

MAX_PREVIEW = 140
"""Source: goadesign/goa-ai, result previews."""


def result_of(
    tool: Tool, value: object, *, max_content: int = MAX_CONTENT, handles: Handles | None = None
) -> CallResult:
    """Normalise what a tool returned.

    Args:
        tool: The tool.
        value: What it returned: a `Result`, or anything.
        max_content: Characters that the model is given at most; the rest is cut, and it is said.
        handles: Where the run keeps its live objects; what has no JSON form is kept there, and what
            is too long.
    """
    given = _joined(value)
    telling = Telling(handles, shows=given.data is None)
    try:
        returned, has_more = _listed(given.content)
        content, bounds = _bounded(telling.text(returned), max_content, telling, returned)
        if has_more and bounds is None:
            content, bounds = _unfinished(content, returned)
    except Exception as error:  # noqa: BLE001  a user's __str__ may raise anything
        return _unreadable(tool, given.content, telling, error)
    payloads = _payloads(given.data, tool.name, telling)
    return CallResult(
        content=f"{given.note}\n{content}" if given.note else content,
        parts=tuple(telling.parts),
        value=returned,
        handle=telling.handle_of(returned),
        data=given.data,
        payloads=payloads,
        has_next=_has_next(tool, given),
        preview=one_line(given.preview),
        bounds=bounds,
        extra=given.extra,
    )


def failed_result(failure: Failure) -> CallResult:
    """A call that gave no result; the model reads why."""
    status = "timed_out" if failure.kind == "timeout" else "failed"
    return CallResult(content=failure.message, failure=failure, status=status)


def _joined(value: object) -> Result:
    """One result of what a tool returned: several are told of together, and shown together."""
    if isinstance(value, Result):
        inner = value.content
        if not isinstance(inner, Result):
            return value
        rest = _joined(inner)
        data = rest.data if value.data is None else value.data
        return replace(rest, data=data, extra={**rest.extra, **value.extra})
    if is_sequence(value) and any(isinstance(one, Result) for one in value):
        results = [_joined(one) for one in value]
        data = [one.data for one in results if one.data is not None]
        return Result([one.content for one in results], data=data or None)
    return Result(value)


def _unreadable(tool: Tool, value: object, telling: Telling, error: Exception) -> CallResult:
    """A result of which no words can be made; the object is kept all the same."""
    failure = _malformed(tool, error)
    name = telling.keep(value)
    if name is not None:
        said = f"{failure.message} It is kept as {name}{_for_tools(telling, value)}."
        failure = failure.model_copy(update={"message": said})
    return replace(failed_result(failure), value=value, handle=name)


def _listed(value: object) -> tuple[object, bool]:
    """An iterator as the list of what it gives, and whether it would give more."""
    if isinstance(value, Iterator) and not isinstance(value, IOBase):
        return taken(cast("Iterator[object]", value))
    return value, False


def _payloads(data: object, tool_name: str, telling: Telling) -> tuple[Payload, ...]:
    if data is None:
        return tuple(telling.payloads)
    if is_sequence(data) and data and all(_draws_itself(one) for one in data):
        return tuple(_payload(one, tool_name) for one in data)
    return (_payload(data, tool_name),)


def _payload(data: object, tool_name: str) -> Payload:
    """What is shown; data that cannot be written is no reason to lose the result."""
    try:
        if isinstance(data, Payload) or not _draws_itself(data):
            return payload_of(data, tool_name)
        from nbagents.tools.rich import rich_payload  # noqa: PLC0415  few tools need it

        return rich_payload(data)
    except Exception as error:  # noqa: BLE001  data may hold anything, also itself
        note = f"It cannot be shown ({type(error).__name__})."
        value: JsonValue = {"of": tool_name, "head": "", "note": note, "size_bytes": 0}
        return Payload(kind="cut", value=value)


def _draws_itself(data: object) -> bool:
    """Whether it needs no renderer of the tool's own."""
    is_rich = kind_of(data) is not None or is_file(data) or is_displayable(data)
    return is_rich or isinstance(data, Payload)


def _has_next(tool: Tool, given: Result) -> bool | None:
    if given.has_next is not None:
        return given.has_next
    return False if tool.command else None


def _bounded(
    content: str, max_content: int, telling: Telling, value: object
) -> tuple[str, Bounds | None]:
    """The content, or its beginning and what is missing; then all of it is kept."""
    total = len(content)
    if total <= max_content:
        return content, None
    name = telling.handle_of(value) or telling.keep(value)
    kept = f" All is kept as {name}{_for_tools(telling, value)}." if name else ""
    note = (
        f"\n[Cut: these are the first {max_content:,} of {total:,} characters; "
        f"{total - max_content:,} are missing.{kept} Ask for less at once.]"
    )
    return cut(content, max_content) + note, Bounds(
        returned=max_content, total=total, truncated=True
    )


def _for_tools(telling: Telling, value: object) -> str:
    return ", for tools that take a handle" if telling.is_taken(value) else ""


def _unfinished(content: str, items: object) -> tuple[str, Bounds]:
    count = len(cast("list[object]", items))
    note = f"\n[Cut: these are the first {count:,} items; there are more. Ask for less at once.]"
    return content + note, Bounds(returned=count, truncated=True)


def one_line(preview: str | None) -> str | None:
    """A text as one line for people, cut where it is long."""
    if preview is None:
        return None
    line = " ".join(clean_text(str(preview)).split())
    return line if len(line) <= MAX_PREVIEW else cut(line, MAX_PREVIEW - 1) + "…"


def _malformed(tool: Tool, error: Exception) -> Failure:
    return Failure(
        kind="malformed_result",
        recovery="replan",
        message=f"The tool {tool.name!r} ran, but its result cannot be read "
        f"({type(error).__name__}).",
        debug_message=f"{type(error).__name__} while the result was turned into text",
    )
