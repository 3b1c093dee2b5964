"""What models do wrong: each is told, and the search survives it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.anytool.finding import AnyTool, AnyToolRun
from nbagents.messages import CallRequest
from nbagents.models.scripted import call
from nbagents.results import Usage
from nbagents.runs.drive import run_async
from tests.unit.anytool.world import ANSWER, FINISH, GIVE_UP, Cast, catalogue, key, once, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.models.model import ModelPart, ModelRequest
    from nbagents.runs.state import Run

CREATE = call("create_agent_category_level", category="Music")
ADD = call("add_apis_into_api_pool", apis=[key("Music", "Music0", "get")])


def run_of(model: Cast, **said: Any) -> Any:
    options: dict[str, Any] = {"seed": 2, **said}
    return AnyTool(catalogue(), model, **options).run("get weather", log="memory")


def last_told(model: Cast, role: str, at: int = -1) -> str:
    return told(model.asked(role)[at].messages[-1])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (call("create_agent_category_level", category="Musik"), "Did you mean 'Music'?"),
        (call("create_agent_category_level", category=3), "category"),
        (call("create_agent_category_level"), "category"),
        (call("no_such_function", x=1), "no_such_function"),
        (call("get_tools_in_category", category="Music", page=9), "There are 1 pages"),
        (call("get_tools_descriptions", category="Music", tools=["Musik0"]), "Did you mean"),
        (call("get_tools_descriptions", category="Music", tools=["x"] * 11), "At most 10 tools"),
        (CallRequest(id="a", name="create_agent_category_level", arguments="{oops"), "JSON"),
    ],
)
def test_a_wrong_call_is_told_and_the_agent_goes_on(wrong: CallRequest, said: str) -> None:
    model = Cast(solver=once(GIVE_UP, then=ANSWER), meta=once(wrong, [CREATE]), tool=once([ADD]))
    run = run_of(model)
    assert said in last_told(model, "meta", 1)
    assert run.is_solved
    assert "music0__get" in run.pool


def test_a_category_in_other_letters_is_understood() -> None:
    create = call("create_agent_category_level", category="mUSIC ")
    run = run_of(Cast(solver=GIVE_UP, meta=once([create]), tool=once([ADD])))
    assert "music0__get" in run.pool


def test_too_many_tools_for_one_agent_are_refused_with_the_number() -> None:
    tools = [f"Weather{number}" for number in range(6)]
    many = call("create_agent_tool_level", category="Weather", tools=tools)
    model = Cast(
        solver=GIVE_UP,
        meta=once([call("create_agent_category_level", category="Weather")]),
        category=once([many]),
    )
    run_of(model)
    assert "at most, and these are 6" in last_told(model, "category", 1)
    assert model.asked("tool") == []


def test_an_agent_that_is_there_already_is_not_created_again() -> None:
    model = Cast(solver=GIVE_UP, meta=once([CREATE, CREATE], [CREATE]), tool=once([ADD]))
    run = run_of(model)
    assert len(run.children[1].children) == 1
    assert "There is an agent for it already" in last_told(model, "meta")


def test_apis_that_are_not_there_are_told_and_the_others_are_added() -> None:
    apis = [key("Music", "Music0", "gat"), key("Music", "Music0", "list"), key("M", "x", "y")]
    model = Cast(
        solver=GIVE_UP,
        meta=once([CREATE]),
        tool=once([call("add_apis_into_api_pool", apis=apis)], [ADD, ADD]),
    )
    run = run_of(model)
    said = json.loads(last_told(model, "tool", 1))
    assert said["added"] == ["music0__list"]
    assert len(said["unknown"]) == 2
    assert json.loads(last_told(model, "tool", 2))["already_in_pool"] == ["music0__get"]
    assert run.pool.count("music0__get") == 1


def test_what_would_overfill_the_pool_is_refused_with_the_numbers() -> None:
    apis = [key("Music", f"Music{number}", "get") for number in range(3)]
    model = Cast(
        solver=GIVE_UP,
        meta=once([CREATE]),
        tool=once([call("add_apis_into_api_pool", apis=apis)]),
    )
    run = run_of(model, pool_size=4)
    said = json.loads(last_told(model, "tool", 1))
    assert said["refused"].startswith("Nothing was added: the pool holds 2 of 4 APIs, and these")
    assert len(run.pool) == 2


def test_a_full_pool_ends_the_search() -> None:
    model = Cast(solver=GIVE_UP, meta=once([CREATE], then=CREATE), tool=once([ADD], then=ADD))
    run = run_of(model, pool_size=3)
    assert len(run.pool) == 3
    assert [role for role, _ in model.requests] == ["solver", "meta", "tool", "solver"]
    assert "The pool is full." in run.text


@pytest.mark.parametrize("said", ["I think that Music fits.", ""])
def test_an_agent_that_only_talks_is_told_once(said: str) -> None:
    model = Cast(solver=once(GIVE_UP, then=ANSWER), meta=said)
    run = run_of(model, max_rounds=1)
    assert len(model.asked("meta")) == 2
    assert last_told(model, "meta").startswith("You called no function.")
    assert not run.is_solved


def test_a_solver_that_only_talks_is_told_once_and_then_taken_at_its_word() -> None:
    model = Cast(solver="It is four.")
    run = run_of(model)
    assert (run.text, len(model.asked("solver"))) == ("It is four.", 2)
    assert run.is_solved


def test_a_solver_that_is_sorry_in_plain_words_has_given_up() -> None:
    model = Cast(solver="Unfortunately I have nothing that plays music.", meta=FINISH)
    run = run_of(model)
    assert not run.is_solved
    assert len(model.asked("meta")) == 1


def test_an_api_may_be_named_as_the_solver_calls_it() -> None:
    named = call("add_apis_into_api_pool", apis=[key("Music", "Music0", "music0__get")])
    run = run_of(Cast(solver=GIVE_UP, meta=once([CREATE]), tool=once([named])))
    assert "music0__get" in run.pool


def test_a_solver_that_says_nothing_gives_no_answer() -> None:
    run = run_of(Cast(solver=""))
    assert not run.is_solved
    assert run.text.startswith("Not answered")


def test_an_answer_without_words_is_none() -> None:
    empty = call("Finish", return_type="give_answer")
    model = Cast(solver=once(empty, then=ANSWER))
    run = run_of(model)
    assert "needs the answer" in last_told(model, "solver")
    assert run.text == "It is done."


def test_an_agent_whose_model_fails_is_told_of_and_the_others_go_on() -> None:
    def tool(request: ModelRequest) -> Any:
        if '"Weather"' in told(request.messages[-1]):
            raise nba.ModelError("the provider is down")
        is_first = len(request.messages) < 3
        return ADD if is_first else FINISH

    weather = call("create_agent_category_level", category="Weather")
    model = Cast(
        solver=once(GIVE_UP, then=ANSWER),
        meta=once([weather, CREATE]),
        category=once([call("create_agent_tool_level", category="Weather", tools=["Weather0"])]),
        tool=tool,
    )
    run = run_of(model)
    assert run.is_solved
    assert "music0__get" in run.pool
    (failed,) = [one for one in run.children[1].children if "Weather" in one.agent_name]
    assert "the provider is down" in (failed.calls[0].content or "")


@pytest.mark.parametrize("role", ["solver", "meta"])
def test_where_the_provider_is_down_for_all_the_run_fails_and_says_so(role: str) -> None:
    parts: dict[str, Any] = {"solver": GIVE_UP, role: nba.ModelError("the provider is down")}
    with pytest.raises(nba.ModelError, match="the provider is down"):
        run_of(Cast(**parts))


def test_inside_of_an_agent_that_is_a_failed_call_of_which_it_is_told() -> None:
    anytool = AnyTool(catalogue(), Cast(solver=nba.ModelError("the provider is down")), seed=2)
    model = nba.ScriptedModel([call("anytool", request="get weather"), "I could not find out."])
    run = nba.Agent("boss", tools=[anytool], model=model).run("How is it?", log="memory")
    assert "the provider is down" in (run.calls[0].content or "")
    assert run.text == "I could not find out."


def test_a_model_that_never_ends_comes_to_the_limits() -> None:
    """All that it says is allowed, and none of it ends anything."""
    pages = call("get_tools_in_category", category="Music")
    model = Cast(
        solver=GIVE_UP,
        meta=once([CREATE], then=pages),
        tool=call("check_if_request_solvable"),
        check="Unsolvable",
    )
    run = run_of(model, max_steps=3, max_rounds=3)
    assert len(model.asked("check")) == 2  # once a round in which its agent goes on
    assert not run.is_solved
    assert run.status == "completed"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"max_tokens": 5_000}, "max_tokens=5000"),
        ({"max_calls": 6}, "max_calls=6"),
        ({"max_cost": 0.01, "prices": {"cast": {"input": 2.0, "output": 2.0}}}, "max_cost=0.01"),
    ],
)
def test_the_budget_is_one_for_the_whole_tree(limits: dict[str, Any], said: str) -> None:
    pages = call("get_tools_in_category", category="Music")
    used = Usage(input_tokens=900, output_tokens=100, requests=1)
    model = Cast(used, solver=GIVE_UP, meta=once([CREATE], then=pages), tool=ADD)
    run = run_of(model, **limits)
    assert run.status == "limit"
    failure = run.tree()["runs"][run.id]["failure"]
    assert said in failure["message"].replace(",", "")
    assert run.text.startswith("Not answered")
    spent = run.usage
    assert spent.total_tokens <= 5_000 + 3 * 1_000  # a last word of each run that was open


class Hanging:
    """A model whose tool agents wait for ever."""

    name = "hanging"

    def __init__(self) -> None:
        self.inner = Cast(solver=GIVE_UP, meta=once([CREATE]))
        self.waits = asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Wait, or say what the part says."""
        if any(one.name == "add_apis_into_api_pool" for one in request.tools):
            self.waits.set()
            await asyncio.Event().wait()
        async for part in self.inner.stream(request):
            yield part


def test_stop_ends_all_agents_of_the_tree() -> None:
    async def stopped() -> Run:
        model = Hanging()
        anytool = AnyTool(catalogue(), model, seed=2)
        run, plan = anytool.begin("get weather", "memory")
        task = asyncio.ensure_future(run_async(run, plan))
        await model.waits.wait()
        run.stop()
        with pytest.raises(asyncio.CancelledError):
            await task
        return run

    run = asyncio.run(asyncio.wait_for(stopped(), 60))
    inside = [run, *run.children, *run.children[1].children]
    assert [one.status for one in inside] == [*("cancelled", "completed", "cancelled", "cancelled")]
    assert all(one.is_closed for one in inside)


def test_the_time_of_the_whole_tree_ends_all_agents() -> None:
    run = AnyTool(catalogue(), Hanging(), seed=2, timeout_s=0.5).run("get weather", log="memory")
    assert run.status == "limit"
    assert run.text.startswith("Not answered")
    meta = [one for one in run.children if one.agent_name == "meta agent"]
    assert all(one.is_closed for one in (run, *run.children, *meta))


def test_several_runs_of_one_anytool_know_nothing_of_each_other() -> None:
    anytool = AnyTool(catalogue(), Cast(solver=ANSWER), seed=3)

    async def both() -> tuple[AnyToolRun, AnyToolRun]:
        first = anytool.arun("get weather 1", log="memory")
        second = anytool.arun("list music 2", log="memory")
        return await asyncio.gather(first, second)

    one, other = asyncio.run(both())
    assert one.pool != other.pool
    assert len(one.pool) == len(other.pool) == 3


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"seed": 65}, "seed"),
        ({"seed": -1}, "seed"),
        ({"pool_size": 0}, "pool_size"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"tools_per_agent": True}, "tools_per_agent"),
        ({"on_await": "suspend"}, "cannot be suspended"),
        ({"max_tokens": -3}, "max_tokens"),
    ],
)
def test_what_cannot_be_is_refused_at_once(said: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        AnyTool(catalogue(), Cast(), **said)


def test_a_request_that_says_nothing_or_shares_something_is_refused() -> None:
    anytool = AnyTool(catalogue(), Cast())
    with pytest.raises(ValueError, match="say what you want"):
        anytool.run(" ")
    with pytest.raises(ValueError, match="takes no vars"):
        anytool.run("x", vars={"a": 1})


def test_an_empty_catalogue_is_said_to_have_nothing() -> None:
    run = AnyTool(nba.Catalogue(), Cast(meta=FINISH)).run("weather", log="memory")
    assert "No API of the catalogue was found for it." in run.text
    assert run.pool == ()
