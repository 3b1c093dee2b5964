"""Safe markup: every text is escaped as it joins; Markdown, reports, and texts cut to size."""

from nbagents.notebook.markup.long_arguments import (
    FOR_PAGE,
    WHOLE_ARGUMENTS,
    shortened,
    whole_arguments,
)
from nbagents.notebook.markup.markup import (
    LINE,
    UNSTORABLE,
    Html,
    fold,
    join,
    muted,
    pre,
    table,
    tag,
    unstyled,
)
from nbagents.notebook.markup.report import BOX, CODE, PLAIN, Report, aligned, report_bundle
from nbagents.notebook.markup.safe_markdown import markdown
from nbagents.notebook.markup.text_cuts import (
    NOTE_BYTES,
    cut_text,
    head_of,
    json_bytes,
    left_out,
    level_of,
    written_bytes,
)

__all__ = [
    "BOX",
    "CODE",
    "FOR_PAGE",
    "LINE",
    "NOTE_BYTES",
    "PLAIN",
    "UNSTORABLE",
    "WHOLE_ARGUMENTS",
    "Html",
    "Report",
    "aligned",
    "cut_text",
    "fold",
    "head_of",
    "join",
    "json_bytes",
    "left_out",
    "level_of",
    "markdown",
    "muted",
    "pre",
    "report_bundle",
    "shortened",
    "table",
    "tag",
    "unstyled",
    "whole_arguments",
    "written_bytes",
]
