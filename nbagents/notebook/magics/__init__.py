"""What `%agent` and `%tool` do, and what Tab offers in their lines."""

from nbagents.notebook.magics.completion import magic_matcher
from nbagents.notebook.magics.magics import AgentMagics

__all__ = ["AgentMagics", "magic_matcher"]
