"""What is taken elsewhere of a run, and what pages ask about one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt

import nbagents as nba
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.notebook.copies import answer_about, answer_page
from nbagents.notebook.magics.tool.manual_call import Hand
from nbagents.runs.logs import MemoryLog
from nbagents.runs.state.session import Session, use_session
from nbagents.tools.tool import ToolOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from nbagents.runs.state import Run


def weather(city: str, days: int = 1) -> str:
    """The weather in a city."""
    if city == "Atlantis":
        raise ValueError("It has sunk.")
    return f"![9 °C](https://tracker.example/{city}) for {days} `days`"


@pytest.fixture
def session() -> Iterator[Session]:
    """A session of its own, as the kernel's."""
    own = Session(MemoryLog())
    use_session(own)
    yield own
    use_session(None)


@pytest.fixture
def run(session: Session) -> Run:
    """A run with a call that went well and one that failed."""
    calls = [call("weather", city="Oslo"), call("weather", city="Atlantis")]
    model = nba.ScriptedModel([calls, "It is **9 °C** in Oslo."])
    agent = nba.Agent("guide", "Be brief.", tools=[weather], model=model, max_steps=4)
    return agent.run('How warm is it?\nSay "Oslo".', log=session)


def test_markdown_has_the_prompt_each_call_and_the_answer(run: Run) -> None:
    text = run.to_markdown()
    assert "## guide (scripted)" in text
    assert '> How warm is it?\n> Say "Oslo".' in text
    assert '1. `weather(city="Oslo", days=1 (default))` → ' in text
    assert '2. `weather(city="Atlantis", days=1 (default))` *failed* → ' in text
    assert "It has sunk." in text
    assert text.endswith("\n\nIt is **9 °C** in Oslo.\n")


def test_what_a_tool_wrote_is_code_in_markdown_and_no_picture(run: Run) -> None:
    page = MarkdownIt().render(run.to_markdown())
    assert "<img" not in page
    assert "<code>![9 °C](https://tracker.example/Oslo) for 1 `days`</code>" in page


def test_markdown_of_a_run_with_runs_inside_tells_them_below_their_call(session: Session) -> None:
    inner = nba.Agent("helper", model=nba.ScriptedModel(["Nine."]))
    model = nba.ScriptedModel([[call("helper", input="How warm?")], "It is nine."])
    outer = nba.Agent("boss", tools=[inner.as_tool()], model=model)
    lines = outer.run("Ask.", log=session).to_markdown().splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("1. `helper("))
    assert lines[at + 1].startswith("   - helper (scripted): *Done")


def test_html_is_one_page_without_scripts_that_holds_the_answer(run: Run) -> None:
    page = run.to_html()
    assert page.startswith("<!doctype html>")
    assert "<strong>9 °C</strong> in Oslo." in page
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "<img" not in page


def test_python_asks_the_same_again(run: Run) -> None:
    code = run.to_python()
    made = ast.parse(code).body[-1]
    assert isinstance(made, ast.Assign)
    written: dict[str, Any] = {}

    class Agent:
        def __init__(self, **given: Any) -> None:
            written.update(given)

        def run(self, prompt: str) -> str:
            return prompt

    fake = type("nbagents", (), {"Agent": Agent})
    names: dict[str, Any] = {"nbagents": fake, "weather": weather}
    exec(compile(ast.Module([made], []), "copied", "exec"), names)
    assert names["run"] == 'How warm is it?\nSay "Oslo".'
    assert written["name"] == "guide"
    assert written["tools"] == [weather]
    assert f"from {__name__} import weather\n" in code
    assert written["max_steps"] == 4
    assert written["instructions"] == "Be brief."
    assert "max_failed_batches" not in written


def test_a_page_is_given_the_code_of_a_tool_as_it_was(run: Run) -> None:
    (node, _) = run.node["calls"].values()
    text = answer_about(run, "run:source", {"source_hash": node["source_hash"]})
    assert isinstance(text, str)
    assert text.startswith("def weather(")
    with pytest.raises(LookupError, match="another kernel"):
        answer_about(run, "run:source", {"source_hash": "0" * 12})


class Comm:
    """A page that asks."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []

    def send(self, data: dict[str, Any]) -> None:
        self.said.append(data)

    def ask(self, run_id: str, kind: str, **question: object) -> dict[str, Any]:
        asked = {"run_id": run_id, "kind": kind, "question": question}
        answer_page(self, {"content": {"data": {"ask": asked}}})
        return self.said[-1]


def test_a_saved_run_is_asked_about_by_its_id(run: Run) -> None:
    comm = Comm()
    assert comm.ask(run.id, "run:copy", form="markdown") == {"value": run.to_markdown()}
    (oslo, atlantis) = run.node["calls"]
    found = comm.ask(run.id, "run:search", query="TRACKER oslo")
    assert found == {"value": [f"{run.id}/{oslo}"]}
    whole = comm.ask(run.id, "run:call", call_id=atlantis)["value"]
    assert whole["arguments"] == {"city": "Atlantis", "days": 1}
    assert "nothing of the call" in comm.ask(run.id, "run:call", call_id="other")["error"]
    assert "nothing of the run" in comm.ask("run-other", "run:copy", form="html")["error"]
    assert "does not know this question" in comm.ask(run.id, "run:copy", form="tex")["error"]


def test_limits_that_were_lifted_are_lifted_in_the_copy_too(session: Session) -> None:
    agent = nba.Agent(model=nba.ScriptedModel(["Yes."]), max_failed_batches=None, max_depth=None)
    code = agent.run("Well?", log=session).to_python()
    assert "max_failed_batches=None" in code
    assert "max_depth=None" in code


def test_a_run_that_met_a_limit_is_not_called_failed_in_markdown(session: Session) -> None:
    steps = [[call("weather", city="Oslo")], [call("weather", city="Rome")], "Enough."]
    agent = nba.Agent(tools=[weather], model=nba.ScriptedModel(steps), max_calls=1)
    text = agent.run("Go on.", log=session).to_markdown()
    assert "- Stopped at a limit: `" in text
    assert "Failed" not in text


def test_search_finds_what_is_read_not_how_json_writes_it(session: Session) -> None:
    inner = nba.Agent("helper", model=nba.ScriptedModel(["The answer is Saskatoon."]))
    said = r'open "C:\temp\new" now'
    model = nba.ScriptedModel([[call("helper", input=said)], "Done."])
    run = nba.Agent(tools=[inner.as_tool()], model=model).run("Ask.", log=session)
    (at,) = run.node["calls"]
    for words in (r'"C:\temp\new"', "saskatoon", 'input="open'):
        assert answer_about(run, "run:search", {"query": words}) == [f"{run.id}/{at}"], words


def test_what_was_said_before_a_call_is_not_the_answer_anywhere(session: Session) -> None:
    turn = ModelTurn(text="Let me look.", calls=(call("weather", city="Oslo"),))
    agent = nba.Agent(tools=[weather], model=nba.ScriptedModel([turn]))
    with pytest.raises(nba.ModelError):
        agent.run("How warm is it?", log=session)
    run = session.runs[-1]
    for text in (run.to_markdown(), str(run.tree()), run.to_html()):
        assert text.count("Let me look.") == 1
        assert text.index("Let me look.") < text.index("Oslo")


def test_a_call_by_hand_is_copied_as_that_call(session: Session) -> None:
    forecast = nba.tool(weather).with_options(ToolOptions(name="forecast", toolset="sky"))
    model = Hand("sky--forecast", {"city": "Oslo"})
    run = nba.Agent("you", tools=[forecast], model=model).run("sky--forecast", log=session)
    code = run.to_python().splitlines()
    fake = type("nbagents", (), {"toolbox": {"sky--forecast": weather}})
    assert code[0] == "import nbagents"
    assert eval(code[-1], {"nbagents": fake}) == weather("Oslo")
    assert "## Called by hand" in run.to_markdown()
    assert "No answer" not in run.to_markdown()


def test_agents_that_were_called_or_took_over_are_defined_first(session: Session) -> None:
    def steps(*said: Any) -> nba.ScriptedModel:
        return nba.ScriptedModel([*said])

    inner = steps([call("weather", city="Rome")], "Warm.")
    child = nba.Agent("the child", "Look.", tools=[weather], model=inner)
    heir = nba.Agent("heir", "Finish.", tools=[weather], model=steps("Done."))
    other = nba.Agent("other", model=steps())
    asked = [[call("ask_child", input="Rome?")], [call("transfer_to_heir")]]
    agent = nba.Agent(
        "guide",
        tools=[child.as_tool("ask_child", "Ask it.")],
        handoffs=[heir, other],
        model=steps(*asked),
    )
    code = agent.run("Go", log=session).to_python()
    lines = code.splitlines()
    assert lines[:3] == ["import nbagents", f"from {__name__} import weather", ""]
    assert any(line.startswith("# transfer_to_other: nothing was handed over") for line in lines)
    space: dict[str, Any] = {}
    exec(code.replace('.run("Go")', ""), space)
    made: nba.Agent = space["run"]
    assert [one.name for one in made.tools] == ["ask_child"]  # type: ignore[union-attr]  tools
    assert space["the_child"].instructions == "Look."
    assert space["the_child"].tools == (weather,) or list(space["the_child"].tools) == [weather]
    assert (space["heir"].instructions, list(space["heir"].tools)) == ("Finish.", [weather])
    assert list(made.handoffs) == [space["heir"]]


def test_a_tool_that_is_not_here_is_said(session: Session) -> None:
    def look_up() -> str:
        "Look."
        return "ok"

    model = nba.ScriptedModel([[call("look_up")], "Done."])
    code = nba.Agent(tools=[look_up], model=model).run("Go", log=session).to_python()
    assert "# look_up: no tool of this name is in the toolbox here; define it first." in code
    assert 'tools=["look_up"]' in code


def test_markdown_says_what_was_replayed_kept_and_edited(tmp_path: Path) -> None:
    """As the card does: a copy of it must not read like a run that asked its model for all."""
    path = tmp_path / "weather.recording.jsonl"
    calls = [call("weather", city="Oslo"), call("weather", city="Rome")]
    with nba.recording(path, mode="extend"):
        nba.Agent(tools=[weather], model=nba.ScriptedModel([*calls, "Nine."])).run(
            "How warm?", log="memory"
        )
    with nba.recording(path):
        replay = nba.Agent(tools=[weather]).run("How warm?", log="memory")
    assert f", {replay.replayed}*\n" in replay.to_markdown()

    def answer(pause: nba.Pause) -> nba.Edit | None:
        return nba.Edit(text="Ten.") if pause.is_request else None

    stepped = nba.Agent("offline", model="offline").run("How warm?", step=answer, log="memory")
    assert "- step 1: step (answer) answered in the model's place\n" in stepped.to_markdown()

    branch = replay.fork(at=2, result="10 °C", model=nba.ScriptedModel(["Ten."]))
    text = branch.to_markdown()
    assert "forked at call 2 (weather): other result, other model*" in text
    first, second = (one for one in text.split("\n") if one[:2] in ("1.", "2."))
    assert first.endswith(" *kept*")
    assert "kept" not in second
    assert "   - step 2: you gave the result: it was not made\n" in text
