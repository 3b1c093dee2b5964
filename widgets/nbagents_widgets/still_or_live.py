"""A widget that also has a form without a page: what nbconvert, a terminal and GitHub show."""

from __future__ import annotations

import itertools
from typing import Any

import anywidget

from nbagents_widgets.displays import VIEW_MIME, publish
from nbagents_widgets.frontend import is_watched, keep_own_subshell
from nbagents_widgets.library import answer_library_request
from nbagents_widgets.messages import is_mapping, words_of

__all__ = ["StillOrLive"]

_numbers = itertools.count(1)


class StillOrLive(anywidget.AnyWidget):
    """A widget where a page is watching; elsewhere it opens no comm and shows its still form."""

    def __init__(self, **traits: Any) -> None:  # Any: what a trait holds
        self._display_ids: list[str] = []
        super().__init__(**traits)  # pyright: ignore[reportUnknownMemberType]  ipywidgets is untyped
        self._untyped.on_msg(self._hear)

    def open(self) -> None:
        """Open the comm to the page, where a page is watching."""
        if self.comm is not None or not is_watched():
            return
        super().open()
        keep_own_subshell(self.comm)

    def freeze(self) -> None:
        """Replace the live view by its still form, wherever it is shown, and close it.

        A saved notebook then shows it without a kernel, and as it is now: a widget's own view
        cannot, and beside a live one stands its form of the moment at which it was displayed.
        """
        still = self.still()
        for display_id in self._display_ids:
            publish(still, display_id, update=True)
        self._untyped.layout.close()
        self.close()

    def still(self) -> dict[str, Any]:
        """What is shown without a page, by MIME type (Any: as IPython displays them)."""
        return {"text/plain": repr(self)}

    def answer(self, question: Any) -> Any:  # Any: JSON
        """Give what a page asks for, in any thread; an exception is told to the page.

        Raises:
            LookupError: There is no more than the page has.
        """
        del question
        raise LookupError("There is no more than this.")

    def heard(self, message: Any) -> None:  # Any: JSON
        """Take what a page says, and does not ask, in any thread."""

    @property
    def _untyped(self) -> Any:  # ipywidgets has no types
        return self

    def _ipython_display_(self) -> None:
        # An id of its own for each: headless front ends update whatever was displayed by it before.
        self._display_ids.append(f"nbagents-view-{next(_numbers)}")
        publish(self._repr_mimebundle_()[0], self._display_ids[-1])

    def _repr_mimebundle_(self, **_kwargs: object) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = self.still()
        self.open()
        if self.comm is not None and is_watched():
            view = {"version_major": 2, "version_minor": 1, "model_id": self.model_id}
            bundle[VIEW_MIME] = view
        return bundle, {}

    def _hear(self, _widget: object, content: object, _buffers: object) -> None:
        if answer_library_request(self._untyped, content) or not is_mapping(content):
            return
        if content.get("type") != "ask":
            self.heard(content)
            return
        try:
            answer = {"value": self.answer(content.get("question"))}
        except Exception as error:  # noqa: BLE001  the page is told, whatever it was
            answer = {"error": words_of(error)}
        self._untyped.send({"type": "answer", "id": content.get("id"), **answer})
