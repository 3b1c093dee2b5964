"""Watches a page for anything that a text could make it do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Route

__all__ = ["JUDGE", "ORIGIN", "Answer", "Watch"]

JUDGE = Path(__file__).with_name("judge.js")
ORIGIN = "http://nbagents.test"
"""Where the pages that are served here are; nothing listens there."""

Answer = tuple[str, bytes]
"""A media type and a body."""

HARMLESS = (
    "Blocked script execution",
    "Blocked autofocusing",
    "violates the following Content Security",
    "Failed to load",
)
"""What the console says of something that was stopped, or that `asked` has already."""


@dataclass(kw_only=True)
class Watch:
    """What a page did that nobody asked it to.

    Args:
        context: The browser's, with no page open yet.
        own: Addresses that the page may fetch.
        served: What is answered at `ORIGIN`, by path; everything else is refused.
        hears_errors: Whether an error of a script counts: not where others' scripts run.
    """

    context: BrowserContext
    own: Callable[[str], bool] = lambda _: False
    served: dict[str, Answer] = field(default_factory=dict[str, Answer])
    hears_errors: bool = True
    ran: set[object] = field(default_factory=set[object])
    asked: list[str] = field(default_factory=list[str])
    said: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        context: Any = self.context  # Any: Playwright types no binding's answer
        context.expose_binding("xss", self._run)
        self.context.add_init_script(path=JUDGE)
        self.context.route(lambda url: not self.own(url), self._route)
        self.context.on("page", self._follow)

    def open(self, path: str = "/") -> Page:
        """A page of `served`; what it does is watched."""
        page = self.context.new_page()
        page.goto(ORIGIN + path, wait_until="load")
        return page

    def close(self) -> None:
        """Close the context, when every request has had its answer."""
        self.context.unroute_all(behavior="ignoreErrors")
        self.context.close()

    def did(self) -> list[str]:
        """All that happened, in words; empty if nothing did."""
        return [
            *(f"code ran: vector {number}" for number in sorted(map(str, self.ran))),
            *(f"a request left: {url[:120]}" for url in sorted(set(self.asked))),
            *self.said,
        ]

    def _run(self, _source: dict[str, Any], *told: object) -> None:  # Any: Playwright's own
        self.ran.add(told[0] if told else "unnumbered")

    def _follow(self, page: Page) -> None:
        if self.context.pages.index(page) > 0:
            self.said.append(f"another page was opened: {page.url}")
        page.on("dialog", self._dismiss)
        page.on("download", lambda one: self.said.append(f"a download: {one.suggested_filename}"))
        if self.hears_errors:
            page.on("pageerror", lambda error: self.said.append(f"an error: {error}"[:300]))
            page.on("console", self._hear)

    def _dismiss(self, dialog: Dialog) -> None:
        self.said.append(f"a dialog: {dialog.message}"[:300])
        dialog.dismiss()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in HARMLESS):
            self.said.append(f"the console says: {message.text}"[:300])

    def _route(self, route: Route) -> None:
        url = route.request.url
        path = url.removeprefix(ORIGIN)
        if url.startswith(f"{ORIGIN}/") and path in self.served:
            media, body = self.served[path]
            route.fulfill(body=body, content_type=media)
        else:
            self.asked.append(url)
            route.abort()
