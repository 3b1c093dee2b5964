"""Runs a `%%tool` cell: ordinary Python, whose public functions become tools."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeAlias

from IPython.core.displayhook import DisplayHook

from nbagents.errors import ToolDefinitionError, did_you_mean
from nbagents.notebook.kernel import cell_id_of, head_as_comment, input_number, shown_plainly
from nbagents.notebook.magics.tool.line import build_schema
from nbagents.notebook.options import OptionError
from nbagents.tools.context import Origin, defining
from nbagents.tools.tool import Tool, toolbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.notebook.kernel import Shell
    from nbagents.notebook.options import CellOptions

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def define_tools(shell: Shell, head: str, body: str, options: CellOptions) -> Sequence[Tool]:
    """Execute a cell in the person's namespace and make tools of the functions it defines.

    Args:
        shell: The shell.
        head: The magic line, so that line numbers are those of the cell.
        body: The cell below it.
        options: Which functions, and what is said of them.

    Raises:
        OptionError: The options do not fit the cell; nothing was executed.
        ToolDefinitionError: There is no public function, or one cannot become a tool.
        ToolConflictError: Another cell has a tool of that name; nothing was executed.
    """
    __tracebackhide__ = True
    source = shell.transform_cell(body)
    raw = f"{head}\n{body}"
    count = input_number(shell)
    # As a comment, because who shows a traceback reads the whole cell as Python.
    filename = shell.compile.cache(f"{head_as_comment(head)}\n{source}", count, raw_code=raw)
    try:
        module = shell.compile.ast_parse("\n" + source, filename)
    except SyntaxError as error:
        raise error.with_traceback(None) from None
    functions = _chosen(tuple(_functions(module.body)), options)
    cell = defining()
    cell_id = cell.cell_id if cell is not None else cell_id_of(shell, body)
    lines = raw.splitlines()
    origins = {
        one.name: Origin(cell_id, f"In [{count}]: {lines[one.lineno - 1].strip()}")
        for one in functions
    }
    instead = f"begin the cell with `%%tool --replace{head.removeprefix('%%tool')}`"
    for name, where in origins.items():
        if not options.replace:
            toolbox.refuse_conflict(options.name_of(name), where, instead=instead)
    before = dict(toolbox)
    with shown_plainly(shell, filename):
        _execute(shell, module, filename, is_quiet=_is_quiet(source))
    found = {name: shell.user_ns[name] for name in origins if name in shell.user_ns}
    fresh = [
        name for name, tool in toolbox.items() if tool not in (before.get(name), *found.values())
    ]
    tools = {name: _tool(shell, name, options) for name in found}
    toolbox.remove_cell(cell_id, keep=fresh)  # not what the cell itself has put there just now
    for name, tool in tools.items():
        toolbox.add(tool, origin=origins[name], replace=options.replace)
    return tuple(tools.values())


def _chosen(functions: Sequence[Function], options: CellOptions) -> Sequence[Function]:
    """The functions that become tools.

    Raises:
        OptionError: The options do not fit the cell.
        ToolDefinitionError: There is none.
    """
    names = tuple(dict.fromkeys(one.name for one in functions))
    wanted = options.names or tuple(name for name in names if not name.startswith("_"))
    for name in wanted:
        if name not in names:
            raise OptionError(f"This cell defines no function {name!r}.{did_you_mean(name, names)}")
    if not wanted:
        raise ToolDefinitionError(
            "This cell defines no public function: write `def name(…):` below %%tool."
        )
    if options.wants_one and len(wanted) > 1:
        raise OptionError(
            f"{options.wants_one} is for one tool, and this cell makes {len(wanted)}:"
            f" {', '.join(wanted)}. Name the one after the options: %%tool … {wanted[0]}"
        )
    chosen = [one for one in functions if one.name in wanted]
    late = [one.name for one in chosen if isinstance(one, ast.AsyncFunctionDef)]
    if late and options.said.get("thread"):
        raise OptionError(
            f"--thread is for plain functions, and {late[0]!r} is `async def`:"
            " it runs on the run's own loop."
        )
    return chosen


def _functions(body: Sequence[ast.AST]) -> Iterator[Function]:
    """The functions that the cell itself defines, also in branches, loops and the like."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif not isinstance(node, ast.ClassDef | ast.expr):
            yield from _functions(tuple(ast.iter_child_nodes(node)))


def _execute(shell: Shell, module: ast.Module, filename: str, *, is_quiet: bool) -> None:
    """Execute a cell with IPython's flags; its last expression is displayed unless `is_quiet`."""
    __tracebackhide__ = True
    body = list(module.body)
    last = body.pop() if not is_quiet and body and isinstance(body[-1], ast.Expr) else None
    flags = shell.compile.flags
    if any(_awaits(node) for node in module.body):
        raise ToolDefinitionError(
            "A %%tool cell cannot `await` outside of a function: use @nba.tool in a plain cell."
        )
    # All are compiled before one is executed; one by one, as IPython does it for its tracebacks.
    parts = [ast.Module([node], []) for node in body]
    codes = [compile(part, filename, "exec", flags, dont_inherit=True) for part in parts]
    if last is not None:
        shown = ast.Interactive([last])
        codes.append(compile(shown, filename, "single", flags, dont_inherit=True))
    for code in codes:
        exec(code, shell.user_ns)  # noqa: S102  it is the person's own cell


def _is_quiet(source: str) -> bool:
    """Whether a cell ends in `;`, which hides the value of its last expression."""
    hook: Any = DisplayHook  # Any: IPython leaves it untyped
    return bool(hook.semicolon_at_end_of_expression(source))


def _awaits(node: ast.AST) -> bool:
    if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return False
    return any(_awaits(child) for child in ast.iter_child_nodes(node))


def _tool(shell: Shell, name: str, options: CellOptions) -> Tool:
    """The tool of a function, its schema built: a hint that says nothing fails in its own cell."""
    found = shell.user_ns[name]
    tool = options.tool_of(found, name)
    if isinstance(found, Tool):
        shell.user_ns[name] = tool
    build_schema(tool)
    return tool
