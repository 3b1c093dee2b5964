"""A long question in a terminal, page by page: nobody says yes to what they were not shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.runs.awaits import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["pages_of", "read_to_the_last"]

PAGE_CHARACTERS: Final = 1_500
PAGE_LINES: Final = 20
HOW_TO_READ: Final = (
    "[page {at} of {all}. Enter: the next; all: the rest at once; n: deny, after it a note] "
)
NOT_YET: Final = "There is more of it: read to the end before you allow it.\n"


def pages_of(text: str) -> Sequence[str]:
    """A text in pieces that a screen shows whole; in one, if it fits."""
    pages: list[list[str]] = [[]]
    room = PAGE_CHARACTERS
    for piece in _pieces(text):
        if pages[-1] and (len(piece) > room or len(pages[-1]) >= PAGE_LINES):
            pages.append([])
            room = PAGE_CHARACTERS
        pages[-1].append(piece)
        room -= len(piece) + 1
    return ["\n".join(page) for page in pages]


def read_to_the_last(pages: Sequence[str], read: Callable[[str], str]) -> str | Answer:
    """Show all pages but the last; the text that is to be answered, or the answer no."""
    for at, page in enumerate(pages[:-1]):
        said = _after_page(page, HOW_TO_READ.format(at=at + 1, all=len(pages)), read)
        if isinstance(said, Answer):
            return said
        if said == "all":
            return "\n".join(pages[at + 1 :])
    return pages[-1]


def _after_page(page: str, how: str, read: Callable[[str], str]) -> str | Answer:
    wrong = ""
    while True:
        text = read(f"{wrong}{page}\n{how}").strip()
        word, _, note = text.partition(" ")
        if word.lower() in ("n", "no", "/no"):
            return Answer(action="deny", note=note.strip() or None)
        if text.lower() in ("", "all"):
            return text.lower()
        wrong = NOT_YET


def _pieces(text: str) -> Sequence[str]:
    """Its lines, those that are longer than a page in several."""
    return [
        line[at : at + PAGE_CHARACTERS]
        for line in text.split("\n")
        for at in range(0, max(len(line), 1), PAGE_CHARACTERS)
    ]
