"""Bodies of the Responses API: what is said comes whole, and as OpenAI's schema wants it."""

from __future__ import annotations

import json
from typing import Any

from nbagents.messages import (
    AssistantMessage,
    CallRequest,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from nbagents.models.model import ToolSpec
from nbagents.models.responses.body import InputItems, instructions_of, responses_head
from nbagents.models.responses.tools import WiredTools, wired
from nbagents.results import FilePart, ImagePart
from tests.unit.models.provider import Json
from tests.unit.models.published import faults
from tests.unit.models.responses_wire import call, message, reasoning

OURS = "openai_responses"
PNG = ImagePart(data=b"\x89PNG", detail="high")
URL = "data:image/png;base64,iVBORw=="
CHECK = {"id": "sc_1", "code": "malicious_instructions", "message": "Look out."}


def items_of(*messages: Message, tools: WiredTools | None = None) -> list[Any]:
    """The items of messages, held to the published schema."""
    read = json.loads(b"[" + InputItems().follow(messages, tools or WiredTools()) + b"]")
    assert faults("/responses", {"model": "m", "stream": True, "input": read}) == []
    return read


def computer_call(**fields: Any) -> Json:
    action = {"type": "click", "x": 1, "y": 2, "button": "left"}
    item = {"id": "cu_1", "type": "computer_call", "call_id": "call_1", "status": "completed"}
    return {**item, "pending_safety_checks": [], "actions": [action], **fields}


def said(*native: Any, text: str = "", native_of: str = OURS) -> AssistantMessage:
    calls = tuple(
        CallRequest(id=item["call_id"], name=item.get("name", "computer"), arguments="{}")
        for item in native
        if "call_id" in item
    )
    return AssistantMessage(text=text, calls=calls, native=native, native_of=native_of)


def result(*parts: Any, content: str = "ok", name: str = "f") -> ToolMessage:
    return ToolMessage(call_id="call_1", name=name, content=content, parts=parts)


def test_the_instructions_stand_beside_the_input() -> None:
    first, second = SystemMessage(text="Be kind."), SystemMessage(text="Be brief.")
    messages = [first, second, UserMessage(text="hi"), SystemMessage(text="Now in French.")]
    assert instructions_of(messages) == "Be kind.\n\nBe brief."
    assert instructions_of([UserMessage(text="hi")]) == ""
    assert instructions_of([first]) == "Be kind."
    assert items_of(*messages) == [
        {"role": "user", "content": "hi"},
        {"role": "developer", "content": "Now in French."},
    ]


def test_images_and_files_of_a_question_are_content() -> None:
    parts = (
        PNG,
        ImagePart(url="https://x.org/a.png"),
        FilePart(name="a.pdf", media_type="application/pdf", data=b"%PDF"),
        FilePart(name="b.pdf", file_id="file-1"),
    )
    assert items_of(
        UserMessage(text="Look", parts=parts), UserMessage(text="", parts=parts[:1])
    ) == [
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "Look"},
                {"type": "input_image", "detail": "high", "image_url": URL},
                {"type": "input_image", "detail": "auto", "image_url": "https://x.org/a.png"},
                {"type": "input_text", "text": "a.pdf:"},
                {
                    "type": "input_file",
                    "filename": "a.pdf",
                    "file_data": "data:application/pdf;base64,JVBERg==",
                },
                {"type": "input_text", "text": "b.pdf:"},
                {"type": "input_file", "file_id": "file-1"},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "input_image", "detail": "high", "image_url": URL}],
        },
    ]


def test_a_turn_of_this_api_goes_back_as_it_stands() -> None:
    native = (reasoning("so"), message("hi", phase="commentary"), call(namespace="crm"))
    items = items_of(UserMessage(text="q"), said(*native, text="hi"), result())
    assert items[1:] == [
        *native,
        {"type": "function_call_output", "call_id": "call_1", "output": "ok"},
    ]


def test_a_turn_of_another_model_is_made_anew() -> None:
    turn = said(call("f", '{"a": 1}'), text="hi", native_of="other")
    assert items_of(turn, result(PNG))[:2] == [
        {"role": "assistant", "content": "hi"},
        {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"},
    ]
    assert items_of(AssistantMessage(text="")) == [{"role": "assistant", "content": ""}]


def test_calls_that_were_not_made_are_not_sent_back() -> None:
    """In the last step of a run no call is made, so none may stand there without its output."""
    turn = AssistantMessage(text="hi", native=(message("hi"), call()), native_of=OURS)
    assert items_of(turn) == [{"role": "assistant", "content": "hi"}]


def test_reasoning_that_is_only_named_is_not_sent_back() -> None:
    """Nothing is stored there, so the API would not find it."""
    named: Json = {"id": "rs_2", "type": "reasoning", "summary": []}
    local = {**named, "content": [{"type": "reasoning_text", "text": "so"}]}
    turn = said(named, local, message("hi"), text="hi")
    assert items_of(turn) == [local, message("hi")]


def test_a_result_may_hold_an_image_and_a_file() -> None:
    file = FilePart(name="a.txt", media_type="text/plain", data=b"x")
    items = items_of(said(call()), result(PNG, file))
    assert items[1]["output"] == [
        {"type": "input_text", "text": "ok"},
        {"type": "input_image", "detail": "high", "image_url": URL},
        {"type": "input_text", "text": "a.txt:"},
        {"type": "input_file", "filename": "a.txt", "file_data": "data:text/plain;base64,eA=="},
    ]


def test_a_computer_call_is_answered_by_its_screenshot() -> None:
    items = items_of(said(reasoning(), computer_call()), result(PNG, name="computer"))
    assert items[1:] == [
        computer_call(),
        {
            "type": "computer_call_output",
            "call_id": "call_1",
            "output": {"type": "computer_screenshot", "image_url": URL},
        },
    ]


def test_the_checks_of_a_call_that_was_made_are_acknowledged() -> None:
    checked = computer_call(pending_safety_checks=[CHECK])
    items = items_of(said(checked), result(PNG))
    assert items[1]["acknowledged_safety_checks"] == [CHECK]


def test_a_computer_call_without_a_screenshot_is_told_in_words() -> None:
    """Only a screenshot answers one, and reasoning may not stand without what it led to."""
    native = (message("I click."), reasoning(), computer_call(pending_safety_checks=[CHECK]))
    items = items_of(said(*native, text="I click."), result(content="Denied.", name="computer"))
    assert items == [native[0], {"role": "user", "content": "[computer] Denied."}]


def test_arguments_that_are_no_json_are_made_some() -> None:
    broken = call("f", "{oops")
    mended = '{"invalid_json":"{oops"}'
    assert items_of(said(broken))[0] == {**broken, "arguments": mended}
    made = CallRequest(id="call_1", name="no such name!", arguments="")
    item = items_of(AssistantMessage(text="", calls=(made,)))[0]
    assert (item["name"], item["arguments"]) == ("no_such_name_", "{}")


def test_half_a_surrogate_pair_becomes_text() -> None:
    assert items_of(UserMessage(text="a\ud83c")) == [{"role": "user", "content": "a\ufffd"}]


def test_the_input_grows_by_appending() -> None:
    items, messages = InputItems(), list[Message]([SystemMessage(text="s"), UserMessage(text="q")])
    first = bytes(items.follow(messages, WiredTools()))
    assert items.follow(messages, WiredTools()) == first
    messages += [said(reasoning(), call()), result()]
    second = bytes(items.follow(messages, WiredTools()))
    assert second.startswith(first + b",")
    assert list(items.call_ids) == ["call_1"]
    assert items.follow([UserMessage(text="new")], WiredTools()) == (
        b'{"role":"user","content":"new"}'
    )
    assert not items.call_ids


def test_a_request_without_tools_keeps_the_names_of_the_calls() -> None:
    tools = (
        ToolSpec(name="crm--find", description="d", parameters={}, defer=True, toolset="crm"),
        ToolSpec(name="search", description="", parameters={}, hosted={"type": "tool_search"}),
    )
    made = CallRequest(id="call_1", name="crm--find", arguments="{}")
    messages = [AssistantMessage(text="", calls=(made,))]
    items = InputItems()
    assert json.loads(items.follow(messages, WiredTools()))["name"] == "crm--find"
    item = json.loads(items.follow(messages, wired(tools)))
    assert (item["namespace"], item["name"]) == ("crm", "find")
    assert json.loads(items.follow(messages, WiredTools())) == item


def test_the_head_is_encoded_again_only_if_something_changed() -> None:
    head, tools = responses_head(), wired([ToolSpec(name="f", description="", parameters={})])
    first = head.follow({"model": "m"}, tools)
    assert head.follow({"model": "m"}, tools) is first
    assert head.follow({"model": "n"}, tools) != first
    assert head.follow({"model": "m"}, WiredTools()) == b'{"model":"m","input":['
