"""Every option of `%%tool` and of `%tool`, declared once, as those of `%agent` are."""

from __future__ import annotations

from nbagents.notebook.agent_help import HELP
from nbagents.notebook.prompt import Option, describe

__all__ = ["LINE_OPTIONS", "TOOL_HELP", "TOOL_OPTIONS"]

REPLACE = Option(
    short="-r",
    long="--replace",
    help="replace a tool that another cell defines",
    example="--replace",
)

TOOL_OPTIONS = (
    Option(
        short="-n",
        long="--name",
        value="NAME",
        help="the tool's name, where the cell makes one tool",
        example="-n forecast",
    ),
    Option(
        long="--toolset",
        value="NAME",
        help="the group, which becomes the prefix of the name",
        example="--toolset city",
        takes="toolset",
    ),
    Option(
        long="--title",
        value="TEXT",
        help="the name for people",
        example='--title "Looking up the weather"',
    ),
    Option(long="--ask", help="a person must confirm each call", example="--ask"),
    Option(long="--no-ask", help="no person need confirm a call", example="--no-ask"),
    Option(long="--read-only", help="it changes nothing", example="--read-only"),
    Option(long="--destructive", help="it may destroy something", example="--destructive"),
    Option(
        long="--idempotent",
        help="calling it twice is the same as calling it once",
        example="--idempotent",
    ),
    Option(
        long="--open-world",
        help="it reaches out to something that is not in this notebook",
        example="--open-world",
    ),
    Option(
        long="--resumable",
        help="a call that had begun may begin anew when its run is resumed",
        example="--resumable",
    ),
    Option(
        long="--command",
        help="its effect is what counts: the model need not read the answer",
        example="--command",
    ),
    Option(
        long="--timeout",
        value="S",
        help="the seconds that a call may take",
        example="--timeout 2.5",
    ),
    Option(
        long="--retries",
        value="N",
        help="how often in one run a failed call may be tried again",
        example="--retries 2",
    ),
    Option(
        long="--thread",
        help="run on a worker thread instead of the main thread; not for async def",
        example="--thread",
    ),
    Option(
        long="--private",
        help="left out of `all`: used only where it is named",
        example="--private",
    ),
    REPLACE,
    Option(
        long="--try",
        value="ARGS",
        help="call it once now, as `%tool NAME ARGS` does",
        example='--try "city=Paris days=3"',
    ),
    HELP,
)
"""Those of the cell magic."""

LINE_OPTIONS = (
    Option(
        long="--schema",
        value="NAME",
        help="show name, description and JSON Schema as the model gets them",
        example="--schema weather",
        takes="tool",
    ),
    Option(
        long="--add",
        value="EXPR",
        help="make tools of a function, a module, an object or a toolset of yours",
        example='--add "Counter()"',
        takes="object",
    ),
    Option(
        long="--from",
        value="SOURCE",
        help="make tools of a module, or of a .py file",
        example="--from tools.py",
        takes="source",
    ),
    Option(
        long="--rm",
        value="NAMES",
        help="take tools out, by name or glob; may be repeated",
        example="--rm weather,map*",
        takes="tool",
    ),
    REPLACE,
    HELP,
)
"""Those of the line magic."""

TOOL_HELP = f"""Turn the functions of a cell into tools; show and try them.

    %%tool [options]            the public functions below become tools
    %%tool [options] NAMES      only these of them
    %tool                       list the tools
    %tool NAME                  show one
    %tool NAME city=Paris       call it as the model would

Options of %%tool hold for each function of the cell. What @nbagents.tool says of a function holds
where no option says otherwise.

{describe(TOOL_OPTIONS)}

Options of %tool:

{describe(LINE_OPTIONS)}

In Python: @nbagents.tool above a function
"""
