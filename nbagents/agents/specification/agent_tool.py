"""An agent as a tool: another agent asks it, and it answers in a run of its own."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypedDict

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from nbagents.agents.specification.signatures import refuse_unknown
from nbagents.errors import ModelError, OutputError, RunError, ToolDefinitionError
from nbagents.narrowing import is_mapping
from nbagents.results import FieldIssue, Result
from nbagents.runs.policy import is_no_answer, is_silence
from nbagents.tools.call import CallRefused, Unusable, lead_with
from nbagents.tools.context import FLAG, TEXT, Context, check_function, require, takes
from nbagents.tools.schema import Bound, SchemaWriter, raw_schema
from nbagents.tools.tool import Ask, Enabled, OnError, Tool, ToolOptions, check_ask, safe_name

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.agents.specification.specification import Specification
    from nbagents.runs.state import Run
    from nbagents.tools.schema import Issues, RawSchema

EMPTY: Final = "The prompt is empty: say what {name!r} should do."
APART: Final = (
    "Another agent does it, which sees neither this conversation nor shared objects unless you give"
    " them here."
)
"""What a model is told of an agent that it may ask."""
FAILED: Final = "The agent {name!r} failed"
AT_LIMIT: Final = "{name!r} did not finish. {why}"
BY_THEN: Final = " What it had by then:"
SILENT: Final = "{name!r} ended without an answer."
BEFORE: Final = "{name!r} ended without an answer. What it said before:"
RESULT: Final = "{name!r} ended without an answer. The last result that it had:"
REFUSED: Final = "{name!r} refused: {said}"
OTHER: Final = re.compile(r"[^a-z0-9_]")
INPUT: Final = {
    "type": "object",
    "properties": {"input": {"type": "string", "description": "What it is asked."}},
    "required": ["input"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How an agent is asked as a tool, and what of its run is the result."""

    agent: Specification
    prompt: Callable[..., object] | None = None
    """Makes the prompt of the input, and of the context where it takes two; without one, or where
    it gives `None`: the input as text."""
    schema: Mapping[str, JsonValue] | None = None
    """Told with the input, where it is to be."""
    extract: Callable[[Run], object] | None = None
    otherwise: str = ""
    """What is asked where the input says nothing."""

    def consent_target(self) -> object:
        """What a person who allows a call allows; see `nbagents.tools.call.target`."""
        return self.agent.name, self.agent.instructions, self.prompt, self.extract

    async def __call__(self, given: Any, ctx: Context) -> object:  # Any: of the person's type
        """Ask, and give the result.

        Raises:
            CallRefused: A check of the agent refused what it was asked, or its answer.
            Unusable: No run of the agent can begin as the person made it.
            ValueError: There is nothing to ask.
            RunError: No run may begin here.
        """
        made: Any = None if self.prompt is None else self._made(self.prompt, given, ctx)
        if inspect.isawaitable(made):
            made = await made
        text = self._own_prompt(given) if made is None else str(made)
        if not text.strip():
            raise ValueError(EMPTY.format(name=self.agent.name))
        tool_input = None if isinstance(given, str) else given
        try:
            running = ctx.run(self.agent, text, tool_input=tool_input)
        except RunError:
            raise
        except Exception as error:
            error.add_note(f"The agent {self.agent.name!r} cannot be used so, as a tool or else.")
            raise Unusable(error) from error
        try:
            run = await running
        except (RunError, ModelError, OutputError) as error:
            lead_with(error, FAILED.format(name=self.agent.name))
            raise
        said = end_of(run) if self.extract is None else self.extract(run)
        return await said if inspect.isawaitable(said) else said

    def _made(self, prompt: Callable[..., object], given: Any, ctx: Context) -> object:
        return prompt(given) if takes(prompt, 1) else prompt(given, ctx)

    def _own_prompt(self, given: Any) -> str:
        text = as_text(given) or self.otherwise
        if self.schema is None:
            return text
        return f"{text}\n\nThe input has this JSON Schema:\n{to_json(self.schema).decode()}"


@dataclass(frozen=True, slots=True)
class PayloadSchema:
    """A schema whose arguments become one value of a person's type."""

    raw: RawSchema
    adapter: TypeAdapter[Any] | None
    """Makes the value; `None`: it is the one argument, a text."""
    is_empty: bool = False
    """Whether there are no arguments, and no value."""

    @property
    def description(self) -> str:
        """What the tool does."""
        return self.raw.description

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """A JSON Schema of type object."""
        return self.raw.parameters

    @property
    def handles(self) -> Mapping[str, str]:
        """None: an agent is given words."""
        return self.raw.handles

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The value and the context, or what does not fit."""
        if self.is_empty:  # whatever a model says with it
            return Bound([None, context], {}, {})
        bound = self.raw.bind(arguments, context)
        if not isinstance(bound, Bound):
            return bound
        (given,) = bound.args
        if self.adapter is None:
            return Bound([given["input"], context], {}, given)
        try:
            value = self.adapter.validate_json(to_json(given))
            return Bound([value, context], {}, value)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False)
            return tuple(
                FieldIssue(
                    field=".".join(map(str, one["loc"])), constraint=one["type"], message=one["msg"]
                )
                for one in found
            )


class AsTool(TypedDict, total=False):
    """How an agent is a tool; see `Agent.as_tool`."""

    parameters: Any
    """A pydantic model or a dataclass, whose fields are the arguments; the agent's tools find the
    value as `ctx.tool_input`. By default one text, `input`."""
    output: Any
    """The type that the answer must have, by default the agent's own: the call's value is such a
    value. Without one, the text."""
    on_error: OnError
    """As other tools have it."""
    needs_approval: Ask
    """Whether a person must confirm each call, as other tools' `ask`."""
    prompt: Callable[[Any], object] | Callable[[Any, Context], object]
    """Makes the prompt of the input, or of the input and the context; by default the input's
    fields, a line each."""
    include_schema: bool
    """Whether the agent is told the schema of its input, too."""
    extract: Callable[[Run], object]
    """Makes the result of the run."""
    enabled: Enabled
    """Whether a run is offered the tool, as other tools have it."""
    max_steps: int
    """As the agent has it, here and below, with another value."""
    max_calls: int
    max_tokens: int
    timeout_s: float


def tool_of_agent(
    agent: Specification, name: str | None, description: str | None, said: AsTool
) -> Tool:
    """A tool that asks an agent; see `Agent.as_tool`.

    Raises:
        TypeError: There is no such option.
        ValueError: An option cannot be used; says what to give.
        ToolDefinitionError: The parameters have no JSON Schema of type object.
    """
    for what, given in (("name", name), ("description", description)):
        require(f"{what} of as_tool()", given, (str, NoneType), TEXT)
    _check_options(said)
    own_name = name or tool_name_of(agent.name)
    check_ask(f"needs_approval of {own_name!r}", said.get("needs_approval"))
    told = description or _first_line(agent.instructions) or f"Ask {agent.name!r}."
    schema = input_schema(own_name, told, said.get("parameters"))
    asking = Asking(
        agent=agent,
        prompt=said.get("prompt"),
        schema=schema.parameters if said.get("include_schema") else None,
        extract=said.get("extract"),
    )
    options = ToolOptions(
        name=own_name,
        on_error=said.get("on_error", "tell"),
        ask=said.get("needs_approval"),
        enabled=said.get("enabled", True),
        note=APART,
        resumable=True,  # it does nothing but ask the agent, whose run is gone on with
    )
    return Tool.of_schema(schema, asking.__call__, options)


def _check_options(said: AsTool) -> None:
    refuse_unknown("as_tool()", said, AsTool)
    prompt: object = said.get("prompt")
    if prompt is not None and not (callable(prompt) and takes(prompt, 2)):
        check_function("prompt", prompt, "the input", 1, classes=True)
    if (extract := said.get("extract")) is not None:
        check_function("extract", extract, "the run", 1, classes=True)
    require("include_schema", said.get("include_schema", False), bool, FLAG)


def input_schema(name: str, description: str, parameters: Any) -> PayloadSchema:  # a type form
    """What the tool takes: the fields of a pydantic model or a dataclass, else one text.

    Raises:
        ToolDefinitionError: The type has no JSON Schema of type object.
    """
    if parameters is None:
        return PayloadSchema(raw_schema(name, description, INPUT, _nothing), None)
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(parameters)
        schema = adapter.json_schema(schema_generator=SchemaWriter)
    except Exception as error:  # a type may bring its own code, which may raise anything
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ToolDefinitionError(
            f"The parameters of {name!r} have no JSON Schema ({reason}): give a pydantic model or "
            "a dataclass, whose fields are the arguments."
        ) from error
    if schema.get("type") != "object" and "$ref" not in schema:
        raise ToolDefinitionError(
            f"The parameters of {name!r} are no object: give a pydantic model or a dataclass, "
            "whose fields are the arguments."
        )
    return PayloadSchema(raw_schema(name, description, schema, _nothing), adapter)


def tool_name_of(agent_name: str) -> str:
    """The name of the tool that asks an agent, by which models know it.

    Source: openai/openai-agents-python, `Agent.as_tool`.

    Example:
        >>> tool_name_of("Weather Agent")
        'weather_agent'
    """
    spaced = re.sub(r"\s", "_", agent_name.lower())
    name = OTHER.sub("_", spaced)
    if name != spaced:
        warnings.warn(
            f"The agent {agent_name!r} is called {name!r} as a tool: models take ASCII letters, "
            "digits and '_'. Give a name yourself, e.g. agent.as_tool('my_agent').",
            stacklevel=3,
        )
    return name if name.strip("_") else safe_name(agent_name)


def as_text(given: object) -> str:
    """An input in words: of an object, a line for each of its fields.

    Example:
        >>> print(as_text({"city": "Oslo", "days": [1, 2]}))
        city: Oslo
        days: [1,2]
    """
    if isinstance(given, str):
        return given
    named = _fields_of(given)
    if named is None:
        return _written(given)
    return "\n".join(f"{name}: {_written(value)}" for name, value in named.items())


def end_of(run: Run) -> object:
    """What a run gives as a result: its value, its text, or else the last thing that was said.

    How it ended is told with it, where that is not as it should be.

    Raises:
        CallRefused: A check refused it.
    """
    if run.status == "denied":
        raise CallRefused(REFUSED.format(name=run.last_agent, said=run.text))
    name, failure = run.agent_name, run.tree()["runs"][run.id]["failure"]
    answer, note = _answer_of(run, name)
    if run.status == "limit" and failure is not None:
        is_answer = not (isinstance(answer, str) and is_no_answer(answer))
        note = AT_LIMIT.format(name=name, why=failure["message"]) + (BY_THEN if is_answer else "")
    return Result(answer, note=note) if note else answer


def _answer_of(run: Run, name: str) -> tuple[object, str]:
    """The answer, and what is said where there is none and something stands in its place."""
    if not isinstance(run.output, str) or run.output != run.text or not is_silence(run.text):
        return run.output, ""
    items = run.tree()["runs"][run.id]["items"]
    said = [one["text"] for one in items if one["type"] == "text" and not is_silence(one["text"])]
    if said:
        return said[-1], BEFORE.format(name=name)
    results = [call.value for call in run.calls if isinstance(call.value, str) and call.value]
    return (results[-1], RESULT.format(name=name)) if results else (SILENT.format(name=name), "")


def _fields_of(given: object) -> Mapping[str, object] | None:
    if is_mapping(given):
        return given
    if isinstance(given, BaseModel):
        return {name: getattr(given, name) for name in type(given).model_fields}
    if is_dataclass(given):
        return {one.name: getattr(given, one.name) for one in fields(given)}
    return None


def _written(value: object) -> str:
    return value if isinstance(value, str) else to_json(value, fallback=str).decode()


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _nothing() -> None:
    """Stands where a handler's context is looked for: this one gets it by its place."""
