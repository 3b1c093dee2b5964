"""The matplotlib figures that a tool makes are its call's, and are not shown again in the cell."""

from __future__ import annotations

import importlib
import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.kernel.figures import capture_figures
from nbagents.tools.context.capture import capturing
from tests.unit.notebook.conftest import Notebook
from tests.unit.notebook.test_captured import SHOUT, in_cell, made, payloads

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


@pytest.mark.medium
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


@pytest.mark.medium
@pytest.mark.parametrize("head", ["@tool\ndef", "@tool\nasync def", "@tool(thread=True)\ndef"])
def test_the_figures_of_a_tool_that_fails_are_shown_all_the_same(
    drawing: Notebook, head: str
) -> None:
    source = f"{PLOT}{head} plot() -> str:\n    plt.plot([1, 2])\n    raise ValueError('no')\n"
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


@pytest.mark.medium
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


@pytest.mark.medium
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


LATE = """import threading
goes_on, has_ended = threading.Event(), threading.Event()
@tool(thread=True, timeout_s=0.05)
def plot() -> str:
    HEAD
    goes_on.wait(20)
    import matplotlib.pyplot as plt
    plt.title("the tool's")
    plt.plot([3, 2, 1])
    plt.figure()
    plt.plot([1, 2])
    has_ended.set()
    return "late"
"""
FINISH = "goes_on.set()\nassert has_ended.wait(20)\n"
MINE = (
    "import matplotlib.pyplot as plt\nfigure = plt.figure()\nplt.plot([1, 2])\nplt.title('mine')\n"
)


@pytest.mark.medium
@pytest.mark.parametrize("head", ["import matplotlib.pyplot as plt; plt.plot([1])", "pass"])
@pytest.mark.parametrize("mode", ["static", "none"])
def test_what_a_call_draws_when_it_is_over_is_shown_nowhere(
    drawing: Notebook, head: str, mode: str
) -> None:
    drawing.run(f"%config NbAgents.display = '{mode}'")
    run = made(drawing, LATE.replace("HEAD", head), call("plot"))
    assert run.calls[0].failure.kind == "timeout"
    before = len(run.events)
    cell = drawing.run(f"{MINE}{FINISH}(figure.axes[0].get_title(), len(figure.axes[0].lines))")
    assert cell.error is None, cell.stdout
    assert cell.value == ("mine", 1)
    later = drawing.run("goes_on.is_set()")
    assert [str(one.bundles).count("image/png") for one in (cell, later)] == [1, 0]
    assert open_figures(drawing) == []
    assert len(run.events) == before


def test_what_a_call_draws_after_its_time_while_the_run_goes_on_is_shown_nowhere(
    drawing: Notebook,
) -> None:
    source = (
        f"{LATE.replace('HEAD', 'pass')}@tool\ndef finish() -> str:\n"
        "    goes_on.set()\n    return str(has_ended.wait(20))\n"
    )
    drawing.shell.user_ns["model"] = ScriptedModel([call("plot"), call("finish"), "done"])
    assert drawing.run(f"{SHOUT}{source}").error is None
    cell = drawing.run("run = Agent(model=model, tools=['plot', 'finish']).run('go')")
    assert cell.error is None, cell.stdout
    run = drawing["run"]
    assert [one.content for one in run.calls][1] == "True"
    assert pictures(run, 0) == pictures(run, 1) == []
    assert open_figures(drawing) == []


class Sink:
    """A call, as far as figures know one."""

    echoes = False
    is_over = False

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


@pytest.mark.usefixtures("other_matplotlib")
def test_a_tool_that_is_the_first_to_import_matplotlib_has_a_pyplot_of_its_own() -> None:
    finders = list(sys.meta_path)
    sink: Any = Sink()
    capture_figures()
    capture_figures()
    assert len(sys.meta_path) == len(finders) + 1
    with capturing(sink):
        helpers: Any = importlib.import_module(HELPERS)
        helpers.Gcf.figs[1] = "mine"
        with capturing(None):
            assert helpers.Gcf.figs == {}
        assert helpers.Gcf.figs == {1: "mine"}
    assert len(sink.callbacks) == 1
    assert type(helpers.__loader__).__name__ == "SourceFileLoader"
    assert sys.meta_path == finders


@pytest.mark.usefixtures("other_matplotlib")
def test_windows_stay_where_the_person_sees_them() -> None:
    helpers: Any = importlib.import_module(HELPERS)
    settings: dict[str, object] = sys.modules["matplotlib"].rcParams
    sink: Any = Sink()
    capture_figures()
    with capturing(sink):
        for backend in ("tkagg", "module://ipympl.backend_nbagg", object()):
            settings["backend"] = backend
            assert helpers.Gcf.figs is helpers.Gcf.figs
            helpers.Gcf.figs[1] = "a window"
    assert helpers.Gcf.figs == {1: "a window"}
    assert sink.callbacks == []


@pytest.mark.usefixtures("other_matplotlib")
def test_outside_of_calls_pyplot_keeps_its_figures_where_they_were() -> None:
    helpers: Any = importlib.import_module(HELPERS)
    before = helpers.Gcf.figs
    capture_figures()
    capture_figures()
    assert type(before) is OrderedDict
    assert helpers.Gcf.figs is before
