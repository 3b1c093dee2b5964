"""No text of a model's or a tool's does anything in JupyterLab: while the run goes on, when it has
ended, as HTML in a trusted and an untrusted notebook, and in the extension's view."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import HEIGHT_PX, SHOTS, WIDTH_PX
from tests.browser.hostile_notebook import CALLS, saved_run, write_outputs
from tests.browser.lab_page import NOTEBOOK, LabPage
from tests.browser.test_safety import TEXTS
from tests.browser.watch import Watch
from tests.xss import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.conftest import Write

ROOT = Path(__file__).parents[2]
SLOW = pytest.mark.slow
SOME = 8
TRUST = f"for (const cell of {NOTEBOOK}.content.model.cells) cell.trusted = true"
OPEN = """async () => {
  let opened = 0;
  for (const one of document.querySelectorAll(".jp-OutputArea-output"))
    opened += await judge.openAll(one);
  return opened;
}"""
LOOK = """() => [...document.querySelectorAll(".jp-OutputArea-output")].flatMap((one) => {
  judge.touch(one);
  return judge.faults(one);
})"""

TOOLS = f"""
%load_ext nbagents
import sys, asyncio, pathlib
sys.path.insert(0, {str(ROOT)!r})
import nbagents as nba
from nbagents.models.scripted import call
from nbagents.results import Payload
from tests.browser.test_safety import TEXTS as ALL
from tests.hostile_payloads import few_payloads
TEXTS = ALL[::STEP]

def give(text: str) -> nba.Result:
    "Gives a text in every form that a tool can."
    print(text)
    print(text, file=sys.stderr)
    shown = [Payload(kind=one["kind"], value=one["value"]) for one in few_payloads(text)]
    return nba.Result(content=text, preview=text, data=shown)

def fail(text: str) -> None:
    "Fails with a text."
    raise nba.ToolError(text)

def crash(text: str) -> None:
    "Raises with a text."
    raise ValueError(text)

async def wait() -> str:
    "Waits until somebody has looked."
    while not pathlib.Path("looked").exists():
        await asyncio.sleep(0.05)
    return "looked"
"""
RUN = """
calls = [
    *(call("give", text=text) for text in TEXTS),
    *(call("fail", text=text) for text in TEXTS[::5]),
    *(call("crash", text=text) for text in TEXTS[::5]),
    *(call(text, **{"text": text}) for text in TEXTS if text),
]
said = "\\n\\n".join(TEXTS)
first = nba.ModelTurn(text=said, calls=tuple(calls))
model = nba.ScriptedModel([first, nba.ModelTurn(text=said, calls=(call("wait"),)), said])
guide = nba.Agent(TEXTS[2], tools=[give, fail, crash, wait], model=model)
run = guide.run(said)
"""


@pytest.fixture(scope="module")
def watch(browser: Browser, lab_of_all: str) -> Iterator[Watch]:
    """A context that may talk to JupyterLab, and to nobody else, with one page."""
    context = browser.new_context(viewport={"width": WIDTH_PX, "height": HEIGHT_PX})
    own = (lab_of_all, lab_of_all.replace("http", "ws"), "data:", "blob:")
    watch = Watch(context=context, own=lambda url: url.startswith(own), hears_errors=False)
    context.new_page()
    yield watch
    watch.close()


@pytest.fixture
def tab(watch: Watch, lab: str, folder: Path) -> Iterator[LabPage]:
    """The page that is watched; no notebook is open in it."""
    tab = LabPage(watch.context.pages[0], lab, SHOTS, folder.name)
    tab.load()
    yield tab
    tab.clear()


@pytest.fixture(params=[pytest.param(SOME, id="some"), pytest.param(1, id="all", marks=SLOW)])
def step(request: pytest.FixtureRequest) -> int:
    """Of so many texts one is shown, some of each class; all are in `test_safety.py`, too."""
    return request.param


def test_some_texts_are_of_every_class() -> None:
    each = [name for name, vectors in CLASSES.items() for _ in vectors]
    assert set(each[::SOME]) == set(CLASSES)


def test_a_live_run_in_jupyterlab_runs_nothing(
    write_notebook: Write, watch: Watch, tab: LabPage, folder: Path, step: int
) -> None:
    write_notebook("live.ipynb", [TOOLS.strip().replace("STEP", str(step)), RUN.strip()])
    tab.open("live.ipynb")
    tab.run_to_end(0)
    assert tab.errors(0) == []
    tab.run_cell(1)
    tab.page.wait_for_selector(".nba-row:has-text('wait')")
    assert opened(tab) > len(TEXTS[::step])
    assert looked_at(tab, watch) == []
    (folder / "looked").touch()
    tab.wait_for_end(1)
    assert tab.errors(1) == []
    tab.wait_for_saved(1)
    assert opened(tab) > 0
    assert looked_at(tab, watch) == []


def test_a_saved_run_in_jupyterlab_runs_nothing_trusted_or_not(
    watch: Watch, tab: LabPage, folder: Path, step: int
) -> None:
    texts = TEXTS[::step]
    saved = [saved_run(texts[first : first + CALLS]) for first in range(0, len(texts), CALLS)]
    write_outputs(folder / "tree.ipynb", saved[:: max(1, len(saved) // 3)])  # all: `test_safety.py`
    write_outputs(folder / "html.ipynb", [{"text/html": one["text/html"]} for one in saved])
    tab.open_here_without_kernel("html.ipynb")
    walk(tab, watch)
    tab.page.evaluate(TRUST)
    walk(tab, watch)
    assert tab.clear()
    tab.open_here_without_kernel("tree.ipynb")
    walk(tab, watch, holds=".nba-card")


def walk(tab: LabPage, watch: Watch, holds: str = ".nba-frozen") -> None:
    """Look at one cell after the other, with all that it holds opened."""
    for index in range(len(tab.execution_counts())):
        tab.show(index)
        tab.page.wait_for_selector(f".jp-Cell[data-windowed-list-index='{index}'] {holds}")
        assert opened(tab) >= 0
        assert looked_at(tab, watch) == []


def opened(tab: LabPage) -> int:
    """Open what is on the page, as far as it is ours."""
    return tab.page.evaluate(OPEN)


def looked_at(tab: LabPage, watch: Watch) -> list[str]:
    """What is wrong with the outputs on the page."""
    faults: list[str] = tab.page.evaluate(LOOK)
    tab.page.wait_for_timeout(200)  # for what begins late
    return [*faults, *watch.did()]
