"""What happens in a call."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from nbagents.events.event import CallEvent, CallStatus
from nbagents.results import Bounds, Failure, Payload, RunLink, Taken

Stream: TypeAlias = Literal["stdout", "stderr", "log"]
"""Through what something was printed."""


class ToolStart(CallEvent):
    """A call is about to run; in the log before the tool is."""

    type: Literal["tool_start"] = "tool_start"
    arguments: JsonValue
    """What the tool gets, with its defaults; what the model wrote, parsed or as raw text, where
    that fits no call."""
    defaults: tuple[str, ...] = ()
    """The arguments that were not given."""
    objects: dict[str, str] = Field(default_factory=dict[str, str])
    """The arguments that are live objects, or defaults that JSON cannot carry, by JSON pointer: in
    words, what they are."""
    taken: Taken | None = None
    """How Python makes it, where its name and arguments do not tell."""
    display_hint: str | None = None
    """One line for people."""
    source_hash: str | None = None
    """Which version of the tool served it."""
    cell_id: str | None = None
    """The notebook's cell that defines the tool."""


class ToolArgsDelta(CallEvent):
    """A piece of a call's arguments, as the model writes them."""

    type: Literal["tool_args_delta"] = "tool_args_delta"
    text: str


class ToolUpdate(CallEvent):
    """Progress from inside a call."""

    type: Literal["tool_update"] = "tool_update"
    message: str
    fraction: float | None = None
    """Between 0 and 1."""
    expected_children: int | None = None
    """How many runs the call will have started in the end, where it knows."""


class ToolOutputDelta(CallEvent):
    """Something a call printed or logged."""

    type: Literal["tool_output_delta"] = "tool_output_delta"
    stream: Stream
    text: str


class ToolData(CallEvent):
    """A payload for the person; the same `payload_id` again replaces it."""

    type: Literal["tool_data"] = "tool_data"
    payload_id: str
    payload: Payload


class ToolEnd(CallEvent):
    """A call ended; there is exactly one for each call id."""

    type: Literal["tool_end"] = "tool_end"
    call_run_id: str
    """The run that opened the call."""
    status: CallStatus
    content: str
    """What the model is told."""
    preview: str | None = None
    """One line for people."""
    handle: str | None = None
    """The name under which later calls may take what it returned."""
    has_next: bool | None = None
    failure: Failure | None = None
    bounds: Bounds | None = None
    duration_ms: float
    run_links: tuple[RunLink, ...] = ()
    """The runs that the call has started, in order."""


class ChildRunLinked(CallEvent):
    """A call started a run of its own."""

    type: Literal["child_run_linked"] = "child_run_linked"
    child_run_id: str
    child_agent_name: str
