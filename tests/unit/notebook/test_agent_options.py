"""The options of `%agent`: variables, attachments, types, settings, agents, and the dry run."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, get_args

import pytest
from IPython.core.error import UsageError

from nbagents.events import Approval
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.options.agent_table import APPROVAL, RECORD
from nbagents.notebook.options.option import MissingNameError, OptionError
from nbagents.notebook.options.option_values import answer_type, attached, settings
from nbagents.recordings import MODES
from nbagents.tools.tool.option_checks import ASKS
from tests.unit.notebook.conftest import Notebook

if TYPE_CHECKING:
    from pathlib import Path

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
SALES = "class Ledger(list):\n    pass\nsales = Ledger([1, 2, 3])\nprices = {'a': 1}\n"


def scripted(notebook: Notebook, *steps: Any) -> ScriptedModel:
    """An agent called `guide` whose model says what it is told to."""
    model = ScriptedModel(list(steps))
    notebook.shell.user_ns["model"] = model
    assert (
        notebook.run("from nbagents import Agent\nguide = Agent('guide', model=model)").error
        is None
    )
    return model


def test_variables_are_shared_by_name_and_tools_take_the_objects(notebook: Notebook) -> None:
    notebook.run(SALES)
    notebook.run(
        "%%tool\ndef total(data: Ledger) -> int:\n    data.append(10)\n    return sum(data)\n"
    )
    model = scripted(notebook, call("total", data="sales"), "16")
    cell = notebook.run("%agent -a guide -t total -v sales,prices -v prices Sum up.")
    assert cell.error is None, cell.stdout
    assert cell.value.calls[0].content == "16"
    assert notebook["sales"] == [1, 2, 3, 10]
    told = repr(model.requests[0].messages)
    assert "sales" in told
    assert "prices" in told


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-v slaes", "there is no variable 'slaes'. Did you mean 'sales'? Nothing was sent."),
        ("--attach slaes", "there is no variable 'slaes'. Did you mean 'sales'? Nothing was sent."),
        ("-a guied", "there is no variable 'guied'. Did you mean 'guide'? Nothing was sent."),
        ("--as Leger", "name 'Leger' is not defined. Did you mean 'Ledger'? Nothing was sent."),
    ],
)
def test_an_undefined_name_says_which_come_close_and_nothing_is_sent(
    notebook: Notebook, line: str, message: str
) -> None:
    notebook.run(SALES)
    model = scripted(notebook, "never")
    cell = notebook.run(
        f"%agent -a guide {line} hello" if "-a" not in line else f"%agent {line} hi"
    )
    assert isinstance(cell.error, MissingNameError)
    assert message in str(cell.error)
    assert len(cell.stdout.strip().splitlines()) == 1
    assert model.requests == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-v a.b", "--vars wants the name of a variable, not 'a.b'"),
        ("--attach no/such.png", "there is no file 'no/such.png'"),
        ("--as 'list['", "--as wants a type"),
        ("--as 3", "--as wants a type"),
        ("--as re.Missing", "not 're.Missing' (AttributeError: module 're' has no attribute"),
        ("--as 1/0", "not '1/0' (ZeroDivisionError: division by zero). Nothing was sent."),
        ("--as {}['a']", "(KeyError: 'a'). Nothing was sent."),
        (
            "--as 'pydantic.create_model(\"A\", b=int)()'",
            "(ValidationError: 1 validation error for A)",
        ),
        ("--as re", "--as: An answer cannot have the type re:"),
        ("--as '(lambda: 1)'", "--as wants a type"),
        ("--as sales[0]", "--as wants a type"),
        ("-k temperature", "-k wants K=V"),
        ("-k =1", "-k wants K=V"),
        ("-a sales", "--agent wants an Agent, not Ledger"),
    ],
)
def test_misuse_is_one_line_and_fails_the_cell(notebook: Notebook, line: str, message: str) -> None:
    notebook.run(f"import re, pydantic\n{SALES}")
    cell = notebook.run(f"%agent {line} hello")
    assert isinstance(cell.error, UsageError)
    assert message in str(cell.error)
    assert len(cell.stderr.strip().splitlines()) == 1


def test_images_files_and_bytes_go_into_the_prompt(notebook: Notebook, tmp_path: Path) -> None:
    (tmp_path / "my notes.txt").write_text("noted")
    names = {"photo": PNG, "where": str(tmp_path / "my notes.txt"), "sales": [1]}
    notebook.shell.user_ns.update(names)
    model = scripted(notebook, "seen")
    notes = f'"{tmp_path}/my notes.txt"'
    cell = notebook.run(
        f"%agent -a guide --attach photo --attach {notes} --attach sales What is it?"
    )
    assert cell.error is None, cell.stdout
    message = next(one for one in model.requests[0].messages if one.role == "user")
    photo, text = message.parts
    assert (photo.name, photo.data) == ("photo", PNG)
    assert (text.name, text.data) == ("my notes.txt", b"noted")
    assert "sales" in repr(model.requests[0].messages)


def test_a_variable_with_a_path_attaches_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a")
    assert list(attached(["where"], {"where": str(file)}).values()) == [file]


@pytest.mark.parametrize(
    "text", ["x" * 5000, "word " * 60, "~hello world", "a\0b", "\ud800", "", "."]
)
def test_a_variable_with_a_text_that_names_no_file_is_the_text_itself(text: str) -> None:
    assert attached(["text"], {"text": text}) == {"text": text}


@pytest.mark.parametrize("word", ["no/" * 200, "~nobody-of-this-name/x", "a\0b", "."])
def test_what_is_no_file_and_no_name_is_said_so(word: str) -> None:
    with pytest.raises(OptionError, match="there is no file"):
        attached([word], {})


def test_files_of_one_name_go_along_both(notebook: Notebook, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.txt").write_text(name)
    notebook.shell.user_ns["there"] = str(tmp_path / "b" / "x.txt")
    model = scripted(notebook, "seen")
    cell = notebook.run(
        f"%agent -a guide --attach {tmp_path}/a/x.txt --attach there --attach there Compare."
    )
    assert cell.error is None, cell.stdout
    message = next(one for one in model.requests[0].messages if one.role == "user")
    assert [(part.name, part.data) for part in message.parts] == [("x.txt", b"a"), ("x.txt", b"b")]


def test_a_file_and_a_variable_of_one_name_go_along_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photo").write_text("a file")
    names = {"photo": PNG, "where": "photo"}
    assert list(attached(["where", "photo"], names).values()) == [tmp_path / "photo", PNG]


def test_a_file_in_the_home_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "x.txt").write_text("x")
    assert list(attached(["~/x.txt"], {}).values()) == [tmp_path / "x.txt"]


def test_the_answer_has_the_type_that_was_asked_for(notebook: Notebook) -> None:
    notebook.run("from dataclasses import dataclass\n@dataclass\nclass City:\n    name: str\n")
    scripted(notebook, '{"value": ["a", "b"]}', '{"name": "Oslo"}')
    assert notebook.run("%agent -a guide --as list[str] Which?").value.output == ["a", "b"]
    city = notebook.run("%agent -a guide --as City Which?").value.output
    assert city == notebook["City"]("Oslo")


def test_a_type_is_any_expression_of_the_persons() -> None:
    assert answer_type("dict[str, int] | None", {}) == (dict[str, int] | None)


def test_settings_are_json_or_text() -> None:
    given = ["temperature=0", "stop=[1]", "user=Ann=1", "flag=true", "odd=NaN", "nothing="]
    assert settings(given) == {
        "temperature": 0,
        "stop": [1],
        "user": "Ann=1",
        "flag": True,
        "odd": "NaN",
        "nothing": "",
    }
    with pytest.raises(OptionError):
        settings(["temperature"])


def test_settings_go_with_the_request(notebook: Notebook) -> None:
    model = scripted(notebook, "ok")
    cell = notebook.run("%agent -a guide -k temperature=0 -k user=Ann hello")
    assert cell.error is None, cell.stdout
    assert model.requests[0].settings == {"temperature": 0, "user": "Ann"}


def test_an_agent_of_yours_keeps_what_no_option_says(notebook: Notebook) -> None:
    notebook.run("%%tool\ndef weather() -> str:\n    return 'fine'\n")
    model = scripted(notebook, "one", "two")
    notebook.run("from dataclasses import replace\nguide = replace(guide, instructions='Be kind.')")
    run = notebook.run("%agent -a guide hello").value
    assert (run.agent_name, run.events[0].tools) == ("guide", ())
    run = notebook.run("%agent -a guide -t all -s 'Be brief.' hello").value
    assert run.events[0].tools == ("weather",)
    told = [request.messages[0] for request in model.requests]
    assert ["kind" in repr(told[0]), "brief" in repr(told[1])] == [True, True]
    assert notebook["guide"].instructions == "Be kind."


def test_a_dry_run_shows_the_request_and_sends_nothing(notebook: Notebook) -> None:
    notebook.run("%%tool\ndef weather(city: str) -> str:\n    'Look it up.'\n    return city\n")
    notebook.run(SALES)
    model = scripted(notebook, "never")
    line = "-a guide -t all -v sales -k temperature=0 -s 'Be brief.' --dry-run"
    cell = notebook.run(f"preview = %agent {line} Weather in Oslo?")
    assert cell.error is None, cell.stdout
    assert model.requests == []
    assert len(cell.bundles) == 1
    for part in (cell.texts[0], cell.bundles[0]["text/html"]):
        for said in ("Not sent.", "Weather in Oslo?", "Be brief.", "Look it up.", "temperature"):
            assert said in part
    assert notebook["preview"].tokens > 0


def test_a_dry_run_is_shown_once_in_each_cell(notebook: Notebook) -> None:
    cell = notebook.run("%agent -m offline --dry-run hello")
    assert len(cell.bundles) == 1
    assert cell.value.model == "offline"
    assert len(notebook.run("_").bundles) == 1
    assert len(notebook.run("import nbagents\nnbagents.Agent().preview('hi')").bundles) == 1


def test_a_dry_run_needs_no_key(notebook: Notebook) -> None:
    cell = notebook.run("%agent -m gpt-x --dry-run hello")
    assert cell.error is None
    assert "gpt-x" in cell.texts[0]


def test_an_option_takes_the_words_that_an_agent_takes() -> None:
    assert APPROVAL.choices == get_args(Approval) == ASKS
    assert RECORD.choices == MODES
