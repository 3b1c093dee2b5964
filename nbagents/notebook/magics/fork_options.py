"""`%agent --fork RUN --at CALL`: what the line says of a branch, and who goes on with it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.notebook.magics.agent_choice import agent_of
from nbagents.notebook.magics.resume_options import resume_options
from nbagents.notebook.options import (
    AGENT_OPTIONS,
    WITH_FORK,
    OptionError,
    is_variable,
    said,
    variable,
)
from nbagents.notebook.options import shared as shared_objects
from nbagents.runs.logs import find_runs
from nbagents.runs.state import Run, current_session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.agents import Agent
    from nbagents.notebook.options import NbAgents

CHANGES: Final = ("model", "tools", "instructions")
"""What of its agent a branch changes where it goes on, and no sooner."""
ALIEN: Final = {
    "resume": "a branch goes on with a run as a new one, --resume with a suspended run itself.",
    "chat": "a branch is of no chat, which keeps the turn that it has.",
    "attach": "what a branch is told is text. Share an object with its tools by --vars.",
}
"""What a branch is not begun with, and why."""
STEP: Final = re.compile(r"\s*(\d+)\b\s*(--step(?:\s+|$))?")
"""A request, which stands behind the last `--step`; another one says step mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkLine:
    """What a line says of a branch."""

    run: Run | str
    agent: Agent
    is_here: bool
    """Whether the run knows who goes on: this process made it."""
    options: Mapping[str, Any]
    """What `Agent.fork` is given."""


def refuse_stray(options: Mapping[str, list[str]]) -> None:
    """See that what says something of a branch stands with `--fork`.

    Raises:
        OptionError: It stands without.
    """
    if stray := [name for name in WITH_FORK if name in options]:
        raise OptionError(f"--{stray[0]} goes with --fork, e.g. --fork run-1 --at 2.")


def fork_line(
    options: Mapping[str, list[str]], rest: str, names: Mapping[str, Any], config: NbAgents
) -> ForkLine:
    """What a line says of a branch.

    Args:
        options: The options, by long name.
        rest: What follows them: what the person says, if anything.
        names: The person's variables.
        config: What holds where no option says otherwise.

    Raises:
        OptionError: It cannot be forked so.
        MissingNameError: A name is not defined.
    """
    if alien := sorted(set(ALIEN) & set(options)):
        raise OptionError(f"--{alien[0]} cannot go with --fork: {ALIEN[alien[0]]}")
    run = run_named(options["fork"][-1], names)
    said_here = dict(said(AGENT_OPTIONS, options, "field", names))
    given: dict[str, Any] = {one: said_here[one] for one in CHANGES if one in said_here}
    step, is_stepped, message = _step(options, rest)
    given |= {"step": step} if step is not None else {}
    given |= {"stepping": True} if is_stepped else {}
    given |= {"at": _call(options["at"][-1])} if "at" in options else {}
    given |= {"message": message} if message else {}
    if "arguments" in options:
        given["arguments"] = _json("--arguments", options["arguments"][-1])
    if "result" in options:
        given["result"] = _result(options["result"][-1], names)
    if "again" in options:
        given["again"] = _again(options["again"])
    if "vars" in options:
        given["vars"] = shared_objects(options["vars"], names)
    if labels := said(AGENT_OPTIONS, options, "argument", names).get("labels"):
        given["labels"] = labels
    live = run if isinstance(run, Run) else _live(run)
    is_here = "agent" not in options and live is not None and live.root.agent is not None
    agent = _agent(run, live if is_here else None, options, names, config)
    return ForkLine(run=run, agent=agent, is_here=is_here, options=given)


def run_named(word: str, names: Mapping[str, Any]) -> Run | str:
    """The run that is meant: a variable's, or one of an id or of the beginning of one."""
    if is_variable(word, names):
        found = variable("--fork", word, names)
        if isinstance(found, Run):
            return found
        if not find_runs(current_session().log, word):
            raise OptionError(f"--fork wants a run: {word!r} is {type(found).__name__}.")
    elif word.isidentifier() and len(find_runs(current_session().log, word)) > 1:
        raise OptionError(
            f"--fork {word}: there is no variable {word!r}, and several runs' ids begin so."
            " %nbagents runs lists them."
        )
    return word


def _agent(
    run: Run | str,
    live: Run | None,
    options: Mapping[str, list[str]],
    names: Mapping[str, Any],
    config: NbAgents,
) -> Agent:
    """Who goes on: `-a`, else who made the run, if it is still here, else whom the log tells of."""
    others = without_changes(options)
    if live is not None:
        fields = said(AGENT_OPTIONS, others, "field", names)
        return cast("Agent", replace(live.root.agent, **fields))
    word = run.root.id if isinstance(run, Run) else run
    found = resume_options({**others, "resume": [word]}, names, current_session(), config)
    return agent_of({name: one for name, one in found.items() if name != "resume"}, names, config)


def without_changes(options: Mapping[str, list[str]]) -> Mapping[str, list[str]]:
    """The options without those that a branch changes where it goes on, and no sooner."""
    changes = {one.name for one in AGENT_OPTIONS if one.field in CHANGES}
    return {name: one for name, one in options.items() if name not in changes}


def _live(word: str) -> Run | None:
    """The run of an id, or of the beginning of one, if this process has it."""
    ids = {one.run_id for one in find_runs(current_session().log, word)}
    families = (one for run in current_session().runs for one in run.family)
    return next((run for run in families if ids == {run.id}), None)


def _step(options: Mapping[str, list[str]], rest: str) -> tuple[int | None, bool, str]:
    """The request that `--step` names with `--fork`, whether it says step mode, what follows."""
    said = [*options].index("step") if "step" in options else None
    found = STEP.match(rest) if said == len(options) - 1 else None
    if found is None:
        return None, said is not None, rest.strip()
    return int(found[1]), found[2] is not None, rest[found.end() :].strip()


def _call(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


def _json(option: str, text: str) -> Any:  # Any: JSON
    try:
        return json.loads(text)
    except ValueError as error:
        raise OptionError(
            f'{option} is no JSON ({error}): write e.g. {option} \'{{"city": "Rome"}}\'.'
        ) from None


def _result(text: str, names: Mapping[str, Any]) -> Any:  # Any: what a tool may give
    """What a call is to have given: an object by `@VAR`, JSON, or the text itself."""
    if text.startswith("@"):
        return variable("--result", text[1:], names)
    try:
        return json.loads(text)
    except ValueError:
        return text


def _again(words: list[str]) -> Any:  # Any: as `Agent.fork` takes it
    several = [one.strip() for word in words for one in word.split(",") if one.strip()]
    return True if several == ["all"] else [_call(one) for one in several]
