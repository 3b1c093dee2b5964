"""Who is told what: which events an audience gets, and what is left out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, get_args

from pydantic import BaseModel

from nbagents.errors import did_you_mean
from nbagents.events import AnyEvent, ToolData, ToolEnd, Workflow
from nbagents.tools.context import check_function, is_several, require, shown

Redact: TypeAlias = "Callable[[AnyEvent], AnyEvent | None]"
"""The event as the audience gets it; `None`: not at all."""

ALL_TYPES: Final = frozenset(
    str(kind.model_fields["type"].default) for kind in get_args(get_args(AnyEvent)[0])
)


@dataclass(frozen=True, slots=True)
class Profile:
    """Which events an audience gets, and in what form.

    Args:
        name: How it is called.
        types: The types of the events; `None`: all.
        redact: Gives each of them as the audience may see it, or `None`: then it is left out. The
            log keeps the whole.

    Example:
        >>> calls = Profile.only("tool_start", "tool_end")
        >>> calls.without("tool_start").has("tool_start")
        False

    Raises:
        ValueError: There is no such type, or `redact` is no function of an event.
    """

    name: str
    types: AbstractSet[str] | None = None
    redact: Redact | None = None

    def __post_init__(self) -> None:
        """Keep the types, whatever becomes of the set that was given."""
        given = ALL_TYPES if self.types is None else frozenset(_types((self.types,)))
        object.__setattr__(self, "types", given)
        require("name of Profile", self.name, str, 'it must be text, e.g. Profile("mine").')
        if self.redact is not None:
            check_function("redact", self.redact, "an event", 1)

    @classmethod
    def only(cls, *types: str) -> Profile:
        """Events of these types alone."""
        return cls("custom", frozenset(_types(types)))

    def without(self, *types: str) -> Profile:
        """The same without events of these types."""
        left_out = frozenset(_types(types))
        return replace(self, name="custom", types=(self.types or set()) - left_out)

    def has(self, kind: str) -> bool:
        """Whether events of a type are among them."""
        return kind in (self.types or ())

    def told(self, event: AnyEvent) -> AnyEvent | None:
        """What the audience gets of an event; `None`: nothing."""
        if not self.has(event.type):
            return None
        if self.redact is None:
            return event
        given = self.redact(event)
        if _is_told(given):
            return given
        raise TypeError(
            f"redact of the profile {self.name!r} gave {shown(given)}: it must give the event, a "
            "copy of it (event.model_copy(update={...})), or None to leave it out."
        )


def _is_told(given: object) -> bool:
    return given is None or isinstance(given, BaseModel)


def profile_of(given: Profile | str) -> Profile:
    """A profile by its name.

    Raises:
        ValueError: There is none of this name.
    """
    if isinstance(given, Profile):
        return given
    known = PROFILES.get(str(given))
    if known is None:
        raise ValueError(
            f"There is no profile {shown(given)}.{did_you_mean(str(given), tuple(PROFILES))} "
            "nbagents.Profile(...) makes others."
        )
    return known


def _types(given: Iterable[object]) -> Iterator[str]:
    """Types of events, also where several were given as one.

    Raises:
        ValueError: There is no such type.
    """
    for one in given:
        if is_several(one):
            yield from _types(one)
        elif isinstance(one, str) and one in ALL_TYPES:
            yield one
        else:
            hint = did_you_mean(str(one), sorted(ALL_TYPES))
            raise ValueError(f"There is no event {shown(one)}.{hint}")


def _for_the_person(event: AnyEvent) -> AnyEvent | None:
    """Without tracebacks, and without payloads that are for other tools only."""
    if isinstance(event, ToolData) and event.payload.audience == "internal":
        return None
    if isinstance(event, (ToolEnd, Workflow)) and event.failure is not None:
        failure = event.failure.model_copy(update={"debug_message": None})
        return event.model_copy(update={"failure": failure})
    return event


def _without_words(event: AnyEvent) -> AnyEvent:
    """Without anything that somebody said: of a failure, what kind it is."""
    if isinstance(event, Workflow) and event.failure is not None:
        update = {"message": "", "debug_message": None, "issues": ()}
        return event.model_copy(update={"failure": event.failure.model_copy(update=update)})
    return event


DEBUG: Final = Profile("debug")
"""Everything, as the log has it."""

USER: Final = Profile(
    "user",
    ALL_TYPES - {"thought", "tool_args_delta", "usage", "kept_usage", "prompt_rendered"},
    _for_the_person,
)
"""What a person follows a run by: words, calls and questions; no tokens, no prompts, no
tracebacks."""

METRICS: Final = Profile("metrics", {"workflow", "usage"}, _without_words)
"""What is counted: phases, among them how each run ended, and tokens; nobody's words."""

AUDIT: Final = Profile(
    "audit",
    ALL_TYPES
    - {"assistant_delta", "thought", "tool_args_delta", "tool_update", "tool_output_delta"},
)
"""What was done, and who allowed it: each thing once, when it is settled, and whole."""

PROFILES: Final = {one.name: one for one in (USER, DEBUG, METRICS, AUDIT)}
