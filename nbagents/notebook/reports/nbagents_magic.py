"""What `%nbagents` does, once its first use has loaded it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.errors import did_you_mean
from nbagents.notebook.markup import Report, report_bundle
from nbagents.notebook.options import (
    REVOKE,
    RUNS_OPTIONS,
    OptionError,
    given,
    misuse,
    split_options,
)
from nbagents.notebook.reports.approvals import show_approvals
from nbagents.notebook.reports.doctor import show_doctor
from nbagents.notebook.reports.overview import show_overview
from nbagents.notebook.reports.past_runs import show_run, show_usage
from nbagents.notebook.reports.runs_panel import Wanted, show_runs
from nbagents.runs.state import current_session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.notebook.live import Workplace

NEWEST = 20


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
        DO[name](place, words)


def _status(place: Workplace, words: Sequence[str]) -> None:
    _nothing_after("status", words)
    show_overview(place)


def _doctor(place: Workplace, words: Sequence[str]) -> None:
    _nothing_after("doctor", words)
    show_doctor(place)


def _config(place: Workplace, words: Sequence[str]) -> None:
    _nothing_after("config", words)
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
    cost = next(
        (one.read(said, {}) for one, said in given(RUNS_OPTIONS, options) if one.value == "N"), 0
    )
    show_runs(
        place,
        Wanted(
            limit=limit,
            is_all="all" in options,
            tool=options.get("tool", [""])[-1],
            status=options.get("status", [""])[-1],
            words=options.get("words", [""])[-1],
            cost=cost,
        ),
    )


def _show(place: Workplace, words: Sequence[str]) -> None:
    if len(words) != 1:
        raise OptionError(
            "%nbagents show wants the id of a run, or its beginning; %nbagents runs lists them."
        )
    show_run(place, words[0])


def _usage(place: Workplace, words: Sequence[str]) -> None:
    _nothing_after("usage", words)
    show_usage(place)


def _approvals(place: Workplace, words: Sequence[str]) -> None:
    match list(words):
        case []:
            show_approvals(place)
        case [word, name] if word == REVOKE:
            try:
                current_session().revoke(name)
            except ValueError as error:
                raise OptionError(str(error)) from None
            print(f"{name} is asked about again.")  # noqa: T201  what the line answers
        case _:
            raise OptionError(
                "%nbagents approvals takes nothing, or --revoke and the name of a tool, not"
                f" {' '.join(words)!r}."
            )


def _reset(_place: Workplace, words: Sequence[str]) -> None:
    chats = current_session().chats
    name = " ".join(words) or None
    if name is not None and name not in chats.names():
        raise OptionError(f"There is no chat {name!r}.{did_you_mean(name, chats.names())}")
    gone = chats.forget(name)
    said = f"Forgot {', '.join(map(repr, gone))}." if gone else "There is no chat to forget."
    print(said)  # noqa: T201  what the line answers


DO: Mapping[str, Callable[[Workplace, Sequence[str]], None]] = {
    "status": _status,
    "doctor": _doctor,
    "config": _config,
    "runs": _runs,
    "show": _show,
    "usage": _usage,
    "approvals": _approvals,
    "reset": _reset,
}


def _nothing_after(name: str, words: Sequence[str]) -> None:
    if words:
        raise OptionError(f"%nbagents {name} takes nothing, not {' '.join(words)!r}.")
