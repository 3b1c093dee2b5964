"""A run as HTML that needs no script, no style and no kernel: header, calls, map, answer."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.notebook.cut_texts import json_bytes, written_bytes
from nbagents.notebook.frozen_call import call_card, call_line, call_pictures, error_box, is_loud
from nbagents.notebook.frozen_cuts import LIMIT_BYTES, shorten
from nbagents.notebook.frozen_decided import asked_lines
from nbagents.notebook.frozen_head import Shortened, header, waiting_box
from nbagents.notebook.frozen_markdown import markdown
from nbagents.notebook.frozen_markup import LINE, Html, fold, join, muted, pre, tag
from nbagents.notebook.frozen_parts import Cut
from nbagents.notebook.frozen_pictures import draw, shown_payloads, stage_values
from nbagents.notebook.frozen_sources import sources_list
from nbagents.runs.tree.outcomes import came_to_nothing
from nbagents.runs.tree.people import handoff_in_words
from nbagents.runs.tree.words import REFUSED, answer_item, child_runs, clipped, counted, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.runs.tree.folding import CallNode, Item, RunNode, Tree
    from nbagents.runs.tree.nodes import AwaitNode

__all__ = ["Opening", "run_html"]

Opening: TypeAlias = Literal["errors", "data", "all", "none"]
"""Which calls are open at first: those that failed, also those with data, all, or none."""

UNTOUCHED = "nba-frozen tex2jax_ignore mathjax_ignore"
"""Two of these keep MathJax, which reads every output, from taking `$5 or $6` for a formula."""
ROWS = f"list-style:none;margin:0;padding:0;border:{LINE};border-radius:6px"
ROW = "margin:0;padding:5px 10px"
LATER_ROW = f"{ROW};border-top:{LINE}"
CHILD = "margin:6px 0;padding:2px 0 0 12px;border-left:2px solid #8886"
QUIET_ROWS = 5
"""More rows than this in a stretch, and the rest of it is folded."""
SHARED_WIDTH = 300
CALL_BYTES = 1_000
"""A call that opens takes at least about this much HTML."""
TRIES = 3
"""How often a page that is too large is written anew, shorter each time."""


def run_html(
    tree: Tree,
    root_id: str,
    cuts: Sequence[Cut] = (),
    *,
    opened: Opening = "errors",
    limit_bytes: int = LIMIT_BYTES,
) -> Html:
    """A run and the runs inside it.

    Args:
        tree: Runs by id.
        root_id: The run to draw.
        cuts: What was shortened in `tree`; said under the header.
        opened: Which calls are open at first.
        limit_bytes: About how large the HTML may be. Above it the calls that are folded away take
            a line each, then texts are cut further than in the tree; every call always stays.
    """
    calls = sum(len(run["calls"]) for run in tree["runs"].values())
    if calls * CALL_BYTES <= limit_bytes:
        html = _page(Page(tree=tree, opened=opened), root_id, Shortened(cuts=cuts))
        if written_bytes(html) <= limit_bytes:
            return html
    brief = Page(tree=tree, opened=opened, is_brief=True)
    html = _page(brief, root_id, Shortened(cuts=cuts))
    room_bytes = json_bytes(tree)
    for _ in range(TRIES):
        if (taken_bytes := written_bytes(html)) <= limit_bytes:
            break
        room_bytes = room_bytes * limit_bytes // taken_bytes
        less = deepcopy(tree)
        more = shorten(less, root_id, limit_bytes=room_bytes)
        if not more:
            break
        shortened = Shortened(cuts=cuts, only_here=more)
        html = _page(replace(brief, tree=less), root_id, shortened)
    return html


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is drawn, and how much of it."""

    tree: Tree
    opened: Opening
    is_brief: bool = False
    """Whether calls that are folded away do not open."""


def _page(page: Page, root_id: str, shortened: Shortened) -> Html:
    drawn = _run(page, page.tree["runs"][root_id], frozenset(), shortened)
    return tag("div", drawn, **{"class": UNTOUCHED, "style": "max-width:960px;line-height:1.5"})


def _run(page: Page, run: RunNode, above: frozenset[str], shortened: Shortened) -> Html:
    """One run; `above` are the runs it stands in, so that a circle ends."""
    failure = run["failure"]
    return join(
        header(page.tree, run, shortened),
        Html() if above else waiting_box(page.tree, run),
        _shared(run),
        error_box(failure) if failure else "",
        _rows(page, run, above | {run["id"]}),
        *(line for one in _closed(run) for line in asked_lines(one)),
        *(one for kind, value in stage_values(run).items() if (one := draw(kind, value))),
        tag("div", markdown(run["text"]), style="margin:10px 0 0") if run["text"] else "",
        tag("p", muted(REFUSED), style="margin:4px 0 0") if run["refused"] else "",
        sources_list(run["citations"]) if run["text"] else "",
    )


def _closed(run: RunNode) -> list[AwaitNode]:
    """What a person was asked that no one call waited for."""
    return [one for one in run["awaits"] if one["outcome"] and one["call_id"] is None]


def _shared(run: RunNode) -> Html:
    """What was handed over with the prompt, a line each."""
    lines = [tag("li", clipped(one, SHARED_WIDTH)) for one in run["shared"]]
    if not lines:
        return Html()
    listed = tag("ul", *lines, style="list-style:none;margin:0;padding:0 0 0 16px")
    return tag("div", "Shared:", listed, style="margin:0 0 6px;opacity:0.75;font-size:0.92em")


def _rows(page: Page, run: RunNode, above: frozenset[str]) -> Html:
    """What was said and called, in order; the answer comes later."""
    answer = answer_item(run)
    items = [item for place, item in enumerate(run["items"]) if place != answer]
    rows: list[Html] = []
    for quiet, together in groupby(items, lambda item: _is_quiet(page, run, item)):
        stretch = list(together)
        shown = _shown(len(stretch), is_brief=page.is_brief and len(above) > 1) if quiet else None
        rows += [_item(page, run, item, above) for item in stretch[:shown]]
        if shown is not None and stretch[shown:]:
            rows.append(_more(page, run, stretch[shown:], above))
    return _listed(rows) if rows else Html()


def _shown(count: int, *, is_brief: bool) -> int:
    """How many of a stretch of quiet rows are not folded away."""
    if is_brief:
        return 0
    return count if count <= QUIET_ROWS else QUIET_ROWS - 1


def _more(page: Page, run: RunNode, items: Sequence[Item], above: frozenset[str]) -> Html:
    """Calls folded away; of very many, one line each."""
    if not page.is_brief:
        body = _listed([_item(page, run, item, above) for item in items], margin="4px 0")
        return fold(f"… {len(items)} more", body, head="opacity:0.75")
    calls = [run["calls"][item["call_id"]] for item in items if item["type"] == "call"]
    lines = tag("ul", *(tag("li", _line(page, run, call, above)) for call in calls))
    is_all = len(items) == len(run["calls"])
    said = counted(len(items), "call") if is_all else f"… {len(items)} more"
    return fold(f"{said}, in one line each", lines, head="opacity:0.75")


def _line(page: Page, run: RunNode, call: CallNode, above: frozenset[str]) -> Html:
    children = _children(page, call, above)
    row = call_line(page.tree, call, run)
    line = fold(row, *children) if children else row
    return join(line, *call_pictures(call))


def _listed(rows: Sequence[Html], *, margin: str = "0") -> Html:
    lines = [tag("li", row, style=LATER_ROW if place else ROW) for place, row in enumerate(rows)]
    return tag("ul", *lines, style=ROWS.replace("margin:0", f"margin:{margin}"))


def _is_quiet(page: Page, run: RunNode, item: Item) -> bool:
    if item["type"] != "call":
        return False
    call = run["calls"][item["call_id"]]
    return call["status"] != "waiting" and not came_to_nothing(page.tree, run, call)


def _item(page: Page, run: RunNode, item: Item, above: frozenset[str]) -> Html:
    if item["type"] == "call":
        return _call(page, run, run["calls"][item["call_id"]], above)
    if item["type"] == "handoff":
        return muted(sentence(handoff_in_words(item)))
    if item["type"] == "text":
        return tag("div", markdown(item["text"]), style="margin-bottom:-6px")
    return fold(
        join("Thought: ", tag("em", clipped(item["text"], 90))),
        pre(item["text"]),
        head="opacity:0.75",
    )


def _call(page: Page, run: RunNode, call: CallNode, above: frozenset[str]) -> Html:
    opened = _is_opened(page, run, call, above)
    children = _children(page, call, above)
    return call_card(page.tree, call, run, children, opened=opened)


def _is_opened(page: Page, run: RunNode, call: CallNode, above: frozenset[str]) -> bool:
    if page.opened in ("all", "none"):
        return page.opened == "all"
    if page.opened == "data" and any(shown_payloads(call)):
        return True
    children = [one for one in child_runs(page.tree, call) if one["id"] not in above]
    return is_loud(call) or _is_all(run) or any(one["status"] == "failed" for one in children)


def _children(page: Page, call: CallNode, above: frozenset[str]) -> list[Html]:
    children = [one for one in child_runs(page.tree, call) if one["id"] not in above]
    return [tag("div", _run(page, one, above, Shortened()), style=CHILD) for one in children]


def _is_all(run: RunNode) -> bool:
    """Whether one call is all that there is to see, as of a call made by hand."""
    return len(run["items"]) == 1 and not stage_values(run)
