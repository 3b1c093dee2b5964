"""`%agent` and `%tool`: natural language in, a run out, and errors that fail the cell."""

from __future__ import annotations

import pytest
from IPython.core.error import UsageError

import nbagents
from nbagents.errors import ModelError, ToolFailedError
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.extension import load, unload
from nbagents.notebook.magics.magics import AGENT_OPTIONS, TOOL_OPTIONS
from nbagents.notebook.options.option import MissingNameError
from tests.unit.notebook.conftest import Notebook

TOOLS = """%%tool
def weather(city: str, days: int = 1) -> str:
    "Look up the weather in a city."
    return f"{9 * days} °C in {city}"

def broken(text: str) -> str:
    "Break."
    raise ValueError(text)
"""
RUN_MIME = "application/vnd.nbagents.run.v1+json"


@pytest.fixture
def tools(notebook: Notebook) -> Notebook:
    assert notebook.run(TOOLS).error is None
    return notebook


def script(notebook: Notebook, *steps: object) -> ScriptedModel:
    model = ScriptedModel(steps)  # type: ignore[arg-type]
    notebook.shell.user_ns["model"] = model
    return model


def asked(notebook: Notebook, source: str) -> str:
    """What the model is asked when a cell is run."""
    notebook.run(source)
    run = notebook.shell.user_ns["_"]
    return run.prompt


def test_a_line_asks_and_returns_the_run(tools: Notebook) -> None:
    cell = tools.run("%agent What is the weather in Paris?")
    assert cell.error is None
    assert isinstance(cell.value, nbagents.Run)
    assert "9 °C in Paris" in cell.value.text
    assert cell.value.model == "offline"


def test_a_run_is_shown_once_with_the_bundle_that_stays(tools: Notebook) -> None:
    cell = tools.run("%agent Weather in Paris?")
    assert [sorted(bundle) for bundle in cell.bundles] == [[RUN_MIME, "text/html", "text/plain"]]


def test_a_run_shown_in_a_later_cell_shows_again(tools: Notebook) -> None:
    tools.run("run = %agent Weather in Paris?")
    assert RUN_MIME in tools.run("run").bundles[0]
    assert RUN_MIME in tools.run("run\n").bundles[0]


def test_a_line_can_be_assigned_and_stands_under_other_magics(tools: Notebook) -> None:
    tools.run("x = %agent Weather in Paris?")
    assert tools["x"].status == "completed"
    cell = tools.run("%%time\n%agent What is the weather in Oslo?")
    assert "Wall time" in cell.stdout
    cell = tools.run("for c in ['Oslo', 'Rome']:\n    %agent Weather in {{c}}?")
    assert [("Oslo" in text, "Rome" in text) for text in cell.texts] == [
        (True, False),
        (False, True),
    ]


def test_a_loop_inside_a_function_pastes_its_local_variables(tools: Notebook) -> None:
    source = "def ask(where):\n    run = %agent Weather in {{where}}?\n    return run.prompt\n"
    tools.run(source)
    assert tools.run("ask('Lima')").value == "Weather in Lima?"


def test_a_cell_asks_with_its_body_as_it_stands(tools: Notebook) -> None:
    tools.run('%%agent -o run\nWeather in "Paris"?\n{"json": {"a": 1}}, $x and it\'s 5 > 3\n')
    assert tools["run"].prompt == 'Weather in "Paris"?\n{"json": {"a": 1}}, $x and it\'s 5 > 3'


def test_dollars_and_braces_are_not_expanded_by_ipython(tools: Notebook) -> None:
    tools.run("city = 'Oslo'")
    tools.run("run = %agent Weather in {city} for $city, please, {{city}}?")
    assert tools["run"].prompt == "Weather in {city} for $city, please, Oslo?"


def test_options_choose_model_system_steps_tools_and_variable(tools: Notebook) -> None:
    tools.run("%agent -m offline -s 'Be brief.' -n 3 -t weather -o mine Weather in Paris?")
    run = tools["mine"]
    assert run.messages[0].text == "Be brief."
    assert run.events[0].tools == ("weather",)


def test_tools_by_name_glob_variable_and_none(tools: Notebook) -> None:
    tools.run("def extra() -> int:\n    'More.'\n    return 1\n")
    for spec, names in {
        "-t weather,extra": ("weather", "extra"),
        "-t 'w*' -t broken": ("weather", "broken"),
        "-t none": (),
        "-t all": ("weather", "broken"),
        "": ("weather", "broken"),
    }.items():
        tools.run(f"%agent {spec} -o run hello")
        assert tools["run"].events[0].tools == names


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%agent --modle x hi", "no option '--modle'"),
        ("%agent -m offline", "no prompt"),
        ("%agent -n zero hi", "at least 1"),
        ("%agent -n 0 hi", "at least 1"),
        ("%agent -d loud hi", "one of auto"),
        ("%agent -t waether hi", "'weather'"),
        ("%agent {{two words}}", "no {{expression}}"),
        ("%%agent do it\nnow", "move 'do it' to the next line"),
        ("%%agent\n", "body is empty"),
        ("%tool waether", "'weather'"),
        ("%tool weather Paris", "write name=value"),
        ("%%tool wether\ndef weather(): ...", "no function 'wether'. Did you mean 'weather'?"),
        ("%tool --private", "--private belongs to %%tool"),
        ("%agent -o a.b hi", "name of a variable"),
        ("%agent -o class hi", "name of a variable"),
        ("%tool weather {oops", "no JSON object"),
        ("%tool --replce", "'--replace'"),
        ("%tool *e*", "write one name"),
    ],
)
def test_misuse_is_one_line_and_fails_the_cell(tools: Notebook, line: str, message: str) -> None:
    cell = tools.run(line)
    assert isinstance(cell.error, UsageError)
    assert message in str(cell.error)
    assert cell.stderr.startswith("UsageError: ")
    assert len(cell.stderr.strip().splitlines()) == 1
    assert cell.bundles == []


def test_an_undefined_name_in_the_prompt_fails_the_cell_and_sends_nothing(tools: Notebook) -> None:
    tools.run("city = 'Oslo'")
    cell = tools.run("%agent Weather in {{ctiy}}?")
    assert isinstance(cell.error, MissingNameError)
    assert "Did you mean 'city'?" in str(cell.error)
    assert cell.bundles == []


def test_a_failed_run_fails_the_cell_and_is_still_shown(tools: Notebook) -> None:
    tools.run(
        "import nbagents\nclass Down:\n    name = 'down'\n    async def stream(self, request):\n"
        "        raise nbagents.ModelError('the provider is down')\n        yield\n"
    )
    tools.run("agent = nbagents.Agent(model=Down())")
    cell = tools.run("agent.run('hi')")
    assert isinstance(cell.error, ModelError)
    assert "failed" in cell.texts[0]
    assert cell.stdout.strip() == "ModelError: the provider is down"


def test_without_a_key_a_named_model_says_what_to_do(tools: Notebook) -> None:
    cell = tools.run("%agent -m gpt-x hello")
    assert isinstance(cell.error, ModelError)
    assert "OPENAI_API_KEY" in str(cell.error)
    assert "offline" in str(cell.error)


def test_a_run_that_fails_is_in_its_variable_all_the_same(
    tools: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = ScriptedModel([ModelError("down")])

    def choose(spec: object, **_options: object) -> ScriptedModel:
        return down

    monkeypatch.setattr("nbagents.recordings.wrapping.choose_model", choose)
    cell = tools.run("%agent -o mine hi")
    assert isinstance(cell.error, ModelError)
    assert tools["mine"].status == "failed"
    assert cell.error.run is tools["mine"]  # type: ignore[attr-defined]


def test_a_run_at_its_limit_returns_with_that_status(tools: Notebook) -> None:
    model = script(tools, [call("weather", city="Oslo")], "so far")
    tools.run("import nbagents")
    cell = tools.run("nbagents.Agent(model=model, tools=['weather'], max_steps=1).run('go')")
    assert cell.error is None
    assert cell.value.status == "limit"
    assert cell.value.text == "so far"
    model.assert_complete()


def test_config_sets_defaults_and_options_win(
    tools: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NBAGENTS_MODEL")
    tools.run("%config NbAgents.model = 'gpt-configured'")
    assert isinstance(tools.run("%agent hi").error, ModelError)
    assert tools.run("%agent -m offline Weather in Oslo?").error is None
    tools.run("%config NbAgents.model = 'offline'")
    assert tools.run("%agent Weather in Oslo?").value.model == "offline"


def test_help_comes_by_option_and_by_question_mark(tools: Notebook) -> None:
    for line, options in {"%agent -h": AGENT_OPTIONS, "%tool -h": TOOL_OPTIONS}.items():
        text = tools.run(line).stdout
        assert all(option.long in text for option in options)
    assert "--model" in str(tools.shell.find_line_magic("agent").__doc__)


def test_tools_are_listed_and_shown(tools: Notebook) -> None:
    assert "weather" in tools.run("%tool").texts[0]
    assert "Look up the weather in a city." in tools.run("%tool weather").texts[0]


def test_a_call_by_hand_goes_the_models_way(tools: Notebook) -> None:
    cell = tools.run("run = %tool weather city=Paris days=3")
    assert cell.error is None
    (made,) = tools["run"].calls
    assert (made.arguments, made.content) == ({"city": "Paris", "days": 3}, "27 °C in Paris")
    assert RUN_MIME in cell.bundles[0]


def test_a_call_by_hand_takes_json_and_quotes_and_keeps_text_as_text(tools: Notebook) -> None:
    tools.run('run = %tool weather {"city": "Rome"}')
    assert tools["run"].calls[0].arguments == {"city": "Rome", "days": 1}
    tools.run('run = %tool weather city="New York" days=2')
    assert tools["run"].calls[0].arguments == {"city": "New York", "days": 2}
    tools.run("run = %tool weather city=42")
    assert tools["run"].calls[0].content == "9 °C in 42"
    tools.run(r"run = %tool weather city=C:\new\tmp")
    assert tools["run"].calls[0].arguments == {"city": r"C:\new\tmp", "days": 1}
    tools.run("run = %tool weather city= days=2")
    assert tools["run"].calls[0].arguments == {"city": "", "days": 2}
    tools.run("run = %tool weather city=O'Brien days=2")
    assert tools["run"].calls[0].arguments == {"city": "O'Brien", "days": 2}


def test_a_call_by_hand_that_fails_shows_its_card_and_fails_the_cell(tools: Notebook) -> None:
    cell = tools.run("%tool broken text=oh")
    assert isinstance(cell.error, ToolFailedError)
    assert "ValueError: oh" in cell.texts[0]
    cell = tools.run("%tool weather days=many")
    assert isinstance(cell.error, ToolFailedError)


def test_without_tools_the_list_says_how_to_make_one(notebook: Notebook) -> None:
    assert "%%tool" in notebook.run("%tool").texts[0]


def test_loading_twice_is_loading_once_and_unloading_gives_everything_back(
    notebook: Notebook,
) -> None:
    shell = notebook.shell
    load(shell)
    assert shell.input_transformers_cleanup.count(shell.input_transformers_cleanup[-1]) == 1
    unload(shell)
    assert shell.find_line_magic("agent") is None
    assert shell.find_cell_magic("tool") is None
    assert not [c for c in shell.configurables if type(c).__module__.startswith("nbagents")]
    assert "AgentMagics" not in shell.magics_manager.registry
    assert not [f for f in shell.input_transformers_cleanup if "nbagents" in f.__module__]
    assert not [c for c in shell.configurables if type(c).__name__ == "NbAgents"]
    formatter = shell.display_formatter.ipython_display_formatter
    shown = [*formatter.type_printers, *formatter.deferred_printers]
    assert not [one for one in shown if "nbagents" in str(one)]
    load(shell)
    assert shell.find_line_magic("agent") is not None


def test_a_question_in_the_cell_that_loads_is_refused_with_the_way_out(notebook: Notebook) -> None:
    unload(notebook.shell)
    cell = notebook.run("%load_ext nbagents\n%agent How many?\n")
    assert isinstance(cell.error, UsageError)
    assert "a cell of its own" in str(cell.error)
    assert notebook.run("%load_ext nbagents").error is None
    assert notebook.run("%agent Hello there?").error is None


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("%tool total data=sales", "3"),
        ('%tool sums data=["sales","more"]', "10"),
        ('%%tool --try "data=sales"\ndef own(data: Ledger) -> int:\n    return len(data)\n', "2"),
    ],
)
def test_a_call_by_hand_takes_variables_by_their_names(
    notebook: Notebook, line: str, content: str
) -> None:
    notebook.run("class Ledger(list):\n    pass\nsales, more = Ledger([1, 2]), Ledger([3, 4])\n")
    notebook.run(
        "%%tool\ndef total(data: Ledger) -> int:\n    return sum(data)\n"
        "def sums(data: list[Ledger]) -> int:\n    return sum(map(sum, data))\n"
    )
    cell = notebook.run(line)
    assert cell.error is None, cell.stdout
    assert cell.value.calls[0].content == content


def test_a_call_by_hand_with_no_such_variable_says_so(notebook: Notebook) -> None:
    notebook.run("class Ledger(list):\n    pass\n")
    notebook.run("%%tool\ndef total(data: Ledger) -> int:\n    return sum(data)\n")
    cell = notebook.run("%tool total data=sales")
    assert isinstance(cell.error, ToolFailedError)
    assert "There is no object 'sales'" in str(cell.error)
