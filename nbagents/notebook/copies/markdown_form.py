"""A run as Markdown: what was asked, each call with what came of it, and the answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.runs.wording import (
    CALL_STATUS,
    CALLED_BY_HAND,
    KEPT,
    REFUSED,
    RUN_STATUS,
    answer_item,
    answer_of,
    branch_in_words,
    call_in_words,
    call_time,
    child_runs,
    clipped,
    edit_in_words,
    edits_of,
    handoff_in_words,
    is_by_hand,
    outcome_of,
    preview,
    replayed_in_words,
    run_time,
    sentence,
    sources_of,
    visible,
    visible_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.runs.tree import CallNode, Item, RunNode, Tree

INDENT = "   "
CALL_WIDTH = 200
RESULT_WIDTH = 300
NAME_WIDTH = 80


def run_markdown(tree: Tree, run_id: str) -> str:
    """A run as Markdown. What tools wrote stands in code, so that it can be no link or picture.

    Args:
        tree: Runs by id.
        run_id: The run to write.
    """
    run = tree["runs"][run_id]
    parts = [
        f"## {_head(run)}",
        _figures(tree, run),
        _quoted(run["prompt"]),
        "\n".join(f"- {_plain_line(edit_in_words(one))}" for one in edits_of(run)),
        "\n".join(_lines(tree, run, "", frozenset({run_id}))),
        visible(answer_of(run)).strip(),
        f"*{REFUSED}*" if run["refused"] else "",
        "\n".join(_sources(run)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(run: RunNode) -> str:
    if is_by_hand(run):
        return sentence(CALLED_BY_HAND)
    name, model = visible_name(run["agent_name"]), run["model"]
    return f"{_plain(name)} ({_plain(model)})" if model else _plain(name)


def _figures(tree: Tree, run: RunNode) -> str:
    came = outcome_of(tree, run)
    left = run["forked_from"]
    how = [branch_in_words(left) if left else "", replayed_in_words(tree, run)]
    said = [sentence(came.words), came.calls, run_time(tree, run), *how]
    return f"*{_plain(', '.join(one for one in said if one))}*"


def _quoted(prompt: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in visible(prompt).strip().split("\n") if prompt)


def _lines(tree: Tree, run: RunNode, indent: str, above: frozenset[str]) -> Iterator[str]:
    """A numbered line for each call, what was said in between, and why the run failed."""
    answer, number = answer_item(run), 0
    for place, item in enumerate(run["items"]):
        if place == answer or item["type"] == "thought":
            continue
        if item["type"] != "call":
            yield f"{indent}- {_said(item)}"
            continue
        number += 1
        yield from _call(tree, run, run["calls"][item["call_id"]], f"{indent}{number}. ", above)
    if failure := run["failure"]:
        yield f"{indent}- {_ended(run)}: {_code(clipped(failure['message'], RESULT_WIDTH))}"


def _call(
    tree: Tree, run: RunNode, call: CallNode, mark: str, above: frozenset[str]
) -> Iterator[str]:
    gave = preview(call, RESULT_WIDTH)
    time = call_time(tree, run, call)
    state = "" if call["status"] == "done" else f" *{CALL_STATUS[call['status']].lower()}*"
    result = f" → {_code(gave)}" if gave else ""
    took = f" ({time})" if time else ""
    took += f" *{KEPT}*" if call.get("kept") else ""
    yield f"{mark}{_code(call_in_words(call, CALL_WIDTH))}{state}{result}{took}"
    indent = " " * len(mark)
    for edit in edits_of(run, call["id"]):
        yield f"{indent}- {_plain_line(edit_in_words(edit))}"
    for child in child_runs(tree, call):
        if child["id"] in above:
            continue
        yield f"{indent}- {_head(child)}: {_figures(tree, child)}"
        yield from _lines(tree, child, indent + INDENT, above | {child["id"]})


def _ended(run: RunNode) -> str:
    return sentence(RUN_STATUS[run["status"]])


def _said(item: Item) -> str:
    if item["type"] == "handoff":
        return _plain(sentence(handoff_in_words(item)))
    return clipped(item["text"], RESULT_WIDTH) if item["type"] == "text" else ""


def _sources(run: RunNode) -> Iterator[str]:
    """The sources of the answer, their addresses as one sees them."""
    for number, source in enumerate(sources_of(run["citations"]), 1):
        said = [visible(one) for one in (source.title, source.url) if one]
        yield f"{number}. {' '.join(_code(one) for one in dict.fromkeys(said))}"


def _plain(text: str) -> str:
    """A text on one line in which Markdown finds nothing to act on."""
    return _plain_line(clipped(text, NAME_WIDTH * 2))


def _plain_line(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|!~])", r"\\\1", clipped(visible(text), CALL_WIDTH * 2))


def _code(text: str) -> str:
    """A text on one line as code, in as many backticks as it needs."""
    longest = max((len(one) for one in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
