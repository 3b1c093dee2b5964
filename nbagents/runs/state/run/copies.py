"""A run as it is taken elsewhere: as text, as a page, as Python."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from nbagents.runs.state.run.member import Member

COPIED_BY: Final = "nbagents.notebook.copies"
"""The room that writes runs for elsewhere: it knows notebooks, so it is found by its name."""


class Copied(Member):
    """A run, as far as it can be taken elsewhere."""

    def to_markdown(self) -> str:
        """The run as Markdown: what was asked, each call with what came of it, and the answer."""
        return _copies().run_markdown(self.tree(), self.id)

    def to_html(self) -> str:
        """The run as one HTML file, as the saved notebook shows it: no script, no request.

        Example:
            ```python
            Path("run.html").write_text(run.to_html(), encoding="utf-8")
            ```
        """
        return _copies().run_page(self.tree(), self.id)

    def to_python(self) -> str:
        """Python that asks the same again: `nbagents.Agent(…).run(…)`.

        Tools stand in it by their names, as the toolbox has them; an output type, checks and other
        objects, which no log tells, are left out.
        """
        return _copies().run_source(self.tree(), self.id)

    def to_cells(self) -> list[str]:
        """The calls as cells of plain Python, in order, with those of the runs inside it.

        Run in order in a notebook that has the tools, they give what the calls gave. What is
        missing there, and what cannot be called again, stands in comments. The list shows itself
        as code; `cells.put_below()` puts it below the cell that runs, as one cell.
        """
        return _copies().run_cells(self.tree(), self.id)

    def to_test(self) -> str:
        """A test for pytest, as source: a model that says what was said, and what came of it.

        It passes as long as the tools give what they gave. A tool that no name leads to stands in
        it as its definition, else as what it gave, and a comment says so.

        Raises:
            RunError: It did not come to its end, or was given objects that no test can make.
        """
        return _copies().run_test(self.state, self.id)


def _copies() -> Any:  # Any: a module that stands above this room
    return import_module(COPIED_BY)
