"""APIs as async functions: what they say of themselves, and where their calls stand."""

from __future__ import annotations

import asyncio
import inspect
import re
from types import NoneType
from typing import Any, Literal

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

import nbagents as nba
from nbagents.code_mode.stub import python_name, type_of
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state import session as sessions
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.code_mode.shop import RECORD, Shop, inside


@pytest.fixture(name="shop")
def _shop() -> Shop:
    return Shop()


class Kept(Session):
    """A session whose runs are held by it."""

    def __init__(self) -> None:
        super().__init__(MemoryLog())
        self.held: list[Run] = []

    def remember(self, run: Any) -> None:
        self.held.append(run)


@pytest.fixture(name="session")
def _session(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Where calls by hand are logged."""
    session = Kept()
    monkeypatch.setattr(sessions, "current_session", lambda: session)
    monkeypatch.setattr("nbagents.agents.specification.run_plan.current_session", lambda: session)
    return session


def test_a_stub_says_what_it_takes() -> None:
    api = nba.apis(nba.Catalogue(RECORD))
    stub = api.pet_store__find_pets
    parameters = inspect.signature(stub).parameters
    assert list(parameters) == ["status", "from_", "x_trace", "tags", "limit"]
    empty = str(inspect.Parameter.empty)
    defaults = [str(one.default) for one in parameters.values()]
    assert defaults == [empty, empty, "…", "…", "10"]
    assert stub.__annotations__ == {
        "status": Literal["sold", "free"],
        "from_": int,
        "x_trace": str | None,
        "tags": list[str],
        "limit": int,
        "return": Any,
    }
    assert inspect.iscoroutinefunction(stub)
    assert stub.__name__ == "pet_store__find_pets"
    assert stub.__doc__ is not None
    assert "Find pets" in stub.__doc__
    assert "status: Which." in stub.__doc__
    assert "'x-trace'" in stub.__doc__


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"type": "number"}, float),
        ({"type": ["integer", "null"]}, int | None),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, str | int),
        ({"anyOf": [{"type": "string"}, {}]}, Any),
        ({"type": "null"}, NoneType),
        ({"type": "array"}, list[Any]),
        ({"enum": [{"a": 1}]}, Any),
        ({"enum": []}, Any),
        ({"type": 7}, Any),
        (True, Any),
        (None, Any),
    ],
)
def test_types_are_read_as_far_as_they_say_something(schema: object, wanted: object) -> None:
    assert type_of(schema) == wanted


@pytest.mark.parametrize("name", ["x-api-key", "from", "2d", "", "größe", "a.b", "None"])
def test_any_name_becomes_one_that_python_takes(name: str) -> None:
    assert python_name(name).isidentifier()


def test_two_names_that_are_one_in_python_stay_two() -> None:
    properties = {"a-b": {"type": "string"}, "a_b": {"type": "string"}}
    record = RECORD | {"parameters": {"type": "object", "properties": properties}}
    stub = nba.apis(nba.Catalogue(record))["pet_store__find_pets"]
    assert list(inspect.signature(stub).parameters) == ["a_b", "a_b_"]


def test_tab_offers_names_groups_and_keys(shop: Shop) -> None:
    catalogue = shop.catalogue()
    catalogue.add(RECORD)
    api = nba.apis(catalogue)
    assert {"price", "stock", "search", "pet_store", "pet_store__find_pets"} <= set(dir(api))
    assert dir(api.pet_store) == ["find_pets"]
    assert api.pet_store.find_pets is api.pet_store__find_pets
    keys: Any = api  # Any: what IPython asks of an object is no part of its type
    assert keys._ipython_key_completions_() == list(catalogue.names)
    assert not [name for name in dir(api) if name.startswith("_")]


def test_ipython_completes_and_shows_the_signature(shop: Shop) -> None:
    shell: Any = InteractiveShell()  # Any: IPython leaves most of it untyped
    shell.user_ns["apis"] = nba.apis(shop.catalogue())
    with provisionalcompleter():
        found = [one.text for one in shell.Completer.completions("apis.pri", 8)]
    assert found in (["price"], [".price"])
    shown = re.sub(r"\x1b\[\d*m", "", shell.object_inspect_text("apis.price"))
    assert "price(item: str, currency: str = 'EUR')" in shown
    assert "What an item costs." in shown


def test_a_name_that_is_none_is_answered_with_close_ones(shop: Shop) -> None:
    api = nba.apis(shop.catalogue())
    with pytest.raises(AttributeError, match=r"'prise'.*price.*apis\.search"):
        api.prise  # noqa: B018  looked up
    with pytest.raises(nba.ToolNotFoundError):
        api["prise"]
    assert not hasattr(api, "__wrapped__")


def test_what_is_added_later_is_there(shop: Shop) -> None:
    catalogue = shop.catalogue()
    api = nba.apis(catalogue)
    assert not hasattr(api, "pet_store")
    catalogue.add(RECORD)
    assert hasattr(api, "pet_store__find_pets")
    assert len(api) == len(catalogue)


def test_apis_are_made_of_whatever_a_catalogue_is_made_of(shop: Shop, session: Kept) -> None:
    api = nba.apis([shop.price])
    assert asyncio.run(api.price("tea"))["price"] == 3
    assert len(session.held) == 1


def test_a_call_by_hand_is_a_run_of_its_own(shop: Shop, session: Kept) -> None:
    api = nba.apis(shop.catalogue())
    given = asyncio.run(api.price("tea", currency="GBP"))
    assert given == {"item": "tea", "price": 3, "currency": "GBP"}
    (run,) = session.held
    assert (run.agent_name, run.status) == ("you", "completed")
    (made,) = run.calls
    assert (made.name, made.arguments) == ("price", {"item": "tea", "currency": "GBP"})


def test_calls_made_together_by_hand_stand_in_one_run(shop: Shop, session: Kept) -> None:
    api = nba.apis(shop.catalogue())

    async def both() -> list[Any]:
        return await asyncio.gather(*[api.price(item) for item in ("tea", "milk", "a")])

    assert [one["price"] for one in asyncio.run(both())] == [3, 4, 1]
    (run,) = session.held
    assert [one.name for one in run.calls] == ["price"] * 3
    assert shop.most_at_once == 3


def test_a_block_holds_one_run_open(shop: Shop, session: Kept) -> None:
    api = nba.apis(shop.catalogue())

    async def cell() -> None:
        async with api:
            await api.price("tea")
            with pytest.raises(nba.ToolError, match="because so"):
                await api.fail(why="so")
            await api.stock("tea")
        await api.stock("milk")

    asyncio.run(cell())
    names = [[one.name for one in run.calls] for run in session.held]
    assert sorted(names) == [["price", "fail", "stock"], ["stock"]]
    assert all(run.is_closed for run in session.held)


def test_what_fails_is_raised_and_so_is_what_does_not_fit(shop: Shop, session: Kept) -> None:
    api = nba.apis(shop.catalogue())
    with pytest.raises(nba.ToolError, match="No, because so"):
        asyncio.run(api.fail(why="so"))
    with pytest.raises(nba.ToolError, match="item"):
        asyncio.run(api.price(item=7))
    with pytest.raises(nba.ToolArgumentsError, match="It takes item: str"):
        asyncio.run(api.price())
    with pytest.raises(nba.ToolError, match="JSON"):
        asyncio.run(api.price(object()))
    assert len(session.held) == 2  # nothing was called that cannot be


def test_what_only_describes_fails_clearly(session: Kept) -> None:
    api = nba.apis(nba.Catalogue(RECORD))
    with pytest.raises(nba.ToolError) as raised:
        asyncio.run(api.pet_store.find_pets("sold", from_=1, x_trace=None))
    assert raised.value.kind == "unavailable"
    (made,) = session.held[0].calls
    assert made.arguments == {"status": "sold", "from": 1, "x-trace": None, "limit": 10}
    assert made.defaults == ("limit",)


def test_searching_calls_nothing(shop: Shop, session: Kept) -> None:
    api = nba.apis(shop.catalogue())
    hits = asyncio.run(api.search("what an item costs"))
    assert hits[0].name == "price"
    assert api.describe("price")[0]["parameters"]["required"] == ["item"]
    assert api.browse().names == ("Python",)
    assert not session.held


def calling(shop: Shop, model_steps: list[Any], **options: Any) -> tuple[Run, Shop]:
    api = nba.apis(shop.catalogue())

    async def total(items: list[str]) -> int:
        """Add up what items cost."""
        found = await asyncio.gather(*[api.price(item) for item in items])
        await api.wipe(path="cart")
        return sum(one["price"] for one in found)

    agent = nba.Agent("shop", tools=[total], model=ScriptedModel(model_steps), **options)
    return agent.run("Go", log="memory"), shop


def test_calls_inside_of_a_tool_stand_in_the_tree_of_its_call(shop: Shop) -> None:
    asked: list[Await] = []

    def answer(question: Await) -> Answer:
        asked.append(question)
        return Answer(action="approve")

    run, _ = calling(shop, [call("total", items=["tea", "milk"]), "done"], on_await=answer)
    assert run.calls[0].value == 7
    assert inside(run) == [[("price", "done")] * 2, [("wipe", "done")]]
    assert {link.run_id for link in run.calls[0].run_links} == {one.id for one in run.children}
    assert [(one.tool_name, one.arguments) for one in asked] == [
        ("wipe", {"path": "cart", "deep": False})
    ]


def test_what_is_denied_inside_of_a_tool_fails_there(shop: Shop) -> None:
    run, _ = calling(shop, [call("total", items=["tea"]), "done"], on_await="deny")
    assert run.calls[0].status == "failed"
    assert not any(one.startswith("wipe") for one in shop.done)


def test_limits_of_the_run_above_hold_for_what_code_calls(shop: Shop) -> None:
    items = ["tea", "milk", "a", "b"]
    run, _ = calling(shop, [call("total", items=items), "done"], max_calls=3)
    assert run.calls[0].status == "failed"
    assert len(shop.done) == 2
