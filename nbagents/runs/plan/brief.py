"""What a model is told first: instructions, the prompt, and what the person hands over with it.

An image or a file goes along whole. Any other object stays here: the model is told its name, its
type and its size, and may have a tool take it by that name.
"""

from __future__ import annotations

import io
import mimetypes
from collections.abc import Iterable, Iterator, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, cast

from nbagents.errors import RunError
from nbagents.messages import SystemMessage, UserMessage
from nbagents.narrowing import is_mapping
from nbagents.results import ContentPart, FilePart, ImagePart
from nbagents.runs.state import told_of
from nbagents.runs.tree import part_line
from nbagents.tools.values import Handles, is_file

if TYPE_CHECKING:
    from nbagents.messages import Message

Attachments: TypeAlias = "Mapping[str, object] | Iterable[object] | object"
"""What goes along with a prompt: several things, by name or without, or one."""

SEVERAL = (list, tuple, AbstractSet, ValuesView, Iterator)
"""Of what can be iterated, what holds several things; all else is one, e.g. a text or a table."""

OTHER = "You are now {name!r}. What follows are your instructions; those before hold no longer."
ALONE = "You are now {name!r}. The instructions before hold no longer."

ANOTHER = " (another object than the one that was shared by this name before)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The messages that a run begins with."""

    messages: tuple[Message, ...]
    handles: Handles
    shared: tuple[str, ...]
    """What was handed over, a line each, for people."""


def briefing(
    prompt: str,
    *,
    agent_name: str = "",
    instructions: str = "",
    shared: Mapping[str, object] | None = None,
    attached: Attachments = (),
    before: Sequence[Message] = (),
    handles: Handles | None = None,
    takers: Iterable[str] = ("object",),
) -> Briefing:
    """What a run begins with.

    Args:
        prompt: What the person asks.
        agent_name: Who is asked.
        instructions: What the model is told first.
        shared: Live objects by the names under which a tool may take them.
        attached: Images, files (paths, also as text) or bytes, which go along whole; of any other
            object the model is told the name. One of them, or several.
        before: The conversation so far, without instructions.
        handles: The objects of that conversation, which keep their names unless shared anew.
        takers: The classes whose objects a tool takes by their names.

    Raises:
        RunError: An attached path is no file, or a name cannot be one or means two objects.
    """
    objects = dict(shared or {})
    parts: list[ContentPart] = []
    for name, value in _named(attached):
        part = _part(name, value)
        if part is not None:
            parts.append(part)
        elif objects.setdefault(name, value) is not value:
            raise RunError(
                f"An attachment would be called {name!r}, and {name!r} is already in vars: give it"
                " another name, e.g. attach={'another_name': …}."
            )
    _check(objects)
    handles = handles or Handles()
    others_now = {name for name, value in objects.items() if handles.get(name, value) is not value}
    for name, value in objects.items():
        handles.share(name, value)
    told = {
        info.name: f"{info.summary}{ANOTHER if info.name in others_now else ''}"
        for info in handles.infos()
    }
    own = {name: line for name, line in told.items() if name in objects}
    others = {name: line for name, line in told.items() if name not in objects}
    classes = frozenset(takers)
    handles.taken_by(lambda: classes)
    taken = {name for name, value in handles.items() if handles.are_taken(value)}
    said = told_of(own, others, before, taken)
    messages: list[Message] = [*instructed(instructions), *before]
    messages += _back_again(before, agent_name, instructions)
    messages.append(UserMessage(text=prompt, parts=tuple(parts), shared=said))
    lines = (*(f"{name}: {line}" for name, line in own.items()), *map(part_line, parts))
    return Briefing(messages=tuple(messages), handles=handles, shared=lines)


def instructed(instructions: str) -> tuple[SystemMessage, ...]:
    """What a model is told before all else."""
    return (SystemMessage(text=instructions),) if instructions else ()


def taking_over(agent_name: str, instructions: str) -> SystemMessage:
    """What a model is told where an agent goes on with a conversation that began with another."""
    if not instructions:
        return SystemMessage(text=ALONE.format(name=agent_name))
    return SystemMessage(text=f"{OTHER.format(name=agent_name)}\n\n{instructions}")


def _back_again(
    before: Sequence[Message], agent_name: str, instructions: str
) -> Iterable[SystemMessage]:
    """What is said where the conversation was handed over and comes back; else nothing."""
    newest = next((one for one in reversed(before) if isinstance(one, SystemMessage)), None)
    told = taking_over(agent_name, instructions)
    return () if newest is None or newest == told else (told,)


def _named(attached: Attachments) -> Iterable[tuple[str, object]]:
    if is_mapping(attached):
        return attached.items()
    things = cast("Iterable[object]", attached) if _is_several(attached) else (attached,)
    return ((f"attachment{number}", one) for number, one in enumerate(things, 1))


def _is_several(attached: object) -> bool:
    return isinstance(attached, SEVERAL) and not isinstance(attached, io.IOBase)


def _part(name: str, value: object) -> ContentPart | None:
    """An image or a file; `None` for an object that stays here."""
    if isinstance(value, (ImagePart, FilePart)):
        return value
    if isinstance(value, str):
        value = _path_of(value) or value
    if isinstance(value, Path):
        return _file(value)
    if isinstance(value, bytearray):
        value = bytes(value)
    return _image(name, value) or (FilePart(name=name, data=value) if _is_bytes(value) else None)


def _path_of(text: str) -> Path | None:
    """The file that a text names, if there is one."""
    try:
        path = Path(text).expanduser()
    except RuntimeError:  # nobody has that home
        return None
    return path if is_file(path) else None


def _file(path: Path) -> ContentPart:
    if not is_file(path):
        raise RunError(f"There is no file {str(path)!r} to attach.")
    data = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return _image(path.name, data) or FilePart(name=path.name, media_type=kind, data=data)


def _image(name: str, value: object) -> ImagePart | None:
    from nbagents.tools.values import kind_of, picture_of  # few prompts need it

    try:
        picture = picture_of(value) if kind_of(value) == "picture" else None
    except Exception as error:  # whatever the library of the image says of it
        raise RunError(
            f"{name!r} is an image that cannot be read ({type(error).__name__}: {error}): attach "
            "one that opens, or leave it out."
        ) from error
    if picture is None:
        return None
    return ImagePart(media_type=picture.media_type, data=picture.data, name=name)


def _is_bytes(value: object) -> TypeGuard[bytes]:
    return isinstance(value, bytes)


def _check(objects: Mapping[str, object]) -> None:
    for name in objects:
        if not name.isidentifier():
            raise RunError(f"{name!r} is no name for an object: take one that Python knows.")


def own_instructions(told: str, agent_name: str) -> str:
    """The instructions of an agent that took over, of what its model was told."""
    return told.removeprefix(f"{OTHER.format(name=agent_name)}\n\n")
