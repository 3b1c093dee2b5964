"""What goes into a run beside its prompt, and the form in which the answer comes out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, field_validator

from nbagents.agents import Agent
from nbagents.errors import ModelError, OutputError, RunError
from nbagents.messages import SystemMessage, UserMessage
from nbagents.models.model import HostedCall, ModelPart, ModelRequest, ModelTurn, ToolSpec
from nbagents.models.scripted import ScriptedModel
from nbagents.results import CallResult, Citation, FilePart, ImagePart, Result
from nbagents.runs.plan.brief import briefing
from nbagents.runs.plan.preview import estimated_tokens
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.function_agent import FunctionAgent
from nbagents.tools.tool.toolset import ToolsetView, toolset_of
from tests.unit.runs.desk import agent, double, request, run_of, turn
from tests.unit.tools.libraries import cities


class City(BaseModel):
    name: str
    people: int


@dataclass
class Spot:
    lon: float
    lat: float


QUITO = '{"name": "Quito", "people": 1978000}'


class Engine:
    """An object that no JSON can carry."""

    def __init__(self, power: int) -> None:
        self.power = power


def test_a_typed_answer_is_a_value_of_that_type() -> None:
    model = ScriptedModel([QUITO])
    run = Agent(model=model, output=City).run("Go", log="memory")
    assert run.output == City(name="Quito", people=1_978_000)
    assert (run.text, run.status) == (QUITO, "completed")
    asked = model.requests[0].output
    assert asked is not None
    assert (asked.name, asked.strict) == ("City", True)


@pytest.mark.parametrize(
    ("wanted", "answer", "value"),
    [
        (list[str], '{"value": ["a", "b"]}', ["a", "b"]),
        (list[str], '["a"]', ["a"]),
        (int, '{"value": 3}', 3),
        (Spot, '{"lon": 1, "lat": 2}', Spot(1.0, 2.0)),
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (City | None, '{"value": null}', None),
        (Literal["yes", "no"], "yes", "yes"),
        (date, "2026-11-20", date(2026, 11, 20)),
        (str, "just words", "just words"),
        (City, f"```json\n{QUITO}\n```", City(name="Quito", people=1_978_000)),
    ],
)
def test_any_type_that_json_can_carry_may_be_asked_for(
    wanted: Any, answer: str, value: object
) -> None:
    assert agent([answer], output=wanted).run("Go", log="memory").output == value


def test_a_wrong_answer_may_be_corrected_once() -> None:
    model = ScriptedModel(['{"name": "Quito", "people": "many"}', QUITO])
    run = Agent(model=model, output=City).run("Go", log="memory")
    assert run.output == City(name="Quito", people=1_978_000)
    correction = model.requests[1].messages[2]
    assert isinstance(correction, UserMessage)
    assert "people: Input should be a valid integer" in correction.text
    (check,) = [event for event in run.events if event.type == "guardrail"]
    assert (check.outcome, check.stage) == ("refuse", "output")


def test_a_second_wrong_answer_fails_the_run() -> None:
    with ScriptedModel(["no", "still no"]) as model:
        with pytest.raises(OutputError, match="also after it was asked") as caught:
            Agent(model=model, output=City).run("Go", log="memory")
        assert run_of(caught.value).status == "failed"


@pytest.mark.parametrize(
    ("error", "told"),
    [(KeyError("Paris"), "KeyError: 'Paris'"), (OSError(2, "gone", "/a/b"), "gone: '…/b'")],
)
def test_a_check_of_the_persons_that_breaks_costs_the_one_correction(
    error: Exception, told: str
) -> None:
    class Known(BaseModel):
        name: str

        @field_validator("name")
        @classmethod
        def is_known(cls, name: str) -> str:
            if name != "Quito":
                raise error
            return name

    model = ScriptedModel(['{"name": "Paris"}', '{"name": "Quito"}'])
    assert Agent(model=model, output=Known).run("Go", log="memory").output == Known(name="Quito")
    correction = model.requests[1].messages[2]
    assert isinstance(correction, UserMessage)
    assert told in correction.text
    assert "/a" not in correction.text
    with pytest.raises(OutputError, match="also after it was asked"):
        agent(['{"name": "Paris"}'] * 2, output=Known).run("Go", log="memory")


def test_a_refusal_is_not_asked_to_be_corrected() -> None:
    steps = [ModelTurn(text="I will not.", refused=True)]
    with pytest.raises(OutputError, match="refuses to answer: I will not"):
        agent(steps, output=City).run("Go", log="memory")


def test_commands_do_not_end_a_run_whose_answer_has_a_form() -> None:
    beep = Tool(double, ToolOptions(command=True))
    run = agent([turn(request("a", "double", number=1)), QUITO], [beep], output=City).run(
        "Go", log="memory"
    )
    assert run.output.name == "Quito"


def test_a_type_without_json_form_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(OutputError, match="cannot have the type Engine"):
        agent([], output=Engine).run("Go", log="memory")


def test_a_shared_object_reaches_the_tool_and_never_the_model() -> None:
    def read(engine: Engine) -> int:
        return engine.power

    model = ScriptedModel([turn(request("a", "read", engine="mine")), "ok"])
    run = Agent(tools=[read], model=model).run(
        "Go", log="memory", vars={"mine": Engine(93), "rows": ["secret"] * 3}
    )
    assert run.calls[0].content == "93"
    asked = model.requests[0]
    assert asked.tools[0].handles == {"engine": "Engine"}
    assert [info.name for info in asked.handles] == ["mine", "rows"]
    told = asked.messages[0]
    assert isinstance(told, UserMessage)
    assert "- mine: Engine" in told.told
    assert "secret" not in told.told
    (said,) = [event for event in run.events if event.type == "user_message"]
    assert len(said.shared) == 2


def test_a_result_that_no_json_can_carry_is_taken_by_the_next_call() -> None:
    def build(power: int) -> Engine:
        return Engine(power)

    def read(engine: Engine) -> int:
        return engine.power

    def look(asked: ModelRequest) -> ModelTurn:
        assert [info.name for info in asked.handles] == ["r1"]
        return turn(request("b", "read", engine="r1"))

    run = agent([turn(request("a", "build", power=5)), look, "ok"], [build, read]).run(
        "Go", log="memory"
    )
    built, was_read = run.calls
    assert (built.handle, was_read.content) == ("r1", "5")
    assert "r1" in (built.content or "")
    assert run.values["r1"] is built.value
    assert isinstance(built.value, Engine)


def test_an_unknown_handle_is_told_with_those_that_there_are() -> None:
    def read(engine: Engine) -> int:
        return engine.power

    run = agent([turn(request("a", "read", engine="myne")), "ok"], [read]).run(
        "Go", log="memory", vars={"mine": Engine(1)}
    )
    assert run.calls[0].failure is not None
    assert "'mine'" in run.calls[0].failure.message


PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01" + b"\0" * 20


def test_attached_images_and_files_go_along_with_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    image = ImagePart(url="https://example.org/a.png", name="far")
    model = ScriptedModel(["ok"])
    run = Agent(model=model).run(
        "Go",
        log="memory",
        attach={"near": PNG, "far": image, "notes": tmp_path / "notes.txt", "engine": Engine(1)},
    )
    said = model.requests[0].messages[0]
    assert isinstance(said, UserMessage)
    assert [type(part) for part in said.parts] == [ImagePart, ImagePart, FilePart]
    assert "engine: Engine" in said.told
    shared = run.tree()["runs"][run.id]["shared"]
    assert any("notes.txt: text/plain, 5 bytes" in line for line in shared)
    assert str(tmp_path) not in str(shared)


def test_an_attached_path_must_be_a_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.png", tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(RunError, match="There is no file"):
            agent([]).run("Go", log="memory", attach=[path])


def attachment(attached: Any, shared: dict[str, object] | None = None) -> list[str]:
    """What one run begins with, a line each."""
    return list(briefing("Go", attached=attached, shared=shared).shared)


@pytest.mark.parametrize(
    ("thing", "line"),
    [
        ("only a text", "attachment1: str, 11 characters"),
        (b"only bytes", "attachment1: application/octet-stream, 10 bytes"),
        (PNG, f"attachment1: image/png, {len(PNG)} bytes"),
        (ImagePart(data=PNG, name="near"), f"near: image/png, {len(PNG)} bytes"),
        (FilePart(name="a.txt", data=b"a"), "a.txt: application/octet-stream, 1 bytes"),
        (cities(), "attachment1: DataFrame, 3 rows × 2 columns"),
        (Engine(1), "attachment1: Engine"),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_one_thing_is_attached_as_that_one_thing(thing: object, line: str) -> None:
    (told,) = attachment(thing)
    assert told.startswith(line)
    assert attachment([thing]) == attachment(iter([thing])) == [told]


def test_a_text_that_names_a_file_is_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    told = ["notes.txt: text/plain, 5 bytes"]
    for thing in ("notes.txt", Path("notes.txt"), "~/notes.txt", str(tmp_path / "notes.txt")):
        assert attachment(thing) == attachment([thing]) == attachment({"n": thing}) == told
    for text in ("word " * 100, "~nobody/notes", "a\0b", str(tmp_path)):
        assert attachment(text)[0].startswith("attachment1: str")


def test_an_attachment_never_replaces_a_shared_object() -> None:
    rows = [1]
    with pytest.raises(RunError, match="'rows' is already in vars"):
        attachment({"rows": [2]}, {"rows": rows})
    with pytest.raises(RunError, match="'attachment1' is already in vars"):
        attachment([rows], {"attachment1": [1]})
    assert attachment({"rows": rows}, {"rows": rows}) == ["rows: list of int, 1 item"]


def test_an_image_of_a_tool_goes_to_the_model_beside_its_text() -> None:
    def draw() -> ImagePart:
        return ImagePart(data=PNG)

    model = ScriptedModel([turn(request("a", "draw")), "ok"])
    Agent(tools=[draw], model=model).run("Go", log="memory")
    told = model.requests[1].messages[2]
    assert told.role == "tool"
    assert [type(part) for part in told.parts] == [ImagePart]


def test_side_data_reaches_the_toolset_it_is_for() -> None:
    seen: list[object] = []

    def look(ctx: Context) -> str:
        seen.append(dict(ctx.passthrough))
        return "ok"

    tools = [toolset_of("one", {"look": look}), toolset_of("two", {"look": look})]
    steps = [turn(request("a", "one--look"), request("b", "two--look")), "ok"]
    agent(steps, tools).run("Go", log="memory", passthrough={"one": {"key": 1}})
    assert seen == [{"key": 1}, {}]


def test_side_data_reaches_a_toolset_that_a_view_has_renamed() -> None:
    seen: list[object] = []

    def lamp(data: dict[str, object]) -> str:
        seen.append(data)
        return "ok"

    made = FunctionAgent("lamp", lamp, [{"name": "dim"}])
    view = ToolsetView(made, rename="light")
    for given in ({"lamp": {"k": 1}}, {"lamp": {"k": 1}, "light": {"k": 2}}, {}):
        steps = [turn(request("a", "light--dim")), "ok"]
        agent(steps, [view]).run("Go", log="memory", passthrough=given)
    assert seen == [{"k": 1}, {"k": 2}, {}]


def test_data_is_read_by_call_and_by_name() -> None:
    def place(name: str) -> Result:
        return Result(f"Found {name}.", data={"name": name}, extra={"score": len(name)})

    calls = turn(request("a", "place"), request("b", "place"))
    steps = [
        ModelTurn(
            calls=tuple(
                type(call)(id=call.id, name=call.name, arguments=json.dumps({"name": name}))
                for call, name in zip(calls.calls, ("Rome", "Oslo!"), strict=True)
            )
        ),
        "ok",
    ]
    run = agent(steps, [place]).run("Go", log="memory")
    assert run.data == {"a": {"name": "Rome"}, "b": {"name": "Oslo!"}}
    assert run.data.by_name == {
        "place": {"content": "Found Oslo!.", "data": {"name": "Oslo!"}, "score": 5}
    }


class Searching:
    """A model whose provider searches by itself."""

    name = "searching"

    def __init__(self, *, breaks: bool = False) -> None:
        self.breaks = breaks

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        yield HostedCall(id="s1", name="web_search", arguments={"query": "Quito"})
        if self.breaks:
            raise ModelError("it hung up")
        yield HostedCall(id="s1", name="web_search", result=CallResult(content="2 pages"))
        cited = Citation(url="https://example.org", title="Quito", start=0, end=5)
        yield ModelTurn(text="Quito is high.", citations=(cited,))


def test_a_call_that_the_provider_makes_is_a_call_of_the_tree() -> None:
    run = Agent(model=Searching()).run("Go", log="memory")
    (call,) = run.calls
    assert (call.name, call.status, call.content) == ("web_search", "done", "2 pages")
    assert call.arguments == {"query": "Quito"}
    assert run.tree()["runs"][run.id]["citations"][0]["url"] == "https://example.org"
    assert [message.role for message in run.messages] == ["user", "assistant"]


def test_a_hosted_call_is_closed_when_the_provider_breaks_off() -> None:
    with pytest.raises(ModelError) as caught:
        Agent(model=Searching(breaks=True)).run("Go", log="memory")
    assert run_of(caught.value).calls[0].status == "cancelled"


def test_a_preview_shows_what_would_be_sent_and_sends_nothing() -> None:
    with ScriptedModel([]) as model:
        made = Agent(
            "t", tools=[double], model=model, instructions="Be kind.", settings={"temperature": 0}
        )
        preview = made.preview("Double 2", vars={"rows": [1, 2]})
    assert model.requests == []
    system, user = preview.messages
    assert isinstance(system, SystemMessage)
    assert system.text == "Be kind."
    assert isinstance(user, UserMessage)
    assert user.told.startswith("Double 2\n\nThe user shares these objects, of which you see no")
    (tool,) = preview.tools
    assert isinstance(tool, ToolSpec)
    assert preview.settings == {"temperature": 0}
    assert 30 < preview.tokens < 200
    shown = str(preview)
    assert shown.startswith("Not sent. scripted, about ")
    assert "[tool] double: Double a number." in shown


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("Hello, world!", 3, 6),
        ("The quick brown fox jumps over the lazy dog.", 9, 12),
        ('{"type": "object", "properties": {"city": {"type": "string"}}}', 20, 40),
    ],
)
def test_tokens_are_estimated(text: str, low: int, high: int) -> None:
    assert low <= estimated_tokens(text) <= high
