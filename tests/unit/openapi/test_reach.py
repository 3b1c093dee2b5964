"""Which machines are reached: public ones, and the private ones that a person has named."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Any

import pytest
from calling import call, document, operation
from recording_server import Reply, serving

import nbagents as nba
from nbagents.errors import ToolDefinitionError
from nbagents.openapi.exchange import Named, Reach, named_by, named_host
from nbagents.openapi.exchange.reach import is_public

GET = document({"/x": {"get": operation()}})

PRIVATE = [
    *("127.0.0.1", "127.8.9.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254"),
    *("0.0.0.0", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
    *("::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1"),
    *("::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "64:ff9b::a9fe:a9fe"),
]
PUBLIC = ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_of_a_private_network_is_none_of_the_internet(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_one(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


class Names:
    """Names of a test, and what they lead to; the last address stays."""

    def __init__(self) -> None:
        self.known: dict[str, list[str]] = {}

    async def __call__(
        self, loop: object, host: str, port: int, **_: Any
    ) -> list[tuple[Any, Any, Any, Any, tuple[str, int]]]:
        """In the place of a loop's `getaddrinfo`."""
        known = self.known.get(host, [host])
        found = known.pop(0) if len(known) > 1 else known[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found.split()]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    made = Names()

    async def found(loop: object, host: str, port: int, **given: Any) -> object:
        return await made(loop, host, port, **given)

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", found)
    return made


@pytest.mark.parametrize("host", ["pets.example", "localhost", "2130706433", "0x7f.1"])
def test_a_name_that_leads_to_a_private_address_is_refused_whoever_said_it(
    names: Names, host: str
) -> None:
    names.known[host] = ["10.1.2.3"]
    made = call(nba.OpenAPI(GET, base_url=f"http://{host}"))
    assert made.failure is not None
    assert made.failure.kind == "unavailable"
    assert f"{host} is 10.1.2.3, a private address" in made.failure.message
    assert f"private_hosts=['{host}']" in made.failure.message


def test_a_name_that_leads_elsewhere_when_it_is_looked_up_again_is_refused_then(
    names: Names,
) -> None:
    with serving(Reply.of({})) as server:
        port = int(server.url.rpartition(":")[2])
        names.known["rebinding.example"] = ["93.184.215.14", "127.0.0.1"]
        reach = Reach()
        assert asyncio.run(reach.addresses("rebinding.example", port)) == ["93.184.215.14"]
        made = call(nba.OpenAPI(GET, base_url=f"http://rebinding.example:{port}"))
    assert made.failure is not None
    assert "private address" in made.failure.message
    assert server.asked == []


def test_of_several_addresses_only_the_allowed_ones_are_connected_to(names: Names) -> None:
    names.known["mixed.example"] = ["127.0.0.1 93.184.215.14 10.0.0.1"]
    assert asyncio.run(Reach().addresses("mixed.example", 80)) == ["93.184.215.14"]


def test_a_host_is_named_by_name_or_by_its_written_address(names: Names) -> None:
    with serving(Reply.of({})) as server:
        port = server.url.rpartition(":")[2]
        names.known["intranet.example"] = ["127.0.0.1"]
        given = f"http://intranet.example:{port}"
        for hosts in ("intranet.example", ["INTRANET.example"], [f"intranet.example:{port}"]):
            assert call(nba.OpenAPI(GET, base_url=given, private_hosts=hosts)).status == "done"
        for hosts in (["other.example"], ["intranet.example:1"], ["example"]):
            assert call(nba.OpenAPI(GET, base_url=given, private_hosts=hosts)).status == "failed"
    assert len(server.asked) == 3


def test_a_base_url_names_its_own_port_only() -> None:
    admin = Reply(302, b"", {"Location": "LATER"})
    with serving(Reply.of({})) as other, serving(lambda _: admin) as server:
        admin.headers["Location"] = f"{other.url}/admin"
        made = call(nba.OpenAPI(GET, base_url=server.url))
    assert made.failure is not None
    assert "private address" in made.failure.message
    assert other.asked == []


def test_a_document_names_nobody() -> None:
    with serving(Reply.of({})) as server:
        given = {**GET, "servers": [{"url": server.url}]}
        assert call(nba.OpenAPI(given)).status == "failed"
        assert call(nba.OpenAPI(given, private_hosts=["127.0.0.1"])).status == "done"
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]:1/",
        "http://localhost:1/",
        "file:///etc/passwd",
        "gopher://x.example/",
        "//127.0.0.1:1/",
    ],
)
def test_a_redirect_leads_to_no_private_address_and_no_file(location: str) -> None:
    with serving(Reply(302, b"", {"Location": location})) as server:
        made = call(nba.OpenAPI(GET, base_url=server.url))
    assert made.failure is not None
    assert made.failure.kind == "unavailable"
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("http://127.0.0.1:8000/a", Named("127.0.0.1", 8000, by_name=False)),
        ("https://[::1]", Named("::1", 443, by_name=False)),
        ("http://localhost", Named("localhost", 80, by_name=False)),
        ("http://pets.example", None),
    ],
)
def test_what_an_address_names(url: str, named: Named | None) -> None:
    assert named_by(url) == named


def test_localhost_means_this_machine_and_nothing_else() -> None:
    reach = Reach((Named("localhost", 80, by_name=False),))
    assert reach.allows("localhost", 80, ipaddress.ip_address("127.0.0.1"))
    assert not reach.allows("localhost", 81, ipaddress.ip_address("127.0.0.1"))
    assert not reach.allows("localhost", 80, ipaddress.ip_address("10.0.0.1"))


@pytest.mark.parametrize("given", ["", "http://", "a:b", "[::1", 3])
def test_a_host_that_is_none_is_refused(given: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="is no host"):
        named_host(given)
