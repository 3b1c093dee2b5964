"""Where a flow stands: read from what was called in its run so far, and from nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from nbagents.messages import AssistantMessage, ToolMessage, UserMessage
from nbagents.narrowing import is_dict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.messages import Message

KEYS: Final = ("query", "categories", "apis", "api", "parameters", "missing")
"""What the nodes of a flow hand on, by name."""


@dataclass(slots=True)
class State:
    """What is known of a request so far."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    done: list[str] = field(default_factory=list[str])
    """The nodes that have ended."""
    said: str = ""
    """What the last of them gave, as text."""
    is_broken: bool = False
    """Whether that says what went wrong."""


def state_of(messages: Sequence[Message]) -> State:
    """What a run's conversation says."""
    state = State()
    names: dict[str, str] = {}
    for one in messages:
        if isinstance(one, UserMessage) and not one.is_notice:
            state.values.setdefault("query", one.text)
        elif isinstance(one, AssistantMessage):
            names |= {call.id: call.name for call in one.calls}
        elif isinstance(one, ToolMessage):
            state.done.append(names.get(one.call_id, one.name))
            state.said, state.is_broken = one.content, one.failed
            state.values |= told_in(one.content)
    return state


def told_in(content: str) -> Mapping[str, Any]:
    """What a node hands on."""
    try:
        given: object = json.loads(content)
    except ValueError:
        return {}
    if not is_dict(given):
        return {}
    found = given
    return {key: found[key] for key in KEYS[1:] if key in found}
