"""What a model is told of what a tool returned, and what the person is shown of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, cast

from nbagents.results import FilePart, ImagePart, Payload
from nbagents.tools.bundles import is_displayable
from nbagents.tools.foreign import is_file, kind_of
from nbagents.tools.payloads import payload_text
from nbagents.tools.plain import clean_text, form_of, has_form, text_of, without_addresses
from nbagents.tools.summaries import summary, with_article

if TYPE_CHECKING:
    from nbagents.results import ContentPart
    from nbagents.tools.handles import Handles

__all__ = ["NOTHING", "Telling", "for_people"]

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
        from nbagents.tools.rich import part_of, rich_payload  # noqa: PLC0415  few results need it

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
