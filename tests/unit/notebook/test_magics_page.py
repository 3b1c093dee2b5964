"""`docs/magics.md` says of each option what the magics say, and its examples run."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from nbagents.notebook.magics.magics import AGENT_OPTIONS, LINE_OPTIONS, TOOL_OPTIONS
from nbagents.notebook.options.agent_table import ASK
from nbagents.notebook.options.config import RULES, NbAgents
from nbagents.notebook.options.nbagents_table import COMMANDS, RUNS_OPTIONS, Command
from nbagents.notebook.options.option import Option
from nbagents.runs.state.session import Session, open_log, use_session
from tests.unit.notebook.conftest import Notebook
from tests.unit.notebook.test_agent_options import PNG

PAGE = Path(__file__).resolve().parents[3] / "docs" / "magics.md"
MAGICS = [
    *(pytest.param("%agent", one, id=f"agent{one.long}") for one in AGENT_OPTIONS),
    *(pytest.param("%%tool", one, id=f"cell{one.long}") for one in TOOL_OPTIONS),
    *(pytest.param("%tool", one, id=f"tool{one.long}") for one in LINE_OPTIONS),
]
BODY = "def weather(city: str, days: int = 1) -> str:\n    return f'{9 * days} °C in {city}'\n"
SETUP = f"""
import base64, json
import nbagents
from nbagents import Agent, ScriptedModel
from nbagents.models.scripted import call
guide = Agent('guide', model='offline')
def erase(path: str) -> str:
    'Erase a file.'
    return 'gone'
eraser = Agent(
    'eraser',
    tools=[nbagents.Tool(erase, nbagents.ToolOptions(ask=True))],
    model=ScriptedModel([call('erase', path='a.txt'), 'I may not.']),
)
def load_table() -> str:
    'Load the table of prices.'
    return 'loaded'
def price(city: str) -> int:
    'The price in a city.'
    return len(city)
SALE = [call('load_table'), call('price', city='Oslo'), call('price', city='Paris'), 'Sold.']
seller = Agent('seller', tools=[load_table, price], model=ScriptedModel(SALE, repeat=True))
%config NbAgents.prices = {{'offline': {{'input': 1, 'output': 2}}}}
sales, prices = [1, 2], {{'a': 1}}
photo = base64.b64decode({base64.b64encode(PNG)!r})
class Counter:
    def up(self) -> int:
        'Count.'
        return 1
"""


PETS = """
openapi: 3.1.0
info: {title: Pets, version: "1"}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
security: [{key: []}]
paths: {/pets: {get: {operationId: listPets, responses: {"200": {description: All.}}}}}
"""


BACK = ("--fork", "--at", "--arguments", "--result", "--again")
"""Options that go back in a run, which must have calls."""


def example_of(magic: str, head: str, said: str) -> str:
    """What the page's row gives as an example of an option or a command; there is one such row."""
    start, end = f"| {head} | {said} | `{magic} ", "` |"
    rows = PAGE.read_text(encoding="utf-8").splitlines()
    (row,) = (one for one in rows if one.startswith(start) and one.endswith(end))
    return row.removeprefix(start).removesuffix(end)


def example_of_option(magic: str, option: Option) -> str:
    names = ", ".join(f"`{name}`" for name in (option.short, option.long) if name)
    return example_of(magic, names + (f" `{option.value}`" if option.value else ""), option.help)


@pytest.mark.parametrize(("magic", "option"), MAGICS)
def test_each_option_is_on_the_page_as_it_is_declared(magic: str, option: Option) -> None:
    assert example_of_option(magic, option)


def test_the_page_has_no_option_that_there_is_not() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "| `-" in line[:5]]
    assert len(rows) == len(MAGICS) + len(RUNS_OPTIONS)


@pytest.mark.parametrize("option", RUNS_OPTIONS, ids=lambda one: one.name)
def test_each_way_to_choose_runs_is_on_the_page_and_its_example_runs(
    notebook: Notebook, option: Option
) -> None:
    head = f"{option.long} {option.value}" if option.value else option.long
    cell = notebook.run(f"%nbagents {example_of('%nbagents', f'`{head}`', option.help)}")
    assert cell.error is None, cell.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.name)
def test_each_command_is_on_the_page_and_its_example_runs(
    notebook: Notebook, command: Command
) -> None:
    use_session(Session(open_log("memory")))
    value = f" `{command.value}`" if command.value else ""
    written = example_of("%nbagents", f"`{command.name}`{value}", command.help)
    run = notebook.run("%agent -c trip hello").value
    example = written.replace("run-1", run.id)
    cell = notebook.run(f"%nbagents {example}")
    assert cell.error is None, cell.stderr


def test_each_setting_is_on_the_page() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    traits = NbAgents.class_traits(config=True)
    for name, rule in RULES.items():
        variable = f"`{rule.variable}`" if rule.variable else ""
        assert f"| `{name}` | {traits[name].help} | {variable} | {rule.allowed} |" in lines


@pytest.mark.medium
@pytest.mark.parametrize(("magic", "option"), MAGICS)
def test_each_example_of_the_page_runs(
    notebook: Notebook,
    magic: str,
    option: Option,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = magic
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("Some notes.")
    (tmp_path / "pets.yaml").write_text(PETS)
    (tmp_path / "tools.py").write_text("def ships() -> int:\n    'Count.'\n    return 1\n")
    for source in (SETUP, f"%%tool weather\n{BODY}", "%%tool -n mapping\ndef f(): ...\n"):
        assert notebook.run(source, cell_id=source).error is None
    if option.long == "--as":
        notebook.run("model = ScriptedModel(['[\"Oslo\"]'])\nguide = Agent(model=model)")
        asked += " -a guide"
    if option.around:
        monkeypatch.setenv("NBAGENTS_NOTEBOOK", str(tmp_path / "lesson.ipynb"))
        (tmp_path / "lesson.ipynb").write_text("{}")
        assert notebook.run(f"%agent --record extend {ASK}").error is None
    example = example_of_option(magic, option)
    if option.long == "--resume":
        suspended = notebook.run("%agent -a eraser --on-await suspend Erase it.").value
        example = example.replace("run-1", suspended.id)
    if option.long in BACK:
        sold = notebook.run("seller.run('Sell it.')").value
        example = example.replace("run-1", sold.id)
    below = f"\n{BODY}" if magic == "%%tool" else ""
    if magic == "%tool" and option.long == "--replace":
        asked = "%tool --add weather"
    cell_id = "b" if option.long == "--replace" else f"%%tool weather\n{BODY}"
    cell = notebook.run(f"{asked} {example}{below}", cell_id=cell_id)
    if option.long == "--background":
        cell.value.wait(20)
    assert cell.error is None, cell.stdout + cell.stderr


def test_the_blocks_of_the_page_run(notebook: Notebook) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for number, source in enumerate(blocks):
        cell = notebook.run(source, cell_id=str(number))
        assert cell.error is None, cell.stdout + cell.stderr
