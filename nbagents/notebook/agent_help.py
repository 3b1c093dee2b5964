"""Every option of `%agent`, declared once: parser, help, completion and the docs read it here."""

from __future__ import annotations

from nbagents.notebook.config import APPROVALS, AWAITS, MODES, OPENS
from nbagents.notebook.prompt import Option, describe

__all__ = ["AGENT_HELP", "AGENT_OPTIONS", "HELP"]

HELP = Option(short="-h", long="--help", help="show this", example="-h")
ASK = "What is the weather in Paris?"

WHO = (
    Option(
        short="-m",
        long="--model",
        value="MODEL",
        help="a model id, or offline",
        example=f"-m offline {ASK}",
        takes="model",
    ),
    Option(
        short="-t",
        long="--tools",
        value="NAMES",
        help="tools by name, glob or variable; all (the default), none; may be repeated",
        example=f"-t weather,map* {ASK}",
        takes="tools",
    ),
    Option(
        short="-a",
        long="--agent",
        value="VAR",
        help="run this agent of yours; other options change it for this run",
        example=f"-a guide {ASK}",
        takes="agent",
    ),
    Option(
        short="-s",
        long="--system",
        value="TEXT",
        help="what the model is told first: a text, or @VAR for the text of a variable",
        example=f'-s "Answer in one word." {ASK}',
        takes="system",
    ),
    Option(
        short="-k",
        long="--param",
        value="K=V",
        help="sent to the model with the request, the value as JSON or text; may be repeated",
        example=f"-k temperature=0 -k seed=7 {ASK}",
        takes="setting",
    ),
)
WITH = (
    Option(
        short="-c",
        long="--chat",
        value="NAME",
        help="go on with the conversation of this name; without it each run starts clean",
        example="-c trip And in Rome?",
        takes="chat",
    ),
    Option(
        short="-v",
        long="--vars",
        value="NAMES",
        help="let tools take these variables; the model is told what they are, not what is in"
        " them; may be repeated",
        example="-v sales,prices How many rows does sales have?",
        takes="variables",
    ),
    Option(
        long="--attach",
        value="VAR",
        help="put an image, figure, file or bytes into the prompt, by variable or by path;"
        " may be repeated",
        example='--attach photo --attach "notes.txt" What is in the picture?',
        takes="attachment",
    ),
)
PEOPLE = (
    Option(
        long="--approval",
        value="WHICH",
        help="which calls need your consent: risky ones, all (ask); auto allows and never refuses"
        " them without asking",
        example=f"--approval ask {ASK}",
        choices=APPROVALS,
    ),
    Option(
        long="--on-await",
        value="WHAT",
        help="what is done where you must answer: ask you, deny, or suspend the run",
        example=f"--on-await suspend {ASK}",
        choices=AWAITS,
    ),
    Option(
        long="--resume",
        value="RUN",
        help="go on with a suspended run, by its id or the beginning of one; takes no prompt",
        example="--resume run-1",
        takes="suspended",
    ),
)
ANSWER = (
    Option(
        short="-o",
        long="--out",
        value="VAR",
        help="put the run into this variable",
        example=f"-o run {ASK}",
        takes="variable",
    ),
    Option(
        long="--as",
        value="TYPE",
        help="the answer's type, as you would annotate it; run.output has the value",
        example="--as list[str] Which cities are in the list?",
        takes="type",
    ),
)
LIMITS = (
    Option(
        short="-n",
        long="--max-steps",
        value="N",
        help="ask the model at most N times, then it must answer",
        example=f"-n 3 {ASK}",
    ),
    Option(
        long="--max-calls",
        value="N",
        help="make at most N calls, then it must answer",
        example=f"--max-calls 5 {ASK}",
    ),
    Option(
        long="--max-tokens",
        value="N",
        help="use about N tokens, in and out, then it must answer",
        example=f"--max-tokens 20000 {ASK}",
    ),
    Option(
        long="--max-cost",
        value="N",
        help="spend at most N, by the prices in %config NbAgents.prices, then it must answer",
        example=f"--max-cost 0.5 {ASK}",
    ),
    Option(
        long="--timeout",
        value="S",
        help="take at most S seconds, then it must answer; waiting for you does not count",
        example=f"--timeout 30 {ASK}",
    ),
)
SHOWN = (
    Option(
        short="-d",
        long="--display",
        value="MODE",
        help=f"how it is shown: {', '.join(MODES)}",
        example=f"-d text {ASK}",
        choices=MODES,
    ),
    Option(
        long="--open",
        value="WHAT",
        help=f"what of its card is open: {', '.join(OPENS)}",
        example=f"--open all {ASK}",
        choices=OPENS,
    ),
)
HOW = (
    Option(
        long="--label",
        value="K=V",
        help="put a label on its events, by which it can be found again; may be repeated",
        example=f"--label topic=weather {ASK}",
    ),
    Option(
        short="-b",
        long="--background",
        help="return at once; run.wait() waits for it, run.stop() stops it",
        example=f"-b {ASK}",
    ),
    Option(
        long="--dry-run",
        help="show what would be sent, and send nothing; needs no key",
        example=f"--dry-run {ASK}",
    ),
    Option(
        long="--show-python",
        help="show the Python that does the same, and do nothing",
        example=f"--show-python {ASK}",
    ),
    Option(
        long="--no-raise",
        help="return a run that failed instead of raising what it failed with",
        example=f"--no-raise {ASK}",
    ),
    HELP,
)
AGENT_OPTIONS = (*WHO, *WITH, *PEOPLE, *ANSWER, *LIMITS, *SHOWN, *HOW)

AGENT_HELP = f"""Ask a model that may use your tools; returns the run.

    %agent [options] {ASK}
    run = %agent [options] {ASK}
    %agent --resume RUN         go on with a run that was suspended
    %agent                      say which model would be asked, and what it may use

    %%agent [options]
    A longer prompt.

Options stand first; `--` ends them. The prompt is taken as it stands, but for {{{{expression}}}},
which pastes a value of yours.

{describe(AGENT_OPTIONS)}

In Python: nbagents.Agent(tools=["all"]).run("{ASK}")
"""
