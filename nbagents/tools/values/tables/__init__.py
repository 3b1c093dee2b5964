"""A table of any library: sorted, filtered, selected and copied page by page, and as a payload."""

from nbagents.tools.values.tables.frame_pages import (
    AS_IT_IS,
    Arrangement,
    Block,
    FramePages,
    Selection,
)
from nbagents.tools.values.tables.kept_frames import (
    first_page,
    keep_frame,
    kept_frame,
    source_of,
    table_of,
)
from nbagents.tools.values.tables.library import is_arrow, is_rows

__all__ = [
    "AS_IT_IS",
    "Arrangement",
    "Block",
    "FramePages",
    "Selection",
    "first_page",
    "is_arrow",
    "is_rows",
    "keep_frame",
    "kept_frame",
    "source_of",
    "table_of",
]
