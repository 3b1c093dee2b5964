"""`%agent --fork RUN --at CALL`: going back on a line, and what is shown of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from nbagents.runs.state.session import Session, current_session, open_log, use_session
from tests.unit.notebook.conftest import Notebook
from tests.unit.runs.kept_runs import saved_in_notebook

if TYPE_CHECKING:
    from pathlib import Path

ADDER = """
import nbagents
from nbagents.models.scripted import call
done = []
def add(a: int, b: int) -> int:
    'Add.'
    done.append((a, b))
    return a + b
def saying(*steps):
    return nbagents.ScriptedModel(steps)
adder = nbagents.Agent(
    'adder', tools=[add], model=saying(call('add', a=1, b=1), call('add', a=2, b=2), 'four')
)
then = saying('as if')
"""


@pytest.fixture
def added(notebook: Notebook) -> Notebook:
    """A notebook with a run of two calls, `run`."""
    use_session(Session(open_log("memory")))
    assert notebook.run(ADDER).error is None
    cell = notebook.run("run = %agent -a adder -d text Add.")
    assert cell.error is None, cell.stdout
    notebook["done"].clear()
    notebook.run("from dataclasses import replace; going = replace(adder, model=then)")
    return notebook


def forked(notebook: Notebook, line: str) -> str:
    cell = notebook.run(f"%agent --fork {line}")
    assert cell.error is None, cell.stdout
    return "".join(cell.texts)


def test_a_call_of_a_run_is_given_another_result(added: Notebook) -> None:
    said = forked(added, "run -a going --at 1 --result 7 -o branch")
    branch = added["branch"]
    assert (branch.text, added["done"]) == ("as if", [])
    assert [one.content for one in branch.calls] == ["7"]
    assert "forked at call 1 (add): other result" in said


def test_arguments_are_json_and_the_rest_of_the_line_is_said(added: Notebook) -> None:
    forked(added, """run -a going --at 2 --arguments '{"a": 5, "b": 5}' -o branch""")
    assert added["done"] == [(5, 5)]
    added.run("going = replace(adder, model=saying('again'))")
    forked(added, "run -a going -o later --step 2 That will do.")
    assert added["later"].messages[-2].text == "That will do."
    assert [one.content for one in added["later"].calls] == ["2"]


def test_a_run_is_found_by_its_id_and_by_the_beginning_of_one(added: Notebook) -> None:
    forked(added, f"{added['run'].id[:14]} -a going --at 1 --result sold -o branch")
    assert added["branch"].forked_from.run_id == added["run"].id


def test_a_run_of_another_kernel_is_forked_of_the_log(added: Notebook) -> None:
    before = added["run"]
    use_session(Session(current_session().log))
    forked(added, f"{before.id} -a going --at 1 --result sold -o branch")
    assert added["branch"].forked_from.run_id == before.id
    assert added["branch"].calls[0].content == "sold"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("run -a going --at 9", "calls from 1 to 2: there is no call 9"),
        ("run -a going --at 1 --result 1 --arguments '{}'", "exclude one another"),
        ("run -a going --at 1 --arguments '{'", "--arguments is no JSON"),
        ("run -a going --at 1 --arguments '{\"a\": 1}'", "So takes 'add' as it is now"),
        ("run -a going --step now", "--step wants a number with --fork"),
        ("run -a going --result 1", "result= is of a call"),
        ("run --background --at 1", "--background cannot go with --fork"),
        ("done --at 1", "--fork wants a run"),
        ("run-none -a going --at 1", "There is no run 'run-none'"),
    ],
)
def test_what_does_not_fit_is_said_in_a_line(added: Notebook, line: str, said: str) -> None:
    cell = added.run(f"%agent --fork {line}")
    assert cell.error is not None
    assert said in str(cell.error)
    assert added["done"] == []


@pytest.mark.parametrize("who", ["", "-a going"])
def test_a_saved_card_is_no_run_to_go_back_in_unless_the_log_has_it(
    added: Notebook, tmp_path: Path, who: str
) -> None:
    shown = saved_in_notebook(tmp_path / "shown.ipynb", added["run"])
    added.run(f"shown = nbagents.Run.load({str(shown)!r})")
    log = current_session().log
    use_session(Session(open_log("memory")))
    cell = added.run(f"%agent --fork shown {who} --at 2 --result sold")
    assert cell.error is not None
    assert "loaded from what a notebook shows of it" in str(cell.error)
    assert "run.save(PATH)" in str(cell.error)
    use_session(Session(log))
    forked(added, "shown -a going --at 2 --result sold -o branch")
    assert [one.content for one in added["branch"].calls] == ["2", "sold"]


def test_what_says_something_of_a_branch_stands_with_fork(added: Notebook) -> None:
    assert "--at goes with --fork" in str(added.run("%agent --at 2 Hello").error)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("run --at 1 --result sold -o b", "b = run.fork(at=1, result='sold')"),
        ("run -a going --step 2 Enough.", 'run.fork(agent=going, step=2, message="Enough.")'),
        ("run --at 1 --result @done -m offline", "run.fork(model='offline', at=1, result=done)"),
    ],
)
def test_its_python_is_shown(added: Notebook, line: str, written: str) -> None:
    cell = added.run(f"%agent --show-python --fork {line}")
    assert cell.error is None, cell.stdout
    assert ast.dump(ast.parse(cell.stdout)) == ast.dump(ast.parse(written))


def test_two_runs_are_compared_in_a_cell(added: Notebook) -> None:
    forked(added, "run -a going --at 1 --result 7 -o branch")
    cell = added.run("nbagents.compare(run, branch)")
    assert cell.error is None, cell.stdout
    said = str(cell.value)
    assert "≠ add(a=1, b=1) → 2 ≠ 7" in said
    assert "- add(a=2, b=2) → 4" in said
    assert "-four\n+as if" in said
    shown = added.run("display(nbagents.compare(run, branch))").bundles[0]
    assert "add(a=2, b=2)" in shown["text/html"]
    assert shown["text/plain"] == said
