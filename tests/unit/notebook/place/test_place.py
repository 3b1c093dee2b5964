"""Where a notebook is: by the page, a variable, the server's word, or not known, which is said."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import comm
import pytest

from nbagents.notebook.place import NotebookPlace
from nbagents.notebook.place import conversation as talking
from nbagents.recordings import embed


class FakeComm:
    """A kernel's side of a conversation; `answer` is what the page does when it is opened."""

    answer: Any = None
    opened: list[FakeComm]

    def __init__(self, target_name: str, data: object) -> None:
        self.target, self.is_closed = target_name, False
        self.sent: list[object] = []
        self.heard: Any = None
        self.closed: Any = None
        FakeComm.opened.append(self)

    def on_msg(self, hear: Any) -> None:
        self.heard = hear

    def on_close(self, closed: Any) -> None:
        self.closed = closed
        if FakeComm.answer is not None:
            FakeComm.answer(self)

    def send(self, data: object) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.is_closed = True

    def say(self, session: str = "page", **data: object) -> None:
        self.heard({"header": {"session": session}, "content": {"data": data}})

    def tell(
        self, path: str, root: object, *, embedded: bool = False, session: str = "page"
    ) -> None:
        self.say(session, notebook={"path": path, "root": str(root), "embedded": embedded})


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(comm, "create_comm", FakeComm)
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    monkeypatch.setattr(talking, "WORD_S", 0.1)
    monkeypatch.setattr(talking, "TEXTS_S", 0.1)
    monkeypatch.chdir(tmp_path)
    FakeComm.opened, FakeComm.answer = [], None


class Here:
    """A kernel for one notebook."""

    def __init__(self, environ: dict[str, str] | None = None, *, has_page: bool = False) -> None:
        self.parent: dict[str, Any] = {}
        shell: Any = SimpleNamespace(user_ns={}, get_parent=lambda: self.parent)
        if has_page:
            shell.kernel = SimpleNamespace()
        self.shell = shell
        self.place = NotebookPlace(shell, environ or {})
        self.place.begin()

    @property
    def comm(self) -> FakeComm:
        return FakeComm.opened[-1]

    @property
    def path(self) -> Path | None:
        return self.place.where().path


def made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}", encoding="utf-8")
    return path


def test_the_page_says_where_it_is_and_follows_a_rename(tmp_path: Path) -> None:
    one, two = made(tmp_path / "course" / "one.ipynb"), tmp_path / "course" / "two.ipynb"
    here = Here({"JPY_SESSION_NAME": str(one)}, has_page=True)
    here.comm.tell("course/one.ipynb", tmp_path, embedded=True)
    known = here.place.where()
    assert (known.path, known.said_by, known.has_embedded) == (one, "the page", True)
    one.rename(two)
    here.comm.tell("course/two.ipynb", tmp_path)
    known = here.place.where()
    assert (known.path, known.has_embedded, known.earlier) == (two, False, (one,))
    assert known.is_certain


def test_the_page_is_asked_once_and_before_the_first_cell() -> None:
    here = Here(has_page=True)
    here.place.begin()
    assert [one.target for one in FakeComm.opened] == ["nbagents.notebook"]
    here.place.end()
    assert here.comm.is_closed


def test_what_the_page_is_about_to_say_is_waited_for(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(talking, "WORD_S", 30.0)
    notebook = made(tmp_path / "one.ipynb")
    here = Here(has_page=True)
    late = threading.Timer(0.05, here.comm.tell, ["one.ipynb", tmp_path])
    late.start()
    assert here.path == notebook
    late.join()


def test_a_page_without_our_extension_is_not_waited_for(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(talking, "WORD_S", 1e9)

    def refuse(opened: FakeComm) -> None:
        opened.closed({})

    FakeComm.answer = refuse
    notebook = made(tmp_path / "one.ipynb")
    here = Here({"JPY_SESSION_NAME": str(notebook)}, has_page=True)
    assert here.path == notebook
    here.place.begin()
    assert len(FakeComm.opened) == 1


def test_two_notebooks_of_one_kernel_are_told_apart_by_who_asks(tmp_path: Path) -> None:
    one, two = made(tmp_path / "one.ipynb"), made(tmp_path / "two.ipynb")
    here = Here(has_page=True)
    here.comm.tell("one.ipynb", tmp_path, session="a")
    here.comm.tell("two.ipynb", tmp_path, session="b")
    here.parent = {"header": {"session": "a"}}
    assert here.path == one
    here.parent = {"header": {"session": "b"}}
    assert here.path == two
    here.parent = {"header": {"session": "of nobody"}}
    assert here.path == two
    assert here.place.where().earlier == ()


def test_where_the_folder_is_not_seen_the_page_hands_over_what_it_has() -> None:
    here = Here(has_page=True)
    here.comm.tell("far/one.ipynb", "/nowhere")
    assert here.comm.sent == [{"wants": ["beside", "embedded"]}]
    here.comm.say(text={"of": "embedded", "is_there": False})
    here.comm.say(text={"of": "beside", "at": 0, "piece": "first\n", "is_last": False})
    here.comm.say(text={"of": "beside", "at": 6, "piece": "second\n", "is_last": True})
    known = here.place.where()
    assert (known.path, known.name) == (None, "one.ipynb")
    assert known.handed == {"embedded": None, "beside": "first\nsecond\n"}
    assert known.problem == "this kernel does not see the folder of one.ipynb"
    here.comm.tell("far/one.ipynb", "/nowhere")
    here.comm.say(text={"of": "embedded", "is_there": False})
    here.comm.say(text={"of": "beside", "is_known": True})
    assert here.place.where().handed == {"embedded": None, "beside": "first\nsecond\n"}
    here.comm.tell("far/renamed.ipynb", "/nowhere")
    for of in ("embedded", "beside"):
        here.comm.say(text={"of": of, "is_there": False})
    handed = here.place.where().handed
    assert handed == {"embedded": None, "beside": None, "earlier": "first\nsecond\n"}


def test_a_page_that_breaks_off_leaves_what_had_come_and_is_waited_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = Here(has_page=True)
    here.comm.tell("far/one.ipynb", "/nowhere")
    here.comm.say(text={"of": "beside", "at": 0, "piece": "first\n", "is_last": False})
    here.comm.say(text={"of": "something else", "at": 0, "piece": "no", "is_last": True})
    here.comm.say(nonsense=1)
    assert here.place.where().handed == {}
    monkeypatch.setattr(talking, "TEXTS_S", 1e9)
    assert here.place.where().handed == {}


def test_a_notebook_that_is_in_no_folder_of_the_server_is_not_seen(tmp_path: Path) -> None:
    made(tmp_path / "one.ipynb")
    here = Here(has_page=True)
    here.comm.say(notebook={"path": "one.ipynb", "root": None, "embedded": False})
    assert here.path is None


def test_where_the_server_names_no_folder_the_kernels_own_is_looked_in(tmp_path: Path) -> None:
    notebook = made(tmp_path / "one.ipynb")
    here = Here(has_page=True)
    here.comm.tell("course/one.ipynb", "")
    assert here.path == notebook


def test_the_variable_says_it_where_no_page_does(tmp_path: Path) -> None:
    one, two = made(tmp_path / "one.ipynb"), made(tmp_path / "two.ipynb")
    known = Here({"NBAGENTS_NOTEBOOK": "one.ipynb", "JPY_SESSION_NAME": str(two)}).place.where()
    assert (known.path, known.said_by, known.is_certain) == (one, "NBAGENTS_NOTEBOOK", True)


def test_a_variable_that_names_nothing_is_said(tmp_path: Path) -> None:
    known = Here({"NBAGENTS_NOTEBOOK": "none.ipynb"}).place.where()
    assert known.path is None
    assert known.problem == "NBAGENTS_NOTEBOOK says none.ipynb, which is not there"


def test_a_kernel_that_changed_its_folder_still_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = made(tmp_path / "one.ipynb")
    here = Here({"NBAGENTS_NOTEBOOK": "one.ipynb"})
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert here.path == notebook


def test_the_servers_word_is_taken_while_it_holds_and_is_not_beyond_doubt(tmp_path: Path) -> None:
    notebook = made(tmp_path / "one.ipynb")
    here = Here({"JPY_SESSION_NAME": str(notebook)})
    known = here.place.where()
    assert (known.path, known.is_certain) == (notebook, False)
    notebook.rename(tmp_path / "two.ipynb")
    known = here.place.where()
    assert (known.path, known.earlier) == (None, (notebook,))
    assert "which is not there" in known.problem


def test_vs_code_names_it_in_a_variable_of_the_person(tmp_path: Path) -> None:
    notebook = made(tmp_path / "one.ipynb")
    here = Here({"JPY_SESSION_NAME": "a console"})
    here.shell.user_ns["__vsc_ipynb_file__"] = str(notebook)
    assert here.path == notebook


def test_where_nobody_says_it_that_is_said() -> None:
    known = Here({"JPY_SESSION_NAME": "a console"}).place.where()
    assert (known.path, known.problem) == (None, "nothing here says which notebook this is")


def put_in_colab(monkeypatch: pytest.MonkeyPatch, message: Any) -> None:
    """Have the modules that only Colab has (Any: a stand-in)."""
    parts: dict[str, Any] = {"google.colab": SimpleNamespace(), "google.colab._message": message}
    for name, module in parts.items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize("text", ["{}\n", None])
def test_colab_is_asked_once_for_what_is_in_the_notebook(
    monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    notebook: dict[str, Any] = {"cells": [], "metadata": {}}
    embed(notebook, text)
    asked: list[str] = []

    def blocking_request(what: str, *, request: str, timeout_sec: float) -> object:
        asked.append(what)
        return {"ipynb": notebook}

    message = SimpleNamespace(blocking_request=blocking_request)
    put_in_colab(monkeypatch, message)
    here = Here({"JPY_SESSION_NAME": "/elsewhere/notebook.ipynb"})
    assert here.place.where().handed == here.place.where().handed == {"embedded": text}
    assert "where no kernel sees it" in here.place.where().problem
    assert asked == ["get_ipynb"]


@pytest.mark.parametrize("said", [None, {}, {"ipynb": 1}, OSError("no answer")])
def test_a_colab_that_says_nothing_is_none(monkeypatch: pytest.MonkeyPatch, said: object) -> None:
    def blocking_request(*_what: object, **_more: object) -> object:
        if isinstance(said, OSError):
            raise said
        return said

    message = SimpleNamespace(blocking_request=blocking_request)
    put_in_colab(monkeypatch, message)
    assert Here().place.where().problem == "nothing here says which notebook this is"
