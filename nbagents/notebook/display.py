"""One display per run: live while it runs, frozen when it ends."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from IPython.core.error import StdinNotImplementedError

from nbagents.identity import new_id
from nbagents.notebook.displays import displays_captured
from nbagents.notebook.figures import capture_figures
from nbagents.notebook.pump import Pump
from nbagents.notebook.shell import kernel_of
from nbagents.tools.capture import capturing

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from nbagents_widgets.run_view import RunView

    from nbagents.events import AnyEvent
    from nbagents.notebook.shell import Shell
    from nbagents.runs.host import Attendance
    from nbagents.runs.preview import Preview
    from nbagents.runs.record import Run

__all__ = ["Mode", "NotebookHost"]

Mode: TypeAlias = Literal["auto", "live", "static", "text", "none"]
HEARTBEAT_S = 0.5
"""How often the kernel is said to be busy: each widget message says idle, and culling listens."""


class NotebookHost:
    """Shows runs in the cell that started them.

    Args:
        shell: The shell.
        mode: `auto` chooses by who is watching: a page, a notebook run headless, a terminal.
    """

    def __init__(
        self,
        shell: Shell,
        *,
        mode: Callable[[], Mode],
    ) -> None:
        self._shell = shell
        self._mode = mode
        self._shown_in: weakref.WeakKeyDictionary[Run, int] = weakref.WeakKeyDictionary()
        self._preview: tuple[Preview, int] | None = None

    @contextlib.contextmanager
    def attend(
        self, run: Run, stop: Callable[[], None], *, is_blocking: bool
    ) -> Generator[Attendance]:
        """Show a run from before its first event to after its last."""
        capture_figures()
        kernel = kernel_of(self._shell)
        screen = self._screen(run, stop)
        self._shown_in[run] = self._shell.execution_count
        heard = kernel if is_blocking and isinstance(screen, LiveScreen) else None
        try:
            with displays_captured(self._shell), Pump(heard) as pump:
                yield _Attending(screen, pump, self._shell)
        finally:
            screen.freeze()

    @property
    def shows_output(self) -> bool:
        """Whether the display shows what calls print; a terminal shows it as it comes."""
        mode = self._mode()
        has_page = kernel_of(self._shell) is not None
        return has_page if mode == "auto" else mode in ("live", "static")

    def confirm(self, run: Run, question: str) -> bool | None:
        """Ask the person a question of yes or no, on the main thread.

        Returns:
            The answer; `None` where nobody can be asked.
        """
        del run
        if not self._can_ask():
            return None
        try:
            with capturing(None):
                answer = input(f"{question} [y/N] ")
        except (EOFError, StdinNotImplementedError):
            return None
        return answer.strip().lower() in ("y", "yes")

    def _can_ask(self) -> bool:
        """Whether somebody is there to answer; a notebook run headless says that nobody is."""
        if threading.current_thread() is not threading.main_thread():
            return False
        kernel = kernel_of(self._shell)
        if kernel is not None:
            return bool(getattr(kernel, "_allow_stdin", False))  # there is no public way
        return sys.stdin is not None and sys.stdin.isatty()

    def with_mode(self, mode: Mode) -> NotebookHost:
        """The same host, showing one run in another way."""
        other = NotebookHost(self._shell, mode=lambda: mode)
        other._shown_in = self._shown_in
        return other

    def publish(self, bundle: Mapping[str, object]) -> None:
        """Display a bundle in the current cell."""
        self._publish(bundle)

    def show(self, run: Run) -> None:
        """Show a run as it stands, unless this very execution has shown it already."""
        if self._shown_in.get(run) == self._shell.execution_count and run.is_closed:
            return
        self._shown_in[run] = self._shell.execution_count
        self._publish(bundle_of(run))

    def show_preview(self, preview: Preview) -> Preview:
        """Show a request that was not sent, unless this very execution has shown it already."""
        from nbagents.notebook.preview_card import preview_card

        shown, count = self._preview or (None, 0)
        if shown is not preview or count != self._shell.execution_count:
            self._preview = preview, self._shell.execution_count
            self._publish(preview_card(preview))
        return preview

    def _screen(self, run: Run, stop: Callable[[], None]) -> Screen:
        mode = self._resolved()
        if mode == "none":
            return BlankScreen()
        if mode == "text":
            return TextScreen(run)
        if mode == "static":
            return StillScreen(run, self._publish_in_cell)
        return LiveScreen(run, stop, self._publish_in_cell)

    def _resolved(self) -> Mode:
        mode = self._mode()
        if mode != "auto":
            return mode
        if kernel_of(self._shell) is None:
            return "text"
        from nbagents_widgets.frontend import is_watched

        return "live" if is_watched() else "static"

    def _publish(self, bundle: Mapping[str, object], **options: Any) -> None:
        # Any: what a display publisher takes besides the bundle is untyped
        self._shell.display_pub.publish(data=dict(bundle), metadata={}, **options)

    def _publish_in_cell(self, bundle: Mapping[str, object], **options: Any) -> None:
        """Publish what is no call's output: a run that a tool starts shows itself in the cell."""
        with capturing(None):
            self._publish(bundle, **options)


class BlankScreen:
    """Shows nothing."""

    def feed(self) -> None:
        """Nothing to pass on."""

    def freeze(self) -> None:
        """Nothing to leave behind."""


class TextScreen(BlankScreen):
    """Prints a run when it has ended, for terminals."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def freeze(self) -> None:
        """Print it."""
        from nbagents.notebook.frozen_text import text_tree

        if not self._run.events:
            return
        with capturing(None):
            print(text_tree(self._run.tree, self._run.id))  # noqa: T201  a terminal's display


class StillScreen(BlankScreen):
    """Shows a run when it has ended, where nobody watches: no comm is opened."""

    def __init__(self, run: Run, publish: Callable[..., None]) -> None:
        self._run = run
        self._publish = publish

    def freeze(self) -> None:
        """Publish what the saved notebook keeps."""
        self._publish(bundle_of(self._run))


class LiveScreen(BlankScreen):
    """Shows a run as it happens; at its end the view gives way to a bundle without widgets."""

    def __init__(
        self,
        run: Run,
        stop: Callable[[], None],
        publish: Callable[..., None],
    ) -> None:
        from nbagents_widgets.run_view import RunView

        from nbagents.notebook.renderers import answer_ask, take_emit

        self._run = run
        self._publish = publish
        self._transient = {"display_id": new_id("display")}
        self.view: RunView = RunView(
            on_stop=stop, on_emit=partial(take_emit, run), on_ask=partial(answer_ask, run)
        )
        live = {**_widget_bundle(self.view), "text/plain": f"Run {run.id}: running"}
        publish(live, transient=self._transient)
        self._end_listening = run.listen(self._take)

    def _take(self, event: AnyEvent) -> None:
        self.view.feed([event.model_dump(mode="json")])

    def feed(self) -> None:
        """Pass on what has gathered."""
        self.view.flush()

    def freeze(self) -> None:
        """Replace the view by what the saved notebook keeps."""
        self._end_listening()
        self.view.flush()
        try:
            self._publish(bundle_of(self._run), transient=self._transient, update=True)
        finally:
            self.view.retire()


Screen: TypeAlias = BlankScreen | TextScreen | StillScreen | LiveScreen


class _Attending:
    def __init__(self, screen: Screen, pump: Pump, shell: Shell) -> None:
        self._screen = screen
        self._pump = pump
        self._events = shell.events
        self._kernel = kernel_of(shell)
        self._next_s = time.monotonic() + HEARTBEAT_S

    def poll(self) -> None:
        """Hear clicks, and keep saying that the kernel is busy."""
        if threading.current_thread() is threading.main_thread():
            with _amid_a_cell(self._events):
                self._pump.poll()
        if self._kernel is not None and time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + HEARTBEAT_S
            self._kernel._publish_status("busy", "shell")  # noqa: SLF001  there is no public way

    def beat(self) -> None:
        """Pass on what happened."""
        self._screen.feed()


@contextlib.contextmanager
def _amid_a_cell(events: Any) -> Generator[None]:  # Any: IPython leaves its events untyped
    """Keep IPython's events back in this block.

    To a comm, each message is an execution of its own. What listens for the end of one shows and
    closes the figures of the cell, which may still draw when the run has ended.
    """
    events.trigger = _keep_back
    try:
        yield
    finally:
        del events.trigger


def _keep_back(_event: str, *_args: object, **_options: object) -> None:
    """Stands for `EventManager.trigger`."""


def bundle_of(run: Run) -> dict[str, object]:
    """What a saved notebook keeps of a run; of one that never began, that it did not."""
    if not run.events:
        return {"text/plain": "The run did not begin."}
    from nbagents.notebook.frozen import frozen_bundle

    return frozen_bundle(run.tree, run.id)


def _widget_bundle(view: Any) -> dict[str, Any]:
    # Any: anywidget's bundle is untyped, and comes with or without its metadata
    bundle = view._repr_mimebundle_()
    data = cast("dict[str, Any]", bundle[0] if isinstance(bundle, tuple) else bundle)
    return {mime: value for mime, value in data.items() if mime.startswith("application/")}
