"""What calls show, and answers with all that Markdown has."""

from __future__ import annotations

import math
from typing import Any

from nbagents_widgets.map_state.state import MapState, Pin

from nbagents import ui
from tests.browser.states.story import Json, Story, payload

__all__ = ["answer", "chart", "image", "json_answer", "leftward", "map_run", "other_forms", "table"]

ANSWER = r"""## Oslo in May

It is **9 °C** in Oslo, as [the report](https://a.example/report) says; `r1` holds all of it. The
mean is $\bar{x} = \frac{1}{n}\sum_i x_i$, and this is a word
that_is_so_long_that_it_has_to_break_somewhere_or_it_leaves_the_page_on_its_right_side_and_goes_on.

- [x] warm
- [ ] dry

| day | temperature_c | what it was like | wind |
|-----|--------------:|:-----------------|------|
| Mon | 9.0 | rain from the west, and in the evening sun between the clouds | strong |
| Tue | 12.5 | dry | weak |

```python
def mean(values: list[float]) -> float:
    "The mean of some values."
    return sum(values) / len(values)  # of all of them
```

1. Take an umbrella.
2. Come back in June.

> It was colder last year.
"""
HEBREW = """**אוסלו** קרה היום: 9 °C.

The second paragraph is English, with a word like שלום in it.

- רומא חמה יותר
- פריז באמצע
"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120" viewBox="0 0 240 120">
<rect width="240" height="120" fill="#cfe3f7"/><circle cx="70" cy="60" r="40" fill="#1565c0"/>
<rect x="140" y="30" width="70" height="60" fill="#c62828"/></svg>"""


def shows(prompt: str, name: str, content: str, *given: Json, **arguments: Any) -> list[Json]:
    """A run whose only call shows something."""
    story = Story().begin(prompt).at(0.3)
    story.starts("show", name, arguments).gives("show", name, *given).at(1.1)
    story.gave("show", name, content).at(2.0)
    return story.answers("It stands above.").written


def table() -> list[Json]:
    """The first rows of a table."""
    columns = ["index", "station", "temperature_c", "wind_m_s", "seen"]
    rows = [
        [at, f"station-{at:03}", round(9 + 4 * math.sin(at), 1), at % 7, at % 3 == 0]
        for at in range(24)
    ]
    dtypes = ["index", "str", "float64", "int64", "bool"]
    value: Json = {"columns": columns, "dtypes": dtypes, "rows": rows, "total": len(rows)}
    said = "24 rows × 4 columns"
    return shows("Show me the stations.", "stations", said, payload("table", value), north_of=60)


def chart() -> list[Json]:
    """A chart of two lines."""
    values = [
        {"day": day, "temperature": round(9 + 5 * math.sin(day / 3 + at), 2), "town": town}
        for at, town in enumerate(("Oslo", "Rome"))
        for day in range(1, 15)
    ]
    spec: Json = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": "Two weeks in May",
        "data": {"values": values},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "day", "type": "quantitative"},
            "y": {"field": "temperature", "type": "quantitative"},
            "color": {"field": "town", "type": "nominal"},
        },
        "width": 320,
        "height": 160,
    }
    given = payload("chart", {"spec": spec, "alt": "Two lines", "title": "Two weeks in May"})
    return shows("Draw both towns.", "draw", "A chart of 28 values", given, towns=["Oslo", "Rome"])


def map_run() -> list[Json]:
    """A map with pins and a line."""
    pins = [Pin(lon=10.75, lat=59.91, label="Oslo"), Pin(lon=18.07, lat=59.33, label="Stockholm")]
    state = MapState().centred(14.5, 60.5, 5).pinned(*pins)
    given = payload("map", {**state.payload(), "title": "Two capitals"})
    return shows("Show me both capitals.", "show_map", "2 pins", given, zoom=5)


def image() -> list[Json]:
    """A picture with its description."""
    given = ui.image(SVG, alt="A blue disc and a red square").model_dump(mode="json")
    return shows("Draw something.", "draw_picture", "A picture", given, size="240 × 120")


def other_forms() -> list[Json]:
    """Code, a log, a difference, progress and a file."""
    log: list[Any] = [
        "connected",
        {"level": "warning", "text": "slow"},
        {"level": "error", "text": "gone"},
    ]
    given = [
        ui.code("def area(r):\n    return 3.14159 * r ** 2\n", "python", filename="area.py"),
        ui.log(log),
        ui.diff("a = 1\nb = 2\n", "a = 1\nb = 3\nc = 4\n", name="settings.py"),
        ui.progress(3, 7, label="towns"),
        ui.json({"town": "Oslo", "days": [9, 12.5, None], "wet": True, "of": {"lat": 59.91}}),
        ui.file(b"day,c\n1,9\n", "days.csv", media_type="text/csv"),
    ]
    dumped = [one.model_dump(mode="json") for one in given]
    return shows("Show me all forms.", "show_all", "6 pieces", *dumped)


def answer() -> list[Json]:
    """An answer in Markdown with maths, code, a table and tasks, and its sources."""
    story = Story().begin("What is it like in Oslo in May? Answer at length.").at(0.4)
    story.call("oslo", "weather", "9 °C", city="Oslo", month="May").at(3.0)
    source = {"url": "https://a.example/report", "title": "The report", "start": 33, "end": 43}
    return story.answers(ANSWER, citations=[source]).written


def json_answer() -> list[Json]:
    """An answer that is JSON."""
    story = Story().begin("Give me the towns as JSON.").at(0.4)
    text = """{"towns": [{"name": "Oslo", "warm": 9, "coast": true},
 {"name": "Rome", "warm": 19, "coast": false}], "asked_at": "2026-01-01", "source": null}"""
    return story.answers(text).written


def leftward() -> list[Json]:
    """A question and an answer in Hebrew, with English beside it."""
    story = Story().begin("מה מזג האוויר באוסלו, ומה ברומא?").at(0.4)
    story.call("oslo", "weather", "קר, 9 °C", city="אוסלו").at(1.6)
    return story.answers(HEBREW).written
