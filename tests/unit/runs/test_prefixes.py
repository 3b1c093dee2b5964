"""The head of a conversation is stable: each request begins with the messages of the one before.

Byte for byte, as its API is sent them; over kinds of conversation, turns and resumed runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]  it has none
import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.messages import Message
from nbagents.models.chat.model import OpenAIChat
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session, open_log
from tests.unit.runs.desk import double, request, treble, turn
from tests.unit.runs.wire import APIS, Wired

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f"
    b"\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00"
    b"\x00\x00IEND\xaeB`\x82"
)
TURNS = 6


def frame(rows: int) -> pd.DataFrame:
    return pd.DataFrame({"city": ["Oslo"] * rows, "celsius": [9.5] * rows})


def count(table: pd.DataFrame) -> int:
    """Count the rows of a table."""
    return len(table)


def grown(table: pd.DataFrame) -> pd.DataFrame:
    """A table with every row twice."""
    return pd.concat([table, table])


def wipe(disk: str) -> str:
    """Wipe a disk."""
    return f"wiped {disk}"


def photo() -> Any:
    """Take a photo."""
    return nba.ImagePart(data=PNG, name="photo.png")


def broken() -> str:
    """Fail."""
    raise RuntimeError("no")


class Talk:
    """A chat, and what its requests were, whoever asked."""

    def __init__(self, api: Any) -> None:
        self.session = Session(MemoryLog())
        self.model = Wired([], api)
        self.calls = 0

    def will(self, *steps: Any) -> None:
        self.model.script.steps += steps

    def call(self, name: str, **arguments: Any) -> Any:
        self.calls += 1
        return turn(request(f"c{self.calls}", name, **arguments))

    def agent(self, name: str = "tester", **options: Any) -> Agent:
        return Agent(name, f"You are of use, {name}.", model=self.model, **options)

    def say(self, agent: Agent, prompt: str, **options: Any) -> Any:
        return agent.run(prompt, chat="talk", log=self.session, **options)


def plain(talk: Talk) -> None:
    agent = talk.agent(tools=[double])
    for number in range(TURNS):
        talk.will(talk.call("double", number=number), str(2 * number))
        talk.say(agent, f"Double {number}")


def shared(talk: Talk) -> None:
    agent = talk.agent(tools=[count, grown])
    for number in range(1, TURNS):
        name = f"table{number}"
        talk.will(talk.call("grown", table=name), talk.call("count", table="r1"), "So many.")
        talk.say(agent, "How many rows?", vars={name: frame(number)})


def notices(talk: Talk) -> None:
    moves = (f"They moved the map {number} times." for number in range(99))
    look = nba.Tool(double, nba.ToolOptions(news=lambda: next(moves)))
    agent = talk.agent(tools=[look])
    for number in range(TURNS):
        talk.will(talk.call("double", number=number), "Done.")
        talk.say(agent, "Look")


def limits(talk: Talk) -> None:
    for number, options in enumerate(
        [{"max_steps": 1}, {"max_calls": 1}, {"max_tokens": 12}, {"max_failed_batches": 1}]
    ):
        given_options: Any = options
        agent = talk.agent(tools=[double, broken], **given_options)
        name = "broken" if "max_failed_batches" in options else "double"
        given = {} if name == "broken" else {"number": number}
        late = talk.call("double", number=0)
        talk.will(talk.call(name, **given), late if number % 2 else "So far.")
        assert talk.say(agent, "Go on").status == "limit"


def handing_over(talk: Talk) -> None:
    other = talk.agent("Billing", tools=[treble])
    first = talk.agent(tools=[double], handoffs=[other])
    for number in range(TURNS):
        if number % 2 == 0:
            talk.will(
                talk.call("transfer_to_billing"), talk.call("treble", number=number), "Billed."
            )
        else:
            talk.will(talk.call("double", number=number), "Sorted.")
        talk.say(first, "What do I owe?")


def children(talk: Talk) -> None:
    def child() -> Agent:
        return Agent("Helper", "You help.", model=nba.ScriptedModel(["Rain."]))

    for number in range(TURNS):
        agent = talk.agent(tools=[child().as_tool("helper")])
        talk.will(talk.call("helper", input=f"Weather {number}?"), "It rains.")
        talk.say(agent, "Weather?")


def images(talk: Talk) -> None:
    agent = talk.agent(tools=[photo])
    for _ in range(TURNS):
        talk.will(talk.call("photo"), "A square.")
        talk.say(agent, "What is it?", attach={"map": PNG, "notes.txt": b"a note"})


def denied(talk: Talk) -> None:
    tool = nba.Tool(wipe, nba.ToolOptions(ask=True))
    for word in ("deny", "deny", "ask", "deny"):
        agent = talk.agent(tools=[tool, double], on_await="deny" if word == "deny" else approve)
        talk.will(talk.call("wipe", disk="a"), talk.call("double", number=2), "Well.")
        talk.say(agent, "Wipe it")


def approve(question: nba.Await) -> nba.Answer:
    del question
    return nba.Answer(action="approve")


def resumed(talk: Talk) -> None:
    tool = nba.Tool(wipe, nba.ToolOptions(ask=True))
    agent = talk.agent(tools=[tool, double, count], on_await="suspend")
    for number in range(3):
        talk.will(talk.call("double", number=number), talk.call("wipe", disk="a"))
        run = talk.say(agent, "Wipe it", vars={"table": frame(number + 1)})
        assert run.status == "suspended"
        talk.will(talk.call("double", number=9), "Wiped.")
        assert agent.resume(run, answer=number % 2 == 0, log=talk.session).status == "completed"


def reopened(talk: Talk) -> None:
    for kind in (plain, handing_over, limits, shared, denied):
        kind(talk)
    talk.session = Session.reopen(talk.session.log, talk.session.session_id)
    talk.will("Again.")
    talk.say(talk.agent(tools=[double]), "And now?")


def corrected(talk: Talk) -> None:
    agent = talk.agent(tools=[double], output=int)
    for number in range(TURNS):
        talk.will(talk.call("double", number=number), "a number", f'{{"value": {number}}}')
        talk.say(agent, "A number, please")


def trimmed(talk: Talk) -> None:
    agent = talk.agent(tools=[count, grown], keep_turns=30)
    for number in range(1, TURNS):
        talk.will(talk.call("grown", table=f"t{number}"), "Grown.")
        talk.say(agent, "Grow it", vars={f"t{number}": frame(number)})


KINDS = [
    *(plain, shared, notices, limits, handing_over, children, images, denied),
    *(resumed, reopened, corrected, trimmed),
]


@pytest.mark.medium
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("kind", KINDS)
def test_each_request_begins_with_the_one_before(kind: Callable[[Talk], None], api: Any) -> None:
    talk = Talk(api)
    kind(talk)
    assert len(talk.model.bodies) > TURNS
    assert talk.model.breaks() == []


@pytest.mark.medium
def test_thirty_turns_with_a_table_each_reuse_all_that_was_said() -> None:
    talk = Talk(OpenAIChat)
    agent = talk.agent(tools=[count])
    for number in range(1, 31):
        talk.will(talk.call("count", table=f"t{number}"), "So many.")
        talk.say(agent, "How many?", vars={f"t{number}": frame(number)})
    assert len(talk.model.bodies) == 60
    assert talk.model.breaks() == []


@pytest.mark.medium
@pytest.mark.parametrize("kept", [1, 2, 4, 7, 10])
def test_of_kept_turns_the_older_half_goes_at_once(kept: int) -> None:
    talk = Talk(OpenAIChat)
    agent = talk.agent(tools=[count], keep_turns=kept)
    for number in range(1, 31):
        talk.will(talk.call("count", table=f"t{number}"), "So many.")
        talk.say(agent, f"How many {number}?", vars={f"t{number}": frame(number)})
    asked = [
        sum(one["role"] == "user" for one in talk.model.messages(at)) for at in range(0, 60, 2)
    ]
    assert max(asked) == kept + 1
    half = -(-kept // 2)
    assert len(talk.model.breaks()) == len(range(kept + 1, 30, half))
    assert asked[kept + 1 : kept + 2] == [kept + 2 - half]


def test_an_object_of_a_turn_that_is_left_out_is_named_again_where_a_tool_takes_it() -> None:
    talk = Talk(OpenAIChat)
    agent = talk.agent(tools=[count], keep_turns=1)
    for number in range(1, 4):
        talk.will("Well.")
        talk.say(agent, f"Hello {number}", vars={"table": frame(5)} if number == 1 else None)
    said = [one["content"] for one in talk.model.messages() if one["role"] == "user"]
    assert said[-1].startswith("Hello 3\n\nObjects from before, as they are now:\n- table: Data")


def test_an_object_that_has_changed_is_named_as_it_is_now() -> None:
    talk = Talk(OpenAIChat)
    agent = talk.agent(tools=[count])
    table = frame(5)
    talk.will("Well.", "Well.", "Well.")
    talk.say(agent, "Hello", vars={"table": table})
    table["wind"] = 3
    talk.say(agent, "And now?")
    talk.say(agent, "And now?")
    said = [one["content"] for one in talk.model.messages() if one["role"] == "user"]
    assert "wind" in said[1]
    assert said[2] == "And now?"


def test_a_filter_of_a_hand_over_tells_the_other_what_it_leaves_and_which_objects_there_are() -> (
    None
):
    def newest(messages: Any) -> list[Message]:
        return list(messages)[-2:]

    talk = Talk(OpenAIChat)
    other = talk.agent("Billing", tools=[count])
    first = talk.agent("Triage", handoffs=[nba.handoff(other, input_filter=newest)])
    talk.will(talk.call("transfer_to_billing"), "Billed.")
    talk.say(first, "Bill me", vars={"table": frame(2)})
    head, *rest = talk.model.messages()
    assert head["content"].startswith("You are now 'Billing'.\n\nYou are of use, Billing.")
    assert "- table: DataFrame" in head["content"]
    assert [one["role"] for one in rest] == ["assistant", "tool"]


def test_who_takes_over_and_who_comes_back_is_said_where_it_happens() -> None:
    talk = Talk(OpenAIChat)
    other = talk.agent("Billing", tools=[treble])
    first = talk.agent("Triage", handoffs=[other])
    talk.will(talk.call("transfer_to_billing"), "Billed.", "Sorted.")
    talk.say(first, "Bill me")
    talk.say(first, "And now?")
    said = [(one["role"], str(one["content"]).partition(".")[0]) for one in talk.model.messages()]
    assert said == [
        ("system", "You are of use, Triage"),
        ("user", "Bill me"),
        ("assistant", "None"),
        ("tool", "Handed over to 'Billing'"),
        ("system", "You are now 'Billing'"),
        ("assistant", "Billed"),
        ("system", "You are now 'Triage'"),
        ("user", "And now?"),
    ]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Any]:
    opened = open_log("sqlite", path=tmp_path / "log.sqlite3")
    yield opened
    opened.close()


@pytest.mark.medium
def test_a_kernel_that_was_restarted_sends_the_same_bytes(log: Any) -> None:
    talk = Talk(OpenAIChat)
    talk.session = Session(log)
    for kind in (plain, handing_over, limits, shared, denied):
        kind(talk)
    talk.session = Session.reopen(log, talk.session.session_id)
    talk.will("Again.")
    talk.say(talk.agent(tools=[double]), "And now?")
    *_, before, now = talk.model.said
    assert now.startswith(before)
