"""What follows on a give-up: pruning, agents resumed deepest first, and when it is over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.anytool.finding import AnyTool
from nbagents.catalogue import Catalogue
from nbagents.models.scripted import call
from tests.unit.anytool.world import ANSWER, FINISH, GIVE_UP, Cast, catalogue, key, once, told

if TYPE_CHECKING:
    from nbagents.models.model import ModelRequest
    from nbagents.runs.state import Run


def gives_up(reason: str) -> Any:
    return call("Finish", return_type="give_up_and_restart", reason=reason)


def names(run: Run) -> list[str]:
    return [child.agent_name for child in run.children]


def levels_of(run: Run) -> list[Any]:
    """Which levels were resumed, in order."""
    given: list[Any] = [one.arguments for one in run.calls if one.name == "resume_agents"]
    return [one["level"] for one in given]


def pool_of(run: Run) -> Any:
    shown = [
        one["payload"]["value"]
        for one_call in run.tree()["runs"][run.id]["calls"].values()
        for one in one_call["payloads"]
    ]
    return shown[-1]


def test_the_reason_prunes_the_apis_that_it_names_and_no_others() -> None:
    reason = "weather1__get answers 404, and weather1__get_more is none; see 'count'."
    model = Cast(solver=gives_up(reason), meta=FINISH)
    run = AnyTool(catalogue(), model, seed=33).run("get weather 1", log="memory")
    pruned = pool_of(run)["pruned"]
    assert "weather1__get" not in run.pool
    assert {one["name"] for one in pruned} == {
        "weather1__get",
        *(one["name"] for one in pruned if one["api"] == "count"),
    }
    assert "weather2__get" in run.pool
    assert {one["why"] for one in pruned} == {reason}
    (asked,) = model.asked("meta")
    assert "weather1__get" in told(asked.messages[-1]).split("taken out of the pool:")[1]


def test_what_was_pruned_may_come_back_where_an_agent_asks_for_it_and_is_told() -> None:
    model = Cast(
        solver=once(gives_up("music0__get does not work."), then=ANSWER),
        meta=once([call("create_agent_category_level", category="Music")]),
        tool=once([call("add_apis_into_api_pool", apis=[key("Music", "Music0", "get")])]),
    )
    run = AnyTool(catalogue(), model, seed=9).run("get music 0", log="memory")
    assert "music0__get" in run.pool
    added = json.loads(told(model.asked("tool")[1].messages[-1]))
    assert added["note"] == [
        "music0__get was taken out of the pool before: music0__get does not work."
    ]


def test_a_limit_of_the_solver_prunes_nothing() -> None:
    """The words at a limit are the program's: they name what was asked for last."""
    model = Cast(solver=call("weather0__get", city="Oslo"), meta=FINISH)
    run = AnyTool(catalogue(), model, seed=33, max_steps=2).run("get weather", log="memory")
    assert pool_of(run)["pruned"] == []
    assert "came to its limit of 2 steps" in run.text


def levels(resumed: list[str]) -> Any:
    """All agents stop without `Finish`, in words, twice each time they are asked."""

    def said(role: str, *calls: Any) -> Any:
        first = once(*calls, then="I stop here.")

        def answer(request: ModelRequest) -> Any:
            last = told(request.messages[-1])
            if "could not be answered yet" in last and len(request.messages) > 2:
                resumed.append(role)
            return first(request)

        return answer

    create = call("create_agent_category_level", category="Weather")
    look = call("create_agent_tool_level", category="Weather", tools=["Weather0"])
    more = call("create_agent_tool_level", category="Weather", tools=["Weather1"])
    return {
        "meta": said("meta", [create]),
        "category": said("category", [look, more]),
        "tool": said("tool"),
    }


def test_the_deepest_agents_are_resumed_first_the_last_created_before_the_others() -> None:
    resumed: list[str] = []
    model = Cast(solver=GIVE_UP, **levels(resumed))
    run = AnyTool(catalogue(), model, seed=2, max_rounds=3).run("get weather", log="memory")
    calls = [one for one in run.calls if one.name == "resume_agents"]
    assert levels_of(run) == [3, 2]
    said = json.loads(calls[0].content or "")["resumed"]
    assert said == ["tool agent: Weather1", "tool agent: Weather0"]
    assert resumed == ["tool", "tool", "category"]
    assert "The limit of 3 rounds is reached." in run.text


def test_agents_that_finished_are_never_resumed_and_the_level_above_follows() -> None:
    resumed: list[str] = []
    parts = levels(resumed) | {"tool": FINISH}
    model = Cast(solver=GIVE_UP, **parts)
    run = AnyTool(catalogue(), model, seed=2, max_rounds=3).run("get weather", log="memory")
    assert levels_of(run) == [2, 1]
    assert resumed == ["category", "meta"]
    parts = levels(resumed) | {"tool": FINISH, "category": FINISH}
    resumed.clear()
    run = AnyTool(catalogue(), Cast(solver=GIVE_UP, **parts), seed=2, max_rounds=2).run(
        "get weather", log="memory"
    )
    assert resumed == ["meta"]


def test_a_resumed_agent_knows_what_it_said_and_why_it_is_resumed() -> None:
    resumed: list[str] = []
    model = Cast(solver=GIVE_UP, **levels(resumed))
    AnyTool(catalogue(), model, seed=2, max_rounds=2).run("get weather", log="memory")
    last = model.asked("tool")[-1]
    whole = [told(one) for one in last.messages]
    assert sum("Request: get weather" in one for one in whole) == 1
    assert "I stop here." in whole
    assert any("More is needed." in one and "Call Finish if there are none" in one for one in whole)


def test_calls_made_by_the_solver_are_known_to_its_next_attempt() -> None:
    def get(city: str) -> str:
        """Get the weather."""
        return f"Sun in {city}"

    made = catalogue()
    made.add(get, category="Weather", tool="own")
    script = once([call("get", city="Oslo")], GIVE_UP, then=ANSWER)
    model = Cast(
        solver=script,
        meta=once([call("create_agent_category_level", category="Music")]),
        tool=once([call("add_apis_into_api_pool", apis=[key("Music", "Music1", "list")])]),
    )
    AnyTool(made, model, seed=20).run("get the weather", log="memory")
    last = [told(one) for one in model.asked("solver")[-1].messages]
    assert "Sun in Oslo" in last


# The check


def test_the_check_is_made_once_a_round_and_ends_the_search_where_it_says_so() -> None:
    check = [call("add_apis_into_api_pool", apis=[key("Weather", "Weather0", "get")])]
    checks = [call("check_if_request_solvable"), call("check_if_request_solvable")]
    model = Cast(
        solver=once(GIVE_UP, then=ANSWER),
        check="Solvable: it has all that is needed.",
        meta=once([call("create_agent_category_level", category="Weather")], then="never"),
        category=once(
            [call("create_agent_tool_level", category="Weather", tools=["Weather0"])], then="never"
        ),
        tool=once(check, checks, then="never"),
    )
    run = AnyTool(catalogue(), model, seed=1).run("music", log="memory")
    assert len(model.asked("check")) == 1
    assert run.is_solved
    roles = [role for role, _ in model.requests]
    assert roles == ["solver", "meta", "category", "tool", "tool", "check", "solver"]


@pytest.mark.parametrize(
    "said",
    [
        *("Unsolvable.", "", "I cannot say", "no", "Not solvable"),
        *(
            "Solvable: no.",
            '{"solvable": false}',
            "**Solvable**? Not with these.",
            "solvable = False",
        ),
    ],
)
def test_another_word_of_the_check_lets_the_search_go_on(said: str) -> None:
    model = Cast(
        solver=once(GIVE_UP, then=ANSWER),
        check=said,
        meta=once([call("create_agent_category_level", category="Music")]),
        tool=once([call("check_if_request_solvable")], [call("check_if_request_solvable")]),
    )
    run = AnyTool(catalogue(), model, seed=1).run("music", log="memory")
    assert len(model.asked("check")) == 1
    assert [role for role, _ in model.requests].count("tool") == 3
    assert run.status == "completed"


# Large categories


def test_a_large_category_is_shown_by_pages_and_none_ends_with_nothing_before_the_last() -> None:
    model = Cast(
        solver=GIVE_UP,
        meta=once([call("create_agent_category_level", category="Weather")]),
        category=FINISH,
    )
    AnyTool(catalogue(Weather=130), model, seed=0).run("get weather", log="memory")
    asked = [told(one.messages[-1]) for one in model.asked("category")]
    told_it = [json.loads(one.rpartition("\n\n")[2]) for one in asked]
    assert [(one["page"], one["pages"], len(one["tools"])) for one in told_it] == [
        *((1, 3, 60), (2, 3, 60), (3, 3, 10))
    ]
    assert len({name for one in told_it for name in one["tools"]}) == 130


def test_what_has_found_something_may_end_and_may_ask_for_pages() -> None:
    key_of = key("Weather", "Weather0", "get")
    model = Cast(
        solver=GIVE_UP,
        meta=once([call("create_agent_category_level", category="Weather")]),
        category=once(
            [call("get_tools_in_category", category="Weather", page=2)],
            [call("create_agent_tool_level", category="Weather", tools=["Weather0"])],
        ),
        tool=once([call("add_apis_into_api_pool", apis=[key_of])]),
    )
    run = AnyTool(catalogue(Weather=130), model, seed=0).run("get weather", log="memory")
    assert run.pool == ("weather0__get",)
    assert len(model.asked("category")) == 3


def test_many_apis_of_a_tool_are_typed_on_pages_and_named_at_once() -> None:
    many = [
        {
            "category": "Big",
            "tool": "Tool",
            "api": f"api {number}",
            "description": "x",
            "parameters": {
                "type": "object",
                "properties": {"day": {"type": "string"}, "n": {"type": "integer"}},
                "required": ["day"],
            },
        }
        for number in range(90)
    ]
    model = Cast(solver=GIVE_UP, meta=once([call("create_agent_category_level", category="Big")]))
    AnyTool(Catalogue(many), model, seed=0).run("x", log="memory")
    sheet = json.loads(told(model.asked("tool")[0].messages[-1]).split("\n\n")[-1])
    assert sheet["apis"][0]["parameters"] == {"day": "string", "n": "integer?"}
    assert (len(sheet["apis"]), len(sheet["names_on_later_pages"])) == (40, 50)
    assert "get_apis_on_page" in {one.name for one in model.asked("tool")[0].tools}
