"""What `%agent` does, once its first use has loaded it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from nbagents.agents.resumption import RESULT
from nbagents.errors import RunError
from nbagents.notebook.kernel import say
from nbagents.notebook.magics.agent_choice import agent_of
from nbagents.notebook.magics.fork_options import fork_line, refuse_stray
from nbagents.notebook.magics.python_form import fork_twin, python_twin
from nbagents.notebook.magics.resume_options import resume_options
from nbagents.notebook.options import (
    AGENT_OPTIONS,
    OptionError,
    misuse,
    out_names,
    paste_values,
    said,
)
from nbagents.notebook.options import shared as shared_objects
from nbagents.notebook.reports import show_status
from nbagents.runs.drive import run_blocking, start_run
from nbagents.runs.state import current_session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.notebook.live import NotebookHost, Workplace
    from nbagents.runs.plan import BranchPreview, Plan, Preview
    from nbagents.runs.state import Run

NOT_RESUMED = {
    *("background", "dry-run"),
    *(one.name for one in AGENT_OPTIONS if one.argument and one.argument not in ("vars", "step")),
}


def run_agent(
    place: Workplace,
    options: dict[str, list[str]],
    rest: str,
    cell: str | None,
    names: Mapping[str, Any],
) -> Run | Preview | BranchPreview | None:
    """Run the agent that the options describe.

    Args:
        place: Where it runs.
        options: The options, by long name.
        rest: What follows them on the line.
        cell: What stands below it, if anything does.
        names: The person's variables, with those of the function that it stands in.

    Returns:
        The run; of a dry run its preview; nothing where nothing is asked.
    """
    __tracebackhide__ = True
    if cell is None and not options and not rest:
        return show_status(place)
    with misuse():
        out = out_names(options.get("out", []))
        recorded = said(AGENT_OPTIONS, options, "around", names)
        host = place.host_for(options)
        line = _read(place, options, rest, cell, names)
        if "show-python" in options:
            return say(line.python(place.recordings.written(recorded)))
        try:
            with place.recordings.around(recorded):
                if line.preview is not None and "dry-run" in options:
                    return place.host.show_preview(line.preview())
                run, plan = line.begin()
        except line.misuses as error:
            raise OptionError(str(error)) from None
    for name in out:  # before it runs: also a run that fails is worth having
        place.names[name] = run
    if "background" in options:
        start_run(run, plan, host=host)
    else:
        _run(run, plan, host, raises="no-raise" not in options)
    return run


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    begin: Callable[[], tuple[Run, Plan]]
    python: Callable[[Mapping[str, object]], str]
    """The Python twin below the recording that holds."""
    preview: Callable[[], Preview | BranchPreview] | None = None
    """What would be sent, or done."""
    misuses: tuple[type[Exception], ...] = ()
    """What beginning raises where the line itself is wrong."""


def _read(
    place: Workplace,
    options: Mapping[str, list[str]],
    rest: str,
    cell: str | None,
    names: Mapping[str, Any],
) -> _Line:
    __tracebackhide__ = True
    if "fork" in options:
        return _fork(place, options, f"{rest} {cell or ''}".strip(), names)
    if "resume" in options:
        return _resume(place, options, f"{rest} {cell or ''}".strip(), names)
    refuse_stray(options)
    text = _prompt(rest, cell)
    prompt = paste_values(text, names)
    agent = agent_of(options, names, place.config)
    given = said(AGENT_OPTIONS, options, "argument", names)
    if again := _shared_anew(given.get("chat"), names):
        given["vars"] = {**again, **given.get("vars", {})}
    return _Line(
        begin=partial(agent.begin, prompt, **given),
        preview=partial(agent.preview, prompt, **given),
        python=partial(python_twin, options, text, names, place.config),
    )


def _resume(
    place: Workplace, options: Mapping[str, list[str]], rest: str, names: Mapping[str, Any]
) -> _Line:
    """Go on with a run that was suspended."""
    if rest:
        raise OptionError("--resume takes no prompt: the run goes on with its own.")
    if alien := [f"--{name}" for name in options if name in NOT_RESUMED]:
        raise OptionError(f"{alien[0]} cannot go with --resume: the run goes on as it began.")
    found = resume_options(options, names, current_session(), place.config)
    agent = agent_of(found, names, place.config)
    shared = shared_objects(found.get("vars", []), names)
    step = True if "step" in found else None
    return _Line(
        begin=partial(agent.begin_resumed, found["resume"][-1], vars=shared, step=step),
        python=partial(python_twin, found, "", names, place.config),
        misuses=(RunError,),
    )


def _fork(
    place: Workplace, options: Mapping[str, list[str]], rest: str, names: Mapping[str, Any]
) -> _Line:
    """Go back in a run, and go on otherwise in a new one."""
    line = fork_line(options, paste_values(rest, names), names, place.config)
    return _Line(
        begin=partial(line.agent.begin_forked, line.run, **line.options),
        preview=partial(line.agent.preview_fork, line.run, **line.options),
        python=partial(fork_twin, line, options, names, place.config),
        misuses=(RunError, ValueError),
    )


def _run(run: Run, plan: Plan, host: NotebookHost, *, raises: bool) -> None:
    __tracebackhide__ = True
    try:
        run_blocking(run, plan, host=host)
    except Exception:
        if raises or run.error is None:
            raise


def _prompt(rest: str, cell: str | None) -> str:
    if cell is not None and rest:
        raise OptionError(f"The prompt of %%agent stands below it: move {rest!r} to the next line.")
    text = rest if cell is None else cell.strip()
    if not text:
        raise OptionError("There is no prompt. For example: %agent What tools do you have?")
    return text


def _shared_anew(chat: str | None, names: Mapping[str, Any]) -> Mapping[str, object]:
    """What a conversation was given by name that is another object now: it is said, and taken."""
    talk = None if chat is None else current_session().chats.get(chat)
    if talk is None or talk.handles is None:
        return {}
    return {
        name: names[name]
        for name, value in talk.handles.items()
        if name in names and names[name] is not value and not RESULT.fullmatch(name)
    }
