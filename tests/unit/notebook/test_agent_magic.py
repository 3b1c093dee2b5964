"""The options of `%agent` beyond the prompt: limits, chats, the background, Python, and status."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.core.error import UsageError

from nbagents.errors import ModelError
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.options.option import MissingNameError
from nbagents.runs.state.session import Session, current_session, open_log, use_session
from tests.unit.notebook.conftest import Notebook

WEATHER = """%%tool
def weather(city: str, days: int = 1) -> str:
    "Look up the weather in a city."
    return f"{9 * days} °C in {city}"
"""


@pytest.fixture
def asked(notebook: Notebook) -> Notebook:
    """A notebook with a tool, and a session of its own."""
    use_session(Session(open_log("memory")))
    assert notebook.run(WEATHER, cell_id="weather").error is None
    notebook.run("import nbagents\nfrom nbagents import Agent, ScriptedModel")
    return notebook


def scripted(notebook: Notebook, *steps: object) -> ScriptedModel:
    """An agent `guide` whose model says these steps."""
    model = ScriptedModel(steps)  # type: ignore[arg-type]
    notebook.shell.user_ns["model"] = model
    notebook.run("guide = Agent('guide', model=model, tools=['weather'])")
    return model


def test_limits_are_those_of_the_run(asked: Notebook) -> None:
    cell = asked.run("%agent -n 3 --max-calls 0 --max-tokens 900 --timeout 2.5 Weather in Oslo?")
    assert cell.error is None
    limits = cell.value.events[0].limits
    assert limits.max_steps == 3
    assert limits.max_calls == 0
    assert limits.max_tokens == 900
    assert limits.timeout_s == 2.5


def test_a_call_beyond_the_limit_is_skipped_and_the_run_returns(asked: Notebook) -> None:
    scripted(asked, [call("weather", city="Oslo")], "that is all")
    cell = asked.run("%agent -a guide --max-calls 0 Weather in Oslo?")
    assert cell.error is None
    assert cell.value.status == "limit"
    assert [one.status for one in cell.value.calls] == ["skipped"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%agent --max-calls none hi", "--max-calls wants a whole number, 0 or more, not 'none'"),
        ("%agent --max-tokens 0 hi", "--max-tokens wants a whole number, at least 1, not '0'"),
        ("%agent --timeout never hi", "--timeout wants a number of seconds above 0, not 'never'"),
        ("%agent --max-cost free hi", "--max-cost wants a number above 0, not 'free'"),
        ("%agent --max-cost 1 hi", "%config NbAgents.prices = "),
        ("%agent --approval some hi", "--approval is one of risky, ask, auto, never, not 'some'."),
        ("%agent --on-await wait hi", "--on-await is one of ask, deny, suspend, not 'wait'."),
        ("%agent --label weather hi", "--label wants K=V, e.g. --label topic=weather"),
        ("%agent --resume run-1 hi", "--resume takes no prompt"),
        ("%%agent --resume run-1\nhi", "--resume takes no prompt"),
        ("%agent --resume run-none", "There is no run 'run-none'"),
        ("%agent -b --resume run-1", "--background cannot go with --resume"),
        ("%agent --resume run-1 -c trip", "--chat cannot go with --resume"),
        ("%agent --open al hi", "--open is one of errors, all, none, data, not 'al'."),
        ("%agent -c ' ' hi", "--chat wants a name, e.g. -c trip."),
        ("%agent -s @weather hi", "'weather' is no text, but function"),
        ("%agent -d liev hi", "Did you mean 'live'?"),
        ("%agent --backgruond hi", "Did you mean '--background'"),
        ("%agent -b", "There is no prompt."),
    ],
)
def test_misuse_is_one_line(asked: Notebook, line: str, message: str) -> None:
    asked.run("weather = weather if callable(weather) else None")
    cell = asked.run(line)
    assert isinstance(cell.error, UsageError)
    assert message in str(cell.error)
    assert len(cell.stderr.strip().splitlines()) == 1


def test_instructions_may_be_the_text_of_a_variable(asked: Notebook) -> None:
    asked.run("style = 'Answer in one word. Mind the \"quotes\".'")
    cell = asked.run("%agent -s @style hello")
    assert cell.value.messages[0].text == asked["style"]
    cell = asked.run("%agent -s @stile hello")
    assert isinstance(cell.error, MissingNameError)
    assert "Did you mean 'style'?" in str(cell.error)


def test_a_chat_goes_on_and_without_one_each_run_starts_clean(asked: Notebook) -> None:
    model = scripted(asked, "9 °C.", "Warmer.", "Hello.")
    asked.run("%agent -a guide -c trip Weather in Oslo?")
    cell = asked.run("%agent -a guide -c trip And in Rome?")
    assert [one.text for one in cell.value.messages][:3] == [
        "Weather in Oslo?",
        "9 °C.",
        "And in Rome?",
    ]
    cell = asked.run("%agent -a guide hello")
    assert [one.text for one in cell.value.messages] == ["hello", "Hello."]
    assert current_session().chats.names() == ("trip",)
    model.assert_complete()


def test_a_run_in_the_background_is_returned_at_once_and_can_be_waited_for(
    asked: Notebook,
) -> None:
    cell = asked.run("%agent -b -o later What is the weather in Paris?")
    assert cell.error is None
    run = asked["later"]
    assert cell.value is run
    assert run.wait(20).text.startswith("9 °C in Paris")
    assert run.status == "completed"


DOWN = """
class Down:
    name = 'down'
    async def stream(self, request):
        raise nbagents.ModelError('the provider is down')
        yield
guide = Agent(model=Down())
"""


def test_no_raise_returns_a_run_that_failed(asked: Notebook) -> None:
    asked.run(DOWN)
    assert isinstance(asked.run("%agent -a guide hi").error, ModelError)
    cell = asked.run("%agent -a guide --no-raise hi")
    assert cell.error is None
    assert cell.value.status == "failed"
    assert isinstance(cell.value.error, ModelError)


def test_no_raise_is_not_for_misuse_nor_for_a_stop(
    asked: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(asked.run("%agent --no-raise -m gpt-x hi").error, ModelError)

    def stop(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("nbagents.notebook.magics.agent_magic.run_blocking", stop)
    assert isinstance(asked.run("%agent --no-raise hi").error, KeyboardInterrupt)


PLAIN = 'What is the "weather" in C:\\Paris, {x}?'
PASTED = "In {{style}} and {{sales[0]:>4}} {{style!r}} and {{style[0] + 'x'}}."
ODD = "In {{ {'a': 1}['a'] }}, {{style[0] + \"'\"}}, {{sales[0]:}>4}} and {{(1, 2)}}."
LINES = "Two lines,\n    the second {indented}\n'''and more\"\"\""


@pytest.mark.parametrize(
    ("options", "prompt"),
    [
        ("", PLAIN),
        ("", PASTED),
        ("", ODD),
        ("", LINES),
        ("", "One line,\nand another."),
        ("", "{{[1, 2][::-1]}} {{(lambda: 1)() if sales else lambda: 2}} {{ style.upper()}}"),
        ("--no-raise", LINES),
        ("--no-raise", "One line,\nand another."),
        ("--no-raise -o kept", PASTED),
        ("-t weather,extra -m offline", PLAIN),
        ("-t none", PLAIN),
        ("-n 3 --max-calls 4 --max-tokens 5000 --timeout 9.5", PLAIN),
        ("-s 'Be \"brief\".'", PLAIN),
        ("-s @style", PLAIN),
        ('-k seed=7 -k "user=me and you" -k stop=null', PLAIN),
        ("-v sales,style", PLAIN),
        ("--attach notes.txt --attach photo --attach where", PLAIN),
        ("-c trip", PLAIN),
        ("--approval auto --on-await deny --max-cost 1.5", PLAIN),
        ("-a guide --max-cost 2 --approval never", PLAIN),
        ('--label topic=weather --label "who=you and me"', PLAIN),
        ("--as str", PLAIN),
        ("-a guide -n 2 -k seed=1", PLAIN),
        ("-a guide", PLAIN),
        ("-o run -o other", PLAIN),
        ("-b", PLAIN),
    ],
)
def test_the_python_that_is_shown_does_the_same(
    asked: Notebook, options: str, prompt: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("Some notes.")
    asked.run("def extra() -> int:\n    'More.'\n    return 1\n")
    asked.run(
        "style, sales, photo, where = 'terse', [1, 2], b'bytes', 'notes.txt'\n"
        "guide = Agent('guide', model='offline', settings={'top_p': 1})"
    )
    asked.run("%config NbAgents.prices = {'offline': {'input': 1, 'output': 2}}")
    head = f"%%agent {options}".rstrip()
    cell = asked.run(f"{head} --show-python\n{prompt}")
    assert cell.error is None, cell.stderr
    assert cell.value is None
    twin = asked.run(cell.stdout)
    assert twin.error is None, (cell.stdout, twin.stdout)
    asked.run(f"{head}\n{prompt}")
    shown, magic = current_session().runs[-2:]
    for run in (shown, magic):
        run.wait(20)
    assert (shown.prompt, shown.agent_name) == (magic.prompt, magic.agent_name)
    assert shown.messages[:1] == magic.messages[:1]
    assert told(shown) == told(magic)


def told(run: Any) -> list[object]:
    """What was sent, without what says which run it was."""
    keys = {"seq", "at", "event_key", "session_id", "turn_id", "run_id"}
    first = [event.model_dump(exclude=keys) for event in run.events]
    return [one for one in first if one["type"] in ("run_start", "user_message_received")]


def test_the_python_that_is_shown_knows_the_settings(
    asked: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked.run("%config NbAgents.max_steps = 4")
    monkeypatch.setenv("NBAGENTS_TIMEOUT", "30")
    shown = asked.run("%agent --show-python -d text --open all hi").stdout
    assert "max_steps=4" in shown
    assert "timeout_s=30.0" in shown
    assert "# -d text: without the magic, %config NbAgents.display = 'text'" in shown
    assert ".preview(" in asked.run("%agent --show-python --dry-run hi").stdout
    assert len(current_session().runs) == 0


def test_the_python_of_a_misused_line_is_not_shown(asked: Notebook) -> None:
    cell = asked.run("%agent --show-python -t waether hi")
    assert isinstance(cell.error, UsageError)
    assert cell.stdout == ""


def test_alone_it_says_what_would_be_asked_and_with_what(
    asked: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    (text,) = asked.run("%agent").texts
    assert "offline, because NBAGENTS_MODEL says so" in text
    assert "1 tool: weather" in text
    assert "none yet: -c NAME begins one" in text
    run = asked.run("%agent -c trip Weather in Oslo?").value
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.delenv("NBAGENTS_MODEL")
    cell = asked.run("%agent")
    (bundle,) = cell.bundles
    text = str(bundle["text/plain"])
    assert "because there is a key" in text
    assert "found in the environment (OPENAI_API_KEY)" in text
    assert "1 chat: trip" in text
    assert "done: Weather in Oslo?" in text
    assert run.id not in text
    assert "very-secret" not in str(bundle)
    assert cell.value is None


def test_it_stands_in_loops_functions_and_assignments_with_any_option(asked: Notebook) -> None:
    asked.run(
        "def ask(city):\n"
        "    for days in (1, 2):\n"
        "        run = %agent -o kept -n 4 \\\n"
        "            Weather in {{city}} for {{days}} days?\n"
        "    return run\n"
    )
    run = asked.run("ask('Lima')").value
    assert run.prompt == "Weather in Lima for 2 days?"
    assert asked["kept"] is run
    asked.run("""a = b = %agent -s 'it\\'s "odd"' -- -b isn't an option here?""")
    assert asked["a"].prompt == "-b isn't an option here?"
    assert asked["b"].messages[0].text == 'it\'s "odd"'
    cell = asked.run("%%time\nx = %agent --max-calls 1 -o y hello\n")
    assert cell.error is None
    assert asked["x"] is asked["y"]
