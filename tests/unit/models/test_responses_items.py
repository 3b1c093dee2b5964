"""Calls that the provider makes itself, as they are shown in the tree."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.models.model import CallDelta, HostedCall, ModelPart
from nbagents.models.responses.items import citation_of
from nbagents.models.responses.tools import WiredTools
from nbagents.results import CallResult
from tests.unit.models.provider import Json, sse
from tests.unit.models.responses_wire import answer, events, heard, message, response, wire


def hosted(parts: list[ModelPart]) -> list[HostedCall]:
    return [part for part in parts if isinstance(part, HostedCall)]


def ended(item: Json) -> tuple[HostedCall, CallResult]:
    """The one call's last part, and its result."""
    _, parts = heard(answer(item))
    begun, last = hosted(parts)
    assert begun.result is None
    assert begun.id == last.id == item["id"]
    assert last.result
    return last, last.result


def web_search(**action: Any) -> Json:
    return {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": action}


def code(**fields: Any) -> Json:
    item = {"id": "ci_1", "type": "code_interpreter_call", "status": "completed"}
    return {**item, "container_id": "cntr_1", "code": "1+1", "outputs": None, **fields}


def mcp(**fields: Any) -> Json:
    item = {"id": "mcp_1", "type": "mcp_call", "server_label": "wiki", "name": "ask"}
    return {**item, "arguments": '{"q": "x"}', "status": "completed", **fields}


def test_a_web_search_shows_what_it_asked_and_where_it_looked() -> None:
    sources = [{"type": "url", "url": "https://x.org"}, {"type": "url", "url": "https://y.org"}]
    made, result = ended(web_search(type="search", query="rain", sources=sources))
    assert made.name == "web_search"
    assert made.arguments == {"type": "search", "query": "rain"}
    assert result.preview == "rain"
    assert result.content == "https://x.org\nhttps://y.org"
    (table,) = result.payloads
    assert table.kind == "table"
    assert table.value == {
        "columns": ["url"],
        "dtypes": ["object"],
        "rows": [["https://x.org"], ["https://y.org"]],
        "total": 2,
    }


@pytest.mark.parametrize(
    ("action", "preview"),
    [
        ({"type": "search", "queries": ["a", "b"]}, "a, b"),
        ({"type": "open_page", "url": "https://x.org"}, "https://x.org"),
        ({"type": "find_in_page", "url": "https://x.org", "pattern": "rain"}, "rain"),
    ],
)
def test_a_web_search_has_one_line_for_people(action: Json, preview: str) -> None:
    _, result = ended(web_search(**action))
    assert (result.preview, result.payloads) == (preview, ())


def test_a_file_search_shows_its_passages() -> None:
    item = {
        "id": "fs_1",
        "type": "file_search_call",
        "status": "completed",
        "queries": ["rent"],
        "results": [{"filename": "a.pdf", "score": 0.9, "text": "The rent is due."}],
    }
    made, result = ended(item)
    assert (made.name, made.arguments) == ("file_search", {"queries": ["rent"]})
    assert result.content == "a.pdf: The rent is due."
    value: Any = result.payloads[0].value
    assert value["rows"] == [["a.pdf", 0.9, "The rent is due."]]
    _, bare = ended({**item, "results": None})
    assert (bare.content, bare.payloads, bare.preview) == ("", (), "rent")


def test_code_shows_its_logs_and_pictures() -> None:
    outputs = [
        {"type": "logs", "logs": "2"},
        {"type": "image", "url": "data:image/png;base64,iVBO"},
        {"type": "image", "url": "https://x.org/p.png"},
    ]
    made, result = ended(code(outputs=outputs))
    assert made.name == "code_interpreter"
    assert made.arguments == {"code": "1+1", "container_id": "cntr_1"}
    assert result.content == "2\nhttps://x.org/p.png"
    (picture,) = result.payloads
    assert picture.kind == "image"
    assert picture.value == {"media_type": "image/png", "data": "iVBO"}


def test_a_call_whose_arguments_are_written_begins_when_they_are_there() -> None:
    at = {"item_id": "ci_1", "output_index": 0}
    added, done = events(code(outputs=[]))[2:4]
    added["item"] = code(code="", status="in_progress")
    written = {"type": "response.code_interpreter_call_code.done", "code": "1+1", **at}
    delta = {"type": "response.code_interpreter_call_code.delta", "delta": "1+1", **at}
    _, parts = heard(wire(added, delta))
    assert parts == []
    _, parts = heard(wire(added, delta, written))
    assert hosted(parts)[0].arguments == {"code": "1+1", "container_id": "cntr_1"}
    _, parts = heard(wire(added, delta, written, done))
    assert [part.result is None for part in hosted(parts)] == [True, False]


def test_an_mcp_call_is_its_servers_tool() -> None:
    made, result = ended(mcp(output="42"))
    assert (made.name, made.arguments, result.content) == ("wiki--ask", {"q": "x"}, "42")
    at = {"item_id": "mcp_1", "output_index": 0}
    added = {"type": "response.output_item.added", "item": mcp(arguments=""), "output_index": 0}
    written = {"type": "response.mcp_call_arguments.done", "arguments": '{"q": "y"}', **at}
    _, parts = heard(wire(added, written))
    assert hosted(parts)[0].arguments == {"q": "y"}
    assert ended(mcp(arguments="no json"))[0].arguments == "no json"


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (mcp(error={"type": "http_error", "code": 502, "message": "down"}), "provider: down"),
        (mcp(error={"type": "mcp_tool_execution_error", "content": ["x"]}), '"content":["x"]'),
        (mcp(status="failed"), "wiki--ask failed at the provider."),
        (code(status="failed"), "code_interpreter failed at the provider."),
    ],
)
def test_a_failure_is_one_of_the_call(item: Json, said: str) -> None:
    _, result = ended(item)
    assert result.status == "failed"
    assert result.failure
    assert said in result.failure.message
    assert result.content == result.failure.message


def test_a_made_image_is_shown() -> None:
    item = {"id": "ig_1", "type": "image_generation_call", "status": "completed"}
    made, result = ended(
        {**item, "result": "UklG", "revised_prompt": "A cat", "output_format": "webp"}
    )
    assert made.arguments == {"revised_prompt": "A cat", "output_format": "webp"}
    assert result.content == result.preview == "A cat"
    value = {"media_type": "image/webp", "data": "UklG", "alt": "A cat"}
    assert result.payloads[0].value == value
    _, bare = ended({**item, "result": "iVBO"})
    assert (bare.content, bare.payloads[0].value) == (
        "An image.",
        {"media_type": "image/png", "data": "iVBO"},
    )


def test_a_tool_search_ends_with_the_tools_that_it_found() -> None:
    search = {
        "id": "ts_1",
        "type": "tool_search_call",
        "arguments": {"paths": ["crm"]},
        "execution": "server",
        "status": "completed",
    }
    function: Json = {"type": "function", "name": "find", "defer_loading": True, "parameters": {}}
    space: Json = {"type": "namespace", "name": "crm", "description": "d", "tools": [function]}
    found: Json = {
        "id": "tso_1",
        "type": "tool_search_output",
        "execution": "server",
        "status": "completed",
        "tools": [space, {**function, "strict": True, "name": "late"}],
    }
    stream, parts = heard(answer(search, found))
    begun, last = hosted(parts)
    assert (begun.name, begun.arguments, begun.result) == ("tool_search", {"paths": ["crm"]}, None)
    assert last.id == "ts_1"
    assert last.result
    assert last.result.content == "crm--find\nlate"
    assert stream.turn().native == (search, found)
    assert stream.turn().calls == ()


def test_a_call_of_an_unknown_kind_is_shown_by_its_fields() -> None:
    item = {"id": "z_1", "type": "dream_call", "status": "completed", "about": "sheep"}
    for fields, content in (
        ({"output": "baa"}, "baa"),
        ({"outputs": [1, 2]}, "[1,2]"),
        ({"result": 3, "output": 4}, '{"result":3,"output":4}'),
        ({}, ""),
    ):
        done = {"type": "response.output_item.done", "item": {**item, **fields}, "output_index": 0}
        _, parts = heard(sse({**done, "type": "response.output_item.added", "item": item}, done))
        begun, last = hosted(parts)
        assert (begun.name, begun.arguments, begun.id) == ("dream", {"about": "sheep"}, "z_1")
        assert last.result
        assert last.result.content == content


def test_a_call_that_never_ends_is_ended_with_the_answer() -> None:
    added = {
        "type": "response.output_item.added",
        "item": web_search(type="search", query="x") | {"status": "in_progress"},
        "output_index": 0,
    }
    end = {"type": "response.completed", "response": response(message("hi"))}
    _, parts = heard(wire(added, end))
    begun, last = hosted(parts)
    assert begun.result is None
    assert last.result
    assert last.result.status == "cancelled"


@pytest.mark.parametrize("batched", [True, False])
def test_a_computer_call_is_ours_to_make(batched: bool) -> None:  # noqa: FBT001  a parameter
    action = {"type": "click", "x": 1, "y": 2, "button": "left"}
    check = {"id": "sc_1", "code": "malicious_instructions", "message": "Look out."}
    item = {
        "id": "cu_1",
        "type": "computer_call",
        "call_id": "call_1",
        "status": "completed",
        "pending_safety_checks": [check] if batched else [],
        **({"actions": [action]} if batched else {"action": action}),
    }
    stream, parts = heard(answer(item), wired=WiredTools(computer="screen"))
    (made,) = stream.turn().calls
    assert (made.id, made.name) == ("call_1", "screen")
    checks = ',"pending_safety_checks":[{"id":"sc_1",' in made.arguments
    assert made.arguments.startswith('{"actions":[{"type":"click","x":1,"y":2,"button":"left"}]')
    assert checks is batched
    assert parts == [CallDelta("call_1", "screen", made.arguments)]
    assert stream.turn().native == (item,)


def test_an_annotation_of_an_unknown_kind_is_no_citation() -> None:
    assert citation_of({"type": "dream"}, 0) is None


def test_each_tool_search_ends_with_what_it_found_itself() -> None:
    function: Json = {"type": "function", "name": "f", "parameters": {}, "strict": True}
    items: list[Json] = []
    for number in "12":
        shared = {"execution": "server", "status": "completed"}
        found = [{**function, "name": f"f{number}"}]
        items += [
            {"id": f"ts_{number}", "type": "tool_search_call", "arguments": {}, **shared},
            {"id": f"tso_{number}", "type": "tool_search_output", "tools": found, **shared},
        ]
    _, parts = heard(answer(items[0], items[2], items[1], items[3]))
    ends = [(part.id, part.result.content) for part in hosted(parts) if part.result]
    assert ends == [("ts_1", "f1"), ("ts_2", "f2")]
    _, parts = heard(answer(items[1]))
    assert parts == []
