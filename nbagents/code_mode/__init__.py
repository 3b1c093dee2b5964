"""APIs of a catalogue as async functions: for cells, for tools, for code that models write."""

from nbagents.code_mode.api_functions import Apis, apis
from nbagents.code_mode.python_tool import run_python

__all__ = ["Apis", "apis", "run_python"]
