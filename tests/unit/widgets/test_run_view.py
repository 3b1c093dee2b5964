"""The live view's half in the kernel: what it sends, what it hears, and what it leaves behind."""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future
from typing import Any

import pytest
from nbagents_widgets import run_view
from nbagents_widgets.library import BLANK, library_hash, library_text
from nbagents_widgets.run_view import CHUNK_BYTES, RunView

from tests.unit.widgets.wire import Wire


def events(*seqs: int, text: str = "") -> list[dict[str, Any]]:
    return [{"seq": seq, "text": text} for seq in seqs]


def hear(view: RunView, content: object) -> None:
    """A message of the page, as ipywidgets takes it off the wire."""
    assert view.comm is not None
    data = {"method": "custom", "content": content}
    view.comm.handle_msg({"content": {"data": data}, "buffers": []})


def test_what_was_fed_is_sent_once_in_one_batch(wires: list[Wire]) -> None:
    view = RunView()
    view.feed(events(0, 1))
    view.feed(events(2))
    assert wires[-1].batches == []
    view.flush()
    view.flush()
    view.feed(events(3))
    view.flush()
    assert wires[-1].batches == [(0, [0, 1, 2]), (3, [3])]


def test_a_large_backlog_goes_out_in_chunks_and_a_larger_event_alone(wires: list[Wire]) -> None:
    view = RunView()
    view.feed(events(*range(10), text="x" * 60_000))
    view.feed(events(10, text="x" * (CHUNK_BYTES + 1)))
    view.feed(events(11))
    view.flush()
    batches = wires[-1].batches
    assert [seq for _, seqs in batches for seq in seqs] == list(range(12))
    assert batches[-2:] == [(10, [10]), (11, [11])]
    sizes = [len(json.dumps(one["patches"])) for one in wires[-1].messages]
    assert all(size <= CHUNK_BYTES + 100 for size in [*sizes[:-2], sizes[-1]])


def test_a_page_that_missed_something_is_sent_it_again(wires: list[Wire]) -> None:
    view = RunView()
    view.feed(events(0, 1, 2))
    view.flush()
    hear(view, {"type": "sync", "from": 1})
    assert wires[-1].batches[-1] == (1, [1, 2])


def test_a_page_that_asks_before_there_is_anything_is_answered(wires: list[Wire]) -> None:
    view = RunView()
    hear(view, {"type": "sync", "from": 0})
    assert wires[-1].batches == [(0, [])]


@pytest.mark.parametrize("content", [{"type": "sync", "from": 99}, {"type": "sync", "from": -5}])
def test_a_position_that_cannot_be_does_no_harm(
    wires: list[Wire], content: dict[str, object]
) -> None:
    view = RunView()
    view.feed(events(0, 1))
    view.flush()
    hear(view, content)
    view.feed(events(2))
    view.flush()
    assert {seq for _, seqs in wires[-1].batches for seq in seqs} == {0, 1, 2}


def test_while_another_thread_sends_a_page_is_answered_by_the_next_flush(
    wires: list[Wire],
) -> None:
    """A message may be heard in the middle of a flush: it must not wait for it, or lose."""
    view = RunView()
    view.feed(events(0, 1))
    view.flush()
    with view._wire:  # pyright: ignore[reportPrivateUsage]  another thread is sending
        asked = threading.Thread(target=hear, args=(view, {"type": "sync", "from": 0}))
        asked.start()
        asked.join(5)
    assert wires[-1].batches == [(0, [0, 1])]
    view.flush()
    assert wires[-1].batches[-1] == (0, [0, 1])


def test_what_could_not_be_sent_is_sent_later(wires: list[Wire]) -> None:
    view = RunView()
    view.feed(events(0))
    wires[-1].broken = True
    with pytest.raises(OSError, match="broken"):
        view.flush()
    wires[-1].broken = False
    view.flush()
    assert wires[-1].batches == [(0, [0])]


def test_many_threads_feed_and_nothing_is_lost_or_doubled(wires: list[Wire]) -> None:
    view = RunView()

    def feed(start: int) -> None:
        for seq in range(start, start + 100):
            view.feed(events(seq))

    def flush() -> None:
        for _ in range(50):
            view.flush()

    feeders = [threading.Thread(target=feed, args=(start,)) for start in (0, 100, 200, 300)]
    flushers = [threading.Thread(target=flush) for _ in range(2)]
    for thread in (*feeders, *flushers):
        thread.start()
    for thread in (*feeders, *flushers):
        thread.join()
    view.flush()
    batches = wires[-1].batches
    assert [start for start, _ in batches] == [
        sum(len(seqs) for _, seqs in batches[:at]) for at in range(len(batches))
    ]
    assert sorted(seq for _, seqs in batches for seq in seqs) == list(range(400))


def test_after_a_silence_an_empty_batch_says_how_far_the_list_goes(
    wires: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page sees a lost message only at the next one."""
    clock = [100.0]
    monkeypatch.setattr(run_view.time, "monotonic", lambda: clock[0])
    view = RunView()
    view.feed(events(0, 1))
    view.flush()
    clock[0] += 0.9
    view.flush()
    assert wires[-1].batches == [(0, [0, 1])]
    clock[0] += 0.2
    view.flush()
    assert wires[-1].batches[-1] == (2, [])
    assert wires[-1].messages[-1]["idle_ms"] == 1100


def test_stop_and_emit_reach_their_callbacks(wires: list[Wire]) -> None:
    heard: list[object] = []
    view = RunView(
        on_stop=lambda run_id, call_id: heard.append((run_id, call_id)),
        on_emit=lambda kind, value: heard.append((kind, value)),
    )
    hear(view, {"type": "emit", "kind": "map", "value": {"zoom": 3}})
    hear(view, {"type": "stop"})
    hear(view, {"type": "stop", "run_id": "run-2"})
    hear(view, {"type": "stop", "run_id": "run-2", "call_id": "call-1"})
    assert heard == [("map", {"zoom": 3}), (None, None), ("run-2", None), ("run-2", "call-1")]
    assert wires


@pytest.mark.parametrize("named", [{"run_id": 3}, {"call_id": ["call-1"]}, {"run_id": {}}])
def test_a_stop_of_what_has_no_name_stops_nothing(
    wires: list[Wire], named: dict[str, object]
) -> None:
    heard: list[object] = []
    view = RunView(on_stop=lambda run_id, call_id: heard.append((run_id, call_id)))
    hear(view, {"type": "stop", **named})
    assert heard == []
    assert wires


def test_what_a_person_answers_is_told_when_it_was_taken(wires: list[Wire]) -> None:
    taken: Future[None] = Future()
    said: list[object] = []

    def resolve(await_id: str, answer: object) -> Future[None]:
        said.append((await_id, answer))
        return taken

    view = RunView(on_resolve=resolve)
    answer = {"action": "approve"}
    hear(view, {"type": "resolve", "id": 4, "await_id": "await-1", "answer": answer})
    assert said == [("await-1", answer)]
    assert answers(wires[-1]) == []
    taken.set_result(None)
    assert answers(wires[-1]) == [{"type": "answer", "id": 4, "value": None}]


def test_what_does_not_fit_about_an_answer_is_told(wires: list[Wire]) -> None:
    refused: Future[None] = Future()
    refused.set_exception(ValueError("city is needed."))

    def wrong(_await_id: str, _answer: object) -> Future[None]:
        return refused

    def gone(_await_id: str, _answer: object) -> Future[None]:
        raise LookupError("Nobody waits for it any more.")

    message = {"type": "resolve", "id": 1, "await_id": "await-1", "answer": None}
    for view in (RunView(on_resolve=wrong), RunView(on_resolve=gone), RunView()):
        hear(view, message)
    assert [answers(wire)[0]["error"] for wire in wires if answers(wire)] == [
        "city is needed.",
        "Nobody waits for it any more.",
        "Nobody here waits for an answer.",
    ]


@pytest.mark.parametrize(
    "content", [None, "stop", [], {}, {"type": "later"}, {"type": "sync", "from": "x"}, {"type": 3}]
)
def test_what_no_page_of_ours_says_is_ignored(wires: list[Wire], content: object) -> None:
    view = RunView()
    hear(view, content)
    hear(view, {"type": "stop"})
    hear(view, {"type": "emit", "kind": "map", "value": 1})
    assert wires[-1].messages == []


def test_the_page_is_given_the_module_it_asks_for(wires: list[Wire]) -> None:
    view = RunView()
    hear(view, {"type": "library", "name": "run-view"})
    sent = wires[-1].sent[-1]
    expected = {"type": "library", "name": "run-view", "hash": library_hash("run-view")}
    assert sent["data"]["content"] == expected
    assert sent["buffers"] == [library_text("run-view")]


def test_the_view_carries_a_small_loader_and_not_the_module(wires: list[Wire]) -> None:
    RunView()
    state = wires[-1].sent[0]["data"]["state"]
    assert library_hash("run-view") in state["_esm"]
    assert len(json.dumps(state)) < 3_000


def test_messages_come_by_the_subshell_that_the_page_chose(wires: list[Wire]) -> None:
    RunView()
    route = vars(wires[-1])["_reply_subshell_for"]
    assert route({}, "the page's own") == "the page's own"


def test_a_retired_view_leaves_next_to_nothing_and_hears_no_more(wires: list[Wire]) -> None:
    view = RunView()
    view.feed(events(0))
    view.flush()
    wire = wires[-1]
    view.retire()
    view.retire()
    updates = [one["data"]["state"] for one in wire.sent if one["data"].get("method") == "update"]
    assert updates == [{"_esm": BLANK}]
    assert wire.sent[-1]["msg_type"] == "comm_close"
    view.feed(events(1))
    view.flush()
    assert wire.sent[-1]["msg_type"] == "comm_close"
    assert all(one.sent[-1]["msg_type"] == "comm_close" for one in wires), (
        "its layout is closed too"
    )


def answers(wire: Wire) -> list[dict[str, Any]]:
    return [one for one in wire.messages if one["type"] == "answer"]


def test_a_question_of_a_renderer_is_answered_under_its_number(wires: list[Wire]) -> None:
    view = RunView(on_ask=lambda kind, question: {kind: question})
    hear(view, {"type": "ask", "id": 7, "kind": "dice", "question": 3})
    assert answers(wires[-1]) == [{"type": "answer", "id": 7, "value": {"dice": 3}}]


def test_a_question_may_be_answered_later(wires: list[Wire]) -> None:
    later: list[Future[int]] = [Future(), Future(), Future()]

    def ask(_kind: str, question: int) -> Future[int]:
        return later[question]

    view = RunView(on_ask=ask)
    for number in range(3):
        hear(view, {"type": "ask", "id": number, "kind": "dice", "question": number})
    assert answers(wires[-1]) == []
    later[1].set_exception(ValueError("no luck"))
    later[0].set_result(5)
    later[2].cancel()
    assert answers(wires[-1]) == [
        {"type": "answer", "id": 1, "error": "no luck"},
        {"type": "answer", "id": 0, "value": 5},
        {"type": "answer", "id": 2, "error": "Too much is asked at once."},
    ]


def test_a_question_that_cannot_be_answered_is_told_why(wires: list[Wire]) -> None:
    def raising(_kind: str, _question: object) -> object:
        raise LookupError

    for view in (RunView(), RunView(on_ask=raising)):
        hear(view, {"type": "ask", "id": 1, "kind": "dice", "question": None})
    assert [answers(wire)[0]["error"] for wire in wires if answers(wire)] == [
        "Nobody here answers for 'dice'.",
        "LookupError",
    ]


def test_an_answer_to_a_view_that_is_gone_is_not_sent(wires: list[Wire]) -> None:
    later: Future[int] = Future()

    def ask(_kind: str, _question: object) -> Future[int]:
        return later

    view = RunView(on_ask=ask)
    hear(view, {"type": "ask", "id": 1, "kind": "dice", "question": None})
    view.retire()
    later.set_result(5)
    assert [one for wire in wires for one in answers(wire)] == []
