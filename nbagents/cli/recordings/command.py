"""What stands after `nbagents recording`, and what does it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nbagents.cli.terminal import complain, seconds_or_none
from nbagents.errors import NbagentsError

if TYPE_CHECKING:
    import argparse

WRONG_USE = 2
TEXT: Final = "look after the answers of models that are recorded for notebooks"
WHAT: Final = "a notebook, a recording, or a folder of them"
NOTEBOOK: Final = "the notebook"

# Any in this file: argparse keeps the type of its subparsers private.


def add_recording(commands: Any) -> None:
    """Declare `nbagents recording`."""
    recording = commands.add_parser("recording", help=TEXT, description=TEXT)
    kinds = recording.add_subparsers(required=True, metavar="what")
    _add_looks(kinds)
    _add_runs(kinds)
    _add_moves(kinds)


def _add_looks(kinds: Any) -> None:
    listing = _added(kinds, "ls", "how many exchanges there are, with which models, of when")
    listing.add_argument("what", nargs="*", default=["."], metavar="WHAT", help=WHAT)
    listing.add_argument("-a", "--all", action="store_true", help="each exchange in a line")
    text = "see whether all lines can be read, and are as they were written"
    _added(kinds, "verify", text).add_argument("what", nargs="+", metavar="WHAT", help=WHAT)
    text = "look for keys in use, for what your patterns find, and for tokens; 1 if there is one"
    _added(kinds, "scan", text).add_argument("what", nargs="+", metavar="WHAT", help=WHAT)


def _add_runs(kinds: Any) -> None:
    text = "run a notebook from its recording, and drop what no run has used"
    prune = _added(kinds, "prune", text)
    prune.add_argument("--dry-run", action="store_true", help="only say what would be dropped")
    text = "run a notebook, ask its models anew, and write their answers; this may cost money"
    refresh = _added(kinds, "refresh", text)
    for one in (prune, refresh):
        one.add_argument("notebook", type=Path, metavar="NOTEBOOK", help=NOTEBOOK)
        one.add_argument("--timeout", type=seconds_or_none, metavar="S", default=300.0)
        one.add_argument("--kernel", metavar="NAME", help="run it in this kernel")


def _add_moves(kinds: Any) -> None:
    embed = _added(kinds, "embed", "put the recording into the notebook: a lesson in one file")
    embed.add_argument(
        "--from", type=Path, dest="source", metavar="FILE", help="this one, not the one beside it"
    )
    extract = _added(kinds, "extract", "write the recording that is in a notebook as a file")
    extract.add_argument("-o", "--out", type=Path, metavar="FILE", help="not the one beside it")
    extract.add_argument("--force", action="store_true", help="also in the place of another file")
    extract.add_argument("--remove", action="store_true", help="and take it out of the notebook")
    for one in (embed, extract):
        one.add_argument("notebook", type=Path, metavar="NOTEBOOK", help=NOTEBOOK)


def _added(kinds: Any, name: str, text: str) -> Any:
    made = kinds.add_parser(name, help=text, description=text)
    made.set_defaults(act=_run, kind=name)
    return made


def _run(options: argparse.Namespace) -> int:
    """Do what is asked, and say what is wrong in one sentence."""
    try:
        return _act(options)
    except NbagentsError as error:
        complain(f"recording {options.kind}", str(error))
        return WRONG_USE


def _act(options: argparse.Namespace) -> int:
    match options.kind:
        case "ls":
            from nbagents.cli.recordings.listing import list_all as act
        case "verify":
            from nbagents.cli.recordings.listing import verify as act
        case "scan":
            from nbagents.cli.recordings.scan import scan as act
        case "prune":
            from nbagents.cli.recordings.renewal import prune as act
        case "refresh":
            from nbagents.cli.recordings.renewal import refresh as act
        case "embed":
            from nbagents.cli.recordings.embedding import embed_recording as act
        case _:
            from nbagents.cli.recordings.embedding import extract_recording as act
    return act(options)
