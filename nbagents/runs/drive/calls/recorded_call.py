"""A call whose recorded result is given, where tools are not to run; else it is made, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.tools.call import perform

if TYPE_CHECKING:
    from nbagents.recordings import FrozenCalls
    from nbagents.results import CallResult
    from nbagents.runs.drive.calls.open_call import OpenCall
    from nbagents.tools.call import Lanes, PreparedCall
    from nbagents.tools.context import Context


async def made_or_given(
    call: OpenCall,
    prepared: PreparedCall,
    context: Context,
    lanes: Lanes,
    frozen: FrozenCalls | None,
) -> CallResult:
    """What a call gives.

    Args:
        call: The call.
        prepared: What is called, and with what.
        context: What the tool gets.
        lanes: Where it runs.
        frozen: The recorded results of the run's calls; `None`: no recording holds.

    Raises:
        RecordingMiss: Tools are not to run, and there is no result of it.
        Exception: As `perform`.
    """
    if frozen is None or prepared.tool is None:
        return await perform(prepared, context, lanes)
    name, arguments = prepared.request.name, prepared.arguments
    given = frozen.given(name, arguments, call.handles.keep)
    if given is not None:
        return given
    before = len(call.links)
    result = await perform(prepared, context, lanes)
    frozen.keep(name, arguments, result, len(call.links) - before)
    return result
