"""The names of live objects, and what is told of them."""

from __future__ import annotations

import sys
import threading
import time
import types

import pytest

from nbagents.errors import ToolArgumentsError
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


def test_an_object_is_told_of_as_it_is_now_however_long_that_takes() -> None:
    class Slow(Counted):
        def __len__(self) -> int:
            time.sleep(0.02)
            return super().__len__()

    slow = Slow()
    handles = Handles({"slow": slow})
    told(handles)
    assert (told(handles), slow.asked) == ([f"{Slow.__name__} (test_handles), 2 items"], 2)


def test_a_chart_is_written_out_once_to_be_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    class Chart:
        asked = 0

        def to_dict(self) -> dict[str, object]:
            self.asked += 1
            return {"mark": "bar"}

    altair = types.ModuleType("altair")
    altair.__dict__["TopLevelMixin"] = Chart
    monkeypatch.setitem(sys.modules, "altair", altair)
    chart = Chart()
    handles = Handles({"chart": chart})
    assert told(handles) == told(handles) == ["Bar chart"]
    assert chart.asked == 1
    handles.share("chart", [1])
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
