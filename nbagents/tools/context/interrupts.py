"""Whose interrupt it is: the person's stops the run, one that a tool raises is its failure."""

from __future__ import annotations

import opcode
import signal
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import CodeType

MARK: Final = "_nbagents_interrupt"
RAISE: Final = opcode.opmap["RAISE_VARARGS"]


def interruption(*said: str) -> KeyboardInterrupt:
    """What our handler of SIGINT raises inside of a call: the person's stop, or the call's time."""
    error = KeyboardInterrupt(*said)
    setattr(error, MARK, True)
    return error


def is_persons(error: BaseException) -> bool:
    """Whether it came by SIGINT, and not by a `raise` of the code that was called.

    Where no handler of ours hears SIGINT, e.g. while an `async def` tool runs on the kernel's own
    loop, Python's raises between two instructions; a `raise` is an instruction of its own.
    """
    if not isinstance(error, KeyboardInterrupt):
        return False
    if hasattr(error, MARK):
        return True
    if threading.current_thread() is not threading.main_thread():
        return False  # no signal is heard there
    return not _was_raised(error)


def _was_raised(error: BaseException) -> bool:
    """Whether the innermost frame has raised it itself, and is no handler of SIGINT."""
    found = error.__traceback__
    if found is None:
        return True
    while found.tb_next is not None:
        found = found.tb_next
    code = found.tb_frame.f_code
    if code is _handler():
        return False
    return found.tb_lasti >= 0 and code.co_code[found.tb_lasti] == RAISE


def _handler() -> CodeType | None:
    """The code of a handler of SIGINT that is written in Python."""
    return getattr(signal.getsignal(signal.SIGINT), "__code__", None)
