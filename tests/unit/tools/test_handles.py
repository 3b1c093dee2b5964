"""The names of live objects, and what is told of them."""

from __future__ import annotations

import threading

import pytest

from nbagents.errors import ToolArgumentsError
from nbagents.tools.values import handles as handles_module
from nbagents.tools.values.handles import Handles


def told(handles: Handles) -> list[str]:
    return [one.summary for one in handles.infos()]


class Counted:
    """Says how often its size was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def __len__(self) -> int:
        self.asked += 1
        return self.asked


def test_an_object_is_told_of_as_it_is_now() -> None:
    items = [1]
    handles = Handles({"items": items})
    assert told(handles) == ["list of int, 1 item"]
    items.append(2)
    assert told(handles) == ["list of int, 2 items"]
    items.append("three")  # type: ignore[arg-type]
    assert (told(handles), handles.infos()[0].type_name) == (["list, 3 items"], "list")


def test_an_object_that_is_slow_to_describe_is_described_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = Counted()
    handles = Handles({"slow": slow})
    monkeypatch.setattr(handles_module, "SLOW_S", -1.0)
    first = told(handles)
    before = slow.asked
    assert (told(handles), slow.asked) == (first, before)
    handles.share("slow", [1])
    assert told(handles) == ["list of int, 1 item"]


def test_objects_may_be_shared_while_others_are_kept_and_looked_for() -> None:
    handles = Handles({str(number): object() for number in range(2_000)})
    errors: list[RuntimeError] = []
    shared = threading.Event()

    def keep() -> None:
        try:
            while not shared.is_set():
                handles.keep(object())
                with pytest.raises(ToolArgumentsError):
                    handles.find("none", fits=lambda _: False)
        except RuntimeError as error:
            errors.append(error)

    keeping = threading.Thread(target=keep)
    keeping.start()
    for number in range(5_000):  # no more: each makes the other thread's way longer
        handles.share(f"s{number}", number)
    shared.set()
    keeping.join()
    assert errors == []


def test_calls_made_together_are_numbered_by_their_order() -> None:
    handles = Handles({"r2": "the person's own"})
    first, second, third = handles.in_order(3)
    assert third.keep(object()) == "r4"
    assert first.keep(object()) == "r1"
    assert first.keep(object()) == "r5"
    assert second["r1"] is handles["r1"]
    handles.release((first, second, third))
    assert handles.keep(object()) == "r6"


def test_numbers_that_were_not_needed_are_given_back() -> None:
    handles = Handles()
    ordered = handles.in_order(3)
    ordered[0].keep(object())
    handles.release(ordered)
    assert handles.keep(object()) == "r2"
