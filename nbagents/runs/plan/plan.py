"""What a run is to do, and what its model is asked for that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import JsonValue

from nbagents.models.model import TOOL_CHOICES, Model, ModelRequest, Origin, ToolSpec
from nbagents.results import Limits
from nbagents.runs.policy import NO_POLICY, Policy, Spent
from nbagents.runs.state import Past, Said
from nbagents.tools.tool import split_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.events import Approval
    from nbagents.messages import Message
    from nbagents.recordings import Setting
    from nbagents.results import CallResult, Earlier
    from nbagents.runs.plan.kept_run import Kept
    from nbagents.runs.policy import AnswerForm, Spending
    from nbagents.runs.shelf import Shelf
    from nbagents.runs.state import OnAwait, Run
    from nbagents.runs.stepping import StepMode
    from nbagents.tools.tool import Tool
    from nbagents.tools.values import Handles


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """Where a run inside of another one stands."""

    run: Run
    call_id: str
    plan: Plan
    spending: Spending
    """What it draws on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a run needs to know before it starts."""

    agent_name: str
    model: Model
    tools: tuple[Tool, ...] = ()
    shelf: Shelf | None = None
    """The tools that are found by a search; most runs have none."""
    messages: tuple[Message, ...] = ()
    """The conversation so far; its last message is what the person asks now."""
    earlier: Earlier | None = None
    """Those of them that the log has in other runs."""
    shared: tuple[str, ...] = ()
    """What is handed over with the prompt, a line each."""
    passthrough: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])
    form: AnswerForm | None = None
    """The form that the answer must have."""
    is_parallel: bool = True
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    max_steps: int = 10
    limits: Limits = field(default_factory=Limits)
    """Beyond `max_steps`."""
    chat: str | None = None
    """The conversation that it goes on with."""
    policy: Policy = NO_POLICY
    approval: Approval = "risky"
    on_await: OnAwait = "ask"
    """What is done where a person must answer."""
    step: StepMode | None = None
    """Whether it waits at each step; `None`: it does not."""
    on_missing: Literal["tell", "ask"] = "tell"
    """Who is told that a call lacks required values: the model, or the person, who gives them."""
    parent: Parent | None = None
    """What it is inside of."""
    recording: Setting | None = None
    """The recording that holds for models that name none."""
    turn: tuple[Message, ...] = ()
    """Of a run that goes on with another, what was said in that one, which its messages end in."""
    resumed_from: str | None = None
    """The suspended run that it goes on with."""
    kept: Kept | None = None
    """Of a branch of another run, what it keeps of that."""
    finished: Mapping[str, CallResult] = field(default_factory=dict[str, Any])
    """Results of the newest answer's calls that were there already when the run was suspended."""
    said: Said = field(default_factory=Said)
    """What a person has said to what was open in it, and in the runs inside it."""
    spent: Spent = field(default_factory=Spent)
    """What it had spent by then."""
    is_closing: bool = False
    """Whether its newest answer is the call that was said beforehand, for the end at a limit."""
    past: Mapping[str, Past] = field(default_factory=dict[str, Any])
    """What its other calls had been given by then."""

    @property
    def goes_on(self) -> bool:
        """Whether it goes on from where another run was, as its continuation or as a branch."""
        return self.resumed_from is not None or self.kept is not None

    @property
    def known_tools(self) -> tuple[Tool, ...]:
        """Those that calls may be of, also where the model was not offered them."""
        return self.tools if self.shelf is None else (*self.tools, *self.shelf.known)


def request_of(
    plan: Plan,
    messages: Sequence[Message],
    tools: tuple[ToolSpec, ...],
    handles: Handles,
    memo: dict[str, object],
    tool_choice: str | Mapping[str, JsonValue] | None = None,
    origin: Origin | None = None,
) -> ModelRequest:
    """What a model is asked; a choice is told it only of what it is offered."""
    if not tools:
        tool_choice = None
    elif isinstance(tool_choice, str) and tool_choice not in TOOL_CHOICES:
        tool_choice = tool_choice if any(one.name == tool_choice for one in tools) else "auto"
    return ModelRequest(
        messages=messages,
        tools=tools,
        settings=plan.settings,
        output=plan.form and plan.form.spec,
        handles=handles.infos() if handles else (),
        parallel=plan.is_parallel,
        memo=memo,
        tool_choice=tool_choice,
        origin=origin,
    )


def origin_of(run: Run) -> Origin:
    """Who asks a model in a run."""
    places: list[str] = []
    inner = run
    while inner.parent is not None:
        calls = list(inner.parent.node["calls"])
        call_id = inner.parent_call_id
        at = calls.index(call_id) if call_id in calls else -1
        siblings = [one for one in inner.parent.children if one.parent_call_id == call_id]
        nth = next((at for at, one in enumerate(siblings) if one is inner), 0)
        places.append(f"{at + 1}" if not nth else f"{at + 1}.{nth + 1}")
        inner = inner.parent
    return Origin(run_id=run.id, root_id=inner.id, place="/".join(reversed(places)))


def first_request(plan: Plan, handles: Handles) -> ModelRequest:
    """What a run would ask first."""
    specs = tuple(map(spec_of, plan.tools))
    return request_of(plan, plan.messages, specs, handles, {}, plan.policy.tool_choice)


def spec_of(tool: Tool) -> ToolSpec:
    """What a model is told of a tool."""
    return ToolSpec(
        name=tool.name,
        description=" ".join(filter(None, (tool.description, tool.options.note))),
        parameters=tool.parameters,
        written=tool.schema.parameters,
        strict=tool.strict,
        strict_note=tool.strict_note,
        hosted=tool.options.hosted,
        handles=tool.schema.handles,
        defer=tool.options.defer,
        toolset=split_name(tool.name)[0],
        read_only=False if tool.options.destructive else tool.options.read_only,
    )
