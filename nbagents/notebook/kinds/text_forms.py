"""Payloads that are made of text, in a saved notebook: Markdown, code, JSON, logs, progress, diffs.

Each is drawn as HTML, or said in one line. A value that does not fit its kind raises.
"""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING, Any

from nbagents.narrowing import is_dict, is_list
from nbagents.notebook.markup import LINE, Html, fold, join, markdown, muted, pre, tag
from nbagents.runs.wording import as_json, clipped, counted, size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PROSE = "max-height:24em;overflow:auto"
NAME = "background:transparent"
NAME_WIDTH = 200
JSON_OPEN = 600
"""Characters of JSON that stand open; longer ones are folded."""
LAST_LINES = 200
"""Of a log the end is kept; the beginning is said to be left out."""
DIFF_LINES = 3_000
"""Of each side; above, a comparison takes longer than a notebook should."""
CONTEXT = 3
BOX = f"margin:2px 0 6px;border:{LINE};border-radius:4px;max-height:24em;overflow:auto"
BAR = "display:inline-block;height:8px;vertical-align:middle;border-radius:4px;overflow:hidden"
DIFF_COLOURS = {"+": "#2f91581f", "-": "#d64a421f"}
LEVELS = {
    "trace": "TRACE",
    "debug": "DEBUG",
    "info": "INFO",
    "warn": "WARNING",
    "warning": "WARNING",
    "error": "ERROR",
    "critical": "CRITICAL",
    "fatal": "CRITICAL",
}
QUIET = frozenset({"", "INFO"})


def text_in(value: object) -> str:
    """A text as displays have it: one, or its lines.

    Raises:
        TypeError: It is neither.
    """
    if is_list(value):
        return "".join(text_in(line) for line in value)
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _markdown(value: Mapping[str, Any]) -> Html:
    return tag("div", markdown(text_in(value["text"])), style=PROSE)


def _markdown_in_words(value: Mapping[str, Any]) -> str:
    return f"text: {text_in(value['text'])}"


def _code(value: Mapping[str, Any]) -> Html:
    text = text_in(value["text"])
    name, language = _name(value, "filename"), _name(value, "language")
    head = join(
        tag("code", name, style=NAME) if name else "",
        muted(join(language, _lines(text), between=" · ")),
        between=" ",
    )
    return join(tag("div", head), pre(text.removesuffix("\n")))


def _code_in_words(value: Mapping[str, Any]) -> str:
    text = text_in(value["text"])
    parts = [_name(value, "filename"), _name(value, "language"), _lines(text)]
    return f"code, {', '.join(one for one in parts if one)}"


def _json(value: Mapping[str, Any]) -> Html:
    written = as_json(value["value"], indent=2)
    if len(written) <= JSON_OPEN:
        return pre(written)
    return fold(_json_in_words(value), pre(written))


def _json_in_words(value: Mapping[str, Any]) -> str:
    held: object = value["value"]
    many = ""
    if is_dict(held):
        many = counted(len(held), "key")
    elif is_list(held):
        many = counted(len(held), "item")
    weight = size(len(as_json(value["value"]).encode(errors="replace")))
    return f"JSON, {f'{many} · ' if many else ''}{weight}"


def _log(value: Mapping[str, Any]) -> Html:
    lines = _log_lines(value)
    left = len(lines) - LAST_LINES
    said = [f"{level} {text}" if level not in QUIET else text for level, text in lines]
    head = f"Log · {counted(len(lines), 'line')}{_loud(lines)}"
    head += f"; the first {left:,} are left out" if left > 0 else ""
    return join(tag("div", muted(head)), pre("\n".join(said[-LAST_LINES:])))


def _log_in_words(value: Mapping[str, Any]) -> str:
    lines = _log_lines(value)
    last = f": {lines[-1][1]}" if lines else ""
    return f"log, {counted(len(lines), 'line')}{_loud(lines)}{last}"


def _log_lines(value: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Level and text of each line."""
    usual = _level(value.get("level"))
    if "lines" not in value:
        return [(usual, line) for line in text_in(value["text"]).splitlines()]
    if not is_list(value["lines"]):
        raise TypeError(value)
    return [
        (_level(one.get("level")) or usual, text_in(one["text"]))
        if is_dict(one)
        else (usual, text_in(one).removesuffix("\n"))
        for one in value["lines"]
    ]


def _level(said: object) -> str:
    return LEVELS.get(said.lower(), clipped(said, 20).upper()) if isinstance(said, str) else ""


def _loud(lines: Sequence[tuple[str, str]]) -> str:
    """`, 1 error, 2 warnings`; nothing where all went well."""
    errors = sum(level in ("ERROR", "CRITICAL") for level, _ in lines)
    warned = sum(level == "WARNING" for level, _ in lines)
    words = [counted(errors, "error")] if errors else []
    words += [counted(warned, "warning")] if warned else []
    return "".join(f", {one}" for one in words)


def _progress(value: Mapping[str, Any]) -> Html:
    fraction, words = _progress_parts(value)
    done = tag("span", style=f"{BAR};width:{fraction:.0%};background:#2f9158") if fraction else ""
    bar = tag("span", done, style=f"{BAR};width:160px;margin:0 10px 0 0;background:#8884")
    return tag("div", bar if fraction is not None else "", words)


def _progress_in_words(value: Mapping[str, Any]) -> str:
    return f"progress: {_progress_parts(value)[1]}"


def _progress_parts(value: Mapping[str, Any]) -> tuple[float | None, str]:
    """How much is done, and that in words: `Reading: 3 of 10 (30%)`."""
    done, most = _number(value.get("value")), _number(value.get("max"))
    fraction = _number(value.get("fraction"))
    label = clipped(str(value.get("label") or ""), NAME_WIDTH)
    if fraction is None and done is not None:
        fraction = done / (most or 1)
    if value.get("done") is True:
        fraction = 1.0
    elif fraction is None and "done" not in value and not label:
        raise ValueError("neither how much is done nor a label")
    part = None if fraction is None else min(max(fraction, 0.0), 1.0)
    parts = [f"{done:,.10g} of {most:,.10g}" if done is not None and most else ""]
    parts += [f"({part:.0%})" if parts[0] else f"{part:.0%}"] if part is not None else []
    parts += ["done"] if value.get("done") is True else []
    said = " ".join(one for one in parts if one)
    return part, f"{label}: {said}" if label and said else label or said


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def _diff(value: Mapping[str, Any]) -> Html:
    lines, words = _changes(value)
    name = _name(value, "name")
    head = join(tag("code", name, style=NAME) if name else "", muted(words), between=" ")
    drawn = [_change(line) for line in lines]
    body = tag("pre", *drawn, style=f"{BOX};padding:6px 0") if drawn else ""
    return join(tag("div", head), body)


def _change(line: str) -> Html:
    colour = DIFF_COLOURS.get(line[:1], "transparent")
    style = f"display:block;padding:0 8px;background:{colour};white-space:pre-wrap"
    return tag("span", f"{line}\n", style=style)


def _diff_in_words(value: Mapping[str, Any]) -> str:
    name, (_, words) = _name(value, "name"), _changes(value)
    return f"changes{f' to {name}' if name else ''}: {words}"


def _changes(value: Mapping[str, Any]) -> tuple[list[str], str]:
    """The changed lines with their surroundings, and in words how many there are."""
    before, after = text_in(value["before"]).splitlines(), text_in(value["after"]).splitlines()
    if before == after:
        return [], "no line differs"
    if max(len(before), len(after)) > DIFF_LINES:
        sides = f"{counted(len(before), 'line')} before, {len(after):,} after"
        return [], f"{sides}: too long to compare here"
    lines = list(difflib.unified_diff(before, after, n=CONTEXT, lineterm=""))[2:]
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return lines, f"{counted(added, 'line')} added, {removed:,} removed"


def _name(value: Mapping[str, Any], key: str) -> str:
    said = value.get(key)
    return clipped(said, NAME_WIDTH) if isinstance(said, str) else ""


def _lines(text: str) -> str:
    return counted(len(text.splitlines()), "line")


DRAWN: Mapping[str, Callable[[Mapping[str, Any]], Html]] = {
    "code": _code,
    "diff": _diff,
    "json": _json,
    "log": _log,
    "markdown": _markdown,
    "progress": _progress,
}
SAID: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "code": _code_in_words,
    "diff": _diff_in_words,
    "json": _json_in_words,
    "log": _log_in_words,
    "markdown": _markdown_in_words,
    "progress": _progress_in_words,
}
