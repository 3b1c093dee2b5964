"""What a large run leaves out: the longest texts, each named; never a call or the answer."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from trees import Json, Page, call, failed_call, failure, html_of, payload, run, tree

from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.notebook.saved.cuts import LIMIT_BYTES


def frozen(*runs: Any) -> Json:
    return cast("Json", frozen_bundle(tree(*runs), "run-1")[RUN_MIME])


def size_bytes(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def calls_of(bundle: Json) -> list[Json]:
    return list(bundle["tree"]["runs"]["run-1"]["calls"].values())


def test_up_to_the_limit_nothing_is_cut() -> None:
    room = LIMIT_BYTES - size_bytes(tree(run(call(content=""))))
    just = run(call(content="x" * room))
    assert size_bytes(tree(just)) == LIMIT_BYTES
    assert frozen(just)["cuts"] == []
    assert len(frozen(run(call(content="x" * (room + 1))))["cuts"]) == 1


@pytest.mark.medium
@pytest.mark.parametrize(
    "big",
    [
        run(call(content="x" * 3_000_000)),
        run(call(content="ü€😀" * 100_000)),
        run(call(arguments={"rows": list(range(100_000))})),
        run(call(payloads=[payload("rows", [{"n": n} for n in range(50_000)])])),
        run(call(output=[{"stream": "stdout", "text": "line\n" * 100_000}])),
        run(failed_call(failure=failure("m" * 90_000, debug_message="t" * 90_000))),
        run(call(preview="p" * 90_000)),
        run(call(), prompt="q" * 90_000),
        run(call(), status="failed", failure=failure("no", debug_message="t" * 90_000)),
        run(*(call(f"c{number}", content="x" * 5000) for number in range(60))),
    ],
    ids=[
        "text",
        "unicode",
        "arguments",
        "data",
        "output",
        "error",
        "preview",
        "prompt",
        "run",
        "many",
    ],
)
def test_a_large_run_is_cut_to_about_the_limit(big: Json) -> None:
    bundle = frozen(big)
    assert size_bytes(bundle) <= LIMIT_BYTES * 1.02
    assert bundle["cuts"]


def test_of_long_arguments_the_short_ones_stay_whole_and_the_call_says_what_it_lacks() -> None:
    rows = list(range(100_000))
    bundle = frozen(run(call(arguments={"city": "Oslo", "rows": rows, "text": "x" * 90_000})))
    (one,) = calls_of(bundle)
    assert one["arguments"]["city"] == "Oslo"
    assert one["arguments"]["rows"].startswith("[0, 1, 2, ")
    assert one["arguments"]["text"].endswith("kB of 90.0 kB left out]")
    (cut,) = bundle["cuts"]
    assert one["left_out_bytes"] == cut["size_bytes"] - cut["kept_bytes"] > 600_000
    assert size_bytes(bundle) <= LIMIT_BYTES * 1.02


@pytest.mark.medium
def test_every_call_and_the_answer_stay() -> None:
    answer = "Long. " * 40_000
    big = run(*(call(f"c{number}", content="x" * 9000) for number in range(300)), text=answer)
    bundle = frozen(big)
    assert [one["id"] for one in calls_of(bundle)] == [f"c{number}" for number in range(300)]
    root = bundle["tree"]["runs"]["run-1"]
    assert root["text"] == answer
    assert root["items"][-1]["text"] == answer


def test_a_cut_that_would_gain_nothing_is_not_made() -> None:
    bundle = frozen(run(*(call(f"c{number}", content="x" * 350) for number in range(400))))
    assert size_bytes(bundle) > LIMIT_BYTES
    assert bundle["cuts"] == []


def test_what_is_short_stays_whole() -> None:
    short, long = calls_of(frozen(run(call("c1"), call("c2", content="x" * 200_000))))
    assert short == call("c1")
    assert {**long, "content": None} == {**call("c2"), "content": None}


def test_a_cut_says_in_words_what_and_how_much() -> None:
    bundle = frozen(run(call(content="x" * 200_000)))
    (cut,) = bundle["cuts"]
    (one,) = calls_of(bundle)
    kept = cut["kept_bytes"]
    words = f"{(200_000 - kept) / 1000:.1f} kB of 200.0 kB left out"
    assert one["content"] == "x" * kept + f"… [{words}]"
    assert cut == {
        "run_id": "run-1",
        "call_id": "call-1",
        "part": "result of weather",
        "size_bytes": 200_000,
        "kept_bytes": kept,
        "text": f"result of weather: {words}",
    }
    assert kept > 55_000


def test_the_html_names_each_cut() -> None:
    bundle = frozen_bundle(tree(run(call(content="x" * 200_000, preview="9 °C"))), "run-1")
    words = Page(html_of(bundle)).text
    assert "shortened in 1 place" in words
    assert "result of weather: " in words
    assert words.count("kB of 200.0 kB left out") == 2


def test_of_very_many_cuts_the_html_names_the_first_and_counts_the_rest() -> None:
    many = run(*(call(f"c{number}", content="x" * 2000) for number in range(150)))
    words = Page(html_of(frozen_bundle(tree(many), "run-1"))).text
    assert "shortened in 150 places" in words
    assert words.count("result of weather: ") == 100
    assert "50 more, each named in the saved JSON" in words


@pytest.mark.medium
def test_a_cut_payload_is_no_longer_of_its_kind_so_that_nothing_draws_half_of_it() -> None:
    rows = [{"n": n} for n in range(50_000)]
    bundle = frozen_bundle(tree(run(call(payloads=[payload("rows", rows)]))), "run-1")
    (one,) = calls_of(cast("Json", bundle[RUN_MIME]))
    cut = one["payloads"][0]["payload"]
    assert (cut["kind"], cut["value"]["of"], cut["audience"]) == ("cut", "rows", "timeline")
    assert "Data: rows · " in Page(html_of(bundle)).text


def test_a_childs_answer_may_be_cut_but_not_its_call() -> None:
    child = run(call("c9"), run_id="run-2", text="long " * 40_000)
    bundle = frozen(run(call(child_run_ids=["run-2"])), child)
    inner = bundle["tree"]["runs"]["run-2"]
    assert inner["text"].endswith("left out]")
    assert inner["items"][-1]["text"] == inner["text"]
    assert list(inner["calls"]) == ["c9"]


def test_no_character_is_cut_in_two() -> None:
    (one,) = calls_of(frozen(run(call(content="€" * 100_000))))
    assert set(one["content"].partition("…")[0]) == {"€"}


def image(size_bytes: int, name: str = "image") -> Json:
    value = {"media_type": "image/png", "data": "A" * size_bytes, "alt": "A plot"}
    return {**payload("image", value), "id": name}


def kinds_of(bundle: Json) -> list[str]:
    return [node["payload"]["kind"] for one in calls_of(bundle) for node in one["payloads"]]


def test_pictures_go_before_texts_the_largest_first() -> None:
    pictures = [image(20_000, "a"), image(50_000, "b"), image(15_000, "c")]
    bundle = frozen(run(call(content="x" * 10_000, payloads=pictures)))
    assert kinds_of(bundle) == ["image", "cut", "image"]
    assert calls_of(bundle)[0]["content"] == "x" * 10_000
    assert size_bytes(bundle) <= LIMIT_BYTES
    (cut,) = bundle["cuts"]
    assert (cut["part"], cut["kept_bytes"]) == ("picture of weather", 0)
    assert cut["text"] == "picture of weather: 50.1 kB left out"


def test_pictures_keep_half_of_the_room_where_the_texts_would_fill_it_all() -> None:
    pictures = [image(20_000, "a"), image(25_000, "b")]
    bundle = frozen(run(call(content="x" * 300_000, payloads=pictures)))
    assert kinds_of(bundle) == ["image", "cut"]
    assert size_bytes(bundle) <= LIMIT_BYTES * 1.02
    assert [cut["part"] for cut in bundle["cuts"]] == ["picture of weather", "result of weather"]


def test_a_picture_is_kept_whole_or_not_at_all() -> None:
    bundle = frozen(run(call(payloads=[image(3_000_000)])))
    (node,) = calls_of(bundle)[0]["payloads"]
    assert node["payload"] == {
        "kind": "cut",
        "version": 1,
        "audience": "timeline",
        "value": {"of": "image", "head": "", "note": "3.0 MB left out"},
    }


def test_a_display_with_a_picture_is_one_too() -> None:
    data = {"image/png": "A" * 100_000, "text/plain": "<Figure>"}
    bundle = frozen(run(call(payloads=[payload("mime", {"data": data, "metadata": {}})])))
    assert kinds_of(bundle) == ["cut"]


def test_what_a_file_holds_goes_first_as_it_is_only_named_anyway() -> None:
    file = payload("file", {"name": "a.pdf", "size": 3, "data": "A" * 30_000})
    bundle = frozen(run(call(payloads=[image(40_000), file])))
    assert kinds_of(bundle) == ["image", "file"]
    assert calls_of(bundle)[0]["payloads"][1]["payload"]["value"] == {
        "name": "a.pdf",
        "size": 3,
        "data": None,
    }
    (cut,) = bundle["cuts"]
    assert cut["text"] == "contents of a.pdf of weather: 30.0 kB left out"


def test_a_dropped_picture_is_said_where_it_would_have_stood() -> None:
    big = tree(run(call(payloads=[image(3_000_000)])))
    page = Page(html_of(frozen_bundle(big, "run-1")))
    assert page.named("img") == []
    assert "Data: image · 3.0 MB left out" in page.text
    assert "picture of weather: 3.0 MB left out" in page.text


def test_streams_that_take_turns_without_end_are_cut_too() -> None:
    streams = ("stdout", "stderr")
    output = [{"stream": streams[turn % 2], "text": f"{turn}\n"} for turn in range(20_000)]
    bundle = frozen(run(call(output=output)))
    kept = calls_of(bundle)[0]["output"]
    assert [one["stream"] for one in kept] == ["stdout", "stderr"]
    assert kept[0]["text"].startswith("0\n2\n4\n")
    assert size_bytes(bundle) <= LIMIT_BYTES * 1.02


def test_of_what_was_printed_beginning_and_end_stay_by_whole_lines() -> None:
    text = "".join(f"epoch {number}\n" for number in range(50_000)) + "best: epoch 4182\n"
    bundle = frozen(run(call(output=[{"stream": "stdout", "text": text}])))
    (kept,) = calls_of(bundle)[0]["output"]
    assert kept["text"].startswith("epoch 0\nepoch 1\n")
    assert kept["text"].endswith("\nepoch 49999\nbest: epoch 4182\n")
    lines = set(text.splitlines())
    (gap,) = [line for line in kept["text"].splitlines() if line not in lines]
    (cut,) = bundle["cuts"]
    assert gap == "… [" + cut["text"].removeprefix("stdout of weather: ") + "]"
    assert cut["kept_bytes"] == len(kept["text"]) - len(gap + "\n")
    assert size_bytes(bundle) <= LIMIT_BYTES * 1.02


def test_a_long_word_on_what_was_shared_is_cut() -> None:
    bundle = frozen(run(call(), shared=["df (DataFrame)", "x" * 90_000]))
    assert size_bytes(bundle) <= LIMIT_BYTES * 1.02
    short, long = bundle["tree"]["runs"]["run-1"]["shared"]
    assert short == "df (DataFrame)"
    assert long.endswith("left out]")
