"""What every event carries, and how runs and calls can stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Self

from nbagents.results import Value

if TYPE_CHECKING:
    from nbagents.messages import CallRequest

RunStatus = Literal[
    "running", "completed", "failed", "limit", "denied", "cancelled", "suspended", "unknown"
]
"""`unknown`: the log ends in mid-run, because the kernel died."""

Approval = Literal["risky", "ask", "auto", "never"]
"""Which calls need a person's consent: the risky ones, or all; `auto` gives it to those that would
need it, and `never` refuses it, both without asking."""

CallStatus = Literal[
    "preparing",
    "waiting",
    "running",
    "done",
    "failed",
    "denied",
    "cancelled",
    "timed_out",
    "skipped",
    "unknown",
]
"""`unknown`: the call was started and no result was ever logged."""

UNDER_WAY: Final[tuple[CallStatus, ...]] = ("preparing", "waiting", "running")
"""How a call stands that has no result yet."""

Phase = Literal[
    "prompted",
    "planning",
    "executing_tools",
    "synthesizing",
    "completed",
    "failed",
    "limit",
    "denied",
    "cancelled",
    "suspended",
]

ENDED: Final = ("completed", "failed", "limit", "denied", "cancelled", "suspended")
"""The phases that are ends."""


class RequestedCall(Value):
    """A call as the model asked for it."""

    id: str
    name: str
    arguments: str
    """As the model wrote them: JSON, if all is well."""

    @classmethod
    def of(cls, call: CallRequest) -> Self:
        """A call of a message."""
        return cls(id=call.id, name=call.name, arguments=call.arguments)


class Event(Value):
    """What every event carries."""

    seq: int
    """Position in the session's stream, from 0."""
    at: float
    """Seconds since 1970 (UTC)."""
    event_key: str
    """Stable within the run: the same key is the same event."""
    session_id: str
    turn_id: str
    run_id: str
    parent_run_id: str | None
    """The run whose call started this run; `null` for a root."""
    parent_tool_call_id: str | None
    """The call that started this run; `null` for a root."""
    labels: dict[str, str]


class CallEvent(Event):
    """What every event of one call carries."""

    tool_call_id: str
    tool_name: str
