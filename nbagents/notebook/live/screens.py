"""The ways in which a run is shown: live, when it has ended, as text, or not at all."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from nbagents.identity import new_id
from nbagents.narrowing import dict_of, is_sequence
from nbagents.notebook.kernel import say
from nbagents.notebook.markup import FOR_PAGE
from nbagents.runs.lanes import BY_PERSON
from nbagents.runs.tree import TreePatches
from nbagents.runs.wording import visible_name
from nbagents.tools.context import capturing

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents_widgets.run_view import RunView

    from nbagents.notebook.saved import Opening
    from nbagents.runs.state import Run

AFTER_CELL = "post_run_cell"
ABOUT_RUN = "run:"
"""How the kinds of questions about a run begin: no renderer's kind has a colon."""
MANY = 2
"""Pages that asked for all that happened: one came later, or was reloaded."""
ARRIVAL_S = 3.0
"""How long no word may come of a page before one is asked by typing as well."""


class BlankScreen:
    """Shows nothing."""

    def feed(self) -> None:
        """Nothing to pass on."""

    def freeze(self) -> None:
        """Nothing to leave behind."""

    @property
    def hears(self) -> bool | None:
        """Whether a page shows it, where a person can answer; `None`: one may still come."""
        return False

    @property
    def is_open(self) -> bool:
        """Whether a page that comes, however late, would show it."""
        return False

    def settle(self) -> None:
        """Nothing to show to somebody who has waited for the end of a run in the background."""

    def show_again(self) -> bool:
        """Show the same in the current cell, while the run goes on; whether that is possible."""
        return False


class TextScreen(BlankScreen):
    """Prints a run when it has ended, for terminals."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def freeze(self) -> None:
        """Print it."""
        from nbagents.notebook.saved import text_tree  # terminals only

        if not self._run.events:
            return
        with capturing(None):
            say(text_tree(self._run.tree(), self._run.id))


class LateTextScreen(BlankScreen):
    """Prints a run in the background when somebody has waited for it: never amid their typing."""

    def __init__(self, run: Run) -> None:
        self._text = TextScreen(run)
        self._lock = threading.Lock()

    def settle(self) -> None:
        """Print it, once."""
        if self._lock.acquire(blocking=False):
            self._text.freeze()


class _CardScreen(BlankScreen):
    """What leaves a card in the cell that shows the run.

    Args:
        run: The run.
        publish: Publishes a bundle.
        opened: Which calls are open at first.
    """

    def __init__(self, run: Run, publish: Callable[..., None], opened: Opening) -> None:
        self._run = run
        self._publish = publish
        self._opened: Opening = opened
        self._transient = {"display_id": new_id("display")}

    def _say_how_it_ended(self, **how: Any) -> None:
        """Publish what the saved notebook keeps; `how`: as publishers take it, untyped."""
        self._publish(bundle_of(self._run, self._opened), **how)

    def _follow(self) -> None:
        """Have the card of a run that was suspended learn what becomes of it."""
        if self._run.status == "suspended":
            from nbagents.notebook.saved import follow_resumed  # few runs wait

            follow_resumed(self._run, self._publish, self._transient, self._opened)


class StillScreen(_CardScreen):
    """Shows a run when it has ended, where nobody watches: no comm is opened."""

    def freeze(self) -> None:
        """Publish what the saved notebook keeps."""
        waits = self._run.status == "suspended"
        self._say_how_it_ended(**({"transient": self._transient} if waits else {}))
        self._follow()


class LateScreen(_CardScreen):
    """Says that a run goes on in the background, and in the same place how it ended.

    What executes a notebook headless takes only what comes while one of its cells runs. So the end
    is told again when a cell has waited for it, or else at the end of the next cell.

    Args:
        run: The run.
        publish: Publishes a bundle.
        opened: Which calls are open at first.
        events: IPython's, which tell of the end of a cell.
    """

    def __init__(
        self,
        run: Run,
        publish: Callable[..., None],
        opened: Opening,
        events: Any,  # IPython leaves its events untyped
    ) -> None:
        super().__init__(run, publish, opened)
        self._events = events
        publish(_going_on(run), transient=self._transient)

    def freeze(self) -> None:
        """Say how it ended, now and at the end of the cell that runs, or of the next."""
        self.settle()
        self._follow()
        self._events.register(AFTER_CELL, self._after_cell)

    def settle(self) -> None:
        """Say how it ended."""
        self._say_how_it_ended(transient=self._transient, update=True)

    def show_again(self) -> bool:
        """Say it here too."""
        self._publish(_going_on(self._run), transient=self._transient)
        return True

    def _after_cell(self, *_result: object) -> None:
        self._events.unregister(AFTER_CELL, self._after_cell)
        self.settle()


class LiveScreen(_CardScreen):
    """Shows a run as it happens; at its end the view gives way to a bundle without widgets."""

    def __init__(
        self,
        run: Run,
        stop: Callable[[], None],
        publish: Callable[..., None],
        opened: Opening,
    ) -> None:
        from nbagents_widgets.run_view import RunView  # where a page watches

        from nbagents.notebook.kinds import take_emit  # with the view

        super().__init__(run, publish, opened)
        self._pages: set[str] = set()
        self._is_coming = False
        self._began_s = time.monotonic()
        self._patches = TreePatches(FOR_PAGE)
        self._telling = threading.Lock()  # so that patches are fed in the order they were made in
        self.view: RunView = RunView(
            whole=self._patches.snapshot,
            on_stop=partial(_stop, run, stop),
            on_resolve=run.resolve,
            on_emit=partial(take_emit, run),
            on_ask=partial(_answer, run),
        )
        untyped: Any = self.view  # ipywidgets has no types
        untyped.on_msg(self._greet)
        self._live = {**_unended_bundle(run), **_widget_bundle(self.view)}
        self._say_what_is_open()
        self.show_again()
        self._end_listening = run.listen(self._patches.mark)

    @property
    def live(self) -> dict[str, object]:
        """What shows its view; at the end whoever showed it freezes it."""
        return self._live

    def show_again(self) -> bool:
        """Show the view in the current cell; at the end all places are frozen."""
        self._publish(self._live, transient=self._transient)
        return True

    @property
    def hears(self) -> bool | None:
        """Whether a page has asked for the run; `None` as long as one may be on its way.

        One that has said anything, if only that it wants the view's module, is on its way for as
        long as it takes: on a busy machine that may be many seconds.
        """
        if self._pages:
            return True
        is_early = time.monotonic() < self._began_s + ARRIVAL_S
        return None if self._is_coming or is_early else False

    @property
    def is_open(self) -> bool:
        """Whether a page that comes, however late, would show it."""
        return self.view.comm is not None

    def _greet(self, _view: object, content: object, _buffers: object) -> None:
        """A page that came late, or again, has not heard which calls are open."""
        self._is_coming = True
        said = dict_of(content)
        if said.get("type") == "sync":
            self._say_what_is_open()
            if said.get("from") == 0:  # until it is answered a page repeats that
                self._pages.add(str(said.get("page")))

    def _say_what_is_open(self) -> None:
        if self._opened != "errors":  # as pages do by themselves
            untyped: Any = self.view
            untyped.send({"type": "options", "open": self._opened})

    def feed(self) -> None:
        """Pass on what has changed."""
        with self._telling:
            self.view.feed(self._run.read(self._patches.take))
        self.view.flush()

    def freeze(self) -> None:
        """Replace the view by what the saved notebook keeps.

        A page that was reloaded meanwhile does not know which output it is to replace: it keeps the
        view, which then stays.
        """
        from nbagents.notebook.kinds import stay  # with the view

        self._end_listening()
        self.feed()
        try:
            self._say_how_it_ended(transient=self._transient, update=True)
            self._follow()
        finally:
            stay(self._run)
            if len(self._pages) < MANY:
                self.view.retire()


def bundle_of(run: Run, opened: Opening = "errors") -> dict[str, object]:
    """What a saved notebook keeps of a run; of one that never began, that it did not."""
    if not run.events:
        return {"text/plain": "The run did not begin."}
    from nbagents.notebook.saved import frozen_bundle  # with the first run

    return frozen_bundle(run.tree(), run.id, opened=opened)


def _stop(run: Run, stop: Callable[[], None], run_id: str | None, call_id: str | None) -> None:
    """Stop what the page names, or all of it; in any thread."""
    if run_id is None and call_id is None:
        stop()
    else:
        run.stop_part(run_id or run.id, call_id, cause=BY_PERSON)


def _answer(run: Run, kind: str, question: Any) -> Any:  # Any: JSON, or a Future of it
    """Answer a page: about the run itself, or about what one of its calls shows."""
    from nbagents.notebook.kinds import answer_ask  # with the view

    if not kind.startswith(ABOUT_RUN):
        return answer_ask(run, kind, question)
    from nbagents.notebook.copies import answer_about  # few pages ask

    return answer_about(run, kind, question)


def _unended_bundle(run: Run) -> dict[str, object]:
    """What a notebook has of a run whose end it never saw: the page was closed, the kernel killed.

    It stands beside the live view, which wins for as long as it is there.
    """
    from nbagents.notebook.live.unended_run import unended_tree  # with the first run
    from nbagents.notebook.saved import frozen_bundle  # with the first run

    return frozen_bundle(unended_tree(run), run.id)


def _going_on(run: Run) -> dict[str, object]:
    """What stands where a run in the background will be shown."""
    words = f"{visible_name(run.agent_name)} goes on in the background; run.wait() waits for it."
    return {"text/plain": words}


def _widget_bundle(view: Any) -> dict[str, Any]:
    # Any: anywidget's bundle is untyped, and comes with or without its metadata
    bundle = view._repr_mimebundle_()
    data: dict[str, Any] = bundle[0] if is_sequence(bundle) else bundle
    return {mime: value for mime, value in data.items() if mime.startswith("application/")}
