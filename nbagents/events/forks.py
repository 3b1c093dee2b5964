"""What a run is a branch of, what was changed in it, and where what is kept of the other ends."""

from __future__ import annotations

from typing import Literal

from nbagents.events.event import Event
from nbagents.results import Value

EditedField = Literal["arguments", "result", "message", "tools", "model", "instructions"]


class ForkedFrom(Value):
    """Where a run leaves another one, and what is different from there."""

    run_id: str
    """The run that it is a branch of."""
    origin_id: str
    """The run that all its branches, and theirs, come from."""
    step: int
    """The model request from which it goes on by itself, or whose call was changed."""
    call_id: str | None = None
    """The call that was changed, or in which it leaves the other; `null`: the request itself."""
    call_number: int | None = None
    """Which call of the other run that is, from 1."""
    tool_name: str | None = None
    edited: tuple[EditedField, ...] = ()
    """What was changed; nothing where the model is only asked anew."""
    message: str | None = None
    """What the person said instead, where they did."""
    inside_id: str | None = None
    """The run inside of the call in which the change is, if it is in one."""
    is_whole: bool = False
    """Whether all of the other run is kept: it had ended inside of a call that is kept."""


class KeptEnd(Event):
    """What a branch keeps of another run ends here; from now on it goes on by itself."""

    type: Literal["kept_end"] = "kept_end"
    calls: tuple[str, ...]
    """The calls that were not made here, by their ids."""
