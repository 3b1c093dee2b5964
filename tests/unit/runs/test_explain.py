"""Why a call or a run came to nothing is said in words, with what can be done about it."""

from __future__ import annotations

import contextlib
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

import nbagents as nba
from nbagents.models.openai import errors
from nbagents.models.openai.client import Account
from nbagents.models.scripted import call
from nbagents.results import Failure, Limits
from nbagents.runs.tree.explanation import (
    ASKS_LESS,
    BY_KIND,
    MODEL_FAILED,
    explanation_of,
    remedies_of_limit,
)


def broken(city: str) -> str:
    """Fails."""
    raise ValueError("The service is down.")


def refusing() -> str:
    """Refuses."""
    raise nba.ToolError("Say which city.")


@nba.tool(timeout_s=0.05, thread=True)
def slow() -> str:
    """Takes long."""
    time.sleep(0.5)
    return ""


@nba.tool(ask=True)
def pay(to: str) -> str:
    """Pay."""
    return f"Paid {to}."


def run_of(*calls: Any, **options: Any) -> nba.Run:
    agent = nba.Agent(
        "clerk",
        tools=[broken, refusing, slow, pay],
        model=nba.ScriptedModel([list(calls), "No."]),
        **options,
    )
    return agent.run("Go on.", log="memory")


@pytest.mark.parametrize(
    ("made", "what", "remedy"),
    [
        (call("broken", city="Oslo"), "raised an exception", "traceback"),
        (call("refusing"), "refused the call", "what the tool asks for"),
        (call("slow"), "longer than it may", "--timeout"),
        (call("nope"), "a tool that it was not given", "-t NAME"),
        (call("pay", to=1), "do not fit the tool: to", "docstring"),
        (call("pay", to="Ann"), "nobody could be asked", "suspend"),
    ],
)
def test_a_call_says_what_failed_and_what_one_can_do(made: Any, what: str, remedy: str) -> None:
    run = run_of(made)
    (trouble,) = run.calls[0].explain().found
    assert what in trouble.what
    assert any(remedy in one for one in trouble.remedies)
    assert trouble.told == run.calls[0].content
    assert run.explain().found == (trouble,)


def test_arguments_that_are_no_object_are_not_called_a_misfit() -> None:
    made: dict[str, Any] = {
        "status": "failed",
        "arguments": "{",
        "source_hash": "a",
        "child_run_ids": [],
    }
    bad = Failure(kind="invalid_call", recovery="correct_call", message="no").model_dump()
    said = explanation_of(cast("Any", {**made, "failure": bad}))
    assert said is not None
    assert "no JSON object" in said["what"]


def test_who_said_no_is_told_so_with_their_own_words() -> None:
    def refuse(_asked: nba.Await) -> nba.Answer:
        return nba.Answer(action="deny", note="Too much.")

    run = run_of(call("pay", to="Bob"), on_await=refuse)
    said = str(run.explain())
    assert "Your function refuse, which answers in your place (on_await), did not allow it" in said
    assert "did not allow it: “Too much.”." in said
    assert "Edit…" not in said
    denied = run_of(call("pay", to="Bob"), on_await="deny")
    assert "nobody could be asked" in str(denied.explain())


def test_a_call_that_you_skipped_in_step_mode_met_no_limit() -> None:
    def skip(pause: nba.Pause) -> nba.Edit | None:
        return nba.Edit("skip") if pause.calls else None

    run = nba.Agent(tools=[broken], model=nba.ScriptedModel([[call("broken", city="Oslo")], "No."]))
    (made,) = run.run("Go on.", log="memory", step=skip).calls
    assert made.status == "skipped"
    said = made.explain()
    assert "You skipped it" in str(said)
    assert "limit" not in str(said)


def test_what_is_alike_is_said_once() -> None:
    run = run_of(*(call("broken", city=city) for city in ("Oslo", "Rome", "Bern")))
    (trouble,) = run.explain().found
    assert trouble.more == 2
    assert 'broken(city="Oslo"): failed, and 2 others alike' in str(run.explain())
    assert "The model was told: ValueError: The service is down." in str(run.explain())


def test_a_run_that_went_well_says_so() -> None:
    run = nba.Agent(tools=[], model=nba.ScriptedModel(["Yes."])).run("Well?", log="memory")
    assert not run.explain()
    assert repr(run.explain()) == "Nothing failed."


@pytest.mark.parametrize(
    ("limit", "option"),
    [("max_steps", "-n N"), ("max_calls", "--max-calls N")],
)
def test_a_run_that_met_a_limit_says_which_option_lifts_it(limit: str, option: str) -> None:
    steps = [call("refusing")], [call("refusing")], "Enough."
    limits: Any = {limit: 1}
    agent = nba.Agent(tools=[refusing], model=nba.ScriptedModel(steps), **limits)
    own = agent.run("Go on.", log="memory").explain().found[0]
    assert not own.is_call
    assert own.remedies[0].startswith(option)


ACCOUNT = Account(
    base_url="https://x.example/v1", api_key="nokey-nokey-nokey", timeout_s=3.0, max_retries=0
)


def refused(status: int, text: str = "", code: str = "") -> Exception:
    """An answer of a provider by which it refuses."""
    from openai import APIStatusError  # heavy

    request = SimpleNamespace(headers={}, url="https://x.example/v1")
    error = APIStatusError.__new__(APIStatusError)
    Exception.__init__(error, text)
    answer = SimpleNamespace(headers={}, extensions={}, text=text, status_code=status)
    parts = {"status_code": status, "response": answer, "request": request}
    parts |= {"body": {"message": text}, "code": code, "type": code, "message": text}
    for name, value in parts.items():
        setattr(error, name, value)
    return error


@pytest.mark.parametrize(
    ("status", "code", "what"),
    [
        (401, "", "does not accept the key"),
        (404, "", "does not know that model"),
        (429, "insufficient_quota", "no quota left"),
        (429, "", "asked too often"),
        (503, "", "The provider failed"),
        (400, "", MODEL_FAILED[0]),
    ],
)
def test_what_a_provider_answered_is_told_apart(status: int, code: str, what: str) -> None:
    """By the very sentences in which nbagents says it."""
    said = errors.explained(refused(status, code=code), ACCOUNT, "gpt-x")
    failure = Failure(kind="unavailable", recovery="finish", message=str(said)).model_dump()
    node = {"agent_name": "clerk", "status": "failed", "failure": failure}
    explained = explanation_of(cast("Any", node))
    assert explained is not None
    assert what in explained["what"]


def test_each_kind_of_failure_has_its_words() -> None:
    from nbagents.runs.wording import FAILURE_KINDS  # of this test alone

    assert set(BY_KIND) == set(FAILURE_KINDS)
    assert all(what.endswith(".") and remedies for what, remedies in BY_KIND.values())


@pytest.mark.parametrize("is_handled", [False, True])
def test_a_call_that_failed_by_itself_is_not_laid_to_the_agent_inside(*, is_handled: bool) -> None:
    inner = nba.Agent("inner", model=nba.ScriptedModel([] if is_handled else ["Fine."]))

    async def outer(ctx: nba.Context) -> str:
        """Ask another agent."""
        with contextlib.suppress(nba.ModelError):
            await ctx.run(inner, "Well?")
        raise ValueError("my own fault")

    model = nba.ScriptedModel([[call("outer")], "No."])
    run = nba.Agent(tools=[outer], model=model).run("Go.", log="memory")
    (trouble,) = run.calls[0].explain().found
    assert trouble.what == "The tool's code raised an exception."


def test_a_call_that_failed_as_the_agent_inside_did_says_so() -> None:
    inner = nba.Agent("inner", model=nba.ScriptedModel([]))

    async def outer(ctx: nba.Context) -> str:
        """Ask another agent."""
        return (await ctx.run(inner, "Well?")).text

    model = nba.ScriptedModel([[call("outer")], "No."])
    run = nba.Agent(tools=[outer], model=model).run("Go.", log="memory")
    (trouble,) = run.calls[0].explain().found
    assert "An agent that it had started" in trouble.what


@pytest.mark.parametrize("limit", Limits.model_fields)
def test_each_limit_says_what_lifts_it(limit: str) -> None:
    remedies = remedies_of_limit(f"Stopped at a limit: {limit}=1")
    assert len(remedies) == 2
    assert remedies[-1] == ASKS_LESS
