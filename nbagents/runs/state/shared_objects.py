"""What a model is told of the live objects that go along with a prompt, below its words.

An object is named where it is shared, and stays named there: what a conversation begins with is
never told anew, so that its provider need not read it again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from nbagents.messages import ToolMessage, UserMessage
from nbagents.tools.schema import ANY_OR_NAME

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from nbagents.messages import Message
    from nbagents.tools.tool import Tool

TAKEN: Final = "The user shares these objects. A tool takes one where you pass its name:"
SHOWN: Final = "The user shares these objects, of which you see no more than this:"
AGAIN: Final = "Objects from before, as they are now:"

HEADS: Final = "|".join(map(re.escape, (TAKEN, SHOWN, AGAIN)))
LINE: Final = re.compile(r"^- (\w+): (.*)$", re.MULTILINE)
BLOCK: Final = re.compile(rf"\n\n((?:(?:{HEADS})(?:\n- [^\n]+)+(?:\n\n|\Z))+)\Z")
KEPT: Final = re.compile(r"\b[Kk]ept as (\w+)")


def told_of(
    shared: Mapping[str, str],
    others: Mapping[str, str],
    before: Sequence[Message],
    taken: Container[str],
) -> str:
    """What is said of objects below a prompt: those shared with it, and what is new of others.

    Args:
        shared: What is told of those that are shared now, by name.
        others: The same of those that were there before.
        before: The conversation that the model is told, which names some of them.
        taken: Those that a tool takes by their names. Of others from before the model hears only
            where it was told of them, and they have changed.
    """
    known = told_so_far(before) if others else {}
    again = {
        name: line
        for name, line in others.items()
        if (known[name] not in (None, line) if name in known else name in taken)
    }
    parts = (
        (TAKEN, {name: line for name, line in shared.items() if name in taken}),
        (SHOWN, {name: line for name, line in shared.items() if name not in taken}),
        (AGAIN, again),
    )
    return "\n\n".join(
        "\n".join((head, *(f"- {name}: {line}" for name, line in lines.items())))
        for head, lines in parts
        if lines
    )


def told_so_far(messages: Sequence[Message]) -> dict[str, str | None]:
    """The objects that a conversation names, with what it said of each last.

    `None` where a result says it, in words of its own.
    """
    return dict(_told(messages))


def apart(text: str) -> tuple[str, str]:
    """The words of a prompt, and what is said of objects below them."""
    found = BLOCK.search(text)
    return (text, "") if found is None else (text[: found.start()], found[1])


def taken_classes(tools: Iterable[Tool]) -> Iterator[str]:
    """The classes, by name, whose objects these tools take where a model writes their names."""
    for tool in tools:
        for wanted in tool.schema.handles.values():
            yield from wanted.split(" or ")
        if ANY_OR_NAME in str(tool.schema.parameters.get("properties", "")):
            yield "object"


def _told(messages: Sequence[Message]) -> Iterator[tuple[str, str | None]]:
    for one in messages:
        if isinstance(one, UserMessage) and one.shared:
            yield from ((found[1], found[2]) for found in LINE.finditer(one.shared))
        elif isinstance(one, ToolMessage):
            yield from ((found[1], None) for found in KEPT.finditer(one.content))
