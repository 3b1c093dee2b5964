"""Which notebook this kernel runs: the page says it, a variable, or whoever started the kernel."""

from nbagents.notebook.place.place import NotebookPlace, Whereabouts

__all__ = ["NotebookPlace", "Whereabouts"]
