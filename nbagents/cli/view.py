"""`nbagents view`: shows runs of a file, of a notebook or of the log, as text or as a page."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nbagents.cli.progress import BOLD, GREEN, GREY, RED, coloured
from nbagents.cli.terminal import complain, is_other, say, shown
from nbagents.errors import NbagentsError, RunError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from nbagents.runs.tree import Tree

    Shown = tuple[Tree, str]

TEXT = "show runs as text, or as one HTML file that asks nobody for anything"
SOURCE = "what run.save has written, a notebook, or the id of a run of the log or its beginning"
COLOURS: Final[Mapping[str, str]] = {
    "done": GREEN,
    **dict.fromkeys(("failed", "denied", "timed_out", "cancelled"), RED),
}
ABOUT: Final = ("error:", "why:", "to do:")


def add_view(commands: Any) -> None:  # Any: argparse keeps the type of its subparsers private
    """Declare `nbagents view`."""
    view = commands.add_parser("view", help=TEXT, description=TEXT)
    view.add_argument("source", metavar="FILE|RUN", help=SOURCE)
    view.add_argument("--run", metavar="WHICH", help="of a notebook this one: a number, or an id")
    view.add_argument("--html", metavar="OUT", type=Path, help="write a page instead; -: print it")
    view.set_defaults(act=run_view)


def run_view(options: argparse.Namespace) -> int:
    """Show what is named."""
    try:
        runs = runs_of(options.source, options.run)
        if options.html is None:
            print_runs(runs)
        else:
            write_page(runs, options.html, options.source)
    except NbagentsError as error:
        complain("view", str(error))
        return 1
    return 0


def runs_of(source: str, wanted: str | None) -> Sequence[Shown]:
    """The runs that are meant, each with its tree.

    Raises:
        RunError: There are none.
    """
    from nbagents.runs.state import Run, is_path

    if not is_path(source):
        return [of_log(source)]
    if wanted is not None:
        which = int(wanted) if wanted.isdecimal() else wanted
        runs: Sequence[Run] = [Run.load(source, run=which)]
    elif Path(source).suffix.lower() == ".ipynb":
        runs = Run.load_all(source)
    else:
        runs = [Run.load(Path(source))]
    if not runs:
        raise RunError(f"{source} holds no run: its cells have no output of one.")
    return [(run.tree(), run.id) for run in runs]


def of_log(beginning: str) -> Shown:
    """A run of the log; one that goes on, as it stands.

    Raises:
        RunError: There is none, or there are several.
    """
    from nbagents.runs.logs import find_runs, tree_of
    from nbagents.runs.state import current_session, found_run

    session = current_session()
    run_id = found_run(session, beginning)
    where = next(one for one in find_runs(session.log, run_id) if one.run_id == run_id)
    return tree_of(session.log, where.session_id), run_id


def print_runs(runs: Sequence[Shown]) -> None:
    """Print each as a tree, in colours where a terminal shows them."""
    from nbagents.notebook.saved import text_tree

    for number, (tree, run_id) in enumerate(runs):
        if number:
            say("")
        head, *lines = text_tree(tree, run_id).split("\n")
        say("\n".join([coloured(head, BOLD), *map(in_colours, lines)]))


def in_colours(line: str) -> str:
    """A line of a tree whose first word says how something ended, with that in colour."""
    from nbagents.runs.wording import CALL_STATUS

    for status, words in CALL_STATUS.items():
        if found := re.match(rf"( +)({re.escape(words)})(?=  )", line):
            colour = COLOURS.get(status, GREY)
            return f"{found[1]}{coloured(found[2], colour)}{line[found.end() :]}"
    if line.startswith(" ") and line.lstrip().startswith(ABOUT):
        return coloured(line, RED if line.lstrip().startswith(ABOUT[0]) else GREY)
    return line


def write_page(runs: Sequence[Shown], out: Path, source: str) -> None:
    """Write them as one page.

    Raises:
        RunError: It cannot be written, or another file is in its place.
    """
    from nbagents.notebook.copies import run_page, runs_page
    from nbagents.runs.files import write_whole

    page = run_page(*runs[0]) if len(runs) == 1 else runs_page(runs, Path(source).name)
    if str(out) == "-":
        sys.stdout.write(page)
        return
    if is_other(out):
        raise RunError(
            f"{out} is there already and no page: it was left as it is. Choose another name."
        )
    write_whole(out, [page.encode()])
    say(f"{len(runs)} run{'s' if len(runs) > 1 else ''} written: {shown(out)}")
