"""Renderers of one's own: what is registered, what a page is told, and what comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import pytest
from nbagents_widgets.library import answer_library_request, fingerprint

from nbagents.notebook.kernel.main_thread import run_pending
from nbagents.notebook.kinds.renderers import (
    Renderer,
    RendererEvent,
    answer_ask,
    renderer,
    renderers,
    take_emit,
)
from nbagents.runs.state.run.run import Run

MODULE = "export function render({ el, value }) { el.append(value); }"


class Told:
    """A run as renderers see it: what the model will be told."""

    def __init__(self) -> None:
        self.notices: list[tuple[str, str | None]] = []

    def notice(self, text: str, key: str | None = None) -> None:
        self.notices.append((text, key))


class Wire:
    """A widget's comm."""

    def __init__(self) -> None:
        self.sent: list[tuple[Any, Any]] = []

    def send(self, content: Any, buffers: Any = None) -> None:
        self.sent.append((content, buffers))


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    for one in list(renderers.values()):
        one.remove()
    run_pending()


@pytest.fixture
def run() -> Run:
    return cast("Run", Told())


def notices(run: Run) -> list[tuple[str, str | None]]:
    return cast("Told", run).notices


def words(value: Any) -> str:
    return str(value)


def asked(name: str, known: list[str] | None = None) -> tuple[Any, Any]:
    wire = Wire()
    assert answer_library_request(wire, {"type": "library", "name": name, "known": known})
    return wire.sent[0]


def test_a_page_is_told_which_kinds_there_are_and_is_given_their_modules(run: Run) -> None:
    renderer("dice", esm=MODULE, static=words)
    renderer("board", esm=MODULE, static=words, stateful=True)
    renderer("plain", static=words)
    current = fingerprint(MODULE.encode())
    assert answer_ask(run, "renderers:", None) == {
        "dice": {"hash": current, "stateful": False},
        "board": {"hash": current, "stateful": True},
        "plain": {"hash": None, "stateful": False},
    }
    answer, buffers = asked("renderer:dice")
    assert answer == {"type": "library", "name": "renderer:dice", "hash": current}
    assert buffers == [MODULE.encode()]
    assert asked("renderer:dice", [current])[1] is None
    assert "error" in asked("renderer:plain")[0]


def test_the_same_kind_again_replaces_what_was_said(run: Run) -> None:
    old = renderer("dice", esm=MODULE, static=words)
    new = renderer("dice", esm=f"{MODULE}// new", static=words)
    old.remove()
    assert renderers == {"dice": new}
    assert asked("renderer:dice")[1] == [f"{MODULE}// new".encode()]
    new.remove()
    assert answer_ask(run, "renderers:", None) == {}
    assert "error" in asked("renderer:dice")[0]


def test_a_kind_that_loses_its_module_is_offered_no_longer() -> None:
    renderer("dice", esm=MODULE, static=words)
    renderer("dice", static=words)
    assert "error" in asked("renderer:dice")[0]


def test_a_module_in_a_file_is_read_again(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "dice.js"
    path.write_text(MODULE, encoding="utf-8")
    renderer("dice", esm=path, static=words)
    path.write_text(f"{MODULE}// changed", encoding="utf-8")
    current = fingerprint(f"{MODULE}// changed".encode())
    assert answer_ask(run, "renderers:", None)["dice"]["hash"] == current
    assert asked("renderer:dice")[0]["hash"] == current
    path.unlink()
    assert answer_ask(run, "renderers:", None)["dice"]["hash"] == "unreadable"
    assert "dice.js" in asked("renderer:dice")[0]["error"]


@pytest.mark.parametrize(
    ("kind", "esm", "said"),
    [
        ("table", MODULE, "draws the kind 'table' itself"),
        ("my dice", MODULE, "is no kind"),
        ("renderers:", MODULE, "is no kind"),
        ("", MODULE, "is no kind"),
        ("dice", "dice.js", r"For a file: Path\('dice.js'\)"),
        ("dice", "console.log(1)", "exports no function `render`"),
    ],
)
def test_a_misuse_is_said_at_once(kind: str, esm: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        renderer(kind, esm=esm, static=words)
    assert renderers == {}


def test_a_file_that_is_not_there_is_said_at_once() -> None:
    with pytest.raises(FileNotFoundError):
        renderer("dice", esm=Path("nowhere/dice.js"), static=words)


def test_a_handler_runs_on_the_main_thread_and_what_it_returns_is_for_the_model(run: Run) -> None:
    heard: list[tuple[RendererEvent, int]] = []

    def on_emit(event: RendererEvent) -> str:
        heard.append((event, threading.get_ident()))
        return f"The person rolled {event.value}."

    renderer("dice", esm=MODULE, static=words, on_emit=on_emit)
    thread = threading.Thread(target=take_emit, args=(run, "dice", 5))
    thread.start()
    thread.join(5)
    assert heard == []
    run_pending()
    assert heard == [(RendererEvent("dice", 5, run), threading.get_ident())]
    assert notices(run) == [("The person rolled 5.", "dice")]


def test_a_handler_that_returns_nothing_tells_the_model_nothing(run: Run) -> None:
    renderer("dice", esm=MODULE, static=words, on_emit=lambda _: None)
    take_emit(run, "dice", 5)
    take_emit(run, "unknown", 5)
    run_pending()
    assert notices(run) == []


def test_a_handler_that_raises_warns_and_the_next_one_runs(run: Run) -> None:
    def on_emit(event: RendererEvent) -> object:
        return 1 / event.value

    renderer("dice", esm=MODULE, static=words, on_emit=on_emit)
    take_emit(run, "dice", 0)
    take_emit(run, "dice", 1)
    with pytest.warns(RuntimeWarning, match="`on_emit` of the renderer 'dice' raised ZeroDivision"):
        run_pending()
    assert notices(run) == [("1.0", "dice")]


def test_a_question_is_answered_later_on_the_main_thread(run: Run) -> None:
    renderer("dice", esm=MODULE, static=words, on_ask=lambda event: {"twice": event.value * 2})
    answer: Future[Any] = answer_ask(run, "dice", 4)
    assert not answer.done()
    run_pending()
    assert answer.result() == {"twice": 8}


def test_a_question_that_nobody_answers_is_refused(run: Run) -> None:
    renderer("dice", esm=MODULE, static=words)
    for kind in ("dice", "unknown"):
        with pytest.raises(LookupError, match="answers no questions"):
            answer_ask(run, kind, None)


def test_a_page_is_given_a_static_form_where_it_has_no_module(run: Run) -> None:
    renderer("dice", static=lambda value: f"{value} eyes")
    answer: Future[Any] = answer_ask(run, "renderers:static", {"kind": "dice", "value": 3})
    run_pending()
    assert answer.result()["text/plain"] == "display: 3 eyes"
    with pytest.raises(LookupError):
        answer_ask(run, "renderers:static", {"kind": "unknown"})


def test_a_table_asks_for_more_of_its_rows(run: Run) -> None:
    with pytest.raises(LookupError):
        answer_ask(run, "table", {"source": "gone", "offset": 0, "limit": 10})


def test_a_map_that_nobody_drew_tells_nobody(run: Run) -> None:
    take_emit(run, "map", {"map_id": "gone", "zoom": 3})
    run_pending()
    assert notices(run) == []


def test_a_renderer_is_a_value() -> None:
    made = renderer("dice", static=words)
    assert made == Renderer(kind="dice", static=words)
    assert repr(made) == "Renderer('dice')"
