"""Conversations by name: what a run of one goes on with, also after its process has ended."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from nbagents.errors import RunError
from nbagents.messages import AssistantMessage, ToolMessage
from nbagents.runs.logs.rebuild import read_run, rebuild
from nbagents.runs.trimming import trimmed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import AnyEvent
    from nbagents.messages import Message
    from nbagents.runs.logs.log import Log
    from nbagents.tools.handles import Handles

__all__ = ["Chat", "Chats", "Talk", "past_chats"]

ALL = 1_000_000
"""More runs than a session has."""


class Talk(Protocol):
    """Of a run, what a conversation needs to know."""

    id: str
    is_closed: bool
    handles: Handles


@dataclass(slots=True)
class Chat:
    """One conversation: turns, each of which is one run, with those that go on with it."""

    name: str
    turns: dict[str, tuple[Message, ...]] = field(default_factory=dict[str, Any])
    """What was said, by the first run of each turn; nothing where it was not answered yet."""
    firsts: dict[str, str] = field(default_factory=dict[str, str])
    """Of each run, the first one of its turn."""
    handles: Handles | None = None
    """The objects that were shared or returned so far."""
    current: weakref.ref[Talk] | None = None
    """The run that is going on with it."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """All that was said, without the instructions."""
        return tuple(one for turn in self.turns.values() for one in turn)

    def tail(
        self, *, keep_turns: int | None = None, keep_tokens: int | None = None
    ) -> tuple[Message, ...]:
        """What the next run is told of it; see `trimmed`. What it is not told stays here."""
        return trimmed(self.messages, keep_turns=keep_turns, keep_tokens=keep_tokens)

    def begin(self, run_id: str, goes_on_with: str | None) -> None:
        """A run begins a turn, in the order in which people ask, or goes on with one."""
        first = self.firsts.get(goes_on_with or "", run_id)
        self.firsts[run_id] = first
        self.turns.setdefault(first, ())


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

    def begin(self, chat: Chat, run: Talk, *, goes_on_with: str | None = None) -> None:
        """A run goes on with a conversation.

        Args:
            chat: The conversation.
            run: The run.
            goes_on_with: The run whose turn it goes on with, where it was suspended.
        """
        with self._lock:
            self._chats[chat.name] = chat
            chat.begin(run.id, goes_on_with)
            chat.current = weakref.ref(run)
            chat.handles = run.handles

    def end(self, name: str, run: Talk, turn: Sequence[Message]) -> None:
        """A run has ended: what was said in it is part of the conversation, if it was answered.

        What a suspended run said is part of it when that was gone on with. Nothing happens where
        the conversation was forgotten meanwhile.

        Args:
            name: The conversation's.
            run: The run.
            turn: What was said in it, from the prompt on.
        """
        with self._lock:
            chat = self._chats.get(name)
            if chat is None or chat.current is None or chat.current() is not run:
                return
            chat.current = None
            chat.turns[chat.firsts[run.id]] = _answered(turn)

    def take(self, chat: Chat) -> None:
        """Take a conversation that a log remembers."""
        self._chats[chat.name] = chat

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


def past_chats(log: Log, session_id: str) -> Chats:
    """The conversations of a session as its log remembers them; live objects are gone."""
    chats: dict[str, Chat] = {}
    for one in reversed(log.entries(limit=ALL, session_id=session_id)):
        if one.chat is not None:
            chat = chats.setdefault(one.chat, Chat(one.chat))
            chat.begin(one.run_id, one.resumed_from)
            chat.turns[chat.firsts[one.run_id]] = _said(log, one.run_id)
    past = Chats()
    for chat in chats.values():
        past.take(chat)
    return past


def _said(log: Log, run_id: str) -> tuple[Message, ...]:
    """What was said in a run; nothing where it did not take its conversation further."""
    events = read_run(log, run_id)
    told = rebuild(events, run_id)
    is_open = bool(told.pending) and told.status == "suspended"
    return () if is_open or any(map(_is_refusal, events)) else _answered(told.closed_turn)


def _is_refusal(event: AnyEvent) -> bool:
    """Whether a guardrail kept the prompt from the model."""
    return event.type == "guardrail" and (event.stage, event.outcome) == ("input", "refuse")


def _answered(turn: Sequence[Message]) -> tuple[Message, ...]:
    """A turn as part of its conversation; nothing where it has no answer, or waits for one."""
    results = 0
    for one in reversed(turn):
        if isinstance(one, AssistantMessage):
            return tuple(turn) if len(one.calls) <= results else ()
        results += isinstance(one, ToolMessage)
    return ()
