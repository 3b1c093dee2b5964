"""Going back: branches of runs, which keep what came before a place and go on otherwise."""

from nbagents.agents.forking.branch_preview import previewed_fork
from nbagents.agents.forking.forking import begin_forked

__all__ = ["begin_forked", "previewed_fork"]
