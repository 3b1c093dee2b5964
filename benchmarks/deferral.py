"""What a model reads to use sixteen thousand APIs: each way to find them, with a model that knows.

The oracle stands for a good model: it searches with the person's words, knows its tool when it sees
it, searches again by service and name for what it does not see, and calls every tool that it
needs. Tokens are a quarter of the characters of what a provider would be sent.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import nbagents as nba
from nbagents.messages import AssistantMessage, ToolMessage, UserMessage
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from benchmarks.report import Report
    from nbagents.messages import CallRequest, Message
    from nbagents.models.model import ModelPart, ModelRequest

__all__ = [
    "ANSWER",
    "CATALOGUE",
    "PROMPT",
    "WAYS",
    "Told",
    "is_there",
    "measured",
    "report_ways",
    "sample",
    "told",
]

DATA = Path(os.environ.get("NBAGENTS_DATA") or Path(__file__).parents[1].parent / "shared" / "data")
CATALOGUE = DATA / "tool-catalog" / "catalog.jsonl"
QUERIES = DATA / "tool-catalog" / "queries.public.jsonl"
SAMPLE = 60
"""Queries, every so-manieth of the public ones."""
RESULT = json.dumps([{"id": at, "name": f"entry {at}", "value": at * 7} for at in range(40)])
"""What each call gives: about 400 tokens."""
SEARCHES = 4
WAYS = ("append", "bridge", "code")
PROMPT, ANSWER = 1500, 500
"""The bars: tokens of the tools at first, and of one answer of ten hits."""
PER_TOKEN = 4


class Answering:
    """A catalogue all of whose APIs answer, at once and always the same."""

    def __init__(self, found: str) -> None:
        self._inner = catalogue()
        self.found, self.defer = found, "always"

    def tool_of(self, name: str) -> Tool:
        api = self._inner[name]

        async def answer(arguments: dict[str, Any]) -> str:  # noqa: ARG001  whatever it is asked
            return RESULT

        options = ToolOptions(strict=False)
        return Tool.from_schema(name, api.description, api.parameters, answer, options)

    def search(self, *args: Any, **options: Any) -> Any:
        return self._inner.search(*args, **options)

    def __len__(self) -> int:
        return len(self._inner)

    def __contains__(self, name: object) -> bool:
        return name in self._inner

    def __getitem__(self, name: str) -> Any:
        return self._inner[name]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@cache
def catalogue() -> nba.Catalogue:
    return nba.Catalogue(CATALOGUE)


def is_there() -> bool:
    """Whether the data is."""
    return CATALOGUE.exists() and QUERIES.exists()


@dataclass
class Told:
    """What one run cost."""

    requests: int = 0
    calls: int = 0
    tokens: int = 0
    """Of all requests."""
    new: int = 0
    """Those that did not stand at the same place in the request before."""
    tools: int = 0
    """Of the tools, at first."""
    tools_at_end: int = 0
    answers: list[int] = field(default_factory=list[int])
    """Of what each search said."""
    is_complete: bool = False
    """Whether every tool was called that was needed."""


class Oracle:
    """A model that knows which tools it needs.

    Args:
        gold: Their names.
        way: How tools are found.
    """

    name = "oracle"

    def __init__(self, gold: Sequence[str], way: str) -> None:
        self.gold = tuple(gold)
        self.way = way
        self.told = Told()
        self._before = ""
        self._asked: list[str] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Search, call, or answer."""
        self._count(request)
        calls = list(self._code(request) if self.way == "code" else self._next(request))
        yield ModelTurn(calls=tuple(calls)) if calls else ModelTurn(text="This is what I found.")

    def _count(self, request: ModelRequest) -> None:
        told = self.told
        tools = "\n".join(map(_tool_text, request.tools))
        sent = tools + "".join(map(_message_text, request.messages))
        told.requests += 1
        told.tokens += len(sent) // PER_TOKEN
        told.new += (len(sent) - _shared(sent, self._before)) // PER_TOKEN
        told.tools_at_end = len(tools) // PER_TOKEN
        told.tools = told.tools or told.tools_at_end
        self._before = sent

    def _next(self, request: ModelRequest) -> Iterator[CallRequest]:
        made = {one.name for one in _calls(request.messages)}
        needed = [name for name in self.gold if name not in made]
        if not needed:
            return
        loaded = {one.name for one in request.tools}
        seen = "\n".join(one.content for one in request.messages if isinstance(one, ToolMessage))
        ready = [
            name
            for name in needed
            if name in loaded or f"\n{name}(" in f"\n{seen}" or f'"name":"{name}"' in seen
        ]
        if ready:
            yield from map(self._of, ready)
        elif shown := [name for name in needed if f"\n{name}:" in f"\n{seen}"]:
            yield call("describe_tools", names=shown)
        elif (query := self._query(request, needed)) is not None:
            self._asked.append(query)
            yield call("search_tools", query=query)

    def _query(self, request: ModelRequest, needed: Sequence[str]) -> str | None:
        """The person's words first; then, of what is still needed, the service and the name."""
        if len(self._asked) > SEARCHES:
            return None
        if not self._asked:
            return _prompt(request)
        api = catalogue()[needed[0]]
        query = f"{api.tool} {api.api}"
        return None if query in self._asked else query

    def _of(self, name: str) -> CallRequest:
        arguments = arguments_of(catalogue()[name].parameters)
        if self.way == "bridge":
            return call("call_tool", name=name, arguments=arguments)
        return call(name, **arguments)

    def _code(self, request: ModelRequest) -> Iterator[CallRequest]:
        made = len(_calls(request.messages))
        seen = "\n".join(one.content for one in request.messages if isinstance(one, ToolMessage))
        needed = [name for name in self.gold if f"{name}:" not in seen]
        if "called:" in seen:
            return
        if not made:
            yield _python(SEARCHING.format(query=_prompt(request)))
        elif needed and made <= SEARCHES:
            api = catalogue()[needed[0]]
            yield _python(SEARCHING.format(query=f"{api.tool} {api.api}"))
        elif "'parameters':" not in seen:
            yield _python(f"print(apis.describe(*{[*self.gold]!r}))")
        else:
            there = [name for name in self.gold if f"{name}:" in seen]
            lines = [
                f"r{at} = await apis[{name!r}](**{arguments_of(catalogue()[name].parameters)!r})"
                for at, name in enumerate(there)
            ]
            last = f"print('called:', {len(there)}, r0[:200])" if there else "print('called:', 0)"
            yield _python("\n".join([*lines, last]))


SEARCHING = """for hit in await apis.search({query!r}):
    print(f"{{hit.name}}: {{hit.summary}}")"""


def _python(code: str) -> CallRequest:
    return call("run_python", code=code)


def _prompt(request: ModelRequest) -> str:
    return next(one.text for one in request.messages if isinstance(one, UserMessage))


def _calls(messages: Sequence[Message]) -> list[CallRequest]:
    return [made for one in messages if isinstance(one, AssistantMessage) for made in one.calls]


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        half = (least + most + 1) // 2
        least, most = (half, most) if one[:half] == other[:half] else (least, half - 1)
    return least


def _tool_text(spec: Any) -> str:
    function = {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    }
    return json.dumps({"type": "function", "function": function}, ensure_ascii=False)


def _message_text(message: Message) -> str:
    if isinstance(message, UserMessage):
        return message.told
    if isinstance(message, ToolMessage):
        return message.content
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    return message.text + "".join(f"{one.name}({one.arguments})" for one in calls)


def arguments_of(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Some arguments that a schema takes."""
    known: Any = parameters.get("properties") or {}  # Any: JSON, as in what follows
    return {name: value_of(known.get(name) or {}) for name in parameters.get("required") or ()}


def value_of(schema: Any) -> Any:
    """Some value that a schema takes."""
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type")
    made: dict[Any, Any] = {
        "integer": 1,
        "number": 1.5,
        "boolean": True,
        "array": [],
        "object": {},
        "null": None,
    }
    return made.get(kind[0] if isinstance(kind, list) else kind, "Oslo")


def sample() -> list[tuple[str, list[str]]]:
    """Queries of all kinds, each with the APIs that it needs."""
    rows = [json.loads(line) for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["set"] != "anytoolbench-u"]
    step = max(1, len(rows) // SAMPLE)
    return [(row["query"], row["gold"]) for row in rows[::step]][:SAMPLE]


def told(way: str, query: str, gold: Sequence[str]) -> Told:
    """What one run costs in which an oracle finds and calls what a query needs."""
    oracle = Oracle(gold, way)
    if way == "code":
        reached: Any = Answering("code")
        tools: list[Any] = [nba.run_python(_apis(reached), needs_approval=False)]
    else:
        tools = [Answering(way)]
    agent = nba.Agent("oracle", tools=tools, model=oracle, max_steps=20, max_failed_batches=None)
    with contextlib.redirect_stdout(io.StringIO()):  # nobody shows what code prints
        run = agent.run(query, log="memory")
    made = [one for each in (run, *run.children) for one in each.calls]
    oracle.told.calls = len(made)
    oracle.told.answers = [
        len(one.content or "") // PER_TOKEN for one in run.calls if one.name == "search_tools"
    ]
    oracle.told.is_complete = {one.name for one in made if one.status == "done"} >= set(gold)
    return oracle.told


def _apis(reached: Any) -> Any:
    from nbagents.code_mode import Apis  # only one of the ways needs it

    return Apis(reached)


def never(gold: Sequence[str], query: str) -> Told:
    """What it would cost to offer all: two requests, worked out and not sent."""
    definitions = _all_definitions()
    results = len(gold) * len(RESULT) // PER_TOKEN
    once = definitions + len(query) // PER_TOKEN
    return Told(
        requests=2,
        calls=len(gold),
        tokens=2 * once + results,
        new=once + results,
        tools=definitions,
        tools_at_end=definitions,
        is_complete=True,
    )


@cache
def _all_definitions() -> int:
    apis: Iterator[Any] = iter(catalogue())
    return sum(len(json.dumps(one.definition(), ensure_ascii=False)) for one in apis) // PER_TOKEN


def measured() -> dict[str, list[Told]]:
    """What each way costs for the queries of the sample."""
    queries = sample()
    found = {"never": [never(gold, query) for query, gold in queries]}
    return found | {way: [told(way, query, gold) for query, gold in queries] for way in WAYS}


def report_ways(report: Report) -> None:
    """Print what each way costs, and which bars hold."""
    if not is_there():
        print(f"No catalogue at {CATALOGUE}: set NBAGENTS_DATA to the folder of the data.")
        return
    report.show(
        "Tokens and calls of each way to use 16,464 APIs, in the median of public queries",
        [
            *("", "requests", "calls", "prompt tokens", "of them new", "complete"),
            *("tools at first", "bar", "largest answer of ten hits", "bar"),
        ],
        [_row(report, way, rows) for way, rows in measured().items()],
    )


def _row(report: Report, way: str, rows: Sequence[Told]) -> list[str]:
    counts = ((one.requests, one.calls, one.tokens, one.new) for one in rows)
    tools = max(one.tools for one in rows)
    answer = max((said for one in rows for said in one.answers), default=None)
    return [
        way,
        *(f"{median(values):,.0f}" for values in zip(*counts, strict=True)),
        f"{sum(one.is_complete for one in rows) / len(rows):.0%}",
        f"{tools:,}",
        report.verdict(f"{way}: tools", tools, PROMPT if way in WAYS else None),
        "" if answer is None else f"{answer}",
        "" if answer is None else report.verdict(f"{way}: an answer", answer, ANSWER),
    ]
