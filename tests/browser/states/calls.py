"""Calls in every state, and many of them: neighbours, nested, parallel."""

from __future__ import annotations

from tests.browser.states.story import Json, Story, refusal

__all__ = ["all_failed", "many", "nested", "parallel", "ten_states", "three_towns"]

TOWNS = ("Oslo", "Paris", "Rome")
TRACEBACK = """Traceback (most recent call last):
  Cell In[4], line 3, in forecast(city, days)
ConnectionError: The service answered 503."""


def ten_states() -> list[Json]:
    """A run that goes on, with a call in each state."""
    story = Story().begin("How warm is it, and where?", chat="weather")
    story.tell("tool_args_delta", **story.of("preparing", "forecast_preparing"), text='{"city": ')
    about: Json = {"city": "Oslo", "days": 3}
    story.starts("running", "forecast_running", about).at(1.2)
    told = {"message": "3 of 7 rows", "fraction": 0.43}
    story.tell("tool_update", **story.of("running", "forecast_running"), **told)
    for state in ("done", "failed", "denied", "cancelled", "timed_out", "skipped", "unknown"):
        came_to_nothing(story.starts(state, f"forecast_{state}", about), state)
    story.starts("waiting", "forecast_waiting", about)
    asked = {"await_id": "ask", "title": "forecast_waiting", "prompt": "", "arguments": about}
    story.tell("await_confirmation", **story.of("waiting", "forecast_waiting"), **asked)
    return story.written


def came_to_nothing(story: Story, state: str) -> None:
    """End a call in that state."""
    failures = {
        "failed": refusal("The service answered 503.", kind="internal", debug_message=TRACEBACK),
        "timed_out": refusal("It took longer than 2 s.", kind="timeout"),
    }
    said = {"failed": "The service answered 503.", "timed_out": "It took longer than 2 s."}
    content = said.get(state, "9 °C, wind from the west" if state == "done" else "")
    failure = failures.get(state)
    story.at(story.now_s + 0.8).gave(
        state, f"forecast_{state}", content, status=state, failure=failure
    )


def three_towns() -> list[Json]:
    """The everyday run: neighbouring calls of one tool, and an answer."""
    story = Story().begin("How warm is it in Oslo, Paris and Rome?").at(0.6)
    story.used().says("I look each of them up.")
    for town, warm in zip(TOWNS, ("9 °C", "14 °C", "19 °C"), strict=True):
        story.call(town, "weather", warm, city=town)
    story.at(4.2).answers("**Rome** is warmest, with 19 °C; Paris has 14 °C and Oslo 9 °C.")
    return story.written


def all_failed() -> list[Json]:
    """A run whose calls all failed, and that answered nevertheless."""
    story = Story().begin("What do the three shops ask for a kettle?", "buyer").at(0.5)
    for town in TOWNS:
        story.starts(town, "price_of", {"item": "kettle", "shop": town}).at(story.now_s + 0.3)
        failure = refusal("The shop's service is down.", kind="internal", debug_message=TRACEBACK)
        said = {"status": "failed", "failure": failure, "duration_ms": 300.0}
        story.gave(town, "price_of", "The shop's service is down.", **said)
    story.at(2.0).answers("I could not reach any of the shops.")
    return story.written


def parallel() -> list[Json]:
    """Calls beside each other, one of which waited for you."""
    story = Story().begin("Plan two days in Lisbon.", "planner").at(0.4).used()
    story.starts("hotels", "find_hotels", {"city": "Lisbon", "nights": 2})
    story.starts("trains", "find_trains", {"to": "Lisbon", "day": "2026-05-02"}).at(0.5)
    story.starts("book", "book_table", {"place": "Ponto Final", "seats": 2})
    about = story.of("book", "book_table")
    asked = {"title": "book_table", "prompt": "", "arguments": {"place": "Ponto Final"}}
    story.tell("await_confirmation", **about, await_id="ask", **asked).at(1.9)
    story.gave("hotels", "find_hotels", "12 hotels", duration_ms=1500.0).at(3.6)
    yes = {"outcome": "answered", "answer": True, "answered_by": "you"}
    story.tell("await_resolved", await_id="ask", **yes)
    story.tell("tool_authorization", **about, approved=True, approved_by="you", summary="")
    story.at(4.1).gave("book", "book_table", "Booked for 20:00.", duration_ms=500.0)
    story.at(4.6).gave("trains", "find_trains", "7 trains", duration_ms=4200.0)
    story.at(5.0).call("pay", "hold_room", "Held until noon.", hotel="Lisboa Plaza", nights=2)
    story.at(6.4).answers("Two nights at Lisboa Plaza, and a table at eight.")
    return story.written


def nested() -> list[Json]:
    """Agents inside agents, six deep."""
    story = Story().begin("What does the house cost?", "agency").at(0.2)
    go_down(story, ["valuer", "surveyor", "economist", "statistician", "librarian"])
    story.at(6.5).answers("4.6 million kroner.")
    return story.written


def go_down(story: Story, agents: list[str]) -> None:
    """Ask the next agent, who asks the next one."""
    if not agents:
        story.call("index", "look_up_index", "118.4", region="Vestland", year=2021)
        return
    name, *others = agents
    story.starts(name, name, {"prompt": f"Ask the {name}."}).at(story.now_s + 0.3)
    inner = story.inside(name, name, name, f"What does the {name} know of it?")
    go_down(inner, others)
    inner.at(inner.now_s + 0.3).answers(f"The {name} says 118.4.")
    story.at(inner.now_s + 0.1)
    story.gave(name, name, f"The {name} says 118.4.", duration_ms=900.0)


def many() -> list[Json]:
    """Two hundred calls in ten steps, one of which failed."""
    story = Story().begin("Check the certificates of all hosts.", "watch")
    for at in range(200):
        story.step = 1 + at // 20
        name, host = ("check_host", {"host": f"node-{at:03}"})
        story.starts(str(at), name, host).at(story.now_s + 0.05)
        if at == 67:
            failure = refusal("Its certificate expired on 3 May.")
            said = {"status": "failed", "failure": failure, "duration_ms": 50.0}
            story.gave(str(at), name, "Its certificate expired on 3 May.", **said)
        else:
            story.gave(str(at), name, "valid", duration_ms=50.0)
    story.answers("199 certificates are valid; that of node-067 expired on 3 May.")
    return story.written
