"""A table in the notebook that a person sorts and pages through, whatever its rows come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from nbagents_widgets.library import loader_for
from nbagents_widgets.still_or_live import StillOrLive

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TableWidget"]


class TableWidget(StillOrLive):
    """Shows the first rows that it is given; what a page asks for is answered by `answer`.

    `nbagents.TableView` is this widget over a DataFrame.

    Args:
        table: `columns`, `dtypes`, `rows`, `total`, and the `source` by which pages ask for more.
        title: A name for people and screen readers.
    """

    _esm = loader_for("table")

    # The table's first page (Any: JSON). Python writes, the page reads.
    table: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    # Python writes, the page reads.
    title = traitlets.Unicode().tag(sync=True)

    def __init__(self, table: Mapping[str, Any], *, title: str = "") -> None:
        super().__init__(table=dict(table), title=title)
