"""Tools that run at a provider, on a model that has none: said before the run, wherever it is."""

from __future__ import annotations

from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from tests.unit.runs.desk import request, turn

HOSTED: dict[str, Any] = {
    "web": nba.WebSearch(),
    "files": nba.FileSearch(["vs_1"]),
    "code": nba.CodeInterpreter(),
}


def models() -> dict[str, Any]:
    return {"chat": nba.OpenAIChat("m", api_key="k"), "offline": "offline"}


@pytest.mark.parametrize("model", ["chat", "offline"])
@pytest.mark.parametrize("tool", HOSTED)
@pytest.mark.parametrize("way", ["run", "start", "stream"])
def test_a_run_does_not_begin(model: str, tool: str, way: str) -> None:
    agent = nba.Agent("tester", tools=[HOSTED[tool]], model=models()[model])
    session = nba.Session(MemoryLog())
    with pytest.raises(ValueError, match=r"would run at the provider.*Responses API"):
        getattr(agent, way)("Search for tulips", log=session)
    assert session.runs == ()
    assert list(session.events()) == []


@pytest.mark.parametrize("tool", HOSTED)
def test_a_preview_and_a_model_that_may_have_them_are_not_refused(tool: str) -> None:
    agent = nba.Agent("tester", tools=[HOSTED[tool]], model=ScriptedModel(["done"]))
    assert agent.run("go", log="memory").text == "done"
    agent.preview("go")


def test_who_takes_over_is_refused_where_it_takes_over() -> None:
    other = nba.Agent("other", tools=[nba.WebSearch()], model="offline")
    model = ScriptedModel([turn(request("a", "transfer_to_other"))])
    agent = nba.Agent("first", handoffs=[other], model=model)
    with pytest.raises(ValueError, match="'other' would run at the provider"):
        agent.run("go", log="memory")
