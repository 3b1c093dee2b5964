"""A table of APIs in the notebook that a person searches, whoever finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from nbagents_widgets.library import loader_for
from nbagents_widgets.still_or_live import StillOrLive

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CatalogueWidget"]


class CatalogueWidget(StillOrLive):
    """Shows the rows that it is given; what a page asks for is answered by `answer`.

    Args:
        shown: The rows first shown, and the details of some (Any: JSON).
    """

    _esm = loader_for("catalogue")
    # What is shown first (Any: JSON). Python writes, the page reads.
    shown: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)

    def __init__(self, shown: Mapping[str, Any]) -> None:
        super().__init__(shown=dict(shown))
