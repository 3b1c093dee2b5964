"""`Program`: what stands where a run has a model, and asks none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents.identity import new_id
from nbagents.messages import CallRequest
from nbagents.models.model import CallDelta, ModelTurn, TextDelta, ThoughtDelta

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from nbagents.models.model import ModelPart, ModelRequest

FREE: Final = {"input": 0.0, "output": 0.0}
"""What a million of its tokens cost: there are none."""

OFFLINE: Final = (
    " (This is the offline model, no language model: it went by the scores of the search.)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One step of a program: calls, or the end in words."""

    text: str = ""
    calls: tuple[CallRequest, ...] = ()
    thought: str = ""
    """Why, for people."""
    unmet: tuple[str, ...] = ()
    """What of the prompt was not served."""


class Program:
    """A fixed procedure behind the `Model` protocol: its steps are calls, shown as such.

    Args:
        name: How it is called where a run names its model.
        decide: Gives the next step, of the request that a model would be asked.
    """

    is_program = True
    """No provider is asked, so no request is counted."""
    runs_hosted = False

    def __init__(self, name: str, decide: Callable[[ModelRequest], Said]) -> None:
        self.name = name
        self._decide = decide

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Say the next step."""
        said = self._decide(request)
        if said.thought:
            yield ThoughtDelta(said.thought)
        if said.text:
            yield TextDelta(said.text)
        for one in said.calls:
            yield CallDelta(one.id, one.name, one.arguments)
        yield ModelTurn(text=said.text, calls=said.calls, unmet=said.unmet)


def step(name: str, /, **arguments: object) -> CallRequest:
    """A call of a program's."""
    written = json.dumps(arguments, ensure_ascii=False)
    return CallRequest(id=new_id("call"), name=name, arguments=written)
