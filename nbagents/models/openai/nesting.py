"""Whether a JSON value that comes in pieces is over, looked at once, piece by piece."""

from __future__ import annotations

import re
from typing import Final

SIGNS: Final = re.compile(r'[{}\[\]"\\]')
IN_TEXT: Final = re.compile(r'["\\]')


class Nesting:
    """Counts brackets outside of texts. A number or a word alone is over when it has begun."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_text = self._is_escaped = self._has_begun = False

    @property
    def is_closed(self) -> bool:
        """Whether what has begun is over."""
        return self._has_begun and not self._depth and not self._is_text

    def read(self, piece: str) -> None:
        """Take the next piece."""
        self._has_begun = self._has_begun or bool(piece.strip())
        at = 0
        if self._is_escaped and piece:
            at, self._is_escaped = 1, False
        while (found := (IN_TEXT if self._is_text else SIGNS).search(piece, at)) is not None:
            at = found.end()
            sign = found[0]
            if sign == "\\":
                self._is_escaped = at == len(piece)
                at += 1
            elif sign == '"':
                self._is_text = not self._is_text
            else:
                self._depth += 1 if sign in "{[" else -1
