"""A run as Python that asks the same again: `nbagents.Agent(…).run(…)`."""

from __future__ import annotations

import re
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from nbagents.agents.specification import Specification
from nbagents.notebook.options import call_source, text_source
from nbagents.runs.plan import own_instructions
from nbagents.runs.wording import (
    call_in_python,
    child_runs,
    is_by_hand,
    is_name,
    literal,
    visible,
)
from nbagents.tools.tool import toolbox

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.runs.tree import CallNode, HandoffItem, RunNode, Tree

UNNAMED: Final = ("scripted",)
"""Models that no name stands for: they are objects of somebody's own."""
ALWAYS: Final = ("tools", "model")
HANDOFF: Final = "transfer_to_"


def run_source(tree: Tree, run_id: str) -> str:
    """What the tree knows of a run, as Python: tools by their names, as the toolbox has them.

    Agents that were called or took over are defined first, as far as the run tells of them; what
    is not here is said. What no tree tells (an output type, checks) is left out.
    """
    run = tree["runs"][run_id]
    if is_by_hand(run):
        return "\n".join(["import nbagents", "", *map(_by_hand, run["calls"].values())])
    writer = AgentWriter(tree)
    agent = writer.agent(run)
    chat = {"chat": text_source(run["chat"])} if run["chat"] else {}
    asked = call_source(".run", chat, text_source(run["prompt"]))
    remarks = [
        *(["# model: an object of your own"] if writer.has_own_model else []),
        *(f"# shared with it: {visible(one)}" for one in run["shared"]),
        *writer.missing,
    ]
    head = ["import nbagents", *writer.imports, ""]
    return "\n".join([*head, *remarks, *writer.others.values(), f"run = {agent}{asked}"])


class AgentWriter:
    """Writes agents as Python, and those first that they call or hand over to.

    Args:
        tree: Runs by id.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.imports: dict[str, None] = {}
        self.others: dict[str, str] = {}
        """The definitions of other agents, by their variables."""
        self.missing: dict[str, None] = {}
        """What must be defined first, a comment each."""
        self.has_own_model = False

    def agent(self, run: RunNode) -> str:
        """The agent of a run."""
        known = agent_fields(run)
        self.has_own_model = self.has_own_model or run["model"] in UNNAMED
        taken_over = [one for one in run["items"] if one["type"] == "handoff"]
        names = [one for one in run["tools"] if not _is_handoff(one)]
        given = {name: _written(value) for name, value in known.items()}
        given["tools"] = f"[{', '.join(self._tool(run, name) for name in names)}]"
        handoffs = [self._taking_over(run, one) for one in taken_over]
        for name in filter(_is_handoff, run["tools"]):
            if name.removeprefix(HANDOFF) not in map(
                _variable, (one["to_agent"] for one in taken_over)
            ):
                self._miss(
                    f"{name}: nothing was handed over by it; give its agent by handoffs=[…]."
                )
        if handoffs:
            given["handoffs"] = f"[{', '.join(dict.fromkeys(handoffs))}]"
        return call_source("nbagents.Agent", given)

    def _tool(self, run: RunNode, name: str) -> str:
        """A tool: by its name, where the toolbox has it, else as what it is."""
        calls = [one for one in run["calls"].values() if one["name"] == name]
        for child in (child for one in calls for child in child_runs(self._tree, one)):
            return self._as_tool(run, name, child)
        everywhere = (one for each in self._tree["runs"].values() for one in each["calls"].values())
        calls = [one for one in everywhere if one["name"] == name]
        known = toolbox.get(name)
        versions = {one["source_hash"] for one in calls} - {None}
        if known is not None and versions <= {known.source_hash}:
            return text_source(name)
        for call in calls:
            taken: Mapping[str, Any] = call.get("taken") or {}
            own = str(taken.get("called") or name).removeprefix("await ")
            line = next(
                (one for one in taken.get("imports", ()) if one.endswith(f" import {own}")), ""
            )
            if line:
                self.imports[line] = None
            if line or (is_name(own) and own in vars(sys.modules["__main__"])):
                return own
        if known is None:
            self._miss(f"{name}: no tool of this name is in the toolbox here; define it first.")
        else:
            self._miss(
                f"{name}: the toolbox has another version of it than the one that was called."
            )
        return text_source(name)

    def _as_tool(self, run: RunNode, name: str, child: RunNode) -> str:
        """An agent as a tool, by the agent of the run that it has started."""
        variable = self._other(child["agent_name"], lambda: self.agent(child))
        said = (one for request in run["requests"] for one in request["schemas"] or ())
        description = next((one["description"] for one in said if one["name"] == name), "")
        return f"{variable}.as_tool({text_source(name)}, {text_source(description)})"

    def _taking_over(self, run: RunNode, item: HandoffItem) -> str:
        """The agent that took over, as far as what its model was told first says who it is."""
        return self._other(item["to_agent"], lambda: self._heir(run, item))

    def _heir(self, run: RunNode, item: HandoffItem) -> str:
        later = (one for one in run["requests"] if one["step"] > item["step"])
        request = next(later, None)
        given = {"name": text_source(item["to_agent"])}
        if request is None:
            self._miss(f"{item['to_agent']}: its model was not asked yet; give its tools.")
            return call_source("nbagents.Agent", given)
        told = (one["text"] for one in request["messages"] if one["role"] == "system")
        if instructions := own_instructions(next(told, ""), item["to_agent"]):
            given["instructions"] = text_source(instructions)
        names = [one["name"] for one in request["schemas"] or ()]
        tools = [self._tool(run, one) for one in names if not _is_handoff(one)]
        given["tools"] = f"[{', '.join(tools)}]"
        if item["model"] in UNNAMED:
            self.has_own_model = True
        elif item["model"]:
            given["model"] = text_source(item["model"])
        return call_source("nbagents.Agent", given)

    def _other(self, name: str, made: Callable[[], str]) -> str:
        variable = _variable(name)
        if variable not in self.others:
            self.others[variable] = ""  # it may hand over to itself
            source = made()
            del self.others[variable]
            self.others[variable] = f"{variable} = {source}"
        return variable

    def _miss(self, said: str) -> None:
        self.missing[f"# {visible(said)}"] = None


def _written(value: object) -> str:
    return text_source(value) if isinstance(value, str) else literal(value)


def _is_handoff(name: str) -> bool:
    return name.startswith(HANDOFF) and name not in toolbox


def _variable(name: str) -> str:
    written = re.sub(r"\W", "_", name)
    return written if is_name(written) else f"agent_{written}"


def _by_hand(call: CallNode) -> str:
    """A call of a person's own: of the toolbox's tool, whatever stands for it in their notebook."""
    name, defaults, objects = call["name"], call.get("defaults", ()), call.get("objects", {})
    taken = {**call.get("taken", {}), "called": f"nbagents.toolbox[{text_source(name)}]"}
    return call_in_python(name, call["arguments"], defaults, objects, taken)


def agent_fields(run: RunNode) -> dict[str, Any]:
    """The fields of the agent that differ from what holds by itself."""
    known: dict[str, Any] = {
        "name": run["agent_name"],
        "instructions": _instructions(run),
        "tools": list(run["tools"]),
        "model": None if run["model"] in UNNAMED else run["model"],
        **run["limits"],
        "approval": run["approval"],
    }
    usual = {one.name: one.default for one in fields(Specification)} | {"approval": "risky"}
    return {
        name: value
        for name, value in known.items()
        if name in usual and (value != usual[name] or (name in ALWAYS and value is not None))
    }


def _instructions(run: RunNode) -> str:
    """What the model was told first, as far as the run tells."""
    first = run["requests"][0]["messages"] if run["requests"] else []
    return next((one["text"] for one in first if one["role"] == "system"), "")
