"""Every option of the magics, declared once: parser, help and `docs/magics.md` read it here."""

from __future__ import annotations

from nbagents.notebook.config import MODES
from nbagents.notebook.prompt import Option, describe

__all__ = ["AGENT_HELP", "AGENT_OPTIONS", "TOOL_HELP", "TOOL_OPTIONS"]

HELP = Option(short="-h", long="--help", help="show this", example="-h")

AGENT_OPTIONS = (
    Option(
        short="-m",
        long="--model",
        value="MODEL",
        help="a model id, or offline",
        example="-m offline What is the weather in Paris?",
    ),
    Option(
        short="-t",
        long="--tools",
        value="NAMES",
        help="tools by name, glob or variable; all (the default), none; may be repeated",
        example="-t weather,map* What is the weather in Paris?",
    ),
    Option(
        short="-a",
        long="--agent",
        value="VAR",
        help="run this agent of yours; other options change it for this run",
        example="-a guide What is the weather in Paris?",
    ),
    Option(
        short="-s",
        long="--system",
        value="TEXT",
        help="what the model is told first",
        example='-s "Answer in one word." What is the weather in Paris?',
    ),
    Option(
        short="-v",
        long="--vars",
        value="NAMES",
        help="let tools take these variables; the model is told what they are, not what is in"
        " them; may be repeated",
        example="-v sales,prices How many rows does sales have?",
    ),
    Option(
        long="--attach",
        value="VAR",
        help="put an image, figure, file or bytes into the prompt, by variable or by path;"
        " may be repeated",
        example='--attach photo --attach "notes.txt" What is in the picture?',
    ),
    Option(
        long="--as",
        value="TYPE",
        help="the answer's type, as you would annotate it; run.output has the value",
        example="--as list[str] Which cities are in the list?",
    ),
    Option(
        short="-k",
        long="--param",
        value="K=V",
        help="sent to the model with the request, the value as JSON or text; may be repeated",
        example="-k temperature=0 -k seed=7 What is the weather in Paris?",
    ),
    Option(
        short="-n",
        long="--max-steps",
        value="N",
        help="ask the model at most N times",
        example="-n 3 What is the weather in Paris?",
    ),
    Option(
        short="-o",
        long="--out",
        value="VAR",
        help="put the run into this variable",
        example="-o run What is the weather in Paris?",
    ),
    Option(
        short="-d",
        long="--display",
        value="MODE",
        help=", ".join(MODES),
        example="-d text What is the weather in Paris?",
    ),
    Option(
        long="--dry-run",
        help="show what would be sent, and send nothing; needs no key",
        example="--dry-run What is the weather in Paris?",
    ),
    HELP,
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
    Option(
        short="-r",
        long="--replace",
        help="replace a tool that another cell defines",
        example="--replace",
    ),
    Option(
        long="--try",
        value="ARGS",
        help="call it once now, as `%tool NAME ARGS` does",
        example='--try "city=Paris days=3"',
    ),
    HELP,
)

AGENT_HELP = f"""Ask a model that may use your tools; returns the run.

    %agent [options] What is the weather in Paris?
    run = %agent [options] What is the weather in Paris?

    %%agent [options]
    A longer prompt.

Options stand first; `--` ends them. The prompt is taken as it stands, but for {{{{expression}}}},
which pastes a value of yours.

{describe(AGENT_OPTIONS)}

In Python: nbagents.Agent(tools=["all"]).run("What is the weather in Paris?")
"""

TOOL_HELP = f"""Turn the functions of a cell into tools; show and try them.

    %%tool [options]            the public functions below become tools
    %%tool [options] NAMES      only these of them
    %tool                       list the tools
    %tool NAME                  show one
    %tool NAME city=Paris       call it as the model would

Options belong to %%tool, and hold for each function of the cell. What @nbagents.tool says of a
function holds where no option says otherwise.

{describe(TOOL_OPTIONS)}

In Python: @nbagents.tool above a function
"""
