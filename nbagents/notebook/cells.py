"""Runs a `%%tool` cell: ordinary Python, whose public functions become tools."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, cast

from nbagents.errors import ToolDefinitionError
from nbagents.notebook.watch import cell_id_of, input_number
from nbagents.tools.origin import Origin, defining
from nbagents.tools.tool import Tool, ToolOptions
from nbagents.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nbagents.notebook.shell import Shell

__all__ = ["define_tools"]


def define_tools(shell: Shell, head: str, body: str, *, replace: bool = False) -> Sequence[Tool]:
    """Execute a cell in the person's namespace and make tools of the functions it defines.

    Args:
        shell: The shell.
        head: The magic line, so that line numbers are those of the cell.
        body: The cell below it.
        replace: Whether tools of other cells may be replaced.

    Raises:
        ToolDefinitionError: There is no public function, or one cannot become a tool.
        ToolConflictError: Another cell has a tool of that name; nothing was executed.
    """
    __tracebackhide__ = True
    source = shell.transform_cell(body)
    raw = f"{head}\n{body}"
    count = input_number(shell)
    filename = shell.compile.cache(f"{head}\n{source}", count, raw_code=raw)
    try:
        module = shell.compile.ast_parse("\n" + source, filename)
    except SyntaxError as error:
        raise error.with_traceback(None) from None
    functions = tuple(_functions(module.body))
    if not functions:
        raise ToolDefinitionError(
            "This cell defines no public function: write `def name(…):` below %%tool."
        )
    cell = defining()
    cell_id = cell.cell_id if cell is not None else cell_id_of(shell, body)
    lines = raw.splitlines()
    origins = {
        one.name: Origin(cell_id, f"In [{count}]: {lines[one.lineno - 1].strip()}")
        for one in functions
    }
    if not replace:
        for name, where in origins.items():
            toolbox.refuse_conflict(name, where)
    _execute(shell, module, filename)
    tools = {name: _tool(shell.user_ns, name) for name in origins if name in shell.user_ns}
    toolbox.remove_cell(cell_id)
    for name, tool in tools.items():
        toolbox.add(tool, origin=origins[name], replace=replace)
    return tuple(tools.values())


def _functions(body: Sequence[ast.AST]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The public functions that the cell itself defines, also in branches, loops and the like."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not node.name.startswith("_"):
                yield node
        elif not isinstance(node, ast.ClassDef | ast.expr):
            yield from _functions(tuple(ast.iter_child_nodes(node)))


def _execute(shell: Shell, module: ast.Module, filename: str) -> None:
    """Execute a cell with IPython's flags; its last expression is displayed."""
    __tracebackhide__ = True
    body = list(module.body)
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    flags = shell.compile.flags
    if any(_awaits(node) for node in module.body):
        raise ToolDefinitionError(
            "A %%tool cell cannot `await` outside of a function: use @nba.tool in a plain cell."
        )
    code = compile(ast.Module(body, []), filename, "exec", flags, dont_inherit=True)
    exec(code, shell.user_ns)  # noqa: S102  it is the person's own cell
    if last is not None:
        shown = compile(ast.Interactive([last]), filename, "single", flags, dont_inherit=True)
        exec(shown, shell.user_ns)  # noqa: S102  it is the person's own cell


def _awaits(node: ast.AST) -> bool:
    if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return False
    return any(_awaits(child) for child in ast.iter_child_nodes(node))


def _tool(names: Mapping[str, Any], name: str) -> Tool:
    """The tool of a function, its schema built: a hint that says nothing fails in its own cell."""
    found = names[name]
    tool = cast("Tool", found) if isinstance(found, Tool) else Tool(found, ToolOptions(name=name))
    tool.parameters  # noqa: B018  builds it
    return tool
