"""Runs that go on, wait for somebody, or ended otherwise than well."""

from __future__ import annotations

from typing import Any

from tests.browser.states.story import Json, Story, refusal

__all__ = [
    "approval",
    "cancelled",
    "choice",
    "consented",
    "failed",
    "form",
    "limited",
    "one_call",
    "seen",
    "streaming",
    "suspended",
    "unknown",
]

LONG: Json = {
    "path": "/srv/archive/2025/measurements/north/very/long/path/of/a/file-that-goes-on.parquet",
    "older_than_days": 365,
    "reason": "The disk is full, and what is older than a year has been copied to the tape "
    "library; nobody has read any of it since the spring, says the log of the last six months.",
    "keep": ["index.json", "README.md"],
    "dry_run": False,
}


def one_call() -> list[Json]:
    """The smallest run: one call."""
    story = Story().begin("How warm is it in Oslo?").at(0.4)
    story.call("oslo", "weather", "9 °C", city="Oslo").at(1.6)
    return story.answers("It is 9 °C in Oslo.").written


def streaming() -> list[Json]:
    """A run whose call prints and goes on, and whose answer grows."""
    story = Story().begin("Train it, and tell me while you do.", "trainer").at(0.5)
    story.call("load", "load_data", "60,000 rows", name="mnist")
    story.starts("fit", "train", {"epochs": 40, "rate": 0.001}).at(3.0)
    about = story.of("fit", "train")
    lines = "".join(f"epoch {epoch:>2}: loss {1 / epoch:.3f}\n" for epoch in range(1, 18))
    story.tell("tool_output_delta", **about, stream="stdout", text=lines)
    story.tell("tool_update", **about, message="epoch 17 of 40", fraction=0.425)
    story.step = 2
    text = "So far the loss fell from 1.000 to 0.059, and it is still"
    return story.tell("assistant_delta", step=2, text=text).at(7.5).written


def asking(prompt: str, name: str, arguments: Json) -> Story:
    """A run that is about to ask, in a call."""
    story = Story().begin(prompt, "clerk").at(0.7).used()
    return story.starts("ask", name, arguments)


def approval() -> list[Json]:
    """A call with long arguments that waits for consent."""
    story = asking("Make room on the disk.", "delete_files", LONG)
    asked = {"title": "delete_files", "prompt": "It deletes files.", "arguments": LONG}
    schema = {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "older_than_days": {"type": "integer", "default": 365},
            "reason": {"type": "string"},
            "keep": {"type": "array", "items": {"type": "string"}},
            "dry_run": {"type": "boolean"},
        },
    }
    about = story.of("ask", "delete_files")
    told: dict[str, Any] = {**about, **asked, "defaults": ("older_than_days",), "form": schema}
    return story.tell("await_confirmation", await_id="ask", **told).written


def form() -> list[Json]:
    """A call that lacks values, which you are asked for in a form."""
    story = asking("Book me a train.", "book", {"seats": 2})
    fields = {
        "day": {"type": "string", "format": "date"},
        "city": {"type": "string", "description": "Where to"},
        "quiet": {"type": "boolean", "default": False},
        "class": {"type": "string", "enum": ["first", "second"]},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    }
    asked = {"type": "object", "properties": fields, "required": ["day", "city"]}
    told = {"question": "When, and where to?", "missing_fields": ["day", "city"], "form": asked}
    about = story.of("ask", "book")
    return story.tell(
        "await_clarification", await_id="ask", given={"seats": 2}, **told, **about
    ).written


def choice() -> list[Json]:
    """Questions with few answers, which are buttons, and with many."""
    story = asking("Book a seat.", "book_seat", {"train": "IC 512"})
    seats = [{"label": "window", "description": "to look out"}, {"label": "aisle"}]
    extras = [{"label": one} for one in ("bike", "meal", "power", "table", "quiet")]
    questions: list[Json] = [
        {"id": "sure", "text": "Book it now?", "options": [{"label": "yes"}, {"label": "no"}]},
        {"id": "seat", "text": "Window or aisle?", "options": seats},
        {"id": "extras", "text": "What else?", "options": extras, "multiple": True},
        {"id": "name", "text": "In which name?", "free_text": True},
    ]
    about = story.of("ask", "book_seat")
    asked = {"await_id": "ask", "title": "book_seat", "questions": questions}
    return story.tell("await_questions", **asked, **about).written


def suspended() -> list[Json]:
    """A run that waits for others, beyond this kernel."""
    story = asking("Have the contract signed.", "sign", {"contract": "C-2041"})
    outside = [{"id": "ask", "name": "sign", "arguments": '{"contract": "C-2041"}'}]
    story.tell("await_external_tools", await_id="ask", calls=outside)
    return story.at(1.4).ends("suspended").written


def failed() -> list[Json]:
    """A run that the provider ended."""
    story = Story().begin("Summarise the report.").at(0.4)
    story.call("read", "read_report", "12 pages", name="q3.pdf").at(2.2)
    said = "The provider answered 429: too many requests."
    return story.ends("failed", failure=refusal(said, kind="rate_limited")).written


def limited() -> list[Json]:
    """A run that came to its limit of steps."""
    limits = {"max_steps": 3, "max_calls": 4, "max_tokens": 8000}
    story = Story().begin("Find the best route.", "router", limits=limits).at(0.4)
    for step in range(1, 4):
        story.step = step
        story.used().call(f"try-{step}", "try_route", f"{40 - step} min", via=f"junction {step}")
    return story.at(4.8).ends("limit").written


def cancelled() -> list[Json]:
    """A run that was stopped in mid-call."""
    story = Story().begin("Download all of it.").at(0.4)
    story.starts("get", "download", {"name": "archive.tar", "parts": 12}).at(3.0)
    story.gave("get", "download", "", status="cancelled", duration_ms=2600.0)
    story.starts("unpack", "unpack", {"name": "archive.tar"})
    story.gave("unpack", "unpack", "", status="skipped", duration_ms=0.0)
    return story.ends("cancelled").written


def unknown() -> list[Json]:
    """A run whose kernel died."""
    story = Story().begin("Count the stars.").at(0.4)
    story.call("north", "count_stars", "3,102", half="north")
    return story.starts("south", "count_stars", {"half": "south"}).at(2.0).written


def consented() -> list[Json]:
    """Calls that were edited before they were allowed, denied, or ran under a standing consent."""
    story = Story().begin("Tidy up the three folders.", "clerk", approval="ask").at(0.4)
    for at, (folder, how) in enumerate(
        (("logs", {"edited": True}), ("mail", {"approved": False}), ("tmp", {"under_grant": True}))
    ):
        call_id = f"{folder}-{at}"
        arguments = {"folder": folder, "older_than_days": 365}
        story.starts(call_id, "delete_files", arguments)
        by = {"approved": True, "approved_by": "you", "summary": ""}
        kept = {"arguments": {**arguments, "older_than_days": 30}} if "edited" in how else {}
        about = story.of(call_id, "delete_files")
        story.tell("tool_authorization", **about, **{**by, **how, **kept}).at(story.now_s + 0.7)
        is_denied = how.get("approved") is False
        said = "You denied this call." if is_denied else "14 files deleted"
        status = "denied" if is_denied else "done"
        story.at(story.now_s + 0.8).gave(call_id, "delete_files", said, status=status)
    return story.answers("Logs and tmp are tidy; mail was left as it is.").written


def seen() -> list[Json]:
    """A run of which is kept what its model was told, step by step."""
    weather = {"type": "object", "properties": {"city": {"type": "string"}}}
    schema = {"name": "weather", "description": "Look up the weather.", "parameters": weather}
    system = {"role": "system", "text": "You are a guide. Be brief."}
    user = {"role": "user", "text": "How warm is it in Oslo?"}
    asked = {"id": "oslo", "name": "weather", "arguments": '{"city": "Oslo"}'}
    turn = {"role": "assistant", "text": "", "calls": [asked]}
    result = {"role": "tool", "text": "9 °C, wind from the west", "call_id": "oslo"}
    story = Story().begin(user["text"]).at(0.3)
    told = {"tools": ("weather",), "schemas": [schema]}
    story.tell("prompt_rendered", step=1, message_count=2, messages=[system, user], **told)
    story.call("oslo", "weather", result["text"], city="Oslo")
    messages = [system, user, turn, result]
    story.step = 2
    story.tell("prompt_rendered", step=2, message_count=4, messages=messages, tools=("weather",))
    story.step = 1
    return story.at(1.9).answers("It is 9 °C in Oslo.").written
