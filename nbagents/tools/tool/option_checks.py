"""What is said of a tool beside its function, seen to as the tool is made."""

from __future__ import annotations

from typing import Any, Final

from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import is_sequence
from nbagents.tools.context import check_function, is_function, shown, takes, wrong

ASKS: Final = ("risky", "ask", "auto", "never")
FLAGS: Final = (
    *("strict", "thread", "command", "private", "external", "defer", "use_docstring"),
    *("read_only", "destructive", "idempotent", "open_world", "resumable"),
)
TEXTS: Final = ("name", "description", "toolset", "title")
SEVERAL: Final = ("tags", "input_guardrails", "output_guardrails")


def check_names(own_name: str, options: Any) -> None:
    """See that what is to be text is text, before a name is made of it.

    Args:
        own_name: What the function is called.
        options: The `ToolOptions`, which this room stands below.

    Raises:
        ToolDefinitionError: It is not.
    """
    for option in TEXTS:
        given: object = getattr(options, option)
        if given is not None and not isinstance(given, str):
            raise ToolDefinitionError(
                f"{option} of tool {own_name!r} is {shown(given)}: it must be text."
            )


def check_options(name: str, options: Any) -> None:
    """See that a tool can be offered and called as its options say.

    Raises:
        ToolDefinitionError: It cannot; says what to give.
    """
    for option in FLAGS:
        flag: object = getattr(options, option)
        if flag is not None and not isinstance(flag, bool):
            raise ToolDefinitionError(
                f"{option} of tool {name!r} is {shown(flag)}: it must be True or False."
            )
    check_ask(f"ask of tool {name!r}", options.ask)
    for option in SEVERAL:
        given: object = getattr(options, option)
        if given != ():
            _check_several(name, option, given)
    _check_functions(name, options)
    _check_numbers(name, options)


def check_ask(whole: str, ask: object) -> None:
    """See that it can be said whether a person must confirm a call.

    Args:
        whole: What it was given as.
        ask: What was given.

    Raises:
        ToolDefinitionError: It cannot.
    """
    if callable(ask):
        if not takes(ask, 2):
            raise ToolDefinitionError(
                f"{whole} is {shown(ask)}: let it take two arguments: the context and the "
                "arguments of the call."
            )
    elif ask is not None and not isinstance(ask, bool) and ask not in ASKS:
        raise ToolDefinitionError(
            f"{whole} is {shown(ask)}: give True, False, one of {', '.join(ASKS)},"
            " or a function of the context and the arguments."
        )


def check_enabled(given: object) -> None:
    """See that it can be said whether a tool is offered.

    Raises:
        ValueError: It cannot; says what to give.
    """
    if isinstance(given, bool) or (callable(given) and (takes(given, 0) or takes(given, 2))):
        return
    how = "let it take no arguments, or two: the context and the agent."
    if not callable(given):
        how = "give True, False or a function without arguments or of the context and the agent."
    raise wrong("enabled", given, how)


def _check_several(name: str, option: str, given: object) -> None:
    """See that there are several tags or checks, and that they are tags, or checks."""
    whole = f"{option} of tool {name!r}"
    if not is_sequence(given):
        example = repr(given) if isinstance(given, str) else getattr(given, "__name__", "…")
        raise ToolDefinitionError(f"{whole} are {shown(given)}: give a tuple, e.g. ({example},).")
    for one in given:
        if option == "tags" and not isinstance(one, str):
            raise ToolDefinitionError(f"One of the {whole} is {shown(one)}: give words.")
        if option != "tags" and not (is_function(one) and takes(one, 2)):
            raise ToolDefinitionError(
                f"One of the {whole} is {shown(one)}: give functions of the context and the value."
            )


def _check_functions(name: str, options: Any) -> None:
    on_error: object = options.on_error
    try:
        check_enabled(options.enabled)
        if on_error is not None and on_error != "tell":
            what = "the context and the error"
            check_function("on_error", on_error, what, 2, fits="'tell', None or ", classes=True)
        if options.news is not None:
            check_function("news", options.news, "", 0)
    except ValueError as error:
        raise ToolDefinitionError(f"Tool {name!r}: {error}") from None


def _check_numbers(name: str, options: Any) -> None:
    retries, timeout_s = options.retries, options.timeout_s
    if retries is not None and (not isinstance(retries, int) or retries < 0):
        raise ToolDefinitionError(
            f"retries of tool {name!r} must be 0 or more, a whole number, not {retries!r}."
        )
    if timeout_s is not None and not (
        isinstance(timeout_s, (int, float)) and 0 < timeout_s < float("inf")
    ):
        raise ToolDefinitionError(
            f"timeout_s of tool {name!r} must be a positive number of seconds, not {timeout_s!r}."
        )
