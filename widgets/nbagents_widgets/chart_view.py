"""A chart in the notebook, drawn by the page from a Vega-Lite specification, offline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from nbagents_widgets.library import loader_for
from nbagents_widgets.messages import is_mapping
from nbagents_widgets.still_or_live import StillOrLive

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ChartWidget"]


class ChartWidget(StillOrLive):
    """Shows a chart; `nbagents.ChartView` is this widget for charts of Altair as well.

    Args:
        chart: `spec`, and its rows as `data` where they are not inside.
    """

    _esm = loader_for("chart")

    # The chart (Any: JSON). Python writes, the page reads.
    chart: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)

    def __init__(self, chart: Mapping[str, Any]) -> None:
        super().__init__(chart=dict(chart))

    def drawn(self, picture: Mapping[str, Any]) -> None:
        """Take the picture that a page has drawn: `svg`, or `media_type` and `data` (Any: JSON)."""
        del picture

    def heard(self, message: Any) -> None:  # Any: JSON
        """Take a picture."""
        match message:
            case {"type": "emit", "value": picture} if is_mapping(picture):
                self.drawn(picture)
            case _:
                pass  # a later page may say more
