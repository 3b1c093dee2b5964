"""The live view of one run: fed what becomes of it, in batches of patches, while it goes on."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, Final, cast

import anywidget

from nbagents_widgets.frontend import keep_own_subshell
from nbagents_widgets.late import expect_late_messages
from nbagents_widgets.library import BLANK, answer_library_request, loader_for
from nbagents_widgets.messages import is_mapping, words_of

__all__ = ["RunView"]

CHUNK_BYTES: Final = 256_000
"""A message holds no more than this, unless one patch alone is larger."""

KEPT: Final = 1_000
"""So many patches that were sent are kept for a page that lost some; others get the whole."""

HEARTBEAT_S: Final = 1.0
"""After this long without news an empty batch says how far the list goes: a message may be lost on
its way to the page, and the page sees a gap only at the next one."""

FRAME_BYTES: Final = 200
"""About what the names of a patch's fields take, and its numbers."""

PARTS: Final = (
    *("run-parts", "run-pane", "markdown", "code-colours"),
    *("map", "chart", "table", "atlas-50m", "map-names"),
)
"""The modules that the view may come to need."""

PatchJson = Mapping[str, Any]  # as JSON: the widgets know no tree


class RunView(anywidget.AnyWidget):
    """Shows a run while it goes on: its calls, its map, its answer; stops it, answers for a person.

    Patches go out by position, so a page that missed some asks for what it has not; one that was
    reloaded or came late is sent the whole. Every method is safe in any thread; the callbacks are
    called in whichever thread the page's message comes by, and should only set flags.

    Args:
        whole: How many patches were made so far, and others that come to the same from nothing.
            Without it all patches stay here.
        on_stop: The person pressed Stop: of the run and the call that are named, of all of a run,
            or, where nothing is named, of the whole.
        on_resolve: The person answered: the id of what was asked, and what they said. Gives when it
            was taken; what it raises, or the future, is told to the page as what is wrong with it.
        on_emit: A renderer said something: its kind of payload, and a value. After the person moved
            the run's map: `"map"` and `{"center": {"lon": …, "lat": …}, "zoom": …}`.
        on_ask: A renderer asks for more: its kind, and a question; gives the answer, as JSON, or a
            `Future` of it. What it raises is told to the page.

    Example:
        view = RunView(on_stop=lambda run_id, call_id: run.stop(), on_resolve=run.resolve)
        display(view)
        view.feed(patches)
        view.flush()  # every 40 ms
    """

    # written here once, read by anywidget on the page
    _esm = loader_for("run-view", *PARTS)

    def __init__(
        self,
        *,
        whole: Callable[[], tuple[int, Sequence[PatchJson]]] | None = None,
        on_stop: Callable[[str | None, str | None], None] | None = None,
        on_resolve: Callable[[str, Any], Future[None]] | None = None,
        on_emit: Callable[[str, Any], None] | None = None,
        on_ask: Callable[[str, Any], Any] | None = None,
    ) -> None:
        self._on_stop = on_stop
        self._on_resolve = on_resolve
        self._on_emit = on_emit
        self._on_ask = on_ask
        self._whole = whole
        self._is_whole_wanted = False
        self._patches: list[PatchJson] = []
        self._first = 0  # position of the first patch that is kept
        self._next = 0  # position of the first patch that is still to be sent
        self._fed_at = self._sent_at = time.monotonic()
        self._lists = threading.Lock()  # held for a moment, never while sending
        self._wire = threading.Lock()  # held while sending, so that chunks leave in order
        super().__init__()
        keep_own_subshell(self.comm)
        self._untyped.on_msg(self._hear)

    def feed(self, patches: Iterable[PatchJson]) -> None:
        """Add patches to the run's list; `flush` sends them."""
        new = list(patches)
        if not new:
            return
        with self._lists:
            self._patches += new
            self._fed_at = time.monotonic()

    def flush(self) -> None:
        """Send what has not been sent, in as few messages as may be."""
        with self._wire:
            if not self._send_news() and time.monotonic() - self._sent_at >= HEARTBEAT_S:
                self._send_batch(self._next, [])

    def retire(self) -> None:
        """Close the view for good, leaving next to nothing in a saved notebook.

        Replace what is displayed first: a page removes the views of a closed widget.
        """
        if self.comm is None:
            return
        with self._wire:
            self._esm = BLANK
            layout = self._untyped.layout
            expect_late_messages(self)
            expect_late_messages(layout)
            self._untyped.close()
            layout.close()  # it has a model, and so a place in the notebook, of its own
        with self._lists:
            self._patches = []
            self._first = self._next = 0

    @property
    def _untyped(self) -> Any:  # ipywidgets has no types
        return self

    def _send_news(self) -> bool:
        """Send every chunk there is; whether there was one."""
        was_news = self._send_whole()
        while self._send_chunk():
            was_news = True
        return was_news

    def _send_whole(self) -> bool:
        """Send what comes to all that was sent, if a page wants it."""
        if self._whole is None or not self._is_whole_wanted or self.comm is None:
            return False
        self._is_whole_wanted = False
        count, patches = self._whole()
        at = 0
        try:
            while at < len(patches):
                chunk = _chunk(patches, at)
                part = {"at": at, "of": len(patches)}
                self._send_batch(count, chunk, part=part)
                at += len(chunk)
        except BaseException:
            self._is_whole_wanted = True
            raise
        return at > 0

    def _send_chunk(self) -> bool:
        with self._lists:
            self._forget()
            start = self._next
            is_open = self.comm is not None
            chunk = _chunk(self._patches, start - self._first) if is_open else ()
            self._next = start + len(chunk)
        if not chunk:
            return False
        try:
            self._send_batch(start, chunk)
        except BaseException:
            self._rewind(start)  # an interrupt or a broken socket: it may not have left
            raise
        return True

    def _send_batch(self, start: int, patches: Sequence[PatchJson], **part: object) -> None:
        self._sent_at = time.monotonic()
        idle_ms = round((self._sent_at - self._fed_at) * 1000)
        said = {"type": "patches", "from": start, "patches": patches, "idle_ms": idle_ms}
        self._untyped.send({**said, **part})

    def _rewind(self, position: int) -> None:
        with self._lists:
            if self._whole is not None and position < max(1, self._first) and self._next:
                self._is_whole_wanted = True
            else:
                self._next = max(self._first, min(self._next, position))

    def _forget(self) -> None:
        """Keep no more than some of what was sent; while `_lists` is held."""
        if self._whole is not None and self._next - self._first > 2 * KEPT:
            del self._patches[: self._next - self._first - KEPT]
            self._first = self._next - KEPT

    def _hear(self, _widget: object, content: object, _buffers: object) -> None:
        if answer_library_request(self._untyped, content) or not is_mapping(content):
            return
        match content:
            case {"type": "sync", "from": int(position)}:
                self._sync(position)
            case {"type": "stop", **where}:
                self._stop(where.get("run_id"), where.get("call_id"))
            case {"type": "resolve", "id": int(number), "await_id": str(asked), "answer": said}:
                self._reply(number, lambda: self._resolve(asked, said))
            case {"type": "emit", "kind": str(kind), "value": value} if self._on_emit is not None:
                self._on_emit(kind, value)
            case {"type": "ask", "id": int(number), "kind": str(kind), "question": question}:
                self._reply(number, lambda: self._answer(kind, question))
            case _:
                pass  # a later page may say more

    def _stop(self, run_id: object, call_id: object) -> None:
        """Stop what is named; a name that is none must not stop the whole."""
        if self._on_stop is None:
            return
        if isinstance(run_id, str | None) and isinstance(call_id, str | None):
            self._on_stop(run_id, call_id)

    def _resolve(self, await_id: str, said: Any) -> Future[None]:
        if self._on_resolve is None:
            raise LookupError("Nobody here waits for an answer.")
        return self._on_resolve(await_id, said)

    def _answer(self, kind: str, question: Any) -> Any:
        if self._on_ask is None:
            raise LookupError(f"Nobody here answers for {kind!r}.")
        return self._on_ask(kind, question)

    def _reply(self, number: int, answer: Callable[[], Any]) -> None:
        """Answer the page under its number: at once, or when the answer is there."""
        try:
            given = answer()
        except Exception as error:  # noqa: BLE001  the page is told, whatever it was
            self._tell(number, {"error": words_of(error)})
            return
        if isinstance(given, Future):
            later = cast("Future[Any]", given)
            later.add_done_callback(lambda done: self._tell(number, _told(done)))
        else:
            self._tell(number, {"value": given})

    def _tell(self, number: int, answer: dict[str, Any]) -> None:
        """Answer a question, unless the view was retired meanwhile."""
        if self.comm is not None:
            self._untyped.send({"type": "answer", "id": number, **answer})

    def _sync(self, position: int) -> None:
        """A page lacks what is at `position` and after; it is told also if there is nothing yet."""
        self._rewind(position)
        if not self._wire.acquire(blocking=False):
            return  # whoever is sending will send this too
        try:
            if not self._send_news():
                self._send_batch(self._next, [])
        finally:
            self._wire.release()


def _chunk(patches: Sequence[PatchJson], start: int) -> Sequence[PatchJson]:
    """Patches from `start` on, as many as a message may hold, at least one if there is one."""
    size = 0
    for stop in range(start, len(patches)):
        size += _about_bytes(patches[stop])
        if size > CHUNK_BYTES and stop > start:
            return patches[start:stop]
    return patches[start:]


def _told(done: Future[Any]) -> dict[str, Any]:
    """What came of an answer that took a while."""
    try:
        return {"value": done.result()}
    except CancelledError:
        return {"error": "Too much is asked at once."}
    except Exception as error:  # noqa: BLE001  the page is told, whatever it was
        return {"error": words_of(error)}


def _about_bytes(patch: PatchJson) -> int:
    """About what a patch takes on the wire."""
    size = FRAME_BYTES
    for value in patch.values():
        if isinstance(value, str):
            size += len(value)
        elif value and isinstance(value, (dict, list, tuple)):
            size += len(json.dumps(value, default=str))
    return size
