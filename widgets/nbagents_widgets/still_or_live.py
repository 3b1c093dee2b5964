"""A widget that also has a form without a page: what nbconvert, a terminal and GitHub show."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final, cast

import anywidget

from nbagents_widgets.frontend import is_watched, keep_own_subshell
from nbagents_widgets.library import answer_library_request

__all__ = ["StillOrLive"]

VIEW_MIME: Final = "application/vnd.jupyter.widget-view+json"

_numbers = itertools.count(1)


class StillOrLive(anywidget.AnyWidget):
    """A widget where a page is watching; elsewhere it opens no comm and shows its still form."""

    def __init__(self, **traits: Any) -> None:  # Any: what a trait holds
        self._display_id = f"nbagents-view-{next(_numbers)}"
        self._is_shown = False
        super().__init__(**traits)  # pyright: ignore[reportUnknownMemberType]  ipywidgets is untyped
        self.on_msg(self._hear)  # pyright: ignore[reportUnknownMemberType]  ipywidgets is untyped

    def open(self) -> None:
        """Open the comm to the page, where a page is watching."""
        if self.comm is not None or not is_watched():
            return
        super().open()
        keep_own_subshell(self.comm)

    def freeze(self) -> None:
        """Replace the live view by its still form, wherever it is shown, and close it.

        A saved notebook then shows it without a kernel: a widget's own view cannot.
        """
        if self._is_shown:
            _publish(self.still(), self._display_id, update=True)
        cast("Any", self).layout.close()  # Any: ipywidgets is untyped
        self.close()

    def still(self) -> dict[str, Any]:
        """What is shown without a page, by MIME type (Any: as IPython displays them)."""
        return {"text/plain": repr(self)}

    def heard(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Take a message of the page's (Any: JSON), in any thread; what it is answered, if at all.

        An exception is told to the page, where it has asked.
        """
        del message
        return None

    def _ipython_display_(self) -> None:
        bundle, _ = self._repr_mimebundle_()
        self._is_shown = True
        _publish(bundle, self._display_id)

    def _repr_mimebundle_(self, **_kwargs: object) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = self.still()
        self.open()
        if self.comm is not None and is_watched():
            view = {"version_major": 2, "version_minor": 1, "model_id": self.model_id}
            bundle[VIEW_MIME] = view
        return bundle, {}

    def _hear(self, _widget: object, content: object, _buffers: object) -> None:
        if answer_library_request(self, content) or not isinstance(content, Mapping):
            return
        message = cast("Mapping[str, Any]", content)
        try:
            answer = self.heard(message)
        except Exception as error:  # noqa: BLE001  the page is told, whatever it was
            answer = {"error": str(error) or type(error).__name__}
        if answer is not None and message.get("type") == "ask":
            cast("Any", self).send({"type": "answer", "id": message.get("id"), **answer})


def _publish(bundle: dict[str, Any], display_id: str, *, update: bool = False) -> None:
    from IPython import display  # only where IPython is

    publish = cast("Any", display).publish_display_data  # Any: IPython leaves it untyped
    publish(bundle, metadata={}, transient={"display_id": display_id}, update=update)
