"""Runs in step mode: one that waits before a request, one before calls, and one that was edited."""

from __future__ import annotations

from typing import Any

from tests.browser.states.story import Json, Story

__all__ = ["edited", "next_calls", "next_request"]

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "The town."},
        "days": {"type": "integer", "default": 1},
    },
    "required": ["city"],
}
TOOLS: list[Json] = [
    {"name": "weather", "description": "The weather of a town.", "parameters": SCHEMA},
    {"name": "find_place", "description": "Where a town is.", "parameters": SCHEMA},
]


def message(role: str, text: str, **fields: Any) -> Json:
    """A message as it is shown."""
    return {"role": role, "text": text, **fields}


def begun() -> Story:
    """A run whose first call has ended."""
    story = Story().begin("How warm is it in Oslo and in Rome?").at(0.4)
    called = {"id": "oslo", "name": "weather", "arguments": '{"city": "Oslo"}'}
    story.says("", calls=[called])
    return story.call("oslo", "weather", "9 °C, and rain until the evening.", city="Oslo").at(2.0)


def next_request() -> list[Json]:
    """The model would be asked again, with a result that is new."""
    story = begun()
    call = {"id": "oslo", "name": "weather", "arguments": '{"city": "Oslo"}'}
    messages = [
        message("system", "You tell the weather, in one sentence."),
        message("user", "How warm is it in Oslo and in Rome?"),
        message("assistant", "", calls=[call]),
        message("tool", "9 °C, and rain until the evening.", call_id="oslo"),
    ]
    pause: Json = {
        "of": "request",
        "step": 2,
        "model": "scripted",
        "messages": messages,
        "new_from": 2,
        "tools": TOOLS,
        "settings": {"temperature": 0},
    }
    title = "Step 2: ask scripted"
    return story.tell("await_step", await_id="step", title=title, pause=pause).at(4.0).written


def next_calls() -> list[Json]:
    """Two calls would be made, one of which cannot be as it stands."""
    story = Story().begin("How warm is it in Oslo and in Rome?").at(0.4)
    written = {"oslo": '{"city": "Oslo"}', "rome": '{"days": "two"}'}
    asked = [{"id": key, "name": "weather", "arguments": one} for key, one in written.items()]
    story.says("", calls=asked)
    calls: list[Json] = [
        {
            "id": "oslo",
            "name": "weather",
            "arguments": {"city": "Oslo", "days": 1},
            "defaults": ["days"],
            "form": SCHEMA,
        },
        {
            "id": "rome",
            "name": "weather",
            "arguments": {"days": "two"},
            "form": SCHEMA,
            "problem": "The arguments do not fit the tool 'weather':\ncity: Field required",
        },
    ]
    pause: Json = {"of": "calls", "step": 1, "model": "scripted", "calls": calls}
    title = "Step 1: make 2 calls"
    return story.tell("await_step", await_id="step", title=title, pause=pause).at(2.0).written


def edited() -> list[Json]:
    """A run that was stepped through: with other words, other arguments, and its own answer."""
    story = Story().begin("How warm is it in Oslo?").at(0.4)
    story.tell(
        "step_edit",
        step=1,
        what="message",
        by="the person",
        place=0,
        role="user",
        before="How warm is it in Oslo?",
        after="How warm is it in Rome?",
    )
    called = {"id": "oslo", "name": "weather", "arguments": '{"city": "Oslo"}'}
    story.says("", calls=[called])
    story.tell(
        "step_edit",
        step=1,
        what="arguments",
        by="the person",
        before={"city": "Oslo"},
        after={"city": "Rome"},
        **story.of("oslo", "weather"),
    )
    story.call("oslo", "weather", "19 °C", city="Rome").at(1.6)
    story.tell("step_edit", step=2, what="answer", by="the person", after="It is 19 °C.")
    story.step = 2
    return story.says("It is 19 °C.", said_by="the person").ends().written
