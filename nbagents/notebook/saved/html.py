"""A run as HTML that needs no script and no kernel: what was asked, the answer, what happened.

It has the order, the rows and the words of the live view, and reads the same where all styles are
lost.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.notebook.kinds import draw, stage_values
from nbagents.notebook.markup import Html, join, json_bytes, muted, tag, written_bytes
from nbagents.notebook.saved.cuts import LIMIT_BYTES, shorten
from nbagents.notebook.saved.head import Shortened, header, waiting_box
from nbagents.notebook.saved.line import scale_of
from nbagents.notebook.saved.look import BOX, UNTOUCHED, style_sheet
from nbagents.notebook.saved.rows import Opening, Page, came_to, what_happened
from nbagents.runs.wording import (
    clipped,
    effective_guardrails,
    family,
    guardrail_in_words,
    sentence,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.notebook.saved.parts import Cut
    from nbagents.runs.tree import RunNode, Tree

SHARED_WIDTH = 300
CALL_BYTES = 1_000
"""A call that opens takes at least about this much HTML."""
SPARE_BYTES = 500
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
    page = Page(tree=tree, opened=opened, scale=scale_of(tree["runs"][root_id]))
    if calls * CALL_BYTES <= limit_bytes:
        html = _page(page, root_id, Shortened(cuts=cuts))
        if written_bytes(html) <= limit_bytes:
            return html
    brief = replace(page, is_brief=True)
    html = _page(brief, root_id, Shortened(cuts=cuts))
    room_bytes = json_bytes(tree)
    for _ in range(TRIES):
        if (taken_bytes := written_bytes(html)) <= limit_bytes:
            break
        room_bytes = room_bytes * (limit_bytes - SPARE_BYTES) // taken_bytes
        less = deepcopy(tree)
        more = shorten(less, root_id, limit_bytes=room_bytes)
        if not more:
            break
        shortened = Shortened(cuts=cuts, only_here=more)
        html = _page(replace(brief, tree=less, telling={}), root_id, shortened)
    return html


def _page(page: Page, root_id: str, shortened: Shortened) -> Html:
    run = page.tree["runs"][root_id]
    came = join(came_to(run), _guardrails(run))
    card = tag(
        "div",
        header(page.tree, run, shortened),
        _shared(run),
        waiting_box(page.tree, run),
        tag("div", came, **{"class": "nf-came"}) if came else "",
        *_stages(page.tree, run),
        what_happened(page, run),
        **{"class": "nf-card"},
    )
    return tag("div", style_sheet(), card, style=BOX, **{"class": UNTOUCHED})


def _stages(tree: Tree, run: RunNode) -> list[Html]:
    """What the calls of each run share, such as its map, as they have left it."""
    drawn = [
        draw(kind, value) for one in family(tree, run) for kind, value in stage_values(one).items()
    ]
    return [tag("div", one, **{"class": "nf-stage"}) for one in drawn if one]


def _guardrails(run: RunNode) -> Html:
    said = [guardrail_in_words(one) for one in effective_guardrails(run["guardrails"])]
    return join(*(tag("p", muted(sentence(one)), style="margin:4px 0 0") for one in said))


def _shared(run: RunNode) -> Html:
    """What was handed over with the prompt, a line each."""
    lines = [tag("li", clipped(one, SHARED_WIDTH)) for one in run["shared"]]
    if not lines:
        return Html()
    listed = tag("ul", *lines, style="list-style:none;margin:0;padding:0 0 0 16px")
    style = "margin:0 0 6px;opacity:0.75;font-size:0.92em"
    return tag("div", "Shared:", listed, style=style, **{"class": "nf-said"})
