"""Where a run waits in step mode: before a request to its model, or before a batch of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import JsonValue

from nbagents.messages import AssistantMessage, Message, SystemMessage, ToolMessage
from nbagents.models.model import ToolSpec
from nbagents.redaction import clean, in_clean_words
from nbagents.runs.wording import argument_words, counted, plain, visible_name

if TYPE_CHECKING:
    from nbagents.tools.call import PreparedCall


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class NextCall:
    """A call that is about to be made."""

    id: str
    name: str
    arguments: JsonValue
    """What its tool would get, defaults and all; as the model wrote it, where it gets nothing."""
    defaults: tuple[str, ...] = ()
    """The arguments that the model did not give."""
    objects: Mapping[str, str] = field(default_factory=dict[str, str])
    """The arguments that are live objects, by JSON pointer, in words."""
    form: Mapping[str, JsonValue] | None = None
    """The JSON Schema of the arguments; `None`: there is no such tool."""
    problem: str = ""
    """Why it cannot be made as it stands."""
    prepared: PreparedCall | None = field(default=None, repr=False, compare=False)


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """What a run would do next, as a person sees it who steps through it.

    Printed, it is text: what the model would be told, or the calls that would be made.
    """

    kind: Literal["request", "calls"]
    """Whether the model would be asked, or calls would be made."""
    step: int
    """Which request it is, or which one's calls, from 1."""
    run_id: str
    agent_name: str
    model: str
    """Which model would be asked, or wants the calls."""
    messages: tuple[Message, ...] = ()
    """Of a request, all that the model would be told."""
    new_from: int = 0
    """The first of them that no request of this run has told yet."""
    tools: tuple[ToolSpec, ...] = ()
    """Of a request, what the model would be offered."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """What else would be sent."""
    is_final: bool = False
    """Whether the model would have the last word: then no calls follow."""
    calls: tuple[NextCall, ...] = ()
    """The calls that would be made."""
    note: str = ""
    """What came of an edit that is to be looked at again."""
    context: Any = field(default=None, repr=False, compare=False)
    """The caller's own object; see `Agent.run`."""

    @property
    def is_request(self) -> bool:
        """Whether the model would be asked."""
        return self.kind == "request"

    @property
    def title(self) -> str:
        """What comes next, in a few words."""
        if self.is_request:
            return f"Step {self.step}: ask {self.model}"
        return f"Step {self.step}: make {counted(len(self.calls), 'call')}"

    def __str__(self) -> str:
        lines = [self.title, *filter(None, [self.note])]
        for at, one in enumerate(self.messages):
            sign = "+" if at >= self.new_from else " "
            lines.append(f"{sign} {at}. {one.role}: {message_words(one)}")
        if self.tools:
            lines.append(f"  tools: {', '.join(one.name for one in self.tools)}")
        if self.settings:
            lines.append(f"  settings: {dict(self.settings)}")
        for one in self.calls:
            problem = f"  ({one.problem})" if one.problem else ""
            lines.append(f"  {call_words(one)}{problem}")
        return clean("\n".join(lines))


def message_words(message: Message) -> str:
    """The words of a message, as they are shown and edited."""
    if isinstance(message, ToolMessage):
        return message.content
    if isinstance(message, AssistantMessage):
        calls = ", ".join(f"{one.name}({one.arguments})" for one in message.calls)
        return " ".join(filter(None, (message.text, calls and f"calls {calls}")))
    return message.text if isinstance(message, SystemMessage) else message.told


def call_words(call: NextCall, longest: int | None = None) -> str:
    """A call as it is shown before it is made: `weather(city="Oslo", days=1 (default))`."""
    shown = None if call.prepared is None else call.prepared.effective
    if shown is None:
        given = call.arguments
        words = argument_words(given, (), {}) if isinstance(given, dict) else plain(str(given))
    else:
        words = argument_words(shown.arguments, shown.defaults, shown.objects)
    return cut_words(clean(f"{visible_name(call.name)}({words})"), longest)


def cut_words(text: str, longest: int | None) -> str:
    """A text of at most about so many characters, which says how long it was."""
    if longest is None or len(text) <= longest:
        return text
    return f"{text[:longest]}… ({len(text):,} characters)"


def ids_of(calls: Sequence[NextCall]) -> tuple[str, ...]:
    """The ids of calls."""
    return tuple(one.id for one in calls)
