"""A document at an address that a person gave."""

from __future__ import annotations

import asyncio
from typing import Final

from nbagents.openapi.document import DocumentError
from nbagents.openapi.exchange import Answer, Connections, Patience, Reach, send
from nbagents.openapi.request import HttpRequest
from nbagents.threads import start_thread

LARGEST: Final = 100_000_000
OK: Final = 200


def fetched(address: str, reach: Reach, timeout_s: float) -> Answer:
    """What is at an address.

    Raises:
        DocumentError: It cannot be had.
    """
    patience = Patience(timeout_s=timeout_s, max_bytes=LARGEST)
    base, question, query = address.partition("#")[0].partition("?")
    request = HttpRequest(method="GET", base=base, path=question + query)
    found: list[Answer | Exception] = []

    def fetch() -> None:
        try:
            found.append(asyncio.run(send(request, Connections(reach), patience)))
        except Exception as error:  # noqa: BLE001  it is raised where it was asked for
            found.append(error)

    start_thread(fetch, "openapi", is_daemon=False).join()  # a kernel has a loop on this thread
    (answer,) = found
    if isinstance(answer, Exception):
        raise DocumentError(address, str(answer).rstrip(".")) from None
    if answer.status != OK or answer.is_cut:
        raise DocumentError(address, f"the server answered {answer.status}, and no document")
    return answer
