"""What a page says of its notebook: the conversation with JupyterLab's extension.

The kernel begins it, when it loads nbagents or is first used by a page: then the answer comes
before what is queued. It stays open, and a page that comes later finds it (`js/src/lab/place`).
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from nbagents_widgets.frontend import is_watched, keep_own_subshell

from nbagents.narrowing import dict_of, is_dict
from nbagents.notebook.kernel import Pump, kernel_of, parent_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.notebook.kernel import Shell

TARGET: Final = "nbagents.notebook"
KEPT: Final = ("beside", "embedded")
"""Where a recording may be that a page can hand over: in a file, or in the notebook."""
EARLIER: Final = "earlier"
"""What was at one of them before the notebook was renamed, and is there no more."""
WORD_S: Final = 1.5
"""So long a page is waited for, once; one without our extension says so at once."""
TEXTS_S: Final = 30.0
"""So long the texts are waited for of a page that has said that they come."""
SLICE_S: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a page has said."""

    path: str
    """The notebook's, in the folders of the server."""
    root: str | None = None
    """The folder that the server serves; `None`: the notebook is not in one."""
    has_embedded: bool = False
    earlier: tuple[str, ...] = ()
    """Where it was before, newest first."""
    texts: Mapping[str, str | None] | None = None
    """The recordings that it has handed over, by where they are kept; `None`: it was not asked."""

    @property
    def is_whole(self) -> bool:
        """Whether all has come that was asked for."""
        return self.texts is None or all(one in self.texts for one in KEPT)


@dataclass(slots=True)
class _Page:
    """One page that speaks, as it comes in."""

    told: Told
    pieces: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    held: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """What it has handed over before."""

    def take(self, said: Mapping[str, Any]) -> None:  # Any: JSON
        """Put the pieces of a text together."""
        of = str(said.get("of"))
        if of not in KEPT:
            return
        if "piece" in said:
            pieces = self.pieces.setdefault(of, [])
            if not said.get("at"):
                pieces.clear()
            pieces.append(str(said["piece"]))
            if not said.get("is_last"):
                return
            self.held[of] = "".join(self.pieces.pop(of))
        elif not said.get("is_known"):
            self.held[EARLIER] = self.held.get(of) or self.held.get(EARLIER)
            self.held[of] = None
        earlier = {EARLIER: self.held[EARLIER]} if self.held.get(EARLIER) else {}
        texts = {**(self.told.texts or {}), of: self.held.get(of), **earlier}
        self.told = replace(self.told, texts=texts)


class Conversation:
    """Hears pages.

    Args:
        shell: The shell.
        wants: Says of what a page has told whether it shall hand over what it has.
    """

    def __init__(self, shell: Shell, wants: Callable[[Told], bool]) -> None:
        self._shell = shell
        self._wants = wants
        self._comm: Any = None  # a comm has no common type across kernels
        self._pages: dict[str, _Page] = {}
        self._newest = ""
        self._has_asked = self._is_awaited = False
        self._has_given_up = False
        """Whether a page did not hand over what it was asked for: it is not waited for again."""
        self._changed = threading.Condition()

    def begin(self) -> None:
        """Ask the page, if there is one that was not asked; at the start, and before each cell."""
        kernel = kernel_of(self._shell)
        if self._has_asked or kernel is None or not _is_watched():
            return
        from comm import create_comm  # a kernel has it; a terminal may not

        self._has_asked = self._is_awaited = True
        self._comm = create_comm(target_name=TARGET, data={})
        keep_own_subshell(self._comm)
        self._comm.on_msg(self._hear)
        self._comm.on_close(self._close)

    def end(self) -> None:
        """Hear no page any more."""
        comm, self._comm = self._comm, None
        if comm is not None:
            comm.close()

    def told(self) -> Told | None:
        """What the page of this cell has said; waits for one that was asked and is silent yet."""
        self._wait(lambda: not self._is_awaited or bool(self._pages), WORD_S)
        self._is_awaited = False
        if not self._has_given_up:
            self._wait(lambda: (told := self._of_this_cell()) is None or told.is_whole, TEXTS_S)
        told = self._of_this_cell()
        self._has_given_up = told is not None and not told.is_whole
        return told

    def _of_this_cell(self) -> Told | None:
        """Two notebooks may share a kernel: each speaks by a connection of its own."""
        page = self._pages.get(_session(parent_of(self._shell))) or self._pages.get(self._newest)
        return page and page.told

    def _wait(self, is_there: Callable[[], bool], limit_s: float) -> None:
        """Wait, and hear the page meanwhile: its messages come behind the cells that are queued."""
        if is_there():
            return
        end_s = time.monotonic() + limit_s
        on_main = threading.current_thread() is threading.main_thread()
        with Pump(kernel_of(self._shell) if on_main else None) as pump:
            while not is_there() and time.monotonic() < end_s:
                pump.poll()
                with self._changed:
                    self._changed.wait(SLICE_S)

    def _hear(self, message: Any) -> None:  # Any: as the comm library has it
        """Take what a page says; in any thread."""
        data = message.get("content", {}).get("data", {})
        session = _session(message)
        if is_dict(said := data.get("notebook")):
            self._place(session, said)
        elif is_dict(said := data.get("text")) and session in self._pages:
            self._pages[session].take(said)
        with self._changed:
            self._changed.notify_all()

    def _place(self, session: str, said: Mapping[str, Any]) -> None:
        root = said.get("root")
        told = Told(
            path=str(said.get("path", "")),
            root=root if isinstance(root, str) else None,
            has_embedded=said.get("embedded") is True,
        )
        wants, self._has_given_up = self._wants(told), False
        page = self._pages.setdefault(session, _Page(told))
        earlier = (page.told.path, *page.told.earlier)
        told = replace(
            told,
            texts={} if wants else None,
            earlier=tuple(dict.fromkeys(one for one in earlier if one != told.path)),
        )
        page.told, self._newest = told, session
        if wants and self._comm is not None:
            self._comm.send({"wants": list(KEPT)})

    def _close(self, _message: Any) -> None:  # Any: as above
        """A page knows no such conversation: it has not our extension."""
        self._comm, self._is_awaited = None, False
        with self._changed:
            self._changed.notify_all()


def _is_watched() -> bool:
    try:
        return is_watched()
    except ValueError:  # a variable means nothing: the first display says so
        return False


def _session(message: Mapping[str, Any]) -> str:
    """By which connection a message came."""
    return str(dict_of(message.get("header")).get("session", ""))
