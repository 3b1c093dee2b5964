"""Answers: results of the right kind, failures that say what to do, pages and how to go on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from calling import bounds_of, call, document, operation, parameter, run
from recording_server import Reply, serving

import nbagents as nba
from nbagents.results import Bounds, FilePart, ImagePart
from nbagents.runs.wording import Call

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"
    b"\x90wS\xde\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)


def answered(reply: Reply, method: str = "get", *parameters: Any, path: str = "/pets/x") -> Call:
    with serving(reply) as server:
        given = document({path: {method: operation(*parameters)}})
        return call(nba.OpenAPI(given, base_url=server.url))


def page(
    value: object, *parameters: Any, link: str = "", **given: str
) -> tuple[Bounds | None, str]:
    """What is said of an answer beside it, and what the model is told."""
    reply = Reply.of(value, Link=link) if link else Reply.of(value)
    with serving(reply) as server:
        pets = document({"/pets": {"get": operation(*parameters)}})
        made = run(nba.OpenAPI(pets, base_url=server.url), given)
    assert made.calls[0].value == value
    return bounds_of(made), str(made.calls[0].content)


def body(data: bytes, kind: str, **headers: str) -> Reply:
    named = {name.replace("_", "-"): one for name, one in headers.items()}
    return Reply(200, data, {"Content-Type": kind, **named})


@pytest.mark.parametrize("value", [{"a": [1]}, [], "text", 7, None, True])
@pytest.mark.parametrize("kind", ["application/json", "application/problem+json; charset=utf-8"])
def test_json_is_its_value(value: object, kind: str) -> None:
    made = answered(body(json.dumps(value).encode(), kind))
    assert made.value == value
    assert made.status == "done"


@pytest.mark.parametrize(
    ("data", "kind", "text"),
    [
        ("é".encode("latin-1"), "text/plain; charset=latin-1", "é"),
        ("é".encode(), "text/csv", "é"),
        (b"\xef\xbb\xbf[1", "application/json", "[1"),
        (b"<a/>", "application/atom+xml", "<a/>"),
        (b"a: 1", "application/yaml", "a: 1"),
        (b"x", "text/html; charset=nonsense", "x"),
        (b"\xff", "text/plain", "\ufffd"),
    ],
)
def test_text_is_text(data: bytes, kind: str, text: str) -> None:
    assert answered(body(data, kind)).value == text


def test_an_image_is_shown() -> None:
    made = answered(body(PNG, "image/png"))
    assert isinstance(made.value, ImagePart)
    assert (made.value.data, made.value.name) == (PNG, "x")
    lying = answered(body(b"not an image", "image/png"))
    assert lying.value == b"not an image"


def test_a_file_is_kept_and_named() -> None:
    named = body(b"%PDF-1", "application/pdf", Content_Disposition='inline; filename="../a.pdf"')
    made = answered(named)
    assert isinstance(made.value, FilePart)
    assert made.value.name == "a.pdf"
    zipped = answered(body(b"PK\x03\x04\xff", "application/zip"))
    assert zipped.value == b"PK\x03\x04\xff"
    assert "A file x, application/zip" in str(zipped.content)
    assert zipped.handle is not None


def test_no_body_is_said() -> None:
    assert answered(Reply(204, b""), "delete").content == "204 No Content, without a body."
    assert answered(Reply(200, b""), "get").content == "200 OK, without a body."


def test_a_head_gives_the_headers() -> None:
    made = answered(Reply(200, b"abc", {"ETag": "x", "Set-Cookie": "a=b"}), "head")
    assert made.value["etag"] == "x"
    assert "set-cookie" not in made.value


@pytest.mark.parametrize(
    ("status", "kind", "recovery"),
    [
        (400, "invalid_call", "correct_call"),
        (401, "unavailable", "replan"),
        (403, "unavailable", "replan"),
        (404, "domain_rejection", "correct_call"),
        (405, "unavailable", "replan"),
        (408, "timeout", "replan"),
        (409, "domain_rejection", "replan"),
        (418, "domain_rejection", "correct_call"),
        (422, "invalid_call", "correct_call"),
        (429, "rate_limited", "replan"),
        (500, "unavailable", "replan"),
        (504, "timeout", "replan"),
        (599, "unavailable", "replan"),
        (304, "unavailable", "replan"),
    ],
)
def test_a_refusal_says_why_and_what_to_do(status: int, kind: str, recovery: str) -> None:
    made = answered(Reply.of({"detail": "no such pet"}, status=status), "delete")
    assert made.failure is not None
    assert (made.failure.kind, made.failure.recovery) == (kind, recovery)
    assert f"DELETE /pets/x answered {status}" in made.failure.message
    assert ("no such pet" in made.failure.message) == (status != 304)


def test_a_long_refusal_is_cut_and_a_binary_one_left_out() -> None:
    long = answered(Reply(400, b"a" * 9_000, {"Content-Type": "text/plain"}), "delete")
    assert len(str(long.content)) < 2_200
    binary = answered(Reply(400, b"\x00\xff", {"Content-Type": "image/png"}), "delete")
    assert str(binary.content) == "DELETE /pets/x answered 400 Bad Request."


CURSOR, PAGE, LIMIT = (parameter(one, "query") for one in ("cursor", "page", "limit"))


@pytest.mark.parametrize(
    ("value", "cursor", "total"),
    [
        ({"items": [1, 2], "next_cursor": "abc"}, "abc", None),
        ({"data": [1, 2], "meta": {"nextCursor": "abc", "total": 9}}, "abc", 9),
        ({"data": [1, 2], "links": {"next": "/pets?cursor=abc&limit=2"}}, "abc", None),
        ({"data": [1, 2], "links": {"next": {"href": "/pets?cursor=abc"}}}, "abc", None),
        ({"results": [1, 2], "count": 7, "next": "https://x.example/?cursor=a%26b"}, "a&b", 7),
        ({"data": [1, 2], "page_info": {"endCursor": "abc", "hasNextPage": True}}, "abc", None),
    ],
)
def test_an_answer_that_is_one_page_says_how_to_go_on(
    value: object, cursor: str, total: int | None
) -> None:
    bounds, content = page(value, CURSOR, LIMIT)
    assert bounds is not None
    assert (bounds.returned, bounds.total, bounds.truncated) == (2, total, True)
    assert bounds.next_cursor == cursor
    assert f"call again with cursor={cursor!r}" in content


@pytest.mark.parametrize(
    "value",
    [
        {"data": [1], "next": None},
        {"data": [1], "next_cursor": ""},
        {"data": [1], "page_info": {"endCursor": "x", "hasNextPage": False}},
        {"data": [1], "total": 1},
        [1, 2],
        {"next": True},
    ],
)
def test_an_answer_that_is_all_says_nothing(value: object) -> None:
    assert page(value, CURSOR)[0] is None


def test_a_link_of_the_header_names_the_parameters_that_change() -> None:
    link = '</pets?page=1&limit=2>; rel="first", </pets?page=3&limit=2>; title="a"; rel=next'
    bounds, content = page([1, 2], PAGE, LIMIT, link=link, page="2", limit="2")
    assert bounds is not None
    assert bounds.next_cursor == "3"
    assert "call again with page='3' for the next" in content
    assert json.loads(content.partition("\n")[2]) == [1, 2]


@pytest.mark.parametrize(
    "link",
    [
        '</pets?page=2>; title="a, b; c"; rel="next"',
        '</pets?page=9>; rel="last",</pets?page=2>;rel="prefetch next"',
    ],
)
def test_a_link_may_have_commas_in_its_title_and_several_relations(link: str) -> None:
    bounds, _ = page([1, 2], PAGE, link=link)
    assert bounds is not None
    assert bounds.next_cursor == "2"


OFFSET = parameter("offset", "query", {"type": "integer"})


@pytest.mark.parametrize(
    ("value", "parameters", "given", "onward"),
    [
        ({"items": [1, 2], "total": 9}, [OFFSET, LIMIT], {}, "offset='2'"),
        ({"items": [1, 2], "total": 9}, [OFFSET, LIMIT], {"offset": "4"}, "offset='6'"),
        ({"items": [1, 2], "total": 9}, [PAGE, LIMIT], {}, "page='2'"),
        ({"items": [1, 2], "total": 9}, [PAGE, LIMIT], {"page": "3", "limit": "2"}, "page='4'"),
        ({"data": {"items": [1, 2], "next_cursor": "n"}}, [CURSOR], {}, "cursor='n'"),
        ({"items": [1, 2], "next_offset": 2}, [PAGE, OFFSET], {}, "offset='2'"),
    ],
)
def test_how_many_there_are_says_that_there_is_a_next_page(
    value: object, parameters: list[Any], given: dict[str, str], onward: str
) -> None:
    bounds, content = page(value, *parameters, **given)
    assert bounds is not None
    assert (bounds.returned, bounds.truncated) == (2, True)
    assert f"call again with {onward} for the next" in content


@pytest.mark.parametrize(
    ("value", "parameters", "given"),
    [
        ({"items": [1, 2], "total": 9}, [OFFSET], {"offset": "7"}),
        ({"items": [1], "total": 9}, [PAGE, LIMIT], {"page": "5", "limit": "2"}),
        ({"items": [1], "total": 9}, [PAGE], {"page": "5"}),
        ({"items": [1, 2], "total": 9}, [], {}),  # of an order, what it costs
        ({"id": 5, "next": "step-2"}, [], {}),
    ],
)
def test_a_last_page_and_one_thing_say_nothing(
    value: object, parameters: list[Any], given: dict[str, str]
) -> None:
    assert page(value, *parameters, **given)[0] is None


def test_a_page_number_is_no_offset_and_what_is_not_known_is_not_said() -> None:
    content = page({"items": [1], "next_page": 2}, OFFSET)[1]
    assert content.startswith("[This is 1 item: the next is at '2'.]")
    content = page({"data": [{"id": "a"}], "has_more": True}, CURSOR)[1]
    assert content.startswith("[This is 1 item, and there are more.]")


def test_bytes_of_which_nothing_is_said_are_no_text() -> None:
    assert isinstance(answered(Reply(200, PNG)).value, ImagePart)
    made = answered(Reply(200, b"\x00\xff\x01"))
    assert made.value == b"\x00\xff\x01"
    assert answered(Reply(200, "für".encode())).value == "für"


@pytest.mark.parametrize("status", [300, 304])
def test_an_answer_that_leads_nowhere_is_no_redirect(status: int) -> None:
    made = answered(Reply(status, b"", {}))
    assert made.failure is not None
    assert "not followed" not in made.failure.message


def test_what_is_cut_says_how_much_there_is() -> None:
    with serving(body(b"a" * 500, "text/plain")) as server:
        given = document({"/pets": {"get": operation()}})
        bounds = bounds_of(run(nba.OpenAPI(given, base_url=server.url, max_bytes=100)))
    assert bounds is not None
    assert (bounds.returned, bounds.truncated) == (100, True)
