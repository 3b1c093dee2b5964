"""A call that is copied as Python is the call that was made: the same values, each in its place."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
import pathlib
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from pydantic_core import to_jsonable_python

import nbagents as nba
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.wording import call_in_python
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.thinning import examples


def here() -> dict[str, Any]:
    """What the person's cells have defined; a shell of another test may stand there."""
    return vars(sys.modules["__main__"])


class Colour(enum.Enum):
    """What JSON has as a text."""

    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    """What JSON has as an object."""

    city: str
    since: dt.date


@dataclass
class Point:
    """The same of the standard library."""

    x: float
    y: float = 0.0


class Pair(NamedTuple):
    """A tuple with a type of its own."""

    left: int
    right: int


NAMES: dict[str, Any] = {
    "Address": Address,
    "Colour": Colour,
    "Point": Point,
    "Pair": Pair,
    "dt": dt,
    "decimal": decimal,
    "uuid": uuid,
    "pathlib": pathlib,
    "Field": Field,
}
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(),
    "str": st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    "float": NUMBERS,
    "bool": st.booleans(),
    "dt.date": st.dates(),
    "dt.datetime": st.datetimes().map(lambda one: one.replace(fold=0)),  # JSON has none
    "decimal.Decimal": st.decimals(allow_nan=False, allow_infinity=False),
    "uuid.UUID": st.uuids(),
    "pathlib.Path": st.text("abc/", min_size=1, max_size=6).map(pathlib.Path),
    "Colour": st.sampled_from(Colour),
    "Address": st.builds(Address, city=st.text("äb\"'$", max_size=4), since=st.dates()),
    "Point": st.builds(Point, NUMBERS, NUMBERS),
    "Pair": st.builds(Pair, st.integers(0, 9), st.integers(0, 9)),
    "dt.timedelta": st.integers(0, 10**6).map(lambda seconds: dt.timedelta(seconds=seconds)),
    "list[dt.date]": st.lists(st.dates(), max_size=3),
    "tuple[int, ...]": st.lists(st.integers(), max_size=3).map(tuple),
    "set[int]": st.sets(st.integers(), max_size=3),
    "dict[str, Colour]": st.dictionaries(st.text("ab $", max_size=2), st.sampled_from(Colour)),
    "dict[str, int] | None": st.none() | st.dictionaries(st.text("a", max_size=1), st.integers()),
}
KINDS = ("only", "either", "rest", "keyword", "more")


@dataclass
class Parameter:
    """One parameter of a function that is made up."""

    kind: str
    hint: str
    default: Any
    given: Any


@st.composite
def parameters(draw: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function, in the order that Python wants, with what a call gives."""
    made: list[Parameter] = []
    had_default = False
    for kind in KINDS:
        most = 1 if kind in ("rest", "more") else 2
        for hint in draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=most)):
            value = VALUES[hint]
            several: dict[str, st.SearchStrategy[Any]] = {
                "rest": st.lists(value, max_size=3),
                "more": st.dictionaries(st.sampled_from(["k", "class", "a b"]), value),
            }
            if kind in several:
                made.append(Parameter(kind, hint, None, draw(several[kind])))
                continue
            has_default = draw(st.booleans()) or (had_default and kind != "keyword")
            had_default = had_default or has_default
            default = draw(value) if has_default else None
            is_given = not has_default or draw(st.booleans())
            made.append(
                Parameter(
                    kind,
                    hint,
                    (default,) if has_default else None,
                    draw(value) if is_given else None,
                )
            )
            if has_default and not is_given:
                made[-1].given = MISSING
    return made


MISSING = object()
STARS = {"rest": "*", "more": "**"}


def defined(given_parameters: list[Parameter], called: list[Any]) -> Callable[..., Any]:
    """The function, which notes what it is called with."""
    words: list[str] = []
    defaults: dict[str, Any] = {}
    kinds = [one.kind for one in given_parameters]
    for number, one in enumerate(given_parameters):
        if one.kind == "keyword" and "rest" not in kinds and "*" not in words:
            words.append("*")
        default = f" = default{number}" if one.default else ""
        if one.default:
            defaults[f"default{number}"] = one.default[0]
        words.append(f"{STARS.get(one.kind, '')}p{number}: {one.hint}{default}")
        if one.kind == "only" and kinds[number + 1 : number + 2] != ["only"]:
            words.append("/")
    names = ", ".join(f"p{number}" for number in range(len(given_parameters)))
    source = f"def made({', '.join(words)}):\n    'Note.'\n    note([{names}])\n"
    space: dict[str, Any] = {**NAMES, **defaults, "note": called.append, "__name__": "__main__"}
    exec(source, space)
    return space["made"]


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the person's cells would have defined, is not left behind."""
    yield
    here().pop("made", None)
    here().pop("found", None)


def copied(tool: Any, arguments: dict[str, Any]) -> tuple[str, nba.Run]:
    """A call of a tool, as Python, and the run in which it was made."""
    name: str = getattr(tool, "name", tool.__name__)
    model = ScriptedModel([[call(name, **arguments)], "Done."])
    run = nba.Agent(tools=[tool], model=model).run("Go", log="memory")
    node = next(iter(run.tree()["runs"][run.id]["calls"].values()))
    about = (node.get("defaults", ()), node.get("objects", {}), node.get("taken"))
    return call_in_python(node["name"], node["arguments"], *about), run


def told(value: object) -> str:
    """A value with its types, so that 1 is not 1.0 and not True."""
    of_any: Any = value
    if isinstance(value, set):
        return f"set {sorted(map(told, of_any))}"
    if type(value) in (list, tuple):
        return f"{type(value).__name__} {[told(one) for one in of_any]}"
    if isinstance(value, dict):
        return f"dict {[(name, told(one)) for name, one in of_any.items()]}"
    return repr(of_any)


@pytest.mark.medium
@settings(
    max_examples=examples(120),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(given_parameters=parameters())
def test_the_copy_of_any_call_makes_the_same_call(given_parameters: list[Parameter]) -> None:
    called: list[Any] = []
    here()["made"] = function = defined(given_parameters, called)
    arguments = {
        f"p{number}": json.loads(json.dumps(to_jsonable_python(one.given)))
        for number, one in enumerate(given_parameters)
        if one.given is not MISSING
    }
    source, run = copied(function, arguments)
    assume(run.calls[0].status == "done")  # else nothing was called
    assert not source.startswith("#"), source
    exec(source, {**NAMES, "made": function})
    first, second = called
    assert [told(one) for one in second] == [told(one) for one in first]


def noted(*args: Any, **kwargs: Any) -> str:
    return f"{args} {kwargs}"


def test_a_call_that_needs_no_more_is_told_by_its_name_alone() -> None:
    def find(city: str, days: int = 1) -> str:
        "Find."
        return noted(city, days)

    source, run = copied(find, {"city": "Oslo"})
    assert source == 'find(city="Oslo")'
    assert "taken" not in next(iter(run.tree()["runs"][run.id]["calls"].values()))


def test_a_tool_of_another_name_is_called_by_its_function() -> None:
    def found(city: str) -> str:
        "Find."
        return noted(city)

    for options in (ToolOptions(name="find_place"), ToolOptions(toolset="maps")):
        source, _ = copied(Tool(found, options), {"city": "Oslo"})
        assert source == 'found(city="Oslo")'


def test_a_function_of_a_module_is_imported() -> None:
    source, _ = copied(noted_city, {"city": "Oslo"})
    assert source == f'from {__name__} import noted_city\nnoted_city(city="Oslo")'


def noted_city(city: str) -> str:
    """Note."""
    return noted(city)


def test_a_method_is_called_of_its_object() -> None:
    class Guide:
        def greet(self, name: str) -> str:
            "Greet."
            return noted(name)

    here()["found"] = guide = Guide()
    assert copied(guide.greet, {"name": "Ada"})[0] == 'found.greet(name="Ada")'


def test_an_async_tool_is_waited_for() -> None:
    async def later(day: dt.date) -> str:
        "Wait."
        return noted(day)

    source, _ = copied(later, {"day": "2026-01-02"})
    assert source == 'import datetime\nawait later(day=datetime.date.fromisoformat("2026-01-02"))'


def test_a_default_that_only_the_schema_knows_is_written() -> None:
    def place(city: str, zoom: int = Field(3, ge=1)) -> str:
        "Place."
        return noted(city, zoom)

    assert copied(place, {"city": "Oslo"})[0] == 'place(city="Oslo", zoom=3)'


def test_what_the_model_calls_otherwise_has_the_name_that_python_has() -> None:
    def place(city: str = Field(alias="cityName")) -> str:
        "Place."
        return noted(city)

    assert copied(place, {"cityName": "Oslo"})[0] == 'place(city="Oslo")'


def test_numbers_that_json_has_not_are_numbers() -> None:
    def weigh(mass: float) -> str:
        "Weigh."
        return noted(mass)

    assert copied(weigh, {"mass": "Infinity"})[0] == 'weigh(mass=float("Infinity"))'


@pytest.mark.parametrize("count", [2, 101])
def test_what_cannot_be_called_is_a_comment_that_says_why(count: int) -> None:
    class Local(enum.Enum):
        A = "a"

    def look(ctx: nba.Context, path: str) -> str:
        "Look."
        return noted(ctx.agent_name, path)

    def choose(one: Local) -> str:
        "Choose."
        return noted(one)

    def dates(days: list[dt.date]) -> str:
        "Dates."
        return noted(days)

    source, _ = copied(look, {"path": "a"})
    assert source == (
        "# look takes the context of a run, which there is in a run alone: %tool look calls it.\n"
        '# look(path="a")'
    )
    choose.__annotations__["one"] = Local
    assert copied(choose, {"one": "a"})[0] == (
        '# No name leads to the type Local: define it where you are.\n# choose(one="a")'
    )
    source, _ = copied(dates, {"days": ["2026-01-02"] * count})
    assert source.startswith("# More than 100 of its values") == (count > 100)


def test_a_call_whose_secret_was_taken_out_is_a_comment() -> None:
    from nbagents.redaction import know  # the module's state is the test's own

    def log_in(key: str) -> str:
        "Log in."
        return noted(len(key))

    know("hunter2hunter2")
    source, _ = copied(log_in, {"key": "hunter2hunter2"})
    assert source == (
        "# A secret was taken out of it: put it where [redacted] stands.\n"
        '# log_in(key="[redacted]")'
    )
