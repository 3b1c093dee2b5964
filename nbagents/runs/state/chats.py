"""Conversations by name: what a run of one goes on with, also after its process has ended."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from nbagents.errors import RunError
from nbagents.results import Earlier
from nbagents.runs.logs import ChatTurns, answered
from nbagents.runs.tree import ShownOnce, trimmed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import Message
    from nbagents.runs.logs import Log
    from nbagents.tools.values import Handles


class Talk(Protocol):
    """Of a run, what a conversation needs to know."""

    id: str
    is_closed: bool
    handles: Handles

    def take_over(self, earlier: Any) -> None:  # Any: a run of the same kind
        """Be told what the earlier one was not told any more."""
        ...


@dataclass(slots=True)
class Chat:
    """One conversation: turns, each of which is one run, with those that go on with it."""

    name: str
    turns: dict[str, tuple[Message, ...]] = field(default_factory=dict[str, Any])
    """What was said, by the first run of each turn; nothing where it was not answered yet."""
    firsts: dict[str, str] = field(default_factory=dict[str, str])
    """Of each run, the first one of its turn."""
    logged: set[str] = field(default_factory=set[str])
    """Those turns that the log of its session has, in their order."""
    handles: Handles | None = None
    """The objects that were shared or returned so far."""
    current: weakref.ref[Talk] | None = None
    """The run that is going on with it."""
    newest: weakref.ref[Talk] | None = None
    """The run that has begun last: what the person does with its tables is told to the next."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """All that was said, without the instructions."""
        return tuple(one for turn in self.turns.values() for one in turn)

    def tail(
        self, *, keep_turns: int | None = None, keep_tokens: int | None = None
    ) -> tuple[Message, ...]:
        """What the next run is told of it; see `trimmed`. What it is not told stays here."""
        return trimmed(self.messages, keep_turns=keep_turns, keep_tokens=keep_tokens)

    def earlier(self, told: Sequence[Message], place: int) -> Earlier | None:
        """Where the log has what a run is told of it, so that this need not be logged again.

        Args:
            told: Its newest messages.
            place: Before which of its other messages the run is told them.

        Returns:
            Nothing where the log has not all of it, or not as whole turns.
        """
        left = list(told)
        for first, turn in reversed(self.turns.items()):
            if not left:
                break
            if turn and (first not in self.logged or tuple(left[-len(turn) :]) != turn):
                return None
            del left[len(left) - len(turn) :]
            if not left:
                return Earlier(since=first, count=len(told), place=place)
        return None

    def begin(self, run_id: str, goes_on_with: str | None) -> None:
        """A run begins a turn, in the order in which people ask, or goes on with one."""
        first = self.firsts.get(goes_on_with or "", run_id)
        self.firsts[run_id] = first
        self.turns.setdefault(first, ())
        if goes_on_with is None:
            self.logged.add(first)


class Chats:
    """The conversations of one session."""

    def __init__(self) -> None:
        self.shown = ShownOnce()
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
            earlier = chat.newest and chat.newest()
            if earlier is not None and earlier is not run:
                run.take_over(earlier)
            chat.current = chat.newest = weakref.ref(run)
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
            chat.turns[chat.firsts[run.id]] = answered(turn)

    def log_lost(self) -> None:
        """The log was lost: what runs are told of what was said so far is logged again."""
        for chat in self._chats.values():
            chat.logged.clear()

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
    past, turns = Chats(), ChatTurns(log, session_id)
    for name, runs in turns.runs.items():
        chat = Chat(name)
        for one in runs:
            chat.begin(one.run_id, one.resumed_from)
            chat.turns[chat.firsts[one.run_id]] = turns.said(one.run_id)
        chat.logged |= set(chat.turns)
        past.take(chat)
    return past
