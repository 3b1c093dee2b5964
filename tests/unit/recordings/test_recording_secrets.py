"""No secret is written into a recording, and a request that holds one still finds its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.models.scripted import call
from nbagents.recordings import secrets_in
from nbagents.redaction import use_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OF_ENVIRONMENT = "klmn-4711-very-secret-value"
SHAPED = [
    "sk-proj-" + "a1B2" * 10,
    "ghp_" + "a1B2" * 9,
    "AKIA" + "ABCD1234EFGH5678",
    "xoxb-123456789012-abcdefABCDEF",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "glpat-" + "a1B2c3D4e5F6g7H8i9J0",
    "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
]


@pytest.fixture(autouse=True)
def _redaction(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MY_SERVICE_TOKEN", OF_ENVIRONMENT)
    use_patterns([r"EMP-\d{6}"])
    yield
    use_patterns(())


@nba.tool(replace=True)
def look_up(token: str) -> str:
    """Look something up."""
    return f"With {token}: EMP-123456"


@pytest.mark.parametrize("secret", [OF_ENVIRONMENT, "EMP-654321", *SHAPED])
def test_no_secret_is_written_and_all_is_found_again(tmp_path: Path, secret: str) -> None:
    path = tmp_path / "a.recording.jsonl"
    steps = [call("look_up", token=secret), f"It was {secret}."]
    with nba.recording(path, "extend"):
        agent = nba.Agent(
            model=nba.ScriptedModel(steps), tools=[look_up], instructions=f"Use {secret}"
        )
        first = agent.run(f"Ask with {secret}", log="memory")
    assert secret not in path.read_text()
    assert "EMP-123456" not in path.read_text()
    assert list(secrets_in(path.read_text())) == []
    with nba.recording(path):
        again = nba.Agent(tools=[look_up], instructions=f"Use {secret}").run(
            f"Ask with {secret}", log="memory"
        )
    assert again.text == "It was [redacted]."
    assert [one.name for one in again.calls] == [one.name for one in first.calls]


def test_a_secret_that_stands_in_a_file_is_found_by_its_place() -> None:
    text = f"abc {SHAPED[0]} def {OF_ENVIRONMENT}"
    found = dict(secrets_in(text))
    assert found[4] == "sk-p…"
    assert len(found) == 2
