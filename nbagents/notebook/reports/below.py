"""The place below a panel in which one card at a time is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents_widgets.displays import publish

from nbagents.identity import new_id

if TYPE_CHECKING:
    from collections.abc import Mapping


class Below:
    """A display of the current cell that is filled later, from any thread."""

    def __init__(self) -> None:
        self._display_id = new_id("display")

    def open(self) -> None:
        """Make room for it, in the cell that runs."""
        publish({"text/plain": "", "text/html": ""}, self._display_id)

    def put(self, bundle: Mapping[str, object]) -> None:
        """Show this there."""
        publish(dict(bundle), self._display_id, update=True)
