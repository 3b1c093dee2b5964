"""What an agent is, as a frozen value: what plans, tools and hand-overs are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import JsonValue

from nbagents.tools.tool import ToolLike

if TYPE_CHECKING:
    from nbagents.events import Approval
    from nbagents.models.model import Model
    from nbagents.runs.policy import FinalCall, Parallel, Prices, ToolFilter, ToolUse
    from nbagents.runs.state import OnAwait
    from nbagents.tools.tool import Check


@dataclass(frozen=True, slots=True)
class Specification:
    """What an agent is; `nbagents.Agent` says what each field means, and sees to their values."""

    name: str = "agent"
    instructions: str = ""
    tools: Iterable[ToolLike] = ()
    model: Model | str | None = None
    max_steps: int = 10
    max_calls: int | None = None
    max_tokens: int | None = None
    timeout_s: float | None = None
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    output: Any = None  # a type form, of which Python has no type
    parallel: bool = True
    sequential: bool = False
    approval: Approval | None = None
    on_await: OnAwait | None = None
    on_missing: Literal["tell", "ask"] = "tell"
    can_ask: bool = False
    max_cost: float | None = None
    prices: Prices = field(default_factory=dict[str, Mapping[str, float]])
    max_failed_batches: int | None = 3
    max_depth: int | None = 5
    on_limit: FinalCall | None = None
    tool_use: ToolUse = "run_again"
    tool_choice: str = "auto"
    allow_tags: Iterable[str] | None = None
    deny_tags: Iterable[str] = ()
    tool_filter: ToolFilter | None = None
    input_guardrails: Iterable[Check | Parallel] = ()
    output_guardrails: Iterable[Check] = ()
    handoffs: Iterable[Any] = ()  # Any: agents, or what `handoff` gives
    exports: Mapping[str, Any] = field(default_factory=dict[str, Any])
    keep_turns: int | None = None
    keep_tokens: int | None = None
