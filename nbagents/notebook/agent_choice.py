"""Which agent `%agent` runs: the one that its options describe, or the person's own, changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nbagents.agents import Agent, ToolLike
from nbagents.errors import ToolNotFoundError
from nbagents.notebook import agent_options
from nbagents.notebook.amounts import count, seconds
from nbagents.notebook.prompt import OptionError
from nbagents.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.notebook.config import NbAgents
    from nbagents.tools.tool import Tool

__all__ = ["agent_of", "configured", "limits", "own_agent", "select", "tools_of"]

LIMITS = ("max_steps", "max_calls", "max_tokens", "timeout")


def agent_of(options: Mapping[str, list[str]], names: Mapping[str, Any], config: NbAgents) -> Agent:
    """The agent to run.

    Args:
        options: The options, by long name.
        names: The person's variables.
        config: What holds where no option says otherwise; of an agent of the person's, nothing.

    Raises:
        OptionError: An option's value is none.
        MissingNameError: A name is not defined.
    """
    own = own_agent(options, names)
    agent = Agent(tools=tools_of(["all"], names), **configured(config)) if own is None else own
    return replace(agent, **_changes(options, names, agent))


def own_agent(options: Mapping[str, list[str]], names: Mapping[str, Any]) -> Agent | None:
    """The agent that `-a` names."""
    if "agent" not in options:
        return None
    found = agent_options.variable("--agent", options["agent"][-1], names)
    if not isinstance(found, Agent):
        raise OptionError(f"--agent wants an Agent, not {type(found).__name__}.")
    return found


def configured(config: NbAgents) -> dict[str, Any]:
    """The fields of an agent that the settings say; what NBAGENTS_MODEL says it finds itself."""
    said: dict[str, Any] = {
        _field(name): config.value(name)
        for name in LIMITS
        if config.setting(name).source != "default"
    }
    model = config.setting("model")
    return {"model": model.value, **said} if model.source == "%config" else said


def limits(options: Mapping[str, list[str]]) -> dict[str, Any]:
    """The fields of an agent that options limit."""
    said: dict[str, Any] = {}
    for name, least in {"max-steps": 1, "max-calls": 0, "max-tokens": 1}.items():
        if name in options:
            said[name.replace("-", "_")] = count(f"--{name}", options[name][-1], least=least)
    if "timeout" in options:
        said["timeout_s"] = seconds("--timeout", options["timeout"][-1])
    return said


def tools_of(specs: Sequence[str], names: Mapping[str, Any]) -> tuple[ToolLike, ...]:
    """The tools that `-t` means: of the toolbox, else variables.

    Raises:
        OptionError: A word means no tool; says which come close.
    """
    found: list[ToolLike] = []
    for spec in agent_options.words(specs):
        if is_variable(spec, names):
            found.append(names[spec])
        else:
            found += select(spec)
    return tuple({id(tool): tool for tool in found}.values())


def is_variable(spec: str, names: Mapping[str, Any]) -> bool:
    """Whether a word of `-t` means a variable and not something of the toolbox."""
    return spec not in toolbox and names.get(spec) is not None


def select(spec: str) -> tuple[Tool, ...]:
    """Tools of the toolbox.

    Raises:
        OptionError: There are none; says which come close.
    """
    try:
        return toolbox.select([spec])
    except ToolNotFoundError as error:
        raise OptionError(str(error)) from None


def _changes(
    options: Mapping[str, list[str]], names: Mapping[str, Any], agent: Agent
) -> dict[str, Any]:
    """The fields of an agent that options set."""
    said: dict[str, Any] = limits(options)
    if "system" in options:
        said["instructions"] = agent_options.system(options["system"][-1], names)
    if "model" in options:
        said["model"] = options["model"][-1]
    if "tools" in options:
        said["tools"] = tools_of(options["tools"], names)
    if "as" in options:
        said["output"] = agent_options.answer_type(options["as"][-1], names)
    if "param" in options:
        said["settings"] = {**agent.settings, **agent_options.settings(options["param"])}
    return said


def _field(name: str) -> str:
    return "timeout_s" if name == "timeout" else name
