"""The frozen bundle: what it holds, that any reader takes it, that it is the same each time."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, cast

import pytest
from lab_sanitizer import refused
from trees import Json, Page, call, failed_call, failure, html_of, payload, plain_of, run, tree

from nbagents.notebook.kinds.renderers import renderer
from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.notebook.saved.html import Opening

FIXTURES = sorted(Path(__file__).parents[2].joinpath("fixtures", "events").glob("*.tree.json"))


def kept(bundle: dict[str, object]) -> Json:
    return cast("Json", bundle[RUN_MIME])


def with_child() -> Json:
    """A root, the run that its call started, and a root that has nothing to do with them."""
    child = run(run_id="run-2", parent_run_id="run-1", agent_name="researcher")
    return tree(run(call(child_run_ids=["run-2"])), child, run(run_id="run-9"))


def test_a_run_is_kept_as_json_html_and_text_and_without_a_widget() -> None:
    bundle = frozen_bundle(tree(run(call())), "run-1")
    assert list(bundle) == [RUN_MIME, "text/html", "text/plain"]


def test_a_small_run_is_kept_whole() -> None:
    whole = tree(run(call(), failed_call("call-2")))
    assert kept(frozen_bundle(whole, "run-1")) == {
        "version": 1,
        "root_id": "run-1",
        "tree": whole,
        "cuts": [],
    }


def test_only_the_run_and_the_runs_inside_it_are_kept() -> None:
    frozen = kept(frozen_bundle(with_child(), "run-1"))["tree"]
    assert frozen["root_ids"] == ["run-1"]
    assert list(frozen["runs"]) == ["run-1", "run-2"]


def test_the_tree_that_is_frozen_is_not_changed() -> None:
    big = tree(run(call(content="x" * 100_000)))
    before = copy.deepcopy(big)
    frozen_bundle(big, "run-1")
    assert big == before


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_every_fixture_of_the_events_freezes(path: Path) -> None:
    folded: Json = json.loads(path.read_text(encoding="utf-8"))
    for root_id in folded["root_ids"]:
        bundle = frozen_bundle(folded, root_id)
        page = Page(html_of(bundle))
        assert refused(page.elements) == []
        assert page.open_tags == []
        for one in kept(bundle)["tree"]["runs"].values():
            assert one["agent_name"] in page.text
            assert one["agent_name"] in plain_of(bundle)


def test_there_are_fixtures() -> None:
    assert len(FIXTURES) >= 5


def test_what_no_file_takes_is_replaced_in_the_json_too() -> None:
    odd = call(content="half \ud83d emoji\x00", payloads=[payload("rows", [float("nan"), 1.5])])
    bundle = frozen_bundle(tree(run(odd)), "run-1")
    json.dumps(bundle, ensure_ascii=False, allow_nan=False).encode()
    (frozen,) = kept(bundle)["tree"]["runs"]["run-1"]["calls"].values()
    assert frozen["content"] == "half \ufffd emoji\ufffd"
    assert frozen["payloads"][0]["payload"]["value"] == [None, 1.5]


def test_json_nested_without_end_is_said_to_be_so() -> None:
    deep: Any = "bottom"
    for _ in range(5000):
        deep = [deep]
    bundle = frozen_bundle(tree(run(call(arguments={"deep": deep}))), "run-1")
    assert "(nested too deeply to keep)" in json.dumps(bundle)


def test_a_run_inside_itself_ends() -> None:
    child = run(call(child_run_ids=["run-1", "run-2"]), run_id="run-2")
    bundle = frozen_bundle(tree(run(call(child_run_ids=["run-1", "run-2"])), child), "run-1")
    assert html_of(bundle).count("How warm is it in Oslo?") == 4  # twice for each
    assert plain_of(bundle).count("asked:") == 2


def test_deterministic_outputs_hold_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = failure("no", debug_message='File "/home/ada/x.py", line 1')
    one = tree(run(failed_call(failure=trace)))
    assert "/home/ada" in json.dumps(frozen_bundle(one, "run-1"))
    monkeypatch.setenv("NBAGENTS_DETERMINISTIC", "1")
    assert "/home/ada" not in json.dumps(frozen_bundle(one, "run-1"))


def test_freezing_twice_gives_the_same() -> None:
    assert frozen_bundle(with_child(), "run-1") == frozen_bundle(with_child(), "run-1")


@pytest.mark.parametrize(("opened", "count"), [("errors", 1), ("data", 2), ("all", 3), ("none", 0)])
def test_which_calls_stand_open_is_as_the_person_said(opened: Opening, count: int) -> None:
    with_data = call("c2", "rows", payloads=[payload("rows", [1])])
    whole = tree(run(call("c1"), with_data, failed_call("c3", name="book")))
    bundle = frozen_bundle(whole, "run-1", opened=opened)
    folds = Page(html_of(bundle)).named("details")
    assert sum("open" in one for one in folds if one.get("class") != "nf-happened") == count
    assert kept(bundle).get("open", "errors") == opened


def test_the_still_form_of_a_kind_of_ones_own_is_kept_beside_its_value() -> None:
    made = renderer("dice_kept", static=lambda value: f"{value['eyes']} eyes")
    try:
        bundle = frozen_bundle(
            tree(run(call(payloads=[payload("dice_kept", {"eyes": 3})]))), "run-1"
        )
    finally:
        made.remove()
    (node,) = kept(bundle)["tree"]["runs"]["run-1"]["calls"]["call-1"]["payloads"]
    assert "static" in node
    assert "3 eyes" in Page(html_of(bundle)).text
    assert "3 eyes" in plain_of(bundle)


def test_a_saved_table_names_its_source_to_be_asked_for_while_its_kernel_lives() -> None:
    table = {"columns": ["n"], "dtypes": ["int64"], "rows": [[1]], "total": 9, "source": "df-1"}
    whole = tree(run(call(payloads=[payload("table", table)])))
    bundle = frozen_bundle(whole, "run-1")
    (node,) = kept(bundle)["tree"]["runs"]["run-1"]["calls"]["call-1"]["payloads"]
    assert node["payload"]["value"]["source"] == "df-1"
    assert "df-1" not in html_of(bundle), "nobody can be asked there"
