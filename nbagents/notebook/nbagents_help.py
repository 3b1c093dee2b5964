"""What `%nbagents` can be asked, declared once, as the options of the other magics are."""

from __future__ import annotations

from dataclasses import dataclass

from nbagents.notebook.agent_help import HELP
from nbagents.notebook.prompt import Takes, describe

__all__ = ["ALL", "COMMANDS", "NBAGENTS_HELP", "NBAGENTS_OPTIONS", "REVOKE", "Command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing that `%nbagents` does."""

    name: str
    value: str = ""
    """What may stand after it, as help says it."""
    help: str
    example: str
    takes: Takes | None = None


COMMANDS = (
    Command(
        name="status",
        help="which model would be asked and why, the tools, the chats, the last run",
        example="status",
    ),
    Command(
        name="doctor",
        help="what works here and what does not, and what to do about it; sends nothing",
        example="doctor",
    ),
    Command(
        name="config",
        help="all settings, and what set them",
        example="config",
    ),
    Command(
        name="runs",
        value="[N] [--all]",
        help="the newest N runs (20) of this kernel, or of every one",
        example="runs 5 --all",
    ),
    Command(
        name="show",
        value="RUN",
        help="the card of a run, by its id or the beginning of one; says which tools have changed",
        example="show run-1",
        takes="run",
    ),
    Command(
        name="usage",
        help="tokens by model, with costs where %config NbAgents.prices says what they cost",
        example="usage",
    ),
    Command(
        name="approvals",
        value="[--revoke TOOL]",
        help="the tools that you said are not to be asked about any more; ask again about one",
        example="approvals",
    ),
    Command(
        name="reset",
        value="[CHAT]",
        help="forget a chat, or all of them",
        example="reset trip",
        takes="chat",
    ),
)
ALL = "--all"
REVOKE = "--revoke"
NBAGENTS_OPTIONS = (HELP,)


def _described() -> str:
    heads = [f"%nbagents {one.name} {one.value}".rstrip() for one in COMMANDS]
    width = max(map(len, heads))
    rows = [("%nbagents", "the same as status")]
    rows += [(head, one.help) for head, one in zip(heads, COMMANDS, strict=True)]
    return "\n".join(f"    {head:<{width}}  {said}" for head, said in rows)


NBAGENTS_HELP = f"""Look after nbagents in this notebook.

{_described()}

{describe(NBAGENTS_OPTIONS)}
"""
