"""What the rooms of this floor know of an agent, so that none of them needs the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import JsonValue

    from nbagents.events import Approval
    from nbagents.models.model import Model
    from nbagents.runs.awaits import OnAwait
    from nbagents.runs.guardrails import Parallel
    from nbagents.runs.policy import FinalCall, ToolFilter, ToolUse
    from nbagents.runs.prices import Prices
    from nbagents.tools.tool import Check
    from nbagents.tools.toolset import ToolLike

__all__ = ["UNSAID", "AgentLike", "is_agent"]

UNSAID: Final[Any] = object()
"""No answer is given beforehand."""


class AgentLike(Protocol):
    """An agent: its fields are those of `nbagents.Agent`, which says what they mean."""

    @property
    def name(self) -> str: ...  # noqa: D102  see above, as for all of them
    @property
    def instructions(self) -> str: ...  # noqa: D102
    @property
    def tools(self) -> Iterable[ToolLike]: ...  # noqa: D102
    @property
    def model(self) -> Model | str | None: ...  # noqa: D102
    @property
    def max_steps(self) -> int: ...  # noqa: D102
    @property
    def max_calls(self) -> int | None: ...  # noqa: D102
    @property
    def max_tokens(self) -> int | None: ...  # noqa: D102
    @property
    def timeout_s(self) -> float | None: ...  # noqa: D102
    @property
    def settings(self) -> Mapping[str, JsonValue]: ...  # noqa: D102
    @property
    def output(self) -> Any: ...  # noqa: D102  Any: a type form
    @property
    def parallel(self) -> bool: ...  # noqa: D102
    @property
    def sequential(self) -> bool: ...  # noqa: D102
    @property
    def approval(self) -> Approval | None: ...  # noqa: D102
    @property
    def on_await(self) -> OnAwait | None: ...  # noqa: D102
    @property
    def on_missing(self) -> Literal["tell", "ask"]: ...  # noqa: D102
    @property
    def keep_turns(self) -> int | None: ...  # noqa: D102
    @property
    def keep_tokens(self) -> int | None: ...  # noqa: D102
    @property
    def can_ask(self) -> bool: ...  # noqa: D102
    @property
    def max_cost(self) -> float | None: ...  # noqa: D102
    @property
    def prices(self) -> Prices: ...  # noqa: D102
    @property
    def max_failed_batches(self) -> int | None: ...  # noqa: D102
    @property
    def max_depth(self) -> int | None: ...  # noqa: D102
    @property
    def on_limit(self) -> FinalCall | None: ...  # noqa: D102
    @property
    def tool_use(self) -> ToolUse: ...  # noqa: D102
    @property
    def tool_choice(self) -> str: ...  # noqa: D102
    @property
    def allow_tags(self) -> Iterable[str] | None: ...  # noqa: D102
    @property
    def deny_tags(self) -> Iterable[str]: ...  # noqa: D102
    @property
    def tool_filter(self) -> ToolFilter | None: ...  # noqa: D102
    @property
    def input_guardrails(self) -> Iterable[Check | Parallel]: ...  # noqa: D102
    @property
    def output_guardrails(self) -> Iterable[Check]: ...  # noqa: D102
    @property
    def handoffs(self) -> Iterable[Any]: ...  # noqa: D102  Any: agents, or what `handoff` gives


def is_agent(given: object) -> TypeGuard[AgentLike]:
    """Whether something is an agent, and not the class of one."""
    return not isinstance(given, type) and hasattr(given, "begin") and hasattr(given, "handoffs")
