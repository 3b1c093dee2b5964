"""An error in a `%%tool` cell looks as it would in a plain cell: without a frame of ours."""

from __future__ import annotations

import ast
import contextlib
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Generator

    from nbagents.notebook.kernel.shell import Shell

HEAD = "%%tool"


class PlainSyntax:
    """Gives a `%%tool` cell that is no Python to IPython as a plain one, which then says so.

    It stands before IPython reads cell magics: later a `SyntaxError` is shown with the frames that
    led to it.
    """

    has_side_effects = True
    """So that IPython leaves it out where it only asks whether a cell is complete."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def __call__(self, lines: list[str]) -> list[str]:
        """The lines as they are, unless they are no Python below the magic."""
        if not lines or not _is_ours(lines[0]) or self._is_python("".join(lines[1:])):
            return lines
        return [head_as_comment(lines[0]), *lines[1:]]

    def put_in(self) -> None:
        """Stand before the transformation that makes a call of a cell magic."""
        transforms = self._shell.input_transformers_cleanup
        names = [getattr(one, "__name__", "") for one in transforms]
        transforms.insert(names.index("cell_magic") if "cell_magic" in names else 0, self)

    def _is_python(self, body: str) -> bool:
        flags = self._shell.compile.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        try:
            # A line before it, as in the cell: for what must stand first.
            source = "\n" + self._shell.transform_cell(body)
            compile(source, "<cell>", "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return False
        return True


def head_as_comment(head: str) -> str:
    """The line of the magic as Python reads it, so that the cell's own lines keep their numbers."""
    return f"#{head.lstrip()[1:]}"


@contextlib.contextmanager
def shown_plainly(shell: Shell, filename: str) -> Generator[None]:
    """Have IPython show an error of a cell from the cell's own first frame on.

    Args:
        shell: The shell.
        filename: What the cell's code was compiled as.
    """
    try:
        yield
    except BaseException as error:
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename != filename:
            frames = frames.tb_next
        if frames is not None:
            _Showing(shell, error, frames).await_its_turn()
        raise


class _Showing:
    """Stands before IPython's `showtraceback` for one error: as if the cell had been a plain one.

    IPython asks an error how it wants to be shown, but not of a group or a `SyntaxError`; what it
    shows of all of them is their traceback.
    """

    def __init__(self, shell: Any, error: BaseException, frames: TracebackType) -> None:
        # Any: IPython leaves its shell untyped
        self._shell: Any = shell
        self._error, self._frames = error, frames
        self._before: Any = None

    def await_its_turn(self) -> None:
        """Be called instead of IPython's own, once."""
        self._before = cast("dict[str, Any]", vars(self._shell)).get("showtraceback")
        self._shell.showtraceback = self

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Take what stands between IPython and the cell out of the traceback, and show it."""
        del self._shell.showtraceback
        if self._before is not None:
            self._shell.showtraceback = self._before
        outermost = self._error.__traceback__
        if sys.exc_info()[1] is self._error and outermost is not None:
            first, at, line = outermost.tb_frame, outermost.tb_lasti, outermost.tb_lineno
            self._error.__traceback__ = TracebackType(self._frames, first, at, line)
        return self._shell.showtraceback(*args, **options)


def _is_ours(line: str) -> bool:
    return line.startswith(HEAD) and not line.removeprefix(HEAD)[:1].isalnum()
