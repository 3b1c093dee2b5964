"""The second edition of the run view, as a newcomer went through it, by pictures only."""

from __future__ import annotations

from benchmarks.usability.steps import Step, Strategy

__all__ = ["PREPARATIONS", "STRATEGIES"]

PREPARATIONS = {
    "approved": (
        Step("click", "Edit", "role=button[name=/^Edit…/]"),
        Step("click", "The field", "role=textbox[name=/older_than_days/]"),
        Step("press", "All of it", "Control+a"),
        Step("type", "More days", "365"),
        Step("click", "Allow", "role=button[name=/^Approve with these/]"),
    )
}
"""What a person did while the run went on; it does not count."""


def row(tool: str) -> str:
    """The selector of a call's line."""
    return f"role=button[name=/^{tool}, /]"


STRATEGIES = {
    "slowest": Strategy(
        (
            Step("read", "compute_index ended last, and most of its bar is hatched", times=4),
            Step("hover", "What is hatched?", "css=li:has-text('compute_index') .nba-fall"),
            Step("read", "It waited, and ran for 0.3 s; meanwhile load_archive ran", times=2),
        )
    ),
    "saw": Strategy(
        (
            Step("read", "The order is wrong, though the table above has the right one", times=10),
            Step("click", "What did the model have of that table?", row("list_orders")),
            Step("read", "As the model saw it: 3 rows, and none of them", times=4),
        )
    ),
    "approved": Strategy(
        (
            Step("read", "Approved by you, with other arguments: 365, and before?", times=5),
            Step("click", "Open it", row("delete_files")),
            Step("read", "30 became 365", times=8),
        )
    ),
    "failed": Strategy((Step("read", "It stands there, open, with the error", times=10),)),
    "row": Strategy(
        (
            Step("read", "A table with an index, and below it Go to row", times=3),
            Step("click", "There", "role=spinbutton[name=/Go to row/]"),
            Step("type", "The row", "57000"),
            Step("press", "Go", "Enter"),
            Step("read", "It shows 56999, as the last one: one off", times=1),
            Step("click", "The next ones, then", "role=button[name=/^Rows after/]"),
            Step("read", "57000 is the first", times=1),
        )
    ),
    "last": Strategy(
        (
            Step("click", "What did it print?", row("train")),
            Step("scroll", "To its end"),
            Step("read", "The last line", times=3),
        )
    ),
    "differ": Strategy(
        (
            Step("read", "×2 implicit, explicit: of what?", times=1),
            Step("click", "Both", "role=button[name=/^simulate/]"),
            Step("read", "The solver; what came of it is cut off", times=2),
            Step("click", "The first", "role=button[name=/^simulate/] >> nth=1"),
            Step("read", "Stable", times=14),
            Step("click", "The second", "role=button[name=/^simulate/] >> nth=2"),
            Step("read", "Not stable", times=14),
        )
    ),
    "python": Strategy(
        (
            Step("click", "This call", row("yield_of")),
            Step("click", "Python it is", "role=button[name=/^Copy as Python/] >> nth=-1"),
            Step("click", "Below the last cell one makes a new one", "css=.jp-Notebook-footer"),
            Step("click", "Into it", "css=.jp-Cell .cm-content >> nth=-1"),
            Step("paste", "The call"),
            Step("press", "Run it", "Shift+Enter"),
            Step("read", "It gives the same", times=1),
        )
    ),
    "day": Strategy(
        (
            Step("read", "Where are quarks? failed; tokens are said, 20k at most so far", times=6),
            Step("scroll", "On"),
            Step("read", "review has 92k; nothing below it", times=4),
        )
    ),
    "deep": Strategy((Step("read", "All levels are there; the lowest is the index", times=13),)),
}
