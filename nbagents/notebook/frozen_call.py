"""One call as HTML: a row that says what was called, how it went and what came of it, and opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.frozen_decided import decided
from nbagents.notebook.frozen_markup import Html, fold, join, muted, pre, table, tag, unstyled
from nbagents.notebook.frozen_payloads import KINDS
from nbagents.notebook.frozen_pictures import draw, picture_of, shown_payloads
from nbagents.results import pointer
from nbagents.runs.tree.people import call_status, changed_by, children_in_words
from nbagents.runs.tree.python import literal
from nbagents.runs.tree.times import call_time
from nbagents.runs.tree.troubles import troubles_inside
from nbagents.runs.tree.visible import exact, plain, visible_name
from nbagents.runs.tree.words import (
    CALL_STATUS,
    FAILURE_KINDS,
    RECOVERIES,
    as_json,
    brief_output,
    call_in_words,
    clipped,
    preview,
    progress_in_words,
    size,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.runs.tree.folding import CallNode, RunNode, Tree

__all__ = [
    "AMBER",
    "GREEN",
    "GREY",
    "RED",
    "call_card",
    "call_line",
    "call_pictures",
    "error_box",
    "is_loud",
    "mark",
]

GREEN, AMBER, RED, GREY = "#2f9158", "#b26b00", "#d64a42", "#7d7d7d"
"""Each at least 3:1 on white and on JupyterLab's dark page; words never depend on them."""
MARKS = {
    "done": ("✓", GREEN),
    "completed": ("✓", GREEN),
    "partly": ("!", AMBER),
    "running": ("…", GREY),
}
CROSSES = frozenset({"failed", "timed_out", "denied"})
LOUD = frozenset({"failed", "timed_out"})
CODE = "background:transparent;padding:0"
ERROR_BOX = f"margin:6px 0;padding:4px 10px;border-left:3px solid {RED};background:{RED}1a"
LABEL = "margin:6px 0 0;font-size:0.86em;opacity:0.75"
SHORT_VALUE = 120
NO_OBJECTS: Mapping[str, str] = {}
LABEL_WIDTH = 56
ROW_WIDTH = 74
"""Characters of a row that fit beside its status on a page of usual width."""


def is_loud(call: CallNode) -> bool:
    """Whether a call stands open because something went wrong in it."""
    return call["status"] in LOUD


def mark(status: str) -> Html:
    """A coloured sign beside the words."""
    sign, colour = MARKS.get(status, ("✗", RED) if status in CROSSES else ("○", GREY))
    return tag("span", sign, style=f"color:{colour};font-weight:bold")


def call_card(
    tree: Tree, call: CallNode, run: RunNode, children: Sequence[Html], *, opened: bool
) -> Html:
    """A call's row, its sections below it, and its pictures, which always show."""
    said = [*decided(tree, run, call)]
    body = tag("div", *_sections(call, said, children), style="padding:0 0 4px 16px")
    row = fold(_row(tree, call, run), body, opened=opened)
    return join(row, *call_pictures(call))


def call_line(tree: Tree, call: CallNode, run: RunNode) -> Html:
    """A call in one line that does not open, for runs of very many."""
    inside, ended = troubles_inside(tree, call), _ended(tree, call, run)
    parts = [call_in_words(call, LABEL_WIDTH), preview(call), inside, ended]
    return join(*parts, between=" — ")


def error_box(failure: Mapping[str, Any]) -> Html:
    """What went wrong, for whom to put right, and the traceback in a fold."""
    kind, recovery = failure["kind"], failure["recovery"]
    words = f"{FAILURE_KINDS.get(kind, kind)}; {RECOVERIES.get(recovery, recovery)}"
    said = tag("div", tag("strong", "Error: "), failure["message"], style="white-space:pre-wrap")
    trace = failure.get("debug_message")
    return tag(
        "div",
        said,
        muted(words[0].upper() + words[1:] + "."),
        _issues(failure.get("issues") or ()),
        fold("Traceback", pre(trace)) if trace else "",
        style=ERROR_BOX,
    )


def _row(tree: Tree, call: CallNode, run: RunNode) -> Html:
    hint = clipped(call["hint"] or "", LABEL_WIDTH)
    written = call_in_words(call, max(LABEL_WIDTH - len(hint), 30))
    name, arguments = written.split("(", 1)
    code = tag("code", tag("strong", name), f"({arguments}", style=CODE)
    title = join(tag("strong", hint), " ", muted(code)) if hint else code
    gave = preview(call, max(ROW_WIDTH - len(written) - len(hint), 20))
    inside, status = troubles_inside(tree, call), call_status(tree, call)
    return join(
        mark("partly" if inside and status == "done" else status),
        " ",
        title,
        f" — {gave}" if gave else "",
        muted(" · ", inside) if inside else "",
        muted(" · kept as ", tag("code", call["handle"], style=CODE)) if call["handle"] else "",
        muted(" · not asked") if (call["authorization"] or {}).get("under_grant") else "",
        unstyled(" — "),
        tag(
            "span",
            _ended(tree, call, run),
            style="float:right;padding-left:12px;opacity:0.75;font-size:0.92em",
        ),
        _bar(call, run),
    )


def _ended(tree: Tree, call: CallNode, run: RunNode) -> str:
    words = CALL_STATUS[call_status(tree, call)]
    return join(words, call_time(tree, run, call), between=" · ")


def _bar(call: CallNode, run: RunNode) -> str:
    """When the call ran, as a line against the time of the run."""
    started, ended, took_ms = call["started_at"], run["ended_at"], call["duration_ms"]
    if started is None or ended is None or not took_ms or ended <= run["started_at"]:
        return ""
    whole = ended - run["started_at"]
    left = min(max((started - run["started_at"]) / whole, 0.0), 0.99)
    width = min(max(took_ms / 1000 / whole, 0.005), 1 - left)
    place = f"margin-left:{left:.1%};width:{width:.1%}"
    line = tag("span", style=f"display:block;height:2px;background:#888;{place}")
    return tag("span", line, style="display:block;clear:both;margin:3px 0 0;background:#8882")


def _sections(call: CallNode, said: Sequence[Html], children: Sequence[Html]) -> list[Html]:
    """Arguments, decisions, result, runs, data, output, details: in the order of interest."""
    return [
        *_arguments_used(call),
        *said,
        *_result(call),
        *(error_box(failure) for failure in [call["failure"]] if failure),
        *children,
        *_data(call),
        *_output(call),
        _details(call),
    ]


def _arguments_used(call: CallNode) -> list[Html]:
    """What it was called with, and before it what the model wanted where that was changed."""
    by, used = changed_by(call), call["arguments"]
    shown = call.get("defaults", []), call.get("objects", {})
    if not by:
        return _arguments("Arguments", used, *shown)
    return [
        *_arguments("Arguments that the model wanted", call["proposed"]),
        *_arguments(f"Arguments that were used, from {by}", used, *shown),
    ]


def _arguments(
    label: str,
    arguments: JsonValue,
    defaults: Sequence[str] = (),
    objects: Mapping[str, str] = NO_OBJECTS,
) -> list[Html]:
    if arguments is None or arguments == {}:
        return []
    if isinstance(arguments, str):
        return [_label(f"{label}, as the model wrote them"), pre(exact(arguments))]
    if isinstance(arguments, dict) and all(_is_short(one) for one in arguments.values()):
        rows: list[list[str]] = [
            [
                visible_name(key),
                tag("code", plain(literal(one, at, objects, keys=visible_name))),
                muted(plain(_note(key, at, defaults, objects))),
            ]
            for key, one in arguments.items()
            for at in [pointer("", key)]
        ]
        has_notes = bool(defaults or objects)
        return [_label(label), table(rows if has_notes else [one[:2] for one in rows])]
    left = f"; defaults, which were not given: {', '.join(defaults)}" if defaults else ""
    return [_label(f"{label}{left}"), pre(exact(as_json(arguments, indent=2)))]


def _note(name: str, at: str, defaults: Sequence[str], objects: Mapping[str, str]) -> str:
    """What is said of an argument beside its value."""
    if name in defaults:
        return "default"
    return objects.get(at, "")


def _is_short(value: JsonValue) -> bool:
    lines = isinstance(value, str) and "\n" in value
    return not lines and len(as_json(value)) <= SHORT_VALUE


def _result(call: CallNode) -> list[Html]:
    content, failure = call["content"], call["failure"]
    if content is None or (failure and content == failure["message"]):
        return []
    about = [size(len(content.encode(errors="replace")))] if len(content) > SHORT_VALUE else []
    about += _bounds(call["bounds"])
    words = f"Result, as the model read it{' · ' if about else ''}{' · '.join(about)}"
    return [_label(words), pre(content) if content else tag("p", tag("em", "(empty)"))]


def _bounds(bounds: Mapping[str, Any] | None) -> list[str]:
    if not bounds:
        return []
    total = f" of {bounds['total']:,}" if bounds.get("total") is not None else ""
    cut = ", the rest left out" if bounds.get("truncated") else ""
    return [f"{bounds['returned']:,}{total} given{cut}"]


def _data(call: CallNode) -> list[Html]:
    """Payloads as JSON, but for those of which the picture says all."""
    return [
        _payload(payload)
        for payload in shown_payloads(call)
        if payload["kind"] not in KINDS or picture_of(payload) is None
    ]


def _payload(payload: Mapping[str, Any]) -> Html:
    kind, value = payload["kind"], payload["value"]
    if kind == "cut" and (drawn := draw(kind, value)):
        return tag("div", drawn)
    written = as_json(value, indent=2)
    source = " · evidence" if payload.get("audience") == "evidence" else ""
    weight = size(len(as_json(value).encode(errors="replace")))
    return fold(f"Data: {kind} · {weight}{source}", pre(written))


def call_pictures(call: CallNode) -> list[Html]:
    """What people look at of a call: it shows whether the call's row is open or not."""
    drawn = [picture_of(payload) for payload in shown_payloads(call)]
    return [tag("div", one, style="margin:4px 0 4px 16px") for one in drawn if one is not None]


def _output(call: CallNode) -> list[Html]:
    titles = {"stdout": "Printed", "stderr": "Printed to stderr", "log": "Log"}
    drawn: list[Html] = []
    for output in brief_output(call["output"]):
        drawn += [_label(titles.get(output["stream"], output["stream"])), pre(output["text"])]
    if (progress := call["progress"]) and call["status"] != "done":
        drawn.append(_label(f"Last progress: {progress_in_words(progress)}"))
    return drawn


def _issues(issues: Sequence[Mapping[str, Any]]) -> Html:
    if not issues:
        return Html()
    rows: list[list[str]] = [
        [tag("code", str(one["field"])), str(one["message"]), muted(str(one["constraint"]))]
        for one in issues
    ]
    return table(rows)


def _details(call: CallNode) -> Html:
    version = call["source_hash"]
    parts = [
        visible_name(call["name"]) if call["hint"] or len(call["name"]) > LABEL_WIDTH - 3 else "",
        f"version {version[:8]}" if version else "",
        f"kept as {call['handle']}" if call["handle"] else "",
        children_in_words(call),
        call["id"],
    ]
    return tag("p", join(*parts, between=" · "), style=LABEL)


def _label(words: str) -> Html:
    return tag("p", words, style=LABEL)
