"""`%agent --resume RUN`: what the run went on with, found again by what the log says of it."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from nbagents.agents import Agent
from nbagents.agents.resumption import shared_names
from nbagents.errors import NbagentsError
from nbagents.notebook.magics.agent_choice import own_agent
from nbagents.notebook.options import AGENT_OPTIONS, OptionError, is_variable, words
from nbagents.results import Limits
from nbagents.runs.logs import beginning_of, find_runs
from nbagents.tools.tool import Tool, Toolset, resolve_tools, toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.options import NbAgents
    from nbagents.runs.logs import Beginning
    from nbagents.runs.state import Session

LIMITS: Final = tuple(one for one in AGENT_OPTIONS if one.field in Limits.model_fields)
NAMELESS: Final = Agent().name
"""The name of the agent of a line that names none."""


def resume_options(
    options: Mapping[str, list[str]], names: Mapping[str, Any], session: Session, config: NbAgents
) -> Mapping[str, list[str]]:
    """The options that resume a run as it began, where they do not say otherwise.

    The agent is the variable that holds one of the run's name; without one, what `%agent` itself
    went on with: the run's tools, its limits and the offline model. Under either, consent is asked
    for as it was in the run, and objects are the variables of their names.

    Args:
        options: The options that were given.
        names: The person's variables.
        session: In whose log the run is looked for.
        config: What holds where no option says otherwise.

    Raises:
        OptionError: No agent, or several, have the name of the run's, or a tool of it is not here.
    """
    runs = find_runs(session.log, options["resume"][-1])
    began = beginning_of(session.log, runs[0]) if len(runs) == 1 else None
    if began is None:  # said where it is resumed
        return options
    found = {**options, **_agent(options, names, began)}
    if own_agent(found, names) is None:
        found |= _own(found, names, began, config)
    found |= {} if "approval" in options else _approval(found, names, began, config)
    alive = next((one for one in session.runs if one.id == began.run_id), None)
    given = set(words(options.get("vars", [])))
    wanted = (name for name in shared_names(began.shared) if name not in given)
    again = [one for one in wanted if one in names and (alive is None or one not in alive.handles)]
    return {**found, "vars": [*options.get("vars", []), *again]} if again else found


def _agent(
    options: Mapping[str, list[str]], names: Mapping[str, Any], began: Beginning
) -> Mapping[str, list[str]]:
    """`-a`, where a variable holds the agent that the run was of."""
    if "agent" in options:
        return {}
    agent_name = began.agent_name
    is_nameless = agent_name == NAMELESS  # which is also that of the one without a variable
    if is_nameless and "tools" in options:
        return {}
    found = {
        id(one): name
        for name, one in names.items()
        if isinstance(one, Agent) and one.name == agent_name and not name.startswith("_")
    }
    if not found and not is_nameless:
        raise OptionError(
            f"The run {began.run_id} is of the agent {agent_name!r}, and no variable here holds "
            "one of that name: run the cells that define it and its tools first."
        )
    if len(found) > 1 or (found and is_nameless):
        own = ", or -t all if it was %agent's own" if is_nameless else ""
        raise OptionError(
            f"Agents of the run's name, {agent_name!r}, are here: say which one goes on, "
            f"-a {' or -a '.join(found.values())}{own}."
        )
    return {"agent": list(found.values())} if found else {}


def _own(
    options: Mapping[str, list[str]], names: Mapping[str, Any], began: Beginning, config: NbAgents
) -> Mapping[str, list[str]]:
    """What `%agent` itself went on with: tools, limits, and the model that sends nothing."""
    said: dict[str, list[str]] = {}
    if "tools" not in options:
        said["tools"] = _tools(began, names)
    if "model" not in options and began.model == "offline" != config.value("model"):
        said["model"] = ["offline"]
    for one in LIMITS:
        limit = getattr(began.limits, one.field)
        if one.name not in options and limit not in (None, config.value(one.setting)):
            said[one.name] = [f"{limit:.12g}"]
    return said


def _approval(
    options: Mapping[str, list[str]], names: Mapping[str, Any], began: Beginning, config: NbAgents
) -> Mapping[str, list[str]]:
    """`--approval`, where the run asked for consent otherwise than its agent would."""
    own = own_agent(options, names)
    usual = config.value("approval") if own is None else own.approval or "risky"
    return {} if began.approval == usual else {"approval": [began.approval]}


def _tools(began: Beginning, names: Mapping[str, Any]) -> list[str]:
    """The words of `-t` that mean the tools that the run had."""
    found = {name: _word(name, names) for name in began.tools}
    if missing := [name for name, word in found.items() if word is None]:
        said = ", ".join(map(repr, missing))
        raise OptionError(
            f"Of the tools of the run {began.run_id} these are not here: {said}. Run the cells "
            "that define them first, or say what it goes on with, e.g. -t all. The run still waits."
        )
    return list(dict.fromkeys(word for word in found.values() if word)) or ["none"]


def _word(tool: str, names: Mapping[str, Any]) -> str | None:
    """What means a tool: its name in the toolbox, or a variable."""
    if tool in toolbox or is_variable(tool, names):
        return tool
    own = [(name, one) for name, one in names.items() if not name.startswith("_")]
    return next((name for name, one in own if _gives(one, tool)), None)


def _gives(one: object, tool: str) -> bool:
    """Whether a variable holds a tool of this name."""
    if isinstance(one, FunctionType):
        return one.__name__ == tool
    toolset = tool.partition("--")[0]
    is_group = isinstance(one, (Toolset, ModuleType)) or type(one).__name__.strip("_") == toolset
    if isinstance(one, type) or not (isinstance(one, (Tool, Agent)) or is_group):
        return False
    given: list[object] = [one]
    try:
        return any(found.name == tool for found in resolve_tools(given))
    except NbagentsError:  # it is no tool after all
        return False
