"""What of a run may be shortened: its texts, its pictures and files, the schemas of its tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from nbagents.narrowing import dict_of, is_mapping, list_of
from nbagents.notebook.kinds import has_contents, picture_type
from nbagents.notebook.markup import json_bytes
from nbagents.runs.wording import answer_item, as_json, clipped, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nbagents.runs.tree import AwaitNode, CallNode, PayloadNode, RequestNode, RunNode, Tree

NAME_WIDTH = 100
OWNER_WIDTH = 60
SCHEMAS_BYTES = 1_000
"""Smaller schemas stay: leaving them out would gain nothing."""


class Cut(TypedDict):
    """One part that was shortened."""

    run_id: str
    call_id: str | None
    part: str
    size_bytes: int
    kept_bytes: int
    text: str
    """The cut in words."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something of a run that may be shortened."""

    run: RunNode
    call: CallNode | None
    name: str
    holder: Any  # a node of the tree, or a list in one
    key: str | int
    as_payload: bool = False

    @property
    def value(self) -> Any:  # a text or any JSON
        """What stands there."""
        return self.holder[self.key]

    @property
    def is_arguments(self) -> bool:
        """Whether a call may be made from it, so that it must be known that it is not whole."""
        return self.key == "arguments"

    @property
    def is_output(self) -> bool:
        """Whether it was printed by a call."""
        return is_mapping(self.holder) and "stream" in self.holder

    @property
    def written(self) -> str:
        """The part as the person would read it."""
        return self.value if isinstance(self.value, str) else as_json(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heavy:
    """A picture or a file in a run, which is kept whole or not at all."""

    run_id: str
    call: CallNode
    node: PayloadNode
    size_bytes: int
    is_static: bool = False
    """Whether it is what a renderer shows of a payload that it draws itself."""

    @property
    def is_file(self) -> bool:
        """Whether a saved notebook shows nothing of it but its name."""
        return not self.is_static and self.node["payload"]["kind"] == "file"

    def drop(self) -> Cut:
        """Put words in its place."""
        payload, words = self.node["payload"], f"{size(self.size_bytes)} left out"
        value, what = payload["value"], "picture"
        if self.is_static:
            del self.node["static"]
        elif self.is_file:
            what = f"contents of {value.get('name')}"
            self.node["payload"] = {**payload, "value": {**value, "data": None}}
        else:
            cut = {"of": "image", "head": "", "note": words}
            self.node["payload"] = {**payload, "kind": "cut", "value": cut}
        part = f"{what} of {self.call['name']}"
        return _left_out(self.run_id, self.call["id"], part, self.size_bytes)


def heavy_parts(tree: Tree) -> Iterator[Heavy]:
    """The pictures and the contents of files."""
    for run in tree["runs"].values():
        for call in run["calls"].values():
            for node in call["payloads"]:
                yield from _heavy_parts(run, call, node)


def _heavy_parts(run: RunNode, call: CallNode, node: PayloadNode) -> Iterator[Heavy]:
    if _is_heavy(node["payload"]):
        size_bytes = json_bytes(node["payload"]["value"])
        yield Heavy(run_id=run["id"], call=call, node=node, size_bytes=size_bytes)
    if "static" in node:
        size_bytes = json_bytes(node["static"])
        yield Heavy(run_id=run["id"], call=call, node=node, size_bytes=size_bytes, is_static=True)


def _is_heavy(payload: Mapping[str, Any]) -> bool:
    kind, value = payload["kind"], payload["value"]
    return has_contents(value) if kind == "file" else bool(picture_type(kind, value))


def cut_schemas(tree: Tree) -> list[Cut]:
    """Leave out the schemas of tools and of what was asked, in place; names and words stay."""
    return [
        cut
        for run in tree["runs"].values()
        for request in run["requests"]
        if (cut := _without_schemas(run, request))
    ] + [
        cut
        for run in tree["runs"].values()
        for asked in run["awaits"]
        if (cut := _without_form(run, asked))
    ]


def _without_schemas(run: RunNode, request: RequestNode) -> Cut | None:
    size_bytes = sum(json_bytes(tool["parameters"]) for tool in request["schemas"] or ())
    if size_bytes < SCHEMAS_BYTES:
        return None
    for tool in request["schemas"] or ():
        tool["parameters"] = None
    part = f"schemas of the tools in step {request['step']}"
    return _left_out(run["id"], None, part, size_bytes)


def _without_form(run: RunNode, asked: AwaitNode) -> Cut | None:
    size_bytes = json_bytes(asked["form"])
    if size_bytes < SCHEMAS_BYTES:
        return None
    asked["form"] = None
    return _left_out(run["id"], asked["call_id"], "form of a question", size_bytes)


def _left_out(run_id: str, call_id: str | None, of: str, size_bytes: int) -> Cut:
    part = clipped(of, NAME_WIDTH)
    return {
        "run_id": run_id,
        "call_id": call_id,
        "part": part,
        "size_bytes": size_bytes,
        "kept_bytes": 0,
        "text": f"{part}: {size(size_bytes)} left out",
    }


def text_parts(run: RunNode, root_id: str) -> Iterator[Part]:
    """The texts and the data of a run; not the answer, where the run is the root."""
    yield from _said_parts(run, answer_item(run) if run["id"] == root_id else None)
    yield Part(run, None, f"question to {run['agent_name']}", run, "prompt")
    for place in range(len(run["shared"])):
        yield Part(run, None, "what was shared", run["shared"], place)
    if run["id"] != root_id:
        yield Part(run, None, f"answer of {run['agent_name']}", run, "text")
    if run["failure"]:
        yield Part(run, None, "traceback", run["failure"], "debug_message")
    for call in run["calls"].values():
        yield from _call_parts(run, call)
    for asked in run["awaits"]:
        yield from _await_parts(run, asked)
    for edit in run.get("edits", []):
        yield Part(run, None, f"what step {edit['step']} was", edit, "before")
        yield Part(run, None, f"what step {edit['step']} is", edit, "after")
    yield from _guardrail_parts(run, None, run["guardrails"])
    for request in run["requests"]:
        yield from _request_parts(run, request)


def every_text(tree: Tree) -> Iterator[Part]:
    """Every text of a tree, whatever it is, but for the ids by which its parts know each other."""
    for run in tree["runs"].values():
        own = {key: value for key, value in run.items() if key != "calls"}
        yield from _texts(run, None, run, own)
        for call in run["calls"].values():
            yield from _texts(run, call, call, call)


def _texts(run: RunNode, call: CallNode | None, holder: Any, within: Any) -> Iterator[Part]:
    """The texts in a node; `within` are those of its fields that are looked into."""
    of = clipped(run["agent_name"] if call is None else call["name"], OWNER_WIDTH)
    for key, value in (*dict_of(within).items(), *enumerate(list_of(within))):
        if isinstance(value, str) and not str(key).endswith("id"):
            what = "text" if isinstance(key, int) else key
            yield Part(run, call, f"{what} of {of}", holder, key)
        elif isinstance(value, (dict, list)):
            yield from _texts(run, call, value, value)


def _said_parts(run: RunNode, answer: int | None) -> Iterator[Part]:
    for place, item in enumerate(run["items"]):
        if (item["type"] == "text" or item["type"] == "thought") and place != answer:
            yield Part(run, None, f"{item['type']} of step {item['step']}", item, "text")


def _call_parts(run: RunNode, call: CallNode) -> Iterator[Part]:
    name = call["name"]
    yield Part(run, call, f"arguments of {name}", call, "arguments")
    yield Part(run, call, f"proposed arguments of {name}", call, "proposed")
    if call["authorization"]:
        yield Part(run, call, f"note to {name}", call["authorization"], "note")
    yield from _guardrail_parts(run, call, call["guardrails"])
    yield Part(run, call, f"result of {name}", call, "content")
    yield Part(run, call, f"preview of {name}", call, "preview")
    for output in call["output"]:
        yield Part(run, call, f"{output['stream']} of {name}", output, "text")
    for node in call["payloads"]:
        if _is_heavy(node["payload"]):
            continue
        label = f"{node['payload'].get('kind')} data of {name}"
        yield Part(run, call, label, node, "payload", as_payload=True)
    if call["failure"]:
        yield Part(run, call, f"error of {name}", call["failure"], "message")
        yield Part(run, call, f"traceback of {name}", call["failure"], "debug_message")


def _await_parts(run: RunNode, asked: AwaitNode) -> Iterator[Part]:
    """What was asked, and said to it."""
    call = run["calls"].get(asked["call_id"] or "")
    for key in ("title", "text", "reason", "arguments", "answer", "note"):
        yield Part(run, call, f"{key} of a question", asked, key)
    for question in asked["questions"]:
        yield Part(run, call, "text of a question", question, "text")
        for option in question["options"]:
            yield Part(run, call, "answer to choose", option, "label")
            yield Part(run, call, "description of an answer to choose", option, "description")
    for one in asked["calls"]:
        yield Part(run, call, f"arguments of {one['name']}", one, "arguments")


def _guardrail_parts(
    run: RunNode, call: CallNode | None, guardrails: Sequence[dict[str, Any]]
) -> Iterator[Part]:
    for guardrail in guardrails:
        yield Part(run, call, "message of a guardrail", guardrail, "message")


def _request_parts(run: RunNode, request: RequestNode) -> Iterator[Part]:
    step = request["step"]
    for message in request["messages"]:
        name = f"{message['role']} message to step {step}"
        yield Part(run, None, name, message, "text")
        for place in range(len(message["parts"])):
            yield Part(run, None, f"attachment to step {step}", message["parts"], place)
        for call in message["calls"]:
            yield Part(run, None, f"call of {call['name']} told to step {step}", call, "arguments")
    for tool in request["schemas"] or ():
        yield Part(run, None, f"description of {tool['name']}", tool, "description")
