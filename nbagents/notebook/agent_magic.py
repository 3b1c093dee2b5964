"""What `%agent` does, once its first use has loaded it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.agents.regaining import RESULT
from nbagents.errors import RunError
from nbagents.notebook import agent_options
from nbagents.notebook.agent_choice import agent_of
from nbagents.notebook.misuse import misuse
from nbagents.notebook.prompt import OptionError, paste_values
from nbagents.notebook.resume_options import resume_options
from nbagents.notebook.show_python import python_twin
from nbagents.notebook.status import show_status
from nbagents.runs.background import start_run
from nbagents.runs.door import run_blocking
from nbagents.runs.session import current_session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.display import NotebookHost
    from nbagents.notebook.workplace import Workplace
    from nbagents.runs.plan import Plan
    from nbagents.runs.preview import Preview
    from nbagents.runs.record import Run

__all__ = ["run_agent"]

NOT_RESUMED = ("background", "chat", "attach", "label", "dry-run")


def run_agent(
    place: Workplace,
    options: dict[str, list[str]],
    rest: str,
    cell: str | None,
    names: Mapping[str, Any],
) -> Run | Preview | None:
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
    if "resume" in options:
        return _resume(place, options, rest or cell or "", names)
    with misuse():
        text = _prompt(rest, cell)
        prompt = paste_values(text, names)
        out = agent_options.out_names(options.get("out", []))
        chat = _chat(options)
        agent = agent_of(options, names, place.config)
        shared = agent_options.shared(options.get("vars", []), names)
        shared = {**_shared_anew(chat, names), **shared}
        attached = agent_options.attached(options.get("attach", []), names)
        labels = agent_options.labels(options.get("label", []))
        host = place.host_for(options)
        if "show-python" in options:
            return print(python_twin(options, text, names, place.config))  # noqa: T201  its purpose
    if "dry-run" in options:
        preview = agent.preview(prompt, vars=shared, attach=attached, chat=chat)
        return place.host.show_preview(preview)
    run, plan = agent.begin(prompt, vars=shared, attach=attached, chat=chat, labels=labels)
    for name in out:  # before it runs: also a run that fails is worth having
        place.names[name] = run
    if "background" in options:
        start_run(run, plan, host=host)
    else:
        _run(run, plan, host, raises="no-raise" not in options)
    return run


def _resume(
    place: Workplace, options: Mapping[str, list[str]], rest: str, names: Mapping[str, Any]
) -> Run | None:
    """Go on with a run that was suspended."""
    __tracebackhide__ = True
    with misuse():
        if rest.strip():
            raise OptionError("--resume takes no prompt: the run goes on with its own.")
        if alien := [f"--{name}" for name in NOT_RESUMED if name in options]:
            raise OptionError(f"{alien[0]} cannot go with --resume: the run goes on as it began.")
        out = agent_options.out_names(options.get("out", []))
        options = resume_options(options, names, current_session(), place.config)
        shared = agent_options.shared(options.get("vars", []), names)
        agent, host = agent_of(options, names, place.config), place.host_for(options)
        if "show-python" in options:
            return print(python_twin(options, "", names, place.config))  # noqa: T201  its purpose
        try:
            run, plan = agent.begin_resumed(options["resume"][-1], vars=shared)
        except RunError as error:
            raise OptionError(str(error)) from None
    for name in out:
        place.names[name] = run
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


def _chat(options: Mapping[str, list[str]]) -> str | None:
    name = options.get("chat", [None])[-1]
    if name is not None and not name.strip():
        raise OptionError("--chat wants a name, e.g. -c trip.")
    return name
