"""Payloads by kind: their static forms, views of one's own, and renderers."""

from nbagents.notebook.kinds.chart_view import ChartView
from nbagents.notebook.kinds.media_forms import (
    KINDS,
    has_contents,
    payload_in_words,
    payload_picture,
    picture_type,
)
from nbagents.notebook.kinds.renderers import answer_ask, renderer, take_emit, with_statics
from nbagents.notebook.kinds.static_form import (
    draw,
    map_in_words,
    payload_line,
    picture_of,
    shown_payloads,
    stage_values,
    static_picture,
)
from nbagents.notebook.kinds.table_news import answer_page, stay
from nbagents.notebook.kinds.table_view import TableView

__all__ = [
    "KINDS",
    "ChartView",
    "TableView",
    "answer_ask",
    "answer_page",
    "draw",
    "has_contents",
    "map_in_words",
    "payload_in_words",
    "payload_line",
    "payload_picture",
    "picture_of",
    "picture_type",
    "renderer",
    "shown_payloads",
    "stage_values",
    "static_picture",
    "stay",
    "take_emit",
    "with_statics",
]
