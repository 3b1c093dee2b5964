"""`TableView` and `ChartView`: what they show, what they answer, and when a comm is opened."""

from __future__ import annotations

from typing import Any

import comm
import pytest
from nbagents_widgets.chart_view import ChartWidget
from nbagents_widgets.table_view import TableWidget

from nbagents.notebook.kinds import chart_pictures
from nbagents.notebook.kinds.chart_view import ChartView
from nbagents.notebook.kinds.table_view import TableView
from tests.unit.widgets.wire import Wire

pd: Any = pytest.importorskip("pandas")
VIEW = "application/vnd.jupyter.widget-view+json"
SPEC = {"mark": "bar", "encoding": {"x": {"field": "city"}, "y": {"field": "mm"}}}
ROWS = [{"city": "Oslo", "mm": 52}]
SVG = "<svg xmlns='http://www.w3.org/2000/svg'></svg>"


@pytest.fixture(autouse=True)
def no_pictures() -> None:
    """No page has drawn anything yet."""
    chart_pictures._kept.clear()  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def wires(monkeypatch: pytest.MonkeyPatch) -> list[Wire]:
    opened: list[Wire] = []

    def create(**options: Any) -> Wire:
        opened.append(Wire(**options))
        return opened[-1]

    monkeypatch.setattr(comm, "create_comm", create)
    return opened


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []

    def publish(data: dict[str, Any], **options: Any) -> None:
        shown.append({"data": data, **options})

    monkeypatch.setattr("IPython.display.publish_display_data", publish)
    return shown


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch, wires: list[Wire]) -> list[Wire]:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    return wires


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch, wires: list[Wire]) -> list[Wire]:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    return wires


def frame(rows: int = 120) -> Any:
    return pd.DataFrame({"n": range(rows)})


def tell(wire: Wire, content: object) -> None:
    """A page says something."""
    data = {"method": "custom", "content": content}
    wire.handle_msg({"content": {"data": data}, "buffers": []})


def ask(wire: Wire, question: Any, number: int = 1) -> dict[str, Any]:
    """A page asks, and is answered."""
    tell(wire, {"type": "ask", "id": number, "kind": "table", "question": question})
    return next(one for one in wire.messages if one.get("id") == number)


@pytest.mark.usefixtures("unwatched")
def test_where_nobody_watches_a_table_is_its_first_rows_and_opens_no_comm(
    wires: list[Wire],
) -> None:
    bundle, _ = TableView(frame(), title="Numbers")._repr_mimebundle_()  # pyright: ignore[reportPrivateUsage]
    assert wires == []
    assert VIEW not in bundle
    assert bundle["text/plain"] == "Numbers, 50 of 120 rows \u00d7 1 column: n"
    assert bundle["text/html"].count("<tr>") == 51


def test_a_page_turns_and_sorts_a_table(watched: list[Wire]) -> None:
    view = TableView(frame())
    source = view.table["source"]
    given = ask(watched[-1], {"source": source, "offset": 100, "limit": 2, "sort": None})
    assert given["value"]["rows"] == [[100, 100], [101, 101]]
    sort = {"column": 1, "descending": True}
    given = ask(watched[-1], {"source": source, "offset": 0, "limit": 1, "sort": sort}, 2)
    assert given["value"]["rows"] == [[119, 119]]
    given = ask(watched[-1], {"source": source, "offset": "?"}, 3)
    assert "for a `cell`" in given["error"]


def test_a_page_that_asks_about_the_table_before_is_told(watched: list[Wire]) -> None:
    view = TableView(frame())
    before = view.table["source"]
    view.show(frame(60))
    assert view.table["total"] == 60
    given = ask(watched[-1], {"source": before, "offset": 0, "limit": 1})
    assert "The table has changed" in given["error"]
    assert "has changed" in ask(watched[-1], None, 2)["error"]


@pytest.mark.usefixtures("unwatched")
def test_a_table_takes_rows_and_refuses_what_is_none() -> None:
    assert repr(TableView(ROWS)) == "Table, 1 row \u00d7 2 columns: city, mm"
    for wrong in ([], [1], "text", None):
        with pytest.raises(TypeError, match="a DataFrame, a Series or a list"):
            TableView(wrong)


@pytest.mark.usefixtures("watched")
def test_what_is_shown_live_keeps_its_still_form_and_freezes_to_it(
    published: list[dict[str, Any]],
) -> None:
    view = TableView(frame())
    view._ipython_display_()  # pyright: ignore[reportPrivateUsage]
    assert {VIEW, "text/html", "text/plain"} <= set(published[0]["data"])
    view.freeze()
    assert published[1]["update"]
    assert VIEW not in published[1]["data"]
    assert view.comm is None


@pytest.mark.usefixtures("watched")
def test_what_was_never_shown_freezes_without_a_word(published: list[dict[str, Any]]) -> None:
    ChartView(SPEC, ROWS).freeze()
    assert published == []


def test_a_page_that_says_anything_else_is_not_answered(watched: list[Wire]) -> None:
    TableView(frame())
    said: list[Any] = ["text", {"type": "other"}, {"type": "emit", "kind": "chart", "value": {}}]
    for content in said:
        tell(watched[-1], content)
    assert watched[-1].messages == []


def test_the_bare_widgets_have_no_more_than_they_were_given(watched: list[Wire]) -> None:
    TableWidget({"columns": ["a"], "rows": [[1]]})
    assert "no more" in ask(watched[-1], {"offset": 0})["error"]
    chart = ChartWidget({"spec": SPEC})
    content = {"type": "emit", "kind": "chart", "value": {"svg": SVG}}
    tell(watched[-1], content)
    assert list(chart.still()) == ["text/plain"]


@pytest.mark.usefixtures("unwatched")
def test_a_chart_that_nobody_watches_is_its_data() -> None:
    view = ChartView(SPEC, pd.DataFrame(ROWS))
    bundle, _ = view._repr_mimebundle_()  # pyright: ignore[reportPrivateUsage]
    assert bundle["text/plain"] == repr(view) == "Bar chart: x city, y mm, 1 row"
    assert "Oslo" in bundle["text/html"]


def test_a_chart_that_a_page_drew_freezes_to_its_picture(watched: list[Wire]) -> None:
    view = ChartView(SPEC, ROWS)
    for picture in ({"svg": "<p>"}, {"svg": SVG}):
        content = {"type": "emit", "kind": "chart", "value": picture}
        tell(watched[-1], content)
    assert "data:image/svg+xml" in view.still()["text/html"]


@pytest.mark.usefixtures("unwatched")
def test_a_chart_may_be_of_altair_and_may_be_replaced() -> None:
    alt: Any = pytest.importorskip("altair")
    view = ChartView(alt.Chart(pd.DataFrame(ROWS)).mark_line().encode(x="city"))
    assert repr(view) == "Line chart: x city, 1 row"
    view.show(SPEC, ROWS)
    assert repr(view) == "Bar chart: x city, y mm, 1 row"
    with pytest.raises(TypeError, match="A chart is"):
        ChartView("bar")
