"""What a call gives: content for the model, payloads for the person, or a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = [
    "Bounds",
    "CallResult",
    "Failure",
    "FailureKind",
    "FieldIssue",
    "Payload",
    "Recovery",
    "Result",
    "Usage",
    "Value",
]

FailureKind = Literal[
    "invalid_call",
    "domain_rejection",
    "unavailable",
    "rate_limited",
    "timeout",
    "malformed_result",
    "internal",
]
"""Why a call failed. Source: goadesign/goa-ai, tool failure kinds."""

Recovery = Literal["correct_call", "replan", "finish"]
"""What the model should do about it: call again corrected, do something else, or stop."""


class Value(BaseModel):
    """A frozen value that crosses to the page and into the log.

    What stands under a field is its description on the page: `js/generate_events.py` reads it from
    the source, because reading it at import would take longer than all else that loads.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        json_schema_serialization_defaults_required=True,
    )


class Payload(Value):
    """One typed piece of a result's `data`, for the person and for other tools."""

    kind: str
    """Which renderer draws it, e.g. `map`."""
    version: int = 1
    audience: Literal["timeline", "internal", "evidence"] = "timeline"
    """`timeline` is shown, `internal` is for other tools only, `evidence` tells the source."""
    value: JsonValue = None


class FieldIssue(Value):
    """One argument that does not fit."""

    field: str
    """Path of the argument, joined by dots."""
    constraint: str
    """pydantic's name of the rule, e.g. `missing` or `int_parsing`."""
    message: str


class Failure(Value):
    """Why a call gave no result, and what the model should do about it."""

    kind: FailureKind
    recovery: Recovery
    message: str
    """What the model is told: no traceback, no path."""
    issues: tuple[FieldIssue, ...] = ()
    debug_message: str | None = None
    """For the person only: the traceback."""


class Bounds(Value):
    """How much of a large result the model was given."""

    returned: int
    total: int | None = None
    truncated: bool = False
    next_cursor: str | None = None


class Usage(Value):
    """Tokens, as the provider counted them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    requests: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            requests=self.requests + other.requests,
        )

    @property
    def total_tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool may return when the model and the person should see different things.

    Args:
        content: What the model reads; anything that is no text is sent as JSON.
        data: What the person sees, and other tools may use; it never costs a token. A mapping with
            a `kind` is one payload of that kind, any other value one of the tool's name.
        has_next: Whether the model must read this; `None`: the tool's default.
        preview: One line for people.

    Example:
        >>> Result("It is 9 °C.", data={"kind": "weather", "celsius": 9}).content
        'It is 9 °C.'
    """

    content: Any
    data: Mapping[str, Any] | Payload | Sequence[Payload] | Any = None
    has_next: bool | None = None
    preview: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What the runtime keeps of one ended call: the tool's result, normalised and classified."""

    content: str
    """What the model is told."""
    data: object = None
    """What the tool gave as `data`, as it stands."""
    payloads: tuple[Payload, ...] = ()
    has_next: bool | None = None
    preview: str | None = None
    failure: Failure | None = None
    bounds: Bounds | None = None
    status: Literal["done", "failed", "denied", "cancelled", "timed_out", "skipped"] = "done"
