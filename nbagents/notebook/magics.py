"""`%agent`, `%%agent`, `%tool`, `%%tool`: each is a parser and one call.

What a magic calls is imported when it is first used: loading the extension stays light.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
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
from nbagents.notebook import agent_options
from nbagents.notebook.config import MODES
from nbagents.notebook.options import AGENT_HELP, AGENT_OPTIONS, TOOL_HELP, TOOL_OPTIONS
from nbagents.notebook.prompt import (
    MissingNameError,
    OptionError,
    paste_values,
    split_options,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from nbagents.agents import Agent, ToolLike
    from nbagents.notebook.config import NbAgents
    from nbagents.notebook.display import Mode, NotebookHost
    from nbagents.notebook.shell import Shell
    from nbagents.runs.preview import Preview
    from nbagents.runs.record import Run
    from nbagents.tools.tool import Tool
    from nbagents.tools.toolbox import Toolbox

__all__ = ["AGENT_OPTIONS", "TOOL_OPTIONS", "AgentMagics"]


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
    ) -> Run | Preview | None:
        """Replaced by AGENT_HELP below, which is made from the options."""
        __tracebackhide__ = True
        names = {**self._names, **(local_ns or {})}
        with _misuse():
            options, rest = split_options(line, AGENT_OPTIONS)
            if "help" in options:
                return _print(AGENT_HELP)
            prompt = _prompt(rest, cell, names)
            out = agent_options.out_names(options.get("out", []))
            host = self._host.with_mode(self._display(options))
            agent = self._agent(options, names)
            shared = agent_options.shared(options.get("vars", []), names)
            attached = agent_options.attached(options.get("attach", []), names)
        if "dry-run" in options:
            return self._host.show_preview(agent.preview(prompt, vars=shared, attach=attached))
        from nbagents.runs.door import run_blocking

        run, plan = agent.begin(prompt, vars=shared, attach=attached)
        for name in out:  # before it runs: also a run that fails is worth having
            self._names[name] = run
        run_blocking(run, plan, host=host)
        return run

    @no_var_expand
    @line_cell_magic
    def tool(self, line: str, cell: str | None = None) -> Run | None:
        """Replaced by TOOL_HELP below, which is made from the options."""
        __tracebackhide__ = True
        with _misuse():
            options, rest = split_options(line, TOOL_OPTIONS)
            if "help" in options:
                return _print(TOOL_HELP)
            if cell is not None:
                return self._define(options, rest, f"%%tool {line}".rstrip(), cell)
            if options:
                raise OptionError(f"--{next(iter(options))} belongs to %%tool, above a cell.")
            return self._show(rest)

    def _define(
        self, options: Mapping[str, list[str]], rest: str, head: str, cell: str
    ) -> Run | None:
        __tracebackhide__ = True
        from nbagents.notebook.cards import tool_card
        from nbagents.notebook.cells import define_tools
        from nbagents.notebook.tool_options import read_cell_options

        wanted = read_cell_options(options, rest)
        tools = define_tools(self._shell, head, cell, wanted)
        for tool in tools:
            self._host.publish(tool_card(tool))
        return None if wanted.trial is None else self._call(tools[0], wanted.trial)

    def _show(self, rest: str) -> Run | None:
        __tracebackhide__ = True
        from nbagents.notebook.cards import tool_card, tool_list

        name, _, arguments = rest.partition(" ")
        if not name:
            return self._host.publish(tool_list(tuple(self._toolbox.values())))
        tool = self._find(name)
        if not arguments.strip():
            return self._host.publish(tool_card(tool))
        return self._call(tool, arguments)

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

    def _agent(self, options: Mapping[str, list[str]], names: Mapping[str, Any]) -> Agent:
        """The agent that the options describe, or the person's own as they change it."""
        from nbagents.agents import Agent

        if "agent" in options:
            agent = agent_options.variable("--agent", options["agent"][-1], names)
            if not isinstance(agent, Agent):
                raise OptionError(f"--agent wants an Agent, not {type(agent).__name__}.")
        else:
            model, steps = self._config.model or None, self._config.max_steps
            agent = Agent(tools=self._tools(["all"], names), model=model, max_steps=steps)
        return replace(agent, **self._changes(options, names, agent))

    def _changes(
        self, options: Mapping[str, list[str]], names: Mapping[str, Any], agent: Agent
    ) -> dict[str, Any]:
        """The fields of an agent that options set."""
        said: dict[str, Any] = {}
        if "system" in options:
            said["instructions"] = options["system"][-1]
        if "model" in options:
            said["model"] = options["model"][-1]
        if "tools" in options:
            said["tools"] = self._tools(options["tools"], names)
        if "max-steps" in options:
            said["max_steps"] = _steps(options["max-steps"][-1])
        if "as" in options:
            said["output"] = agent_options.answer_type(options["as"][-1], names)
        if "param" in options:
            said["settings"] = {**agent.settings, **agent_options.settings(options["param"])}
        return said

    def _tools(self, specs: list[str], names: Mapping[str, Any]) -> tuple[ToolLike, ...]:
        found: list[ToolLike] = []
        for spec in agent_options.words(specs):
            variable = names.get(spec)
            if spec not in self._toolbox and variable is not None:
                found.append(variable)
            else:
                found += self._select(spec)
        return tuple({id(tool): tool for tool in found}.values())

    def _display(self, options: Mapping[str, list[str]]) -> Mode:
        given = options.get("display", [self._config.display])[-1]
        if given not in MODES:
            raise OptionError(f"--display is one of {', '.join(MODES)}, not {given!r}.")
        return given

    def _select(self, spec: str) -> tuple[Tool, ...]:
        try:
            return self._toolbox.select([spec])
        except ToolNotFoundError as error:
            raise OptionError(str(error)) from None

    def _find(self, name: str) -> Tool:
        found = self._select(name)
        if len(found) != 1:
            raise OptionError(f"{name!r} names several tools: write one name.")
        return found[0]

    def _call(self, tool: Tool, text: str) -> Run:
        __tracebackhide__ = True
        from nbagents.agents import Agent
        from nbagents.notebook.by_hand import Hand, read_arguments

        arguments = read_arguments(tool, text)
        taken = agent_options.taken(tool.schema.handles, arguments, self._names)
        agent = Agent(name="you", tools=[tool], model=Hand(tool.name, arguments), max_steps=2)
        run = agent.run(f"{tool.name} {text}", vars=taken, host=self._host)
        failure = run.calls[0].failure
        if failure is not None:
            raise brief(ToolFailedError(failure.message))
        return run


@contextlib.contextmanager
def _misuse() -> Generator[None]:
    """Raise what is wrong with options as IPython does: one line, and the cell fails."""
    try:
        yield
    except OptionError as error:
        raise UsageError(str(error)) from None
    except MissingNameError as error:
        raise brief(error) from None


def _prompt(rest: str, cell: str | None, names: Mapping[str, object]) -> str:
    if cell is not None and rest:
        raise OptionError(f"The prompt of %%agent stands below it: move {rest!r} to the next line.")
    text = rest if cell is None else cell.strip()
    if not text:
        raise OptionError("There is no prompt. For example: %agent What tools do you have?")
    return paste_values(text, names)


def _steps(given: str) -> int:
    if not given.isdecimal() or int(given) < 1:
        raise OptionError(f"--max-steps wants a number of at least 1, not {given!r}.")
    return int(given)


def _print(text: str) -> None:
    print(text)  # noqa: T201  what -h is for


AgentMagics.agent.__doc__ = AGENT_HELP
AgentMagics.tool.__doc__ = TOOL_HELP
