"""What an agent says, word by word, for whoever wants nothing else of its run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.events import AnyEvent

BETWEEN: Final = "\n\n"
"""What stands between the words of two steps."""


async def words_of(events: AsyncIterator[AnyEvent]) -> AsyncIterator[str]:
    """What the agent of a run says, as it says it; see `Agent.stream_text`."""
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
