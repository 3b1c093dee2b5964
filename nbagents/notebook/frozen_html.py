"""A run as HTML that needs no script, no style and no kernel: header, calls, map, answer."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from nbagents.notebook.frozen_call import (
    GREEN,
    GREY,
    RED,
    call_card,
    call_line,
    error_box,
    is_loud,
    mark,
)
from nbagents.notebook.frozen_cuts import Cut, answer_item
from nbagents.notebook.frozen_markdown import markdown
from nbagents.notebook.frozen_markup import LINE, Html, fold, join, muted, pre, table, tag, unstyled
from nbagents.notebook.frozen_pictures import draw, stage_values
from nbagents.notebook.frozen_sources import sources_list
from nbagents.notebook.frozen_words import (
    REFUSED,
    RUN_STATUS,
    child_runs,
    clipped,
    counted,
    duration,
    family,
    run_duration_ms,
    tokens,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import RunStatus
    from nbagents.runs.tree import CallNode, Item, RunNode, Tree

__all__ = ["run_html"]

UNTOUCHED = "nba-frozen tex2jax_ignore mathjax_ignore"
"""Two of these keep MathJax, which reads every output, from taking `$5 or $6` for a formula."""
ROWS = f"list-style:none;margin:0;padding:0;border:{LINE};border-radius:6px"
ROW = "margin:0;padding:5px 10px"
LATER_ROW = f"{ROW};border-top:{LINE}"
CHILD = "margin:6px 0;padding:2px 0 0 12px;border-left:2px solid #8886"
COLOURS = {"completed": GREEN, "failed": RED, "denied": RED}
QUIET_ROWS = 5
"""More rows than this in a stretch, and the rest of it is folded."""
CUTS_NAMED = 100
SHARED_WIDTH = 300
FULL_CALLS = 40
"""In a run of more calls than this, those that are folded away do not open."""


def run_html(tree: Tree, root_id: str, cuts: Sequence[Cut] = ()) -> Html:
    """A run and the runs inside it.

    Args:
        tree: Runs by id.
        root_id: The run to draw.
        cuts: What was shortened in `tree`; said under the header.
    """
    drawn = _run(tree, tree["runs"][root_id], frozenset(), cuts)
    return tag("div", drawn, **{"class": UNTOUCHED, "style": "max-width:960px;line-height:1.5"})


def _run(tree: Tree, run: RunNode, above: frozenset[str], cuts: Sequence[Cut] = ()) -> Html:
    """One run; `above` are the runs it stands in, so that a circle ends."""
    failure = run["failure"]
    return join(
        _header(tree, run, above, cuts),
        _shared(run),
        error_box(failure) if failure else "",
        _rows(tree, run, above | {run["id"]}),
        *(one for kind, value in stage_values(run).items() if (one := draw(kind, value))),
        _answer(run),
        tag("p", muted(REFUSED), style="margin:4px 0 0") if run["refused"] else "",
        sources_list(run["citations"]) if run["text"] else "",
    )


def _shared(run: RunNode) -> Html:
    """What was handed over with the prompt, a line each."""
    lines = [tag("li", clipped(one, SHARED_WIDTH)) for one in run["shared"]]
    if not lines:
        return Html()
    listed = tag("ul", *lines, style="list-style:none;margin:0;padding:0 0 0 16px")
    return tag("div", "Shared:", listed, style="margin:0 0 6px;opacity:0.75;font-size:0.92em")


def _header(tree: Tree, run: RunNode, above: frozenset[str], cuts: Sequence[Cut]) -> Html:
    figures = [
        duration(run_duration_ms(run)),
        counted(len(run["calls"]), "call") if run["calls"] else "",
        tokens(tree, run),
        _shortened(cuts),
    ]
    line = join(
        tag("strong", run["agent_name"]),
        " ",
        _pill(run["status"]),
        unstyled(" ·"),
        " ",
        muted(join(run["model"], *figures, between=" · ")),
    )
    asked = tag("p", tag("em", clipped(run["prompt"], 300)), style="margin:0 0 4px")
    facts = fold(line, table(_facts(tree, run)), _cut_list(cuts), style="margin:0 0 6px")
    return join(facts, asked if above and run["prompt"] else "")


def _pill(status: RunStatus) -> Html:
    colour = COLOURS.get(status, GREY)
    words = join(mark(status), " ", RUN_STATUS.get(status, status))
    style = f"padding:1px 8px;border:1px solid {colour};border-radius:10px;background:{colour}1a"
    return tag("span", words, style=f"{style};font-size:0.92em")


def _facts(tree: Tree, run: RunNode) -> list[list[str]]:
    usage = run["usage"]
    cached = f", {usage['cached_tokens']:,} cached" if usage["cached_tokens"] else ""
    spent = f"{usage['input_tokens']:,} in{cached}, {usage['output_tokens']:,} out"
    inside = len(family(tree, run)) - 1
    spent += f"; {tokens(tree, run)} with {counted(inside, 'run')} inside" if inside else ""
    rows: list[list[str]] = [
        ["Asked", tag("span", run["prompt"], style="white-space:pre-wrap")],
        ["Model", join(run["model"], f", {counted(usage['requests'], 'request')}")],
        ["Tokens", spent if usage["input_tokens"] or usage["output_tokens"] else ""],
        ["Tools", join(*(tag("code", name) for name in run["tools"]), between=", ")],
        ["Branch of", run["forked_from"] or ""],
        ["Run", tag("code", run["id"])],
    ]
    return [row for row in rows if row[1]]


def _shortened(cuts: Sequence[Cut]) -> str:
    return f"shortened in {counted(len(cuts), 'place')}" if cuts else ""


def _cut_list(cuts: Sequence[Cut]) -> Html:
    if not cuts:
        return Html()
    lines = [tag("li", cut["text"]) for cut in cuts[:CUTS_NAMED]]
    if len(cuts) > CUTS_NAMED:
        lines.append(tag("li", f"{len(cuts) - CUTS_NAMED:,} more, each named in the saved JSON"))
    said = tag("p", "To keep the notebook small, the saved run was shortened:", style="margin:0")
    return join(said, tag("ul", *lines, style="margin:0 0 8px;padding-left:24px"))


def _rows(tree: Tree, run: RunNode, above: frozenset[str]) -> Html:
    """What was said and called, in order; the answer comes later."""
    answer = answer_item(run)
    items = [item for place, item in enumerate(run["items"]) if place != answer]
    rows: list[Html] = []
    for quiet, together in groupby(items, lambda item: _is_quiet(run, item)):
        stretch = list(together)
        shown = QUIET_ROWS - 1 if quiet and len(stretch) > QUIET_ROWS else len(stretch)
        rows += [_item(tree, run, item, above) for item in stretch[:shown]]
        if stretch[shown:]:
            rows.append(_more(tree, run, stretch[shown:], above))
    return tag("ul", *_listed(rows), style=ROWS) if rows else Html()


def _more(tree: Tree, run: RunNode, items: Sequence[Item], above: frozenset[str]) -> Html:
    """Calls folded away; of very many, one line each."""
    if len(run["calls"]) <= FULL_CALLS:
        rest = [_item(tree, run, item, above) for item in items]
        body = tag("ul", *_listed(rest), style=f"{ROWS};margin:4px 0")
        return fold(f"… {len(items)} more", body, head="opacity:0.75")
    calls = [run["calls"][item["call_id"]] for item in items if item["type"] == "call"]
    lines = tag("ul", *(tag("li", call_line(call)) for call in calls))
    return fold(f"… {len(items)} more, in one line each", lines, head="opacity:0.75")


def _listed(rows: Sequence[Html]) -> list[Html]:
    return [tag("li", row, style=LATER_ROW if place else ROW) for place, row in enumerate(rows)]


def _is_quiet(run: RunNode, item: Item) -> bool:
    if item["type"] != "call":
        return False
    call = run["calls"][item["call_id"]]
    return not is_loud(call) and call["status"] != "waiting"


def _item(tree: Tree, run: RunNode, item: Item, above: frozenset[str]) -> Html:
    if item["type"] == "call":
        return _call(tree, run, run["calls"][item["call_id"]], above)
    if item["type"] == "text":
        return tag("div", markdown(item["text"]), style="margin-bottom:-6px")
    return fold(
        join("Thought: ", tag("em", clipped(item["text"], 90))),
        pre(item["text"]),
        head="opacity:0.75",
    )


def _call(tree: Tree, run: RunNode, call: CallNode, above: frozenset[str]) -> Html:
    children = [one for one in child_runs(tree, call) if one["id"] not in above]
    drawn = [tag("div", _run(tree, child, above), style=CHILD) for child in children]
    opened = is_loud(call) or _is_all(run) or any(one["status"] == "failed" for one in children)
    return call_card(call, run, drawn, opened=opened)


def _is_all(run: RunNode) -> bool:
    """Whether one call is all that there is to see, as of a call made by hand."""
    return len(run["items"]) == 1 and not stage_values(run)


def _answer(run: RunNode) -> Html:
    return tag("div", markdown(run["text"]), style="margin:10px 0 0") if run["text"] else Html()
