"""`ScriptedModel`: a model that says what a test wrote down, and notices what was left unsaid."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeAlias

from nbagents.errors import ModelError
from nbagents.identity import new_id
from nbagents.messages import CallRequest
from nbagents.models.model import CallDelta, ModelRequest, ModelTurn, TextDelta
from nbagents.results import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from types import TracebackType

    from nbagents.models.model import ModelPart

__all__ = ["ScriptedModel", "Step", "call"]

Step: TypeAlias = (
    ModelTurn
    | str
    | CallRequest
    | Sequence[CallRequest]
    | BaseException
    | Callable[[ModelRequest], "Step"]
)
"""A turn, a text answer, one call, calls together, an error to raise, or a function giving one."""


def call(name: str, /, **arguments: object) -> CallRequest:
    """A call for a script; its id is new.

    Example:
        >>> call("add", a=1, b=2).arguments
        '{"a": 1, "b": 2}'
    """
    return CallRequest(id=new_id("call"), name=name, arguments=json.dumps(arguments))


class ScriptedModel:
    """Answers with the next step of a script; as a context manager, checks that none is left.

    Args:
        steps: What to say, in order: a text, a call, several calls, an error, a whole `ModelTurn`,
            which also says what it used, or a function of the request that gives one of these.
        repeat: Whether the script begins anew when it is over, so that the model can be used for
            several runs.
        usage: What a step used that does not say so itself, as the provider would count it.

    Attributes:
        requests: What it was asked, in order.

    Example:
        >>> from nbagents import Agent
        >>> model = ScriptedModel([lambda request: request.messages[-1].text.upper()], repeat=True)
        >>> agent = Agent(model=model)
        >>> [agent.run(prompt, log="memory").text for prompt in ("one", "two")]
        ['ONE', 'TWO']
    """

    name = "scripted"
    asks_nobody = True

    def __init__(
        self, steps: Iterable[Step], *, repeat: bool = False, usage: Usage | None = None
    ) -> None:
        self.steps = list(steps)
        self.requests: list[ModelRequest] = []
        self._usage = usage or Usage()
        self._again = tuple(self.steps) if repeat else ()

    @property
    def left(self) -> int:
        """How many steps were not asked for yet."""
        return len(self.steps)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Say the next step.

        Raises:
            ModelError: The script is over.
        """
        self.requests.append(request)
        if not self.steps and self._again:
            self.steps.extend(map(_anew, self._again))
        if not self.steps:
            raise ModelError(
                f"The script is over: request {len(self.requests)} has no step. Add one, let it "
                "begin anew with repeat=True, or find out why the model was asked again."
            )
        turn = _turn_of(self.steps.pop(0), request, self._usage)
        if turn.text:
            yield TextDelta(turn.text)
        for one in turn.calls:
            yield CallDelta(one.id, one.name, one.arguments)
        yield turn

    def assert_complete(self) -> None:
        """Check that every step was asked for; of a script that repeats, to its end.

        Raises:
            AssertionError: Some were not.
        """
        if self.steps:
            raise AssertionError(
                f"{self.left} of the script's steps were never asked for: {self.steps!r}"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:  # a test that failed for another reason should show that one
            self.assert_complete()


def _anew(step: Step) -> Step:
    """A step to be said again: its calls are other ones, with ids of their own."""
    if isinstance(step, CallRequest):
        return replace(step, id=new_id("call"))
    if isinstance(step, ModelTurn):
        return replace(step, calls=tuple(replace(one, id=new_id("call")) for one in step.calls))
    if isinstance(step, (str, BaseException)) or callable(step):
        return step
    return [replace(one, id=new_id("call")) for one in step]


def _turn_of(step: Step, request: ModelRequest, usage: Usage) -> ModelTurn:
    while callable(step):
        step = step(request)
    if isinstance(step, BaseException):
        raise step
    if isinstance(step, ModelTurn):
        return step
    usage = usage.model_copy(update={"requests": 1})
    if isinstance(step, str):
        return ModelTurn(text=step, usage=usage)
    return ModelTurn(calls=(step,) if isinstance(step, CallRequest) else tuple(step), usage=usage)
