"""`%agent`, `%%agent`, `%tool`, `%%tool`: each is a parser and one call.

What a magic calls is imported when it is first used: loading the extension stays light.
"""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Any, cast

from IPython.core.error import UsageError
from IPython.core.magic import (
    Magics,
    line_cell_magic,
    magics_class,
    needs_local_scope,
    no_var_expand,
)

from nbagents.errors import ToolFailedError, ToolNotFoundError, brief
from nbagents.notebook.config import MODES
from nbagents.notebook.prompt import (
    MissingNameError,
    Option,
    OptionError,
    describe,
    paste_values,
    split_options,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.agents import ToolLike
    from nbagents.notebook.config import NbAgents
    from nbagents.notebook.display import Mode, NotebookHost
    from nbagents.notebook.shell import Shell
    from nbagents.runs.record import Run
    from nbagents.tools.tool import Tool
    from nbagents.tools.toolbox import Toolbox

__all__ = ["AGENT_OPTIONS", "TOOL_OPTIONS", "AgentMagics"]

AGENT_OPTIONS = (
    Option(short="-m", long="--model", value="MODEL", help="a model id, or offline"),
    Option(
        short="-t",
        long="--tools",
        value="NAMES",
        help="tools by name, glob or variable; all (the default), none; may be repeated",
    ),
    Option(short="-s", long="--system", value="TEXT", help="what the model is told first"),
    Option(short="-o", long="--out", value="VAR", help="put the run into this variable"),
    Option(short="-n", long="--max-steps", value="N", help="ask the model at most N times"),
    Option(short="-d", long="--display", value="MODE", help=", ".join(MODES)),
    Option(short="-h", long="--help", value=None, help="show this"),
)
TOOL_OPTIONS = (
    Option(
        short="-r", long="--replace", value=None, help="replace a tool that another cell defines"
    ),
    Option(short="-h", long="--help", value=None, help="show this"),
)
AGENT_HELP = f"""Ask a model that may use your tools; returns the run.

    %agent [options] What is the weather in Paris?
    run = %agent [options] What is the weather in Paris?

    %%agent [options]
    A longer prompt.

Options stand first; `--` ends them. The prompt is taken as it stands, but for {{{{expression}}}},
which pastes a value of yours.

{describe(AGENT_OPTIONS)}

In Python: nbagents.Agent(tools=["all"]).run("What is the weather in Paris?")
"""
TOOL_HELP = f"""Turn the functions of a cell into tools; show and try them.

    %%tool [options]            the public functions below become tools
    %tool                       list the tools
    %tool NAME                  show one
    %tool NAME city=Paris       call it as the model would

{describe(TOOL_OPTIONS)}

In Python: @nbagents.tool above a function
"""


@magics_class
class AgentMagics(Magics):
    """The magics of nbagents.

    Args:
        shell: The shell.
        config: What `%config NbAgents` sets.
        host: Shows runs.
    """

    def __init__(self, shell: Shell, config: NbAgents, host: NotebookHost) -> None:
        super().__init__(cast("Any", shell))  # Any: traitlets checks it
        self._config = config
        self._host = host

    @no_var_expand
    @needs_local_scope
    @line_cell_magic
    def agent(
        self, line: str, cell: str | None = None, local_ns: Mapping[str, Any] | None = None
    ) -> Run | None:
        """Replaced by AGENT_HELP below, which is made from the options."""
        __tracebackhide__ = True
        options, rest = self._split(line, AGENT_OPTIONS)
        if "help" in options:
            return _print(AGENT_HELP)
        from nbagents.agents import Agent
        from nbagents.runs.door import run_blocking

        names = {**self._names, **(local_ns or {})}
        prompt = self._prompt(rest, cell, names)
        out = self._out(options)
        agent = Agent(
            name="agent",
            instructions=options.get("system", [""])[-1],
            tools=self._tools(options.get("tools", ["all"]), names),
            model=options.get("model", [self._config.model or None])[-1],
            max_steps=self._steps(options),
        )
        run, plan = agent.begin(prompt)
        for name in out:  # before it runs: also a run that fails is worth having
            self._names[name] = run
        run_blocking(run, plan, host=self._host.with_mode(self._display(options)))
        return run

    @no_var_expand
    @line_cell_magic
    def tool(self, line: str, cell: str | None = None) -> Run | None:
        """Replaced by TOOL_HELP below, which is made from the options."""
        __tracebackhide__ = True
        options, rest = self._split(line, TOOL_OPTIONS)
        if "help" in options:
            return _print(TOOL_HELP)
        from nbagents.notebook.cards import tool_card, tool_list

        if cell is not None:
            if rest:
                raise UsageError(f"%%tool takes options only, not {rest!r}.")
            return self._define(line, cell, replace="replace" in options)
        name, _, arguments = rest.partition(" ")
        if not name:
            return self._host.publish(tool_list(tuple(self._toolbox.values())))
        tool = self._find(name)
        if not arguments.strip():
            return self._host.publish(tool_card(tool))
        return self._call(tool, arguments)

    def _define(self, line: str, cell: str, *, replace: bool) -> None:
        __tracebackhide__ = True
        from nbagents.notebook.cards import tool_card
        from nbagents.notebook.cells import define_tools

        head = f"%%tool {line}".rstrip()
        for tool in define_tools(self._shell, head, cell, replace=replace):
            self._host.publish(tool_card(tool))

    @property
    def _toolbox(self) -> Toolbox:
        from nbagents.tools.toolbox import toolbox

        return toolbox

    @property
    def _shell(self) -> Shell:
        return cast("Shell", self.shell)  # set by Magics.__init__, typed otherwise

    @property
    def _names(self) -> dict[str, Any]:
        return self._shell.user_ns

    def _split(self, line: str, options: tuple[Option, ...]) -> tuple[dict[str, list[str]], str]:
        try:
            return split_options(line, options)
        except OptionError as error:
            raise UsageError(str(error)) from None

    def _prompt(self, rest: str, cell: str | None, names: Mapping[str, object]) -> str:
        if cell is not None and rest:
            raise UsageError(
                f"The prompt of %%agent stands below it: move {rest!r} to the next line."
            )
        text = rest if cell is None else cell.strip()
        if not text:
            raise UsageError("There is no prompt. For example: %agent What tools do you have?")
        try:
            return paste_values(text, names)
        except OptionError as error:
            raise UsageError(str(error)) from None
        except MissingNameError as error:
            raise brief(error) from None

    def _out(self, options: Mapping[str, list[str]]) -> list[str]:
        names = options.get("out", [])
        for name in names:
            if not name.isidentifier() or keyword.iskeyword(name):
                raise UsageError(f"--out wants the name of a variable, not {name!r}.")
        return names

    def _tools(self, specs: list[str], names: Mapping[str, Any]) -> tuple[ToolLike, ...]:
        found: list[ToolLike] = []
        for spec in (one for group in specs for one in group.replace(",", " ").split()):
            variable = names.get(spec)
            if spec not in self._toolbox and variable is not None:
                found.append(variable)
                continue
            try:
                found += self._toolbox.select([spec])
            except ToolNotFoundError as error:
                raise UsageError(str(error)) from None
        return tuple({id(tool): tool for tool in found}.values())

    def _steps(self, options: Mapping[str, list[str]]) -> int:
        given = options.get("max-steps", [str(self._config.max_steps)])[-1]
        if not given.isdecimal() or int(given) < 1:
            raise UsageError(f"--max-steps wants a number of at least 1, not {given!r}.")
        return int(given)

    def _display(self, options: Mapping[str, list[str]]) -> Mode:
        given = options.get("display", [self._config.display])[-1]
        if given not in MODES:
            raise UsageError(f"--display is one of {', '.join(MODES)}, not {given!r}.")
        return given

    def _find(self, name: str) -> Tool:
        try:
            (tool,) = self._toolbox.select([name])
        except ToolNotFoundError as error:
            raise UsageError(str(error)) from None
        except ValueError:
            raise UsageError(f"{name!r} names several tools: write one name.") from None
        return tool

    def _call(self, tool: Tool, text: str) -> Run:
        __tracebackhide__ = True
        from nbagents.agents import Agent
        from nbagents.notebook.by_hand import Hand, read_arguments

        try:
            arguments = read_arguments(tool, text)
        except OptionError as error:
            raise UsageError(str(error)) from None
        agent = Agent(name="you", tools=[tool], model=Hand(tool.name, arguments), max_steps=2)
        run = agent.run(f"{tool.name} {text}", host=self._host)
        failure = run.calls[0].failure
        if failure is not None:
            raise brief(ToolFailedError(failure.message))
        return run


def _print(text: str) -> None:
    print(text)  # noqa: T201  what -h is for


AgentMagics.agent.__doc__ = AGENT_HELP
AgentMagics.tool.__doc__ = TOOL_HELP
