"""Conversations by name: what a run of one goes on with, for as long as the process lives."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from nbagents.errors import RunError
from nbagents.messages import AssistantMessage, SystemMessage

if TYPE_CHECKING:
    from nbagents.messages import Message
    from nbagents.tools.handles import Handles

__all__ = ["Chat", "Chats", "Talk"]


class Talk(Protocol):
    """Of a run, what a conversation needs to know."""

    id: str
    is_closed: bool
    messages: tuple[Message, ...]
    handles: Handles


@dataclass(slots=True)
class Chat:
    """One conversation."""

    name: str
    messages: tuple[Message, ...] = ()
    """All that was said, without the instructions."""
    handles: Handles | None = None
    """The objects that were shared or returned so far."""
    run_ids: list[str] = field(default_factory=list[str])
    current: weakref.ref[Talk] | None = None
    """The run that is going on with it."""


class Chats:
    """The conversations of one session."""

    def __init__(self) -> None:
        self._chats: dict[str, Chat] = {}
        self._lock = threading.Lock()

    def names(self) -> tuple[str, ...]:
        """The conversations there are, in the order in which they began."""
        return tuple(self._chats)

    def get(self, name: str) -> Chat:
        """A conversation, a new one where there is none of this name.

        Raises:
            RunError: The name is empty, or a run is still going on with it.
        """
        if not name.strip():
            raise RunError("A chat needs a name, e.g. chat='trip'.")
        chat = self._chats.get(name) or Chat(name)
        running = chat.current and chat.current()
        if running is not None and not running.is_closed:
            raise RunError(
                f"The chat {name!r} is busy: another run is going on with it. Wait for it, stop"
                " it, or take another name."
            )
        return chat

    def begin(self, chat: Chat, run: Talk) -> None:
        """A run goes on with a conversation."""
        with self._lock:
            self._chats[chat.name] = chat
            chat.current = weakref.ref(run)
            chat.run_ids.append(run.id)
            chat.handles = run.handles

    def end(self, name: str, run: Talk) -> None:
        """A run has ended: what was said in it is part of the conversation, if there was an answer.

        Nothing happens where the conversation was forgotten meanwhile.
        """
        with self._lock:
            chat = self._chats.get(name)
            if chat is None or chat.current is None or chat.current() is not run:
                return
            chat.current = None
            said = tuple(one for one in run.messages if not isinstance(one, SystemMessage))
            if any(isinstance(one, AssistantMessage) for one in said[len(chat.messages) :]):
                chat.messages = said

    def forget(self, name: str | None = None) -> tuple[str, ...]:
        """Forget a conversation, or all of them; a run that goes on with one ends as it would.

        Returns:
            The names of those that were forgotten.
        """
        with self._lock:
            gone = [one for one in self._chats if name in (None, one)]
            for one in gone:
                del self._chats[one]
            return tuple(gone)
