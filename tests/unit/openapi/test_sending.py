"""Sending: redirects, another try, limits of time and size, and connections that are closed."""

from __future__ import annotations

import asyncio
import gc
import gzip
import time
import warnings
import zlib
from collections.abc import Callable
from email.utils import formatdate

import pytest
from calling import Json, call, document, operation, parameter
from recording_server import Asked, Reply, serving

import nbagents as nba
from nbagents import bounds
from nbagents.openapi.exchange import sending
from nbagents.runs.wording import Call

BODY: Json = {"application/json": {}}


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between tries, in seconds: they are noted, and do not take place."""
    noted: list[float] = []

    async def pause(seconds: float) -> None:
        noted.append(seconds)

    monkeypatch.setattr(sending, "pause", pause)
    return noted


def ask(url: str, method: str = "get", **options: object) -> Call:
    """A call; one that changes something has a body."""
    body = BODY if method in ("post", "put", "patch") else None
    given = document({"/x": {method: operation(body=body)}})
    api = nba.OpenAPI(given, base_url=url, **options)  # type: ignore[arg-type]
    return call(api, {"body": {"a": 1}} if body else {})


BUSY = Reply(429, b"slow down", {"Retry-After": "7", "Content-Type": "text/plain"})


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_only_reads_is_asked_again_after_as_long_as_the_server_says(
    waits: list[float], status: int
) -> None:
    busy = Reply(status, b"", {"Retry-After": "7"})
    with serving([busy, busy, Reply.of({"ok": 1})]) as server:
        assert ask(server.url).value == {"ok": 1}
    assert (len(server.asked), waits) == (3, [7.0, 7.0])


def test_a_date_is_waited_for_and_where_nothing_is_said_longer_each_time(
    waits: list[float],
) -> None:
    dated = Reply(503, b"", {"Retry-After": formatdate(time.time() + 20, usegmt=True)})
    with serving([dated, Reply.of({})]) as server:
        assert ask(server.url).status == "done"
    assert 10 < waits.pop() <= 20
    with serving([Reply(503, b""), Reply(503, b""), Reply.of({})]) as server:
        assert ask(server.url).status == "done"
    assert waits == [0.5, 1.0]


def test_where_the_wait_is_long_the_model_is_told_instead(waits: list[float]) -> None:
    with serving(Reply(429, b"", {"Retry-After": "3600"})) as server:
        made = ask(server.url)
    assert made.failure is not None
    assert (made.failure.kind, waits, len(server.asked)) == ("rate_limited", [], 1)
    assert "in 3600 s" in made.failure.message


@pytest.mark.parametrize("method", ["post", "patch", "delete", "put"])
def test_what_changes_something_is_asked_once(waits: list[float], method: str) -> None:
    with serving(BUSY) as server:
        made = ask(server.url, method)
    assert made.failure is not None
    assert (made.failure.kind, waits, len(server.asked)) == ("rate_limited", [], 1)
    with serving(Reply(drops=True)) as server:
        made = ask(server.url, method)
    assert made.failure is not None
    assert "Nobody knows whether it was done" in made.failure.message
    assert len(server.asked) == 1


def test_a_connection_that_breaks_is_made_anew_for_what_only_reads(waits: list[float]) -> None:
    with serving([Reply(drops=True), Reply.of({"ok": 1})]) as server:
        assert ask(server.url).value == {"ok": 1}
    with serving(Reply(drops=True)) as server:
        made = ask(server.url, retries=1)
    assert made.failure is not None
    assert (made.failure.kind, len(server.asked), len(waits)) == ("unavailable", 2, 2)


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_server_that_is_not_there_is_told_of(method: str) -> None:
    with serving(Reply.of({})) as server:
        pass
    made = ask(server.url, method, retries=0)
    assert made.failure is not None
    assert made.failure.kind == "unavailable"
    assert made.failure.message.endswith("Nothing was sent.")


def test_what_no_connection_carries_is_asked_for_once_and_not_sent(waits: list[float]) -> None:
    given = document({"/x": {"get": operation(parameter("X Bad", "header"))}})
    with serving(Reply.of({})) as server:
        made = call(nba.OpenAPI(given, base_url=server.url), {"X_Bad": "v"})
    assert made.failure is not None
    assert made.failure.message.endswith("Nothing was sent.")
    assert (server.asked, waits) == ([], [])


def test_after_a_redirect_nobody_says_that_nothing_was_sent() -> None:
    with serving(Reply.of({})) as gone:
        pass
    away = Reply(303, b"", {"Location": f"{gone.url}/x"})
    with serving(away) as server:
        made = ask(server.url, "post", private_hosts=[gone.url])
    assert made.failure is not None
    assert gone.url.removeprefix("http://") in made.failure.message
    assert "Nothing was sent" not in made.failure.message


def test_a_call_ends_in_time() -> None:
    def slow(_: Asked) -> Reply:
        time.sleep(0.5)
        return Reply.of({})

    with serving(slow) as server:
        made = ask(server.url, timeout_s=0.1)
    assert made.failure is not None
    assert made.failure.kind == "timeout"
    assert made.status == "timed_out"
    assert "within 0.1 s" in made.failure.message


def test_a_stopped_call_is_stopped_at_once() -> None:
    async def stopped() -> None:
        api = nba.OpenAPI(document({"/x": {"get": operation()}}), base_url=server.url)
        task = asyncio.ensure_future(api.tools()[0]({}))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    def slow(_: Asked) -> Reply:
        time.sleep(0.5)
        return Reply.of({})

    with serving(slow) as server:
        asyncio.run(stopped())


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_what_only_reads_follows(status: int) -> None:
    def reply(one: Asked) -> Reply:
        return Reply(status, b"", {"Location": "y?q=ü#part"}) if one.path == "/x" else Reply.of(1)

    with serving(reply) as server:
        assert ask(server.url).value == 1
    assert [one.target for one in server.asked] == ["/x", "/y?q=%C3%BC"]


@pytest.mark.parametrize(
    ("status", "then"),
    [(301, None), (302, None), (303, ("GET", b"")), (307, ("POST", b'{"a":1}'))],
)
def test_what_changes_something_follows_only_where_that_is_meant(
    status: int, then: tuple[str, bytes] | None
) -> None:
    def reply(one: Asked) -> Reply:
        return Reply(status, b"", {"Location": "/y"}) if one.path == "/x" else Reply.of(1)

    with serving(reply) as server:
        made = ask(server.url, "post")
    if then is None:
        assert made.failure is not None
        assert "was not followed" in made.failure.message
        assert len(server.asked) == 1
        return
    assert made.value == 1
    assert (server.asked[1].method, server.asked[1].body) == then
    assert (server.asked[1].headers["Content-Type"] is None) == (then[0] == "GET")


def test_what_changes_something_is_not_done_at_another_server() -> None:
    moved = Reply(308, b"", {"Location": "LATER"})
    with serving(Reply.of({})) as other, serving(lambda _: moved) as server:
        moved.headers["Location"] = f"{other.url}/y"
        made = ask(server.url, "post", private_hosts=["127.0.0.1"])
    assert made.failure is not None
    assert "is not made at another server" in made.failure.message
    assert other.asked == []


def test_redirects_in_a_circle_end() -> None:
    with serving(Reply(302, b"", {"Location": "/x"})) as server:
        made = ask(server.url)
    assert made.failure is not None
    assert "more than 5" in made.failure.message
    assert len(server.asked) == 6


# Sizes


PLAIN = b"a" * 1_000
PACKED = {
    "gzip": gzip.compress(PLAIN),
    "deflate": zlib.compress(PLAIN),
    "deflate, bare": zlib.compress(PLAIN)[2:-4],
    "identity": PLAIN,
}


@pytest.mark.parametrize("coding", PACKED)
def test_what_is_packed_is_unpacked_up_to_a_limit(coding: str) -> None:
    head = {"Content-Encoding": coding.partition(",")[0], "Content-Type": "text/plain"}
    with serving(Reply(200, PACKED[coding], head)) as server:
        assert ask(server.url).value == "a" * 1_000
        made = ask(server.url, max_bytes=100)
    assert str(made.content).endswith("a" * 100)
    assert "larger than 100 bytes" in str(made.content)


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    head = {"Content-Encoding": "gzip", "Content-Type": "application/zip"}
    with serving(Reply(200, bomb, head)) as server:
        made = ask(server.url, max_bytes=100_000)
    assert made.failure is not None
    assert "larger than 100,000 bytes" in made.failure.message


@pytest.mark.parametrize("end", [-1, 0, 1, 258])
@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_nothing_is_lost_where_a_step_of_unpacking_ends(
    pack: Callable[[bytes], bytes], end: int
) -> None:
    whole = b"a" * (bounds.STEP_BYTES + end)
    coding = "gzip" if pack is gzip.compress else "deflate"
    head = {"Content-Encoding": coding, "Content-Type": "text/plain"}
    with serving(Reply(200, pack(whole), head)) as server:
        made = ask(server.url)
    assert len(str(made.value)) == len(whole)


def test_several_packed_pieces_are_one_answer_and_what_is_added_is_none() -> None:
    packed = gzip.compress(b'{"a":1,') + gzip.compress(b'"b":2}')
    head = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    for added in (b"", b"\0\0", b"added"):
        with serving(Reply(200, packed + added, head)) as server:
            assert ask(server.url).value == {"a": 1, "b": 2}


def test_a_packed_answer_that_was_cut_off_is_none() -> None:
    head = {"Content-Encoding": "gzip", "Content-Type": "text/plain"}
    with serving(Reply(200, gzip.compress(PLAIN)[:-9], head)) as server:
        made = ask(server.url)
    assert made.failure is not None
    assert "cut off" in made.failure.message


def test_what_cannot_be_unpacked_is_told_of() -> None:
    for coding in ("gzip", "br"):
        head = {"Content-Encoding": coding, "Content-Type": "application/json"}
        with serving(Reply(200, b"no such thing", head)) as server:
            made = ask(server.url)
        assert made.failure is not None
        assert made.failure.kind == "malformed_result"


# Connections


def test_connections_are_used_again_within_a_loop_and_closed_with_it() -> None:
    with serving(Reply.of({})) as server, warnings.catch_warnings():
        warnings.simplefilter("error")
        api = nba.OpenAPI(document({"/x": {"get": operation()}}), base_url=server.url)
        kept = api._caller.sender.connections._kept  # pyright: ignore[reportPrivateUsage]

        async def twice(tool: nba.Tool) -> int:
            await tool({})
            await tool({})
            return len(kept)

        assert asyncio.run(twice(api.tools()[0])) == 1
        assert asyncio.run(twice(api.tools()[0])) == 1
        assert kept == {}
        call(api)
        assert len(kept) == 1  # the runtime's own loop
        api.close()
        assert kept == {}
        call(api)
    assert len(server.asked) == 6


def test_connections_are_closed_with_what_they_belong_to() -> None:
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(document({"/x": {"get": operation()}}), base_url=server.url)
        kept = api._caller.sender.connections._kept  # pyright: ignore[reportPrivateUsage]
        call(api)
        assert len(kept) == 1
        del api
        end_s = time.monotonic() + 60
        while kept:  # a run's thread lets it go a moment after the run has ended
            assert time.monotonic() < end_s
            gc.collect()
            time.sleep(0.01)
