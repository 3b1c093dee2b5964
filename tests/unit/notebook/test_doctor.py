"""`%nbagents doctor` says what works, what does not and what to do, and never a key."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nbagents.notebook.extension import Extension
from nbagents.notebook.live.workplace import Workplace
from nbagents.notebook.reports import doctor
from nbagents.notebook.reports.doctor import Found, examine
from tests.unit.notebook.conftest import Notebook

SECRET = "sk-nobody-may-see-this"


@pytest.fixture
def place(notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    extension = Extension.current
    assert extension is not None
    return extension.place


def found(place: Workplace) -> Mapping[str, Found]:
    return examine(place)


def in_a_kernel(place: Workplace, **parts: object) -> None:
    """Make the shell one of a kernel."""
    shell: Any = place.shell
    shell.kernel = SimpleNamespace(**parts)


def test_all_is_well_in_a_terminal_with_the_offline_model(
    notebook: Notebook, place: Workplace
) -> None:
    assert {one.state for one in examine(place).values()} == {"ok"}
    (text,) = notebook.run("%nbagents doctor").texts
    assert text.startswith("All is well")
    assert "the offline model needs none" in text


def test_a_model_without_its_key_is_a_problem_and_says_what_to_do(
    notebook: Notebook, place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_MODEL", "gpt-x")
    assert found(place)["Model"].state == "problem"
    (text,) = notebook.run("%nbagents doctor").texts
    assert text.startswith("1 of 9 need attention")
    assert "set OPENAI_API_KEY, or choose another with -m offline" in text


def test_a_server_on_this_machine_needs_no_key(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_MODEL", "qwen")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert found(place)["Model"].state == "ok"
    assert "Requests go to localhost:8000 (OPENAI_BASE_URL)" in found(place)["Base URL"].said


def test_a_key_is_found_and_not_shown(
    notebook: Notebook, place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert found(place)["Key"].said == "Found in the environment (OPENAI_API_KEY)."
    monkeypatch.setenv("OPENAI_API_KEY", f"{SECRET}…")
    assert found(place)["Key"].state == "problem"
    assert SECRET not in str(notebook.run("%nbagents doctor").bundles)


@pytest.mark.parametrize(
    "url", ["https://me:secret@example.org/v1", "ftp://x", "nothing", "http://["]
)
def test_a_base_url_that_is_none_is_a_problem_and_no_password_is_shown(
    place: Workplace, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    check = found(place)["Base URL"]
    assert check.state == "problem"
    assert "secret" not in check.said


def test_a_state_folder_that_cannot_be_written_is_a_problem(
    place: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path / "file"))
    check = found(place)["Log"]
    assert check.state == "problem"
    assert "NBAGENTS_STATE_DIR" in check.advice


def test_the_size_of_the_log_is_said_and_a_large_one_is_a_problem(
    place: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log.sqlite3").write_bytes(b"x" * 2000)
    (tmp_path / "log.sqlite3-wal").write_bytes(b"x" * 500)
    assert "2.5 kB" in found(place)["Log"].said
    monkeypatch.setattr(doctor, "LARGE_LOG", 2400)
    assert found(place)["Log"].state == "problem"


@pytest.mark.parametrize(
    ("kernel", "state"),
    [
        ({"shell_stream": object()}, "ok"),
        (
            {
                "shell_channel_thread": SimpleNamespace(
                    manager=SimpleNamespace(
                        _shell_channel_to_main=SimpleNamespace(to_stream=object())
                    )
                )
            },
            "ok",
        ),
        ({"shell_channel_thread": SimpleNamespace(manager=SimpleNamespace())}, "problem"),
        ({}, "problem"),
    ],
)
def test_whether_clicks_are_heard_depends_on_how_the_kernel_is_built(
    place: Workplace, kernel: dict[str, object], state: str
) -> None:
    in_a_kernel(place, **kernel)
    assert found(place)["Kernel"].state == state


def test_a_kernel_that_strands_requests_is_a_problem(place: Workplace) -> None:
    manager = SimpleNamespace(_shell_socket=object())
    in_a_kernel(place, shell_channel_thread=SimpleNamespace(manager=manager))
    check = found(place)["Kernel"]
    assert (check.state, check.advice) == ("problem", "pip install 'ipykernel>=7.4'")


def test_who_is_watching_is_said(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_kernel(place, shell_stream=object())
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    assert "by NbAgents.display = 'static'" in found(place)["Front end"].said
    place.config.say("display", "auto")
    assert "runs are shown as they happen" in found(place)["Front end"].said
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    assert found(place)["Front end"].said.startswith("Nobody is watching")
    monkeypatch.setenv("NBAGENTS_FRONTEND", "maybe")
    check = found(place)["Front end"]
    assert (check.state, check.advice) == ("problem", "This could not be looked at.")


def test_what_the_page_needs_is_looked_for_where_jupyter_looks(
    place: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_a_kernel(place, shell_stream=object())
    for variable in ("JUPYTER_DATA_DIR", "JUPYTER_PATH"):
        monkeypatch.setenv(variable, str(tmp_path / "data"))
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda: [str(tmp_path / "data")])
    assert found(place)["Extension"].state == "note"
    assert found(place)["Widgets"].state == "note"
    extensions = tmp_path / "data" / "labextensions"
    for name in ("nbagents", "@jupyter-widgets/jupyterlab-manager"):
        (extensions / name).mkdir(parents=True)
        (extensions / name / "package.json").write_text("{}")
    assert found(place)["Extension"].state == "ok"
    assert found(place)["Widgets"].state == "ok"


def test_without_jupyter_nothing_of_its_is_found(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_a_kernel(place, shell_stream=object())
    monkeypatch.setitem(sys.modules, "jupyter_core.paths", None)
    assert found(place)["Extension"].state == "note"
    monkeypatch.setattr(doctor, "PACKAGES", ("nobody-has-this",))
    assert "nobody" not in found(place)["Versions"].said


def test_without_a_key_or_a_name_the_offline_model_answers(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NBAGENTS_MODEL")
    assert found(place)["Model"].said == "offline, because there is no key."


def test_a_package_that_is_not_there_is_named(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_a_kernel(place, shell_stream=object())

    def version(package: str) -> str:
        return "" if package == "anywidget" else "1.0"

    monkeypatch.setattr(doctor, "_version", version)
    check = found(place)["Widgets"]
    assert (check.state, check.advice) == ("problem", "pip install anywidget")
    assert "ipywidgets 1.0" in found(place)["Versions"].said
