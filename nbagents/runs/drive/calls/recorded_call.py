"""A call whose recorded result is given, where tools are not to run; else it is made, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.tools.call import perform

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.recordings import FrozenCalls
    from nbagents.results import CallResult, RunLink
    from nbagents.tools.call import Lanes, PreparedCall
    from nbagents.tools.context import Context


async def made_or_given(
    call: PreparedCall,
    context: Context,
    lanes: Lanes,
    frozen: FrozenCalls | None,
    *,
    keep: Callable[[object], str],
    links: Sequence[RunLink],
) -> CallResult:
    """What a call gives.

    Args:
        call: What is called, and with what.
        context: What the tool gets.
        lanes: Where it runs.
        frozen: The recorded results of the run's calls; `None`: no recording holds.
        keep: Keeps an object for later calls; its name.
        links: The runs that it has started; they grow.

    Raises:
        RecordingMiss: Tools are not to run, and there is no result of it.
        Exception: As `perform`.
    """
    if frozen is None or call.tool is None:
        return await perform(call, context, lanes)
    name, arguments = call.request.name, call.arguments
    given = frozen.given(name, arguments, keep)
    if given is not None:
        return given
    before = len(links)
    result = await perform(call, context, lanes)
    frozen.keep(name, arguments, result, len(links) - before)
    return result
