"""A computer that a model drives: what is done, in which order, and what is not done at all."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Sequence
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import ToolArgumentsError, ToolDefinitionError, ToolError
from nbagents.messages import CallRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.results import FieldIssue, ImagePart
from nbagents.tools.context.context import Context
from nbagents.tools.tool.computer import Computer, ComputerProvider
from nbagents.tools.tool.definition import Tool
from nbagents.tools.tool.toolset import resolve_tools
from tests.unit.models.published import faults

PNG = b"\x89PNG\r\n"
SHOT = ImagePart(data=PNG, name="screenshot")
CHECK = {"id": "sc_1", "code": "malicious_instructions", "message": "Look out."}
ACTIONS: list[dict[str, Any]] = [
    {"type": "screenshot"},
    {"type": "click", "x": 1, "y": 2, "button": "right"},
    {"type": "double_click", "x": 3, "y": 4},
    {"type": "scroll", "x": 5, "y": 6, "scroll_x": 0, "scroll_y": -100},
    {"type": "type", "text": "hi"},
    {"type": "wait"},
    {"type": "move", "x": 7, "y": 8},
    {"type": "keypress", "keys": ["CTRL", "A"]},
    {"type": "drag", "path": [{"x": 1, "y": 1}, {"x": 2, "y": 2}]},
]


SCROLLS = ["scroll_x", "scroll_y"]


class Screen:
    """Notes what is done."""

    environment = "browser"

    def __init__(self, shot: Any = PNG) -> None:
        self.done: list[tuple[object, ...]] = []
        self.shot = shot

    def size(self) -> tuple[int, int]:
        return 800, 600

    def screenshot(self) -> Any:
        return self.shot

    def click(self, x: int, y: int, button: str, keys: Sequence[str] = ()) -> None:
        self.done.append(("click", x, y, button, *keys))

    def double_click(self, x: int, y: int) -> None:
        self.done.append(("double_click", x, y))

    def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int) -> None:
        self.done.append(("scroll", x, y, scroll_x, scroll_y))

    def type(self, text: str) -> None:
        self.done.append(("type", text))

    def wait(self) -> Any:
        self.done.append(("wait",))

    def move(self, x: int, y: int) -> None:
        self.done.append(("move", x, y))

    def keypress(self, keys: Sequence[str]) -> None:
        self.done.append(("keypress", *keys))

    def drag(self, path: Sequence[tuple[int, int]]) -> None:
        self.done.append(("drag", *path))


class AsyncScreen(Screen):
    """The same, with methods that wait."""

    async def click(self, x: int, y: int, button: str, keys: Sequence[str] = ()) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  it waits
        await asyncio.sleep(0)
        super().click(x, y, button, keys)

    async def screenshot(self) -> bytes:
        await asyncio.sleep(0)
        return self.shot


class Trusting(Screen):
    """Takes responsibility for whatever it is told to."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer
        self.asked: list[object] = []

    def check_safety(self, checks: object) -> object:
        self.asked.append(checks)
        return self.answer


def tool_of(provider: ComputerProvider, **options: Any) -> Tool:
    (tool,) = resolve_tools([Computer(provider, **options)])
    return tool


def drive(provider: ComputerProvider, *actions: dict[str, Any], checks: Any = None) -> object:
    """What the tool gives for a call with these actions."""
    given = {"actions": list(actions)}
    result = tool_of(provider)(given | ({"pending_safety_checks": checks} if checks else {}))
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def _awaited(result: Any) -> object:
    return await result


@pytest.mark.parametrize("kind", [Screen, AsyncScreen])
def test_actions_are_done_in_order_and_the_screen_is_shown(kind: type[Screen]) -> None:
    screen = kind()
    assert drive(screen, *ACTIONS) == SHOT
    assert screen.done == [
        ("click", 1, 2, "right"),
        ("double_click", 3, 4),
        ("scroll", 5, 6, 0, -100),
        ("type", "hi"),
        ("wait",),
        ("move", 7, 8),
        ("keypress", "CTRL", "A"),
        ("drag", (1, 1), (2, 2)),
    ]


def test_a_plain_computer_is_driven_on_the_main_thread_and_an_async_one_on_the_loop() -> None:
    assert not tool_of(Screen()).is_async
    assert tool_of(AsyncScreen()).is_async


def test_a_screenshot_may_be_a_jpeg() -> None:
    jpeg = b"\xff\xd8\xff\xe0"
    shot = ImagePart(media_type="image/jpeg", data=jpeg, name="screenshot")
    assert drive(Screen(jpeg), ACTIONS[0]) == shot


@pytest.mark.parametrize("shot", ["iVBO", b"GIF89a", None])
def test_what_is_no_picture_is_refused(shot: object) -> None:
    with pytest.raises(ToolError, match="is no PNG"):
        drive(Screen(shot), ACTIONS[0])


def test_keys_are_held_where_the_computer_can() -> None:
    screen = Screen()
    drive(screen, {"type": "click", "x": 1, "y": 2, "keys": ["SHIFT"]})
    assert screen.done == [("click", 1, 2, "left", "SHIFT")]
    with pytest.raises(ToolError, match=r"cannot hold CTRL\+SHIFT during a move"):
        drive(screen, ACTIONS[1], {"type": "move", "x": 1, "y": 2, "keys": ["CTRL", "SHIFT"]})
    assert len(screen.done) == 1


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"type": "click", "x": 1}, "'click' lacks y"),
        ({"type": "drag", "path": [{"x": 1}]}, "list of points"),
        ({"type": "drag", "path": 3}, "list of points"),
    ],
)
def test_nothing_is_done_if_any_action_makes_no_sense(action: dict[str, Any], said: str) -> None:
    screen = Screen()
    with pytest.raises(ToolArgumentsError, match=said):
        drive(screen, ACTIONS[1], action)
    assert screen.done == []


def test_safety_checks_are_acknowledged_only_by_the_provider() -> None:
    trusting = Trusting(answer=True)
    assert drive(trusting, ACTIONS[1], checks=[CHECK]) == SHOT
    assert trusting.asked == [[CHECK]]
    drive(trusting, ACTIONS[1])
    assert trusting.asked == [[CHECK]]


@pytest.mark.parametrize("screen", [Trusting(answer=False), Trusting(answer="yes"), Screen()])
def test_without_it_the_call_is_denied_and_nothing_is_clicked(screen: Screen) -> None:
    with pytest.raises(ToolError, match=r"Denied, and nothing was done: .*Look out\."):
        drive(screen, ACTIONS[1], checks=[CHECK])
    assert screen.done == []


def test_a_plain_method_that_must_be_waited_for_is_told() -> None:
    class Odd(Screen):
        def wait(self) -> Any:
            return asyncio.sleep(0)

    with pytest.raises(ToolError, match="make it async"):
        drive(Odd(), {"type": "wait"})


def test_it_is_offered_in_the_new_way_and_in_the_older() -> None:
    new = tool_of(Screen()).options.hosted
    older = tool_of(Screen(), preview=True).options.hosted
    assert new == {"type": "computer"}
    assert older == {
        "type": "computer_use_preview",
        "display_width": 800,
        "display_height": 600,
        "environment": "browser",
    }
    body = {"model": "m", "stream": True, "input": "x", "tools": [new, older]}
    assert faults("/responses", body) == []


def test_its_arguments_are_checked_like_those_of_any_tool() -> None:
    tool = tool_of(Screen())
    wrong: list[dict[str, Any]] = [{}, {"actions": []}, {"actions": [{"type": "dance"}]}]
    for arguments in wrong:
        issues = tool.bind(arguments, Context())
        assert isinstance(issues, tuple)
        assert isinstance(issues[0], FieldIssue)
    assert not isinstance(tool.bind({"actions": [*ACTIONS]}, Context()), tuple)


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ({"type": "click", "x": "a", "y": None}, ["x", "y"]),
        ({"type": "click", "x": 1.5, "y": 2}, ["x"]),
        ({"type": "click", "x": 1, "y": 2, "button": "middle"}, ["button"]),
        ({"type": "click", "x": 1, "y": 2, "keys": "SHIFT"}, ["keys"]),
        ({"type": "double_click", "x": [1], "y": 2}, ["x"]),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_x": None, "scroll_y": "far"}, SCROLLS),
        ({"type": "type", "text": 3}, ["text"]),
        ({"type": "keypress", "keys": [1]}, ["keys.0"]),
        ({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": "a"}]}, ["path.1.y", "path.1.x"]),
    ],
)
def test_a_field_of_another_type_is_named_before_anything_is_done(
    action: dict[str, Any], fields: list[str]
) -> None:
    found = tool_of(Screen()).bind({"actions": [ACTIONS[1], action]}, Context())
    assert isinstance(found, tuple)
    assert [one.field for one in found] == [f"actions.1.{field}" for field in fields]


def test_in_a_run_the_model_is_told_and_nothing_is_clicked() -> None:
    screen = Screen()
    actions = [ACTIONS[1], {"type": "click", "x": "a", "y": None}]
    call = CallRequest(id="c1", name="computer", arguments=json.dumps({"actions": actions}))
    model = ScriptedModel([[call], "done"])
    run = Agent(tools=[Computer(screen)], model=model).run("hi", log="memory")
    assert run.status == "completed"
    assert run.calls[0].failure is not None
    assert run.calls[0].failure.kind == "invalid_call"
    assert "actions.1.x" in run.calls[0].failure.message
    assert screen.done == []


def test_null_for_the_keys_holds_none() -> None:
    given: Any = {"actions": [{"type": "move", "x": 1, "y": 2, "keys": None}]}
    assert not isinstance(tool_of(Screen()).bind(given, Context()), tuple)


def test_what_cannot_be_driven_is_no_computer() -> None:
    with pytest.raises(ToolDefinitionError, match=r"object is no computer: it has no click, "):
        Computer(object())  # pyright: ignore[reportArgumentType]  the mistake


def test_the_older_way_takes_only_the_kinds_that_it_knows() -> None:
    class Toaster(Screen):
        environment = "toaster"

    assert Computer(Toaster()).tools()
    with pytest.raises(ToolDefinitionError, match=r"one of windows, mac, .*, not 'toaster'"):
        Computer(Toaster(), preview=True)
