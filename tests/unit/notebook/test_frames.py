"""What a table's view is answered, and what a saved run keeps of it."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest
from trees import call, payload, run, tree

from nbagents.notebook.frames import answer, let_go, without_sources
from nbagents.tools import frame_sources
from nbagents.tools.tables import table_of

pd: Any = pytest.importorskip("pandas")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(sys.modules, frame_sources.PAGES, SimpleNamespace())
    return table_of(pd.DataFrame({"n": range(200), "t": ["x" * 400] * 200}))


def test_a_page_is_answered_with_where_it_begins_and_how_many_there_are(table: Any) -> None:
    question: Any = {"source": table["source"], "offset": 198, "limit": 50, "sort": None}
    given: Any = answer(question)
    assert [row[0] for row in given["rows"]] == [198, 199]
    assert (given["offset"], given["total"]) == (198, 200)
    question = {**question, "offset": 0, "sort": {"column": 0, "descending": True}}
    given = answer(question)
    assert given["rows"][0][0] == 199


def test_a_whole_text_is_answered(table: Any) -> None:
    cell = {"row": 1, "column": 1}
    question: Any = {"source": table["source"], "cell": cell, "sort": None}
    assert answer(question) == {"text": "x" * 400}


@pytest.mark.parametrize("question", [None, {}, {"source": 3}])
def test_a_question_without_a_source_is_refused(question: Any) -> None:
    with pytest.raises(ValueError, match="names the source"):
        answer(question)


def test_a_question_about_nothing_is_refused(table: Any) -> None:
    with pytest.raises(ValueError, match="for a `cell`"):
        answer({"source": table["source"], "offset": "all"})


def test_a_saved_tree_names_no_source_and_is_a_copy(table: Any) -> None:
    other = payload("map", {"source": "mine"})
    shown = cast("Any", tree(run(call(payloads=[payload("table", table), other]))))
    saved: Any = without_sources(shown)
    first, second = saved["runs"]["run-1"]["calls"]["call-1"]["payloads"]
    assert "source" not in first["payload"]["value"]
    assert first["payload"]["value"]["rows"] == table["rows"]
    assert second["payload"]["value"] == {"source": "mine"}
    assert "source" in table


def test_frames_of_a_run_that_is_not_live_any_more_are_let_go(table: Any) -> None:
    let_go(cast("Any", tree(run(call(payloads=[payload("table", table)])))))
    with pytest.raises(LookupError):
        answer({"source": table["source"], "offset": 0, "limit": 1})
