"""How something gets into a cell's output: by MIME type, under an id by which it is replaced."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["VIEW_MIME", "WIDGET_MIME", "publish", "show"]

VIEW_MIME: Final = "application/vnd.jupyter.widget-view+json"
WIDGET_MIME: Final = "application/vnd.nbagents.widget.v1+json"
"""What our extension shows without a kernel: a `kind` and its `value`."""


def show(shown: object, *, is_bundle: bool = False) -> None:
    """Show a view, or a bundle by MIME type, in the current cell."""
    _ipython().display(shown, raw=is_bundle)


def publish(bundle: dict[str, Any], display_id: str, *, update: bool = False) -> None:
    """Display a bundle (Any: JSON and texts), or replace what was displayed under the same id."""
    transient = {"display_id": display_id}
    _ipython().publish_display_data(bundle, metadata={}, transient=transient, update=update)


def _ipython() -> Any:  # IPython leaves it untyped
    from IPython import display  # only where IPython is

    return display
