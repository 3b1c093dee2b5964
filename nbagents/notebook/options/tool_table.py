"""Every option of `%%tool` and of `%tool`, declared once, as those of `%agent` are."""

from __future__ import annotations

from nbagents.notebook.options.agent_table import HELP
from nbagents.notebook.options.option import SECONDS, Option, describe, whole

REPLACE = Option(
    short="-r",
    long="--replace",
    help="replace a tool that another cell defines",
    goes_with=("add", "from"),
)

TOOL_OPTIONS = (
    Option(
        short="-n",
        long="--name",
        value="NAME",
        help="the tool's name, where the cell makes one tool",
        field="name",
    ),
    Option(
        long="--toolset",
        value="NAME",
        help="the group, which becomes the prefix of the name",
        field="toolset",
        takes="toolset",
    ),
    Option(
        long="--title",
        value="TEXT",
        help="the name for people",
        field="title",
    ),
    Option(long="--ask", help="you must confirm each call", field="ask"),
    Option(
        long="--no-ask",
        help="you need not confirm a call",
        field="ask",
        means=False,
    ),
    Option(long="--read-only", help="it changes nothing", field="read_only"),
    Option(
        long="--destructive",
        help="it may destroy something",
        field="destructive",
    ),
    Option(
        long="--idempotent",
        help="calling it twice is the same as calling it once",
        field="idempotent",
    ),
    Option(
        long="--open-world",
        help="it reaches out to something that is not in this notebook",
        field="open_world",
    ),
    Option(
        long="--resumable",
        help="a call that had begun may begin anew when its run is resumed",
        field="resumable",
    ),
    Option(
        long="--command",
        help="its effect is what counts: the model need not read the answer",
        field="command",
    ),
    Option(
        long="--timeout",
        value="S",
        help="the seconds that a call may take",
        kind=SECONDS,
        field="timeout_s",
    ),
    Option(
        long="--retries",
        value="N",
        help="how often in one run a failed call may be tried again",
        kind=whole(0),
        field="retries",
    ),
    Option(
        long="--thread",
        help="run on a worker thread instead of the main thread; not for async def",
        field="thread",
    ),
    Option(
        long="--private",
        help="left out of `all`: used only where it is named",
        field="private",
    ),
    REPLACE,
    Option(
        long="--try",
        value="ARGS",
        help="call it once now, as `%tool NAME ARGS` does",
    ),
    HELP,
)
"""Those of the cell magic."""

LINE_OPTIONS = (
    Option(
        long="--search",
        value="WORDS",
        help="search the tools, and the catalogues among your variables",
    ),
    Option(
        long="--schema",
        value="NAME",
        help="show name, description and JSON Schema as the model gets them",
        takes="tool",
    ),
    Option(
        long="--lint",
        help="say what in tools may mislead a model; without names, in all of them",
    ),
    Option(
        long="--add",
        value="EXPR",
        help="make tools of a function, a module, an object or a toolset of yours",
        takes="object",
    ),
    Option(
        long="--from",
        value="SOURCE",
        help="make tools of a module, of a .py file, or of an OpenAPI document",
        takes="source",
    ),
    Option(
        long="--base-url",
        value="URL",
        help="with --from: where the server of an OpenAPI document is",
        goes_with=("from",),
    ),
    Option(
        long="--auth",
        value="SCHEME=VAR",
        help="with --from: the environment's variable with the credentials; may be repeated",
        goes_with=("from",),
    ),
    Option(
        long="--rm",
        value="NAMES",
        help="take tools out, by name or glob; may be repeated",
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
