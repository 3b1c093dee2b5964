"""The options of the magics and of `%config`: declared, read from a line, and what they mean."""

from nbagents.notebook.options.agent_table import AGENT_HELP, AGENT_OPTIONS, WITH_FORK
from nbagents.notebook.options.config import NbAgents, checked_config
from nbagents.notebook.options.cursor import Line, magic_line, spot_of
from nbagents.notebook.options.expression import evaluated
from nbagents.notebook.options.function_options import CellOptions, read_cell_options
from nbagents.notebook.options.nbagents_table import (
    COMMANDS,
    NBAGENTS_HELP,
    NBAGENTS_OPTIONS,
    REVOKE,
    RUNS_OPTIONS,
    STATUSES,
)
from nbagents.notebook.options.option import (
    MissingNameError,
    Option,
    OptionError,
    Takes,
    given,
    misuse,
    said,
)
from nbagents.notebook.options.option_line import Pasted, paste_values, pieces, split_options
from nbagents.notebook.options.option_values import (
    is_variable,
    out_names,
    select,
    shared,
    taken,
    tools_of,
    variable,
    words,
)
from nbagents.notebook.options.python_source import call_source, source_of, text_source
from nbagents.notebook.options.tool_table import LINE_OPTIONS, REPLACE, TOOL_HELP, TOOL_OPTIONS

__all__ = [
    "AGENT_HELP",
    "AGENT_OPTIONS",
    "COMMANDS",
    "LINE_OPTIONS",
    "NBAGENTS_HELP",
    "NBAGENTS_OPTIONS",
    "REPLACE",
    "REVOKE",
    "RUNS_OPTIONS",
    "STATUSES",
    "TOOL_HELP",
    "TOOL_OPTIONS",
    "WITH_FORK",
    "CellOptions",
    "Line",
    "MissingNameError",
    "NbAgents",
    "Option",
    "OptionError",
    "Pasted",
    "Takes",
    "call_source",
    "checked_config",
    "evaluated",
    "given",
    "is_variable",
    "magic_line",
    "misuse",
    "out_names",
    "paste_values",
    "pieces",
    "read_cell_options",
    "said",
    "select",
    "shared",
    "source_of",
    "split_options",
    "spot_of",
    "taken",
    "text_source",
    "tools_of",
    "variable",
    "words",
]
