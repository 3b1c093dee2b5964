"""`make test-all` says what is not there before it begins, not by silent skips."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import absent as room
from tests import suite
from tests.conformance import bfcl, shared_data
from tests.kernels import releases

TESTS = Path(__file__).parents[1]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with nothing beside it."""
    monkeypatch.setattr(shared_data, "FOLDER", tmp_path)
    monkeypatch.setattr(bfcl, "FOLDER", tmp_path / "bfcl")
    monkeypatch.setattr(releases, "ROOT", tmp_path)
    monkeypatch.setattr("tests.browser.chromium.FOUND", tmp_path / "none")
    monkeypatch.setattr("tests.browser.chromium.candidates", lambda: iter([""]))
    return tmp_path


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("thing", ["function-calling", "OpenAPI", "catalogue of APIs", "Chromium"])
def test_each_thing_that_is_not_there_has_a_line(thing: str) -> None:
    assert sum(thing in line for line in room.absent()) == 1


@pytest.mark.usefixtures("bare")
def test_each_kernel_that_is_not_there_has_a_line() -> None:
    said = " ".join(room.absent())
    assert all(f"ipykernel {release} is not installed" in said for release in releases.RELEASES)


def test_what_is_there_has_none(bare: Path) -> None:
    before = room.absent()
    (bare / "openapi").mkdir()
    (bare / "openapi" / "judge.py").touch()
    (bare / "build" / "kernels" / "latest" / "ipykernel").mkdir(parents=True)
    gone = set(before) - set(room.absent())
    assert len(gone) == 2
    assert set(room.absent()) < set(before)


def test_each_package_that_tests_skip_without_is_looked_for() -> None:
    """Numpy's own modules stand and fall with it."""
    text = "\n".join(path.read_text("utf-8") for path in TESTS.rglob("*.py"))
    asked = {name.partition(".")[0] for name in re.findall(r'importorskip\(\s*"([\w.]+)"', text)}
    assert asked == set(room.MODULES)


@pytest.mark.parametrize(("name", "says"), [("test-all", True), ("test-fast", False)])
def test_it_is_said_before_the_first_tool_and_at_the_end(
    name: str,
    says: bool,  # noqa: FBT001  of the parameters
    bare: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ran(_step: suite.Step, *, at_once: bool) -> bool:
        suite.say(f"a tool ran, at_once={at_once}")
        return True

    monkeypatch.setattr(suite, "run", ran)
    monkeypatch.setattr(suite, "REPORTS", bare)
    assert suite.main(name) == 0
    before, _, after = capsys.readouterr().out.partition("a tool ran")
    assert ("Not here: The OpenAPI data" in before) is says
    assert ("not here: The OpenAPI data" in after) is says
