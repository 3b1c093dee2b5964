"""`%config NbAgents`: wrong names and values fail, and it is known what set what."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets import TraitError
from traitlets.config import Config

from nbagents.agents import Agent
from nbagents.notebook.extension import unload
from nbagents.notebook.options.config import RULES, NbAgents
from tests.unit.notebook.conftest import Notebook


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("NbAgents.modle = 'x'", "There is no NbAgents.modle. Did you mean 'model'?"),
        ("NbAgents.modle", "Did you mean 'model'?"),
        ("NbAgents.model = 5", "must be text"),
        ("NbAgents.max_steps = 0", "must be a whole number, 1 or more, not 0."),
        ("NbAgents.max_steps = True", "must be a whole number"),
        ("NbAgents.max_steps = None", "must be a whole number"),
        ("NbAgents.max_calls = -1", "must be a whole number, 0 or more, or None"),
        ("NbAgents.timeout = 0", "must be a number of seconds above 0, or None"),
        ("NbAgents.display = 'loud'", "must be one of 'auto', 'live'"),
        ("NbAgents.open = 'some'", "must be one of 'errors', 'all'"),
        ("NbAgents.max_cost = 0", "must be a number above 0, or None"),
        ("NbAgents.approval = 'no'", "must be one of 'risky', 'ask', 'auto', 'never', not 'no'."),
        ("NbAgents.on_await = 'wait'", "must be one of 'ask', 'deny', 'suspend'"),
        ("NbAgents.prices = 3", "must be a dict such as"),
        ("NbAgents.prices = {'gpt-x': {'input': 1}}", "must be a dict such as"),
        ("NbAgents.prices = {'gpt-x': {'input': 1, 'output': '2'}}", "must be a dict such as"),
        ("NbAgents.prices = {'gpt-x': {'input': 1, 'output': 2, 'x': 3}}", "must be a dict"),
    ],
)
def test_what_is_wrong_fails_the_cell_in_one_line(
    notebook: Notebook, line: str, message: str
) -> None:
    cell = notebook.run(f"%config {line}")
    assert isinstance(cell.error, UsageError)
    assert message in str(cell.error)
    assert len(cell.stderr.strip().splitlines()) == 1


PRICE = {"input": 1, "output": 2.5}
PRICES: list[Any] = [
    *({}, {"m": PRICE}, {"m": {**PRICE, "cached": 0}}, MappingProxyType({"m": PRICE})),
    *(5, [], {"m": 5}, {5: PRICE}, PRICE, {"m": {"input": 1}}, {"m": {**PRICE, "x": 3}}),
    *({"m": {**PRICE, "input": one}} for one in (-1, True, "1", float("nan"), float("inf"))),
]


@pytest.mark.parametrize("prices", PRICES, ids=repr)
def test_settings_and_agents_know_the_same_prices(prices: Any) -> None:
    try:
        Agent(prices=prices)
        is_taken = True
    except ValueError:
        is_taken = False
    assert RULES["prices"].fits(prices) is is_taken


def test_an_expression_of_yours_fails_as_itself(notebook: Notebook) -> None:
    assert isinstance(notebook.run("%config NbAgents.model = nothing").error, NameError)


def test_what_is_right_is_set_and_can_be_read(notebook: Notebook) -> None:
    notebook.run("limit = 4")
    for line, value in {
        "max_steps = limit": 4,
        "max_calls = 0": 0,
        "max_tokens = None": None,
        "timeout=2.5": 2.5,
        "open = 'all'": "all",
        "max_cost = 0.5": 0.5,
        "approval = 'ask'": "ask",
        "on_await = 'deny'": "deny",
        "prices = {'gpt-x': {'input': 1, 'output': 2.5}}": {"gpt-x": {"input": 1, "output": 2.5}},
    }.items():
        assert notebook.run(f"%config NbAgents.{line}").error is None
        assert notebook.run(f"%config NbAgents.{line.partition('=')[0].strip()}").value == value


def test_the_other_lines_of_config_are_ipythons(notebook: Notebook) -> None:
    assert "NbAgents.max_steps" in notebook.run("%config NbAgents").stdout
    notebook.run("%config InteractiveShell.ast_node_interactivity = 'all'")
    assert notebook.shell.ast_node_interactivity == "all"
    assert "IPython" in str(notebook.shell.find_line_magic("config").__doc__)


def test_unloading_gives_ipythons_own_back(notebook: Notebook) -> None:
    ours = notebook.shell.find_line_magic("config")
    unload(notebook.shell)
    theirs = notebook.shell.find_line_magic("config")
    assert theirs is not ours
    assert theirs.__module__.startswith("IPython.")


def test_an_option_goes_before_config_before_the_environment_before_the_default(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def steps(options: str = "") -> int:
        return notebook.run(f"%agent {options} hello").value.events[0].limits.max_steps

    assert steps() == 10
    monkeypatch.setenv("NBAGENTS_MAX_STEPS", "5")
    assert steps() == 5
    notebook.run("%config NbAgents.max_steps = 4")
    assert steps() == 4
    assert steps("-n 3") == 3


def test_an_agent_of_yours_keeps_its_own_limits(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_MAX_STEPS", "5")
    notebook.run("import nbagents\nguide = nbagents.Agent(max_steps=7)")
    assert notebook.run("%agent -a guide hello").value.events[0].limits.max_steps == 7


def test_settings_say_when_people_are_asked_and_what_a_run_may_cost(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_APPROVAL", "ask")
    monkeypatch.setenv("NBAGENTS_MAX_COST", "2.5")
    cell = notebook.run("%agent hello")
    assert isinstance(cell.error, UsageError)
    assert "%config NbAgents.prices = {'MODEL': {'input'" in str(cell.error)
    notebook.run("%config NbAgents.prices = {'offline': {'input': 1, 'output': 2}}")
    started = notebook.run("%agent hello").value.events[0]
    assert (started.approval, started.limits.max_cost) == ("ask", 2.5)
    started = notebook.run("%agent --approval auto --max-cost 1 hello").value.events[0]
    assert (started.approval, started.limits.max_cost) == ("auto", 1.0)


def test_an_environment_that_makes_no_sense_fails_the_cell(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_TIMEOUT", "soon")
    cell = notebook.run("%agent hello")
    assert isinstance(cell.error, UsageError)
    assert "NBAGENTS_TIMEOUT must be a number of seconds above 0" in str(cell.error)


def test_it_is_known_what_set_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_OPEN", "data")
    config = NbAgents()
    config.say("max_calls", None)
    config.say("model", "")
    monkeypatch.setenv("NBAGENTS_MODEL", "gpt-env")
    found = {one.name: (one.value, one.source) for one in config.settings()}
    assert list(found) == list(RULES)
    assert found["open"] == ("data", "NBAGENTS_OPEN")
    assert found["max_calls"] == (None, "%config")
    assert found["model"] == ("gpt-env", "NBAGENTS_MODEL")
    assert found["timeout"] == (None, "default")


@pytest.mark.parametrize("said", [{"modle": "x"}, {"max_steps": 0}, {"display": "loud"}])
def test_a_config_file_that_is_wrong_is_refused(said: dict[str, Any]) -> None:
    shell: Any = InteractiveShell.instance()
    shell.config = Config({"NbAgents": said})
    try:
        with pytest.raises(TraitError):
            NbAgents(parent=shell)
    finally:
        shell.config = Config()


def test_the_documented_traits_are_those_that_there_are() -> None:
    assert set(NbAgents.class_traits(config=True)) == set(RULES)
