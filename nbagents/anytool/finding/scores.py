"""What stands for the agents' model where the model is the offline one: the search's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.anytool.program import Program, Said, step
from nbagents.messages import AssistantMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.messages import CallRequest
    from nbagents.models.model import ModelRequest

NAME: Final = "offline (scores)"
WHY: Final = "No language model decides this: what comes first by the search's scores is taken."


def scorer(likeliest: Callable[[], tuple[CallRequest, ...]]) -> Program:
    """Plays an agent by scores: what comes first is taken, once, and then it finishes.

    Args:
        likeliest: Gives the calls of its functions that come first.
    """

    def decide(request: ModelRequest) -> Said:
        is_over = request.tool_choice == "none" or _has_called(request)
        calls = () if is_over else likeliest()
        return Said(calls=calls, thought=WHY) if calls else Said(calls=(step("Finish"),))

    return Program(NAME, decide)


def _has_called(request: ModelRequest) -> bool:
    """Whether it called anything since it was asked."""
    for one in reversed(request.messages):
        if isinstance(one, AssistantMessage) and one.calls:
            return True
        if isinstance(one, UserMessage):
            return False
    return False
