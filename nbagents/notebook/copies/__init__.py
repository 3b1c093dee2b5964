"""What one takes elsewhere of a run (Markdown, HTML, Python), and what pages ask about one."""

from nbagents.notebook.copies.cells import run_cells
from nbagents.notebook.copies.comparison_form import comparison_markup
from nbagents.notebook.copies.html_page import run_page, runs_page
from nbagents.notebook.copies.markdown_form import run_markdown
from nbagents.notebook.copies.questions import answer_about, answer_page
from nbagents.notebook.copies.run_source import run_source
from nbagents.notebook.copies.run_test import run_test

__all__ = [
    "answer_about",
    "answer_page",
    "comparison_markup",
    "run_cells",
    "run_markdown",
    "run_page",
    "run_source",
    "run_test",
    "runs_page",
]
