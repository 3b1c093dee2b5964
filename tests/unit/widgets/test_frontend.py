"""Whether a page is watching, for every host there is."""

from __future__ import annotations

from types import SimpleNamespace

import IPython.core.getipython as shells
import pytest
from nbagents_widgets.frontend import is_watched, keep_own_subshell


@pytest.fixture(autouse=True)
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NBAGENTS_FRONTEND", raising=False)


def run_in(monkeypatch: pytest.MonkeyPatch, shell: object) -> None:
    monkeypatch.setattr(shells, "get_ipython", lambda: shell)


def shell_of(request: object) -> SimpleNamespace:
    """A shell in a kernel that answers this request."""

    def get_parent(channel: str) -> object:
        assert channel == "shell"
        return request

    return SimpleNamespace(kernel=SimpleNamespace(get_parent=get_parent))


def kernel(**content: object) -> SimpleNamespace:
    """A shell in a kernel whose current request has this content."""
    return shell_of({"content": content})


def test_a_front_end_that_can_ask_is_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    run_in(monkeypatch, kernel(allow_stdin=True))
    assert is_watched()


def test_a_runner_of_notebooks_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    run_in(monkeypatch, kernel(allow_stdin=False))
    assert not is_watched()


def test_a_request_that_does_not_say_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    run_in(monkeypatch, kernel())
    assert not is_watched()


@pytest.mark.parametrize("shell", [None, SimpleNamespace()])
def test_a_terminal_and_plain_python_are_not(
    monkeypatch: pytest.MonkeyPatch, shell: object
) -> None:
    run_in(monkeypatch, shell)
    assert not is_watched()


def test_a_thread_without_a_request_asks_the_kernel_for_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_context(_channel: str) -> object:
        raise LookupError

    own = {"content": {"allow_stdin": True}}
    run_in(
        monkeypatch,
        SimpleNamespace(kernel=SimpleNamespace(get_parent=no_context, _parent_header=own)),
    )
    assert is_watched()


@pytest.mark.parametrize("request_", [None, {}, {"content": None}, "?"])
def test_a_request_of_another_shape_is_no_page(
    monkeypatch: pytest.MonkeyPatch, request_: object
) -> None:
    run_in(monkeypatch, shell_of(request_))
    assert not is_watched()


@pytest.mark.parametrize(("value", "expected"), [("live", True), ("static", False)])
def test_the_environment_decides(
    monkeypatch: pytest.MonkeyPatch, value: str, *, expected: bool
) -> None:
    run_in(monkeypatch, kernel(allow_stdin=not expected))
    monkeypatch.setenv("NBAGENTS_FRONTEND", value)
    assert is_watched() is expected


def test_a_value_that_means_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "lively")
    with pytest.raises(ValueError, match="'live', 'static' or 'auto'"):
        is_watched()


def test_a_comm_of_another_kernel_is_left_alone() -> None:
    comm = SimpleNamespace()
    keep_own_subshell(comm)
    keep_own_subshell(None)
    assert vars(comm) == {}
