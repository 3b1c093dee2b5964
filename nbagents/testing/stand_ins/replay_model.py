"""`ReplayModel`: says again what the model of a run has said, as long as it is told the same."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeGuard

from nbagents.errors import ModelError
from nbagents.identity import new_id
from nbagents.messages import CallRequest, ToolMessage, UserMessage
from nbagents.models.model import CallDelta, ModelTurn, TextDelta
from nbagents.results import Usage
from nbagents.runs.state import Run
from nbagents.runs.wording import call_in_words, clipped, counted, family
from nbagents.testing.expectations import tree_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from nbagents.models.model import ModelPart, ModelRequest
    from nbagents.runs.tree import CallNode, RunNode

MEMO: Final = "nbagents.testing.replay"
QUOTED: Final = 120
ANYWAY: Final = "With strict=False it goes on all the same."


@dataclass(frozen=True, slots=True)
class _Step:
    text: str
    calls: tuple[CallRequest, ...]
    nodes: tuple[CallNode, ...]
    """What came of the calls."""


@dataclass(slots=True)
class _Conversation:
    """How far one run has come, of all that the model is used for."""

    run: RunNode
    steps: Sequence[_Step]
    said: int = 0


class ReplayModel:
    """Gives the answers of a run again, in order; those of the runs inside of it, too.

    It is for tests: the tools really run, and the model says what it said then. If it is told
    something else than then, e.g. because a tool gives another result, what it said would make no
    sense any more, so it fails and says where the conversation departs.

    Args:
        run: A run, `run.tree()`, or what a notebook has saved of one.
        strict: Whether it fails where the conversation departs; else it goes on all the same.

    Example:
        >>> from nbagents import Agent, ReplayModel, ScriptedModel
        >>> from nbagents.models.scripted import call
        >>> def double(number: int) -> int:
        ...     "Double a number."
        ...     return 2 * number
        >>> first = Agent(tools=[double], model=ScriptedModel([call("double", number=2), "Four."]))
        >>> run = first.run("Double 2", log="memory")
        >>> Agent(tools=[double], model=ReplayModel(run)).run("Double 2", log="memory").text
        'Four.'
    """

    name = "replay"
    asks_nobody = True

    def __init__(self, run: object, *, strict: bool = True) -> None:
        tree, run_id = tree_of(run)
        if isinstance(run, Run):  # which has what its model wrote, as it was written
            tree = run.read(copy.deepcopy)
        self._strict = strict
        self._runs = [one for one in family(tree, tree["runs"][run_id]) if _steps_of(one)]
        self._begun: list[_Conversation] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Say what was said then.

        Raises:
            ModelError: The conversation departs, or nothing more was said.
        """
        going = self._going(request)
        if going is None:
            request.memo[MEMO] = going = self._begin(request)
        elif self._strict:
            _see_that_results_agree(going, request)
        if going.said >= len(going.steps):
            many = counted(len(going.steps), "time")
            raise ModelError(
                f"In the run that is replayed the model was asked {many}, and no more."
            )
        step = going.steps[going.said]
        going.said += 1
        if step.text:
            yield TextDelta(step.text)
        for one in step.calls:
            yield CallDelta(one.id, one.name, one.arguments)
        yield ModelTurn(text=step.text, calls=step.calls, usage=Usage(requests=1))

    def assert_complete(self) -> None:
        """Check that all that was said has been said again.

        Raises:
            AssertionError: Something was not.
        """
        left = [one for one in self._begun if one.said < len(one.steps)]
        if len(self._begun) < len(self._runs) or left:
            missing = len(self._runs) - len(self._begun)
            raise AssertionError(
                f"Not all was said again: {counted(missing, 'run')} did not begin, "
                f"{counted(len(left), 'run')} did not come to an end."
            )

    def _going(self, request: ModelRequest) -> _Conversation | None:
        """The conversation that a request goes on with, also where it is told in another way."""
        known = request.memo.get(MEMO)
        if isinstance(known, _Conversation):
            return known
        told = {one.call_id for one in request.messages if isinstance(one, ToolMessage)}
        for one in self._begun:
            if told & {call.id for step in one.steps[: one.said] for call in step.calls}:
                return one
        return None

    def _begin(self, request: ModelRequest) -> _Conversation:
        """Find the run whose turn it is: the next one that was asked the same."""
        prompts = [one for one in request.messages if _is_prompt(one)]
        asked = prompts[-1].text if prompts else ""
        begun = [one.run["id"] for one in self._begun]
        waiting = [one for one in self._runs if one["id"] not in begun]
        alike = [one for one in waiting if one["prompt"] == asked]
        if not alike and (self._strict or not waiting):
            then = " or ".join(repr(clipped(one["prompt"], QUOTED)) for one in waiting) or "nothing"
            advice = f" {ANYWAY}" if waiting else " Each run of it is replayed once."
            raise ModelError(
                f"The conversation departs at its beginning: {clipped(asked, QUOTED)!r} is asked, "
                f"and {then} is still to be asked.{advice}"
            )
        run = (alike or waiting)[0]
        made = _Conversation(run, _steps_of(run))
        self._begun.append(made)
        return made


def _is_prompt(message: object) -> TypeGuard[UserMessage]:
    return isinstance(message, UserMessage) and not message.is_notice


def _see_that_results_agree(going: _Conversation, request: ModelRequest) -> None:
    """See that the calls of the newest answer gave what they gave then.

    Raises:
        ModelError: One did not.
    """
    step = going.steps[going.said - 1]
    told = [one for one in request.messages if isinstance(one, ToolMessage)]
    newest = told[len(told) - len(step.nodes) :]
    for message, node in zip(newest, step.nodes, strict=False):
        if node["content"] is not None and message.content != node["content"]:
            now, then = clipped(message.content, QUOTED), clipped(node["content"], QUOTED)
            raise ModelError(
                f"The conversation departs after step {going.said}: {call_in_words(node)} gives "
                f"{now!r}, and gave {then!r} in the run that is replayed. {ANYWAY}"
            )


def _steps_of(run: RunNode) -> list[_Step]:
    """What was said in a run, as its model wrote it; in a saved run, as it was taken."""
    if "answers" not in run:
        return _saved_steps(run)
    return [
        _Step(
            text=one["text"],
            calls=tuple(_call(call["name"], call["arguments"]) for call in one["calls"]),
            nodes=tuple(run["calls"][call["id"]] for call in one["calls"]),
        )
        for one in run["answers"]
    ]


def _saved_steps(run: RunNode) -> list[_Step]:
    """What was said, put together from what came of it."""
    said: dict[int, str] = {}
    calls: dict[int, list[CallNode]] = {}
    for item in run["items"]:
        if item["type"] == "text":
            said[item["step"]] = item["text"]
        elif item["type"] == "call" and (call := run["calls"].get(item["call_id"])):
            calls.setdefault(call["step"], []).append(call)
    return [
        _Step(
            text=said.get(step, ""),
            calls=tuple(_call(one["name"], _written(one)) for one in calls.get(step, ())),
            nodes=tuple(calls.get(step, ())),
        )
        for step in sorted({*said, *calls})
    ]


def _call(name: str, arguments: str) -> CallRequest:
    return CallRequest(id=new_id("call"), name=name, arguments=arguments)


def _written(call: CallNode) -> str:
    """The arguments as the model may have written them: without what it left out."""
    if call["proposed"] is not None:
        return json.dumps(call["proposed"])
    given = call["arguments"]
    if not isinstance(given, dict):
        return given if isinstance(given, str) else json.dumps(given)
    return json.dumps(
        {name: one for name, one in given.items() if name not in call.get("defaults", ())}
    )
