"""What the verbs of an agent take is declared once, and seen, and seen to, at each of them."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.agents.specification.signatures import BeginOptions, ResumeOptions, RunOptions
from tests.unit.agents.wrong import made, session

VERBS = [
    (Agent.run, RunOptions),
    (Agent.arun, RunOptions),
    (Agent.start, RunOptions),
    (Agent.stream, RunOptions),
    (Agent.stream_text, RunOptions),
    (Agent.begin, BeginOptions),
    (Agent.resume, ResumeOptions),
    (Agent.aresume, ResumeOptions),
    (Agent.begin_resumed, ResumeOptions),
]


@pytest.mark.parametrize(("verb", "options"), VERBS, ids=[verb.__name__ for verb, _ in VERBS])
def test_help_and_tab_see_each_option(verb: Any, options: type) -> None:
    parameters = inspect.signature(verb).parameters
    assert set(options.__annotations__) <= set(parameters)
    assert not [one for one in parameters.values() if one.kind is one.VAR_KEYWORD]


@pytest.mark.parametrize(("verb", "options"), [VERBS[0], VERBS[6]], ids=["run", "resume"])
def test_each_option_is_explained(verb: Any, options: type) -> None:
    said = inspect.getdoc(verb) or ""
    assert [name for name in options.__annotations__ if f"\n    {name}: " not in said] == []


def test_an_option_that_there_is_not_is_refused_before_anything_begins() -> None:
    log = session()
    wrong: Any = {"lables": {"trial": "1"}}
    with pytest.raises(TypeError, match=r"Agent\.run\(\) has no option 'lables'. Did you mean 'la"):
        made("Yes.").run("Go", log=log, **wrong)
    with pytest.raises(TypeError, match=r"Agent\.resume\(\) has no option 'lables'"):
        made("Yes.").resume("run-1", log=log, **wrong)
    assert log.runs == ()
