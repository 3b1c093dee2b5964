"""Whatever an operation is called and takes, each value of a call arrives where it belongs."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
from calling import Json, document, operation, parameter
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.openapi import OpenAPI
from nbagents.openapi.request import Fitting, HttpRequest, fitting, request_of
from tests.thinning import examples

NAMES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="{}"), min_size=1)
PATH_NAMES = st.text(st.sampled_from("abAB_-. []é"), min_size=1, max_size=8)
HEADERS = st.text(st.sampled_from("bqXYZ-09"), min_size=1, max_size=8)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)))
SEGMENTS = TEXTS.filter(lambda text: text not in ("", ".", ".."))
LINES = st.text(st.sampled_from("ab =;,%é☃"), min_size=1).map(str.strip).filter(bool)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def places(**values: Any) -> st.SearchStrategy[dict[str, dict[str, Any]]]:
    return st.fixed_dictionaries(values)


CALLS = places(
    path=st.dictionaries(PATH_NAMES, SEGMENTS, max_size=3),
    query=st.dictionaries(NAMES, TEXTS, max_size=4),
    header=st.dictionaries(HEADERS, LINES, max_size=3),
)


def described(call: dict[str, dict[str, Any]], *, body: bool) -> Json:
    """A document of one operation that takes just this."""
    listed = [parameter(name, place) for place, values in call.items() for name in values]
    path = "/x" + "".join(f"/p{at}/{{{name}}}" for at, name in enumerate(call["path"]))
    made = operation(*listed, body={"application/json": {}} if body else None)
    return document({path: {"post": made}})


def request(api: OpenAPI, arguments: dict[str, Any]) -> HttpRequest:
    (one,) = api.operations
    made = fitting(one, arguments)
    assert isinstance(made, Fitting), made
    return request_of(one, "http://a.test", made, {})


@pytest.mark.medium
@settings(max_examples=examples(80))
@given(CALLS, VALUES, st.booleans())
def test_each_value_arrives_in_its_place(
    call: dict[str, dict[str, Any]],
    body: Any,
    has_body: bool,  # noqa: FBT001
) -> None:
    lowered = {name.lower(): one for name, one in call["header"].items()}
    call["header"] = {name.upper(): one for name, one in lowered.items()}  # they have no case
    api = OpenAPI(described(call, body=has_body))
    (one,) = api.operations
    written = one.arguments(**call, **({"body": body} if has_body else {}))
    assert len(written) == sum(map(len, call.values())) + has_body
    made = request(api, written)
    parts = made.path.split("/")
    assert [unquote(parts[at]) for at in range(3, len(parts), 2)] == list(call["path"].values())
    query = made.address.partition("?")[2]
    assert parse_qsl(query, keep_blank_values=True) == list(call["query"].items())
    assert dict(made.headers) == call["header"]
    assert (made.content is not None) == has_body


@settings(max_examples=examples(50))
@given(CALLS)
def test_names_of_arguments_are_what_every_provider_takes(call: dict[str, dict[str, Any]]) -> None:
    (one,) = OpenAPI(described(call, body=True)).operations
    names = [*one.parts.schemas, "body"]
    assert names == list(one.parameters["properties"])  # type: ignore[arg-type]
    assert len(names) == len(set(names)) == sum(map(len, call.values())) + 1
    for name in names:
        assert len(name) <= 64
        assert all(letter.isascii() and (letter.isalnum() or letter in "_.-") for letter in name)


@settings(max_examples=examples(50))
@given(st.lists(st.tuples(NAMES, st.sampled_from(["get", "put"])), max_size=8, unique=True))
def test_names_of_operations_are_what_every_provider_takes(ids: list[tuple[str, str]]) -> None:
    paths: Json = {}
    for at, (name, method) in enumerate(ids):
        paths[f"/p{at}"] = {method: operation(operationId=name)}
    api = OpenAPI(document(paths))
    tools = api.tools()
    names = [tool.name for tool in tools]
    assert len(set(names)) == len(ids)
    assert all(len(name) <= 64 and name.isascii() for name in names)
    assert [tool.original_name for tool in tools] == [name for name, _ in ids]
