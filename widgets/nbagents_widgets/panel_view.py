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

    def answer(self, question: Any) -> Any:  # Any: JSON
        """Do what a page asks for, in any thread, and give what is to be shown then.

        Raises:
            LookupError: Nothing can be done here.
        """
        del question
        raise LookupError("Nothing can be done here.")

    def heard(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Answer a page's question."""
        if message.get("type") != "ask":
            return None
        return {"value": self.answer(message.get("question"))}
