"""What a tool returned: content for the model, payloads for the person."""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import enum
import itertools
import json
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import BaseModel

from nbagents.results import Bounds, Payload, Result
from nbagents.tools.call.return_value import result_of
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.labels import label


def example() -> None: ...


TOOL = Tool(example, ToolOptions(toolset="sky"))


@dataclasses.dataclass
class Spot:
    lon: float
    when: dt.date = dt.date(2026, 1, 2)


class Hotel(BaseModel):
    name: str
    at: Spot


class Colour(enum.Enum):
    RED = "red"


class Shout(str):
    __slots__ = ()


class Plain:
    pass


class Array:
    """Like an array of a numeric library."""

    def __init__(self, *items: float) -> None:
        self._items = items
        self.size = len(items)

    def tolist(self) -> list[float]:
        return list(self._items)

    def __str__(self) -> str:
        return "[short]"


def short(one: object) -> str:
    return label(one)[:40]


def content(value: Any) -> str:
    return result_of(TOOL, value).content


TEXTS: list[tuple[Any, str]] = [
    ("as it is\n", "as it is\n"),
    ("naïve 🙂", "naïve 🙂"),
    (None, "The tool returned no value (null)."),
    (3, "3"),
    (True, "true"),
    (1.5, "1.5"),
    (float("nan"), "NaN"),
    ({"a": [1, None]}, '{"a":[1,null]}'),
    (Spot(1.0), '{"lon":1.0,"when":"2026-01-02"}'),
    (Hotel(name="H", at=Spot(1.0)), '{"name":"H","at":{"lon":1.0,"when":"2026-01-02"}}'),
    ([Colour.RED], '["red"]'),
    (dt.datetime(2026, 1, 2, tzinfo=dt.UTC), '"2026-01-02T00:00:00Z"'),
    (collections.deque([1]), "[1]"),
    (collections.OrderedDict(a=1), '{"a":1}'),
    (MappingProxyType({"a": 1}), '{"a":1}'),
    ({"a": 1}.keys(), '["a"]'),
    (range(3), "[0,1,2]"),
    (map(str, [1]), '["1"]'),
    (Array(1, 2), "[1,2]"),
    (Array(*range(1001)), "Array, 1,001 items."),
    ({"x": Array(*range(1001))}, '{"x":"Array, 1,001 items."}'),
    ({"x": Array(1)}, '{"x":[1]}'),
    ({"x": range(2)}, '{"x":[0,1]}'),
    ({"b", "a"}, '["a","b"]'),
    (b"text", '"text"'),
    ({"s": Shout("a")}, '{"s":"a"}'),
    (Shout("a\ud800"), "a�"),
    (b"\xff\x00", "(2 bytes of binary data)"),
    ({"b": b"\xff"}, '{"b":"_w=="}'),
    (Exception("what"), "what"),
    ("a\ud83d\ude42\ud800", "a🙂�"),
]


@pytest.mark.parametrize(
    ("value", "text"),
    TEXTS,
    ids=short,
)
def test_the_model_reads_text_or_json(value: Any, text: str) -> None:
    assert content(value) == text


def test_an_object_without_form_is_described_and_inside_of_json_printed() -> None:
    assert content(Plain()) == f"Plain ({Plain.__module__})."
    assert json.loads(content({"x": Plain()}))["x"].endswith("Plain object>")


def test_an_iterator_without_end_is_cut_and_says_so() -> None:
    result = result_of(TOOL, itertools.count())
    listed, note = result.content.split("\n")
    assert len(json.loads(listed)) == 10_000
    assert note.startswith("[Cut: these are the first 10,000 items; there are more.")
    assert result.bounds == Bounds(returned=10_000, truncated=True)
    assert result.value == list(range(10_000))


def test_an_iterator_of_long_texts_is_read_no_further_than_a_result_can_be() -> None:
    taken = itertools.count()
    result = result_of(TOOL, ("x" * 400_000 for _ in taken))
    assert next(taken) == 4
    assert result.bounds is not None


def test_an_iterator_that_ends_is_whole() -> None:
    result = result_of(TOOL, iter([1, 2]))
    assert (result.content, result.bounds, result.value) == ("[1,2]", None, [1, 2])


def test_a_list_that_contains_itself_is_printed() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert content(loop) == "[1, [...]]"


def test_an_ordinary_value_is_no_data() -> None:
    result = result_of(TOOL, {"kind": "map"})
    assert (result.data, result.payloads, result.status) == (None, (), "done")


@pytest.mark.parametrize(
    ("data", "payloads"),
    [
        (None, ()),
        ({"kind": "map", "zoom": 2}, (Payload(kind="map", value={"zoom": 2}),)),
        ({"zoom": 2}, (Payload(kind="sky--example", value={"zoom": 2}),)),
        ([1, 2], (Payload(kind="sky--example", value=[1, 2]),)),
        ([], (Payload(kind="sky--example", value=[]),)),
        ("text", (Payload(kind="sky--example", value="text"),)),
        (Payload(kind="a", value=1), (Payload(kind="a", value=1),)),
        (
            [Payload(kind="a"), Payload(kind="b", audience="evidence")],
            (Payload(kind="a"), Payload(kind="b", audience="evidence")),
        ),
        ({"kind": 3}, (Payload(kind="sky--example", value={"kind": 3}),)),
        ({"kind": "p", "x": float("nan")}, (Payload(kind="p", value={"x": None}),)),
        ({"kind": "p", "x": Array(1)}, (Payload(kind="p", value={"x": [1]}),)),
        (iter([1, 2]), (Payload(kind="sky--example", value=[1, 2]),)),
    ],
    ids=label,
)
def test_data_becomes_payloads_of_json(data: Any, payloads: tuple[Payload, ...]) -> None:
    result = result_of(TOOL, Result("done", data))
    assert result.payloads == payloads
    assert result.data is data
    assert result.content == "done"


def test_a_mapping_that_is_shown_is_not_changed() -> None:
    data = {"kind": "map", "zoom": 2}
    result_of(TOOL, Result("done", data))
    assert data == {"kind": "map", "zoom": 2}


def test_what_the_result_says_of_the_next_step_comes_before_the_tool() -> None:
    command = Tool(example, ToolOptions(command=True))
    assert result_of(command, "x").has_next is False
    assert result_of(command, Result("x", has_next=True)).has_next is True
    assert result_of(TOOL, Result("x", has_next=False)).has_next is False
    assert result_of(TOOL, "x").has_next is None


def test_a_preview_is_one_short_line() -> None:
    result = result_of(TOOL, Result("x", preview=" two\nlines  and " + "more " * 100))
    assert result.preview is not None
    assert result.preview.startswith("two lines and more")
    assert len(result.preview) == 140
    assert result.preview.endswith("…")


def test_a_result_within_the_bound_has_no_bounds() -> None:
    assert result_of(TOOL, "x" * 100_000).bounds is None
    assert result_of(TOOL, "x" * 100_001).bounds is not None


def test_what_was_returned_is_kept_as_it_is() -> None:
    spot = Spot(1.0)
    assert result_of(TOOL, spot).value is spot
    assert result_of(TOOL, Result(spot, data=1)).value is spot


def test_further_keys_survive() -> None:
    assert result_of(TOOL, Result("x", extra={"cost": 3})).extra == {"cost": 3}
    assert result_of(TOOL, "x").extra == {}


def test_what_cannot_be_read_is_a_failure_of_the_call() -> None:
    class Broken:
        def __str__(self) -> str:
            raise ValueError("secret")

    result = result_of(TOOL, Broken())
    assert result.failure is not None
    assert result.failure.kind == "malformed_result"
    assert "secret" not in result.content
