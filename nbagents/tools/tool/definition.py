"""A tool: a function, and how a model sees it."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import inspect
import json
import linecache
import textwrap
import types
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeGuard

from typing_extensions import ParamSpec, TypeVar

from nbagents.errors import ToolDefinitionError, ToolFailedError
from nbagents.tools.context import (
    is_persons,
    is_unbound_method,
    name_of,
    runner_of,
    written_function,
)
from nbagents.tools.json_schema import strict_schema
from nbagents.tools.lint import Findings, Linted, lint_one
from nbagents.tools.schema import enclosing_names, function_schema, raw_schema
from nbagents.tools.tool.option_checks import check_names, check_options
from nbagents.tools.tool.tool_name import joined_name, safe_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

    from nbagents.tools.context import Context
    from nbagents.tools.schema import Bound, DocstringStyle, Issues, Schema

EXITED: Final = "A type of this tool raised {name} while the arguments were read."

P = ParamSpec("P", default=...)
R = TypeVar("R", default=Any)  # Any: a bare `Tool` is a tool of any function


OnError: TypeAlias = "Literal['tell'] | Callable[[Context, Exception], object] | None"


Ask: TypeAlias = (
    "bool | Literal['risky', 'ask', 'auto', 'never'] | Callable[[Context, Any], object] | None"
)


Check: TypeAlias = "Callable[[Context, Any], object]"
"""A guardrail: a plain or async function of the context and a value, which gives `None`,
`nbagents.Replace` or `nbagents.Refuse`."""


Enabled: TypeAlias = "bool | Callable[[], bool] | Callable[[Context, Any], object]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """What may be said of a tool beside its function."""

    name: str | None = None
    """The tool's own name; the function's where it is `None`."""
    description: str | None = None
    """What the model is told; the docstring's text where it is `None`."""
    note: str = ""
    """What a model is told of it besides, after the description."""
    toolset: str | None = None
    """The group, which becomes the prefix of the name."""
    title: str | None = None
    """The tool's name for people."""
    strict: bool = True
    """Whether the schema is written by OpenAI's strict rules, where that is possible."""
    thread: bool = False
    """Whether a plain function runs on a worker thread instead of the main thread."""
    command: bool = False
    """Whether its effect is what counts, so that the model need not read the answer."""
    timeout_s: float | None = None
    """Async tools are cancelled then, those of the main thread interrupted, workers given up."""
    retries: int | None = None
    """How often in one run a failed call may be tried again; `None`: as often as there are steps.

    The runtime tries again itself where the failure may pass and the tool is idempotent or only
    reads; else the model may. When they are spent, the tool is not called again in that run.
    """
    on_error: OnError = "tell"
    """What the model is told of an error: `"tell"` says what it was, a function of the context and
    the error gives the text, and `None` fails the run with that very error."""
    enabled: Enabled = True
    """Whether a run is offered the tool. A function without arguments is asked as each run begins,
    one of the context and the agent, plain or async, before each request to the model."""
    ask: Ask = None
    """Whether a person must confirm each call, or a function of the context and the arguments, as
    the tool would get them, that says so: it fails closed. `"risky"` or `None`: as the run's policy
    says; `"ask"`: yes; `"auto"`: no; `"never"`: it may not be called at all."""
    read_only: bool | None = None
    """It changes nothing. Source: Model Context Protocol, tool annotations, as the next three."""
    destructive: bool | None = None
    """It may destroy something."""
    idempotent: bool | None = None
    """Calling it twice is the same as calling it once."""
    open_world: bool | None = None
    """It reaches out to something that is not in this notebook."""
    resumable: bool = False
    """Whether a call that had begun may begin anew when its run is resumed: runs inside of it are
    given again. Without it, and unless it is idempotent, the model is told that nobody knows how
    the call ended."""
    private: bool = False
    """Whether `all` leaves it out, so that it is used only where it is named."""
    external: bool = False
    """Whether its result comes from outside: the function only says what it takes, and is not run;
    a person, or the caller of the run, answers instead."""
    hosted: Mapping[str, JsonValue] | None = None
    """What a provider is sent instead of a function, for a tool that runs there."""
    defer: bool = False
    """Whether a provider that searches tools may load this one when it finds it."""
    news: Callable[[], str | None] | None = None
    """Asked before each request to the model: what the person did since, in words; `None`: nothing.
    Several tools may share one."""
    tags: tuple[str, ...] = ()
    """Words by which agents allow and deny tools, e.g. `("net", "money")`."""
    input_guardrails: tuple[Check, ...] = ()
    """Check the arguments before the call, one after the other: what is refused is not called."""
    output_guardrails: tuple[Check, ...] = ()
    """Check what the model is to read of a result."""
    use_docstring: bool = True
    docstring_style: DocstringStyle = "auto"


class Tool(Generic[P, R]):
    """A function that a model may call; calling it yourself calls the function.

    The schema is built when it is first asked for, and then kept. Options: see `ToolOptions`.

    Args:
        function: A plain or async function, a method, a partial, or an object that can be called.
        options: Everything else.

    Raises:
        ToolDefinitionError: The name is none that models take, or the function cannot be a tool.
    """

    def __init__(self, function: Callable[P, R], options: ToolOptions | None = None) -> None:
        own_name = name_of(function)
        options = options or ToolOptions()
        check_names(own_name, options)
        self.function: Final = function
        self.options: Final = options
        self.name: Final = joined_name(options.name or own_name, options.toolset)
        self.original_name = self.name
        """How its definer calls it, where that is no name that models take."""
        self.original_toolset = options.toolset
        """The group that it came from, also where a view has given that another name."""
        self.title: Final = options.title
        self.thread: Final = options.thread
        self.command: Final = options.command
        self.timeout_s: Final = options.timeout_s
        self.run, is_async = runner_of(function)
        self.is_async = is_async or options.external
        self._local_names = enclosing_names(function)
        self._source_hash = source_hash(function)  # now: a cell's text may change later
        self._given_schema: Schema | None = None
        self._check()
        functools.update_wrapper(self, function, updated=())

    @classmethod
    def from_schema(
        cls,
        name: str,
        description: str,
        parameters: Mapping[str, Any],
        handler: Callable[..., Any],
        options: ToolOptions | None = None,
    ) -> Tool:
        """A tool whose schema comes from elsewhere.

        Args:
            name: The name, also with a toolset's prefix; one that models do not take is written in
                one that they take, and stays in `original_name`.
            description: What the model is told.
            parameters: A JSON Schema of type object; arguments are checked against it.
            handler: Takes the arguments as one dictionary, and a `Context` if it asks for one.
            options: Everything else; its name goes to the model instead, its description does not
                count.
        """
        given = options or ToolOptions()
        named = replace(given, name=given.name or safe_name(name), description=description)
        whole = joined_name(named.name or name, named.toolset)
        schema = raw_schema(whole, description, parameters, handler, strict=named.strict)
        made = cls.of_schema(schema, handler, named)
        made.original_name = name
        return made

    @classmethod
    def of_schema(cls, schema: Schema, handler: Callable[..., Any], options: ToolOptions) -> Tool:
        """A tool whose arguments a schema of its own makes into the handler's.

        Args:
            schema: How a model sees the tool, and how its arguments become a call.
            handler: Takes what the schema's `bind` gives.
            options: Everything else; the name must be among it.
        """
        made: Tool = Tool(handler, options)
        made._given_schema = schema
        made._source_hash = None  # the handler may serve many tools: the schema tells them apart
        return made

    def with_options(self, options: ToolOptions) -> Tool[P, R]:
        """The same function and schema as another tool, e.g. in a toolset."""
        return self._again(self.function, options)

    def is_same(self, other: Tool) -> bool:
        """Whether both are one function with one schema, e.g. a method that was named twice."""
        mine, yours = self.function, other.function
        is_one = mine is yours or (inspect.isroutine(mine) and mine == yours)
        return (
            is_one and self.options == other.options and self._given_schema == other._given_schema
        )

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function, as if it were no tool."""
        return self.function(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Tool:
        """The tool of one object, where the function is a method."""
        if instance is None or not inspect.isfunction(self.function):
            return self
        if self._given_schema is not None and not is_unbound_method(self.function):
            return self
        return self._again(types.MethodType(self.function, instance), self.options)

    def __repr__(self) -> str:
        return f"<Tool {self.name}>"

    @cached_property
    def schema(self) -> Schema:
        """What the function takes, as its types say it.

        Raises:
            ToolDefinitionError: A hint does not resolve, or has no JSON form.
        """
        if self._given_schema is not None:
            return self._given_schema
        return function_schema(
            self.function,
            self.name,
            use_docstring=self.options.use_docstring,
            docstring_style=self.options.docstring_style,
            local_names=self._local_names,
            strict=self.options.strict,
        )

    @property
    def description(self) -> str:
        """What the model is told of the tool."""
        given = self.options.description
        return self.schema.description if given is None else given

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """The JSON Schema that the model is given: by strict rules where `strict` is true."""
        written, _ = self._strict
        return self.schema.parameters if written is None else written

    @property
    def strict(self) -> bool:
        """Whether `parameters` keeps OpenAI's strict rules."""
        return self._strict[0] is not None

    @property
    def strict_note(self) -> str | None:
        """Why the tool is not strict although it was to be, in words."""
        return self._strict[1]

    @property
    def source_hash(self) -> str:
        """Which version of the tool this is: of its source, else of its schema."""
        if self._source_hash is None:
            self._source_hash = schema_hash(self.name, self.description, self.schema.parameters)
        return self._source_hash

    def lint(self) -> Findings:
        """What in it may mislead a model, each with what to do about it; see `nbagents.lint`."""
        return lint_one(self.linted) if self.options.hosted is None else Findings()

    @property
    def linted(self) -> Linted:
        """The tool, as far as `lint` looks through it."""
        return Linted(
            name=self.name,
            function=self.function,
            schema=self.schema,
            description=self.description,
            docstring_style=self.options.docstring_style if self.options.use_docstring else None,
            local_names=self._local_names,
        )

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The call that a model's arguments ask for, or what does not fit."""
        try:
            return self.schema.bind(arguments, context)
        except (Exception, asyncio.CancelledError):
            raise
        except BaseException as error:
            if is_persons(error):
                raise
            raise ToolFailedError(EXITED.format(name=type(error).__name__)) from error

    @cached_property
    def _strict(self) -> tuple[dict[str, JsonValue] | None, str | None]:
        if not self.options.strict:
            return None, None
        written, reasons = strict_schema(self.schema.parameters)
        return written, reasons and f"Not strict: {reasons}."

    def _again(self, function: Callable[..., Any], options: ToolOptions) -> Tool:
        made: Tool = Tool(function, options)
        made._given_schema = self._given_schema
        made._source_hash = self._source_hash
        made._local_names = self._local_names
        made.original_toolset = self.original_toolset or options.toolset
        if self._given_schema is not None:
            made.original_name = self.original_name
        return made

    def _check(self) -> None:
        check_options(self.name, self.options)
        if self.thread and self.is_async:
            raise ToolDefinitionError(
                f"Tool {self.name!r} is async, so it runs on the run's own loop: "
                "leave out thread=True, or make it a plain `def`."
            )


def is_tool(given: object) -> TypeGuard[Tool]:
    """Whether something is a tool, of any function."""
    return isinstance(given, Tool)


LENGTH = 12


def source_hash(function: Callable[..., object]) -> str | None:
    """Twelve hex digits of the function's source; `None` where there is no source.

    The same text gives the same hash in every kernel, wherever in a notebook it stands. What is
    bound by `functools.partial`, and the state of an object, are not part of it.
    """
    code = getattr(written_function(function), "__code__", None)
    if not isinstance(code, types.CodeType):  # written in C
        return None
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : _last_line(code)]
    if not lines:  # made by exec
        return None
    text = textwrap.dedent("".join(lines))
    version = _digest(text)
    _sources.setdefault(version, text)
    if len(_sources) > MOST_SOURCES:
        del _sources[next(iter(_sources))]
    return version


MOST_SOURCES: Final = 1_000
_sources: Final[dict[str, str]] = {}
"""The text of each version of a tool of this process, the oldest first: a cell that is run again
takes it from where it was read."""


def source_of_version(version: str) -> str | None:
    """The source of a tool as it was when it had this `source_hash`; `None`: it was never here."""
    return _sources.get(version)


def _last_line(code: types.CodeType) -> int:
    # The code knows it: `inspect.getsource` would look for it by reading all of the function.
    ends = [end for _, end, _, _ in code.co_positions() if end is not None]
    inner = [_last_line(one) for one in code.co_consts if isinstance(one, types.CodeType)]
    return max(ends + inner, default=code.co_firstlineno)


def schema_hash(name: str, description: str, parameters: Mapping[str, object]) -> str:
    """Twelve hex digits of how a model sees the tool."""
    return _digest(json.dumps([name, description, parameters], sort_keys=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:LENGTH]
