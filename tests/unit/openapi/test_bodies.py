"""Bodies: JSON, forms, several parts, text and bytes; which media type is taken."""

from __future__ import annotations

import base64
import email.parser
import email.policy
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from calling import Json, call, document, operation, parameter
from recording_server import Asked, Reply, serving

import nbagents as nba

FILE = {"type": "string", "format": "binary"}
DATA = b"\x89PNG\r\n\x00\xff"
CODED = {"base64": base64.b64encode(DATA).decode()}


def asked(media: Json, given: Json, *, encoding: Json | None = None, **options: Any) -> Asked:
    """The request for a body."""
    made = operation(body=media)
    if encoding:
        for one in made["requestBody"]["content"].values():
            one["encoding"] = encoding
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(document({"/x": {"post": made}}), base_url=server.url)
        ended = call(api, given, **options)
        assert ended.status == "done", ended.content
    return server.only


def parts(one: Asked) -> list[Message]:
    head = b"Content-Type: " + one.headers["Content-Type"].encode() + b"\r\n\r\n"
    parser = email.parser.BytesParser(policy=email.policy.HTTP)
    return list(parser.parsebytes(head + one.body).iter_parts())  # type: ignore[attr-defined]


def fields(**schemas: Json) -> Json:
    return {"type": "object", "properties": schemas}


@pytest.mark.parametrize("body", [{"a": None}, [], [1, "é"], "text", 0, False, None])
def test_any_value_is_a_body_of_json(body: object) -> None:
    one = asked({"application/vnd.api+json": {}}, {"body": body})
    assert one.json == body
    assert one.headers["Content-Type"] == "application/vnd.api+json"


@pytest.mark.parametrize("place", ["body", "q"])
@pytest.mark.parametrize("value", ['"\\ud800"', "1e999", "NaN"])
def test_what_no_request_can_carry_is_refused(place: str, value: str) -> None:
    made = operation(parameter("q", "query", {}), body={"application/json": {}})
    api = nba.OpenAPI(document({"/x": {"post": made}}), "http://a.test")
    request = nba.CallRequest(id="c", name=api.tools()[0].name, arguments=f'{{"{place}": {value}}}')
    model = nba.ScriptedModel([[request], "done"])
    ended = nba.Agent(model=model, tools=[api], approval="auto").run("Go.", log="memory").calls[0]
    assert ended.failure is not None
    assert ended.failure.kind == "invalid_call"


def test_without_a_body_there_is_no_content_type() -> None:
    one = asked({"application/json": {}}, {})
    assert one.body == b""
    assert one.headers["Content-Type"] is None


def test_a_form_has_its_lists_by_name_its_styles_and_its_objects_as_json() -> None:
    media = {"application/x-www-form-urlencoded": fields(a={}, b={}, c={}, d={}, e={}, f={})}
    body = {"a": ["x&y", "z"], "b": {"k": [1]}, "c": {"k": 1}, "d": [1, 2], "e": True, "f": None}
    encoding = {"c": {"style": "deepObject", "explode": True}, "d": {"explode": False}}
    one = asked(media, {"body": body}, encoding=encoding)
    expected = "a=x%26y&a=z&b=%7B%22k%22%3A%5B1%5D%7D&c%5Bk%5D=1&d=1,2&e=true"
    assert one.body.decode() == expected


def test_a_form_of_parts_has_files_json_lists_and_plain_values() -> None:
    schema = fields(file=FILE, many={"type": "array", "items": FILE}, meta={}, tags={}, n={})
    body = {
        "file": {**CODED, "filename": 'a"b.png', "media_type": "image/png"},
        "many": [{"text": "one"}, {"text": "two", "filename": "../../etc/two"}],
        "meta": {"a": [1]},
        "tags": ["x", "y"],
        "n": 1.5,
    }
    found = parts(asked({"multipart/form-data": schema}, {"body": body}))
    told = [
        (one.get_param("name", header="content-disposition"), one.get_content_type())
        for one in found
    ]
    assert told == [
        ("file", "image/png"),
        ("many", "application/octet-stream"),
        ("many", "application/octet-stream"),
        ("meta", "application/json"),
        ("tags", "text/plain"),
        ("tags", "text/plain"),
        ("n", "text/plain"),
    ]
    assert [one.get_payload(decode=True) for one in found] == [
        *(DATA, b"one", b"two", b'{"a":[1]}', b"x", b"y", b"1.5")
    ]
    assert [one.get_filename() for one in found[:3]] == ["a%22b.png", "many", "two"]


@pytest.mark.parametrize("kind", ["multipart/form-data", "application/x-www-form-urlencoded"])
def test_files_that_are_not_named_are_bytes(kind: str) -> None:
    schema = {
        "type": "object",
        "properties": {"about": {"type": "object"}},
        "additionalProperties": {"type": "string", "format": "binary"},
    }
    with serving(Reply.of({})) as server:
        given = document({"/x": {"post": operation(body={kind: schema})}})
        call(nba.OpenAPI(given, base_url=server.url), {"body": {"any": {"base64": "SGk="}}})
    assert b"Hi" in server.only.body
    assert b"SGk" not in server.only.body


def test_an_encoding_says_the_type_of_a_part() -> None:
    encoding = {"a": {"contentType": "text/csv"}, "b": {"contentType": "application/json"}}
    schema = fields(a={"type": "string"}, b={"type": "array"}, c={"type": "string"})
    found = parts(
        asked(
            {"multipart/mixed": schema},
            {"body": {"a": "1;2", "b": [1], "c": "x"}},
            encoding=encoding,
        )
    )
    assert [one.get("Content-Type") for one in found] == ["text/csv", "application/json", None]
    assert found[1].get_payload(decode=True) == b"[1]"


def test_an_object_that_only_looks_like_bytes_is_what_it_is() -> None:
    schema = fields(note={"type": "object", "properties": {"text": {"type": "string"}}})
    (one,) = parts(asked({"multipart/form-data": schema}, {"body": {"note": {"text": "hi"}}}))
    assert one.get_payload(decode=True) == b'{"text":"hi"}'


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("application/octet-stream", {}),
        ("application/octet-stream", {"type": "string"}),
        ("image/png", FILE),
        ("application/pdf", {"type": "string", "contentMediaType": "application/pdf"}),
    ],
)
def test_bytes_are_sent_as_they_are(kind: str, schema: Json) -> None:
    one = asked({kind: schema}, {"body": CODED})
    assert (one.body, one.headers["Content-Type"]) == (DATA, kind)


def test_bytes_are_taken_from_live_objects_by_name(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(b"on disk")
    part = nba.FilePart(name="scan.pdf", media_type="application/pdf", data=b"%PDF")
    values = {"raw": DATA, "scan": part, "note": path, "words": "text"}
    schema = fields(**dict.fromkeys(values, FILE))
    body = {name: {"handle": name} for name in values}
    found = parts(asked({"multipart/form-data": schema}, {"body": body}, vars=values))
    assert [one.get_payload(decode=True) for one in found] == [DATA, b"%PDF", b"on disk", b"text"]
    assert [one.get_filename() for one in found] == ["raw", "scan.pdf", "note.txt", "words"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"handle": "nothing"}, "There is no live object 'nothing'"),
        ({"base64": "???"}, "no base64"),
        ({"base64": "", "text": ""}, "just one"),
        ({}, "just one"),
        ("text", "must be an object"),
    ],
)
def test_bytes_that_are_none_are_refused(given: Any, said: str) -> None:
    with serving(Reply.of({})) as server:
        made = operation(body={"application/octet-stream": {}})
        api = nba.OpenAPI(document({"/x": {"post": made}}), base_url=server.url)
        ended = call(api, {"body": given})
    assert said in str(ended.content)
    assert ended.failure is not None
    assert ended.failure.recovery == "correct_call"
    assert server.asked == []


def test_text_is_sent_as_text() -> None:
    one = asked({"text/plain": {"type": "string"}}, {"body": "é\n"})
    assert (one.body, one.headers["Content-Type"]) == ("é\n".encode(), "text/plain")


def test_xml_is_given_as_text_whatever_its_schema_says() -> None:
    schema = fields(a={"type": "string"})
    one = asked({"application/soap+xml": schema}, {"body": "<a>b</a>"})
    assert (one.body, one.headers["Content-Type"]) == (b"<a>b</a>", "application/soap+xml")
    api = nba.OpenAPI(document({"/x": {"post": operation(body={"text/xml": schema})}}))
    assert "body: This must be a string" in str(call(api, {"body": {"a": "b"}}).content)


def test_a_range_of_texts_is_text() -> None:
    one = asked({"text/*": {"type": "string"}}, {"body": "words"})
    assert (one.body, one.headers["Content-Type"]) == (b"words", "text/plain")


SEVERAL = {
    "multipart/form-data": fields(file=FILE),
    "application/json": {**fields(url={"type": "string"}), "required": ["url"]},
    "text/plain": {"type": "string"},
}


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"body": {"url": "u"}}, "application/json"),
        ({"body": {"file": CODED}}, "multipart/form-data"),
        ({"body": "words"}, "text/plain"),
        ({"body": "words", "content_type": "text/plain"}, "text/plain"),
        ({"body": {"file": CODED}, "content_type": None}, "multipart/form-data"),
    ],
)
def test_of_several_media_types_the_one_that_is_asked_for_or_fits_is_taken(
    given: Json, sent: str
) -> None:
    assert asked(SEVERAL, given).headers["Content-Type"].partition(";")[0] == sent


def test_a_media_type_that_does_not_fit_the_body_is_refused() -> None:
    api = nba.OpenAPI(document({"/x": {"post": operation(body=SEVERAL)}}))
    made = call(api, {"body": "words", "content_type": "application/json"})
    assert "body: This must be an object" in str(made.content)
    made = call(api, {"body": "words", "content_type": "text/html"})
    assert "content_type: This must be one of" in str(made.content)


def test_a_range_of_media_types_takes_the_one_that_is_said() -> None:
    one = asked({"image/*": {}}, {"body": CODED, "content_type": "image/webp"})
    assert (one.body, one.headers["Content-Type"]) == (DATA, "image/webp")
    given = {**CODED, "media_type": "image/avif"}
    assert asked({"image/*": {}}, {"body": given}).headers["Content-Type"] == "image/avif"
    assert asked({"*/*": {}}, {"body": {"a": 1}}).json == {"a": 1}


def test_a_media_type_cannot_end_its_line() -> None:
    api = nba.OpenAPI(document({"/x": {"post": operation(body={"image/*": {}})}}), "http://a.test")
    made = call(api, {"body": CODED, "content_type": "image/png\r\nX-Evil: 1"})
    assert "is no media type" in str(made.content)


def test_what_only_answers_have_is_not_asked_for() -> None:
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/Base"},
            {"required": ["id", "name"], "properties": {"secret": {"writeOnly": True}}},
        ]
    }
    base = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string"}},
    }
    made = operation(body={"application/json": schema})
    api = nba.OpenAPI(
        document({"/x": {"post": made}}, components={"schemas": {"Base": base}}), "http://a.test"
    )
    written: Any = api.tools()[0].parameters
    assert written["$defs"]["Base"] == {
        "type": "object",
        "properties": {"name": {"type": "string"}},
    }
    assert written["properties"]["body"]["allOf"][1]["required"] == ["name"]


def test_a_schema_that_contains_itself_stays_so() -> None:
    node = fields(
        name={"type": "string"}, kids={"type": "array", "items": {"$ref": "#/components/schemas/N"}}
    )
    made = operation(body={"application/json": {"$ref": "#/components/schemas/N"}})
    api = nba.OpenAPI(document({"/x": {"post": made}}, components={"schemas": {"N": node}}))
    written: Any = api.tools()[0].parameters
    assert written["properties"]["body"] == {"$ref": "#/$defs/N"}
    assert written["$defs"]["N"]["properties"]["kids"]["items"] == {"$ref": "#/$defs/N"}
    said = str(call(api, {"body": {"name": "root", "kids": [{"name": []}]}}).content)
    assert "body.kids.0.name: This must be a string" in said
