"""What stands behind a callable: the function that somebody wrote, its name, how it runs."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import AsyncIterable, Awaitable, Callable, Generator, Iterator
from itertools import islice
from typing import Any, TypeAlias, TypeGuard

from nbagents.errors import ToolDefinitionError
from nbagents.results import Result
from nbagents.tools.context.capture import current_sink
from nbagents.tools.values import MAX_ITEMS, without_addresses

Function: TypeAlias = Callable[..., Any]  # Any: a user's function gives anything


def name_of(function: object) -> str:
    """What a function is called, or the class of an object that can be called.

    Raises:
        ToolDefinitionError: It cannot be called, is a class, or has no name.
    """
    if not callable(function) or inspect.isclass(function):
        raise ToolDefinitionError(
            f"{function!r} is no function: make a tool of a function, a method or an object that "
            "can be called."
        )
    inner = _without_partial(function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def written_function(function: Function) -> Function:
    """The function as it was written: without partial, object and decorators."""
    inner = _without_partial(called_by(function))
    return inspect.unwrap(getattr(inner, "__func__", inner))


def bound_keywords(function: Function) -> frozenset[str]:
    """The parameters that a `functools.partial` gives, so that no caller needs to."""
    called = as_called(function)  # a partial may stand where an object is called, too
    return frozenset(called.keywords) if _is_partial(called) else frozenset()


def docstring_of(function: Function) -> str | None:
    """The docstring of the function; of an object, that of `__call__`, else of its class."""
    inner = _without_partial(function)
    if inspect.isroutine(inner):
        return inspect.getdoc(inner)
    # Not getdoc, which would inherit Python's own.
    own = _without_partial(called_by(inner)).__doc__ or type(inner).__doc__
    return inspect.cleandoc(own) if own else None


def is_unbound_method(function: Function) -> bool:
    """Whether a function was defined in a class and takes the object that it lacks."""
    path = getattr(function, "__qualname__", "").rpartition("<locals>.")[2]
    if not inspect.isfunction(function) or "." not in path:
        return False
    return next(iter(inspect.signature(function).parameters), "") in {"self", "cls"}


def runner_of(function: Function) -> tuple[Function, bool]:
    """What the runtime calls, and whether that gives an awaitable.

    A function that yields shows what it yields as progress. Its result is what it returns, else a
    `Result` that it yields last, else the list of what it yielded, as far as lists go.
    """
    called = called_by(function)
    if inspect.isasyncgenfunction(called):
        return _collected_async(function), True
    if inspect.isgeneratorfunction(called):
        return _collected(function), False
    return function, inspect.iscoroutinefunction(called)


def as_called(function: Function) -> Function:
    """What has the signature that a caller sees, also where `inspect` would leave out an argument.

    It takes the first parameter of an object's `__call__` for the object, also where that is a
    static or a class method.
    """
    if _is_partial(function):
        inner = as_called(function.func)
        if inner is function.func:
            return function
        return functools.partial(inner, *function.args, **function.keywords)
    if inspect.isroutine(function) or isinstance(function, type):
        return function
    static = inspect.getattr_static(type(function), "__call__", None)
    return called_by(function) if isinstance(static, UNBOUND) else function


UNBOUND = (staticmethod, classmethod, functools.partial, functools.partialmethod)


def is_async(function: object) -> TypeGuard[Callable[..., Awaitable[Any]]]:
    """Whether calling gives an awaitable, also of an object whose `__call__` is async."""
    return callable(function) and inspect.iscoroutinefunction(called_by(function))


def _is_partial(function: object) -> TypeGuard[functools.partial[Any]]:
    return isinstance(function, functools.partial)


def _without_partial(function: Function) -> Function:
    while _is_partial(function):
        function = function.func
    return function


def called_by(function: Function) -> Function:
    """What Python runs first: for an object, its `__call__`."""
    inner = _without_partial(function)
    if inspect.isroutine(inner) or isinstance(inner, type):
        return inner
    static = inspect.getattr_static(type(inner), "__call__")
    if _is_partial(static):  # it is given no object
        return static
    return static.__get__(inner, type(inner)) if hasattr(static, "__get__") else static


def _collected(function: Callable[..., Iterator[object]]) -> Function:
    def collect(*args: object, **kwargs: object) -> object:
        yielded: list[object] = []
        steps = function(*args, **kwargs)
        while len(yielded) < MAX_ITEMS:
            try:
                yielded.append(next(steps))
            except StopIteration as stop:
                return _said(yielded) if stop.value is None else stop.value
            _tell(yielded[-1])
        return iter([*yielded, *_one_more(steps)])

    return collect


def _collected_async(function: Callable[..., AsyncIterable[object]]) -> Function:
    async def collect(*args: object, **kwargs: object) -> object:
        yielded: list[object] = []
        async for one in function(*args, **kwargs):
            if len(yielded) == MAX_ITEMS:
                return iter([*yielded, one])
            yielded.append(one)
            _tell(one)
            await asyncio.sleep(0)  # one that never waits could not be stopped
        return _said(yielded)

    return collect


def _one_more(steps: Iterator[object]) -> list[object]:
    """One item more than are taken, so that it is said that there is more."""
    more = list(islice(steps, 1))
    if isinstance(steps, Generator):
        steps.close()
    return more


def _said(yielded: list[object]) -> object:
    """A generator's result: its last word, if that is a `Result`, else all that it yielded."""
    last = yielded[-1] if yielded else None
    return last if isinstance(last, Result) else yielded


def _tell(yielded: object) -> None:
    """Show what a generator yields, as the progress of its call."""
    sink = current_sink()
    if sink is not None:
        sink.progress(without_addresses(str(yielded)))
