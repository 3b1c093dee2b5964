r"""What a call prints, joined as JupyterLab joins it; `js/src/terminal.ts` does the same.

A carriage return goes back to the beginning of its line, and what follows overwrites what stands
there, character by character. As printing comes in pieces, a line that was gone back on keeps where
it is written next: `"[ ] load\r[x"` becomes `"[x] load\r[x"`. So at most one carriage return is
left, on the last line, and what it is followed by is no part of what is shown.
"""

from __future__ import annotations

from typing import TypedDict

from nbagents.events import Stream


class Output(TypedDict):
    """What a call printed on one stream."""

    stream: Stream
    text: str


def add_output(output: list[Output], stream: Stream, text: str) -> None:
    """Put what was printed behind what was printed before it."""
    if not output or output[-1]["stream"] != stream:
        output.append({"stream": stream, "text": ""})
    output[-1]["text"] = written(output[-1]["text"], text)


def shown(text: str) -> str:
    """What stands there for people."""
    return written("", text).partition("\r")[0]


def written(text: str, more: str) -> str:
    """What is kept of `more` printed after `text`."""
    begins = text.rfind("\n") + 1
    if "\r" not in more and "\r" not in text[begins:]:
        return text + more
    *ended, last = (text[begins:] + more).split("\n")
    lines = [*(_overwritten(line)[0] for line in ended), _kept(last)]
    return text[:begins] + "\n".join(lines)


def _kept(line: str) -> str:
    """A line that may go on: with a carriage return where it is not written at its end."""
    whole, newest = _overwritten(line)
    return whole if len(newest) >= len(whole) else f"{whole}\r{newest}"


def _overwritten(line: str) -> tuple[str, str]:
    """A whole line, and that part of it which was written last."""
    first, *later = line.split("\r")
    characters = list(first)
    for piece in later:
        characters[: len(piece)] = piece
    return "".join(characters), later[-1] if later else first
