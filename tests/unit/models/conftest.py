"""What the models' tests share."""

from __future__ import annotations

import asyncio

import pytest

from nbagents.models.chat import model as openai_chat
from nbagents.models.openai import exchange as openai_exchange


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries do not wait, and what one test's model wanted is forgotten in the next."""
    monkeypatch.setattr(openai_exchange, "FIRST_WAIT_S", 0.0)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)
    monkeypatch.setattr(openai_chat, "_learned", {})


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between tries, in seconds: they are noted, and do not take place."""
    waited: list[float] = []
    really_sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        if seconds:
            waited.append(seconds)
        await really_sleep(0)

    monkeypatch.setattr("asyncio.sleep", noted)
    monkeypatch.setattr("anyio.sleep", noted)
    monkeypatch.setattr("openai._base_client.random", lambda: 0.0)
    monkeypatch.setattr(openai_chat, "_learned", {})
    return waited
