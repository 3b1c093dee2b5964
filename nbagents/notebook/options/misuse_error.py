"""A magic that is misused fails its cell in one line."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from IPython.core.error import UsageError
from traitlets import TraitError

from nbagents.errors import brief
from nbagents.notebook.options.option import MissingNameError, OptionError

if TYPE_CHECKING:
    from collections.abc import Generator


@contextlib.contextmanager
def misuse() -> Generator[None]:
    """Raise what is wrong with a line as IPython does: one line, and the cell fails."""
    try:
        yield
    except (OptionError, TraitError) as error:
        raise UsageError(str(error)) from None
    except MissingNameError as error:
        raise brief(error) from None
