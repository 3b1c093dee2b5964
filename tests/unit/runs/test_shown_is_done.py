"""Whatever is shown of a call, anywhere, is what its tool got; and a word holds for that."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.messages import CallRequest
from nbagents.notebook.markup.long_arguments import FOR_PAGE
from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.runs.people.typing import typed_answer
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.wording.python_call import literal
from nbagents.runs.wording.visible_text import plain
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.values.exact_number import for_page, from_page
from nbagents.tools.values.summaries import summary
from tests.thinning import examples
from tests.unit.runs.desk import agent, request, turn

TEXT = st.characters(codec="utf-8", exclude_characters="\0")
"""A saved notebook shows U+FFFD in place of NUL, which its readers do not take."""
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(TEXT, max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(TEXT, max_size=3), inner),
    max_leaves=5,
)
SLOW = settings(max_examples=examples(25))


def asked_of(
    function: Callable[..., object], *calls: CallRequest, say: Callable[[Await], Any]
) -> tuple[Run, list[Await]]:
    """A run whose calls are asked about, and what was asked."""
    asked: list[Await] = []

    def answer(question: Await) -> Any:
        asked.append(question)
        return say(question)

    tool = Tool(function, ToolOptions(ask=True))
    steps = [*(turn(one) for one in calls), "done"]
    run = agent(steps, [tool], on_await=answer).run("Go", log="memory")
    return run, asked


@pytest.mark.medium
@SLOW
@given(st.dictionaries(st.sampled_from("ab"), JSON), JSON, JSON)
def test_all_surfaces_show_what_the_tool_gets(written: dict[str, Any], one: Any, two: Any) -> None:
    got: list[dict[str, Any]] = []

    def take(a: Any = one, b: Any = two) -> str:
        """Take."""
        got.append({"a": a, "b": b})
        return "ok"

    run, (question,) = asked_of(take, request("c", "take", **written), say=lambda _: True)
    (real,) = got
    same = json.dumps(real, sort_keys=True)
    assert json.dumps(question.arguments, sort_keys=True) == same
    assert json.dumps(run.calls[0].arguments, sort_keys=True) == same
    events = {event.type: event for event in run.events}
    for kind in ("await_confirmation", "tool_authorization", "tool_start"):
        event: Any = events[kind]
        assert json.dumps(event.arguments, sort_keys=True) == same
        assert event.defaults == question.defaults
        sent = json.loads(json.dumps(FOR_PAGE["arguments"]({}, event.arguments)["arguments"]))
        assert json.dumps(from_page(sent), sort_keys=True) == same
    bundle: Any = frozen_bundle(run.tree(), run.id)
    (saved,) = bundle[RUN_MIME]["tree"]["runs"][run.id]["calls"].values()
    assert json.dumps(from_page(saved["arguments"]), sort_keys=True) == same
    for name, value in real.items():
        mark = " (default)" if name in question.defaults else ""
        if len(said := f"{name}={plain(literal(value))}") < 40 and said.isascii():
            assert f"{said}{mark}" in question.text


def wipe(disk: str, passes: int = 3, *, force: bool = True) -> str:
    """Wipe a disk."""
    return f"{disk} {passes} {force}"


def test_typed_and_in_text_and_html_defaults_are_marked() -> None:
    read: list[str] = []

    def typed(question: Await) -> Any:
        return typed_answer(question, lambda prompt: read.append(prompt) or "y")

    call = request("c", "wipe", disk="sda", passes=None)
    run, (question,) = asked_of(wipe, call, say=typed)
    words = 'disk="sda", passes=3 (default), force=True (default)'
    assert question.defaults == ("passes", "force")
    assert words in question.text
    assert words in read[0]
    assert "None" not in read[0] + question.text
    assert "passes=3 (default)" in str(run.tree())
    html = str(frozen_bundle(run.tree(), run.id)["text/html"])
    assert len(re.findall(r">default<", html)) == 2
    assert run.calls[0].defaults == ("passes", "force")


def page_says(question: Await, said: dict[str, Any]) -> Answer:
    """What a page says, after a way on which only doubles survive."""
    way = json.loads(json.dumps(said), parse_int=lambda n: int(float(n)))
    return Answer.of_json(way, question)


@SLOW
@given(st.integers(), NUMBERS, JSON, st.text(max_size=3))
def test_an_edit_of_one_field_leaves_all_others_as_they_were(
    whole: int, number: float, other: Any, text: str
) -> None:
    got: list[Any] = []

    def take(a: int, b: float, c: Any, d: str = "x", e: Any = None) -> str:
        """Take."""
        got.extend((a, b, c, d, e))
        return "ok"

    run, _ = asked_of(
        take,
        request("c", "take", a=whole, b=number, c=other),
        say=lambda q: page_says(q, {"action": "approve", "changes": {"d": text}, "left_out": []}),
    )
    assert json.dumps(got) == json.dumps([whole, float(number), other, text, None])
    assert run.calls[0].defaults == (("e",) if text != "x" else ("d", "e"))
    (decided,) = [event for event in run.events if event.type == "tool_authorization"]
    assert decided.edited == (text != "x")


@SLOW
@given(JSON)
def test_a_value_that_a_page_gives_is_what_the_tool_gets(value: Any) -> None:
    got: list[Any] = []

    def take(a: Any) -> str:
        """Take."""
        got.append(a)
        return "ok"

    said: dict[str, Any] = {"action": "approve", "changes": {"a": for_page(value)}, "left_out": []}
    run, _ = asked_of(take, request("c", "take", a="?"), say=lambda q: page_says(q, said))
    assert json.dumps(got) == json.dumps([value])
    assert json.dumps(run.calls[0].arguments) == json.dumps({"a": value})


def test_what_is_left_out_on_a_page_is_the_default_again() -> None:
    said: dict[str, Any] = {"action": "approve", "changes": {}, "left_out": ["passes"]}
    call = request("c", "wipe", disk="sda", passes=9)
    run, _ = asked_of(wipe, call, say=lambda q: page_says(q, said))
    assert run.calls[0].value == "sda 3 True"
    assert set(run.calls[0].defaults) == {"force", "passes"}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_has_not_are_refused_in_an_edit(number: float) -> None:
    def scale(by: float) -> str:
        """Scale."""
        return str(by)

    def edit(question: Await) -> Answer:
        del question
        return Answer("approve", arguments={"by": number})

    with pytest.raises(ValueError, match="no NaN and no Infinity"):
        asked_of(scale, request("c", "scale", by=1), say=edit)
    with pytest.raises(ValueError, match="JSON has them"):
        Answer("answer", value={"by": [number]})


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_the_log_says_of_them_is_what_ran(word: str) -> None:
    def scale(by: float) -> str:
        """Scale."""
        return repr(by)

    run, (question,) = asked_of(scale, request("c", "scale", by=word), say=lambda _: True)
    assert run.calls[0].value == repr(float(word))
    assert question.arguments == {"by": word}
    assert all("null" not in json.dumps(e.arguments) for e in run.events if e.type == "tool_start")


def weather(city: str, date: str | None = None, unit: str = "C") -> str:
    """Weather."""
    return city


SAME = [
    {"city": "Oslo"},
    {"city": "Oslo", "date": None},
    {"date": None, "unit": "C", "city": "Oslo"},
    {"city": "Oslo", "unit": None},
]


@pytest.mark.parametrize("again", SAME)
@pytest.mark.parametrize("first", SAME)
def test_the_same_call_written_otherwise_is_denied_with_it(
    first: dict[str, Any], again: dict[str, Any]
) -> None:
    calls = request("a", "weather", **first), request("b", "weather", **again)
    run, asked = asked_of(weather, *calls, say=lambda _: False)
    assert [one.call_id for one in asked] == ["a"]
    assert [call.status for call in run.calls] == ["denied", "denied"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([10**9, 5, 10**6], [10**6, 10**9, 5]),
        (["b", "a", "c"], ["c", "b", "a"]),
        ([1, "a"], ["a", 1]),
    ],
)
def test_a_set_is_shown_in_one_order_however_it_was_written(one: Any, other: Any) -> None:
    def keep(items: Any) -> str:
        """Keep."""
        return str(len(items))

    keep.__annotations__["items"] = set[int | str]
    calls = request("a", "keep", items=one), request("b", "keep", items=other)
    run, asked = asked_of(keep, *calls, say=lambda _: False)
    assert len(asked) == 1
    assert [call.status for call in run.calls] == ["denied", "denied"]
    assert run.calls[0].arguments == run.calls[1].arguments


def test_another_call_is_another_call() -> None:
    calls = request("a", "weather", city="Oslo"), request("b", "weather", city="Oslo", unit="F")
    _, asked = asked_of(weather, *calls, say=lambda _: False)
    assert [one.call_id for one in asked] == ["a", "b"]


def test_a_live_object_is_shown_by_its_name_and_what_it_is_and_stays_in_an_edit() -> None:
    class Table:
        """No JSON can carry it."""

    got: list[Any] = []

    def drop(table: Table, rows: int) -> str:
        """Drop."""
        got.append((table, rows))
        return "ok"

    drop.__annotations__["table"] = Table
    table = Table()
    asked: list[Await] = []

    def edit(question: Await) -> Answer:
        asked.append(question)
        assert isinstance(question.arguments, dict)
        return Answer("approve", arguments={**question.arguments, "rows": 2})

    tool = Tool(drop, ToolOptions(ask=True))
    made = agent([turn(request("c", "drop", table="t", rows=1)), "done"], [tool], on_await=edit)
    run = made.run("Go", vars={"t": table}, log="memory")
    assert got == [(table, 2)]
    (question,) = asked
    assert isinstance(question.arguments, dict)
    assert question.arguments["table"] == {"handle": "t", "summary": summary(table)}
    assert "table=t, rows=1" in question.text
    assert run.calls[0].arguments == {"table": "t", "rows": 2}


def test_what_is_given_beside_what_lacks_has_no_null_for_what_was_not() -> None:
    asked: list[Await] = []

    def give(question: Await) -> dict[str, Any]:
        asked.append(question)
        return {"disk": "sda"}

    calls = turn(request("c", "wipe", passes=None, force=False))
    made = agent([calls, "done"], [wipe], on_await=give, on_missing="ask")
    run = made.run("Go", log="memory")
    assert [one.arguments for one in asked] == [{"force": False}]
    assert run.calls[0].value == "sda 3 False"


@pytest.mark.parametrize(("passes", "asked_again"), [(3, False), (7, True)])
def test_a_word_given_before_a_default_changed_is_none_for_what_would_run_now(
    passes: int, *, asked_again: bool
) -> None:
    said: list[str] = []

    def clean(disk: str, passes: int = 3) -> str:
        """Clean a disk."""
        return f"{disk} {passes}"

    def answer(question: Await) -> bool:
        said.append(question.text)
        return True

    tool = Tool(clean, ToolOptions(ask=True))
    steps = [turn(request("c", "clean", disk="sda"))]
    first = agent(steps, [tool], on_await="suspend").run("Go", log="memory")
    assert first.status == "suspended"
    clean.__defaults__ = (passes,)
    now = agent(["done"], [Tool(clean, ToolOptions(ask=True))], on_await=answer)
    again = now.resume(first, answer=True)
    assert bool(said) is asked_again
    assert again.calls[0].value == f"sda {passes}"
