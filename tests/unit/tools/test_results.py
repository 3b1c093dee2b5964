"""What a tool may return beside text and JSON: tables, arrays, images, files, any object."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from libraries import cities, figure, image, noise, np, opened, pd, pl, written

from nbagents.results import CallResult, FilePart, ImagePart, Payload, Result
from nbagents.tools.call.return_value import result_of
from nbagents.tools.tool.definition import Tool
from nbagents.tools.values.handles import Handles


def example() -> None: ...


class Model:
    """An estimator of somebody's own."""


class Booking:
    def __str__(self) -> str:
        return "Booked 3 nights."


class Basket:
    def __iter__(self) -> Any:
        raise AssertionError("what is inside must not be looked at")

    def __str__(self) -> str:
        raise AssertionError("what is inside must not be printed")


class Query:
    """Like a table that lives in a database."""

    columns = ("city",)

    def __str__(self) -> str:
        return "secret rows"


class Chart:
    """Draws itself in a notebook."""

    def _repr_html_(self) -> str:
        return "<b>chart</b>"


@dataclass
class Page:
    title: str

    def _repr_markdown_(self) -> str:
        return f"# {self.title}"


def told(value: Any, handles: Handles | None = None, **more: Any) -> CallResult:
    return result_of(
        Tool(example), value, handles=Handles() if handles is None else handles, **more
    )


def kinds(result: CallResult) -> list[str]:
    return [one.kind for one in result.payloads]


ROWS = "; its rows are shown to the user, not to you"
DESCRIBED: list[tuple[Any, str, str]] = [
    (cities(), f"DataFrame, 3 rows × 2 columns: city (str), year (int64){ROWS}", "a DataFrame"),
    (pl.DataFrame({"a": [1]}), f"DataFrame, 1 row × 1 column: a (Int64){ROWS}", "a DataFrame"),
    (cities()["year"], f"Series 'year', 3 items (int64){ROWS}", "a Series"),
    (np.zeros((100, 20)), "ndarray, shape (100, 20), float64, 16.0 kB", "an ndarray"),
    (figure(), "Figure, 640 × 480 px: 'Sales' (x: month)", "a Figure"),
    (image(), "Image, 3 × 2 px, RGB", "an Image"),
    (written(image()), f"Image, 3 × 2 px, {len(written(image()))} bytes", "bytes"),
    (Model(), f"Model ({__name__})", "a Model"),
    (Booking(), f"Booking ({__name__}): Booked 3 nights", "a Booking"),
    (Query(), f"Query ({__name__})", "a Query"),
    (Basket(), f"Basket ({__name__})", "a Basket"),
    (Model, "class Model", "a type"),
    (example, "function example() -> 'None'", "a function"),
]


@pytest.mark.parametrize(("value", "words", "noun"), DESCRIBED, ids=lambda one: type(one).__name__)
def test_an_object_is_described_and_kept(value: Any, words: str, noun: str) -> None:
    handles = Handles()
    result = told(value, handles)
    content = result.content.replace(f"class Model ({__name__})", "class Model")
    assert content == f"{words}. Kept as r1: pass 'r1' where a tool takes {noun}."
    assert result.handle == "r1"
    assert result.value is value
    assert handles["r1"] is value


def test_without_handles_an_object_is_described_only() -> None:
    result = result_of(Tool(example), cities())
    assert result.content == f"DataFrame, 3 rows × 2 columns: city (str), year (int64){ROWS}."
    assert result.handle is None


def test_an_object_that_was_shared_keeps_its_name() -> None:
    table = cities()
    result = told(table, Handles({"df": table}))
    assert result.handle == "df"
    assert "pass 'df' where a tool takes a DataFrame" in result.content


def test_no_cell_of_a_table_reaches_the_model_wherever_the_table_is() -> None:
    table = cities()

    @dataclass
    class Report:
        table: Any

    for value in (table, [table], (table, "text"), {"t": table}, Report(table), [{"t": [table]}]):
        result = told(value)
        assert "secret" not in result.content
        assert "DataFrame, 3 rows" in result.content
        assert kinds(result) == ["table"]


def test_small_arrays_are_written_out_and_numbers_are_numbers() -> None:
    assert told(np.array([[1, 2], [3, 4]])).content == "[[1,2],[3,4]]"
    assert told(np.float64(1.5)).content == "1.5"
    assert told(np.int64(3)).content == "3"
    assert told({"mean": np.float32(0.5)}).content == '{"mean":0.5}'
    assert told(pd.Timestamp("2026-01-02")).content == '"2026-01-02T00:00:00"'


def test_a_table_is_a_table_for_the_person() -> None:
    (payload,) = told(cities(100)).payloads
    value: Any = payload.value
    assert (payload.kind, value["total"], len(value["rows"])) == ("table", 100, 50)
    assert value["rows"][1] == [1, "secret 1", 1]


def test_a_figure_is_an_image_for_both() -> None:
    result = told(figure())
    (part,) = result.parts
    assert isinstance(part, ImagePart)
    assert part.media_type == "image/png"
    assert part.data is not None
    assert opened(part.data).size[0] > 500
    assert kinds(result) == ["image"]
    value: Any = result.payloads[0].value
    assert value["alt"] == "Figure, 640 × 480 px: 'Sales' (x: month)"


def test_axes_are_their_figure() -> None:
    drawn = figure()
    assert told(drawn.axes[0]).parts == told(drawn).parts


@pytest.mark.medium
def test_an_image_that_is_too_large_is_made_smaller_and_kept_whole() -> None:
    picture = noise(2000, 1000)
    for value in (picture, written(picture)):
        result = told(value)
        (part,) = result.parts
        assert isinstance(part, ImagePart)
        assert part.data is not None
        assert opened(part.data).size == (1568, 784)
        assert len(part.data) <= 1_000_000
        assert result.value is value


def test_text_and_images_keep_their_order() -> None:
    first, second = written(image(3, 3)), written(image(4, 4))
    handles = Handles()
    result = told(["before", first, {"n": 1}, ImagePart(data=second)], handles)
    assert [one.data for one in result.parts if isinstance(one, ImagePart)] == [first, second]
    lines = result.content.split("\n")
    assert (lines[0], lines[2]) == ("before", '{"n":1}')
    assert list(handles) == ["r1"]
    assert result.handle is None
    assert kinds(result) == ["image", "image"]


def test_an_image_inside_of_json_is_shown_too() -> None:
    result = told({"caption": "Sales", "figure": figure()})
    assert json.loads(result.content)["figure"].startswith("Figure, 640 × 480 px")
    assert len(result.parts) == 1


def test_of_many_images_the_first_are_told_and_the_rest_counted() -> None:
    result = told([image() for _ in range(60)])
    assert len(result.parts) == len(result.payloads) == 20
    assert result.content.endswith("\n[10 more are left out.]")


def test_of_many_parts_only_so_many_are_sent() -> None:
    assert len(told([ImagePart(url="https://example.org/a.png")] * 30).parts) == 20


def test_an_iterator_among_images_is_read_too() -> None:
    assert told([image(), iter([1, 2])]).content.endswith("\n[1,2]")


def test_an_object_says_no_more_than_a_few_words_of_its_own() -> None:
    class Talker:
        def __str__(self) -> str:
            return "word\n" * 1_000

    content = told(Talker()).content
    assert "word word" in content
    assert len(content) < 700


def test_bytes_that_only_begin_like_an_image_are_no_image() -> None:
    for start in (b"\x89PNG\r\n\x1a\n\xff", b"\xff\xd8\xff\xe0\x00\x10", b"GIF89a\xff"):
        assert told(start).parts == ()


def test_a_lazy_async_generator_is_not_run() -> None:
    async def endless() -> Any:
        while True:
            yield 1

    assert told(endless()).content.startswith("async_generator. Kept as r1")


def test_parts_go_to_the_model_as_they_are() -> None:
    far = ImagePart(url="https://example.org/a.png")
    paper = FilePart(name="a.pdf", media_type="application/pdf", data=b"%PDF")
    result = told([far, paper])
    assert result.parts == (far, paper)
    kept = "Kept as r1: pass 'r1' where a tool takes a FilePart."
    assert result.content == f"Image.\nFile 'a.pdf', application/pdf, 4 bytes. {kept}"
    assert kinds(result) == ["mime", "file"]
    assert result.handle is None


def test_of_a_path_nobody_is_told_more_than_name_type_and_size(tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text("a,b\n")
    result = told(path)
    kept = "Kept as r1: pass 'r1' where a tool takes a Path."
    assert (result.content, result.handle) == (f"File 'report.csv', 4 bytes. {kept}", "r1")
    assert result.payloads == (
        Payload(kind="file", value={"name": "report.csv", "media_type": "text/csv", "size": 4}),
    )
    assert result.parts == ()


def test_a_path_to_an_image_shows_the_image(tmp_path: Path) -> None:
    path = tmp_path / "plot.png"
    path.write_bytes(written(image()))
    result = told(path)
    assert kinds(result) == ["image"]
    assert [one.data for one in result.parts if isinstance(one, ImagePart)] == [path.read_bytes()]


def test_a_path_to_nothing_and_a_list_of_paths_are_text(tmp_path: Path) -> None:
    assert told(Path("nowhere.csv")).content == '"nowhere.csv"'
    assert told(tmp_path).content == json.dumps(str(tmp_path))
    assert told([Path(__file__)]).content == json.dumps([__file__])
    assert told(Path("x" * 5_000)).payloads == ()


def test_what_draws_itself_is_shown_as_it_does() -> None:
    chart = told(Chart())
    assert chart.content.startswith(f"Chart ({__name__}). Kept as r1")
    assert kinds(chart) == ["mime"]
    page = told(Page("Title"))
    assert (page.content, page.handle, kinds(page)) == ('{"title":"Title"}', None, ["mime"])


def test_binary_data_is_counted_and_kept() -> None:
    result = told(b"\xff\x00")
    assert result.content == (
        "(2 bytes of binary data) Kept as r1: pass 'r1' where a tool takes bytes."
    )
    assert told(b"text").handle is None


def test_an_open_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("secret")
    with path.open() as file:
        assert "secret" not in told(file).content
        assert file.read() == "secret"


def test_the_content_of_a_result_may_be_any_of_these() -> None:
    result = told(Result(figure(), preview="a figure"))
    assert result.handle == "r1"
    assert (len(result.parts), kinds(result), result.preview) == (1, ["image"], "a figure")


def test_data_may_be_any_of_these_and_then_is_what_the_person_sees(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("text")
    for data, kind in (
        (cities(), "table"),
        (figure(), "image"),
        (written(image()), "image"),
        (path, "file"),
        (Chart(), "mime"),
    ):
        result = told(Result("words", data))
        assert (result.content, kinds(result), result.parts) == ("words", [kind], ())
        assert result.data is data
    assert kinds(told(Result(cities(), {"kind": "map"}))) == ["map"]
    assert kinds(told(Result("x", [cities(), Payload(kind="a"), image()]))) == [
        "table",
        "a",
        "image",
    ]


def test_only_so_many_objects_of_one_result_are_kept() -> None:
    handles = Handles()
    told({str(n): cities() for n in range(30)}, handles)
    assert len(handles) == 20


@pytest.mark.parametrize("value", ["x" * 200, ["x" * 200]], ids=["text", "list"])
def test_what_is_too_long_is_cut_and_kept(value: Any) -> None:
    handles = Handles()
    result = told(value, handles, max_content=100)
    assert result.content.endswith(
        "are missing. All is kept as r1, for tools that take a handle. Ask for less at once.]"
    )
    assert (result.handle, handles["r1"]) == ("r1", value)
    assert result.bounds is not None
    assert result.bounds.truncated


def test_data_that_is_too_large_is_cut_for_the_log_and_kept_for_the_person() -> None:
    data = {"kind": "points", "points": "x" * 300_000}
    result = told(Result("done", data))
    (payload,) = result.payloads
    value: Any = payload.value
    assert payload.kind == "cut"
    assert (value["of"], value["note"]) == ("points", "298.0 kB of 300.0 kB left out")
    assert value["head"].startswith('{"points":"xxx')
    assert value["size_bytes"] == 300_013
    assert result.data is data


def test_a_payload_that_is_too_large_keeps_its_audience() -> None:
    payload = Payload(kind="a", version=2, audience="internal", value="x" * 300_000)
    (cut,) = told(Result("done", [payload])).payloads
    assert (cut.kind, cut.version, cut.audience) == ("cut", 2, "internal")


@pytest.mark.medium
def test_fifty_megabytes_leave_a_hundred_kilobytes() -> None:
    rows = [{"id": n, "name": f"name {n}", "x": n * 1.5} for n in range(1_040_000)]
    for result in (told(rows), told(Result("done", {"kind": "rows", "rows": rows}))):
        assert len(result.content) < 101_000
        assert sum(len(str(one.value)) for one in result.payloads) < 10_000
