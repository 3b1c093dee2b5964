"""What the user selects in a table: news for the model, also when its run is over."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from nbagents_widgets.frontend import keep_own_subshell

from nbagents.notebook.kinds.frame_requests import answer, is_selection, table_call
from nbagents.tools.values import kept_frame

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.runs.state import Run
    from nbagents.tools.values import FramePages

ROWS_TOLD: Final = 5
COLUMNS_TOLD: Final = 6
LONGEST: Final = 1_200
MOST_RUNS: Final = 1_000
GONE: Final = "This table is of another kernel, which has ended. Run the cell again for all of it."

_ended: Final[dict[str, Callable[[], Run | None]]] = {}
"""The runs that were shown here; the newest last."""
_lock: Final = threading.Lock()


def answer_table(run: Run | None, question: JsonValue) -> JsonValue:
    """Answer a table's view; what the user has selected is told to the model, too.

    Args:
        run: Whose table it is, if that is still known.
        question: See `frame_requests.answer`.
    """
    given = answer(question)
    if run is not None and is_selection(question) and isinstance(question, dict):
        source = str(question["source"])
        pages, tool = kept_frame(source), table_call(run.tree(), source)
        run.notice(selection_words(pages, tool), key=f"table {source}")
    return given


def stay(run: Run) -> None:
    """Answer for the tables of a run that has ended, for as long as the kernel lives."""
    with _lock:
        _ended[run.id] = weakref.ref(run)
        for old in [*islice(_ended, max(0, len(_ended) - MOST_RUNS))]:
            del _ended[old]


def answer_page(comm: Any, opening: Mapping[str, Any]) -> None:  # Any: a comm, and JSON
    """Answer the saved view of a run, for as long as it is there; `comm`: who asks."""
    run_id = str(_data(opening).get("run_id"))
    keep_own_subshell(comm)

    def answer_one(message: Mapping[str, Any]) -> None:
        asked = _data(message)
        comm.send({"type": "answer", "id": asked.get("id"), **_said(run_id, asked)})

    comm.on_msg(answer_one)


def _said(run_id: str, asked: Mapping[str, Any]) -> dict[str, JsonValue]:
    known = _ended.get(run_id)
    try:
        if known is None:
            return {"error": GONE}
        return {"value": answer_table(known(), asked.get("question"))}
    except Exception as error:  # noqa: BLE001  the page is told, whatever it was
        return {"error": str(error) or type(error).__name__}


def _data(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return message.get("content", {}).get("data", {})


def selection_words(pages: FramePages, tool: str) -> str:
    """What is selected, as a sentence for a model."""
    chosen, total = pages.selection, pages.total
    where = f"In the table of {tool}, the user"
    if not chosen.rows:
        return f"{where} has nothing selected any more."
    many = len(chosen.rows)
    rows = f"{many:,} of {total:,} rows" if many != total else f"all {total:,} rows"
    part = chosen.columns if len(chosen.columns) < pages.width else ()
    cells = f"{_names(pages, part)} in " if part else ""
    columns = (chosen.columns or tuple(range(pages.width)))[:COLUMNS_TOLD]
    told = "; ".join(pages.row_words(chosen.rows[:ROWS_TOLD], columns))
    more = f"; and {many - ROWS_TOLD:,} more" if many > ROWS_TOLD else ""
    return " ".join(f"{where} selected {cells}{rows}: {told}{more}.".split())[:LONGEST]


def _names(pages: FramePages, columns: tuple[int, ...]) -> str:
    names = [pages.names(at, at + 1)[0] for at in columns[:COLUMNS_TOLD]]
    more = len(columns) - len(names)
    return ", ".join(names) + (f" and {more:,} more columns" if more else "")
