"""Renderers of one's own: how a page draws a kind of payload, what a saved notebook shows of it.

```python
nba.renderer(
    "dice",
    esm=Path("dice.js"),
    static=lambda value: f"{value['eyes']} eyes",
    on_emit=lambda event: f"The person rolled a {event.value}.",
)
```

The page's module comes over the comm, once a page. What it says comes back in a thread of the
kernel's, where no code of a person's may run: the handlers are called on the main thread, and what
they return is told to the model with its next request.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents_widgets.library import fingerprint, offer_module, withdraw_module

from nbagents.notebook.kernel import soon
from nbagents.notebook.kinds.renderer_forms import add_statics, static_form
from nbagents.notebook.markup import WHOLE_ARGUMENTS, whole_arguments
from nbagents.tools.values import BUILT_IN_KINDS, from_page, json_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import JsonValue

    from nbagents.runs.state import Run
    from nbagents.runs.tree import Tree

KIND: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
WHICH: Final = "renderers:"
"""What a page asks to learn which kinds have modules; as below, no kind can have this name."""
STATIC: Final = "renderers:static"
"""What a page asks for the static form of a payload."""
LONGEST: Final = 2_000
"""Characters of what a handler returns that the model is told."""


@dataclass(frozen=True, slots=True)
class RendererEvent:
    """What a person did in the view of a payload, or what the view asks."""

    kind: str
    value: Any  # JSON, of the shape that the renderer's own module sends
    run: Run
    """The run whose view it is."""


OnEvent: TypeAlias = "Callable[[RendererEvent], object]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """How payloads of one kind are shown; see `renderer`."""

    kind: str
    static: Callable[[Any], object]
    esm: str | Path | None = None
    stateful: bool = False
    on_emit: OnEvent | None = None
    on_ask: OnEvent | None = None

    def __repr__(self) -> str:
        return f"Renderer({self.kind!r})"

    def text(self) -> bytes:
        """The page's module as it stands now.

        Raises:
            OSError: Its file cannot be read.
        """
        if isinstance(self.esm, Path):
            return self.esm.read_bytes()
        return (self.esm or "").encode()

    def remove(self) -> None:
        """Forget the renderer, unless another has taken its place."""
        if renderers.get(self.kind) is self:
            del renderers[self.kind]
            withdraw_module(_module(self.kind))


renderers: Final[dict[str, Renderer]] = {}
"""The renderers of this process, by kind."""


def renderer(
    kind: str,
    *,
    static: Callable[[Any], object],
    esm: str | Path | None = None,
    stateful: bool = False,
    on_emit: OnEvent | None = None,
    on_ask: OnEvent | None = None,
) -> Renderer:
    """Say how payloads of a kind are shown; the same kind again replaces what was said.

    Args:
        kind: The kind. A mapping that a tool gives as `data` without a kind has the tool's name.
        static: What a saved notebook shows, and a page that has no module: is called with the
            payload's value and returns text, a payload of `nba.ui`, a figure or an image, a table,
            or a mapping of MIME types without HTML. It should only compute: it is called on
            whichever thread the run ends.
        esm: The page's module, as text or as a `Path`, which is read again for each run. It exports
            `render({el, value, emit, ask, theme, signal})`, which draws into `el` and may return
            `{update(value)}` for a payload that is replaced. Without it pages show the static form.
        stateful: Whether a run keeps one view of this kind, which is given its payloads in order.
        on_emit: Is called on the main thread with a `RendererEvent` for each `emit(value)` of the
            page; what it returns, if anything, is told to the model with its next request.
        on_ask: Is called on the main thread for each `ask(question)` of the page; what it returns
            is the answer, as JSON.

    Returns:
        The renderer; `remove()` forgets it.

    Raises:
        ValueError: The kind is none, or nbagents draws it itself; the module exports no `render`.
        FileNotFoundError: The module's file is not there.
    """
    made = Renderer(
        kind=_checked_kind(kind),
        static=static,
        esm=esm,
        stateful=stateful,
        on_emit=on_emit,
        on_ask=on_ask,
    )
    if esm is None:
        withdraw_module(_module(kind))
    else:
        _check_module(made)
        offer_module(_module(kind), made.text)
    renderers[kind] = made
    return made


def take_emit(run: Run, kind: str, value: JsonValue) -> None:
    """Take what the person did in a payload's view; in any thread, so it runs no code of theirs."""
    if kind == "map":
        from nbagents.notebook.maps import take_user_move  # a run showed a map

        take_user_move(value)
        return
    if kind == "chart":
        from nbagents.notebook.kinds.chart_pictures import take_picture  # a run showed one

        take_picture(run, value)
        return
    known = renderers.get(kind)
    if known is not None and known.on_emit is not None:
        soon(partial(_handle, known.on_emit, RendererEvent(kind, value, run)))


def answer_ask(run: Run, kind: str, question: JsonValue) -> Any:  # Any: JSON, or a Future of it
    """Answer what a payload's view asks for; code of the person's is called later.

    Raises:
        LookupError: No renderer of this kind answers questions.
    """
    if kind == WHICH:
        return {one.kind: _about(one) for one in renderers.values()}
    if kind == STATIC:
        return _static_later(from_page(question))
    if kind == WHOLE_ARGUMENTS:
        return whole_arguments(run, question)
    if kind == "table":
        from nbagents.notebook.kinds.table_news import answer_table  # a run showed one

        return answer_table(run, question)
    known = renderers.get(kind)
    if known is None or known.on_ask is None:
        raise LookupError(f"The renderer of {kind!r} answers no questions: it has no `on_ask`.")
    return soon(partial(_answer, known.on_ask, RendererEvent(kind, question, run)))


def with_statics(tree: Tree) -> Tree:
    """Put the static forms of the renderers' kinds beside their payloads, in place.

    Whatever a static form raises is said in its place.
    """
    add_statics(tree, {kind: (one.static, one.stateful) for kind, one in renderers.items()})
    return tree


def _checked_kind(kind: str) -> str:
    if not KIND.fullmatch(kind):
        raise ValueError(
            f"{kind!r} is no kind: letters, digits, `_`, `.` and `-`, at most 64, as in 'dice'."
        )
    if kind in BUILT_IN_KINDS:
        raise ValueError(
            f"nbagents draws the kind {kind!r} itself. Choose another name for your own."
        )
    return kind


def _check_module(made: Renderer) -> None:
    """See that there is a module, while its author can see the error."""
    given = made.esm
    if isinstance(given, str) and "\n" not in given and given.endswith((".js", ".mjs")):
        raise ValueError(f"{given!r} is taken for the module's text. For a file: Path({given!r}).")
    if b"render" not in made.text() or b"export" not in made.text():
        raise ValueError(
            f"The module of {made.kind!r} exports no function `render`. Write"
            " `export function render({ el, value }) { … }`."
        )


def _module(kind: str) -> str:
    return f"renderer:{kind}"


def _about(one: Renderer) -> JsonValue:
    """What a page knows of a kind beforehand; a kind without a module has no hash."""
    if one.esm is None:
        return {"hash": None, "stateful": False}
    try:
        current = fingerprint(one.text())
    except OSError:
        current = "unreadable"  # the page asks for it all the same, and is told why
    return {"hash": current, "stateful": one.stateful}


def _static_later(question: JsonValue) -> Any:  # Any: a Future of JSON
    fields = question if isinstance(question, dict) else {}
    known = renderers.get(str(fields.get("kind")))
    if known is None:
        raise LookupError("There is no renderer of this kind.")
    return soon(lambda: static_form(known.kind, known.static, fields.get("value")))


def _handle(handler: OnEvent, event: RendererEvent) -> None:
    """Call a person's handler; what it returns is told to the model."""
    try:
        said = handler(event)
    except Exception as error:  # noqa: BLE001  a handler may raise anything; the run goes on
        warnings.warn(
            f"`on_emit` of the renderer {event.kind!r} raised {type(error).__name__}: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
        return
    if said is not None and str(said):
        event.run.notice(str(said)[:LONGEST], key=event.kind)


def _answer(handler: OnEvent, event: RendererEvent) -> JsonValue:
    return json_of(handler(event))
