"""Which agent `%agent` runs: the one that its options describe, or the person's own, changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nbagents.agents import Agent, ToolLike
from nbagents.errors import ToolNotFoundError
from nbagents.notebook import agent_options
from nbagents.notebook.amounts import amount, count, seconds
from nbagents.notebook.prompt import OptionError
from nbagents.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.notebook.config import NbAgents
    from nbagents.tools.tool import Tool

__all__ = [
    "agent_of",
    "configured",
    "limits",
    "own_agent",
    "people",
    "prices_for",
    "select",
    "tools_of",
]

SETTINGS = (
    "max_steps",
    "max_calls",
    "max_tokens",
    "timeout",
    "max_cost",
    "approval",
    "on_await",
    "prices",
)
"""Fields of an agent that can be set."""
PRICELESS = (
    "A run with --max-cost needs to know what its model costs. %config NbAgents.prices ="
    " {'MODEL': {'input': 1.25, 'output': 10}} says what a million tokens cost."
)


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
    chosen = replace(agent, **_changes(options, names, agent, config))
    if chosen.max_cost is not None and not chosen.prices:
        raise OptionError(PRICELESS)
    return chosen


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
        for name in SETTINGS
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
    if "max-cost" in options:
        said["max_cost"] = amount("--max-cost", options["max-cost"][-1])
    return said


def people(options: Mapping[str, list[str]]) -> dict[str, Any]:
    """The fields of an agent that say when people are asked."""
    fields = {"approval": "approval", "on-await": "on_await"}
    return {field: options[name][-1] for name, field in fields.items() if name in options}


def prices_for(options: Mapping[str, list[str]], agent: Agent, config: NbAgents) -> dict[str, Any]:
    """The prices that an agent of the person's own lacks, where it may spend only so much."""
    prices = config.value("prices")
    return {"prices": prices} if "max-cost" in options and prices and not agent.prices else {}


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
    options: Mapping[str, list[str]], names: Mapping[str, Any], agent: Agent, config: NbAgents
) -> dict[str, Any]:
    """The fields of an agent that options set."""
    said: dict[str, Any] = {
        **limits(options),
        **people(options),
        **prices_for(options, agent, config),
    }
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
