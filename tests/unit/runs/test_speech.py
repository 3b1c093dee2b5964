"""What a model says as it comes: joined it is what was said, and no piece is later than 40 ms."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbagents import redaction
from nbagents.agents import Agent
from nbagents.events import AnyEvent
from nbagents.models.model import CallDelta, ModelPart, ModelRequest, ModelTurn, TextDelta
from nbagents.models.model import ThoughtDelta as Thought
from nbagents.results import Usage
from nbagents.runs.drive.speech import DELTA_S, Speech
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import agent, double, request, turn

LATE_S = 0.040


class Clock:
    """Time that goes on when it is told to; what is due then is called."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._due: list[tuple[float, _Timer]] = []

    def time(self) -> float:
        return self.now_s

    def call_later(self, seconds: float, call: Callable[[], None]) -> _Timer:
        timer = _Timer(call)
        self._due.append((self.now_s + seconds, timer))
        return timer

    def go_to(self, now_s: float) -> None:
        for at, timer in sorted(self._due, key=lambda one: one[0]):
            if at <= now_s:
                self.now_s = at
                self._due.remove((at, timer))
                timer.ring()
        self.now_s = now_s


class _Timer:
    def __init__(self, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self._call = None

    def ring(self) -> None:
        if self._call is not None:
            self._call()


def spoken(pieces: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """When each delta of a step was passed on, where its pieces came after such pauses."""
    clock = Clock()
    run = Run(Session(MemoryLog()), agent_name="a", prompt="p")
    heard: list[tuple[float, str]] = []
    run.listen(lambda event: heard.append((clock.now_s, getattr(event, "text", ""))))
    speech = Speech(run, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "get_running_loop", lambda: clock)
        patch.setattr(redaction, "_literals", ())  # keys that a module of tests has made known
        for pause_s, text in pieces:
            clock.go_to(clock.now_s + pause_s)
            speech.hear(TextDelta(text))
        clock.go_to(clock.now_s + 10)
        speech.flush()
    return heard


NO_ADDRESS = st.text(
    st.characters(exclude_characters=":?&;", exclude_categories=("Cs",)), min_size=1
)
"""What may begin an address with a secret waits; half characters are written out."""


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.001, 0.01, 0.039, 0.04, 0.3]), NO_ADDRESS),
        min_size=1,
    )
)
def test_every_piece_is_passed_on_at_most_40_ms_after_it_came(
    pieces: list[tuple[float, str]],
) -> None:
    heard = spoken(pieces)
    assert "".join(text for _, text in heard) == "".join(text for _, text in pieces)
    come_s, length, ends = 0.0, 0, list[tuple[int, float]]()
    for pause_s, text in pieces:
        come_s, length = come_s + pause_s, length + len(text)
        ends.append((length, come_s))
    passed = 0
    for at_s, text in heard:
        oldest = next(come_s for end, come_s in ends if end > passed)
        assert at_s - oldest <= LATE_S + 1e-9
        passed += len(text)


def test_pieces_that_come_together_are_one_event() -> None:
    heard = spoken([(0.0, "a"), *[(0.001, "b")] * 100])
    assert len(heard) <= 1 + 100 * 0.001 / DELTA_S + 1


class Talker:
    """A model that says parts as they stand."""

    name = "talker"

    def __init__(self, *turns: Sequence[ModelPart]) -> None:
        self._turns = list(turns)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        del request
        for part in self._turns.pop(0):
            yield part


def said(text: str, *calls: Any) -> ModelTurn:
    return ModelTurn(text=text, calls=calls, usage=Usage(requests=1))


def texts(run: Run) -> dict[int, tuple[str, str]]:
    """Of each step, its deltas, joined, and the text that it ends with."""
    deltas: dict[int, str] = defaultdict(str)
    turns: dict[int, str] = {}
    for event in run.events:
        if event.type == "assistant_delta":
            deltas[event.step] += event.text
        elif event.type == "assistant_turn":
            turns[event.step] = event.text
    return {step: (deltas[step], text) for step, text in turns.items()}


WORDS = [f"w{number} " for number in range(200)]
CALL = request("c1", "double", number=1)


def loud(_: object, text: object) -> object:
    from nbagents import Replace  # a check of a test

    return Replace(str(text).upper())


SPEAKERS: dict[str, Callable[[], Agent]] = {
    "a fast stream": lambda: Agent(
        "a", model=Talker([*map(TextDelta, WORDS), said("".join(WORDS))])
    ),
    "thoughts between": lambda: Agent(
        "a",
        model=Talker(
            [TextDelta("a"), Thought("hm"), TextDelta("b"), Thought("so"), said("ab")],
        ),
    ),
    "words before a call": lambda: Agent(
        "a",
        tools=[double],
        model=Talker(
            [
                TextDelta("Let me "),
                TextDelta("see."),
                CallDelta(CALL.id, CALL.name, CALL.arguments),
                said("Let me see.", CALL),
            ],
            [TextDelta("2"), said("2")],
        ),
    ),
    "a model that does not stream": lambda: Agent("a", model=Talker([said("All at once.")])),
    "an answer that is checked": lambda: agent(["quiet"], output_guardrails=[loud]),
    "a last word without words": lambda: agent([turn(CALL), turn(CALL)], [double], max_steps=1),
    "a result that is the answer": lambda: agent([turn(CALL)], [double], tool_use="stop_on_first"),
}


@pytest.mark.parametrize("kind", SPEAKERS)
def test_the_deltas_of_each_step_joined_are_its_text(kind: str) -> None:
    run = SPEAKERS[kind]().run("Go", log="memory")
    found = texts(run)
    assert found
    for deltas, text in found.values():
        assert deltas == text


@pytest.mark.parametrize("kind", SPEAKERS)
def test_whoever_only_wants_words_gets_all_of_them(kind: str) -> None:
    made = SPEAKERS[kind]()

    async def words() -> list[str]:
        return [one async for one in made.stream_text("Go", log="memory")]

    events: list[AnyEvent] = list(SPEAKERS[kind]().run("Go", log="memory").events)
    said = [event.text for event in events if event.type == "assistant_turn" and event.text]
    assert "".join(asyncio.run(words())) == "\n\n".join(said)


def test_what_breaks_the_run_is_raised_to_whoever_wants_words() -> None:
    made = agent(["Hello ", ValueError("gone")], [double])

    async def words() -> list[str]:
        return [one async for one in made.stream_text("Go", log="memory")]

    assert asyncio.run(words()) == ["Hello "]
    with pytest.raises(ValueError, match="gone"):
        asyncio.run(words())


def test_words_of_agents_inside_are_not_among_them() -> None:
    inner = agent(["from inside"])
    outer = agent([turn(request("c1", "tester", input="hm")), "from here"], [inner])

    async def words() -> list[str]:
        return [one async for one in outer.stream_text("Go", log="memory")]

    assert asyncio.run(words()) == ["from here"]
