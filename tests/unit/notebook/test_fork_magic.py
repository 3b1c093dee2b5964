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
        ("run -a going --result 1", "result= is of a call"),
        ("run -a going --at 1 --step 2", "and not both"),
        ("done --at 1", "--fork wants a run"),
        ("run_of_mine --at 1", "There is no run 'run_of_mine'"),
        ("run-none -a going --at 1", "There is no run 'run-none'"),
    ],
)
def test_what_does_not_fit_is_said_in_a_line(added: Notebook, line: str, said: str) -> None:
    cell = added.run(f"%agent --fork {line}")
    assert cell.error is not None
    assert said in str(cell.error)
    assert added["done"] == []


def test_a_variable_that_is_not_there_is_named_and_not_taken_for_many_ids(added: Notebook) -> None:
    added.run("run.fork(at=1, agent=going, result='1'); del run")
    cell = added.run("%agent --fork run --at 1 --result 1")
    assert "there is no variable 'run', and several runs' ids begin so" in str(cell.error)


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


def test_a_branch_is_stepped_through(added: Notebook) -> None:
    added.run("seen = []; going = replace(adder, model=saying('stepped'))")
    for line in ("--at 1 --result 7 --step", "--step --at 1 --result 7", "--step 2 --step"):
        cell = added.run(
            f"%agent --show-python --fork run -a going {line}",
        )
        assert "stepping=True" in cell.stdout
    said = forked(added, "run -a going --at 1 --result 7 --step --on-await suspend -o waiting")
    assert added["waiting"].status == "suspended"
    assert [one["kind"] for one in added["waiting"].node["awaits"]] == ["step"]
    assert added["done"] == []
    assert "step" in said


def test_a_function_steps_through_a_branch_from_its_place_on(added: Notebook) -> None:
    added.run("seen = []; going = replace(adder, model=saying('stepped'))")
    code = "going.fork(run, at=2, arguments={'a': 5, 'b': 5}, stepping=seen.append, log='memory')"
    assert added.run(f"branch = run.fork(agent=going, {code.partition('run, ')[2]}").error is None
    assert [one.kind for one in added["seen"]] == ["calls", "request"]
    assert added["done"] == [(5, 5)]


def test_a_branch_goes_on_in_the_background(added: Notebook) -> None:
    forked(added, "run -a going -b --at 1 --result 7 -o branch")
    added.run("branch.wait()")
    assert (added["branch"].text, added["branch"].forked_from.call_number) == ("as if", 1)


DRY: list[tuple[str, list[str], list[str]]] = [
    ("--at 2 --result sold", ["add(a=1, b=1) → 2", "add(a=2, b=2) → sold (given now)"], []),
    ("""--at 2 --arguments '{"a": 5, "b": 5}'""", ["add(a=1, b=1) → 2"], ["add(a=5, b=5)"]),
    ("--step 2 Enough.", ["add(a=1, b=1) → 2"], []),
    ("--step 1", [], []),
    ("--at 2 --result 4 --again 1", ["add(a=2, b=2) → 4 (given now)"], ["add(a=1, b=1)"]),
]


@pytest.mark.parametrize(("line", "kept", "called"), DRY)
def test_a_dry_run_says_what_the_branch_then_keeps_calls_and_asks(
    added: Notebook, line: str, kept: list[str], called: list[str]
) -> None:
    added.run("asked = lambda request: 'so be it'; going = replace(adder, model=saying(asked))")
    before = len(current_session().runs)
    cell = added.run(f"dry = %agent --fork run -a going --dry-run {line}")
    assert cell.error is None, cell.stdout
    dry = added["dry"]
    assert (list(dry.kept), list(dry.calls), added["done"]) == (kept, called, [])
    assert len(current_session().runs) == before
    assert (dry.request is None) == bool(called)
    forked(added, f"run -a going -o branch {line}")
    branch = added["branch"]
    kept_ones = [one for one in branch.node["calls"].values() if one.get("kept")]
    given_now = [one for one in kept if one.endswith("(given now)")]
    assert len(kept_ones) == len(kept) - len(given_now)
    assert len(added["done"]) == len(called)
    assert dry.forked_from == branch.forked_from
    if dry.request:
        assert [one.text for one in dry.request.messages if one.role == "user"] == [
            one.text for one in branch.messages if one.role == "user"
        ]


def test_a_dry_run_of_a_branch_is_shown_and_needs_no_key(added: Notebook) -> None:
    cell = added.run("%agent --fork run -m gpt-none --dry-run --at 2 --result '<b>sold</b>'")
    assert cell.error is None, cell.stdout
    bundle = cell.bundles[0]
    assert "Kept: 2 calls." in bundle["text/plain"]
    assert "Nothing is called before gpt-none is asked." in bundle["text/plain"]
    assert "&lt;b&gt;sold" in bundle["text/html"]
    added.run("dry = run.preview_fork(at=2, result=7)")
    assert str(added["dry"]).startswith("Not done. A branch of ")


def test_a_dry_run_says_what_happens_inside_of_a_call(added: Notebook) -> None:
    cell = added.run(
        "boss = nbagents.Agent('boss', tools=[adder], model=saying(call('adder', input='Add.'),"
        " 'told'))\n"
        "adder = replace(adder, model=saying(call('add', a=1, b=1), call('add', a=2, b=2), 'four'))"
        "\nboss = replace(boss, tools=[adder])\nwhole = boss.run('Go')\ninner = whole.children[0]"
    )
    assert cell.error is None, cell.error
    cell = added.run("dry = inner.preview_fork(at=2, arguments={'a': 3, 'b': 3})")
    assert cell.error is None, cell.error
    dry = added["dry"]
    assert dry.kept == ("  add(a=1, b=1) → 2",)
    assert [one.strip() for one in dry.calls] == ['adder(input="Add.")', "add(a=3, b=3)"]
    assert dry.request is None


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("-c trip", "is of no chat"),
        ("--attach done", "is text"),
        ("--resume run-1", "as a new one"),
    ],
)
def test_what_makes_no_sense_of_a_branch_is_refused_with_its_reason(
    added: Notebook, option: str, why: str
) -> None:
    assert why in str(added.run(f"%agent --fork run {option} --at 1").error)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("run --at 1 --result 7 -b -o b", "b = run.start_fork(at=1, result=7)"),
        ("run --at 1 --result 7 --dry-run -o b", "run.preview_fork(at=1, result=7)"),
        ("run --step 2 --step Enough.", "run.fork(step=2, stepping=True, message='Enough.')"),
        (
            "run -n 3 --at 1",
            """from dataclasses import replace
run.fork(agent=replace(run.root.agent, max_steps=3), at=1)""",
        ),
        (
            "run -a going -n 3 --at 1",
            "from dataclasses import replace\nrun.fork(agent=replace(going, max_steps=3), at=1)",
        ),
    ],
)
def test_its_python_does_what_the_line_does(added: Notebook, line: str, written: str) -> None:
    cell = added.run(f"%agent --show-python --fork {line}")
    assert cell.error is None, cell.stdout
    assert ast.dump(ast.parse(cell.stdout)) == ast.dump(ast.parse(written))
