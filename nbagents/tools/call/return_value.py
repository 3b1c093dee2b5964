"""What a tool returned, normalised: words for the model, payloads for the person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import IOBase
from pathlib import Path
from typing import TYPE_CHECKING, cast

from nbagents.redaction import cut
from nbagents.results import Bounds, CallResult, Failure, FilePart, ImagePart, Payload, Result
from nbagents.tools.values import (
    clean_text,
    form_of,
    has_form,
    is_displayable,
    is_file,
    is_sequence,
    kind_of,
    part_of,
    payload_of,
    payload_text,
    rich_payload,
    summary,
    taken,
    text_of,
    with_article,
    without_addresses,
)

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.results import ContentPart
    from nbagents.tools.tool import Tool
    from nbagents.tools.values import Handles

MAX_CONTENT = 100_000
"""Characters of one result that a model is given."""

MAX_PREVIEW = 140
"""Source: goadesign/goa-ai, result previews."""


def result_of(
    tool: Tool, value: object, *, max_content: int = MAX_CONTENT, handles: Handles | None = None
) -> CallResult:
    """Normalise what a tool returned.

    Args:
        tool: The tool.
        value: What it returned: a `Result`, or anything.
        max_content: Characters that the model is given at most; the rest is cut, and it is said.
        handles: Where the run keeps its live objects; what has no JSON form is kept there, and what
            is too long.
    """
    given = _joined(value)
    telling = Telling(handles, shows=given.data is None)
    try:
        returned, has_more = _listed(given.content)
        content, bounds = _bounded(telling.text(returned), max_content, telling, returned)
        if has_more and bounds is None:
            content, bounds = _unfinished(content, returned)
    except Exception as error:  # noqa: BLE001  a user's __str__ may raise anything
        return _unreadable(tool, given.content, telling, error)
    payloads = _payloads(given.data, tool.name, telling)
    return CallResult(
        content=f"{given.note}\n{content}" if given.note else content,
        parts=tuple(telling.parts),
        value=returned,
        handle=telling.handle_of(returned),
        data=given.data,
        payloads=payloads,
        has_next=_has_next(tool, given),
        preview=one_line(given.preview),
        bounds=bounds or given.bounds,
        extra=given.extra,
    )


def failed_result(failure: Failure) -> CallResult:
    """A call that gave no result; the model reads why."""
    status = "timed_out" if failure.kind == "timeout" else "failed"
    return CallResult(content=failure.message, failure=failure, status=status)


def _joined(value: object) -> Result:
    """One result of what a tool returned: several are told of together, and shown together."""
    if isinstance(value, Result):
        inner = value.content
        if not isinstance(inner, Result):
            return value
        rest = _joined(inner)
        data = rest.data if value.data is None else value.data
        return replace(rest, data=data, extra={**rest.extra, **value.extra})
    if is_sequence(value) and any(isinstance(one, Result) for one in value):
        results = [_joined(one) for one in value]
        data = [one.data for one in results if one.data is not None]
        return Result([one.content for one in results], data=data or None)
    return Result(value)


def _unreadable(tool: Tool, value: object, telling: Telling, error: Exception) -> CallResult:
    """A result of which no words can be made; the object is kept all the same."""
    failure = _malformed(tool, error)
    name = telling.keep(value)
    if name is not None:
        said = f"{failure.message} It is kept as {name}{_for_tools(telling, value)}."
        failure = failure.model_copy(update={"message": said})
    return replace(failed_result(failure), value=value, handle=name)


def _listed(value: object) -> tuple[object, bool]:
    """An iterator as the list of what it gives, and whether it would give more."""
    if isinstance(value, Iterator) and not isinstance(value, IOBase):
        return taken(cast("Iterator[object]", value))
    return value, False


def _payloads(data: object, tool_name: str, telling: Telling) -> tuple[Payload, ...]:
    if data is None:
        return tuple(telling.payloads)
    if is_sequence(data) and data and all(_draws_itself(one) for one in data):
        return tuple(_payload(one, tool_name) for one in data)
    return (_payload(data, tool_name),)


def _payload(data: object, tool_name: str) -> Payload:
    """What is shown; data that cannot be written is no reason to lose the result."""
    try:
        if isinstance(data, Payload) or not _draws_itself(data):
            return payload_of(data, tool_name)
        return rich_payload(data)
    except Exception as error:  # noqa: BLE001  data may hold anything, also itself
        note = f"It cannot be shown ({type(error).__name__})."
        value: JsonValue = {"of": tool_name, "head": "", "note": note, "size_bytes": 0}
        return Payload(kind="cut", value=value)


def _draws_itself(data: object) -> bool:
    """Whether it needs no renderer of the tool's own."""
    is_rich = kind_of(data) is not None or is_file(data) or is_displayable(data)
    return is_rich or isinstance(data, Payload)


def _has_next(tool: Tool, given: Result) -> bool | None:
    if given.has_next is not None:
        return given.has_next
    return False if tool.command else None


def _bounded(
    content: str, max_content: int, telling: Telling, value: object
) -> tuple[str, Bounds | None]:
    """The content, or its beginning and what is missing; then all of it is kept."""
    total = len(content)
    if total <= max_content:
        return content, None
    name = telling.handle_of(value) or telling.keep(value)
    kept = f" All is kept as {name}{_for_tools(telling, value)}." if name else ""
    note = (
        f"\n[Cut: these are the first {max_content:,} of {total:,} characters; "
        f"{total - max_content:,} are missing.{kept} Ask for less at once.]"
    )
    return cut(content, max_content) + note, Bounds(
        returned=max_content, total=total, truncated=True
    )


def _for_tools(telling: Telling, value: object) -> str:
    return ", for tools that take a handle" if telling.is_taken(value) else ""


def _unfinished(content: str, items: object) -> tuple[str, Bounds]:
    count = len(cast("list[object]", items))
    note = f"\n[Cut: these are the first {count:,} items; there are more. Ask for less at once.]"
    return content + note, Bounds(returned=count, truncated=True)


def one_line(preview: str | None) -> str | None:
    """A text as one line for people, cut where it is long."""
    if preview is None:
        return None
    line = " ".join(clean_text(str(preview)).split())
    return line if len(line) <= MAX_PREVIEW else cut(line, MAX_PREVIEW - 1) + "…"


def _malformed(tool: Tool, error: Exception) -> Failure:
    return Failure(
        kind="malformed_result",
        recovery="replan",
        message=f"The tool {tool.name!r} ran, but its result cannot be read "
        f"({type(error).__name__}).",
        debug_message=f"{type(error).__name__} while the result was turned into text",
    )


NOTHING = "The tool returned no value (null)."

MAX_PIECES = 50
"""Of a list that holds images or tables, each told of by itself."""

MAX_KEPT = 20
"""Objects inside of one result that get handles of their own."""

MAX_SHOWN = 20
"""Images and tables of one result."""

MAX_OWN_WORDS = 500

OF_COLLECTIONS = ("__iter__", "__len__", "__getitem__", "columns", "schema", "shape")
"""What a class has whose objects hold rows or items, which their text would show."""

KEPT = " Kept as {name}."
TAKEN = " Kept as {name}: pass {name!r} where a tool takes {noun}."
UNSEEN = "; {contents} shown to the user, not to you"
CONTENTS = {
    "frame": "its rows are",
    "series": "its rows are",
    "chart": "the chart is",
}
"""What the person sees of an object of which the model reads a line."""

ASIDE = re.compile(
    r"; (?:its rows are|the chart is) shown to the user, not to you(?=\.)"
    r"| Kept as \w+(?:: pass '\w+' where a tool takes (?:an? )?\w+)?\."
)

PLAIN = (str, int, float, bool, dict, type(None))


class Telling:
    """Tells of one result: `text` gives the words, the rest is gathered on the way.

    Args:
        handles: Where objects are kept that have no JSON form; `None`: nowhere.
        shows: Whether the person is shown what is gathered.
    """

    def __init__(self, handles: Handles | None, *, shows: bool = True) -> None:
        self._handles = handles
        self._shows = shows
        self._kept: list[tuple[object, str]] = []
        self.parts: list[ContentPart] = []
        self.payloads: list[Payload] = []

    def text(self, value: object) -> str:
        """The words for the model; objects are kept, images and tables are gathered.

        Raises:
            Exception: Whatever a user's own `__str__` or serialiser raises.
        """
        if value is None:
            return NOTHING
        if type(value) in PLAIN:
            return text_of(value, self._inside)
        if isinstance(value, (list, tuple)):
            return self._sequence(cast("list[object]", value))
        return self._object(value)

    def keep(self, value: object) -> str | None:
        """Keep an object; its handle, if there is room for one more."""
        if self._handles is None or len(self._kept) >= MAX_KEPT:
            return None
        name = self._handles.keep(value)
        self._kept.append((value, name))
        return name

    def handle_of(self, value: object) -> str | None:
        """The handle under which an object was kept, if it was."""
        return next((name for kept, name in self._kept if kept is value), None)

    def is_taken(self, value: object) -> bool:
        """Whether a tool takes such an object by its name."""
        return self._handles is not None and self._handles.are_taken(value)

    def _sequence(self, items: list[object] | tuple[object, ...]) -> str:
        if not any(_is_rich(one) for one in items[:MAX_PIECES]):
            return text_of(items, self._inside)
        told = [self.text(one) for one in items[:MAX_PIECES]]
        if len(items) > MAX_PIECES:
            told.append(f"[{len(items) - MAX_PIECES:,} more are left out.]")
        return "\n".join(told)

    def _object(self, value: object) -> str:
        if _is_rich(value):
            return self._rich(value)
        if is_file(value):
            self._show(value)
            return self._described(summary(value), value)
        if _is_binary(value):
            return f"{form_of(value)}{self._kept_as(value)}"
        if not has_form(value):
            return self._own(value)
        if is_displayable(value):
            self._show(value)
        return text_of(value, self._inside)

    def _inside(self, value: object) -> object:
        """What stands for an object inside of a result, which no JSON can carry."""
        return self._rich(value) if _is_rich(value) else form_of(value)

    def _rich(self, value: object) -> str:
        """A table, an array, an image, a file: described, kept and shown."""
        is_shown = self._show(value) and self._shows
        if isinstance(value, Payload):
            return payload_text(value)
        if isinstance(value, (ImagePart, FilePart)):
            self._add(value)
        if isinstance(value, ImagePart):
            return f"{summary(value)}."
        contents = CONTENTS.get(kind_of(value) or "") if is_shown else None
        unseen = UNSEEN.format(contents=contents) if contents else ""
        return self._described(f"{summary(value)}{unseen}", value)

    def _own(self, value: object) -> str:
        """An object of a class of somebody's own."""
        if is_displayable(value):
            self._show(value)
        return self._described(_in_own_words(value), value)

    def _described(self, words: str, value: object) -> str:
        return f"{words}.{self._kept_as(value)}"

    def _kept_as(self, value: object) -> str:
        noun = with_article("Path" if isinstance(value, Path) else type(value).__name__)
        name = self.keep(value)
        if name is None or self._handles is None:
            return ""
        if not self.is_taken(value):
            return KEPT.format(name=name)
        return TAKEN.format(name=name, noun=noun)

    def _show(self, value: object) -> bool:
        """Show it to the person, and if it is an image to the model too; whether there is room."""
        if len(self.payloads) == MAX_SHOWN:
            return False
        payload = rich_payload(value)
        self.payloads.append(payload)
        part = None if isinstance(value, ImagePart) else part_of(payload)
        if part is not None:
            self._add(part)
        return True

    def _add(self, part: ContentPart) -> None:
        if len(self.parts) < MAX_SHOWN:
            self.parts.append(part)


def for_people(content: str) -> str:
    """A result as an answer to a person: without what is said for a model alone."""
    return ASIDE.sub("", content)


def _is_rich(value: object) -> bool:
    return isinstance(value, Payload) or kind_of(value) is not None


def _in_own_words(value: object) -> str:
    """Its summary, and what its author wrote to be read of it; of a collection that is contents."""
    cls = type(value)
    is_plain = cls.__str__ is object.__str__ or isinstance(value, type)
    if is_plain or any(hasattr(cls, name) for name in OF_COLLECTIONS):
        return summary(value)
    words = " ".join(without_addresses(clean_text(str(value))).split())
    if len(words) > MAX_OWN_WORDS:
        words = words[: MAX_OWN_WORDS - 1] + "…"
    return f"{summary(value)}: {words}".removesuffix(".")


def _is_binary(value: object) -> bool:
    """Whether it is bytes that are no text."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        return False
    try:
        str(cast("bytes", value), "utf-8")
    except UnicodeDecodeError:
        return True
    return False
