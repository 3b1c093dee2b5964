"""Files, folders and patterns name notebooks, each once; a word that names none is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nbagents.execution import SelectionError, notebooks_in
from tests.unit.execution.written import cell, written

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("map.ipynb", "loop.ipynb", "deep/tour.ipynb", ".ipynb_checkpoints/map.ipynb"):
        path = tmp_path / "lessons" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        written(path, cell("1"))
    (tmp_path / "lessons" / "notes.txt").write_text("no notebook", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "lessons"


def names(*words: str, keyword: str = "") -> list[str]:
    return [path.name for path in notebooks_in(words, keyword)]


@pytest.mark.usefixtures("lessons")
def test_a_folder_is_all_notebooks_below_it_but_not_what_jupyter_keeps_beside_them() -> None:
    assert names("lessons") == ["tour.ipynb", "loop.ipynb", "map.ipynb"]


@pytest.mark.usefixtures("lessons")
def test_a_notebook_that_is_named_twice_is_meant_once() -> None:
    assert names("lessons/map.ipynb", "lessons/*.ipynb") == ["map.ipynb", "loop.ipynb"]
    assert names("lessons/**/t*.ipynb") == ["tour.ipynb"]


@pytest.mark.usefixtures("lessons")
@pytest.mark.parametrize(
    ("keyword", "meant"),
    [
        ("map", ["map.ipynb"]),
        ("Map or deep", ["tour.ipynb", "map.ipynb"]),
        ("not map and not loop", ["tour.ipynb"]),
        ("loop.ip", ["loop.ipynb"]),
        ("lessons/m", ["map.ipynb"]),
    ],
)
def test_a_keyword_leaves_those_of_whose_path_it_is_true(keyword: str, meant: list[str]) -> None:
    assert names("lessons", keyword=keyword) == meant


@pytest.mark.usefixtures("lessons")
@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("none.ipynb", "no file 'none.ipynb'"),
        ("lessons/notes.txt", "does not end in .ipynb"),
        ("lessons/x*.ipynb", "No notebook is called"),
    ],
)
def test_a_word_that_names_nothing_is_said(word: str, says: str) -> None:
    with pytest.raises(SelectionError, match=says):
        notebooks_in([word])


def test_an_empty_folder_and_a_keyword_that_leaves_nothing_are_said(lessons: Path) -> None:
    (lessons / "empty").mkdir()
    with pytest.raises(SelectionError, match="There is no notebook in"):
        notebooks_in([str(lessons / "empty")])
    with pytest.raises(SelectionError, match="None of the 3 notebooks"):
        notebooks_in([str(lessons)], "nothing")
