"""A line at the bottom of a terminal that says what goes on, below lines that stay."""

from __future__ import annotations

import os
import shutil
import sys

BOLD, GREEN, RED, GREY = "1", "32", "31", "90"
CLEAR = "\r\x1b[K"


class StatusLine:
    """Writes to standard output; the status is only shown in a terminal."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = ""

    def say(self, text: str) -> None:
        """Print lines that stay."""
        shown, self._shown = self._shown, ""
        sys.stdout.write(f"{CLEAR if shown else ''}{text}\n")
        self.show(shown)
        sys.stdout.flush()

    def show(self, text: str) -> None:
        """Replace the status; an empty one takes it away."""
        if not self._is_terminal:
            return
        width = shutil.get_terminal_size().columns - 1
        cut = text if len(text) <= width else f"{text[: max(0, width - 1)]}…"
        if cut != self._shown:
            self._shown = cut
            sys.stdout.write(f"{CLEAR}{cut}")
            sys.stdout.flush()


def coloured(text: str, colour: str) -> str:
    """A text in a colour, where a terminal shows it and nobody asked for none."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"
