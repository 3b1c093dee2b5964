"""Kernels for the tests of this folder: the installed ipykernel, and, slowly, other releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kernels.front_end import FrontEnd
from tests.kernels.releases import RELEASES, folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(
    params=[
        pytest.param(None, id="installed"),
        *(pytest.param(release, id=release, marks=pytest.mark.slow) for release in RELEASES),
    ]
)
def ipykernel(request: pytest.FixtureRequest) -> Path | None:
    """The folder of a release of ipykernel; none for the installed one."""
    return None if request.param is None else folder_of(request.param)


@pytest.fixture(params=[True, False], ids=["subshell", "no-subshell"])
def with_subshell(request: pytest.FixtureRequest) -> bool:
    """Whether the front end sends widget messages through a subshell."""
    return request.param


@pytest.fixture
def front_end(ipykernel: Path | None, with_subshell: bool, tmp_path: Path) -> Iterator[FrontEnd]:  # noqa: FBT001  a fixture
    """A front end with its kernel."""
    with FrontEnd(ipykernel, state=tmp_path, with_subshell=with_subshell) as front_end:
        yield front_end
