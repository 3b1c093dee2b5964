"""A run while it lives: its display, the screens that show it, and where a magic works."""

from nbagents.notebook.live.display import Mode, NotebookHost
from nbagents.notebook.live.workplace import Workplace

__all__ = ["Mode", "NotebookHost", "Workplace"]
