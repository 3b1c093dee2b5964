"""What `%agent` does, once its first use has loaded it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.agents.resumption import RESULT
from nbagents.errors import RunError
from nbagents.notebook.magics.agent_choice import agent_of
from nbagents.notebook.magics.fork_options import fork_line, refuse_stray
from nbagents.notebook.magics.fork_source import fork_twin
from nbagents.notebook.magics.python_form import python_twin
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
    from collections.abc import Mapping, Sequence

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
    if "fork" in options or "resume" in options:
        go_on = _fork if "fork" in options else _resume
        return go_on(place, options, f"{rest} {cell or ''}".strip(), names)
    with misuse():
        refuse_stray(options)
        text = _prompt(rest, cell)
        prompt = paste_values(text, names)
        out = out_names(options.get("out", []))
        agent = agent_of(options, names, place.config)
        arguments = said(AGENT_OPTIONS, options, "argument", names)
        recorded = said(AGENT_OPTIONS, options, "around", names)
        host = place.host_for(options)
        if "show-python" in options:
            around = place.recordings.written(recorded)
            return print(python_twin(options, text, names, place.config, around))  # noqa: T201  its purpose
    if again := _shared_anew(arguments.get("chat"), names):
        arguments["vars"] = {**again, **arguments.get("vars", {})}
    with place.recordings.around(recorded):
        if "dry-run" in options:
            return place.host.show_preview(agent.preview(prompt, **arguments))
        run, plan = agent.begin(prompt, **arguments)
    return _driven(run, plan, host, options, out, place)


def _resume(
    place: Workplace, options: Mapping[str, list[str]], rest: str, names: Mapping[str, Any]
) -> Run | None:
    """Go on with a run that was suspended."""
    __tracebackhide__ = True
    with misuse():
        if rest.strip():
            raise OptionError("--resume takes no prompt: the run goes on with its own.")
        if alien := [f"--{name}" for name in options if name in NOT_RESUMED]:
            raise OptionError(f"{alien[0]} cannot go with --resume: the run goes on as it began.")
        out = out_names(options.get("out", []))
        options = resume_options(options, names, current_session(), place.config)
        shared = shared_objects(options.get("vars", []), names)
        recorded = said(AGENT_OPTIONS, options, "around", names)
        agent, host = agent_of(options, names, place.config), place.host_for(options)
        if "show-python" in options:
            around = place.recordings.written(recorded)
            return print(python_twin(options, "", names, place.config, around))  # noqa: T201  its purpose
        try:
            step = True if "step" in options else None
            with place.recordings.around(recorded):
                run, plan = agent.begin_resumed(options["resume"][-1], vars=shared, step=step)
        except RunError as error:
            raise OptionError(str(error)) from None
    return _driven(run, plan, host, options, out, place)


def _fork(
    place: Workplace, options: Mapping[str, list[str]], rest: str, names: Mapping[str, Any]
) -> Run | BranchPreview | None:
    """Go back in a run, and go on otherwise in a new one, or say what that would do."""
    __tracebackhide__ = True
    with misuse():
        out = out_names(options.get("out", []))
        line = fork_line(options, paste_values(rest, names), names, place.config)
        recorded = said(AGENT_OPTIONS, options, "around", names)
        host = place.host_for(options)
        if "show-python" in options:
            around = place.recordings.written(recorded)
            return print(fork_twin(line, options, names, place.config, around))  # noqa: T201  its purpose
        try:
            with place.recordings.around(recorded):
                if "dry-run" in options:
                    forked = line.agent.preview_fork(line.run, **line.options)
                    return place.host.show_preview(forked)
                run, plan = line.agent.begin_forked(line.run, **line.options)
        except (RunError, ValueError) as error:
            raise OptionError(str(error)) from None
    return _driven(run, plan, host, options, out, place)


def _driven(
    run: Run,
    plan: Plan,
    host: NotebookHost,
    options: Mapping[str, list[str]],
    out: Sequence[str],
    place: Workplace,
) -> Run:
    """A run that was driven to its end, or started, and put where the line says."""
    __tracebackhide__ = True
    for name in out:  # before it runs: also a run that fails is worth having
        place.names[name] = run
    if "background" in options:
        start_run(run, plan, host=host)
    else:
        _run(run, plan, host, raises="no-raise" not in options)
    return run


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
