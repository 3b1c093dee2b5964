"""The calls of a run as cells, which give again what the calls gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.copies import answer_about
from nbagents.notebook.copies.cells import Cells

if TYPE_CHECKING:
    from tests.unit.notebook.conftest import Notebook

TOOLS = """%%tool --toolset places
import datetime
from enum import Enum

class Mode(Enum):
    FAST = "fast"

class Table:
    def __init__(self, rows): self.rows = rows
    def __repr__(self): return f"<{self.rows} rows>"

def find(city: str, when: datetime.date, mode: Mode = Mode.FAST) -> str:
    "Find."
    return f"{city} {when:%d.%m.} {mode.name}"

def load(*rows: int) -> Table:
    "Load."
    return Table(len(rows))

def count(table: Table) -> int:
    "Count."
    return table.rows

async def later(text: str, /) -> str:
    "Wait."
    return text.upper()

def breaks() -> str:
    "Break."
    raise ValueError("no")
"""
ASK = """import nbagents as nba
from nbagents.models.scripted import call
run = nba.Agent(tools=["places"], model=nba.ScriptedModel([
    [call("places--find", city="Oslo", when="2026-01-02"), call("places--load", rows=[1, 2, 3])],
    [call("places--count", table="r2"), call("places--breaks")],
    [call("places--later", text="done")],
    "Done."])).run("Go", log="memory")
"""


def test_the_cells_give_what_the_calls_gave(notebook: Notebook) -> None:
    assert notebook.run(TOOLS).error is None
    assert notebook.run(ASK).error is None
    head, *cells = notebook.run("run.to_cells()").value or notebook["run"].to_cells()
    assert head.startswith(f"# The calls of {notebook['run'].id} (Go), in order.")
    assert "is not defined here" not in head
    assert notebook.run(head).error is None
    found = [notebook.run(cell) for cell in cells]
    assert [one.error for one in found] == [None] * 5
    assert found[0].value == "Oslo 02.01. FAST"
    assert [repr(found[1].value), found[2].value, found[4].value] == ["<3 rows>", 3, "DONE"]
    assert cells[0].endswith('\nfind(city="Oslo", when=datetime.date.fromisoformat("2026-01-02"))')
    assert cells[1].endswith("\nr2 = load(1, 2, 3)\nr2")
    assert cells[2].endswith("\ncount(table=r2)")
    assert cells[3].startswith("# Call 4 is not made again, failed")
    assert cells[3].endswith("\n# breaks()")
    assert cells[4].endswith('\nawait later("done")')


def test_what_is_not_here_is_said_with_its_source(notebook: Notebook) -> None:
    notebook.run(TOOLS)
    notebook.run(ASK)
    notebook.run("del find, later")
    head = notebook["run"].to_cells()[0]
    assert "# find is not defined here: run the cell that defines it first." in head
    assert "#     def find(city: str, when: datetime.date, mode: Mode = Mode.FAST) -> str:" in head
    assert "# count is" not in head


def test_the_calls_of_runs_inside_stand_below(notebook: Notebook) -> None:
    def fetch(page: str) -> str:
        "Fetch."
        return page

    inner = ScriptedModel([call("fetch", page="a"), "Found."])
    child = nba.Agent("child", tools=[fetch], model=inner)
    model = ScriptedModel([call("ask_child", input="Look"), call("fetch", page="b"), "Done."])
    agent = nba.Agent(tools=[child.as_tool("ask_child", "Ask."), fetch], model=model)
    head, *cells = agent.run("Go", log="memory").to_cells()
    assert head.count("fetch is not defined here") == 1
    assert cells == [
        "# Call 1 asked the agent child, its calls follow. It gave: Found.",
        '# Call 1.1 gave: a\nfetch(page="a")',
        '# Call 2 gave: b\nfetch(page="b")',
    ]
    del notebook


def test_a_tool_that_wants_a_context_is_called_by_the_magic(notebook: Notebook) -> None:
    notebook.run("import nbagents as nba\n@nba.tool\ndef look(ctx: nba.Context, at: str) -> str:\n"
                 "    'Look.'\n    return at + '!'\n")  # fmt: skip
    notebook.run(
        "from nbagents.models.scripted import call\n"
        "model = nba.ScriptedModel([call('look', at='a b'), 'ok'])\n"
        "run = nba.Agent(tools=['look'], model=model).run('Go', log='memory')"
    )
    cell = notebook["run"].to_cells()[1]
    assert cell == '# Call 1 gave: a b!\n%tool look {"at": "a b"}'
    assert notebook.run(cell).error is None


def test_a_run_without_calls_says_so() -> None:
    run = nba.Agent(model=ScriptedModel(["Hi."])).run("Greet", log="memory")
    assert run.to_cells() == [f"# The calls of {run.id} (Greet), there are none."]


def test_cells_show_themselves_as_code_and_go_below(notebook: Notebook) -> None:
    cells = Cells(["a = '```'", "b"])
    shown: Any = cells
    assert shown._repr_markdown_() == "````python\na = '```'\n````\n\n````python\nb\n````"
    assert str(cells) == "# %%\na = '```'\n\n# %%\nb"
    notebook.shell.user_ns["cells"] = cells
    asked: list[tuple[str, bool]] = []

    def set_next_input(text: str, replace: bool) -> None:  # noqa: FBT001  as IPython calls it
        asked.append((text, replace))

    notebook.shell.set_next_input = set_next_input
    assert notebook.run("cells.put_below()").error is None
    assert asked == [("a = '```'\n\nb", False)]


def test_without_a_notebook_they_are_not_put_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nbagents.notebook.copies.cells.get_ipython", lambda: None)
    with pytest.raises(RuntimeError, match=r"print\(cells\)"):
        Cells(["a"]).put_below()


def test_a_page_asks_for_them() -> None:
    run = nba.Agent(model=ScriptedModel(["Hi."])).run("Greet", log="memory")
    assert answer_about(run, "run:cells", {}) == run.to_cells()


def test_a_call_whose_result_was_given_is_not_made_by_its_cell(notebook: Notebook) -> None:
    """Whether in a branch or in step mode: it was not made, so its cell is a comment."""
    model = ScriptedModel([call("wipe", disk="a"), "Done.", "None."], repeat=True)
    made: list[str] = []

    def wipe(disk: str) -> str:
        "Wipe."
        made.append(disk)
        return "wiped"

    agent = nba.Agent(tools=[wipe], model=model)
    run = agent.run("Wipe", log="memory")
    branch = run.fork(at=1, result="none left")
    model.steps[:] = [call("wipe", disk="a"), "Done."]
    stepped = agent.run(
        "Wipe",
        step=lambda pause: None if pause.is_request else nba.Edit(result="none left"),
        log="memory",
    )
    for one in (branch, stepped):
        assert one.to_cells()[1] == (
            '# Call 1 was not made, its result was given: none left\n# wipe(disk="a")'
        )
    assert made == ["a"]
