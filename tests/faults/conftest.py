"""What the tests of faults share: a session on disk, and retries that do not wait."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from nbagents.models.chat import model as openai_chat
from nbagents.models.openai import exchange as openai_exchange
from nbagents.models.responses import model as openai_responses
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from tests.faults.wire_words import APIS, Api

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries wait only where a server says how long; what a model has taught is forgotten."""
    monkeypatch.setattr(openai_exchange, "FIRST_WAIT_S", 0.0)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)
    monkeypatch.setattr(openai_chat, "_learned", {})
    monkeypatch.setattr(openai_responses, "_learned", {})


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session with its log on disk."""
    with closing(SqliteLog(tmp_path / "faults.sqlite3")) as log:
        yield Session(log)


@pytest.fixture(params=list(APIS))
def api(request: pytest.FixtureRequest) -> Api:
    """Each of the two APIs."""
    return APIS[request.param]
