"""`%agent --fork RUN … --show-python`: the Python that forks the run so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.magics.fork_options import without_changes
from nbagents.notebook.magics.python_form import (
    agent_source,
    assigned,
    under_recording,
    with_imports,
    written_of,
)
from nbagents.notebook.options import call_source, is_variable, source_of, text_source

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
    written = {**written_of(options, "field", names), **written_of(options, "argument", names)}
    written.pop("step", None)  # which is a request here, and no step mode
    if (said := options.get("result", [""])[-1]).startswith("@"):
        written["result"] = said[1:]
    named = {name: written.get(name) or source_of(one) for name, one in line.options.items()}
    is_named, others = is_variable(word, names), without_changes(options)
    run = word if is_named else f"nbagents.Run.load({text_source(word)})"
    if "agent" in options:
        named = {"agent": agent_source(others, names, config), **named}
    elif line.is_here and (changed := written_of(others, "field", names)):
        named = {"agent": call_source("replace", changed, f"{run}.root.agent"), **named}
    if is_named or line.is_here:
        call = call_source(f"{run}.{_verb(options)}", named)
    else:
        agent = named.pop("agent", "") or agent_source(others, names, config)
        call = call_source(f"{agent}.{_verb(options)}", named, text_source(word))
    return with_imports(under_recording(assigned(call, options), recorded))


def _verb(options: Mapping[str, list[str]]) -> str:
    if "dry-run" in options:
        return "preview_fork"
    return "start_fork" if "background" in options else "fork"
