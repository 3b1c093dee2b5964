"""`%agent --fork RUN … --show-python`: the Python that forks the run so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.magics.fork_options import without_changes
from nbagents.notebook.magics.python_form import agent_source, under_recording
from nbagents.notebook.options import (
    AGENT_OPTIONS,
    call_source,
    given,
    is_variable,
    source_of,
    text_source,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.magics.fork_options import ForkLine
    from nbagents.notebook.options import NbAgents


def fork_twin(
    line: ForkLine,
    options: Mapping[str, list[str]],
    names: Mapping[str, Any],
    config: NbAgents,
    recorded: Mapping[str, object],
) -> str:
    """The Python twin of a line that was found right; `recorded`: see `python_twin`."""
    word = options["fork"][-1]
    written = {
        getattr(one, where): one.writes(words, names)
        for one, words in given(AGENT_OPTIONS, options)
        for where in ("field", "argument")
        if one.writes and getattr(one, where)
    }
    if (said := options.get("result", [""])[-1]).startswith("@"):
        written["result"] = said[1:]
    named = {name: written.get(name) or source_of(one) for name, one in line.options.items()}
    if "agent" in options:
        named = {"agent": options["agent"][-1], **named}
    is_named = is_variable(word, names)
    if is_named or line.is_here:
        run = word if is_named else f"nbagents.Run.load({text_source(word)})"
        call = call_source(f"{run}.fork", named)
    else:
        agent = agent_source(without_changes(options), names, config)
        named.pop("agent", None)
        call = call_source(f"{agent}.fork", named, text_source(word))
    out = "".join(f"{name} = " for name in options.get("out", []))
    code = under_recording(f"{out}{call}", recorded)
    imports = "import nbagents\n\n" if "nbagents." in code else ""
    return f"{imports}{code}"
