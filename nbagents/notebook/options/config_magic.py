"""`%config NbAgents.…` that fails where it is wrong: IPython's own prints a line and goes on."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from traitlets import TraitError

if TYPE_CHECKING:
    from nbagents.notebook.kernel import Shell
    from nbagents.notebook.options.config import NbAgents

OURS = re.compile(r"NbAgents\.(?P<name>\w+)\s*(?:=(?!=)\s*(?P<value>.*))?", re.DOTALL)
ConfigMagic = Callable[[str], Any]  # Any: what a line magic returns


def checked_config(before: ConfigMagic, config: NbAgents, shell: Shell) -> ConfigMagic:
    """`%config`, which sees to the lines that are ours and leaves the others to IPython.

    Args:
        before: IPython's own.
        config: Our settings.
        shell: Whose variables a value may name.
    """

    @functools.wraps(before)
    def config_magic(line: str) -> Any:  # Any: what a line magic returns
        __tracebackhide__ = True
        match = OURS.fullmatch(line.strip())
        if match is None:
            return before(line)
        name, text = match["name"], match["value"]
        try:
            if text is None:
                config.check_name(name)
                return config.value(name)
            value: object = eval(text, shell.user_ns)  # noqa: S307  the person's own expression
            config.say(name, value)
        except TraitError as error:
            raise UsageError(str(error)) from None
        return None

    return config_magic
