"""The matplotlib figures that a running call makes go to that call.

Each call has a pyplot of its own: its figures are numbered from 1, `plt.gcf()` and `plt.show()`
know no other. What is left open when its function ends is shown with it and closed, so that IPython
does not show it under the cell again. What a function draws after its call is over is shown
nowhere. Drawings of parallel calls do not mix.
"""

from __future__ import annotations

import importlib.abc
import sys
import threading
import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from nbagents.narrowing import is_dict, is_sequence
from nbagents.tools.context import current_sink

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from nbagents.tools.context import Sink

PYPLOT = "matplotlib._pylab_helpers"
"""Where pyplot keeps its open figures, in `Gcf.figs`."""
PICTURES_ONLY = frozenset({"agg", "inline", "svg", "pdf", "ps", "cairo", "pgf"})
"""Backends without windows; a window stays where the person sees it."""

# Any in this file: matplotlib comes without types, and only if somebody has imported it.


def capture_figures() -> None:
    """Give each call a pyplot of its own, from now on.

    It stays that way: a call that ran out of time may go on drawing on its thread when no run is
    left. The person's own figures are where they were, in the same mapping.
    """
    with _lock:
        module = sys.modules.get(PYPLOT)
        if hasattr(module, "Gcf"):
            _put_in(module)
        elif not any(isinstance(one, _Finder) for one in sys.meta_path):
            sys.meta_path.insert(0, _Finder())


_lock = threading.Lock()


def _put_in(module: Any) -> None:
    """Put the figures by call into pyplot's place for figures."""
    everyone = module.Gcf.__dict__["figs"]
    if not isinstance(everyone, _FiguresByCall):
        module.Gcf.figs = _FiguresByCall(everyone)


class _FiguresByCall:
    """Stands for `Gcf.figs`: pyplot's figures by number, of the call that asks.

    Args:
        everyone: The figures outside of calls.
    """

    def __init__(self, everyone: OrderedDict[Any, Any]) -> None:
        self._everyone = everyone
        self._of: weakref.WeakKeyDictionary[Sink, OrderedDict[Any, Any]] = (
            weakref.WeakKeyDictionary()
        )

    def __get__(self, instance: object, owner: type) -> OrderedDict[Any, Any]:
        """The figures, whenever somebody reads `Gcf.figs`."""
        sink = current_sink()
        if sink is None or not _draws_pictures():
            return self._everyone
        own = self._of.get(sink)
        if own is None:
            own = self._of[sink] = OrderedDict()
            sink.on_close(lambda returned: self._close(sink, returned))
        return own

    def _close(self, sink: Sink, returned: object) -> None:
        """Show what the call has left open; what it returns is shown as its result anyway."""
        given = {id(one) for one in _given(returned)}
        for manager in tuple(self._of.pop(sink, OrderedDict()).values()):
            figure = manager.canvas.figure
            bundle = {} if sink.is_over or id(figure) in given else _bundle(figure)
            if bundle:
                sink.bundle(bundle, {})
            if sink.echoes and not sink.is_over:
                self._hand_over(manager)
            else:
                manager.destroy()

    def _hand_over(self, manager: Any) -> None:
        """Leave a figure open, as nobody shows the run: IPython shows it in the cell."""
        manager.num = 1 + max(self._everyone, default=0)
        self._everyone[manager.num] = manager


def _bundle(figure: Any) -> dict[str, Any]:
    """A figure as IPython would display it; of one that nothing is drawn on, nothing."""
    from nbagents.tools.values import picture_of  # few tools draw

    if len(figure.get_children()) == 1:  # its background
        return {}
    try:
        picture = picture_of(figure)
    except Exception as error:  # noqa: BLE001  the call has ended well, whatever is drawn
        return {"text/plain": f"{figure} cannot be drawn: {type(error).__name__}: {error}"}
    return {picture.media_type: picture.data, "text/plain": str(figure)} if picture else {}


def _given(returned: object, depth: int = 3) -> Generator[object]:
    """The figures among what a tool returned, also in its lists and mappings."""
    from nbagents.tools.values import figure_of  # few tools draw

    figure = figure_of(returned)
    if figure is not None:
        yield figure
    elif depth:
        for one in _parts(returned):
            yield from _given(one, depth - 1)


def _parts(value: object) -> tuple[object, ...]:
    from nbagents.results import Result  # pydantic comes with the first run

    if isinstance(value, Result):
        return value.content, value.data
    if is_dict(value):
        return tuple(value.values())
    return tuple(value) if is_sequence(value) else ()


def _draws_pictures() -> bool:
    """Whether matplotlib draws without windows; asking must not make it choose how to draw."""
    settings: dict[str, Any] = getattr(sys.modules.get("matplotlib"), "rcParams", {})
    chosen: object = dict[str, Any].get(settings, "backend")  # past their own `get`
    if not isinstance(chosen, str):
        return False
    return chosen.lower().rpartition(".")[2].removeprefix("backend_") in PICTURES_ONLY


class _Finder(importlib.abc.MetaPathFinder):
    """Sees pyplot being imported for the first time, which a tool may do."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find it as everybody does, and be told when it has been executed."""
        if fullname != PYPLOT:
            return None
        for finder in (one for one in sys.meta_path if one is not self):
            spec = finder.find_spec(fullname, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader, self._imported)
                return spec
        return None

    def _imported(self, module: ModuleType) -> None:
        with _lock:
            _put_in(module)
        if self in sys.meta_path:
            sys.meta_path.remove(self)


class _Loader(importlib.abc.Loader):
    """A loader that says when it is done, and then gives way to the one that did it."""

    def __init__(self, inner: Any, done: Callable[[ModuleType], None]) -> None:
        self._inner = inner
        self._done = done

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: Any) -> None:
        module.__loader__ = module.__spec__.loader = self._inner
        self._inner.exec_module(module)
        self._done(module)
