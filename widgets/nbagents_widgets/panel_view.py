"""Rows in the notebook that a person looks over, with what can be done about each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from nbagents_widgets.library import loader_for
from nbagents_widgets.still_or_live import StillOrLive

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PanelWidget"]


class PanelWidget(StillOrLive):
    """Shows the sections that it is given; what a page asks for is answered by `answer`.

    Args:
        shown: The sections first shown (Any: JSON).
    """

    _esm = loader_for("panel")

    # What is shown (Any: JSON). Python writes, the page reads.
    shown: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)

    def __init__(self, shown: Mapping[str, Any]) -> None:
        super().__init__(shown=dict(shown))
