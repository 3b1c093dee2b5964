"""The first edition of the run view, as a newcomer went through it, by pictures only.

The page has changed since: these strategies run on the commit that `first_view.json` names, and are
kept beside the figures that were measured there.
"""

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

NEW_CELL = Step("click", "Below the last cell one makes a new one", "css=.jp-Notebook-footer")
RUN_CELL = Step("press", "Run it", "Shift+Enter")
COPY = Step("click", "Python it is, then", "role=button[name=/^Copy as Python/] >> nth=-1")
INTO_IT = Step("click", "Into it", "css=.jp-Cell .cm-content >> nth=-1")
PASTE = Step("paste", "The call")


def row(tool: str) -> str:
    """The selector of a call's line."""
    return f"role=button[name=/^{tool}, /]"


STRATEGIES = {
    "slowest": Strategy(
        (
            Step("read", "load_archive took longest, 2.5 s; but the last line ends later", times=4),
            Step("click", "302 ms only, and its blue line begins late: why?", row("compute_index")),
            Step("read", "Arguments, result: nothing about time", times=5),
            Step("click", "Perhaps here", "text=Details"),
            Step("scroll", "It goes on below"),
            Step("read", "Started at …:49, took 0.3 s: not when it was asked for", times=12),
            Step("click", "When did the long one start?", row("load_archive")),
            Step("click", "Its details", "text=Details >> nth=0"),
            Step("scroll", "Below again"),
            Step("read", "The same minute; nothing says what waited for what", times=12),
        ),
        "given up",
    ),
    "saw": Strategy(
        (
            Step("read", "The failed call stands open: the order is wrong", times=10),
            Step("click", "Where did it have that from?", "text=Details"),
            Step("scroll", "Below the edge of the window"),
            Step("read", "Asked for in step 4; it cannot be clicked", times=6),
            Step("scroll", "Back to the top: there were icons", times=-1),
            Step("hover", "What is the pencil?", "role=button[name=/^Edit and re-run/]"),
            Step("hover", "And the eye?", "role=button[name=/^What the model saw/]"),
            Step("click", "That is it", "role=button[name=/^What the model saw/]"),
            Step("click", "The call was of step 4", "text=/^Step 4/"),
            Step("read", "Rules for parcels: no orders here", times=6),
            Step("click", "What came before", "text=/messages as before/"),
            Step("read", "So it was told of 3 rows, and saw none", times=12),
        )
    ),
    "approved": Strategy(
        (
            Step("read", "Approved by the person, with other arguments: which?", times=4),
            Step("click", "Open it", row("delete_files")),
            Step("read", "30 became 365", times=12),
        )
    ),
    "failed": Strategy((Step("read", "It stands there, open, with the error", times=16),)),
    "row": Strategy(
        (
            Step("read", "A table, no numbers of rows", times=4),
            Step("scroll", "Further down in it", "role=cell[name='S-5865']", times=2),
            Step("read", "50 of 100,000 rows; the others were not saved", times=3),
            Step("click", "Perhaps the line opens all of it", row("load_readings")),
            Step("click", "There is more?", "text=table as JSON"),
            Step("read", "Its columns and 50 rows as JSON", times=10),
            COPY,
            NEW_CELL,
            INTO_IT,
            PASTE,
            Step("type", "A DataFrame, so", ".iloc[57000]"),
            RUN_CELL,
            Step("read", "The code is there", times=3),
        ),
        "in Python",
    ),
    "last": Strategy(
        (
            Step("click", "What did it print?", row("train")),
            Step("end", "To its end", "text=/epoch +5 /"),
            Step("read", "It ends long before epoch 5000", times=3),
            Step("click", "All, then", "text=/Show all that is here/"),
            Step("end", "To its end", "css=.nba-stdout"),
            Step("read", "It stops at epoch 946, in mid-line", times=3),
            Step("click", "Left out: where is it?", "text=/Shortened in 1 place/"),
            Step("read", "The log has more: which log?", times=2),
            COPY,
            NEW_CELL,
            INTO_IT,
            PASTE,
            RUN_CELL,
            Step("end", "To the end of the cell"),
            Step("read", "Trained a second time, to read one line", times=3),
        ),
        "in Python",
    ),
    "differ": Strategy(
        (
            Step("read", "×2 implicit, explicit: of what?", times=1),
            Step("click", "Both", "role=button[name=/^simulate/]"),
            Step("read", "Both lines begin alike and are cut", times=2),
            Step("click", "The first", "role=button[name=/^simulate/] >> nth=1"),
            Step("read", "Remember eleven values and a result", times=14),
            Step("click", "The second", "role=button[name=/^simulate/] >> nth=2"),
            Step("scroll", "It opened below the window"),
            Step("read", "Compare from memory: solver, and stable", times=14),
            Step("scroll", "Was the first really true? Back", times=-1),
            Step("read", "Yes", times=2),
        )
    ),
    "python": Strategy(
        (
            Step("click", "This call", row("yield_of")),
            COPY,
            NEW_CELL,
            INTO_IT,
            PASTE,
            RUN_CELL,
            Step("read", "It gives the same", times=1),
        )
    ),
    "day": Strategy(
        (
            Step("read", "Two went well; tokens are said, money is not", times=6),
            Step("scroll", "On"),
            Step("read", "index failed; review has 92k tokens", times=8),
            Step("scroll", "Was that all?"),
            Step("scroll", "Back, to compare the tokens of all", times=-2),
            Step("read", "review it is, if tokens are what costs", times=5),
        )
    ),
    "deep": Strategy(
        (
            Step("read", "No index here; the planner was asked", times=2),
            *(
                Step("click", "The next one below", row(f"ask_{name}"))
                for name in ("planner", "builder", "surveyor", "economist", "archivist")
            ),
            Step("scroll", "It opened below the window"),
            Step("read", "The index, for Vestland in 2021", times=3),
        )
    ),
}
