"""The comms that a test's widgets open."""

from __future__ import annotations

from typing import Any

import comm
import pytest

from tests.unit.widgets.wire import Wire


@pytest.fixture
def wires(monkeypatch: pytest.MonkeyPatch) -> list[Wire]:
    opened: list[Wire] = []

    def create(**options: Any) -> Wire:
        opened.append(Wire(**options))
        return opened[-1]

    monkeypatch.setattr(comm, "create_comm", create)
    return opened
