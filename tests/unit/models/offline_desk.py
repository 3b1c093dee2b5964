"""A desk for the offline model: tools of many subjects, and the few lines of a loop around it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import JsonValue

from nbagents.messages import AssistantMessage, CallRequest, Message, ToolMessage, UserMessage
from nbagents.models.model import (
    ModelPart,
    ModelRequest,
    ModelTurn,
    TextDelta,
    ThoughtDelta,
    ToolSpec,
)
from nbagents.models.offline import OfflineModel

Offered: TypeAlias = tuple[ToolSpec, Callable[..., object]]
Call: TypeAlias = tuple[str, dict[str, JsonValue]]


def spec(
    name: str, description: str = "", /, *optional: str, **properties: dict[str, JsonValue]
) -> ToolSpec:
    """A tool's spec; all its properties are required but those named as optional."""
    names: list[JsonValue] = [one for one in properties if one not in optional]
    parameters: dict[str, JsonValue] = {
        "type": "object",
        "properties": dict(properties),
        "required": names,
    }
    return ToolSpec(name=name, description=description, parameters=parameters)


def typed(kind: str, description: str = "", **more: JsonValue) -> dict[str, JsonValue]:
    """A property."""
    return {"type": kind, "description": description, **more}


@dataclass
class Played:
    """What happened in a turn."""

    steps: list[list[Call]] = field(default_factory=list[list[Call]])
    answer: str = ""
    thoughts: str = ""
    messages: list[Message] = field(default_factory=list[Message])

    @property
    def calls(self) -> list[Call]:
        return [call for step in self.steps for call in step]


def parts_of(request: ModelRequest) -> list[ModelPart]:
    """All that the model streams for a request."""

    async def collect() -> list[ModelPart]:
        return [part async for part in OfflineModel().stream(request)]

    return asyncio.run(collect())


def play(prompt: str, *tools: Offered, history: Sequence[Message] = ()) -> Played:
    """Run a prompt with the tools until the model answers."""
    played = Played(messages=[*history, UserMessage(text=prompt)])
    memo: dict[str, object] = {}
    specs = tuple(one for one, _ in tools)
    functions = {one.name: function for one, function in tools}
    for _ in range(8):
        request = ModelRequest(messages=played.messages, tools=specs, memo=memo)
        parts = parts_of(request)
        played.thoughts += "".join(one.text for one in parts if isinstance(one, ThoughtDelta))
        turn = parts[-1]
        assert isinstance(turn, ModelTurn)
        assert "".join(one.text for one in parts if isinstance(one, TextDelta)) == turn.text
        played.messages.append(AssistantMessage(text=turn.text, calls=turn.calls))
        if not turn.calls:
            played.answer = turn.text
            return played
        played.steps.append([(one.name, json.loads(one.arguments)) for one in turn.calls])
        played.messages += [_made(one, functions[one.name]) for one in turn.calls]
    raise AssertionError(f"no answer after 8 steps: {played.steps}")


def _made(call: CallRequest, function: Callable[..., object]) -> ToolMessage:
    try:
        value = function(**json.loads(call.arguments))
        content = value if isinstance(value, str) else json.dumps(value)
    except (ValueError, ZeroDivisionError, LookupError, TimeoutError) as error:
        content = f"{type(error).__name__}: {error}"
    return ToolMessage(call_id=call.id, name=call.name, content=content)


def says(template: str) -> Callable[..., object]:
    """A tool that answers with its arguments in a sentence."""

    def function(**arguments: object) -> str:
        return template.format(**arguments)

    return function


def gives(value: JsonValue) -> Callable[..., object]:
    """A tool that always gives the same."""

    def function(**_: object) -> JsonValue:
        return value

    return function


LON_LAT: dict[str, dict[str, JsonValue]] = {
    "lon": typed("number", "Degrees east.", minimum=-180, maximum=180),
    "lat": typed("number", "Degrees north.", minimum=-90, maximum=90),
}
PLACES = {"Oslo": (10.75, 59.91), "Paris": (2.35, 48.86)}


def find_place(name: str) -> dict[str, JsonValue]:
    lon, lat = PLACES[name]
    return {"name": name, "lon": lon, "lat": lat}


WEATHER: Offered = (
    spec("weather", "The weather in a city.", city=typed("string", "Name of the city.")),
    says("It is 5 °C in {city}."),
)
MAP: tuple[Offered, ...] = (
    (spec("find_place", "Find a place by its name.", name=typed("string")), find_place),
    (
        spec(
            "mapAgent--setCenter",
            "Move the map to a place, so that the user sees it.",
            "zoom",
            **LON_LAT,
            zoom=typed("number", "How close."),
        ),
        says("The map shows {lon}, {lat}."),
    ),
    (
        spec("mapAgent--getCenter", "Where the map is centered now."),
        gives({"lon": 1.5, "lat": 2.5}),
    ),
    (
        spec(
            "mapAgent--setZoom",
            "Zoom the map.",
            zoom=typed("number", "The zoom level.", minimum=0, maximum=18),
        ),
        says("The zoom is {zoom}."),
    ),
    (
        spec(
            "mapAgent--setPin",
            "Put a pin on the map.",
            "label",
            **LON_LAT,
            label=typed("string", "Text beside the pin."),
        ),
        says("Pinned {lon}, {lat}."),
    ),
)
CONVERT: Offered = (
    spec(
        "convert_units",
        "Convert a quantity from one unit to another.",
        value=typed("number"),
        from_unit=typed("string"),
        to_unit=typed("string"),
    ),
    gives(5.63),
)
