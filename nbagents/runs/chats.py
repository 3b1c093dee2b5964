"""Conversations by name: what a run of one goes on with, also after its process has ended."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from nbagents.errors import RunError
from nbagents.messages import AssistantMessage, SystemMessage, ToolMessage, UserMessage
from nbagents.runs.logs.rebuild import read_run, rebuild
from nbagents.runs.trimming import trimmed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nbagents.messages import Message
    from nbagents.runs.logs.log import Log, RunEntry
    from nbagents.tools.handles import Handles

__all__ = ["Chat", "Chats", "Talk", "past_chats"]

ALL = 1_000_000
"""More runs than a session has."""


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
    left_out: tuple[Message, ...] = ()
    """What of it the newest run was not told."""
    handles: Handles | None = None
    """The objects that were shared or returned so far."""
    run_ids: list[str] = field(default_factory=list[str])
    current: weakref.ref[Talk] | None = None
    """The run that is going on with it."""

    def tail(
        self, *, keep_turns: int | None = None, keep_tokens: int | None = None
    ) -> tuple[Message, ...]:
        """What the next run is told of it; see `trimmed`. What it is not told stays here."""
        kept = trimmed(self.messages, keep_turns=keep_turns, keep_tokens=keep_tokens)
        self.left_out = self.messages[: len(self.messages) - len(kept)]
        return kept


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

        What a suspended run said is part of it when that was gone on with. Nothing happens where
        the conversation was forgotten meanwhile.
        """
        with self._lock:
            chat = self._chats.get(name)
            if chat is None or chat.current is None or chat.current() is not run:
                return
            chat.current = None
            said = (*chat.left_out, *_without_instructions(run.messages))
            new = said[len(chat.messages) :]
            if _is_whole(said) and any(isinstance(one, AssistantMessage) for one in new):
                chat.messages = said

    def recall(self, name: str, messages: tuple[Message, ...], run_ids: Sequence[str]) -> None:
        """Take a conversation that a log remembers."""
        self._chats[name] = Chat(
            name, messages=_without_instructions(messages), run_ids=list(run_ids)
        )

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
    runs: dict[str, list[RunEntry]] = {}
    for one in reversed(log.entries(limit=ALL, session_id=session_id)):
        if one.chat is not None:
            runs.setdefault(one.chat, []).append(one)
    chats = Chats()
    for name, entries in runs.items():
        said = (_said(log, one.run_id) for one in reversed(entries))
        messages = next(filter(None, said), ())
        prompts = tuple({one.prompt: None for one in entries})
        told = tuple(_of_the_person(one, prompts) for one in messages)
        chats.recall(name, told, [one.run_id for one in entries])
    return chats


def _of_the_person(message: Message, prompts: tuple[str, ...]) -> Message:
    """What a later run was told of a prompt that follows no answer looks like a notice."""
    if not isinstance(message, UserMessage) or not message.is_notice:
        return message
    is_prompt = any(message.text == one or message.text.startswith(f"{one}\n[") for one in prompts)
    return replace(message, is_notice=not is_prompt)


def _said(log: Log, run_id: str) -> tuple[Message, ...]:
    """A conversation as it was at the end of a run; empty where that did not take it further."""
    events = read_run(log, run_id)
    told = rebuild(events, run_id)
    has_answer = any(one.type == "assistant_turn" for one in events)
    is_whole = not told.pending or told.status != "suspended"
    return told.closed_messages if has_answer and is_whole else ()


def _without_instructions(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple(one for one in messages if not isinstance(one, SystemMessage))


def _is_whole(messages: Sequence[Message]) -> bool:
    """Whether each call of the newest answer has its result: those of a suspended run wait."""
    results = 0
    for one in reversed(messages):
        if isinstance(one, AssistantMessage):
            return len(one.calls) <= results
        results += isinstance(one, ToolMessage)
    return True
