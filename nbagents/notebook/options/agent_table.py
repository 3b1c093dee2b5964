"""Every option of `%agent`, declared once; see `Option` for who reads it here."""

from __future__ import annotations

from dataclasses import replace

from nbagents.notebook.options import option_values as agent_options
from nbagents.notebook.options.option import (
    AMOUNT,
    FLAG,
    SECONDS,
    TEXT,
    Default,
    Option,
    describe,
    one_of,
    whole,
)

HELP = Option(short="-h", long="--help", help="show this")
MODEL = replace(TEXT, allowed="text: the id of a model, or 'offline'")
APPROVAL = one_of("risky", "ask", "auto", "never")
AWAIT = one_of("ask", "deny", "suspend")
RECORD = one_of("replay", "extend", "refresh", "live", "off")
DISPLAY = one_of("auto", "live", "static", "text", "none")
OPEN = one_of("errors", "all", "none", "data")
ASK = "What is the weather in Paris?"

WHO = (
    Option(
        short="-m",
        long="--model",
        value="MODEL",
        help="a model id, or offline",
        takes="model",
        kind=MODEL,
        field="model",
        default=Default("", "The model: an id, or 'offline'. Empty: NBAGENTS_MODEL, else by key."),
    ),
    Option(
        short="-t",
        long="--tools",
        value="NAMES",
        help="tools by name, glob or variable; all (the default), none; may be repeated",
        takes="tools",
        field="tools",
        reads=agent_options.tools_of,
        writes=agent_options.tools_written,
    ),
    Option(
        short="-a",
        long="--agent",
        value="VAR",
        help="run this agent of yours; other options change it for this run",
        takes="agent",
    ),
    Option(
        short="-s",
        long="--system",
        value="TEXT",
        help="what the model is told first: a text, or @VAR for the text of a variable",
        takes="system",
        field="instructions",
        reads=agent_options.system,
        writes=agent_options.system_written,
    ),
    Option(
        short="-k",
        long="--param",
        value="K=V",
        help="sent to the model with the request, the value as JSON or text; may be repeated",
        takes="setting",
        field="settings",
        reads=lambda words, _: agent_options.settings(words),
    ),
)
WITH = (
    Option(
        short="-c",
        long="--chat",
        value="NAME",
        help="go on with the conversation of this name; without it each run starts clean",
        takes="chat",
        argument="chat",
        reads=agent_options.chat_name,
    ),
    Option(
        short="-v",
        long="--vars",
        value="NAMES",
        help="let tools take these variables; the model is told what they are, not what is in"
        " them; may be repeated",
        takes="variables",
        argument="vars",
        reads=agent_options.shared,
        writes=agent_options.shared_written,
    ),
    Option(
        long="--attach",
        value="VAR",
        help="put an image, figure, file or bytes into the prompt, by variable or by path;"
        " may be repeated",
        takes="attachment",
        argument="attach",
        reads=agent_options.attached,
        writes=agent_options.attached_written,
    ),
)
PEOPLE = (
    Option(
        long="--approval",
        value="WHICH",
        help="which calls need your consent: risky ones, all (ask); auto allows and never refuses"
        " them without asking",
        kind=APPROVAL,
        field="approval",
        default=Default("risky", "Which calls need your consent."),
    ),
    Option(
        long="--on-await",
        value="WHAT",
        help="what is done where you must answer: ask you, deny, or suspend the run",
        kind=AWAIT,
        field="on_await",
        default=Default("ask", "What is done where you must answer."),
    ),
    Option(
        long="--step",
        help="wait before each request and each batch of calls: see what is sent, edit it, be the"
        " model",
        argument="step",
    ),
    Option(
        long="--resume",
        value="RUN",
        help="go on with a suspended run, by its id or the beginning of one; takes no prompt",
        takes="suspended",
    ),
)
BACK = (
    Option(
        long="--fork",
        value="RUN",
        help="go back in a run, by its id, the beginning of one, or its variable, and go on"
        " otherwise; a prompt is said there; --step N, which stands last, is a request;"
        " --step without a number steps through",
        takes="run",
    ),
    Option(
        long="--at",
        value="CALL",
        help="with --fork, the call: its number from 1, or its id",
    ),
    Option(
        long="--arguments",
        value="JSON",
        help="with --fork, make the call with these",
    ),
    Option(
        long="--result",
        value="JSON",
        help="with --fork, do not make the call: this is what it gave, as JSON, @VAR or text",
    ),
    Option(
        long="--again",
        value="NAMES",
        help="with --fork, make these kept calls again: all, or tools, ids or numbers",
    ),
)
RECORDED = (
    Option(
        long="--record",
        value="MODE",
        help="replay recorded answers; extend: ask where there is none, and write it down; refresh"
        " them all; live: ask, and write nothing; off",
        kind=RECORD,
        around="mode",
        default=Default(
            None, "What is done with a recording. None: it is replayed, where there is one."
        ),
    ),
    Option(
        long="--recording",
        value="WHERE",
        help="which recording: a path, an address or package:NAME; else the one beside the notebook"
        " or in it",
        takes="recording",
        around="path",
        default=Default(
            None,
            "Which recording: a path, an address or package:NAME. None: the one beside the"
            " notebook, or in it.",
        ),
    ),
    Option(
        long="--frozen-tools",
        help="replay what tools gave as well, and call none",
        kind=FLAG,
        around="frozen_tools",
        default=Default(False, "Whether a replay gives what tools gave, too, and calls none."),
    ),
    Option(
        long="--pace",
        value="N",
        bare="1",
        help="replay as fast as it was recorded, or N times as fast",
        kind=AMOUNT,
        around="pace",
        default=Default(
            None, "How many times as fast as it was recorded a replay is. None: at once."
        ),
    ),
)
ANSWER = (
    Option(
        short="-o",
        long="--out",
        value="VAR",
        help="put the run into this variable",
        takes="variable",
    ),
    Option(
        long="--as",
        value="TYPE",
        help="the answer's type, as you would annotate it; run.output has the value",
        takes="type",
        field="output",
        reads=lambda words, names: agent_options.answer_type(words[-1], names),
        writes=lambda words, _: words[-1],
    ),
)
LIMITS = (
    Option(
        short="-n",
        long="--max-steps",
        value="N",
        help="ask the model at most N times, then it must answer",
        kind=whole(1),
        field="max_steps",
        default=Default(10, "How often a model may be asked with tools."),
    ),
    Option(
        long="--max-calls",
        value="N",
        help="make at most N calls, then it must answer",
        kind=whole(0),
        field="max_calls",
        default=Default(None, "How many calls a run may make."),
    ),
    Option(
        long="--max-tokens",
        value="N",
        help="use about N tokens, in and out, then it must answer",
        kind=whole(1),
        field="max_tokens",
        default=Default(None, "How many tokens a run may use."),
    ),
    Option(
        long="--max-cost",
        value="N",
        help="spend at most N, by the prices in %config NbAgents.prices, then it must answer",
        kind=AMOUNT,
        field="max_cost",
        default=Default(None, "How much a run may cost, by `prices`."),
    ),
    Option(
        long="--timeout",
        value="S",
        help="take at most S seconds, then it must answer; waiting for you does not count",
        kind=SECONDS,
        field="timeout_s",
        default=Default(None, "How many seconds a run may take."),
    ),
)
SHOWN = (
    Option(
        short="-d",
        long="--display",
        value="MODE",
        help=f"how it is shown: {', '.join(DISPLAY.choices)}",
        kind=DISPLAY,
        default=Default("auto", "How runs are shown."),
    ),
    Option(
        long="--open",
        value="WHAT",
        help=f"what of its card is open: {', '.join(OPEN.choices)}",
        kind=OPEN,
        default=Default("errors", "What is open in a run's card."),
    ),
)
HOW = (
    Option(
        long="--label",
        value="K=V",
        help="put a label on its events, by which it can be found again; may be repeated",
        argument="labels",
        reads=lambda words, _: agent_options.labels(words),
    ),
    Option(
        short="-b",
        long="--background",
        help="return at once; run.wait() waits for it, run.stop() stops it",
    ),
    Option(
        long="--dry-run",
        help="show what would be sent, and send nothing; needs no key",
    ),
    Option(
        long="--show-python",
        help="show the Python that does the same, and do nothing",
    ),
    Option(
        long="--no-raise",
        help="return a run that failed instead of raising what it failed with",
    ),
    HELP,
)
WITH_FORK = tuple(one.name for one in BACK[1:])
"""What says something of a branch."""
AGENT_OPTIONS = (*WHO, *WITH, *PEOPLE, *BACK, *RECORDED, *ANSWER, *LIMITS, *SHOWN, *HOW)

AGENT_HELP = f"""Ask a model that may use your tools; returns the run.

    %agent [options] {ASK}
    run = %agent [options] {ASK}
    %agent --resume RUN         go on with a run that was suspended
    %agent --fork RUN --at N    go back to a call of a run, and go on otherwise
    %agent                      say which model would be asked, and what it may use

    %%agent [options]
    A longer prompt.

Options stand first; `--` ends them. The prompt is taken as it stands, but for {{{{expression}}}},
which pastes a value of yours.

{describe(AGENT_OPTIONS)}

In Python: nbagents.Agent(tools=["all"]).run("{ASK}")
"""
