"""`ScriptedModel`: a model that says what a test wrote down, and notices what was left unsaid."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
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
        steps: What to say, in order.

    Attributes:
        requests: What it was asked, in order.

    """

    name = "scripted"

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps = list(steps)
        self.requests: list[ModelRequest] = []

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
        if not self.steps:
            raise ModelError(
                f"The script is over: request {len(self.requests)} has no step. Add one to the "
                "script, or find out why the model was asked again."
            )
        turn = _turn_of(self.steps.pop(0), request)
        if turn.text:
            yield TextDelta(turn.text)
        for one in turn.calls:
            yield CallDelta(one.id, one.name, one.arguments)
        yield turn

    def assert_complete(self) -> None:
        """Check that every step was asked for.

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


def _turn_of(step: Step, request: ModelRequest) -> ModelTurn:
    while callable(step):
        step = step(request)
    if isinstance(step, BaseException):
        raise step
    if isinstance(step, ModelTurn):
        return step
    usage = Usage(requests=1)
    if isinstance(step, str):
        return ModelTurn(text=step, usage=usage)
    return ModelTurn(calls=(step,) if isinstance(step, CallRequest) else tuple(step), usage=usage)
