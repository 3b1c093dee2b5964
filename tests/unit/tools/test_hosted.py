"""Tools that run at the provider: what is sent of them, and what their arguments may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nbagents.errors import ToolDefinitionError, ToolError
from nbagents.tools.tool.hosted_tool import CodeInterpreter, FileSearch, ToolSearch, WebSearch
from nbagents.tools.tool.toolset import Toolset, resolve_tools
from tests.unit.models.published import faults


def sent(toolset: Toolset) -> dict[str, Any]:
    """What the provider is sent, held to its published schema, and what is asked for beside it."""
    (tool,) = resolve_tools([toolset])
    assert tool.name == toolset.name
    hosted = dict(tool.options.hosted or {})
    include = hosted.pop("include", [])
    body = {"model": "m", "stream": True, "input": "x", "tools": [hosted], "include": include}
    assert faults("/responses", body) == []
    return {**hosted, "include": include}


def test_a_web_search_is_sent_with_what_was_said_of_it() -> None:
    assert sent(WebSearch()) == {
        "type": "web_search",
        "search_context_size": "medium",
        "external_web_access": True,
        "include": ["web_search_call.action.sources"],
    }
    location = {"country": "CH", "city": "Zürich", "region": "ZH", "timezone": "Europe/Zurich"}
    made = sent(
        WebSearch(
            allowed_domains=["python.org"],
            user_location=location,
            search_context_size="low",
            external_web_access=False,
        )
    )
    assert made["filters"] == {"allowed_domains": ["python.org"]}
    assert made["user_location"] == {**location, "type": "approximate"}
    assert (made["search_context_size"], made["external_web_access"]) == ("low", False)


def test_nothing_known_of_the_place_is_not_the_same_as_nothing_said() -> None:
    """Left out, the API takes the United States."""
    assert sent(WebSearch(user_location={}))["user_location"] == {"type": "approximate"}


def test_filters_can_be_given_as_the_api_has_them() -> None:
    filters: dict[str, Any] = {"allowed_domains": ["python.org"]}
    assert sent(WebSearch(filters=filters))["filters"] == filters


def test_a_file_search_is_sent_with_what_was_said_of_it() -> None:
    assert sent(FileSearch(["vs_1"])) == {
        "type": "file_search",
        "vector_store_ids": ["vs_1"],
        "include": [],
    }
    filters: dict[str, Any] = {"type": "eq", "key": "year", "value": 2026}
    made = sent(
        FileSearch(
            ["vs_1", "vs_2"],
            max_num_results=50,
            include_search_results=True,
            ranking_options={"score_threshold": 0.5, "ranker": "auto"},
            filters=filters,
        )
    )
    assert made == {
        "type": "file_search",
        "vector_store_ids": ["vs_1", "vs_2"],
        "max_num_results": 50,
        "ranking_options": {"score_threshold": 0.5, "ranker": "auto"},
        "filters": filters,
        "include": ["file_search_call.results"],
    }


def test_code_runs_in_a_new_container_or_in_one_by_id() -> None:
    include = ["code_interpreter_call.outputs"]
    auto = {"type": "code_interpreter", "container": {"type": "auto"}, "include": include}
    assert sent(CodeInterpreter()) == auto
    assert sent(CodeInterpreter("cntr_1"))["container"] == "cntr_1"
    like: dict[str, Any] = {"file_ids": ["file-1"], "memory_limit": "4g"}
    assert sent(CodeInterpreter(like))["container"] == {**like, "type": "auto"}


def test_a_tool_search_is_one_of_the_provider() -> None:
    assert sent(ToolSearch()) == {"type": "tool_search", "include": []}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: WebSearch(allowed_domains=["https://python.org/a"]), "is no domain"),
        (lambda: WebSearch(allowed_domains=["python"]), "is no domain"),
        (lambda: WebSearch(allowed_domains="python.org"), "list of texts"),
        (lambda: WebSearch(allowed_domains=["a.org"], filters={"x": 1}), "not both"),
        (lambda: WebSearch(search_context_size="huge"), "'low', 'medium', 'high', not 'huge'"),  # pyright: ignore[reportArgumentType]  the mistake
        (lambda: WebSearch(user_location={"town": "Bern"}), "has no 'town': there are city"),
        (lambda: WebSearch(user_location={"country": "Switzerland"}), "two letters"),
        (lambda: WebSearch(user_location="Bern"), "is a mapping with city"),  # pyright: ignore[reportArgumentType]  the mistake
        (lambda: FileSearch([]), "needs the id"),
        (lambda: FileSearch("vs_1"), "list of texts"),
        (lambda: FileSearch([" "]), "list of texts"),
        (lambda: FileSearch(["vs"], max_num_results=0), "1 to 50, not 0"),
        (lambda: FileSearch(["vs"], max_num_results=51), "1 to 50, not 51"),
        (lambda: FileSearch(["vs"], ranking_options={"score": 1}), "has no 'score'"),
        (lambda: FileSearch(["vs"], ranking_options={"score_threshold": 2}), "0 to 1, not 2"),
        (lambda: FileSearch(["vs"], ranking_options={"score_threshold": "1"}), "0 to 1, not '1'"),
        (lambda: FileSearch(["vs"], filters={"key": "a"}), "A filter has a type"),
        (lambda: CodeInterpreter(" "), "not empty"),
        (lambda: CodeInterpreter({"memory_limit": "2g"}), "'1g', '4g', '16g', '64g', not '2g'"),
        (lambda: CodeInterpreter({"type": "manual"}), "container type is one of 'auto'"),
        (lambda: CodeInterpreter({"files": []}), "has no 'files'"),
        (lambda: CodeInterpreter({"file_ids": "file-1"}), "list of texts"),
    ],
)
def test_an_argument_that_the_api_does_not_take_is_refused(
    make: Callable[[], object], said: str
) -> None:
    with pytest.raises(ToolDefinitionError, match=said):
        make()


def test_a_hosted_tool_that_is_called_here_says_where_it_runs() -> None:
    (tool,) = WebSearch().tools()
    with pytest.raises(ToolError, match=r"web_search runs at the provider .* Responses API"):
        tool({})
