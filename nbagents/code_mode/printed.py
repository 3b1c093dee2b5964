"""What a piece of code prints: it goes where it would have gone, and is kept for the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.tools.context import Context, Sink, Stream

MOST = 1_000_000
"""Characters that are kept."""


class Printed:
    """A sink that passes all on and keeps what is printed.

    Args:
        inner: Where it goes; `None`: nowhere else.
    """

    def __init__(self, inner: Sink | None) -> None:
        self._inner = inner
        self._parts: list[str] = []
        self._left = MOST
        self.context: Context | None = getattr(inner, "context", None)

    @property
    def text_so_far(self) -> str:
        """What was printed."""
        return "".join(self._parts)

    @property
    def is_over(self) -> bool:
        """Whether the call has ended."""
        return self._inner is not None and self._inner.is_over

    @property
    def echoes(self) -> bool:
        """Whether what is printed goes where it would have gone, too."""
        return self._inner is None or self._inner.echoes

    def text(self, stream: Stream, text: str) -> None:
        """Take what was printed."""
        if self._left > 0:
            self._parts.append(text[: self._left])
            self._left -= len(text)
        if self._inner is not None:
            self._inner.text(stream, text)

    def progress(self, message: str) -> None:
        """Pass on what a generator yielded."""
        if self._inner is not None:
            self._inner.progress(message)

    def bundle(
        self, data: Mapping[str, Any], metadata: Mapping[str, Any], display_id: str | None = None
    ) -> None:
        """Pass on what was displayed."""
        if self._inner is not None:
            self._inner.bundle(data, metadata, display_id)

    def on_close(self, callback: Callable[[object], None]) -> None:
        """Pass on what is to be done at the end."""
        if self._inner is not None:
            self._inner.on_close(callback)

    def close(self, returned: object) -> None:
        """The call itself is closed by who opened it."""
        del returned
