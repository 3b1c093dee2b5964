"""What `%tool` and `%%tool` do: cells, documents, searches, and calls by hand."""

from nbagents.notebook.magics.tool.magic import define_cell, use_line

__all__ = ["define_cell", "use_line"]
