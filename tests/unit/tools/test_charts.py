"""Charts as payloads: of Altair, of a bundle, and what they show in words."""

from __future__ import annotations

from typing import Any

import pytest
from libraries import pd

from nbagents.tools.values.chart import chart_in, chart_of, chart_rows, chart_sentence
from nbagents.tools.values.foreign_object import is_chart, kind_of

alt: Any = pytest.importorskip("altair")

ROWS = [{"city": "Oslo", "mm": 52}, {"city": "Rome", "mm": 80}]


def bars(**fields: Any) -> Any:
    frame = pd.DataFrame(ROWS)
    return alt.Chart(frame, **fields).mark_bar().encode(x="city", y="mean(mm):Q")


def said(**spec: Any) -> str:
    return chart_sentence({"spec": spec})


def test_a_chart_of_altair_is_told_by_its_class_and_written_as_vega_lite() -> None:
    assert kind_of(bars()) == "chart"
    assert kind_of(bars() | bars()) == "chart"
    assert not is_chart(alt)
    spec: Any = chart_of(bars())["spec"]
    assert spec["mark"] == {"type": "bar"}


def test_a_bundle_with_vega_lite_holds_a_chart() -> None:
    assert chart_in({"application/vnd.vegalite.v6+json": {"mark": "bar"}, "text/plain": "x"}) == {
        "spec": {"mark": "bar"}
    }
    assert chart_in({"application/vnd.vegalite.v5+json": "no object", "text/html": "<b>"}) is None


def test_a_chart_says_its_mark_its_title_its_channels_and_its_rows() -> None:
    assert chart_sentence(chart_of(bars(title="Rain"))) == (
        "Bar chart “Rain”: x city, y mean of mm, 2 rows"
    )
    assert said(mark="point", encoding={"x": {"field": "a"}, "y": {"aggregate": "count"}}) == (
        "Scatter chart: x a, y count"
    )
    when = {"field": "d", "timeUnit": "month"}
    assert said(mark={"type": "line"}, encoding={"x": when, "y": {"value": 3}, "color": 7}) == (
        "Line chart: x d by month"
    )


def test_charts_of_several_parts_say_so() -> None:
    assert chart_sentence(chart_of(bars() | bars())) == "2 charts side by side: 2 rows"
    assert chart_sentence(chart_of(bars() & bars())).startswith("2 charts below one another")
    layered = chart_sentence(chart_of(bars() + bars().mark_rule()))
    assert layered == "Bar and rule chart: x city, y mean of mm, 2 rows"
    facet = {"spec": {"mark": "area", "encoding": {"x": {"field": "a"}}}, "title": ["two", "lines"]}
    assert said(**facet) == "Area chart, repeated “two lines”: x a"


def test_a_chart_of_nothing_known_is_a_chart() -> None:
    assert said() == "Chart"
    assert said(title={"text": "T"}, layer=[7, {"layer": "x"}], data=3) == "Chart “T”"


def test_what_is_long_is_cut() -> None:
    fields = {name: {"field": "f" * 200} for name in ("x", "y", "color", "size", "row", "column")}
    words = said(mark="m" * 200, title="t" * 200, encoding=fields)
    assert len(words) == 300
    assert words.endswith("…")


def test_deep_nesting_ends() -> None:
    spec: dict[str, Any] = {"mark": "bar"}
    for _ in range(500):
        spec = {"layer": [spec], "spec": {"encoding": {}}}
    assert chart_sentence({"spec": spec}) == "Chart, repeated"


def test_the_rows_are_those_beside_the_specification_or_the_most_inside() -> None:
    assert chart_rows({"spec": {}, "data": ROWS}) == ROWS
    assert chart_rows(chart_of(bars())) == ROWS
    inside = {"data": {"values": [1]}, "layer": [{"data": {"values": [1, 2]}}], "datasets": 3}
    assert chart_rows({"spec": inside}) == [{"data": 1}, {"data": 2}]
    assert chart_rows({"spec": {"data": {"url": "x"}}}) == []


@pytest.mark.parametrize("value", [None, [], {}, {"spec": "bar"}])
def test_what_is_no_chart_is_said(value: Any) -> None:
    with pytest.raises(TypeError, match="A chart is"):
        chart_sentence(value)
