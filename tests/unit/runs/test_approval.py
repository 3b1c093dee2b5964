"""Which calls need a person's consent, who gives it, and what is kept of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, double, request, run_of, turn

Asked = list[Await]


def yes(asked: Asked) -> Callable[[Await], Answer]:
    def answer(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="approve", by="Ada")

    return answer


def no(question: Await) -> Answer:
    return Answer(action="deny", note="not on a Friday", by=question.agent_name)


def wipe(path: str = "x", *, deep: bool = False) -> str:
    "Wipe something."
    return f"wiped {path}{' deeply' if deep else ''}"


def one(tool: Tool, **options: Any) -> Run:
    """The run of one call."""
    made = agent([turn(request("a", tool.name)), "done"], [tool], **options)
    return made.run("Go", log="memory")


RISKS = [
    (ToolOptions(), False),
    (ToolOptions(read_only=True), False),
    (ToolOptions(destructive=True), True),
    (ToolOptions(destructive=True, read_only=True), False),
    (ToolOptions(destructive=False), False),
    (ToolOptions(read_only=False), True),
    (ToolOptions(read_only=False, destructive=False), False),
    (ToolOptions(open_world=True), False),
]


@pytest.mark.parametrize(("options", "is_risky"), RISKS)
def test_risky_is_what_the_hints_of_mcp_say(options: ToolOptions, *, is_risky: bool) -> None:
    asked: Asked = []
    run = one(Tool(wipe, options), on_await=yes(asked))
    assert bool(asked) == is_risky
    assert run.calls[0].status == "done"


@pytest.mark.parametrize(
    ("approval", "ask", "counts"),
    [
        ("risky", True, 1),
        ("risky", "ask", 1),
        ("risky", False, 0),
        ("risky", "auto", 0),
        ("risky", "risky", 0),
        ("ask", None, 1),
        ("ask", "risky", 1),
        ("ask", False, 0),
        ("auto", True, 0),
        ("never", None, 0),
    ],
)
def test_the_tool_says_whether_and_the_run_how(approval: Any, ask: Any, counts: int) -> None:
    asked: Asked = []
    run = one(Tool(wipe, ToolOptions(ask=ask)), approval=approval, on_await=yes(asked))
    assert len(asked) == counts
    assert run.calls[0].status == "done"


@pytest.mark.parametrize(
    ("approval", "options", "status"),
    [
        ("auto", ToolOptions(destructive=True), "done"),
        ("never", ToolOptions(destructive=True), "denied"),
        ("never", ToolOptions(ask=True), "denied"),
        ("auto", ToolOptions(ask="never"), "denied"),
        ("risky", ToolOptions(ask="never"), "denied"),
    ],
)
def test_a_policy_decides_without_asking_and_that_is_written_down(
    approval: Any, options: ToolOptions, status: str
) -> None:
    asked: Asked = []
    run = one(Tool(wipe, options), approval=approval, on_await=yes(asked))
    assert (run.calls[0].status, asked) == (status, [])
    (said,) = [event for event in run.events if event.type == "tool_authorization"]
    assert said.approved == (status == "done")
    assert not [event for event in run.events if event.type == "await_confirmation"]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_predicate_says_which_calls_need_consent(*, is_async: bool) -> None:
    def plain(ctx: Context, arguments: dict[str, Any]) -> bool:
        assert ctx.tool_name == "wipe"
        return bool(arguments.get("deep"))

    async def later(ctx: Context, arguments: dict[str, Any]) -> bool:
        return plain(ctx, arguments)

    asked: Asked = []
    tool = Tool(wipe, ToolOptions(ask=later if is_async else plain))
    calls = turn(request("a", "wipe", deep=False), request("b", "wipe", deep=True))
    agent([calls, "done"], [tool], on_await=yes(asked)).run("Go", log="memory")
    assert [question.call_id for question in asked] == ["b"]


def test_a_predicate_that_cannot_say_fails_closed() -> None:
    def broken(ctx: Context, arguments: dict[str, Any]) -> bool:
        del ctx
        return arguments["missing"] > 1

    run = one(Tool(wipe, ToolOptions(ask=broken)), on_await="deny")
    assert run.calls[0].status == "denied"
    (said,) = [event for event in run.events if event.type == "await_confirmation"]
    assert "KeyError" in said.reason


def test_a_denial_says_why_and_the_model_is_told() -> None:
    run = one(Tool(wipe, ToolOptions(ask=True)), on_await=no)
    assert "not on a Friday" in (run.calls[0].content or "")
    node = run.tree()["runs"][run.id]
    authorization = node["calls"]["a"]["authorization"]
    assert authorization is not None
    assert (authorization["approved"], authorization["by"]) == (False, "tester")
    assert authorization["note"] == "not on a Friday"
    assert (node["awaits"][0]["outcome"], node["awaits"][0]["answered_by"]) == ("denied", "tester")


def test_an_identical_call_after_a_denial_is_denied_at_once() -> None:
    asked: Asked = []

    def refuse(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="deny")

    steps = [
        turn(request("a", "wipe", path="x", deep=False)),
        turn(request("b", "wipe", deep=False, path="x"), request("c", "wipe", path="y")),
        "done",
    ]
    run = agent(steps, [Tool(wipe, ToolOptions(ask=True))], on_await=refuse).run("Go", log="memory")
    assert [question.call_id for question in asked] == ["a", "c"]
    assert [call.status for call in run.calls] == ["denied"] * 3
    said = {e.tool_call_id: e.approved_by for e in run.events if e.type == "tool_authorization"}
    assert said["b"] == "the earlier denial"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"approval": "never"}, "The policy of this run does not allow"),
        ({"on_await": "deny"}, "nobody can be asked here"),
    ],
    ids=str,
)
def test_a_policy_that_denies_the_same_call_again_is_not_called_a_person(
    options: dict[str, Any], told: str
) -> None:
    tool = Tool(wipe, ToolOptions(ask=True if "on_await" in options else None, destructive=True))
    steps = [turn(request("a", "wipe")), turn(request("b", "wipe", deep=False)), "done"]
    run = agent(steps, [tool], **options).run("Go", log="memory")
    assert [call.status for call in run.calls] == ["denied"] * 2
    for call in run.calls:
        assert told in (call.content or "")
        assert "person has denied" not in (call.content or "")
    (by,) = {e.approved_by for e in run.events if e.type == "tool_authorization"}
    assert by.startswith("the policy")


def test_edited_arguments_replace_fully_and_the_card_keeps_both() -> None:
    def edit(question: Await) -> Answer:
        del question
        return Answer(action="approve", arguments={"path": "y"})

    tool = Tool(wipe, ToolOptions(ask=True))
    made = agent([turn(request("a", "wipe", path="x", deep=True)), "done"], [tool], on_await=edit)
    run = made.run("Go", log="memory")
    assert (run.calls[0].value, run.calls[0].arguments) == (
        "wiped y",
        {"path": "y", "deep": False},
    )
    assert '{"path": "y"}' in (run.calls[0].content or "")
    call = run.tree()["runs"][run.id]["calls"]["a"]
    assert call["proposed"] == {"path": "x", "deep": True}
    assert call["authorization"]
    assert call["authorization"]["edited"]


def waiting(made: Agent, count: int = 1, **options: Any) -> tuple[Run, tuple[Await, ...]]:
    """A run in the background that waits for so many answers."""
    run = made.start("Go", log=options.pop("log", "memory"))
    deadline = time.monotonic() + 5
    while len(run.awaiting) < count:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return run, run.awaiting


def test_edited_arguments_are_validated_again() -> None:
    tool = Tool(wipe, ToolOptions(ask=True))
    run, (question,) = waiting(agent([turn(request("a", "wipe")), "done"], [tool], on_await="wait"))
    with pytest.raises(ValueError, match="path"):
        question.approve({"path": 3})
    question.approve({"path": "z"})
    assert run.wait(5).calls[0].value == "wiped z"
    with pytest.raises(Exception, match="any more"):
        question.deny()


def test_several_calls_wait_at_once_and_are_answered_in_any_order() -> None:
    tool = Tool(wipe, ToolOptions(ask=True))

    async def slow(n: int) -> int:
        return n

    other = Tool(slow, ToolOptions(ask=True))
    calls = turn(
        request("a", "wipe", path="1"), request("b", "slow", n=2), request("c", "wipe", path="3")
    )
    run, questions = waiting(agent([calls, "done"], [tool, other], on_await="wait"), 3)
    assert [one["status"] for one in run.tree()["runs"][run.id]["calls"].values()] == [
        "waiting"
    ] * 3
    for question in reversed(questions):
        question.approve()
    assert [call.status for call in run.wait(5).calls] == ["done"] * 3


def test_what_is_remembered_holds_for_the_session_and_the_version_of_the_tool() -> None:
    asked: Asked = []

    def always(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="approve", remember=True)

    session = Session(MemoryLog())

    def other(path: str = "x") -> str:
        "Another one."
        return path

    for tool in (Tool(wipe, ToolOptions(ask=True)), Tool(wipe, ToolOptions(ask=True))):
        made = agent([turn(request("a", "wipe")), "done"], [tool], on_await=always)
        run = made.run("Go", log=session)
    assert len(asked) == 1
    (said,) = [event for event in run.events if event.type == "tool_authorization"]
    assert said.approved_by == "the person, earlier"
    changed = Tool(other, ToolOptions(name="wipe", ask=True))
    agent([turn(request("a", "wipe")), "done"], [changed], on_await=always).run("Go", log=session)
    assert len(asked) == 2


def test_a_run_inside_takes_the_policy_of_the_run_above_unless_it_has_its_own() -> None:
    tool = Tool(wipe, ToolOptions(destructive=True))
    asked: Asked = []

    def child(name: str, **options: Any) -> Agent:
        model = agent([turn(request("c", "wipe")), "ok"]).model
        return Agent(name, tools=[tool], model=model, **options)

    members = {"own": child("own", approval="auto"), "above": child("above")}

    async def ask(who: str, ctx: Context) -> str:
        return (await ctx.run(members[who], "Go")).calls[0].status

    calls = turn(request("a", "ask", who="own"), request("b", "ask", who="above"))
    run = agent([calls, "done"], [ask], on_await=yes(asked)).run("Go", log="memory")
    assert [call.content for call in run.calls] == ["done", "done"]
    assert [question.agent_name for question in asked] == ["above"]


def test_a_person_answers_two_levels_down() -> None:
    tool = Tool(wipe, ToolOptions(ask=True))
    low = Agent("low", tools=[tool], model=agent([turn(request("w", "wipe")), "low"]).model)

    async def ask_low(ctx: Context) -> str:
        return (await ctx.run(low, "Go")).text

    middle = Agent(
        "middle", tools=[ask_low], model=agent([turn(request("l", "ask_low")), "m"]).model
    )

    def ask_middle(ctx: Context) -> str:
        run: Run = ctx.run(middle, "Go")
        return run.text

    made = agent([turn(request("a", "ask_middle")), "done"], [ask_middle], on_await="wait")
    run = made.start("Go", log="memory")

    def approve() -> None:
        while not run.awaiting:
            time.sleep(0.01)
        assert run.awaiting[0].agent_name == "low"
        run.awaiting[0].approve()

    threading.Thread(target=approve, daemon=True).start()
    run.wait(5)
    assert run.children[0].children[0].calls[0].value == "wiped x"


def test_active_time_stands_still_while_a_person_is_waited_for() -> None:
    tool = Tool(wipe, ToolOptions(ask=True, timeout_s=0.2))
    made = agent([turn(request("a", "wipe")), "done"], [tool], on_await="wait", timeout_s=0.3)
    run, (question,) = waiting(made)
    time.sleep(0.6)
    question.approve()
    assert (run.wait(5).status, run.calls[0].status) == ("completed", "done")


def test_a_stop_ends_what_a_person_is_asked() -> None:
    tool = Tool(wipe, ToolOptions(ask=True))
    run, _ = waiting(agent([turn(request("a", "wipe"))], [tool], on_await="wait"))
    run.stop()
    run.wait(5)
    assert (run.status, run.calls[0].status, run.awaiting) == ("cancelled", "cancelled", ())
    (resolved,) = [event for event in run.events if event.type == "await_resolved"]
    assert resolved.outcome == "cancelled"


def test_a_call_that_waits_is_stopped_alone() -> None:
    tool = Tool(wipe, ToolOptions(ask=True))
    calls = turn(request("a", "wipe"), request("b", "double", number=2))
    run, _ = waiting(agent([calls, "went on"], [tool, double], on_await="wait"))
    run.stop_call("a")
    run.wait(5)
    assert [call.status for call in run.calls] == ["cancelled", "done"]
    assert run.text == "went on"


def test_what_a_function_gives_that_is_no_answer_is_said() -> None:
    with pytest.raises(TypeError, match=r"nbagents\.Answer") as caught:
        one(Tool(wipe, ToolOptions(ask=True)), on_await=str)
    resolved = [one for one in run_of(caught.value).events if one.type == "await_resolved"]
    assert [one.answered_by for one in resolved] == ["an error of on_await"]


def test_answers_of_a_page_are_checked() -> None:
    tool = Tool(wipe, ToolOptions(ask=True))
    run, (question,) = waiting(agent([turn(request("a", "wipe")), "done"], [tool], on_await="wait"))
    for said in ({}, {"action": "maybe"}, {"action": "approve", "arguments": [1]}, "yes", None):
        with pytest.raises(ValueError, match=r"answer says|JSON object"):
            run.resolve(question.id, said).result(5)
    with pytest.raises(Exception, match="any more"):
        run.resolve("await-of-yore", {"action": "deny"}).result(5)
    run.resolve(question.id, {"action": "approve", "note": "go on"}).result(5)
    assert "go on" in (run.wait(5).calls[0].content or "")


def test_a_function_may_answer_by_the_question_itself() -> None:
    def refuse(question: Await) -> None:
        question.deny("no")

    tool = Tool(wipe, ToolOptions(ask=True))
    assert one(tool, on_await=Await.approve).calls[0].status == "done"
    denied = one(tool, on_await=refuse)
    assert (denied.calls[0].status, denied.calls[0].content) == (
        "denied",
        "The person did not allow this call, and says: no",
    )
