"""What the models' tests share."""

from __future__ import annotations

import pytest

from nbagents.models import openai_chat


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries do not wait, and what one test's model wanted is forgotten in the next."""
    monkeypatch.setattr(openai_chat, "FIRST_WAIT_S", 0.0)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)
    monkeypatch.setattr(openai_chat, "_learned", {})
