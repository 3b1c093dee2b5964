"""`%agent --on-await suspend` and `%agent --resume RUN`, and what the lists say of such runs."""

from __future__ import annotations

import re

import pytest
from IPython.core.error import UsageError

from nbagents.runs.state.session import Session, current_session, open_log, use_session
from tests.unit.notebook.conftest import Notebook
from tests.unit.notebook.test_completion import offered

ERASER = """
import nbagents
from nbagents.models.scripted import call
erased = []
def erase(path: str) -> str:
    'Erase a file.'
    erased.append(path)
    return f'erased {path}'
def look() -> str:
    'Look.'
    erased.append('looked')
    return 'seen'
def eraser():
    steps = [[call('look'), call('erase', path='a.txt')], 'All gone.']
    tools = [look, nbagents.Tool(erase, nbagents.ToolOptions(ask=True))]
    return nbagents.Agent('eraser', tools=tools, model=nbagents.ScriptedModel(steps))
def goer():
    tools = [look, nbagents.Tool(erase, nbagents.ToolOptions(ask=True))]
    return nbagents.Agent('eraser', tools=tools, model=nbagents.ScriptedModel(['All gone.']))
agent, other = eraser(), goer()
"""


@pytest.fixture
def asking(notebook: Notebook) -> Notebook:
    """A notebook with a suspended run, `run`."""
    use_session(Session(open_log("memory")))
    assert notebook.run(ERASER).error is None
    cell = notebook.run("run = %agent -a agent --on-await suspend Erase it.")
    assert cell.error is None, cell.stdout
    assert notebook["run"].status == "suspended"
    return notebook


def test_the_card_of_a_suspended_run_says_how_to_go_on(asking: Notebook) -> None:
    text = asking.run(f"%nbagents show {asking['run'].id}").texts[0]
    assert 'waits for you: eraser asks: Run erase(path="a.txt")?' in text
    assert f"to go on: %agent --resume {asking['run'].id}" in text


@pytest.mark.parametrize("is_new_kernel", [False, True])
def test_a_suspended_run_is_gone_on_with_and_nothing_is_done_twice(
    asking: Notebook, *, is_new_kernel: bool
) -> None:
    before = asking["run"]
    assert asking["erased"] == ["looked"]
    if is_new_kernel:
        use_session(Session(current_session().log))
    cell = asking.run(f"%agent -a other --approval auto --resume {before.id[:12]} -o later")
    assert cell.error is None, cell.stdout
    later = asking["later"]
    assert later.text == "All gone."
    assert later.events[0].resumed_from == before.id
    assert asking["erased"] == ["looked", "a.txt"]
    assert "goes on with another run" in cell.texts[0]


def test_without_an_agent_it_is_gone_on_with_by_the_one_of_its_name(asking: Notebook) -> None:
    line = f"%agent --approval auto --resume {asking['run'].id}"
    cell = asking.run(line)
    assert isinstance(cell.error, UsageError)
    assert "'eraser', are here: say which one goes on, -a agent or -a other." in str(cell.error)
    asking.run("del agent")
    cell = asking.run(line)
    assert cell.error is None, cell.stdout
    assert cell.value.text == "All gone."
    assert asking["erased"] == ["looked", "a.txt"]


def test_without_an_agent_of_its_name_it_is_said_which_is_wanted(asking: Notebook) -> None:
    asking.run("del agent, other")
    cell = asking.run(f"%agent --resume {asking['run'].id}")
    assert isinstance(cell.error, UsageError)
    assert "is of the agent 'eraser', and no variable here holds one" in str(cell.error)


def test_an_agent_without_a_name_is_not_gone_on_with_by_another_one(asking: Notebook) -> None:
    asking.run("import dataclasses\nagent = dataclasses.replace(eraser(), name='agent')")
    run = asking.run("%agent -a agent --on-await suspend Erase it.").value
    cell = asking.run(f"%agent --approval auto --resume {run.id}")
    assert isinstance(cell.error, UsageError)
    assert "-a agent, or -t all if it was %agent's own." in str(cell.error)
    asking.run("agent = dataclasses.replace(other, name='agent')")
    cell = asking.run(f"%agent -a agent --approval auto --resume {run.id}")
    assert (cell.error, cell.value.text) == (None, "All gone.")


def test_what_is_asked_again_may_be_suspended_again(asking: Notebook) -> None:
    cell = asking.run(f"%agent -a other --on-await suspend --resume {asking['run'].id}")
    assert cell.error is None, cell.stdout
    assert cell.value.status == "suspended"
    assert asking["erased"] == ["looked"]


def test_the_python_that_is_shown_goes_on_with_it(asking: Notebook) -> None:
    line = f"%agent -a other --approval auto --resume {asking['run'].id}"
    cell = asking.run(f"{line} --show-python")
    assert f'.resume("{asking["run"].id}")' in cell.stdout
    twin = asking.run(cell.stdout)
    assert twin.error is None, twin.stdout
    assert asking["erased"] == ["looked", "a.txt"]


def test_a_run_that_has_ended_is_not_gone_on_with(asking: Notebook) -> None:
    ended = asking.run("%agent hello").value
    cell = asking.run(f"%agent --resume {ended.id}")
    assert isinstance(cell.error, UsageError)
    assert "has ended" in str(cell.error)


def test_suspended_runs_are_listed_with_their_line_and_offered(asking: Notebook) -> None:
    asking.run("%agent hello")
    run_id = asking["run"].id
    text = asking.run("%nbagents runs").texts[0]
    assert f"{run_id} waits for you: %agent --resume {run_id}" in text.splitlines()
    assert offered(asking, "%agent --resume ") == [run_id]
    for _ in range(4):
        asking.run("agent = eraser()")
        asking.run("%agent -a agent --on-await suspend Erase it.")
    text = asking.run("%nbagents runs").texts[0]
    assert "2 more runs suspended, which --resume goes on with, too." in text


@pytest.mark.medium
def test_a_run_that_was_gone_on_with_is_not_offered_again(asking: Notebook) -> None:
    asking.run(f"%agent -a other --approval auto --resume {asking['run'].id}")
    assert "waits for you" not in asking.run("%nbagents runs").texts[0]
    assert asking["run"].id not in offered(asking, "%agent --resume ")


NESTED = """
inner = nbagents.Agent('helper', model=nbagents.ScriptedModel(['Three ships.']))
def delegate(ctx: nbagents.Context) -> str:
    'Ask the helper.'
    return ctx.run(inner, 'How many ships?').text
steps = [call('delegate'), 'Three.']
outer = nbagents.Agent('guide', tools=[delegate], model=nbagents.ScriptedModel(steps))
"""


def test_runs_inside_others_are_counted_and_shown(asking: Notebook) -> None:
    asking.run(NESTED)
    cell = asking.run("%agent -a outer Ships?")
    assert cell.error is None, cell.stdout
    (child,) = cell.value.children
    head, *rows = asking.run("%nbagents runs").texts[0].splitlines()[1:]
    assert "Runs inside" in head
    assert child.id not in "".join(rows)
    for _ in range(2):
        (text,) = asking.run(f"%nbagents show {child.id}").texts
        assert text.splitlines()[0].startswith("helper (scripted): done")
        assert "Three ships." in text
        assert "guide" not in text
        use_session(Session(current_session().log))


def test_costs_are_listed_where_they_were_counted(asking: Notebook) -> None:
    assert "Cost" not in asking.run("%nbagents runs").texts[0]
    asking.run("%config NbAgents.prices = {'scripted': {'input': 1e6, 'output': 0}}")
    asking.run(
        "from nbagents.models.model import ModelTurn\n"
        "from nbagents.results import Usage\n"
        "used = Usage(input_tokens=2, requests=1)\n"
        "paying = nbagents.ScriptedModel([ModelTurn(text='hi', usage=used)])\n"
        "payer = nbagents.Agent(model=paying)"
    )
    cell = asking.run("%agent -a payer --max-cost 9 hello")
    assert cell.error is None, cell.stdout
    assert cell.value.usage.cost == 2.0
    assert "cost 2" in cell.texts[0]
    assert re.search(r"\b2  payer|\b2 +scripted", asking.run("%nbagents runs").texts[0])
    asking.run("%config NbAgents.prices = {}")
    assert re.search(r"\b2$|\b2 ", asking.run("%nbagents usage").texts[0], re.MULTILINE)


def test_those_that_wait_are_listed_in_the_next_kernel_too(asking: Notebook) -> None:
    run_id = asking["run"].id
    use_session(Session(current_session().log))
    text = asking.run("%nbagents runs").texts[0]
    assert "No runs of this kernel yet" in text
    assert f"{run_id} waits for you: %agent --resume {run_id}" in text.splitlines()
