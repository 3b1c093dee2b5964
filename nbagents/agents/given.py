"""What an agent is given, and what it is asked: seen to before anything begins.

What is wrong by itself is said where the agent is made; what depends on other things, e.g. whether
there is a tool of a name, where a run begins (`policies.py`). One thing where several may be is
understood, and so is `None` where there may be nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.errors import OutputError, RunError, did_you_mean
from nbagents.runs.guardrails import Parallel
from nbagents.runs.limits import check_limits
from nbagents.runs.policy import FinalCall, StopAt
from nbagents.runs.prices import check_prices
from nbagents.tools.callables import is_async
from nbagents.tools.misuse import check_function, is_function, is_several, shown, wrong
from nbagents.tools.plain import is_mapping
from nbagents.tools.tool import Tool
from nbagents.tools.toolset import Toolset

if TYPE_CHECKING:
    from nbagents.agents.known import AgentLike

__all__ = ["check_asked", "check_given", "check_host", "kept"]

APPROVALS: Final = ("risky", "ask", "auto", "never")
ON_AWAIT: Final = ("ask", "wait", "deny", "suspend")
ON_MISSING: Final = ("tell", "ask")
USES: Final = ("run_again", "stop_on_first")
COUNTS: Final = ("keep_turns", "keep_tokens")
FLAGS: Final = ("parallel", "sequential", "can_ask")
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


def kept(agent: AgentLike) -> Mapping[str, object]:
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


def check_given(agent: AgentLike) -> None:
    """See that an agent can be used as it was made, as far as that is seen without a run.

    Raises:
        ValueError: A field cannot be used; says what to give.
        OutputError: No answer can have the type `output`.
    """
    name, instructions = cast("tuple[object, object]", (agent.name, agent.instructions))
    if not isinstance(name, str):
        raise wrong("name", name, 'it must be text, e.g. Agent("planner").')
    if not isinstance(instructions, str):
        raise wrong(
            "instructions", instructions, 'give text, e.g. Agent("planner", "You plan trips.").'
        )
    for flag in FLAGS:
        if not isinstance(getattr(agent, flag), bool):
            raise wrong(flag, getattr(agent, flag), "it must be True or False.")
    _check_model(agent.model)
    _check_output(agent.output)
    _check_settings(agent.settings)
    _check_words(agent)
    check_limits(agent)
    if agent.prices:
        check_prices(agent.prices)
    _check_rules(agent)


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
    if not isinstance(prompt, str):
        raise wrong("The prompt", prompt, "it must be text; what goes along with it is `attach`.")
    if not prompt.strip():
        raise ValueError("The prompt is empty: say what the agent should do.")
    if chat is not None and not isinstance(chat, str):
        raise RunError(f"chat is {shown(chat)}: a chat needs a name, e.g. chat='trip'.")
    if shared is not None:
        _check_names("vars", shared, 'give objects by name, e.g. vars={"table": table}.')
    if is_mapping(attached):
        _check_names("attach", attached, 'give names, e.g. attach={"map": image}.')
    if labels is not None:
        how = 'give texts by name, e.g. labels={"trial": "1"}.'
        _check_names("labels", labels, how, of=str)
    if passthrough is not None:
        how = 'give values by the toolset\'s name, e.g. passthrough={"trips": {"user": 7}}.'
        _check_names("passthrough", passthrough, how, of=Mapping)


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
    from nbagents.agents.handoffs import handoffs_of

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


def _check_settings(settings: object) -> None:
    advice = 'give what the model is sent by name, e.g. {"temperature": 0}.'
    if not is_mapping(settings):
        raise wrong("settings", settings, advice)
    for name in cast("Mapping[object, object]", settings):
        if not isinstance(name, str):
            raise wrong("A name among settings", name, advice)


def _check_words(agent: AgentLike) -> None:
    """See that what is chosen by a word is one of the words there are, and counts are counts."""
    for name, known in (
        ("approval", APPROVALS),
        ("on_await", ON_AWAIT),
        ("on_missing", ON_MISSING),
    ):
        said: object = getattr(agent, name)
        if said is None or said in known:
            continue
        if name == "on_await" and callable(said):
            check_function(name, said, "what is asked, an nbagents.Await", 1, classes=True)
            continue
        hint = did_you_mean(str(said), known)
        raise ValueError(f"{name} is {shown(said)}, which is none of its words.{hint}")
    for name in COUNTS:
        count: object = getattr(agent, name)
        if count is None:
            continue
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise wrong(name, count, "give a whole number that is not negative.")


def _check_rules(agent: AgentLike) -> None:
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
    on_limit = cast("object", agent.on_limit)
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


def _check_names(name: str, given: object, advice: str, *, of: Any = object) -> None:
    """See that something is given by names; `of`: what it must be, any class."""
    if not is_mapping(given):
        raise wrong(name, given, advice)
    for key, value in cast("Mapping[object, object]", given).items():
        if not isinstance(key, str):
            raise wrong(f"A name in {name}", key, advice)
        if not isinstance(value, of):
            raise wrong(f"{name}[{key!r}]", value, advice)
