"""`%nbagents`: what is set, what was run, what it used, and how it is forgotten."""

from __future__ import annotations

import pytest
from IPython.core.error import UsageError

from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.options.nbagents_table import COMMANDS, NBAGENTS_HELP
from nbagents.notebook.reports.nbagents_magic import DO
from nbagents.results import Usage
from nbagents.runs.state.session import Session, current_session, open_log, use_session
from tests.unit.notebook.conftest import Notebook

RUN_MIME = "application/vnd.nbagents.run.v1+json"
WEATHER = """%%tool
def weather(city: str) -> str:
    "Look up the weather in a city."
    return f"9 °C in {city}"
"""


@pytest.fixture
def kept(notebook: Notebook) -> Notebook:
    """A notebook with a session of its own and a tool."""
    use_session(Session(open_log("memory")))
    assert notebook.run(WEATHER, cell_id="weather").error is None
    return notebook


def scripted(notebook: Notebook, *texts: str, tokens: int = 1000) -> None:
    """An agent `guide` whose model says these texts."""
    usage = Usage(input_tokens=tokens, output_tokens=100, cached_tokens=400, requests=1)
    model = ScriptedModel([ModelTurn(text=text, usage=usage) for text in texts])
    notebook.shell.user_ns["model"] = model
    notebook.run("import nbagents\nguide = nbagents.Agent(model=model)")


def test_it_does_what_its_help_says() -> None:
    assert list(DO) == [one.name for one in COMMANDS]


def test_alone_it_is_the_status(kept: Notebook) -> None:
    assert kept.run("%nbagents").texts == kept.run("%nbagents status").texts
    assert kept.run("%agent").texts[0].splitlines()[1] in kept.run("%nbagents").texts[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("shwo run-1", "knows no 'shwo'. Did you mean 'show'?"),
        ("doctor now", "doctor takes nothing, not 'now'."),
        ("status now", "status takes nothing"),
        ("config max_steps", "config takes nothing"),
        ("usage all", "usage takes nothing"),
        ("runs many", "runs takes a number and options, not 'many'"),
        ("runs 0", "1 or more"),
        ("runs 3 4", "a number and options, not '4'"),
        ("runs --status don", "Did you mean 'done'?"),
        ("runs --cost much", "--cost wants a number above 0, not 'much'."),
        ("runs --al", "Did you mean '--all'"),
        ("show", "wants the id of a run"),
        ("show nothing", "There is no run 'nothing'."),
        ("reset tirp", "There is no chat 'tirp'. Did you mean 'trip'?"),
        ("approvals weather", "approvals takes nothing, or --revoke and the name of a tool"),
        ("approvals --revoke", "approvals takes nothing, or --revoke and the name of a tool"),
        ("approvals --revoke weather", "'weather' is not allowed without asking. No tool is."),
        ("--hlep", "There is no option '--hlep'."),
    ],
)
def test_misuse_is_one_line(kept: Notebook, line: str, message: str) -> None:
    kept.run("%agent -c trip hello")
    cell = kept.run(f"%nbagents {line}")
    assert isinstance(cell.error, UsageError)
    assert message in str(cell.error)
    assert len(cell.stderr.strip().splitlines()) == 1


def test_help_lists_what_it_does(kept: Notebook) -> None:
    assert kept.run("%nbagents -h").stdout.strip() == NBAGENTS_HELP.strip()
    assert kept.shell.find_line_magic("nbagents").__doc__ == NBAGENTS_HELP


def test_settings_are_listed_with_what_set_them(
    kept: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_TIMEOUT", "30")
    kept.run("%config NbAgents.max_calls = 7")
    (text,) = kept.run("%nbagents config").texts
    rows = {line.split()[0]: line.split()[1:3] for line in text.splitlines()[2:-1]}
    assert rows["max_calls"] == ["7", "%config"]
    assert rows["timeout"] == ["30.0", "NBAGENTS_TIMEOUT"]
    assert rows["max_steps"] == ["10", "default"]


def test_runs_are_listed_newest_first(kept: Notebook) -> None:
    assert "No runs of this kernel yet" in kept.run("%nbagents runs").texts[0]
    first = kept.run("%agent -c trip Weather in Oslo?").value
    second = kept.run("%agent Weather in Rome?").value
    (text,) = kept.run("%nbagents runs").texts
    assert text.index(second.id) < text.index(first.id)
    assert "Weather in Oslo? · chat trip" in text
    (text,) = kept.run("%nbagents runs 1").texts
    assert first.id not in text


def test_a_run_of_another_day_is_listed_with_its_day(
    kept: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_DETERMINISTIC", "1")
    kept.run("%agent Weather in Oslo?")
    assert "2026-01-01 00:00" in kept.run("%nbagents runs").texts[0]


def test_runs_of_earlier_kernels_are_listed_where_they_are_asked_for(kept: Notebook) -> None:
    first = kept.run("%agent Weather in Oslo?").value
    use_session(Session(current_session().log))
    assert first.id not in kept.run("%nbagents runs").texts[0]
    assert first.id in kept.run("%nbagents runs --all").texts[0]


def test_a_run_is_shown_from_this_kernel_and_from_the_log(kept: Notebook) -> None:
    run = kept.run("%agent Weather in Oslo?").value
    card = kept.run("run = _\nrun").bundles
    for _ in range(2):
        shown = kept.run(f"%nbagents show {run.id[:9]}").bundles
        assert [one[RUN_MIME]["root_id"] for one in shown] == [run.id]
        assert "9 °C in Oslo" in shown[0]["text/plain"]
        use_session(Session(current_session().log))
    assert card


def test_a_tool_that_has_changed_since_is_named(kept: Notebook) -> None:
    run = kept.run("%agent Weather in Oslo?").value
    assert len(kept.run(f"%nbagents show {run.id}").texts) == 1
    kept.run(WEATHER.replace("9 °C", "10 °C"), cell_id="weather")
    _, note = kept.run(f"%nbagents show {run.id}").texts
    assert note.startswith("weather has changed since: it was version ")


def test_a_beginning_that_several_runs_have_is_not_enough(kept: Notebook) -> None:
    kept.run("%agent one")
    kept.run("%agent two")
    cell = kept.run("%nbagents show run-")
    assert isinstance(cell.error, UsageError)
    assert "2 runs begin with 'run-'" in str(cell.error)


def test_usage_is_by_model_and_costs_need_prices(kept: Notebook) -> None:
    assert "No tokens were used" in kept.run("%nbagents usage").texts[0]
    scripted(kept, "one", "two")
    kept.run("%agent -a guide one")
    kept.run("%agent -a guide two")
    (text,) = kept.run("%nbagents usage").texts
    assert "Cost" not in text
    assert text.splitlines()[2].split() == ["scripted", "2", "2,000", "800", "200", "2,200"]
    assert "%config NbAgents.prices = {'scripted'" in text
    kept.run("%agent hello")
    kept.run("%config NbAgents.prices = {'scripted': {'input': 2, 'output': 10, 'cached': 1}}")
    (text,) = kept.run("%nbagents usage").texts
    rows = {line.split("  ")[1]: line.split() for line in text.splitlines()[1:5]}
    assert rows["scripted"][-1] == "0.0052"  # 1,200 fresh, 800 cached and 200 out
    assert rows["in all"][-1] == "0.0052"
    assert "offline" in rows


def test_a_model_without_a_price_among_others_is_named(kept: Notebook) -> None:
    scripted(kept, "one")
    kept.run("%agent -a guide one")
    kept.run("%config NbAgents.prices = {'other': {'input': 2, 'output': 10}}")
    (text,) = kept.run("%nbagents usage").texts
    assert "No prices are set." in text


def test_leave_for_a_tool_is_listed_and_taken_back(kept: Notebook) -> None:
    assert "no tool was allowed for all" in kept.run("%nbagents approvals").texts[0]
    kept.run("allow = lambda asked: asked.approve(remember=True)")
    kept.run("import nbagents as nba")
    kept.run("risky = nba.Tool(weather, nba.ToolOptions(ask=True))")
    kept.shell.user_ns["model"] = ScriptedModel([call("weather", city="Oslo"), "done"])
    made = "nba.Agent(tools=[risky], model=model, on_await=allow).run('Go').id"
    assert kept.run(f"made = {made}").error is None
    (listed,) = kept.run("%nbagents approvals").texts
    assert "weather" in listed
    assert str(kept.shell.user_ns["made"]) in listed
    assert "--revoke TOOL takes it back" in listed
    said = kept.run("%nbagents approvals --revoke weather").stdout
    assert said == "weather is asked about again.\n"
    assert current_session().approvals == ()


def test_a_chat_is_forgotten_or_all_are(kept: Notebook) -> None:
    for name in ("trip", "home", "'two words'"):
        kept.run(f"%agent -c {name} hello")
    assert kept.run("%nbagents reset two words").stdout == "Forgot 'two words'.\n"
    assert kept.run("%nbagents reset trip").stdout == "Forgot 'trip'.\n"
    assert current_session().chats.names() == ("home",)
    assert kept.run("%nbagents reset").stdout == "Forgot 'home'.\n"
    assert kept.run("%nbagents reset").stdout == "There is no chat to forget.\n"


def test_what_is_listed_is_never_markup(kept: Notebook) -> None:
    kept.run("%agent -c <b>bold</b> <script>alert(1)</script> & 'so' \"on\"")
    for line in ("%nbagents runs", "%nbagents", "%nbagents usage"):
        (bundle,) = kept.run(line).bundles
        assert "<script>" not in bundle["text/html"]
        assert "<b>bold" not in bundle["text/html"]
