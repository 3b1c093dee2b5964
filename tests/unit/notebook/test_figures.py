"""The matplotlib figures that a tool makes are its call's, and are not shown again in the cell."""

from __future__ import annotations

import importlib
import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.models.scripted import call
from nbagents.notebook.figures import figures_captured
from nbagents.tools.capture import capturing
from tests.unit.notebook.conftest import Notebook
from tests.unit.notebook.test_captured import in_cell, made, payloads

if TYPE_CHECKING:
    from pathlib import Path

PLOT = "import matplotlib.pyplot as plt\nfrom nbagents import Result\n"
HELPERS = "matplotlib._pylab_helpers"


@pytest.fixture
def drawing(notebook: Notebook) -> Notebook:
    """A notebook that shows figures below its cells, as `%matplotlib inline` sets a kernel up."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    source = (
        "import matplotlib\nfrom IPython.core.pylabtools import select_figure_formats\n"
        "matplotlib.use('module://matplotlib_inline.backend_inline')\n"
        "import matplotlib.pyplot as plt\nplt.ion()\nplt.close('all')\n"
        "from matplotlib_inline.backend_inline import flush_figures\n"
        "select_figure_formats(get_ipython(), {'png'})\n"
        "get_ipython().events.register('post_execute', flush_figures)\n"
    )
    assert notebook.run(source).error is None
    return notebook


def pictures(run: Any, index: int = 0) -> list[str]:
    """The images of a call, in base64."""
    return [value["data"] for kind, value in payloads(run, index) if kind == "image"]


def open_figures(notebook: Notebook) -> list[int]:
    return notebook.run("import matplotlib.pyplot as plt\nplt.get_fignums()").value


def test_a_figure_goes_to_its_call_and_is_not_shown_again(drawing: Notebook) -> None:
    source = f"{PLOT}@tool\ndef plot() -> str:\n    plt.plot([1, 2])\n    return 'drawn'\n"
    run = made(drawing, source, call("plot"))
    assert len(pictures(run)) == 1
    assert "image/png" not in in_cell(drawing)
    assert open_figures(drawing) == []


def test_a_figure_that_is_shown_is_there_once(drawing: Notebook) -> None:
    source = (
        f"{PLOT}@tool\ndef plot() -> str:\n    plt.plot([1, 2])\n    plt.show()\n"
        "    return str(plt.get_fignums())\n"
    )
    run = made(drawing, source, call("plot"))
    assert len(pictures(run)) == 1
    assert run.calls[0].content == "[]"


def test_a_figure_that_is_closed_is_not_shown(drawing: Notebook) -> None:
    source = (
        f"{PLOT}@tool\ndef plot() -> str:\n    plt.plot([1, 2])\n    plt.close()\n    return 'ok'\n"
    )
    assert payloads(made(drawing, source, call("plot"))) == []


@pytest.mark.parametrize(
    "returned", ["figure", "axes", "Result('ok', data=figure)", "[figure]", "{'plot': figure}"]
)
def test_a_figure_that_is_returned_is_the_picture_of_the_result_alone(
    drawing: Notebook, returned: str
) -> None:
    source = (
        f"{PLOT}@tool\ndef plot():\n    figure, axes = plt.subplots()\n    axes.plot([1, 2])\n"
        f"    return {returned}\n"
    )
    run = made(drawing, source, call("plot"))
    assert len(pictures(run)) == 1
    assert open_figures(drawing) == []


def test_an_empty_figure_is_no_picture(drawing: Notebook) -> None:
    source = f"{PLOT}@tool\ndef plot() -> str:\n    plt.figure()\n    return 'ok'\n"
    assert payloads(made(drawing, source, call("plot"))) == []


def test_the_figures_of_a_tool_that_fails_are_shown_all_the_same(drawing: Notebook) -> None:
    source = f"{PLOT}@tool\ndef plot() -> str:\n    plt.plot([1, 2])\n    raise ValueError('no')\n"
    run = made(drawing, source, call("plot"))
    assert run.calls[0].status == "failed"
    assert len(pictures(run)) == 1


def test_the_figures_of_the_cell_stay_in_the_cell(drawing: Notebook) -> None:
    source = (
        f"{PLOT}@tool\ndef plot() -> str:\n    plt.plot([1, 2])\n    plt.close('all')\n"
        "    return str(plt.gcf().number)\nplt.plot([3, 4])\n"
    )
    run = made(drawing, source, call("plot"))
    assert payloads(run) == []
    assert run.calls[0].content == "1"
    assert in_cell(drawing).count("image/png") == 1


def test_a_figure_that_cannot_be_drawn_is_no_failure_of_the_call(drawing: Notebook) -> None:
    source = f"{PLOT}@tool\ndef plot() -> str:\n    plt.title('$\\\\nonsense$')\n    return 'ok'\n"
    run = made(drawing, source, call("plot"))
    assert run.calls[0].content == "ok"
    assert "cannot be drawn: ValueError" in str(payloads(run))


def test_where_nobody_shows_the_run_figures_are_in_the_cell_too(drawing: Notebook) -> None:
    drawing.run("%config NbAgents.display = 'none'")
    source = (
        f"{PLOT}@tool\ndef plot() -> str:\n    plt.plot([1, 2])\n    print('printed')\n"
        "    display(HTML('<b>shown</b>'))\n    return 'ok'\n"
    )
    run = made(drawing, source, call("plot"), call("plot"))
    assert [len(pictures(run, index)) for index in (0, 1)] == [1, 1]
    seen = in_cell(drawing)
    assert [seen.count(one) for one in ("image/png", "printed", "<b>shown</b>")] == [2, 2, 2]
    assert open_figures(drawing) == []


@pytest.mark.parametrize("head", ["@tool(thread=True)\ndef", "@tool\nasync def"])
def test_parallel_calls_do_not_mix_figures(drawing: Notebook, head: str) -> None:
    wait = "barrier.wait(20)" if "thread" in head else "await asyncio.sleep(0)"
    source = (
        f"{PLOT}import asyncio, threading\nbarrier = threading.Barrier(3)\n"
        f"{head} plot(count: int) -> str:\n"
        f"    plt.figure()\n    {wait}\n"
        f"    for number in range(count):\n        plt.plot([1, number])\n"
        f"    {wait}\n    return str(len(plt.gca().lines))\n"
    )
    run = made(drawing, source, *(call("plot", count=count) for count in (1, 2, 3)))
    assert [one.content for one in run.calls] == ["1", "2", "3"]
    drawn = [pictures(run, index) for index in range(3)]
    assert [len(one) for one in drawn] == [1, 1, 1]
    assert len({one[0] for one in drawn}) == 3
    assert "image/png" not in in_cell(drawing)


class Sink:
    """A call, as far as figures know one."""

    def __init__(self) -> None:
        self.callbacks: list[Any] = []

    def on_close(self, callback: Any) -> None:
        self.callbacks.append(callback)


@pytest.fixture
def other_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A matplotlib that nobody has imported yet, with as much of pyplot as is looked at."""
    for name in [one for one in sys.modules if one.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    package = tmp_path / "matplotlib"
    package.mkdir()
    (package / "__init__.py").write_text("rcParams = {'backend': 'agg'}\n")
    (package / "_pylab_helpers.py").write_text(
        "from collections import OrderedDict\nclass Gcf:\n    figs = OrderedDict()\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    importlib.invalidate_caches()


def figures_of(helpers: Any) -> object:
    """What pyplot keeps its figures in, past anything that stands there for it."""
    return helpers.Gcf.__dict__["figs"]


@pytest.mark.usefixtures("other_matplotlib")
def test_a_tool_that_is_the_first_to_import_matplotlib_has_a_pyplot_of_its_own() -> None:
    finders = list(sys.meta_path)
    sink: Any = Sink()
    with figures_captured(), capturing(sink):
        helpers: Any = importlib.import_module(HELPERS)
        helpers.Gcf.figs[1] = "mine"
        with capturing(None):
            assert helpers.Gcf.figs == {}
        assert helpers.Gcf.figs == {1: "mine"}
    assert len(sink.callbacks) == 1
    assert type(figures_of(helpers)) is OrderedDict
    assert type(helpers.__loader__).__name__ == "SourceFileLoader"
    assert sys.meta_path == finders


@pytest.mark.usefixtures("other_matplotlib")
def test_windows_stay_where_the_person_sees_them() -> None:
    helpers: Any = importlib.import_module(HELPERS)
    settings: dict[str, object] = sys.modules["matplotlib"].rcParams
    sink: Any = Sink()
    with figures_captured(), capturing(sink):
        for backend in ("tkagg", "module://ipympl.backend_nbagg", object()):
            settings["backend"] = backend
            assert helpers.Gcf.figs is helpers.Gcf.figs
            helpers.Gcf.figs[1] = "a window"
    assert helpers.Gcf.figs == {1: "a window"}
    assert sink.callbacks == []


@pytest.mark.usefixtures("other_matplotlib")
def test_pyplot_is_given_back_when_the_last_run_ends() -> None:
    helpers: Any = importlib.import_module(HELPERS)
    before = figures_of(helpers)
    first, second = figures_captured(), figures_captured()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert figures_of(helpers) is not before
    second.__exit__(None, None, None)
    assert figures_of(helpers) is before
