"""A conversation that came before a run, as somebody hands it over: messages, or dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from nbagents.errors import did_you_mean
from nbagents.messages import (
    AssistantMessage,
    CallRequest,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from nbagents.narrowing import is_mapping
from nbagents.runs.tree import unpaired
from nbagents.tools.context import is_several, shown, wrong

if TYPE_CHECKING:
    from nbagents.runs.state import Run

Conversation: TypeAlias = "Sequence[Message | Mapping[str, Any]] | Run"
"""A conversation: a run's messages, or dictionaries with `role` and `content`."""

HOW: Final = (
    "give run.messages, or dictionaries with role and content, e.g. "
    '[{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi!"}].'
)
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "system": ("role", "content"),
    "developer": ("role", "content"),
    "user": ("role", "content"),
    "assistant": ("role", "content", "tool_calls"),
    "tool": ("role", "content", "tool_call_id", "name"),
}
"""What a dictionary may say, by its role."""


def earlier(given: Any, *, chat: str | None = None) -> tuple[Message, ...]:
    """The messages of a conversation that came before, without the instructions at its beginning.

    Args:
        given: What somebody handed over.
        chat: The conversation that the run goes on with, which there can be one of.

    Raises:
        ValueError: It is no conversation that a model can be told; says what to give.
    """
    if given is None or given == ():
        return ()
    if chat is not None:
        raise ValueError(
            f"A run goes on with one conversation: give messages, or chat={chat!r}, not both."
        )
    several = getattr(given, "messages", given)
    if not is_several(several):
        raise wrong("messages", given, HOW)
    read: list[Message] = []
    for at, one in enumerate(several):
        read.append(_message(f"messages[{at}]", one, read))
    _check_answered(read)
    return tuple(dropwhile(lambda one: isinstance(one, SystemMessage), read))


def _message(where: str, given: object, before: Sequence[Message]) -> Message:
    if isinstance(given, Message):
        return given
    if not is_mapping(given):
        raise wrong(where, given, HOW)
    role = given.get("role")
    if not isinstance(role, str) or role not in KEYS:
        hint = did_you_mean(str(role), tuple(KEYS))
        raise ValueError(f"The role of {where} is {shown(role)}, which is none.{hint}")
    for key in given:
        if key not in KEYS[role] and given[key] is not None:
            hint = did_you_mean(str(key), KEYS[role])
            raise ValueError(f"{where} has {shown(key)}, which cannot be told with it.{hint}")
    return READ[role](where, given, before)


def _text(where: str, given: Mapping[Any, Any]) -> str:
    content: object = given.get("content")
    if content is None and given.get("tool_calls"):
        return ""
    if isinstance(content, str):
        return content
    how = "give text; images and files go along with the prompt, as `attach`."
    if not is_several(content):
        raise wrong(f"The content of {where}", content, how)
    words: list[str] = []
    for part in content:
        said = part.get("text") if is_mapping(part) else None
        if not isinstance(said, str):
            raise wrong(f"A part of the content of {where}", part, how)
        words.append(said)
    return "\n".join(words)


def _assistant(where: str, given: Mapping[Any, Any], _: Sequence[Message]) -> Message:
    asked: object = given.get("tool_calls") or ()
    if not is_several(asked):
        raise wrong(f"tool_calls of {where}", asked, "give a list of them.")
    calls = tuple(_call(f"tool_calls[{at}] of {where}", one) for at, one in enumerate(asked))
    return AssistantMessage(text=_text(where, given), calls=calls)


def _call(where: str, given: object) -> CallRequest:
    if isinstance(given, CallRequest):
        return given
    called: object = given.get("function") if is_mapping(given) else None
    said: tuple[object, ...] = ()
    if is_mapping(given) and is_mapping(called):
        said = given.get("id"), called.get("name"), called.get("arguments")
    if not said or not all(isinstance(one, str) for one in said):
        how = 'give {"id": …, "type": "function", "function": {"name": …, "arguments": …}}.'
        raise wrong(where, given, how)
    call_id, name, arguments = cast("tuple[str, str, str]", said)
    return CallRequest(id=call_id, name=name, arguments=arguments)


def _tool(where: str, given: Mapping[Any, Any], before: Sequence[Message]) -> Message:
    call_id: object = given.get("tool_call_id")
    if not isinstance(call_id, str):
        raise wrong(f"tool_call_id of {where}", call_id, "give the id of the call it answers.")
    said = (one for one in before if isinstance(one, AssistantMessage))
    names = {call.id: call.name for one in said for call in one.calls}
    return ToolMessage(call_id=call_id, name=names.get(call_id, ""), content=_text(where, given))


READ: Final[Mapping[str, Callable[[str, Mapping[Any, Any], Sequence[Message]], Message]]] = {
    "system": lambda where, given, _: SystemMessage(text=_text(where, given)),
    "developer": lambda where, given, _: SystemMessage(text=_text(where, given)),
    "user": lambda where, given, _: UserMessage(text=_text(where, given)),
    "assistant": _assistant,
    "tool": _tool,
}


def _check_answered(messages: Sequence[Message]) -> None:
    """See that each call has its result right below it, and each result its call.

    Raises:
        ValueError: One has not: no provider takes such a conversation.
    """
    if (found := unpaired(messages)) is None:
        return
    if found.is_result:
        raise ValueError(
            f"messages[{found.place}] is the result of the call {found.call_id!r}, which no "
            "message right before it asks for: give the whole conversation, or leave it out."
        )
    raise ValueError(
        f"The call {found.call_id!r} in messages has no result: give the message with the role "
        "tool that follows it, or leave the call out."
    )
