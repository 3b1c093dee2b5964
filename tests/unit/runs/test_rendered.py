"""What the log says of each request: all that the model saw, and nothing twice."""

from __future__ import annotations

from typing import Any

from nbagents.results import ImagePart
from nbagents.runs.drive.entrance import run_blocking
from nbagents.runs.state.run.run import Run
from nbagents.runs.tree.shown_messages import FULL_SCHEMAS
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, double, request, turn


def requests(run: Run) -> list[dict[str, Any]]:
    return [dict(one) for one in run.tree()["runs"][run.id]["requests"]]


def test_the_first_request_has_instructions_prompt_and_tools() -> None:
    asked = agent([turn(text="hi")], [double], instructions="Be brief.")
    (first,) = requests(asked.run("Say hi", log="memory"))
    assert [(one["role"], one["text"]) for one in first["messages"]] == [
        ("system", "Be brief."),
        ("user", "Say hi"),
    ]
    (tool,) = first["schemas"]
    assert tool["name"] == "double"
    assert tool["parameters"]["properties"]["number"] == {"type": "integer"}


def test_later_requests_repeat_neither_results_nor_tools() -> None:
    steps = [turn(request("c1", "double", number=4)), turn(text="8")]
    _, second = requests(agent(steps, [double]).run("Double 4", log="memory"))
    assert second.pop("at") > 0
    assert second == {"step": 2, "message_count": 3, "messages": [], "schemas": None}


def test_an_image_is_shown_by_what_it_is() -> None:
    photo = ImagePart(data=b"12345", name="photo")
    (first,) = requests(agent([turn(text="a cat")]).run("What?", attach=photo, log="memory"))
    assert first["messages"][-1]["parts"] == ["photo: image/png, 5 bytes"]


def test_what_a_chat_said_before_is_part_of_the_first_request() -> None:
    steps = [turn(request("c1", "double", number=4)), turn(text="8"), turn(text="8 again")]
    asked = agent(steps, [double])
    log = asked.run("Double 4", chat="sums", log="memory").session
    (first,) = requests(asked.run("Again", chat="sums", log=log))
    roles = [one["role"] for one in first["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant", "user"]
    assert first["messages"][1]["calls"][0]["name"] == "double"
    assert first["messages"][2]["call_id"] == "c1"


def test_of_very_many_tools_only_names_and_descriptions_are_kept() -> None:
    tools = [
        Tool(double, ToolOptions(name=f"double{number}")) for number in range(FULL_SCHEMAS + 1)
    ]
    (first,) = requests(agent([turn(text="hi")], tools).run("hi", log="memory"))
    assert len(first["schemas"]) == FULL_SCHEMAS + 1
    assert {one["parameters"] for one in first["schemas"]} == {None}


def test_what_the_person_did_is_told_with_the_next_request_and_once() -> None:
    said = iter(["The user moved the map.", None])
    tool = Tool(double, ToolOptions(news=lambda: next(said)))
    steps = [turn(request("c1", "double", number=4)), turn(text="8")]
    run = agent(steps, [tool]).run("Double 4", log="memory")
    first, second = requests(run)
    assert [one["text"] for one in first["messages"]] == ["Double 4", "The user moved the map."]
    assert second["messages"] == []


def test_a_notice_in_mid_run_is_told_with_the_next_request_the_last_of_a_key_counts() -> None:
    runs: list[Run] = []

    def look() -> str:
        """Look."""
        runs[0].notice("at 1", key="map")
        runs[0].notice("at 2", key="map")
        runs[0].notice("clicked")
        return "seen"

    asked = agent([turn(request("c1", "look")), turn(text="ok")], [look])
    run, plan = asked.begin("Look", "memory")
    runs.append(run)
    run_blocking(run, plan)
    _, second = requests(run)
    assert [one["text"] for one in second["messages"]] == ["at 2\nclicked"]


def test_tools_with_the_same_news_are_asked_once() -> None:
    asked: list[int] = []

    def news() -> None:
        asked.append(1)

    tools = [Tool(double, ToolOptions(name=name, news=news)) for name in ("one", "two")]
    agent([turn(text="hi")], tools).run("hi", log="memory")
    assert asked == [1]
