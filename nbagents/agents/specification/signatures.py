"""What goes along with a prompt, declared once for all verbs of an agent that take it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from nbagents.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pydantic import JsonValue

    from nbagents.models.model import Model
    from nbagents.runs.plan import Attachments, Conversation
    from nbagents.runs.state import Session
    from nbagents.runs.stepping import Stepping
    from nbagents.tools.tool import ToolLike

F = TypeVar("F", bound="Callable[..., object]")


class BeginOptions(TypedDict, total=False):
    """What goes along with a prompt; see `Agent.run`."""

    vars: Mapping[str, object] | None
    attach: Attachments
    passthrough: Mapping[str, Mapping[str, Any]] | None
    context: Any
    messages: Conversation
    chat: str | None
    labels: Mapping[str, str] | None
    step: Stepping | None


class RunOptions(BeginOptions, total=False):
    """The same, and where the run is logged."""

    log: Literal["memory"] | Session | None


class ResumeOptions(TypedDict, total=False):
    """With what a run is gone on with; see `Agent.resume`."""

    answer: Any
    vars: Mapping[str, object] | None
    context: Any
    tools: Iterable[ToolLike] | None
    step: Stepping | None
    log: Literal["memory"] | Session | None


class ForkOptions(TypedDict, total=False):
    """Where a run is left by a branch, and what is different from there; see `Agent.fork`."""

    at: Any
    step: int | None
    arguments: Mapping[str, JsonValue] | None
    result: Any
    message: str | None
    tools: Iterable[ToolLike] | None
    model: Model | str | None
    instructions: str | None
    again: Any
    vars: Mapping[str, object] | None
    context: Any
    labels: Mapping[str, str] | None
    stepping: Stepping | None
    log: Literal["memory"] | Session | None


def shows(options: type, **defaults: object) -> Callable[[F], F]:
    """Have `help()`, Shift-Tab and completion show what a function takes by `**` as its own.

    Args:
        options: The `TypedDict` that it takes.
        defaults: What holds where a key is left out, unless that is `None`.
    """

    def mark(function: F) -> F:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        more = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults.get(name),
                annotation=getattr(hint, "__forward_arg__", hint),
            )
            for name, hint in options.__annotations__.items()
        ]
        first = [one for one in own if one.kind is not one.KEYWORD_ONLY]
        parameters = [*first, *more, *(one for one in own if one not in first)]
        marked: Any = function  # Any: what a function says of itself is no part of its type
        marked.__signature__ = signature.replace(parameters=parameters)
        return function

    return mark


def refuse_unknown(verb: str, given: Mapping[str, object], known: type) -> None:
    """See that there is an option of each name: a `TypedDict` sees to nothing.

    Raises:
        TypeError: There is none of a name; says which come close.
    """
    for name in given:
        if name not in known.__annotations__:
            hint = did_you_mean(name, tuple(known.__annotations__))
            raise TypeError(f"{verb} has no option {name!r}.{hint}")
