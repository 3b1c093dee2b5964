"""Tables and charts that a call displays stay what they are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from nbagents.notebook.kernel.displayed_object import objects_captured
from nbagents.tools.context.capture import capturing
from nbagents.tools.values.payload import PAYLOAD_MIME

pd: Any = pytest.importorskip("pandas")
FRAME = pd.DataFrame({"n": [1, 2]})


class Sink:
    """A call whose output goes nowhere."""


def a_shell() -> Any:
    return SimpleNamespace(display_formatter=SimpleNamespace(formatters={}))


def shown(shell: Any, value: object) -> Any:
    formatter = shell.display_formatter.formatters[PAYLOAD_MIME]
    sink: Any = Sink()
    with capturing(sink):
        return formatter(value)


def test_in_a_call_a_frame_is_a_table_and_other_things_are_what_they_were() -> None:
    shell = a_shell()
    with objects_captured(shell):
        assert shown(shell, FRAME)["kind"] == "table"
        assert shown(shell, FRAME["n"])["value"]["rows"] == [[0, 1], [1, 2]]
        assert shown(shell, "text") is None
        assert shown(shell, object()) is None


def test_outside_of_calls_nothing_changes() -> None:
    shell = a_shell()
    with objects_captured(shell):
        assert shell.display_formatter.formatters[PAYLOAD_MIME](FRAME) is None


def test_the_formatter_goes_with_the_last_run() -> None:
    shell = a_shell()
    with objects_captured(shell):
        with objects_captured(shell):
            pass
        assert PAYLOAD_MIME in shell.display_formatter.formatters
    assert shell.display_formatter.formatters == {}


def test_what_somebody_else_put_there_stays() -> None:
    shell = a_shell()
    with objects_captured(shell):
        shell.display_formatter.formatters[PAYLOAD_MIME] = print
    assert shell.display_formatter.formatters == {PAYLOAD_MIME: print}


def test_a_frame_that_raises_is_displayed_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_value: object) -> None:
        raise ValueError

    shell = a_shell()
    monkeypatch.setattr("nbagents.notebook.kernel.displayed_object.kind_of", broken)
    with objects_captured(shell):
        assert shown(shell, FRAME) is None


def test_a_shell_without_formatters_is_left_alone() -> None:
    shell: Any = SimpleNamespace()
    with objects_captured(shell):
        assert not hasattr(shell, "display_formatter")
