"""An agent's way to be heard word by word, for whoever wants nothing else of its run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypedDict

from typing_extensions import Unpack

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from nbagents.events import AnyEvent
    from nbagents.runs.earlier import Conversation
    from nbagents.runs.session import Session

__all__ = ["Talking", "Told"]

BETWEEN: Final = "\n\n"
"""What stands between the words of two steps."""


class Told(TypedDict, total=False):
    """What goes along with a prompt; see `Agent.run`."""

    vars: Mapping[str, object] | None
    attach: Any
    passthrough: Mapping[str, Mapping[str, Any]] | None
    context: Any
    messages: Conversation
    chat: str | None
    labels: Mapping[str, str] | None
    log: Literal["memory"] | Session | None


class Streams(Protocol):
    """What gives the events of a run as they come."""

    @property
    def stream(self) -> Callable[..., AsyncIterator[AnyEvent]]: ...


class Talking:
    """An agent's way to be heard word by word."""

    __slots__ = ()

    def stream_text(self: Streams, prompt: str, **told: Unpack[Told]) -> AsyncIterator[str]:
        """Run on the running loop and yield what the agent says, as it says it, and nothing else.

        Between the words of two steps stands a blank line. What agents inside of it say is not
        among them.

        Args:
            prompt: What the person asks.
            told: See `run`.

        Raises:
            Exception: See `run`.

        Example:
            >>> async def say(agent):
            ...     async for words in agent.stream_text("Tell me a story."):
            ...         print(words, end="")
        """
        return _words_of(self.stream(prompt, **told))


async def _words_of(events: AsyncIterator[AnyEvent]) -> AsyncIterator[str]:
    said = passed = ""
    step = 0
    between = ""
    async for event in events:
        if event.parent_run_id is not None:
            continue
        if event.type == "assistant_delta":
            yield event.text if passed else between + event.text
            passed, between = passed + event.text, BETWEEN
        elif event.type == "assistant_turn":
            is_again = event.step == step and event.text == said
            if event.text and event.text != passed and not is_again:
                yield between + event.text
                between = BETWEEN
            said, passed, step = event.text, "", event.step
