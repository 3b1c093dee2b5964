"""The place below a panel in which one card at a time is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.identity import new_id

if TYPE_CHECKING:
    from collections.abc import Mapping


class Below:
    """A display of the current cell that is filled later, from any thread."""

    def __init__(self) -> None:
        self._transient = {"display_id": new_id("display")}

    def open(self) -> None:
        """Make room for it, in the cell that runs."""
        _publish({"text/plain": "", "text/html": ""}, self._transient)

    def put(self, bundle: Mapping[str, object]) -> None:
        """Show this there."""
        _publish(dict(bundle), self._transient, update=True)


def show(view: object) -> None:
    """Show a view in the current cell."""
    from IPython import display as displays  # only where IPython is

    shows: Any = displays  # IPython leaves it untyped
    shows.display(view)


def _publish(bundle: dict[str, object], transient: dict[str, str], *, update: bool = False) -> None:
    from IPython import display as displays  # only where IPython is

    shows: Any = displays  # as above
    shows.publish_display_data(bundle, metadata={}, transient=transient, update=update)
