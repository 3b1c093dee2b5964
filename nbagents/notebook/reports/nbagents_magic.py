"""What `%nbagents` does, once its first use has loaded it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from nbagents.errors import did_you_mean
from nbagents.notebook.kernel import say
from nbagents.notebook.markup import Report, report_bundle
from nbagents.notebook.options import (
    COMMANDS,
    REVOKE,
    RUNS_OPTIONS,
    OptionError,
    misuse,
    said,
    split_options,
)
from nbagents.notebook.reports.doctor import show_doctor
from nbagents.notebook.reports.overview import show_overview
from nbagents.notebook.reports.past_runs import show_run, show_usage
from nbagents.notebook.reports.runs_panel import Wanted, show_runs
from nbagents.runs.state import current_session
from nbagents.runs.wording import visible_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.notebook.live import Workplace

NEWEST = 20
TAKES = frozenset(one.name for one in COMMANDS if one.value)
"""What something may stand after."""
NONE = "Each call that needs consent is asked about: no tool was allowed for all of this session."
ENDS = (
    "Such leave ends with the kernel, and when the tool or what it was defined with changes."
    " %nbagents approvals --revoke TOOL takes it back."
)


def look_after(place: Workplace, line: str) -> None:
    """Do what the line says.

    Args:
        place: Where it works.
        line: What stands after the magic.
    """
    __tracebackhide__ = True
    name, *words = line.split() or ["status"]
    with misuse():
        if name not in DO:
            raise OptionError(f"%nbagents knows no {name!r}.{did_you_mean(name, list(DO))}")
        if words and name not in TAKES:
            raise OptionError(f"%nbagents {name} takes nothing, not {' '.join(words)!r}.")
        DO[name](place, words)


def _config(place: Workplace, _words: Sequence[str]) -> None:
    traits = type(place.config).class_traits(config=True)
    rows = [
        (one.name, repr(one.value), one.source, str(traits[one.name].help))
        for one in place.config.settings()
    ]
    note = (
        "An option of %agent goes before all of this. %config NbAgents.max_steps = 5 sets one here;"
        " c.NbAgents.max_steps = 5 in ipython_config.py sets it for every notebook."
    )
    head = ("Setting", "Value", "Set by", "What it is")
    report = Report(title="Settings", head=head, rows=rows, notes=[note], code=(0, 1))
    place.host.publish(report_bundle(report))


def _runs(place: Workplace, words: Sequence[str]) -> None:
    line = " ".join(words)
    first, _, rest = line.partition(" ")
    number, rest = (first, rest) if first.isdecimal() else ("", line)
    options, rest = split_options(rest, RUNS_OPTIONS, before_prompt=False)
    if rest and not (rest.isdecimal() and not number):
        raise OptionError(
            f"%nbagents runs takes a number and options, not {rest!r}; see %nbagents?"
        )
    limit = int(number or rest or NEWEST)
    if limit < 1:
        raise OptionError("%nbagents runs takes how many are listed: 1 or more.")
    chosen = said(RUNS_OPTIONS, options, "field", {})
    show_runs(place, Wanted(limit=limit, **chosen))


def _show(place: Workplace, words: Sequence[str]) -> None:
    if len(words) != 1:
        raise OptionError(
            "%nbagents show wants the id of a run, or its beginning; %nbagents runs lists them."
        )
    show_run(place, words[0])


def _approvals(place: Workplace, words: Sequence[str]) -> None:
    match list(words):
        case []:
            _show_approvals(place)
        case [word, name] if word == REVOKE:
            try:
                current_session().revoke(name)
            except ValueError as error:
                raise OptionError(str(error)) from None
            say(f"{name} is asked about again.")
        case _:
            raise OptionError(
                "%nbagents approvals takes nothing, or --revoke and the name of a tool, not"
                f" {' '.join(words)!r}."
            )


def _show_approvals(place: Workplace) -> None:
    """Show what was said of all later calls of a tool."""
    grants = current_session().approvals
    rows = [
        (
            visible_name(one.tool),
            f"{dt.datetime.fromtimestamp(one.at, tz=dt.UTC):%Y-%m-%d %H:%M:%S} UTC",
            one.by,
            one.run_id,
            f"{one.calls:,}",
        )
        for one in grants
    ]
    head = ("Tool", "Since", "Said by", "In the run", "Calls without asking") if rows else ()
    report = Report(
        title="Not asked about in this session",
        head=head,
        rows=rows,
        notes=[ENDS if rows else NONE],
        code=(0, 3) if rows else (),
    )
    place.host.publish(report_bundle(report))


def _reset(_place: Workplace, words: Sequence[str]) -> None:
    chats = current_session().chats
    name = " ".join(words) or None
    if name is not None and name not in chats.names():
        raise OptionError(f"There is no chat {name!r}.{did_you_mean(name, chats.names())}")
    gone = chats.forget(name)
    say(f"Forgot {', '.join(map(repr, gone))}." if gone else "There is no chat to forget.")


DO: Mapping[str, Callable[[Workplace, Sequence[str]], None]] = {
    "status": lambda place, _: show_overview(place),
    "doctor": lambda place, _: show_doctor(place),
    "config": _config,
    "runs": _runs,
    "show": _show,
    "usage": lambda place, _: show_usage(place),
    "approvals": _approvals,
    "reset": _reset,
}
