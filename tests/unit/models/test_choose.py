"""Which model answers."""

from __future__ import annotations

import pytest

from nbagents.errors import ModelError
from nbagents.models.chat.model import OpenAIChat
from nbagents.models.choice import choose_model
from nbagents.models.openai.model import DEFAULT_MODEL
from nbagents.models.responses.model import OpenAIResponses

KEY = {"OPENAI_API_KEY": "sk-x"}


@pytest.mark.parametrize(
    ("spec", "configured", "environ", "name"),
    [
        ("a", "b", {"NBAGENTS_MODEL": "c", **KEY}, "a"),
        (None, "b", {"NBAGENTS_MODEL": "c", **KEY}, "b"),
        (None, None, {"NBAGENTS_MODEL": "c", **KEY}, "c"),
        (None, None, KEY, DEFAULT_MODEL),
        ("", "", {"NBAGENTS_MODEL": "", **KEY}, DEFAULT_MODEL),
        (None, None, {}, "offline"),
        (None, None, {"OPENAI_API_KEY": ""}, "offline"),
        ("offline", "b", KEY, "offline"),
        (None, "offline", {"NBAGENTS_MODEL": "c", **KEY}, "offline"),
        (None, None, {"NBAGENTS_MODEL": " offline ", **KEY}, "offline"),
        ("llama", None, {"OPENAI_BASE_URL": "http://localhost:11434/v1"}, "llama"),
    ],
)
def test_the_nearest_wish_wins(
    spec: str | None, configured: str | None, environ: dict[str, str], name: str
) -> None:
    assert choose_model(spec, configured=configured, environ=environ).name == name


def test_a_model_is_taken_as_it_is() -> None:
    model = OpenAIChat("m")
    assert choose_model(model, configured="b", environ=KEY) is model


def test_a_named_model_without_a_key_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The given environment decides, not the process's."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    with pytest.raises(ModelError, match="set OPENAI_API_KEY, or use the offline model"):
        choose_model("a", environ={})


def test_the_default_is_a_chat_model() -> None:
    assert isinstance(choose_model(None, environ=KEY), OpenAIChat)


@pytest.mark.parametrize(
    ("spec", "name"),
    [("responses:a", "a"), ("responses: a ", "a"), ("responses:", DEFAULT_MODEL)],
)
def test_a_prefix_chooses_the_responses_api(spec: str, name: str) -> None:
    for environ in (KEY, {"OPENAI_BASE_URL": "http://localhost:8000/v1"}):
        for hosted in (True, False):
            model = choose_model(spec, environ=environ, hosted=hosted)
            assert isinstance(model, OpenAIResponses)
            assert model.name == name


@pytest.mark.parametrize(
    "base_url",
    ["", "https://api.openai.com/v1", "https://eu.api.openai.com/v1/", " https://api.openai.com"],
)
def test_tools_that_run_at_openai_need_its_responses(base_url: str) -> None:
    environ = {**KEY, "OPENAI_BASE_URL": base_url}
    assert isinstance(choose_model("a", environ=environ, hosted=True), OpenAIResponses)
    assert isinstance(choose_model(None, environ=environ, hosted=True), OpenAIResponses)
    assert isinstance(choose_model("a", environ=environ), OpenAIChat)


@pytest.mark.parametrize(
    "base_url", ["http://localhost:1/v1", "https://api.openai.com.x.org/v1", "https://x.org/v1"]
)
def test_another_server_is_not_guessed_to_have_them(base_url: str) -> None:
    environ = {**KEY, "OPENAI_BASE_URL": base_url}
    assert isinstance(choose_model("a", environ=environ, hosted=True), OpenAIChat)


def test_offline_stays_offline_whatever_the_tools_are() -> None:
    assert choose_model("offline", environ=KEY, hosted=True).name == "offline"
    assert choose_model(None, environ={}, hosted=True).name == "offline"
