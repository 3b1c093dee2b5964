"""What a table's view is answered, and what a saved run keeps of it."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from nbagents import Agent, ScriptedModel
from nbagents.models.scripted import call
from nbagents.notebook.kinds.frame_requests import answer
from nbagents.notebook.kinds.table_news import answer_page, stay
from nbagents.tools.values.tables import kept_frame, table_of
from nbagents.tools.values.tables import kept_frames as frame_sources

pd: Any = pytest.importorskip("pandas")


@pytest.fixture
def a_page_can_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, frame_sources.PAGES, SimpleNamespace())


@pytest.fixture
def table(a_page_can_ask: None) -> Any:
    return table_of(pd.DataFrame({"n": range(200), "t": ["x" * 400] * 200}))


def test_a_page_is_answered_with_where_it_begins_and_how_many_there_are(table: Any) -> None:
    question: Any = {"source": table["source"], "offset": 198, "limit": 50, "sort": None}
    given: Any = answer(question)
    assert [row[1] for row in given["rows"]] == [198, 199]
    assert (given["offset"], given["total"], given["all"]) == (198, 200, 200)
    by_size = {"column": 1, "descending": True}
    question = {**question, "offset": 0, "sort": by_size, "query": "n<10"}
    given = answer(question)
    assert (given["rows"][0][1], given["total"], given["all"]) == (9, 10, 200)


def test_a_whole_text_is_answered(table: Any) -> None:
    cell = {"row": 1, "column": 2, "start": 100}
    question: Any = {"source": table["source"], "cell": cell, "sort": None}
    assert answer(question) == {"text": "x" * 300, "length": 400}


def test_columns_a_copy_and_a_selection_are_answered(table: Any) -> None:
    source = {"source": table["source"]}
    heads: Any = answer({**source, "heads": {"start": 1, "stop": 9}})
    assert (heads["start"], heads["columns"]) == (1, ["t"])
    block = {"rows": [3, 5], "columns": [1, 2]}
    copy: Any = {**block, "kind": "tsv", "heads": True}
    assert answer({**source, "copy": copy}) == {"text": "n\n3\n4\n", "rows": 2}
    selection: Any = {**source, "select": [block]}
    assert answer(selection) == {"selected": 2}
    assert [*kept_frame(table["source"]).selected["n"]] == [3, 4]


@pytest.mark.parametrize("block", [{}, {"rows": [1, 2]}, {"rows": [-1, 2], "columns": [0, 1]}])
def test_a_part_that_is_none_is_refused(table: Any, block: Any) -> None:
    with pytest.raises(ValueError, match="each from and to"):
        answer({"source": table["source"], "select": [block]})


@pytest.mark.parametrize("question", [None, {}, {"source": 3}])
def test_a_question_without_a_source_is_refused(question: Any) -> None:
    with pytest.raises(ValueError, match="names the source"):
        answer(question)


def test_a_question_about_nothing_is_refused(table: Any) -> None:
    with pytest.raises(ValueError, match="for a `cell`"):
        answer({"source": table["source"], "offset": "all"})


class Page:
    """A comm to the page of a saved run."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.ask: Any = None

    def on_msg(self, hear: Any) -> None:

        def ask(question: Any) -> None:
            hear({"content": {"data": {"id": 1, "question": question}}})

        self.ask = ask

    def send(self, said: dict[str, Any]) -> None:
        self.told.append(said)

    def open(self, run_id: str) -> Page:
        answer_page(self, {"content": {"data": {"run_id": run_id}}})
        return self


def shown(frame: Any) -> Any:
    """A run that has shown a frame."""

    def measured() -> Any:
        """Read them."""
        return frame

    model = ScriptedModel([call("measured"), "There."])
    return Agent(model=model, tools=[measured]).run("The numbers.", chat="numbers")


def test_the_table_of_a_run_that_has_ended_is_answered_for_as_long_as_the_kernel_lives(
    a_page_can_ask: None,
) -> None:
    run = shown(pd.DataFrame({"n": range(100)}))
    source = run.tree()["runs"][run.id]["calls"].popitem()[1]["payloads"][0]["payload"]["value"][
        "source"
    ]
    question = {"source": source, "offset": 99, "limit": 5}
    page = Page().open(run.id)
    page.ask(question)
    assert "of another kernel" in page.told[-1]["error"]
    stay(run)
    page.ask(question)
    assert page.told[-1]["value"]["rows"] == [[99, 99]]
    page.ask({"source": "nobody's", "offset": 0, "limit": 1})
    assert "Run the cell again" in page.told[-1]["error"]


def test_what_the_user_selects_is_told_to_the_next_run_of_the_chat(a_page_can_ask: None) -> None:
    run = shown(pd.DataFrame({"city": ["Oslo", "Quito"] * 50, "celsius": range(100)}))
    stay(run)
    source = run.tree()["runs"][run.id]["calls"].popitem()[1]["payloads"][0]["payload"]["value"][
        "source"
    ]
    rows = {"rows": [0, 7], "columns": [0, 3]}
    Page().open(run.id).ask(
        {"source": source, "select": [rows], "sort": {"column": 2, "descending": True}}
    )
    assert [*run.calls[0].selected["celsius"]] == [99, 98, 97, 96, 95, 94, 93]
    model = ScriptedModel(["I see."])
    Agent(model=model).run("And these?", chat="numbers")
    told = str(model.requests[0].messages)
    assert "In the table of measured, the user selected 7 of 100 rows: 99 (city Quito" in told
    assert "; and 2 more." in told
    other = ScriptedModel(["What?"])
    Agent(model=other).run("And these?")
    assert "selected" not in str(other.requests[0].messages)
