"""A run as one HTML file: what a notebook keeps of it, as a page that asks nobody for anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.notebook.markup import Html, join, tag
from nbagents.notebook.saved import frozen_bundle
from nbagents.runs.wording import clipped, visible_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nbagents.notebook.saved import Opening
    from nbagents.runs.tree import Tree

LIMIT_BYTES: Final = 1_000_000
"""A file of its own may be larger than what a notebook keeps of each run."""
TITLE_WIDTH: Final = 80
META: Final = Html(
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:;'
    " media-src data:; style-src 'unsafe-inline' data:\">"
)
"""Even if something in the page were markup, it could ask nobody for anything."""
STYLE: Final = Html(
    ":root{color-scheme:light dark}"
    "body{margin:24px auto;max-width:960px;padding:0 16px;font:15px/1.5 system-ui,sans-serif}"
    "pre,code{font-family:ui-monospace,monospace;font-size:.93em}"
    "img,svg{max-width:100%;height:auto}"
    "table{border-collapse:collapse}"
)


def run_page(tree: Tree, run_id: str, *, opened: Opening = "errors") -> str:
    """A run as a page without scripts, of the same form as in the saved notebook.

    Args:
        tree: Runs by id.
        run_id: The run to draw.
        opened: Which calls are open at first.
    """
    run = tree["runs"][run_id]
    title = clipped(f"{visible_name(run['agent_name'])}: {run['prompt']}", TITLE_WIDTH)
    return runs_page([(tree, run_id)], title, opened=opened)


def runs_page(runs: Iterable[tuple[Tree, str]], title: str, *, opened: Opening = "errors") -> str:
    """Several runs as such a page, one below the other.

    Args:
        runs: Each by its tree and its id.
        title: What the page is called.
        opened: Which calls are open at first.
    """
    bundles = (
        frozen_bundle(tree, run_id, opened=opened, limit_bytes=LIMIT_BYTES) for tree, run_id in runs
    )
    drawn = [Html(str(bundle["text/html"])) for bundle in bundles]
    head = tag("head", META, tag("title", title), tag("style", STYLE))
    body = tag("body", tag("main", *drawn))
    return f"<!doctype html>\n{tag('html', join(head, body), lang='en')}\n"
