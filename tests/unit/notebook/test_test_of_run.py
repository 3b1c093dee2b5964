"""A run as a test: it passes as the run went, and fails when a tool gives something else."""

from __future__ import annotations

import ast
import builtins
import importlib
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, cast

import pytest
from IPython.core.interactiveshell import InteractiveShell

import nbagents as nba
from nbagents.errors import RunError
from nbagents.messages import CallRequest
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.options.python_source import text_source
from nbagents.runs.logs import MemoryLog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

UNIT = "°C"


def degrees(value: float) -> str:
    """Write a temperature."""
    return f"{value:g} {UNIT}"


def weather(city: str, days: int = 1) -> str:
    """The weather in a city."""
    if city == "Atlantis":
        raise ValueError("It has sunk.")
    return f"{degrees(9)} in {city} for {days} days"


def wipe(disk: str) -> str:
    """Wipe a disk."""
    return f"wiped {disk}"


def said_by_pytest(source: str, folder: Path) -> str:
    """What pytest says of a test, in a process of its own."""
    folder.joinpath("test_of_run.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_of_run.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


def run_here(source: str) -> None:
    """Run a test in this process."""
    space: dict[str, Callable[[], None]] = {}
    exec(compile(source, "test_of_run.py", "exec"), space)  # pyright: ignore[reportArgumentType]
    next(one for name, one in space.items() if name.startswith("test_"))()


def asked_of(model: ScriptedModel, *tools: object, prompt: str = "How warm?", **about: object):  # type: ignore[no-untyped-def]
    options: dict[str, object] = {"name": "guide", "instructions": 'Be "brief".', **about}
    return nba.Agent(tools=list(tools), model=model, **options).run(prompt, log="memory")  # type: ignore[arg-type]


@pytest.mark.medium
def test_it_passes_and_fails_when_a_tool_gives_something_else(tmp_path: Path) -> None:
    (tmp_path / "station.py").write_text(
        "def read(city: str) -> str:\n    'Read.'\n    return f'9 in {city}'\n", encoding="utf-8"
    )
    sys.path.insert(0, str(tmp_path))
    try:
        from station import read  # type: ignore[import-not-found]

        calls = [call("read", city="Oslo"), CallRequest(id="x", name="read", arguments="{")]
        text = 'Nine.\n"""Really."""'
        model = ScriptedModel([ModelTurn(text="Look.", calls=tuple(calls)), text])
        source = asked_of(model, cast("object", read), prompt='How "warm" is\nit?').to_test()
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("station", None)
    assert "from station import read\n" in source
    said = said_by_pytest(source, tmp_path)
    assert "1 passed" in said, f"{source}\n{said}"
    (tmp_path / "station.py").write_text(
        "def read(city: str) -> str:\n    'Read.'\n    return f'10 in {city}'\n", encoding="utf-8"
    )
    said = said_by_pytest(source, tmp_path)
    assert "1 failed" in said
    assert "10 in Oslo" in said


def test_definitions_of_a_notebook_stand_in_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    here = vars(sys.modules["__main__"])
    for one in (degrees, weather):  # as if cells had defined them
        monkeypatch.setattr(one, "__module__", "__main__")
        monkeypatch.setitem(here, one.__name__, one)
    steps = [[call("weather", city="Oslo"), call("weather", city="Atlantis", days=2)], "Nine."]
    source = asked_of(ScriptedModel(steps), weather).to_test()
    assert "UNIT = '°C'" in source
    assert source.index("def degrees") < source.index("def weather")
    run_here(source)
    with pytest.raises(AssertionError, match="at Oslo"):
        run_here(source.replace("in {city}", "at {city}"))


def test_what_no_name_leads_to_gives_what_it_gave() -> None:
    inner = ScriptedModel([call("weather", city="Rome"), "Warm."])
    child = nba.Agent("child", tools=[weather], model=inner)
    held: list[str] = []

    def remember(what: str) -> str:
        "Remember."
        held.append(what)
        return f"{len(held)} kept"

    steps = [call("ask_child", input="Rome?"), [call("remember", what="a")] * 1, "Warm."]
    run = asked_of(ScriptedModel(steps), child.as_tool("ask_child", "Ask."), remember)
    source = run.to_test()
    assert "# ask_child gives what it gave, one result after the other: its calls began" in source
    assert "# remember gives what it gave" in source
    run_here(source)


def test_what_a_person_said_is_said_again() -> None:
    def answer(question: nba.Await) -> nba.Answer:
        if "sda" in str(question.arguments):
            return nba.Answer(action="approve", arguments={"disk": "sdc"})
        return nba.Answer(action="deny", note="no")

    tool = nba.Tool(wipe, nba.ToolOptions(ask=True, name="wipe_disk"))
    steps = [call("wipe_disk", disk="sda"), call("wipe_disk", disk="sdb"), "Half done."]
    run = asked_of(ScriptedModel(steps), tool, on_await=answer)
    assert [one.status for one in run.calls] == ["done", "denied"]
    source = run.to_test()
    assert f"from {__name__} import wipe" in source
    assert 'nba.Answer(action="deny", note="no")' in source
    assert 'arguments={"disk": "sdc"}' in source
    run_here(source)


def test_a_run_that_failed_is_no_test() -> None:
    session = nba.Session(MemoryLog())
    agent = nba.Agent(model=ScriptedModel([nba.ModelError("gone")]))
    with pytest.raises(nba.ModelError):
        agent.run("Go", log=session)
    (one,) = session.history()
    with pytest.raises(RunError, match="is failed: only one that came to its end"):
        one.load().to_test()


def test_a_run_that_was_given_objects_is_no_test() -> None:
    class Box:
        pass

    def look(box: Box) -> str:
        "Look."
        return type(box).__name__

    model = ScriptedModel([call("look", box="mine"), "ok"])
    run = nba.Agent(tools=[look], model=model).run("Go", vars={"mine": Box()}, log="memory")
    with pytest.raises(RunError, match="look took mine, which you had shared"):
        run.to_test()


GIVEN: list[object] = ["none left", ValueError("none left")]


@pytest.mark.parametrize("given", GIVEN)
def test_a_result_that_was_given_is_given_in_the_test_and_no_call_made(given: object) -> None:
    script = ScriptedModel([call("wipe", disk="a"), "Done.", "None."])
    branch = asked_of(script, wipe).fork(at=1, result=given)
    source = branch.to_test()
    assert "a result of it was given by hand" in source
    assert "import wipe" not in source
    run_here(source)


def test_a_call_that_no_tool_got_is_none_in_the_test() -> None:
    """Neither one of a name that no tool has, nor one whose arguments did not fit."""

    def local(number: int) -> int:
        "Local."
        return number + shift

    shift = 1
    calls = [call("nosuch", x=1), call("local", number="no"), call("local", number=2)]
    source = asked_of(ScriptedModel([*calls, "Done."]), local).to_test()
    assert "gave_nosuch" not in source
    assert 'called("nosuch", x=1, status="failed")' in source
    run_here(source)


def test_a_branch_of_a_run_whose_calls_were_edited_is_no_test() -> None:
    def skip_first(pause: nba.Pause) -> str | None:
        return "skip" if not pause.is_request and pause.step == 1 else None

    model = ScriptedModel([call("wipe", disk="a"), call("wipe", disk="b"), "Done.", "None."])
    run = nba.Agent(tools=[wipe], model=model).run("Wipe", step=skip_first, log="memory")
    with pytest.raises(RunError, match="somebody else than the model decided about wipe"):
        run.fork(at=2, result="none left").to_test()


def test_a_call_that_a_policy_denied_is_denied_in_the_test() -> None:
    tool = nba.Tool(wipe, nba.ToolOptions(ask=True))
    run = asked_of(ScriptedModel([call("wipe", disk="a"), "No."]), tool, on_await="deny")
    assert run.calls[0].status == "denied"
    run_here(run.to_test())


@pytest.mark.parametrize("text", ["C:\\ new\nline", "a\\nb\nc", 'one\\\n"two"', "\\"])
def test_a_text_with_backslashes_is_written_without_a_warning(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ast.literal_eval(text_source(text)) == text
    assert ("\n" in text_source(text)) == ("\n" in text and not text.endswith('"'))


NAMED = ("test_line", "model", "answers", "agent", "run", "call", "nba", "dict", "testimony")
KEPT: list[int] = []
counted = 0


def keep(value: int) -> int:
    """Keep a value, and say how many are kept."""
    KEPT.append(value)
    return len(KEPT)


def count() -> int:
    """Count."""
    global counted  # noqa: PLW0603
    counted += 1
    return counted


def inner(value: int) -> str:
    """Write a number with its unit, which a function inside calls otherwise."""

    def other() -> str:
        UNIT = "K"  # noqa: N806
        return f"in {UNIT}"

    return f"{value} {UNIT}, not {other()}"


def shell() -> str:
    """Ask the shell of the notebook."""
    return str(get_ipython())  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.medium
def test_it_passes_however_tools_are_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(
        f'def {name}(value: int) -> int:\n    """Give it back."""\n    return value + 1\n\n\n'
        for name in NAMED
    )
    (tmp_path / "oddly.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    oddly = importlib.import_module("oddly")
    tools = [getattr(oddly, name) for name in NAMED]
    script = ScriptedModel([*(call(name, value=3) for name in NAMED), "Done."])
    source = asked_of(script, *tools, prompt="line").to_test()
    monkeypatch.delitem(sys.modules, "oddly")
    said = said_by_pytest(source, tmp_path)
    assert "\n1 passed" in said, f"{said}\n{source}"


@pytest.mark.parametrize(
    ("tool", "given", "why"),
    [
        (keep, {"value": 3}, "keep changes KEPT"),
        (count, {}, "count sets counted"),
        (shell, {}, "shell uses get_ipython"),
    ],
)
def test_what_would_not_be_as_it_was_gives_what_it_gave(
    tool: Callable[..., object],
    given: dict[str, int],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(builtins, "get_ipython", InteractiveShell.show_usage, raising=False)
    script = ScriptedModel([call(tool.__name__, **given), call(tool.__name__, **given), "Done."])
    for one in (keep, count, shell):
        monkeypatch.setitem(sys.modules["__main__"].__dict__, one.__name__, one)
        monkeypatch.setattr(one, "__module__", "__main__")
    source = asked_of(script, tool).to_test()
    assert why in source
    run_here(source)


def test_a_name_of_an_inner_function_hides_none_of_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules["__main__"].__dict__, "inner", inner)
    monkeypatch.setattr(inner, "__module__", "__main__")
    source = asked_of(ScriptedModel([call("inner", value=3), "Done."]), inner).to_test()
    assert f"UNIT = {UNIT!r}" in source
    run_here(source)
