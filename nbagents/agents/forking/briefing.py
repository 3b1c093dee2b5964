"""What the model of a branch is told, and the events that say what of it is other than it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.agents.forking.whole import stamp_of
from nbagents.events import PromptRendered, StepEdited
from nbagents.messages import SystemMessage, UserMessage
from nbagents.runs.tree import PERSON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import AnyEvent
    from nbagents.messages import Message


class Told:
    """What the model is told where a branch goes on by itself.

    Args:
        step: The request there.
        messages: What it was told, or would be.
        events: What is kept of what happened.
        like: An event of the run, whose stamp others get.
    """

    def __init__(
        self, step: int, messages: Sequence[Message], events: Sequence[AnyEvent], like: AnyEvent
    ) -> None:
        self.messages: list[Message] = list(messages)
        self.events: list[AnyEvent] = list(events)
        self._step = step
        self._like = like

    def ask(self, prompt: str, before: str) -> None:
        """Have this asked, in the place of the prompt."""
        last = self.messages[-1]
        if isinstance(last, UserMessage):
            self.messages[-1] = replace(last, text=prompt)
        if prompt != before:
            self._edited("user", len(self.messages) - 1, before, prompt)

    def say(self, words: str) -> None:
        """Have the person say something more."""
        self.messages.append(UserMessage(text=words))
        self._edited("user", len(self.messages) - 1, None, words)

    def instruct(self, instructions: str) -> None:
        """Have other instructions given: those that hold now are replaced."""
        told = SystemMessage(text=instructions)
        places = [at for at, one in enumerate(self.messages) if isinstance(one, SystemMessage)]
        if not places:
            self.messages.insert(0, told)
            self._edited("system", 0, None, instructions)
            return
        before = self.messages[places[-1]]
        self.messages[places[-1]] = told
        self.events = _instructed(self.events, instructions)
        said = before.text if isinstance(before, SystemMessage) else None
        self._edited("system", places[-1], said, instructions)

    def _edited(self, role: str, place: int, before: str | None, after: str) -> None:
        self.events.append(
            StepEdited(
                **stamp_of(self._like),
                step=self._step,
                what="message",
                by=PERSON,
                place=place,
                role=role,
                before=before,
                after=after,
            )
        )


def _instructed(events: Sequence[AnyEvent], instructions: str) -> list[AnyEvent]:
    """The events, in the newest of which that tell instructions these are told."""
    made = list(events)
    for at in reversed(range(len(made))):
        event = made[at]
        if not isinstance(event, PromptRendered):
            continue
        roles = [one.role for one in event.messages]
        if "system" in roles:
            told = list(event.messages)
            last = len(roles) - 1 - roles[::-1].index("system")
            told[last] = told[last].model_copy(update={"text": instructions})
            made[at] = event.model_copy(update={"messages": tuple(told)})
            break
    return made
