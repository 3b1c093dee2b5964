"""What an agent is given, and what it is asked: seen to before anything begins.

What is wrong by itself is said where the agent is made; what depends on other things, e.g. whether
there is a tool of a name, where a run begins (`policies.py`). One thing where several may be is
understood, and so is `None` where there may be nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired, TypeAlias, cast

from annotated_types import Ge
from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from nbagents.errors import OutputError, RunError
from nbagents.events import Approval
from nbagents.narrowing import is_mapping
from nbagents.results import Limits
from nbagents.runs.policy import FinalCall, Parallel, StopAt, check_prices
from nbagents.tools.context import (
    check_function,
    explained,
    is_async,
    is_function,
    is_several,
    require,
    require_named,
    shown,
    wrong,
)
from nbagents.tools.tool import Tool, Toolset

if TYPE_CHECKING:
    from nbagents.agents.specification.specification import Specification

USES: Final = ("run_again", "stop_on_first")
CHECKS: Final = ("input_guardrails", "output_guardrails")
NOTHING: Final[Mapping[str, object]] = {
    "instructions": "",
    "settings": {},
    "prices": {},
    "exports": {},
    "deny_tags": (),
    "handoffs": (),
    "input_guardrails": (),
    "output_guardrails": (),
}
"""What `None` means, where somebody hands on what he was not given himself."""
CHECKED: Final = "the context and the value"
SETTINGS: Final = 'give what the model is sent by name, e.g. {"temperature": 0}.'
FEW: Final = "give a whole number that is not negative."
ADVICE: Final[Mapping[str, str]] = {
    "name": 'it must be text, e.g. Agent("planner").',
    "instructions": 'give text, e.g. Agent("planner", "You plan trips.").',
    "keep_turns": FEW,
    "keep_tokens": FEW,
}
NO_TYPES: Final = (
    FunctionType,
    MethodType,
    BuiltinFunctionType,
    int,
    float,
    bytes,
    list,
    tuple,
    dict,
)
"""What no answer can have as its type, although pydantic makes a schema of some."""


Count: TypeAlias = Annotated[int, Ge(0)]
Positive: TypeAlias = Annotated[int, Ge(1)]


class Plain(TypedDict):
    """The fields of an agent that are plain values, and what they may be; limits, see `Limits`."""

    __pydantic_config__ = ConfigDict(strict=True)  # pyright: ignore[reportGeneralTypeIssues]  pydantic reads it there

    name: str
    instructions: str
    parallel: bool
    sequential: bool
    can_ask: bool
    approval: Approval | None
    on_await: NotRequired[Literal["ask", "wait", "deny", "suspend"] | None]
    on_missing: Literal["tell", "ask"] | None
    keep_turns: Count | None
    keep_tokens: Count | None
    max_steps: Positive


@functools.cache
def _plain() -> TypeAdapter[Plain]:
    return TypeAdapter(Plain)


def kept(agent: Specification) -> Mapping[str, object]:
    """The fields of an agent that are kept in another form than they were given in.

    What may be iterated only once would be gone after the first run.

    Raises:
        ValueError: There are not several things where several may be; says what to give.
    """
    changed: dict[str, object] = {"tools": _tools(agent.tools)}
    for name, nothing in NOTHING.items():
        given: object = getattr(agent, name)
        if given is None:
            changed[name] = nothing
        elif name in SEVERAL and given != ():
            changed[name] = SEVERAL[name](name, given)
    if agent.allow_tags is not None:
        changed["allow_tags"] = _tags("allow_tags", agent.allow_tags)
    on_limit: object = agent.on_limit
    if isinstance(on_limit, str):
        changed["on_limit"] = FinalCall(on_limit)
    return changed


def check_given(agent: Specification) -> None:
    """See that an agent can be used as it was made, as far as that is seen without a run.

    Raises:
        ValueError: A field cannot be used; says what to give.
        OutputError: No answer can have the type `output`.
    """
    plain = {name: getattr(agent, name) for name in Plain.__annotations__}
    if callable(agent.on_await):
        of = "what is asked, an nbagents.Await"
        check_function("on_await", plain.pop("on_await"), of, 1, classes=True)
    try:
        _plain().validate_python(plain)
        limits_of(agent)
    except ValidationError as error:
        raise explained(error, ADVICE) from None
    _check_model(agent.model)
    _check_output(agent.output)
    require_named("settings", agent.settings, SETTINGS, key="A name among settings")
    check_prices(agent.prices)
    _check_rules(agent)


def limits_of(agent: Specification) -> Limits:
    """What a run of the agent may do.

    Raises:
        ValidationError: A limit is none.
    """
    return Limits.model_validate(
        {name: getattr(agent, name) for name in Limits.model_fields}, strict=True
    )


def check_asked(
    prompt: object,
    *,
    shared: object = None,
    attached: object = (),
    passthrough: object = None,
    chat: object = None,
    labels: object = None,
) -> None:
    """See that a run can begin with what it is given.

    Raises:
        ValueError: It cannot; says what to give.
        RunError: The chat has no name.
    """
    how = "it must be text; what goes along with it is `attach`."
    require("The prompt", prompt, str, how)
    if not str(prompt).strip():
        raise ValueError("The prompt is empty: say what the agent should do.")
    if chat is not None and not isinstance(chat, str):
        raise RunError(f"chat is {shown(chat)}: a chat needs a name, e.g. chat='trip'.")
    if shared is not None:
        require_named("vars", shared, 'give objects by name, e.g. vars={"table": table}.')
    if is_mapping(attached):
        require_named("attach", attached, 'give names, e.g. attach={"map": image}.')
    if labels is not None:
        how = 'give texts by name, e.g. labels={"trial": "1"}.'
        require_named("labels", labels, how, of=str)
    if passthrough is not None:
        how = 'give values by the toolset\'s name, e.g. passthrough={"trips": {"user": 7}}.'
        require_named("passthrough", passthrough, how, of=Mapping)


def check_host(host: object) -> None:
    """See that what is to show a run can.

    Raises:
        ValueError: It cannot.
    """
    if host is not None and (isinstance(host, type) or not hasattr(host, "attend")):
        raise wrong("host", host, "leave it out, or give a host: what shows a run, and asks.")


def _tools(given: object) -> tuple[object, ...]:
    if type(given) is list or type(given) is tuple:  # nearly always; a protocol takes its time
        return tuple(cast("Iterable[object]", given))
    if type(given) is dict:
        advice = "give its values, or nbagents.toolset_of(name, tools)."
        raise wrong("tools", cast("object", given), advice)
    if isinstance(given, str | Tool | Toolset) or not isinstance(given, Iterable):
        return (cast("object", given),)
    return tuple(cast("Iterable[object]", given))


def _guardrails(_: str, given: object) -> tuple[object, ...]:
    return tuple(given) if is_several(given) and not callable(given) else (given,)


def _tags(name: str, given: object) -> tuple[str, ...]:
    """Tags, also where one was given instead of several.

    Raises:
        ValueError: They are no texts.
    """
    words = tuple(given) if is_several(given) or is_mapping(given) else (given,)
    for one in words:
        if not isinstance(one, str):
            raise wrong(name, given, 'give words, e.g. ["net"].')
    return cast("tuple[str, ...]", words)


def _handoffs(name: str, given: object) -> tuple[object, ...]:
    from nbagents.agents.specification.handoffs import handoffs_of

    return handoffs_of(name, given)


SEVERAL: Final = {
    "deny_tags": _tags,
    "handoffs": _handoffs,
    "input_guardrails": _guardrails,
    "output_guardrails": _guardrails,
}
"""How several things are kept, by the field that takes them."""


def _check_model(model: object) -> None:
    if model is None or isinstance(model, str):
        return
    if isinstance(model, type):
        raise wrong("model", model, f"give an object of it, e.g. {model.__name__}(...).")
    if hasattr(model, "begin"):
        raise wrong("model", model, "an agent is no model; give it that of the agent.")
    if not (hasattr(model, "name") and callable(getattr(model, "stream", None))):
        advice = 'give a model, e.g. nbagents.OpenAIChat(...), the id of one, "offline" or None.'
        raise wrong("model", model, advice)


def _check_output(output: object) -> None:
    if _is_no_type(output):
        raise OutputError(
            f"output is {shown(output)}, which is no type: give a type that JSON can carry, e.g. a "
            "pydantic model, a dataclass, list[str] or int."
        )


def _is_no_type(output: object) -> bool:
    return isinstance(output, NO_TYPES)


def _check_rules(agent: Specification) -> None:
    """See that functions can be called as they will be, and that the rest is what it is to be."""
    keeps: object = agent.tool_filter
    if keeps is not None:
        check_function("tool_filter", keeps, "a StepContext and a tool", 2)
        if is_async(keeps):
            advice = "is async: take a plain `def`, which says yes or no at once."
            raise ValueError(f"tool_filter {advice}")
    for name in CHECKS:
        checks: Iterable[object] = getattr(agent, name)
        for one in checks:
            check: object = one
            if isinstance(one, Parallel) and name == "input_guardrails":
                check = one.check
            check_function(f"One of {name}", check, CHECKED, 2)
    if agent.tool_use not in USES:
        _check_use(agent.tool_use)
    on_limit: Any = agent.on_limit  # of any type that somebody gave
    if on_limit is not None and not isinstance(on_limit, FinalCall):
        name = getattr(on_limit, "name", getattr(on_limit, "__name__", None))
        tool = name if isinstance(name, str) and not isinstance(on_limit, type) else "a_tool"
        advice = f'say which call ends the run, e.g. nbagents.FinalCall("{tool}", {{...}}).'
        raise wrong("on_limit", on_limit, advice)


def _check_use(use: object) -> None:
    if isinstance(use, StopAt):
        return
    words = " or ".join(map(repr, USES))
    if not is_function(use):
        names = tuple(use) if is_several(use) else ("a_tool",)
        stop = ", ".join(map(repr, names))
        raise ValueError(
            f"tool_use is {shown(use)}: take {words}, nbagents.StopAt({stop}), or a function of "
            "the context and the calls."
        )
    check_function("tool_use", use, "the context and the calls", 2)
