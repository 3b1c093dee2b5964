"""A piece of Python that a model wrote: compiled, run, and told of by its lines."""

from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import traceback
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, TracebackType

FLAGS: Final = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_numbers = itertools.count(1)


class PythonCode:
    """Code that may await, and whose last expression is its value.

    Args:
        text: The code.

    Raises:
        ToolError: It is no Python; says in which line.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.name = f"<run_python {next(_numbers)}>"
        try:
            tree = ast.parse(text, self.name)
            self._parts = list(self._compiled(tree))
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            raise ToolError(
                f"This is no Python: {getattr(error, 'msg', error)}{self._at(line)}",
                kind="invalid_call",
            ) from None
        lines = text.splitlines(keepends=True)
        linecache.cache[self.name] = len(text), None, lines, self.name

    def _compiled(self, tree: ast.Module) -> Iterator[CodeType]:
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        yield compile(tree, self.name, "exec", FLAGS)
        if isinstance(last, ast.Expr):
            yield compile(ast.Expression(last.value), self.name, "eval", FLAGS)

    async def run(self, namespace: dict[str, Any]) -> Any:  # Any: whatever it gives
        """Run it; the value of its last expression, if it ends in one."""
        value: Any = None
        for part in self._parts:
            value = eval(part, namespace)  # noqa: S307  a person has allowed it
            if part.co_flags & inspect.CO_COROUTINE:
                value = await value
        return value if len(self._parts) > 1 else None

    def told(self, error: BaseException) -> str:
        """What went wrong, and in which line of the code."""
        if isinstance(error, ToolError):
            said = str(error)  # in words that are for the model already
        else:
            said = "".join(traceback.format_exception_only(error)).strip()
        return f"{said}{self._at(self._line_of(error.__traceback__))}"

    def _line_of(self, trace: TracebackType | None) -> int | None:
        """The innermost line of the code that an error came by."""
        lines = [line for frame, line in traceback.walk_tb(trace) if self._is_own(frame)]
        return lines[-1] if lines else None

    def _is_own(self, frame: Any) -> bool:
        return frame.f_code.co_filename == self.name

    def _at(self, line: int | None) -> str:
        lines = self.text.splitlines()
        if line is None or not 0 < line <= len(lines):
            return ""
        return f"\n  in line {line}: {lines[line - 1].strip()}"

    def forget(self) -> None:
        """Give back what its lines are kept for."""
        linecache.cache.pop(self.name, None)
