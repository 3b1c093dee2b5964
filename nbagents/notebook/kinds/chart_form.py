"""A chart in a saved notebook: its picture where there is one, else its data; or one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.kinds.chart_pictures import chart_picture
from nbagents.notebook.kinds.table_form import table_html
from nbagents.notebook.markup import Html, join, muted, tag
from nbagents.tools.values import chart_rows, chart_sentence

if TYPE_CHECKING:
    from pydantic import JsonValue

MOST_ROWS = 20
IMAGE = "display:block;max-width:100%;max-height:640px;height:auto;background:#ffffff"


def chart_html(value: JsonValue) -> Html:
    """The chart as a picture; without one, what it shows in words above its first rows.

    Raises:
        TypeError: It is no chart.
    """
    words, picture = chart_sentence(value), chart_picture(value)
    if picture is not None:
        media_type, coded = picture
        image = tag("img", alt=words, src=f"data:{media_type};base64,{coded}", style=IMAGE)
        return tag("div", image, style="margin:8px 0")
    rows = chart_rows(value)
    if not rows:
        return tag("div", muted(f"{words}. It holds no rows."))
    data: Any = {"rows": rows[:MOST_ROWS], "total": len(rows)}
    return join(tag("div", words), table_html(data))


def chart_words(value: JsonValue) -> str:
    """A chart in one line: `chart: Bar chart “Rain”: x city, y rain_mm, 12 rows`.

    Raises:
        TypeError: It is no chart.
    """
    words = chart_sentence(value)
    return f"{words[0].lower()}{words[1:]}"
