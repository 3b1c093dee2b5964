"""`JunkModel`: calls every tool with whatever its schema allows, again alike for the same seed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.errors import ModelError
from nbagents.identity import new_id
from nbagents.messages import CallRequest
from nbagents.models.model import CallDelta, ModelTurn, TextDelta
from nbagents.narrowing import is_dict
from nbagents.results import Usage
from nbagents.runs.wording import counted
from nbagents.testing.stand_ins.choices import Choices
from nbagents.testing.stand_ins.schema_value import NoValueError, value_for
from nbagents.tools.context import wrong

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from nbagents.models.model import ModelPart, ModelRequest, ToolSpec
    from nbagents.results import HandleInfo

MEMO: Final = "nbagents.testing.junk"
NAME: Final = {"type": "string"}
INNER: Final = ("items", "additionalProperties")
COUNT_ADVICE: Final = "give a whole number from 1 on."


class JunkModel:
    """Calls each tool that it is offered with arguments that fit its schema, and are else junk.

    It finds what a tool does not expect: empty texts, zeros, other alphabets, what is optional left
    out. The arguments of a tool depend on the seed, the tool and how often it was called before, so
    that the same seed gives the same calls, whatever else is offered. A tool that takes a live
    object gets the name of one of its type (`vars=`); where there is none it is not called, and the
    answer says so.

    Args:
        seed: What says which junk.
        times: How often each tool is called, once a step.

    Example:
        >>> from nbagents import Agent, JunkModel
        >>> def half(number: int) -> float:
        ...     "Half of a number."
        ...     return number / 2
        >>> run = Agent(tools=[half], model=JunkModel(seed=1, times=3)).run("Go", log="memory")
        >>> len(run.calls), run.text
        (3, 'Called half with junk (seed 1).')
    """

    name = "junk"
    asks_nobody = True

    def __init__(self, seed: int = 0, *, times: int = 1) -> None:
        if isinstance(times, bool) or not isinstance(times, int) or times < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  people give anything
            raise wrong("times", times, COUNT_ADVICE)
        self.seed = seed
        self.times = times

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Call what was not called often enough; then answer, with junk where a form is asked for.

        Raises:
            ModelError: The form of the answer is one for which nothing can be made up.
        """
        turn = self._turn(request)
        if turn.text:
            yield TextDelta(turn.text)
        for one in turn.calls:
            yield CallDelta(one.id, one.name, one.arguments)
        yield turn

    def _turn(self, request: ModelRequest) -> ModelTurn:
        made = cast("dict[str, int]", request.memo.setdefault(MEMO, {}))
        told: dict[str, str] = {}
        calls: list[CallRequest] = []
        for tool in request.tools if request.tool_choice != "none" else ():
            if tool.hosted is None and made.get(tool.name, 0) < self.times:
                try:
                    calls.append(self._call(tool, made.get(tool.name, 0), request.handles))
                    made[tool.name] = made.get(tool.name, 0) + 1
                except NoValueError as error:
                    told[tool.name] = str(error)
        usage = Usage(requests=1)
        if calls:
            return ModelTurn(calls=tuple(calls if request.parallel else calls[:1]), usage=usage)
        return ModelTurn(text=self._answer(request, list(made), told), usage=usage)

    def _call(self, tool: ToolSpec, count: int, handles: tuple[HandleInfo, ...]) -> CallRequest:
        choices = Choices(f"{self.seed}/{tool.name}/{count}")
        arguments = json.dumps(junk_arguments(tool, choices, handles))
        return CallRequest(id=new_id("call"), name=tool.name, arguments=arguments)

    def _answer(self, request: ModelRequest, made: list[str], told: Mapping[str, str]) -> str:
        if request.output is not None:
            try:
                return json.dumps(value_for(request.output.schema, Choices(f"{self.seed}//")))
            except NoValueError as error:
                raise ModelError(f"No answer can be made up: {error}.") from error
        names = ", ".join(made) if len(made) <= 5 else counted(len(made), "tool")  # that one reads
        said = f"Called {names} with junk (seed {self.seed})." if made else "Called nothing."
        return " ".join([said, *(f"Not {name}: {why}." for name, why in told.items())])


def junk_arguments(
    tool: ToolSpec, choices: Choices, handles: tuple[HandleInfo, ...] = ()
) -> dict[str, Any]:  # Any: JSON
    """Arguments that fit what a model is told of a tool.

    Raises:
        NoValueError: None could be made up.
    """
    told: Mapping[str, Any] = tool.parameters if tool.written is None else tool.written
    given: Mapping[str, Any] = told.get("properties", {})
    needed: Sequence[str] = told.get("required", ())
    properties = dict(given)
    for name, kind in tool.handles.items():
        fitting = [one.name for one in handles if one.type_name in kind.split(" or ")]
        held = _held(given[name], fitting)
        if held is not None:
            properties[name] = held
        elif name in needed:
            raise NoValueError(f"{name} takes a {kind}, and none is shared (vars=)")
        else:
            del properties[name]
    schema = {**told, "properties": properties}
    return value_for(schema, choices)


def _held(schema: Any, names: Sequence[str]) -> Any:  # Any: JSON
    """What a model may write where it may name objects; `None`: nothing, for there are none.

    Args:
        schema: It has a plain text wherever a name may stand.
        names: The objects of the right type.
    """
    if schema == NAME:
        return {"enum": list(names)} if names else None
    if not is_dict(schema):
        return schema
    node = schema
    if branches := node.get("anyOf"):
        left = [held for one in branches if (held := _held(one, names)) is not None]
        return {**node, "anyOf": left} if left else None
    if node.get("type") == "string" and set(node) <= {"type", "description", "default"}:
        return _held(NAME, names)
    inner = {word: _held(node[word], names) for word in INNER if isinstance(node.get(word), dict)}
    return None if None in inner.values() else {**node, **inner}
