"""What may be told of an object."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

import pytest
from libraries import cities, figure, image, np, pd, pl, written
from pydantic import BaseModel

from nbagents.results import FilePart, ImagePart
from nbagents.tools.values.amounts import size
from nbagents.tools.values.summaries import summary, type_name, with_article


@dataclasses.dataclass
class Spot:
    lon: float
    lat: float


class Hotel(BaseModel):
    name: str


class Broken:
    @property
    def shape(self) -> Any:
        raise RuntimeError("secret")

    def __len__(self) -> int:
        raise RuntimeError("secret")


class Bag:
    def __len__(self) -> int:
        return 2


LINES: list[tuple[Any, str]] = [
    (cities(), "DataFrame, 3 rows × 2 columns: city (str), year (int64)"),
    (pd.DataFrame(), "DataFrame, 0 rows × 0 columns"),
    (pl.DataFrame({"a": [1.5]}), "DataFrame, 1 row × 1 column: a (Float64)"),
    (pl.Series("n", [1, 2]), "Series 'n', 2 items (Int64)"),
    (pd.Series([1]), "Series, 1 item (int64)"),
    (np.zeros(3), "ndarray, shape (3,), float64, 24 bytes"),
    (np.zeros((1000, 3000)), "ndarray, shape (1000, 3000), float64, 24.0 MB"),
    (figure(figsize=(3, 2)), "Figure, 300 × 200 px: 'Sales' (x: month)"),
    (image(mode="L"), "Image, 3 × 2 px, L"),
    (ImagePart(url="https://example.org/a.png"), "Image"),
    (ImagePart(data=written(image(5, 6), "GIF")), "Image, 5 × 6 px, 5"),
    (FilePart(name="a.pdf", media_type="application/pdf"), "File 'a.pdf', application/pdf"),
    ("secret", "str, 6 characters"),
    (b"secret", "bytes, 6 bytes"),
    (["secret"], "list of str, 1 item"),
    ([1, "a"], "list, 2 items"),
    ((), "tuple, 0 items"),
    ({"secret": 1}, "dict, 1 item"),
    ({1.5}, "set of float, 1 item"),
    (Spot(1, 2), f"Spot ({__name__}): lon, lat"),
    (Hotel(name="secret"), f"Hotel ({__name__}): name"),
    (Hotel, f"class Hotel ({__name__})"),
    (json, "module json"),
    (json.dumps.__get__(1), "function dumps(*, skipkeys=False"),
    (len, "function len(obj, /)"),
    (iter, "function iter(…)"),
    (dict.fromkeys, "function fromkeys(iterable, value=None, /)"),
    (Broken(), "Broken"),
    (Bag(), f"Bag ({__name__}), 2 items"),
    (3, "int"),
    (None, "NoneType"),
]


@pytest.mark.parametrize(("value", "line"), LINES, ids=lambda one: type(one).__name__)
def test_an_object_in_one_line(value: Any, line: str) -> None:
    assert summary(value).startswith(line)
    assert "secret" not in summary(value)


def test_of_many_columns_the_first_are_named() -> None:
    wide = pd.DataFrame({f"c{n}": [1] for n in range(42)})
    assert summary(wide).startswith("DataFrame, 1 row × 42 columns: c0 (int64), ")
    assert summary(wide).endswith("c11 (int64) and 30 more")


def test_a_summary_is_one_line_of_bounded_length() -> None:
    table = pd.DataFrame({f"two\nlines {'x' * 500} {n}": [1] for n in range(20)})
    assert "\n" not in summary(table)
    assert len(summary(table)) <= 1_000
    assert len(summary(dataclasses.make_dataclass("Wide", ["x" * 300, "y" * 900])(1, 2))) == 1_000


def test_without_matplotlib_there_are_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = figure()
    monkeypatch.delitem(sys.modules, "matplotlib.figure")
    assert summary(drawn) == "Figure (matplotlib.figure)"


def test_an_object_that_answers_to_every_name_is_just_an_object() -> None:
    class Anything:
        def __getattr__(self, name: str) -> Any:
            return Anything()

    assert summary(Anything()) == f"Anything ({__name__})"


def test_the_type_as_a_person_says_it() -> None:
    given: list[Any] = [cities(), [{}], [], {1, "a"}, 1]
    assert [type_name(one) for one in given] == ["DataFrame", "list of dict", "list", "set", "int"]


def test_words() -> None:
    nouns = ("DataFrame", "ndarray", "Image", "bytes")
    assert [with_article(one) for one in nouns] == [
        "a DataFrame",
        "an ndarray",
        "an Image",
        "bytes",
    ]
    sizes = (1, 999, 1_500, 2_000_000, 3_100_000_000)
    assert [size(one) for one in sizes] == [
        "1 byte",
        "999 bytes",
        "1.5 kB",
        "2.0 MB",
        "3.1 GB",
    ]
