"""What is wrong in a document, and where."""

from __future__ import annotations

from nbagents.errors import ToolDefinitionError


class DocumentError(ToolDefinitionError):
    """A document, or one operation of it, cannot be used as it stands.

    Args:
        where: The file, or the place in the document.
        what: What is wrong there, as a sentence without its full stop.
    """

    def __init__(self, where: str, what: str) -> None:
        self.where = where
        self.what = what
        super().__init__(f"{where}: {what}.")
