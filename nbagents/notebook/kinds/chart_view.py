"""`nba.ChartView`: a chart in the notebook, of Altair or as a Vega-Lite specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents_widgets.chart_view import ChartWidget

from nbagents.notebook.kinds.chart_form import chart_html, chart_words
from nbagents.notebook.kinds.chart_pictures import checked_picture, keep_picture
from nbagents.tools.values import chart_of, chart_sentence, is_chart, json_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue


class ChartView(ChartWidget):
    """A chart, drawn by the page: the library comes from the kernel, nothing from the network.

    Where no page is watching (nbconvert, nbclient) it opens no comm, and shows a picture if
    `vl_convert` is installed, else its data.

    Args:
        chart: A chart of Altair, or a Vega-Lite specification.
        data: The rows that the specification draws: a list of mappings, or a frame.

    Raises:
        TypeError: It is no chart.

    Example:
        >>> spec = {"mark": "bar", "encoding": {"x": {"field": "city"}, "y": {"field": "mm"}}}
        >>> ChartView(spec, [{"city": "Oslo", "mm": 52}])
        Bar chart: x city, y mm, 1 row
    """

    def __init__(self, chart: Any, data: Any = None) -> None:  # Any: a chart or frame of a library
        super().__init__(_read(chart, data))

    def show(self, chart: Any, data: Any = None) -> None:  # Any: as above
        """Show another chart; where only its data changed, the page changes only those.

        Raises:
            TypeError: It is no chart.
        """
        self.chart = _read(chart, data)

    def drawn(self, picture: Mapping[str, Any]) -> None:
        """Keep the picture that a page has drawn, for `freeze`."""
        found = checked_picture(picture)
        if found is not None:
            keep_picture(self._value, found)

    def still(self) -> dict[str, Any]:
        """Its picture, or its data."""
        return {"text/plain": repr(self), "text/html": str(chart_html(self._value))}

    def __repr__(self) -> str:
        return chart_sentence(self._value)

    @property
    def _value(self) -> JsonValue:
        return dict(self.chart)


def _read(chart: Any, data: Any) -> dict[str, JsonValue]:
    value = chart_of(chart) if is_chart(chart) else {"spec": json_of(chart)}
    if data is not None:
        value["data"] = json_of(_rows(data))
    chart_words(value)  # raises where it is no chart
    return value


def _rows(data: Any) -> object:
    if kind_of(data) != "frame":
        return data
    return data.to_dict(orient="records") if hasattr(data, "iloc") else data.to_dicts()
