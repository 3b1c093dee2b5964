"""What a person says that a call gave: as if its tool had returned it, or raised it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from nbagents.agents.forking.whole import stamp_of
from nbagents.events import StepEdited, ToolData, ToolEnd, ToolStart
from nbagents.runs.tree import PERSON
from nbagents.tools.call import failed_result, failure_of, result_of
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.events import AnyEvent
    from nbagents.results import CallResult
    from nbagents.runs.tree import CallNode
    from nbagents.tools.values import Handles


def given_result(call: CallNode, value: object, tool: Tool | None, handles: Handles) -> CallResult:
    """The result of a call that is not made.

    Args:
        call: The call, as it was made.
        value: What its tool is to have returned; an exception: raised.
        tool: The tool, if it is still there.
        handles: Where the branch keeps its live objects.
    """
    if isinstance(value, BaseException):
        return failed_result(failure_of(value))
    return result_of(tool or _absent(call["name"]), value, handles=handles)


def result_events(
    call: CallNode, result: CallResult, like: AnyEvent, step: int
) -> Iterator[AnyEvent]:
    """What tells of it: how the call had begun, what it gave there, and what it is to have given.

    Args:
        call: The call, as it was made.
        result: What it is to have given.
        like: An event of the run, whose stamp these have.
        step: The request that had wanted it.
    """
    stamp: dict[str, Any] = {
        **stamp_of(like),
        "tool_call_id": call["id"],
        "tool_name": call["name"],
    }
    defaults, objects = call.get("defaults", ()), call.get("objects", {})
    yield ToolStart(
        **stamp,
        arguments=call["arguments"],
        defaults=tuple(defaults),
        objects=dict(objects),
        display_hint=call["hint"],
    )
    yield StepEdited(
        **stamp, step=step, what="result", by=PERSON, before=call["content"], after=result.content
    )
    for index, payload in enumerate(result.payloads):
        yield ToolData(**stamp, payload_id=f"result-{index}", payload=payload)
    yield ToolEnd(
        **stamp,
        call_run_id=like.run_id,
        **result.told,
        duration_ms=0.0,
    )


def _absent(name: str) -> Tool:
    """What stands for a tool that is gone."""

    def gone() -> None:
        return None

    return Tool(gone, ToolOptions(name=cast("Any", name).rpartition("--")[2]))
