"""What `%nbagents` can be asked, declared once, as the options of the other magics are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from nbagents.events import RunStatus
from nbagents.notebook.options.agent_table import HELP
from nbagents.notebook.options.option import AMOUNT, Option, Takes, describe, one_of

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing that `%nbagents` does."""

    name: str
    value: str = ""
    """What may stand after it, as help says it."""
    help: str
    takes: Takes | None = None
    options: Sequence[Option] = ()
    """What else its line may have."""


STATUSES: Sequence[str] = [
    "done",
    *(one for one in get_args(RunStatus) if one != "completed"),
    "skipped",
]
"""How a run may have come out, as one writes it; `skipped`: all of its calls were."""
RUNS_OPTIONS = (
    Option(
        long="--all",
        help="those of earlier kernels, too",
        field="is_all",
    ),
    Option(
        long="--tool",
        value="NAME",
        help="those that called this tool, by name or glob",
        field="tool",
        takes="tool",
    ),
    Option(
        long="--status",
        value="STATUS",
        help="those that came out so: done, failed, limit, suspended, …",
        field="status",
        kind=one_of(*STATUSES),
    ),
    Option(
        long="--words",
        value="TEXT",
        help="those whose prompt has all these words",
        field="words",
    ),
    Option(
        long="--cost",
        value="N",
        help="those that cost N or more, by the prices that held then",
        field="cost",
        kind=AMOUNT,
    ),
)


COMMANDS = (
    Command(
        name="status",
        help="model, tools, chats, consents, what runs in the background and waits for you, live",
    ),
    Command(
        name="doctor",
        help="what works here and what does not, and what to do about it; sends nothing",
    ),
    Command(
        name="config",
        help="all settings, and what set them",
    ),
    Command(
        name="runs",
        value="[N] [OPTIONS]",
        help="the newest N runs (20) to look through, each with its card to open",
        options=RUNS_OPTIONS,
    ),
    Command(
        name="show",
        value="RUN",
        help="the card of a run, by its id or the beginning of one; says which tools have changed",
        takes="run",
    ),
    Command(
        name="usage",
        help="tokens by model, with costs where %config NbAgents.prices says what they cost",
    ),
    Command(
        name="approvals",
        value="[--revoke TOOL]",
        help="the tools that you said are not to be asked about any more; ask again about one",
    ),
    Command(
        name="reset",
        value="[CHAT]",
        help="forget a chat, or all of them",
        takes="chat",
    ),
)
REVOKE = "--revoke"
NBAGENTS_OPTIONS = (HELP,)


def _described() -> str:
    heads = [f"%nbagents {one.name} {one.value}".rstrip() for one in COMMANDS]
    width = max(map(len, heads))
    rows = [("%nbagents", "the same as status")]
    rows += [(head, one.help) for head, one in zip(heads, COMMANDS, strict=True)]
    listed = [f"    {head:<{width}}  {said}" for head, said in rows]
    return "\n".join([*listed, "", "Options of %nbagents runs:", "", describe(RUNS_OPTIONS)])


NBAGENTS_HELP = f"""Look after nbagents in this notebook.

{_described()}

{describe(NBAGENTS_OPTIONS)}
"""
