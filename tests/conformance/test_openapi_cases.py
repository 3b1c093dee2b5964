"""Cases of real APIs: each call of a model becomes the one request that is due, and no other.

A few of every kind run always, all of them with what is slow.
"""

from __future__ import annotations

import json
import warnings

import pytest
from openapi_client import execute
from openapi_data import DOCUMENTS, FOLDER, Row, broken, cases, needs_data, wrong_cases

import nbagents as nba
from nbagents.errors import ToolDefinitionError

pytestmark = needs_data

LONGEST = 64
MAY_REFUSE = ("refuse", "load-or-refuse")


def first_of_each_quirk() -> list[Row]:
    """One case of each kind, and one without any."""
    found: dict[str, Row] = {}
    for case in cases():
        for quirk in case.get("quirks") or [""]:
            found.setdefault(quirk, case)
    return list({one["id"]: one for one in found.values()}.values())


def test_one_case_of_each_kind_becomes_the_request_that_is_due() -> None:
    assert wrong_cases(first_of_each_quirk(), execute) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({one["document"] for one in cases()}))
def test_every_case_becomes_the_request_that_is_due(name: str) -> None:
    assert wrong_cases([one for one in cases() if one["document"] == name], execute) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(one.name for one in DOCUMENTS.glob("*.*")))
def test_every_document_loads_and_each_operation_is_a_tool_with_a_name_of_its_own(
    name: str,
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of them are faulty, and say so
        api = nba.OpenAPI(DOCUMENTS / name)
        tools = api.tools()
    assert len(tools) == len(list(api.document.operations()))
    assert len({tool.name for tool in tools}) == len(tools)
    for tool in tools:
        assert len(tool.name) <= LONGEST
        json.dumps(tool.parameters, allow_nan=False)


@pytest.mark.parametrize("row", broken(), ids=lambda row: row["file"])
def test_of_a_broken_document_what_is_usable_is_used_and_the_rest_is_said(row: Row) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            api = nba.OpenAPI(FOLDER / "broken" / row["file"])
            tools = api.tools()
        except ToolDefinitionError as error:
            assert (row["expect"] in MAY_REFUSE, str(error).partition(":")[0]) == (  # noqa: PT017
                True,
                row["file"],
            )
            return
    assert row["expect"] != "refuse"
    json.dumps([tool.parameters for tool in tools], allow_nan=False)
    names = [tool.original_name for tool in tools]
    assert [one for one in row.get("operations", ()) if one not in names] == []
    assert len({tool.name for tool in tools}) == len(names)
    if row["expect"] == "partial":
        text = "".join(str(one.message) for one in said)
        everything = [path for _, path, _, _ in api.document.operations()]
        bad = [one for one in everything if f"/{one.strip('/')}" != "/good"]
        assert bad
        assert [one for one in bad if one not in text] == []
