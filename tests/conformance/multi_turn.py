"""Plays a conversation of several turns: a run a turn, in one chat, with tools that come and go."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bfcl import Row, rows

from nbagents.agents import Agent
from nbagents.messages import AssistantMessage, CallRequest, Message, ToolMessage, UserMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.foreign_definitions import tools_of_definitions

__all__ = ["ASKED", "REFUSED", "Player", "Said", "expected", "is_faulty", "transcript"]

Said: TypeAlias = tuple[str, ...]
"""Who says it, and what: a user's text, a call's name and arguments, a result, an answer."""

CHAT = "row"
MORE = "There are more functions now. What about now?"
"""What the person says where the data gives functions without a word."""
ASKED = "What is missing?"
DONE = "done"
NOTHING = "The tool returned no value (null)."
REFUSED = "refused"
"""In place of what is told of a faulty call."""


def is_faulty(row: Row, at: int, call: Row) -> bool:
    """Whether a gold call of a turn is a fault of the data.

    Marked are those that do not fit their own definitions. One more calls a function in a turn in
    which its own row says that it is not there yet (`multi_turn_miss_func_49`).
    """
    return "gold_schema_errors" in call or call["name"] in withheld(row, at)


def withheld(row: Row, at: int) -> set[str]:
    """The functions that are not there yet in a turn."""
    later = [names for turn, names in row["withheld"].items() if at < int(turn)]
    return {name for names in later for name in names}


@functools.cache
def services() -> dict[str, tuple[Row, ...]]:
    """The definitions of each simulated service."""
    found: dict[str, tuple[Row, ...]] = {}
    for one in rows("multi_turn_functions"):
        found[one["cls"]] = (*found.get(one["cls"], ()), one)
    return found


@dataclass
class Player:
    """Plays one row, turn by turn.

    Args:
        row: What is played.
        reopens: Whether all but the log is forgotten between two turns.
    """

    row: Row
    reopens: bool = False
    session: Session = field(default_factory=lambda: Session(MemoryLog()))
    runs: list[Run] = field(default_factory=list[Run])
    played: int = 0
    """How many of the row's calls were made."""

    def play(self) -> tuple[Message, ...]:
        """Play all turns.

        Returns:
            The whole conversation, as the chat has it.
        """
        for at, turn in enumerate(self.row["turns"]):
            if self.reopens and self.runs:
                self.session = Session.reopen(self.session.log, self.session.session_id)
            steps = [self._request(at, nth, call) for nth, call in enumerate(turn["calls"])]
            self._turn(at, [*steps, *self._end(at)])
        return self.session.chats.get(CHAT).messages

    def offered(self, at: int) -> tuple[Tool, ...]:
        """The tools of a turn: those that are left out, and those that come later, are not."""
        later = {
            name for turn, names in self.row["withheld"].items() if at < int(turn) for name in names
        }
        hidden = later | set(self.row["excluded"])
        found = [one for name in self.row["classes"] for one in services()[name]]
        offered = [one for one in found if one["name"] not in hidden]
        return tools_of_definitions(offered, self._stub, ToolOptions(strict=False))

    def _turn(self, at: int, steps: Sequence[Any]) -> None:
        model = ScriptedModel(steps)
        agent = Agent(
            "player",
            tools=self.offered(at),
            model=model,
            max_steps=50,
            can_ask=True,
            on_await="suspend",
        )
        text = self._text(at)
        if self._is_open():
            run = agent.resume(self.runs[-1].id, log=self.session, answer=text)
        else:
            run = agent.run(text, chat=CHAT, log=self.session)
        model.assert_complete()
        self.runs.append(run)

    def _is_open(self) -> bool:
        """Whether the last turn ended with a question."""
        return bool(self.runs) and self.runs[-1].status == "suspended"

    def _text(self, at: int) -> str:
        return "\n".join(self.row["turns"][at]["user"]) or MORE

    def _request(self, at: int, nth: int, call: Row) -> CallRequest:
        arguments = json.dumps(call["arguments"])
        return CallRequest(id=f"call-{at}-{nth}", name=call["name"], arguments=arguments)

    def _end(self, at: int) -> list[Any]:
        """How the model ends a turn: where the person has left something out, by asking."""
        if pauses(self.row, at):
            question = json.dumps({"question": ASKED})
            return [CallRequest(id=f"ask-{at}", name="ask_person", arguments=question)]
        return [DONE]

    async def _stub(self, name: str, given: Any) -> Any:
        """The result that was recorded for this call at this place."""
        result = recorded(self.row)[name, json.dumps(given, sort_keys=True), self.played]
        self.played += 1
        return result


def pauses(row: Row, at: int) -> bool:
    """Whether the person has left something out, and says it in the next turn."""
    turns = row["turns"]
    is_short = row["category"] == "multi_turn_miss_param" and not turns[at]["calls"]
    return is_short and at + 1 < len(turns)


def recorded(row: Row) -> dict[tuple[str, str, int], Any]:
    """What each call of a row gave, by name, arguments and place; faulty ones are never made."""
    calls = [
        call
        for at, turn in enumerate(row["turns"])
        for call in turn["calls"]
        if not is_faulty(row, at, call)
    ]
    return {
        (call["name"], json.dumps(call["arguments"], sort_keys=True), place): call["result"]
        for place, call in enumerate(calls)
    }


def expected(row: Row) -> list[Said]:
    """What must have been said."""
    said: list[Said] = []
    for at, turn in enumerate(row["turns"]):
        text = "\n".join(turn["user"]) or MORE
        if at and pauses(row, at - 1):
            said.append(("result", json.dumps(text)))
        else:
            said.append(("user", text))
        for call in turn["calls"]:
            said.append(("call", call["name"], json.dumps(call["arguments"], sort_keys=True)))
            said.append(("result", told(row, at, call)))
        if pauses(row, at):
            said.append(("call", "ask_person", json.dumps({"question": ASKED})))
        else:
            said.append(("answer", DONE))
    return said


def transcript(messages: Sequence[Message]) -> list[Said]:
    """What was said."""
    said: list[Said] = []
    for one in messages:
        if isinstance(one, UserMessage):
            said.append(("user", one.text))
        elif isinstance(one, ToolMessage):
            said.append(("result", _plain(one.content)))
        elif isinstance(one, AssistantMessage):
            said += [("call", call.name, _plain(call.arguments)) for call in one.calls]
            said += [("answer", one.text)] if one.text else []
    return said


def told(row: Row, at: int, call: Row) -> str:
    """What the model is told of a call; of nothing it is told in words."""
    result = NOTHING if call["result"] is None else call["result"]
    return REFUSED if is_faulty(row, at, call) else json.dumps(result, sort_keys=True)


def _plain(text: str) -> str:
    """JSON in one form; a text that is none as JSON."""
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except ValueError:
        return json.dumps(text)
