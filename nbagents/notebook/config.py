"""`%config NbAgents.…`: what a notebook sets once."""

from __future__ import annotations

from traitlets import Enum, Int, Unicode, validate
from traitlets.config import Configurable

__all__ = ["MODES", "NbAgents"]

MODES = ("auto", "live", "static", "text", "none")
"""How a run may be shown; `auto` chooses by who is watching."""

# The traits are read by the magics and written by the person, through %config or a config file.


class NbAgents(Configurable):
    """Defaults of `%agent`."""

    model = Unicode(
        "", help="The model: an id, or 'offline'. Empty: NBAGENTS_MODEL, else by key."
    ).tag(config=True)
    max_steps = Int(10, help="How often a model may be asked with tools.").tag(config=True)
    display = Enum(MODES, "auto", help="How runs are shown.").tag(config=True)

    @validate("max_steps")
    def _at_least_one(self, proposal: dict[str, int]) -> int:
        if proposal["value"] < 1:
            raise ValueError("NbAgents.max_steps must be at least 1.")
        return proposal["value"]
