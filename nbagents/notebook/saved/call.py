"""One call as HTML: a row that says what was called, how it went and what came of it, and opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from nbagents.notebook.kinds import KINDS, draw, picture_of, shown_payloads
from nbagents.notebook.markup import Html, fold, join, muted, pre, table, tag
from nbagents.notebook.saved.decisions import decided
from nbagents.notebook.saved.look import RED
from nbagents.results import pointer
from nbagents.runs.tree import explanation_of
from nbagents.runs.wording import (
    FAILURE_KINDS,
    RECOVERIES,
    STREAMS,
    as_json,
    brief_output,
    changed_by,
    children_in_words,
    exact,
    literal,
    plain,
    progress_in_words,
    sentence,
    short_name,
    size,
    visible_name,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.runs.tree import CallNode, RunNode, Tree

LOUD = frozenset({"failed", "timed_out"})
ERROR_BOX = f"margin:6px 0;padding:4px 10px;border-left:3px solid {RED};background:{RED}1a"
LABEL = "margin:6px 0 0;font-size:0.86em;opacity:0.75"
LABEL_FOLD = "margin:6px 0 0"
REMEDIES = "margin:2px 0 4px;padding-left:24px"
SHORT_VALUE = 120
NO_OBJECTS: Mapping[str, str] = {}
LABEL_WIDTH = 60
KEY_WIDTH = 200


def is_loud(call: CallNode) -> bool:
    """Whether a call stands open because something went wrong in it."""
    return call["status"] in LOUD


def call_sections(tree: Tree, call: CallNode, run: RunNode, children: Sequence[Html] = ()) -> Html:
    """A call opened: what is known of it, in the order of interest."""
    said = [*decided(tree, run, call)]
    sections = _sections(call, said, children)
    return tag("div", *sections, style="padding:0 0 4px 16px", **{"class": "nf-in"})


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


def explanation_box(node: CallNode | RunNode) -> list[Html]:
    """Why it came to nothing, and in a fold what can be done about it."""
    said = explanation_of(node)
    if said is None:
        return []
    remedies = [tag("li", one) for one in said["remedies"]]
    what = join(tag("strong", "Why: "), said["what"])
    return [fold(what, tag("ul", *remedies, style=REMEDIES), style=LABEL_FOLD)]


def _sections(call: CallNode, said: Sequence[Html], children: Sequence[Html]) -> list[Html]:
    """Arguments, decisions, result, runs, data, output, details: in the order of interest."""
    return [
        *_arguments_used(call),
        *said,
        *_result(call),
        *(error_box(failure) for failure in [call["failure"]] if failure),
        *explanation_box(call),
        *children,
        *_data(call),
        *_output(call),
        _details(call),
    ]


def _arguments_used(call: CallNode) -> list[Html]:
    """What it was called with; where that was changed, beside what the model wanted."""
    by, used, wanted = changed_by(call), call["arguments"], call["proposed"]
    shown = call.get("defaults", []), call.get("objects", {})
    if not by:
        return _arguments("Arguments", used, *shown)
    if _is_tabular(used) and _is_tabular(wanted):
        return [_label(f"Arguments, changed by {by}"), _changes(wanted, used, *shown)]
    return [
        *_arguments("Arguments that the model wanted", wanted),
        *_arguments(f"Arguments that were used, from {by}", used, *shown),
    ]


def _is_tabular(arguments: JsonValue) -> TypeGuard[dict[str, JsonValue]]:
    """Whether arguments have names and values of a few words each."""
    return isinstance(arguments, dict) and all(map(_is_short, arguments.values()))


def _changes(
    wanted: Mapping[str, JsonValue],
    used: Mapping[str, JsonValue],
    defaults: Sequence[str],
    objects: Mapping[str, str],
) -> Html:
    """What the model wanted beside what was used; what is the same stands there once."""
    rows: list[list[str]] = []
    for name in dict.fromkeys([*wanted, *used]):
        at = pointer("", name)
        is_same = name in wanted and name in used and wanted[name] == used[name]
        before = "the same" if is_same else _value(wanted, name, {})
        now = _value(used, name, objects)
        note = plain(_note(name, at, defaults, objects))
        if name in defaults:
            rows.append(_dimmed([short_name(name, KEY_WIDTH), before, now, note]))
            continue
        before = muted(before) if is_same else before
        now = now if is_same else tag("strong", now)
        rows.append([short_name(name, KEY_WIDTH), before, now, muted(note)])
    has_notes = bool(defaults or objects)
    kept = [row if has_notes else row[:3] for row in rows]
    head = ["", "The model wanted", "Used", ""]
    return table(kept, head=head if has_notes else head[:3])


def _value(arguments: Mapping[str, JsonValue], name: str, objects: Mapping[str, str]) -> Html:
    if name not in arguments:
        return muted("not given")
    written = literal(arguments[name], pointer("", name), objects, keys=visible_name)
    return tag("code", plain(written))


def _dimmed(cells: Sequence[str]) -> list[str]:
    """A row about what was not given; dimmed once, so that it can be read."""
    return [tag("span", one, **{"class": "nf-default"}) for one in cells]


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
    if _is_tabular(arguments):
        rows: list[list[str]] = []
        for name in arguments:
            note = plain(_note(name, pointer("", name), defaults, objects))
            cells = [short_name(name, KEY_WIDTH), _value(arguments, name, objects)]
            is_default = name in defaults
            rows.append(_dimmed([*cells, note]) if is_default else [*cells, muted(note)])
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
    drawn: list[Html] = []
    for output in brief_output(call["output"]):
        title = sentence(STREAMS.get(output["stream"], output["stream"]))  # a file may say anything
        drawn += [_label(title), pre(output["text"])]
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
        short_name(call["name"], KEY_WIDTH)
        if call["hint"] or len(call["name"]) > LABEL_WIDTH
        else "",
        f"version {version[:8]}" if version else "",
        f"kept as {short_name(call['handle'])}" if call["handle"] else "",
        children_in_words(call),
        call["id"],
    ]
    return fold("Details", join(*parts, between=" · "), style=LABEL)


def _label(words: str) -> Html:
    return tag("p", words, style=LABEL)
