"""What the calls of a run have around them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from nbagents.recordings import FrozenCalls
    from nbagents.runs.people import Host, People
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.state import Past, Run
    from nbagents.tools.call import Lanes


class Drives(Protocol):
    """Drives a run inside another one."""

    def __call__(self, run: Run, plan: Plan, lanes: Lanes) -> Coroutine[Any, Any, None]:
        """Run to the end."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the calls of a run have around them."""

    run: Run
    lanes: Lanes
    """Which thread they run on."""
    host: Host
    people: People
    """Who is asked by calls."""
    drive: Drives
    """Drives the runs that calls start."""
    frozen: Callable[[str], FrozenCalls | None]
    """The recorded results of calls of a tool, where a recording holds now."""
    parent_of: Callable[[str], Parent]
    """Where such a run stands, by the call that starts it."""
    past: Mapping[str, Past] = field(default_factory=dict[str, Any])
    """What calls were given before the run was suspended."""
    passthrough: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])
    """What each toolset is handed past the model."""
    is_parallel: bool = True
    """Whether the calls of one step are made together; else one after the other."""
