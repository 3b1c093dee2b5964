"""`%agent`, `%%agent`, `%tool`, `%%tool`, `%nbagents`: each is a parser and one call.

What a magic calls is imported when it is first used: loading the extension stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.core.magic import (
    Magics,
    line_cell_magic,
    line_magic,
    magics_class,
    needs_local_scope,
    no_var_expand,
)

from nbagents.notebook.kernel import say
from nbagents.notebook.options import (
    AGENT_HELP,
    AGENT_OPTIONS,
    LINE_OPTIONS,
    NBAGENTS_HELP,
    NBAGENTS_OPTIONS,
    TOOL_HELP,
    TOOL_OPTIONS,
    OptionError,
    misuse,
    split_options,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.live import Workplace
    from nbagents.runs.plan import BranchPreview, Preview
    from nbagents.runs.state import Run


@magics_class
class AgentMagics(Magics):
    """The magics of nbagents.

    Args:
        place: Where they work.
    """

    def __init__(self, place: Workplace) -> None:
        shell: Any = place.shell  # traitlets checks it
        super().__init__(shell)
        self._place = place

    @no_var_expand
    @needs_local_scope
    @line_cell_magic
    def agent(
        self, line: str, cell: str | None = None, local_ns: Mapping[str, Any] | None = None
    ) -> Run | Preview | BranchPreview | None:
        """Replaced by AGENT_HELP below, which is made from the options."""
        __tracebackhide__ = True
        with misuse():
            options, rest = split_options(line, AGENT_OPTIONS)
        if "help" in options:
            return say(AGENT_HELP)
        from nbagents.notebook.magics.agent_magic import run_agent

        names = {**self._place.names, **(local_ns or {})}
        return run_agent(self._place, options, rest, cell, names)

    @no_var_expand
    @line_cell_magic
    def tool(self, line: str, cell: str | None = None) -> Run | None:
        """Replaced by TOOL_HELP below, which is made from the options."""
        __tracebackhide__ = True
        with misuse():
            options, rest = _tool_options(line, is_cell=cell is not None)
        if "help" in options:
            return say(TOOL_HELP)
        from nbagents.notebook.magics.tool import define_cell, use_line

        if cell is None:
            return use_line(self._place, options, rest)
        return define_cell(self._place, options, rest, f"%%tool {line}".rstrip(), cell)

    @no_var_expand
    @line_magic
    def nbagents(self, line: str) -> None:
        """Replaced by NBAGENTS_HELP below, which is made from the commands."""
        __tracebackhide__ = True
        with misuse():
            options, rest = split_options(line, NBAGENTS_OPTIONS, before_prompt=False)
        if "help" in options:
            return say(NBAGENTS_HELP)
        from nbagents.notebook.reports import look_after

        return look_after(self._place, rest)


def _tool_options(line: str, *, is_cell: bool) -> tuple[dict[str, list[str]], str]:
    """The options of one of the two forms; those of the other are known, and said to be that."""
    own, other = (TOOL_OPTIONS, LINE_OPTIONS) if is_cell else (LINE_OPTIONS, TOOL_OPTIONS)
    names = [option.name for option in own]
    alien = [option for option in other if option.name not in names]
    options, rest = split_options(line, own, others=alien, before_prompt=False)
    for option in alien:
        if option.name in options:
            where = "%tool, on a line of its own" if is_cell else "%%tool, above a cell"
            raise OptionError(f"{option.long} belongs to {where}.")
    return options, rest


AgentMagics.agent.__doc__ = AGENT_HELP
AgentMagics.tool.__doc__ = TOOL_HELP
AgentMagics.nbagents.__doc__ = NBAGENTS_HELP
