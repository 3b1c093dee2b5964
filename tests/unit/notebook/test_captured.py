"""What a tool prints, displays and draws goes to its call, and not into the cell."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.kernel.display_capture import displays_captured
from nbagents.tools.context.capture import capturing
from tests.unit.notebook.conftest import Notebook

SHOUT = """
from IPython.display import HTML, display, update_display, clear_output
from nbagents import Agent, tool
"""


class Sink:
    """A call whose displays are seen in the cell too."""

    echoes = True
    is_over = False

    def __init__(self, said: list[object]) -> None:
        self._said = said

    def bundle(self, data: object, _metadata: object, _display_id: str | None) -> None:
        self._said.append(("call", data))


def made(notebook: Notebook, source: str, *calls: Any) -> Any:
    """The run of an agent whose model makes these calls of the tools in `source`."""
    notebook.shell.user_ns["model"] = ScriptedModel([list(calls), "done"])
    names = [one.name for one in calls]
    cell = notebook.run(
        f"{SHOUT}{source}\nrun = Agent(model=model, tools={sorted(set(names))}).run('go')"
    )
    assert cell.error is None, cell.stdout
    notebook.shell.user_ns["cell"] = cell
    return notebook["run"]


def payloads(run: Any, index: int = 0) -> list[tuple[str, Any]]:
    """What a call showed, as pairs of kind and value."""
    last = {
        event.payload_id: event.payload
        for event in run.events
        if event.type == "tool_data" and event.tool_call_id == run.calls[index].id
    }
    return [(one.kind, one.value) for one in last.values()]


def shown(run: Any, index: int = 0) -> str:
    """All that a call showed, as one text to look into."""
    return repr(payloads(run, index))


def printed(run: Any, index: int = 0) -> str:
    """What a call printed."""
    call_id = run.calls[index].id
    return "".join(
        event.text
        for event in run.events
        if event.type == "tool_output_delta" and event.tool_call_id == call_id
    )


def in_cell(notebook: Notebook) -> str:
    """What the cell shows besides the run."""
    cell = notebook["cell"]
    rest = [one for one in cell.bundles if "application/vnd.nbagents.run.v1+json" not in one]
    return f"{cell.stdout}{rest}"


def test_a_display_goes_to_its_call_and_not_into_the_cell(notebook: Notebook) -> None:
    source = "@tool\ndef show() -> str:\n    display(HTML('<b>bold</b>'))\n    return 'ok'\n"
    run = made(notebook, source, call("show"))
    assert "<b>bold</b>" in shown(run)
    assert "bold" not in in_cell(notebook)


def test_what_is_displayed_outside_of_a_call_stays_in_the_cell(notebook: Notebook) -> None:
    source = "@tool\ndef quiet() -> str:\n    return 'ok'\ndisplay(HTML('<i>mine</i>'))\n"
    run = made(notebook, source, call("quiet"))
    assert payloads(run) == []
    assert "<i>mine</i>" in in_cell(notebook)


def test_an_update_replaces_what_the_call_showed(notebook: Notebook) -> None:
    source = (
        "@tool\ndef steps() -> str:\n    handle = display('one', display_id=True)\n"
        "    handle.update('two')\n    return 'ok'\n"
    )
    run = made(notebook, source, call("steps"))
    assert len(payloads(run)) == 1
    assert "two" in shown(run)
    assert "one" not in shown(run)


def test_an_update_of_what_the_cell_shows_reaches_the_cell(notebook: Notebook) -> None:
    source = (
        "handle = display('before', display_id=True)\n"
        "@tool\ndef change() -> str:\n    handle.update('after')\n    return 'ok'\n"
    )
    run = made(notebook, source, call("change"))
    assert payloads(run) == []
    assert "after" in in_cell(notebook)


def test_clearing_the_output_of_a_call_leaves_the_cell_alone(notebook: Notebook) -> None:
    source = "@tool\ndef clear() -> str:\n    clear_output()\n    return 'ok'\n"
    run = made(notebook, source, call("clear"))
    assert run.calls[0].content == "ok"
    assert "\033[2K" not in in_cell(notebook)


def test_what_a_tool_captures_itself_stays_with_the_tool(notebook: Notebook) -> None:
    source = (
        "from IPython.utils.capture import capture_output\n@tool\ndef grab() -> str:\n"
        "    with capture_output() as got:\n        display(HTML('<b>x</b>'))\n"
        "    return got.outputs[0].data['text/html']\n"
    )
    run = made(notebook, source, call("grab"))
    assert run.calls[0].content == "<b>x</b>"
    assert payloads(run) == []


def test_the_run_of_a_tool_is_shown_in_the_cell(notebook: Notebook) -> None:
    source = (
        "from nbagents import ScriptedModel\n@tool\ndef ask() -> str:\n"
        "    return Agent('child', model=ScriptedModel(['I am the child'])).run('hi').text\n"
    )
    run = made(notebook, source, call("ask"))
    assert payloads(run) == []
    runs = [bundle for bundle in notebook["cell"].bundles if "text/html" in bundle]
    assert len(runs) == 2


@pytest.mark.parametrize("head", ["@tool(thread=True)\ndef", "@tool\nasync def"])
def test_parallel_calls_do_not_mix_prints_and_displays(notebook: Notebook, head: str) -> None:
    wait = "barrier.wait(5)" if "thread" in head else "await asyncio.sleep(0)"
    source = (
        "import asyncio, threading\nbarrier = threading.Barrier(4)\n"
        f"{head} say(name: str) -> str:\n"
        "    for number in range(3):\n"
        f"        {wait}\n        print(f'{{name}}-{{number}};', end='')\n"
        f"        {wait}\n        display(HTML(f'<b>{{name}}-{{number}}</b>'))\n    return name\n"
    )
    run = made(notebook, source, *(call("say", name=name) for name in "abcd"))
    for index, name in enumerate("abcd"):
        assert printed(run, index) == f"{name}-0;{name}-1;{name}-2;"
        assert [f"<b>{name}-{number}</b>" in shown(run, index) for number in range(3)] == [True] * 3
        assert len(payloads(run, index)) == 3
    assert "-0" not in in_cell(notebook)


def test_when_the_last_run_ends_the_publisher_is_as_it_was(notebook: Notebook) -> None:
    publisher: object = notebook.shell.display_pub
    before = dict(vars(publisher))
    first, second = displays_captured(notebook.shell), displays_captured(notebook.shell)
    first.__enter__()
    second.__enter__()
    assert vars(publisher)["publish"] is not None
    first.__exit__(None, None, None)
    assert "publish" in vars(publisher)
    second.__exit__(None, None, None)
    assert vars(publisher) == before


def test_what_somebody_put_over_the_publisher_meanwhile_stays(notebook: Notebook) -> None:
    publisher: Any = notebook.shell.display_pub

    def theirs(*_args: object, **_options: object) -> None: ...

    with displays_captured(notebook.shell):
        publisher.publish = theirs
    assert publisher.publish is theirs
    del publisher.publish


def test_what_is_put_over_the_publisher_during_a_run_doubles_no_display() -> None:
    shell: Any = InteractiveShell()
    said: list[object] = []
    sink: Any = Sink(said)

    def cell(data: object) -> None:
        said.append(("cell", data))

    def theirs(data: object) -> None:
        said.append("over")
        below(data)

    shell.display_pub.publish = cell
    first, second = displays_captured(shell), displays_captured(shell)
    first.__enter__()
    below: Any = shell.display_pub.publish
    shell.display_pub.publish = theirs
    second.__enter__()
    with capturing(sink):
        shell.display_pub.publish("x")
    assert said == [("call", "x"), "over", ("cell", "x")]
    first.__exit__(None, None, None)
    second.__exit__(None, None, None)
    assert shell.display_pub.publish is theirs


def test_a_publisher_that_was_changed_before_is_given_back_changed() -> None:
    shell: Any = InteractiveShell()
    said: list[object] = []
    shell.display_pub.publish = said.append
    with displays_captured(shell):
        shell.display_pub.publish({"text/plain": "x"})
    shell.display_pub.publish("y")
    assert said == [{"text/plain": "x"}, "y"]
