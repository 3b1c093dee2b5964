"""`%agent --resume RUN` works as the card says it, in a new kernel too; what lacks is said."""

from __future__ import annotations

import pytest
from IPython.core.error import UsageError

from nbagents.runs.logs.log import Log
from nbagents.runs.state.session import Session, current_session, open_log, use_session
from nbagents.tools.tool.registry import toolbox
from tests.unit.notebook.conftest import Notebook

DEFINED = """
import nbagents
from nbagents.models.scripted import call
class Sales:
    def __init__(self, rows): self.rows = rows
    def __len__(self): return len(self.rows)
done = []
def erase(table: Sales, count: int) -> str:
    'Erase rows.'
    done.append((table, count))
    return f'erased {count} of {len(table)}'
eraser = nbagents.Tool(erase, nbagents.ToolOptions(ask=True))
steps = [call('erase', table='sales', count=2)]
sales = Sales([1, 2, 3])
"""
RUN = "run = %agent {} --on-await suspend -v sales Erase two."


@pytest.fixture
def place(notebook: Notebook) -> Notebook:
    """A notebook with a tool that takes an object."""
    use_session(Session(open_log("memory")))
    assert notebook.run(DEFINED).error is None
    return notebook


def suspended(place: Notebook, how: str) -> str:
    """The id of a run that waits."""
    cell = place.run(RUN.format(how))
    assert cell.error is None, cell.stdout
    run = place["run"]
    assert run.status == "suspended"
    return run.id


def restart(place: Notebook) -> None:
    """Only the log is left of what was there."""
    log: Log = current_session().log
    place.run("run = None; import gc; gc.collect()")
    use_session(Session(log))


OWN = """
own = nbagents.Agent({name!r}, tools=[eraser], model=nbagents.ScriptedModel({steps}))
"""


@pytest.mark.medium
@pytest.mark.parametrize("is_new", [False, True], ids=["same kernel", "new kernel"])
@pytest.mark.parametrize("name", ["clerk", "agent"])
def test_the_line_of_the_card_takes_the_objects_again(
    place: Notebook, name: str, *, is_new: bool
) -> None:
    place.run(OWN.format(name=name, steps="[*steps, 'Done.']"))
    run_id = suspended(place, "-a own")
    if is_new:
        restart(place)
        place.run("sales = Sales([7, 8])")
    line = "-a own" if name == "agent" else ""
    cell = place.run(f"%agent {line} --approval auto --resume {run_id} -o later")
    assert cell.error is None, cell.stdout
    assert place["later"].calls[0].content == f"erased 2 of {2 if is_new else 3}"
    assert place["done"] == [(place["sales"], 2)]


@pytest.mark.medium
def test_the_line_takes_the_tools_and_the_rules_that_the_run_had(place: Notebook) -> None:
    place.run("def look(city: str) -> str:\n    'Look at a city.'\n    return f'{city} is fine'")
    place.run("def other(city: str) -> str:\n    'Look at a city.'\n    return 'no'")
    cell = place.run("run = %agent -t look -n 4 --approval ask --on-await suspend Look at Oslo")
    assert (cell.error, place["run"].status) == (None, "suspended")
    first = place["run"].id
    restart(place)
    cell = place.run(f"%agent --resume {first} --show-python")
    assert "tools=[look]" in cell.stdout
    assert 'approval="ask"' in cell.stdout
    assert "max_steps=4" in cell.stdout
    cell = place.run(f"later = %agent --on-await deny --resume {first}")
    assert cell.error is None, cell.stdout
    assert [one.status for one in place["later"].calls] == ["denied"]
    assert place["later"].events[0].tools == ("look",)


MISSING = {
    "an object": ("del sales", "", "the object 'sales', which is gone"),
    "the tool": ("own = nbagents.Agent('clerk', model='offline')", "", "has no such tool"),
    "the agent": ("del own", "", "no variable here holds one"),
    "another agent": (
        *("other = nbagents.Agent('other', model='offline')", "-a other", "is of the agent"),
    ),
    "a key": ("", "-m gpt-x", "OPENAI_API_KEY"),
    "a price": ("", "--max-cost 1", "prices"),
}


@pytest.mark.medium
@pytest.mark.parametrize("what", MISSING)
def test_a_resume_that_cannot_be_set_up_uses_nothing_up(place: Notebook, what: str) -> None:
    change, options, said = MISSING[what]
    script = OWN.format(name="clerk", steps="[*steps, 'Done.']")
    place.run(script)
    run_id = suspended(place, "-a own")
    restart(place)
    place.run(change)
    cell = place.run(f"%agent {options} --resume {run_id}")
    assert cell.error is not None
    assert said in str(cell.error)
    assert place["done"] == []
    place.run(DEFINED.replace("steps = [", "steps = [] or ["))
    place.run(OWN.format(name="clerk", steps="['Done.']"))
    place.run("other = None")
    cell = place.run(f"%agent --approval auto --resume {run_id} -o later")
    assert cell.error is None, cell.stdout
    assert place["later"].text == "Done."


@pytest.mark.medium
def test_a_tool_of_the_line_that_is_gone_is_named_before_anything_is_done(place: Notebook) -> None:
    place.run("def look(city: str) -> str:\n    'Look at a city.'\n    return f'{city} is fine'")
    place.run("run = %agent -t look --approval ask --on-await suspend Look at Oslo")
    run_id = place["run"].id
    restart(place)
    place.run("del look")
    cell = place.run(f"%agent --resume {run_id}")
    assert isinstance(cell.error, UsageError)
    assert "these are not here: 'look'" in str(cell.error)
    place.run("def look(city: str) -> str:\n    'Look at a city.'\n    return f'{city} is fine'")
    cell = place.run(f"%agent --approval auto --resume {run_id} -o later")
    assert (cell.error, place["later"].calls[0].status) == (None, "done")
    assert "look" not in toolbox


@pytest.mark.medium
def test_vars_give_what_the_variables_do_not(place: Notebook) -> None:
    place.run(OWN.format(name="clerk", steps="[*steps, 'Done.']"))
    run_id = suspended(place, "-a own")
    restart(place)
    place.run("del sales")
    place.run(f"later = own.resume({run_id!r}, answer=True, vars={{'sales': Sales([5])}})")
    assert place["later"].calls[0].content == "erased 2 of 1"


def test_tools_take_the_place_of_the_agents(place: Notebook) -> None:
    place.run(OWN.format(name="clerk", steps="[*steps, 'Done.']"))
    run_id = suspended(place, "-a own")
    place.run("bare = nbagents.Agent('clerk', model=nbagents.ScriptedModel(['Done.']))")
    cell = place.run(f"later = bare.resume({run_id!r}, answer=True, tools=[eraser])")
    assert cell.error is None
    assert place["later"].calls[0].content == "erased 2 of 3"


@pytest.mark.medium
@pytest.mark.parametrize("is_new", [False, True], ids=["same kernel", "new kernel"])
def test_a_chat_goes_on_with_all_that_was_said_in_it(place: Notebook, *, is_new: bool) -> None:
    script = "nbagents.ScriptedModel(['Hello.', *steps, 'Done.', 'Bye.'])"
    place.run(f"own = nbagents.Agent('clerk', tools=[eraser], model={script})")
    assert place.run("%agent -a own -c trip Hi").error is None
    run_id = suspended(place, "-a own -c trip")
    if is_new:
        restart(place)
    cell = place.run(f"%agent --approval auto --resume {run_id}")
    assert cell.error is None, cell.stdout
    last = place.run("%agent -a own -c trip Thanks").value
    said = [one.text for one in last.messages if one.role in ("user", "assistant") and one.text]
    assert said == ["Hi", "Hello.", "Erase two.", "Done.", "Thanks", "Bye."]


@pytest.mark.medium
def test_a_result_that_an_open_call_takes_and_that_is_gone_is_named(place: Notebook) -> None:
    place.run("def make() -> Sales:\n    'Make.'\n    return Sales([1])")
    script = "[call('make'), call('erase', table='r1', count=1), 'Done.']"
    agent = f"nbagents.Agent('clerk', tools=[make, eraser], model=nbagents.ScriptedModel({script}))"
    place.run(f"own = {agent}")
    place.run("run = %agent -a own --on-await suspend Erase it.")
    run_id = place["run"].id
    restart(place)
    cell = place.run(f"%agent --resume {run_id}")
    assert isinstance(cell.error, UsageError)
    assert "takes the object 'r1', which is gone with its kernel" in str(cell.error)
    cell = place.run(f"later = own.resume({run_id!r}, answer=True, vars={{'r1': Sales([1, 2])}})")
    assert cell.error is None
    assert place["later"].calls[-1].content == "erased 1 of 2"


@pytest.mark.parametrize("options", ["", "-v sales"])
def test_a_chat_takes_another_object_of_the_name_and_says_so(place: Notebook, options: str) -> None:
    place.run("eraser = nbagents.Tool(erase)")
    script = "nbagents.ScriptedModel(['Hello.', *steps, 'Done.', 'Bye.'])"
    place.run(f"own = nbagents.Agent('clerk', tools=[eraser], model={script})")
    first = place.run("%agent -a own -c trip -v sales Hi")
    assert "another object" not in first.texts[0]
    place.run("sales = Sales([4, 5, 6, 7, 8])")
    cell = place.run(f"run = %agent -a own -c trip {options} Erase two.")
    assert place["run"].calls[0].content == "erased 2 of 5"
    assert "another object than the one that was shared by this name before" in cell.texts[0]
    (asked,) = [one for one in place["run"].messages if getattr(one, "text", "") == "Erase two."]
    assert "another object" in asked.told
    last = place.run("%agent -a own -c trip Thanks")
    assert "another object" not in last.texts[0]
