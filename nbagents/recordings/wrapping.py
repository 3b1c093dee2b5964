"""Which model a run asks, where a recording may hold for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from nbagents.models.choice import choose_model
from nbagents.recordings.recorded_model import Recorded

if TYPE_CHECKING:
    from nbagents.models.model import Model, Origin
    from nbagents.recordings.frozen_calls import FrozenCalls
    from nbagents.recordings.setting import Setting


def model_of(
    spec: str | Model | None,
    setting: Setting | None,
    *,
    hosted: bool = False,
    is_sent: bool = True,
) -> Model:
    """The model that is asked: where a recording holds, only for what that has not.

    Args:
        spec: A model, or its name; `None`: the one that is asked by default.
        setting: The recording that holds for models that name none.
        hosted: Whether tools run at the provider.
        is_sent: Whether anything will be sent.

    Raises:
        ModelError: The model needs a key, and there is none.
    """
    is_asked = is_sent and (setting is None or setting.asks_first)
    model = choose_model(spec, environ=os.environ, hosted=hosted, is_sent=is_asked)
    return recorded(model, setting, is_named=spec is not None)


def recorded(model: Model, setting: Setting | None, *, is_named: bool) -> Model:
    """A model, recorded as the setting says; as it is, where it has a recording of its own.

    Args:
        model: The model.
        setting: What holds for models that name no recording.
        is_named: Whether the agent names the model: else any recorded one will do.
    """
    if setting is None or isinstance(model, Recorded) or getattr(model, "is_program", False):
        return model
    if setting.leaves_alone(model, is_named=is_named):
        return model
    made = Recorded(
        model,
        setting.recording,
        setting.mode,
        pace=setting.pace,
        frozen_tools=setting.frozen_tools,
    )
    made.is_named = is_named
    return made


def calls_of(model: Model, origin: Callable[[], Origin]) -> FrozenCalls | None:
    """The recorded results of the calls of a run that asks a model; `None`: it is not recorded."""
    return model.calls_of(origin()) if isinstance(model, Recorded) else None
