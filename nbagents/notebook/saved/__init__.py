"""What stays of a run in the saved notebook: JSON, HTML and text that need no kernel."""

from nbagents.notebook.saved.aftermath import answer_page, follow_resumed, with_resumed
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.notebook.saved.look import GREEN, GREY, RED
from nbagents.notebook.saved.rows import Opening
from nbagents.notebook.saved.text import text_tree
from nbagents.runs.files import RUN_MIME

__all__ = [
    "GREEN",
    "GREY",
    "RED",
    "RUN_MIME",
    "Opening",
    "answer_page",
    "follow_resumed",
    "frozen_bundle",
    "text_tree",
    "with_resumed",
]
