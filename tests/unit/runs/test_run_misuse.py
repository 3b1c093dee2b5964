"""What a run is told that it cannot use; and what a tool, or a rule, may give instead."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from PIL import Image

import nbagents as nba
from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.drive.entrance import run_blocking
from nbagents.runs.wording.call import Call
from tests.unit.runs.desk import agent, double, request, turn


async def hears(event: object) -> None: ...


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("notice", (5,), "The notice is 5: give text"),
        ("notice", ("Oslo.", 5), "key is 5: give text"),
        ("listen", (5,), "listener is 5: give a function of an event"),
        ("listen", (lambda: None,), "let it take one argument: an event"),
        ("listen", (hears,), "it is async"),
        ("wait", ("x",), "timeout is 'x': give seconds"),
        ("wait", (-1,), "timeout is -1"),
        ("wait", (True,), "timeout is True"),
    ],
)
def test_a_run_says_what_it_cannot_use(name: str, given: tuple[Any, ...], told: str) -> None:
    run = agent(["Hi."]).run("Go", log="memory")
    with pytest.raises(ValueError, match=told):
        getattr(run, name)(*given)


def test_a_notice_that_is_no_text_breaks_no_run() -> None:
    run, plan = agent(["Hi."]).begin("Go", "memory")
    with pytest.raises(ValueError, match="The notice"):
        run.notice(None)  # type: ignore[arg-type]
    run.notice("They chose Oslo.", key=None)
    run_blocking(run, plan)
    assert run.text == "Hi."


def test_an_async_tool_may_return_a_run_that_it_does_not_await() -> None:
    helper = Agent("helper", model=ScriptedModel(["It rains."]))

    async def weather(ctx: nba.Context) -> Any:
        """Ask for the weather."""
        return ctx.run(helper, "Oslo?")

    run = agent([turn(request("c1", "weather")), turn(text="Done.")], [weather]).run(
        "Go", log="memory"
    )
    (call,) = run.calls
    assert (call.status, call.value) == ("done", run.children[0])
    assert run.children[0].text == "It rains."


def test_a_rule_may_give_one_of_the_calls_as_the_answer() -> None:
    def last(ctx: nba.Context, calls: Sequence[Call]) -> Call:
        return calls[-1]

    steps = [turn(request("c1", "double", number=2), request("c2", "double", number=4))]
    assert agent(steps, [double], tool_use=last).run("Go", log="memory").text == "8"


@pytest.mark.parametrize(
    ("make", "made"),
    [
        (lambda: nba.Option("now"), nba.Option(label="now")),
        (lambda: nba.Option("now", "At once."), nba.Option(label="now", description="At once.")),
        (
            lambda: nba.Question("day", "Which day?", ["Monday", nba.Option("Tuesday")]),
            nba.Question(
                id="day",
                text="Which day?",
                options=(nba.Option(label="Monday"), nba.Option(label="Tuesday")),
            ),
        ),
    ],
)
def test_a_question_may_be_written_as_it_is_said(make: Any, made: Any) -> None:
    assert make() == made
    assert made.model_validate_json(made.model_dump_json()) == made


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: nba.Option(3), "An option is 3: write"),  # type: ignore[arg-type]
        (lambda: nba.Question("Which day?"), "an id and a text: write"),
        (lambda: nba.Question(options=["a"]), "an id and a text: write"),
        (lambda: nba.Question("day", "Which?", "abc"), "options of a question is 'abc': write"),
        (lambda: nba.Question("day", "Which?", [3]), "options of a question is"),  # type: ignore[list-item]
        (lambda: nba.Question(3, "Which?"), "id of a question is 3: write"),  # type: ignore[arg-type]
    ],
)
def test_a_question_says_what_it_cannot_be_made_of(make: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told) as caught:
        make()
    assert "pydantic" not in str(caught.value)


def test_an_image_that_cannot_be_read_is_said_before_the_run() -> None:
    whole = io.BytesIO()
    Image.new("RGB", (3_000, 2)).save(whole, format="PNG")
    cut = whole.getvalue()[:60]
    made = agent(["done"])
    with pytest.raises(nba.RunError, match=r"'photo' is an image that cannot be read \("):
        made.run("Look.", log="memory", attach={"photo": cut})
