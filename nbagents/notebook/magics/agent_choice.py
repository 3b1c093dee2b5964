"""Which agent `%agent` runs: the one that its options describe, or the person's own, changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nbagents.agents import Agent
from nbagents.notebook.options import AGENT_OPTIONS, OptionError, said, tools_of, variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.options import NbAgents

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
    fields = said(AGENT_OPTIONS, options, "field", names)
    if "settings" in fields:
        fields["settings"] = {**agent.settings, **fields["settings"]}
    chosen = replace(agent, **fields, **prices_for(options, agent, config))
    if chosen.max_cost is not None and not chosen.prices:
        raise OptionError(PRICELESS)
    return chosen


def own_agent(options: Mapping[str, list[str]], names: Mapping[str, Any]) -> Agent | None:
    """The agent that `-a` names."""
    if "agent" not in options:
        return None
    found = variable("--agent", options["agent"][-1], names)
    if not isinstance(found, Agent):
        raise OptionError(f"--agent wants an Agent, not {type(found).__name__}.")
    return found


def configured(config: NbAgents) -> dict[str, Any]:
    """The fields of an agent that the settings say; what NBAGENTS_MODEL says it finds itself."""
    fields = {one.setting: one.field for one in AGENT_OPTIONS if one.default and one.field}
    fields["prices"] = "prices"
    return {
        field: one.value
        for name, field in fields.items()
        if (one := config.setting(name)).source != "default"
        and (name != "model" or one.source == "%config")
    }


def prices_for(options: Mapping[str, list[str]], agent: Agent, config: NbAgents) -> dict[str, Any]:
    """The prices that an agent of the person's own lacks, where it may spend only so much."""
    prices = config.value("prices")
    return {"prices": prices} if "max-cost" in options and prices and not agent.prices else {}
