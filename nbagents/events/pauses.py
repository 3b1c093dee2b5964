"""What a person is shown where a run waits in step mode."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from nbagents.results import ShownMessage, ShownTool, Value


class ShownNextCall(Value):
    """A call that is about to be made."""

    id: str
    name: str
    arguments: JsonValue
    """What its tool would get; a live object as its name and what it is."""
    defaults: tuple[str, ...] = ()
    """The arguments that the model did not give."""
    objects: dict[str, str] = Field(default_factory=dict[str, str])
    """As in `ToolStart`."""
    form: JsonValue = None
    """The JSON Schema of the arguments; `null`: there is no such tool."""
    problem: str = ""
    """Why it cannot be made as it stands."""


class ShownPause(Value):
    """What a run would do next."""

    of: Literal["request", "calls"]
    """Whether the model would be asked, or calls would be made."""
    step: int
    model: str
    messages: tuple[ShownMessage, ...] = ()
    """Of a request, all that the model would be told."""
    new_from: int = 0
    """The first of them that no request of the run has told yet."""
    tools: tuple[ShownTool, ...] = ()
    settings: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """What else would be sent."""
    is_final: bool = False
    """Whether no call can follow."""
    can_skip: bool = True
    calls: tuple[ShownNextCall, ...] = ()
    note: str = ""
    """What came of an edit that is to be looked at again."""
