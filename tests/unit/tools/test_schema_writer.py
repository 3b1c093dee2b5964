"""The quick writer of schemas writes what pydantic's own does."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict, Field, Json, create_model

from nbagents.tools.schema.schema_writer import SchemaWriter, written_schema

T = TypeVar("T")


class Colour(enum.Enum):
    RED = "red"


class Tree(BaseModel):
    """Holds itself."""

    label: str = Field(description="Its name.", alias="name")
    inner: list[Tree] = []
    colour: Colour | None = None


@dataclasses.dataclass
class Point:
    x: float
    y: float = 1.5
    when: dt.date | None = None


class Given(BaseModel):
    model_config = ConfigDict(json_schema_mode_override="serialization")
    x: Json[int]
    y: int = 1


class Open(BaseModel):
    model_config = ConfigDict(extra="allow", title="Named")
    point: Point


class Box(BaseModel, Generic[T]):
    inner: T


OTHER: Any = create_model("Point", x=(str, ...))

HINTS: list[Any] = [
    *(str, int | None, bool, Literal["a", 1], Colour, Decimal, dt.timedelta, dict[str, int]),
    *(Tree, Point, Given, Open, list[Point], Box[int], Box[Tree], tuple[int, str]),
    Annotated[str, Field(min_length=2, pattern="^a")],
    Annotated[Point | Tree, "either"],
]


@pytest.mark.parametrize("first", HINTS, ids=str)
@pytest.mark.parametrize("second", [Tree, Point, Given, OTHER, Box[str]], ids=str)
def test_what_is_written_quickly_is_what_pydantic_writes(first: Any, second: Any) -> None:
    config = ConfigDict(extra="forbid")
    model = create_model("take", __config__=config, a=(first, ...), b=(second, None))
    quick, _ = written_schema(model)
    whole = model.model_json_schema(schema_generator=SchemaWriter)
    del whole["title"]
    quick.pop("title", None)
    assert list(quick) == list(whole)
    assert repr(quick) == repr(whole)
