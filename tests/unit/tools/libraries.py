"""The libraries whose objects tools return; Any, because their own types are not strict."""

from __future__ import annotations

import importlib
from io import BytesIO
from typing import Any

np: Any = importlib.import_module("numpy")
pd: Any = importlib.import_module("pandas")
pl: Any = importlib.import_module("polars")
figures: Any = importlib.import_module("matplotlib.figure")
images: Any = importlib.import_module("PIL.Image")


def cities(rows: int = 3) -> Any:
    """A table whose cells no model may read."""
    return pd.DataFrame({"city": [f"secret {n}" for n in range(rows)], "year": range(rows)})


def figure(title: str = "Sales", **options: Any) -> Any:
    made = figures.Figure(**options)
    axes = made.subplots()
    axes.plot([1, 2])
    axes.set_title(title)
    axes.set_xlabel("month")
    return made


def image(width: int = 3, height: int = 2, mode: str = "RGB") -> Any:
    return images.new(mode, (width, height))


def noise(width: int, height: int) -> Any:
    """What no compression makes small."""
    pixels = np.random.default_rng(0).integers(0, 255, (height, width, 3), dtype="uint8")
    return images.fromarray(pixels)


def written(picture: Any, form: str = "PNG") -> bytes:
    file = BytesIO()
    picture.save(file, format=form)
    return file.getvalue()


def opened(data: bytes) -> Any:
    return images.open(BytesIO(data))
