"""What holds for a run beside its limits: which tools it sees, how tools end it, who checks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pydantic import JsonValue

from nbagents.runs.policy.prices import Prices
from nbagents.tools.context import is_several, require

if TYPE_CHECKING:
    from nbagents.messages import Message
    from nbagents.runs.wording import Call
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Check, Tool


@dataclass(frozen=True, slots=True)
class FinalCall:
    """A call that ends a run which met a limit: its content is the answer.

    Args:
        name: The tool.
        arguments: What it is called with.
    """

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    def __post_init__(self) -> None:
        """See that it says a tool, and with what.

        Raises:
            ValueError: It does not.
        """
        name, how = self.name, 'give its name, e.g. FinalCall("sum_up").'
        require("The tool of FinalCall", name, str, how)
        how = f'give them by name, e.g. FinalCall({name!r}, {{"text": "Nothing found."}}).'
        require(f"The arguments of FinalCall({name!r})", self.arguments, Mapping, how)


@dataclass(frozen=True, slots=True, init=False)
class StopAt:
    """The tools whose result is the answer.

    Args:
        names: What they are called.

    Raises:
        ValueError: One is no name, or there is none.

    Example:
        >>> StopAt("book", "cancel").names
        ('book', 'cancel')
    """

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        given: tuple[object, ...] = names
        if len(given) == 1 and is_several(given[0]):
            given = tuple(given[0])  # a list of them is understood
        for one in given:
            require("A tool of StopAt", one, str, 'give names, e.g. StopAt("book", "cancel").')
        if not given:
            raise ValueError('StopAt says no tool: give names, e.g. StopAt("book", "cancel").')
        object.__setattr__(self, "names", given)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """Where a run stands, for what decides which tools it is offered next."""

    step: int
    """The model request that comes next, from 1."""
    run_id: str
    agent_name: str
    labels: Mapping[str, str]
    used: tuple[str, ...]
    """The tools that were called so far, in order."""
    messages: Sequence[Message]
    """The conversation so far."""
    context: Any = None
    """The caller's own object; see `Agent.run`."""


ToolUse: TypeAlias = (
    "Literal['run_again', 'stop_on_first'] | StopAt | Callable[[Context, Sequence[Call]], object]"
)
"""What follows on the calls of a step: the model reads the results; the first result is the answer;
that of certain tools is; or a function of the context and the calls gives it, `None` for none."""

ToolFilter: TypeAlias = "Callable[[StepContext, Tool], bool]"
"""Whether the model is offered a tool at a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What holds for a run beside its limits."""

    prices: Prices = field(default_factory=dict[str, Any])
    on_limit: FinalCall | None = None
    """What is called at a limit; `None`: the model says a last word."""
    tool_use: ToolUse = "run_again"
    tool_choice: str | Mapping[str, JsonValue] | None = None
    """What the model is told of its choice until it has used a tool."""
    is_sequential: bool = False
    """Whether the model is asked between calls: only the first one of an answer is made."""
    tool_filter: ToolFilter | None = None
    offers: Mapping[str, Callable[[Context], object]] = field(default_factory=dict[str, Any])
    """Says at each step, by the name of a tool, whether it is offered."""
    input_guardrails: tuple[Check, ...] = ()
    beside: tuple[Check, ...] = ()
    """Check the prompt while the model is asked already."""
    output_guardrails: tuple[Check, ...] = ()
    handovers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Who may take over, by the tool that asks for it: `Handover`s, which know of plans."""


NO_POLICY = Policy()
