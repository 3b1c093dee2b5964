"""What pages ask about runs: copies, a tool's code as it was, the whole of a call, a search.

A live view asks about its own run. What a notebook has saved asks by the id of the run, and the log
answers: also in another kernel than the one that ran it, as long as one is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nbagents.notebook.copies.cells import run_cells
from nbagents.notebook.copies.html_page import run_page
from nbagents.notebook.copies.markdown_form import run_markdown
from nbagents.notebook.copies.run_source import run_source
from nbagents.notebook.markup import json_bytes
from nbagents.runs.logs import tree_of
from nbagents.runs.state import current_session
from nbagents.runs.wording import CALL_STATUS, argument_words, as_json, child_runs, family, size
from nbagents.tools.tool import source_of_version
from nbagents.tools.values import for_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pydantic import JsonValue

    from nbagents.runs.state import Run
    from nbagents.runs.tree import CallNode, Tree

MOST_BYTES: Final = 4_000_000
"""More than this a page is not sent of one call."""
FORMS: Final[Mapping[str, Callable[[Tree, str], str]]] = {
    "markdown": run_markdown,
    "html": run_page,
    "python": run_source,
}


def answer_about(run: Run, kind: str, question: JsonValue) -> JsonValue:
    """Answer what the view of a live run asks about it; in any thread.

    Raises:
        LookupError: It asks for nothing that is known here.
    """
    return _answer(run.tree(), run.id, kind, question)


def answer_page(comm: Any, message: Mapping[str, Any]) -> None:
    """Answer what a saved run's view asks; `comm`: who asks, as the `comm` library has it."""
    asked = message.get("content", {}).get("data", {}).get("ask", {})
    try:
        run_id, kind = str(asked.get("run_id")), str(asked.get("kind"))
        value = _answer(_known_tree(run_id), run_id, kind, asked.get("question"))
        comm.send({"value": value})
    except LookupError as error:
        comm.send({"error": str(error.args[0])})


def _known_tree(run_id: str) -> Tree:
    """The tree that holds a run.

    Raises:
        LookupError: No log of this kernel knows it.
    """
    session = current_session()
    for run in session.runs:
        if run_id in run.tree()["runs"]:
            return run.tree()
    where = next((one for one in session.log.find(run_id) if one.run_id == run_id), None)
    if where is None:
        raise LookupError("This kernel knows nothing of the run.")
    return tree_of(session.log, where.session_id, current=session.session_id)


def _answer(tree: Tree, run_id: str, kind: str, question: JsonValue) -> JsonValue:
    asked = question if isinstance(question, dict) else {}
    named = str(asked.get("run_id") or run_id)
    match kind:
        case "run:copy" if (form := str(asked.get("form"))) in FORMS:
            return FORMS[form](tree, run_id)
        case "run:cells":
            return [*run_cells(tree, run_id)]
        case "run:source":
            return _source(str(asked.get("source_hash")))
        case "run:call":
            return _whole(tree, named, str(asked.get("call_id")))
        case "run:search":
            return [*_found(tree, run_id, str(asked.get("query", "")))]
        case _:
            raise LookupError("The kernel does not know this question.")


def _source(version: str) -> str:
    found = source_of_version(version)
    if found is None:
        raise LookupError(
            "This kernel has not defined that version of the tool: it was another kernel's."
        )
    return found


def _whole(tree: Tree, run_id: str, call_id: str) -> JsonValue:
    """A call with nothing left out."""
    run = tree["runs"].get(run_id)
    call = None if run is None else run["calls"].get(call_id)
    if call is None:
        raise LookupError("This kernel knows nothing of the call.")
    if (size_bytes := json_bytes(call)) > MOST_BYTES:
        raise LookupError(f"The call takes {size(size_bytes)}, more than a page can show.")
    return for_page(call)


def _found(tree: Tree, run_id: str, query: str) -> Iterator[str]:
    """The calls of a run, and of those inside it, that hold all words, as `run/call`."""
    words, root = query.lower().split(), tree["runs"].get(run_id)
    for run in [] if root is None else family(tree, root):
        for call in run["calls"].values():
            text = _text_of(tree, call)
            if all(word in text for word in words):
                yield f"{run['id']}/{call['id']}"


def _text_of(tree: Tree, call: CallNode) -> str:
    """What a call was given, gave, showed and printed, and what its agents were asked and said."""
    failure: Mapping[str, Any] = call["failure"] or {}
    texts: list[str | None] = [
        *(call["name"], call["hint"], CALL_STATUS[call["status"]], call["preview"]),
        *(call["content"], failure.get("message"), failure.get("debug_message")),
        *_written(call["arguments"]),
        argument_words(call["arguments"]),
        *(one["text"] for one in call["output"]),
        *(text for node in call["payloads"] for text in _written(node["payload"]["value"])),
        *(text for run in child_runs(tree, call) for text in (run["prompt"], run["text"])),
    ]
    return "\n".join(one for one in texts if one).lower()


def _written(value: JsonValue) -> tuple[str, str]:
    """A value as JSON, and with the quotes and backslashes in its texts as they are read."""
    written = as_json(value)
    return written, written.replace('\\"', '"').replace("\\\\", "\\")
