"""Python values as a model reads them and as a person sees them: text, JSON, pictures, tables."""

from nbagents.tools.values.amounts import KILO, counted, size
from nbagents.tools.values.chart import chart_of, chart_rows, chart_sentence
from nbagents.tools.values.column_format import NUMERIC, with_formats
from nbagents.tools.values.exact_number import for_page, from_page
from nbagents.tools.values.foreign_object import figure_of, is_chart, is_file, kind_of
from nbagents.tools.values.handles import Handles, is_numbered
from nbagents.tools.values.object_payload import (
    is_displayable,
    part_of,
    payload_of_bundle,
    rich_payload,
)
from nbagents.tools.values.payload import (
    BUILT_IN_KINDS,
    PAYLOAD_MIME,
    BuiltInKind,
    bounded,
    payload_of,
    payload_text,
)
from nbagents.tools.values.picture import picture_of
from nbagents.tools.values.plain_value import (
    MAX_ITEMS,
    clean_text,
    form_of,
    has_form,
    is_sequence,
    json_bytes,
    json_of,
    taken,
    text_of,
    without_addresses,
)
from nbagents.tools.values.summaries import summary, with_article
from nbagents.tools.values.tables import (
    AS_IT_IS,
    Arrangement,
    Block,
    FramePages,
    first_page,
    is_arrow,
    is_rows,
    kept_frame,
    source_of,
)

__all__ = [
    "AS_IT_IS",
    "BUILT_IN_KINDS",
    "KILO",
    "MAX_ITEMS",
    "NUMERIC",
    "PAYLOAD_MIME",
    "Arrangement",
    "Block",
    "BuiltInKind",
    "FramePages",
    "Handles",
    "bounded",
    "chart_of",
    "chart_rows",
    "chart_sentence",
    "clean_text",
    "counted",
    "figure_of",
    "first_page",
    "for_page",
    "form_of",
    "from_page",
    "has_form",
    "is_arrow",
    "is_chart",
    "is_displayable",
    "is_file",
    "is_numbered",
    "is_rows",
    "is_sequence",
    "json_bytes",
    "json_of",
    "kept_frame",
    "kind_of",
    "part_of",
    "payload_of",
    "payload_of_bundle",
    "payload_text",
    "picture_of",
    "rich_payload",
    "size",
    "source_of",
    "summary",
    "taken",
    "text_of",
    "with_article",
    "with_formats",
    "without_addresses",
]
