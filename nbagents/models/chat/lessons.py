"""What a model's refusals teach about how it wants to be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from pydantic import JsonValue

from nbagents.models.openai import refused_function, schema_note

REFUSED = (400, 422)

NO_IMAGES = re.compile(
    r"image_url.{0,40}only supported by certain models"
    r"|unknown variant .?image_url"
    r"|(not|n't) support (the )?(image|vision|multi-?modal)"
    r"|image (input|content)s? (is|are) not (supported|enabled)"
    r"|no endpoints found that support image"
    r"|not a (multi-?modal|vision) model"
    r"|content(\W+\w+)? must be a string"
)
"""Source: the errors of OpenAI, DeepSeek, Ollama, llama.cpp, OpenRouter, vLLM and Groq."""

IMAGE_ITSELF = re.compile(
    r"image_url\W{0,3}\.url|invalid image|unsupported image|format|download|base64|fetch|too large"
)
"""What is said of one image, not of images: then it is no lesson."""

NO_FILES = re.compile(
    r"unknown variant .?file\b"
    r"|(not|n't) support (the )?(file|pdf|document)"
    r"|(invalid|unsupported|unknown) (content )?(part )?type\W+file\b"
    r"|(file|pdf)( input| content)?s? (is|are) not (supported|enabled)"
    r"|content(\W+\w+)? must be a string"
)

NO_STRICT = re.compile(
    r"(unknown|unsupported|unrecogni[sz]ed|unexpected|extra|not permitted).{0,60}\bstrict\b"
    r"|\bstrict\b.{0,60}(not (permitted|supported|allowed)|unknown|unsupported|unexpected|extra)",
    re.DOTALL,
)

SYSTEM_FIRST = re.compile(r"system (message|role|prompt).{0,40}(at the beginning|first)")
"""Source: templates of Qwen's models, as llama.cpp and vLLM tell of them (also with status 500)."""

ALTERNATE = re.compile(r"unexpected role .?user.? after role .?(tool|user)|roles must alternate")
"""Source: Mistral's API, and templates of Gemma's and Mistral's models."""

Output: TypeAlias = Literal["schema", "object", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """All that was learned of a model at a base URL."""

    options: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Sent in place of ours; `None`: not sent."""
    images: bool = True
    files: bool = True
    strict: bool = True
    """Whether it may be told that a schema is strict."""
    loose: frozenset[str] = frozenset()
    """The schemas that are refused as strict ones, each by its mark."""
    system_first: bool = False
    """Whether a system message may stand first only."""
    alternates: bool = False
    """Whether a user may speak only after the assistant has."""
    forbids: bool = True
    """Whether it can be told to call nothing, while the tools stay in the request."""
    output: Output = "schema"
    """How the form of the answer is asked for: by schema, as any object, or in words only."""

    def with_option(self, name: str, value: JsonValue) -> Lessons:
        """The same, and one option more."""
        return replace(self, options={**self.options, name: value})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was sent, as far as a refusal may be about it."""

    model: str
    known: Lessons
    options: Mapping[str, JsonValue]
    has_tools: bool
    has_output: bool
    has_strict: bool
    schemas: Mapping[str, str]
    """The strict tools by name, with the marks of their schemas."""
    kinds: frozenset[str]
    """What the messages held beside text: `image`, `file`."""


Lesson: TypeAlias = tuple[Lessons, str]
"""What is known now, and a sentence about it for the person, or nothing."""


def lesson(refusal: Exception, asked: Asked) -> Lesson | None:
    """What a refusal teaches; `None`, if it is about something else."""
    status = getattr(refusal, "status_code", None)
    if status is None:
        return None
    said = str(refusal)
    for rule in RULES if status in REFUSED else (_images, _order):
        learned = rule(said, asked)
        if learned and learned[0] != asked.known:
            return learned
    return None


def _stream_options(said: str, asked: Asked) -> Lesson | None:
    if "stream_options" in said and "stream_options" in asked.options:
        return asked.known.with_option("stream_options", None), ""
    return None


def _parallel(said: str, asked: Asked) -> Lesson | None:
    if "parallel_tool_calls" not in said or "parallel_tool_calls" not in asked.options:
        return None
    return (
        asked.known.with_option("parallel_tool_calls", None),
        f"{asked.model} cannot be told to ask for one call at a time.",
    )


def _effort(said: str, asked: Asked) -> Lesson | None:
    if not asked.has_tools or "reasoning_effort" not in said:
        return None
    if "reasoning_effort" in asked.options:
        return None
    said = "takes tools over Chat Completions only without reasoning: reasoning_effort is 'none'."
    return asked.known.with_option("reasoning_effort", "none"), f"{asked.model} {said}"


def _schema(said: str, asked: Asked) -> Lesson | None:
    name = refused_function(said)
    if name is None or name not in asked.schemas:
        return None
    loose = asked.known.loose | {asked.schemas[name]}
    return replace(asked.known, loose=loose), schema_note(asked.model, name)


def _strict(said: str, asked: Asked) -> Lesson | None:
    if asked.has_strict and NO_STRICT.search(said.lower()):
        note = f"{asked.model} knows no strict schemas: it is sent them as plain ones."
        return replace(asked.known, strict=False), note
    return None


def _output(said: str, asked: Asked) -> Lesson | None:
    said = said.lower()
    if not asked.has_output or "invalid schema" in said:
        return None
    if not any(word in said for word in ("response_format", "json_schema", "json_object")):
        return None
    if asked.known.output == "schema":
        return (
            replace(asked.known, output="object"),
            f"{asked.model} takes no schema: it is asked for JSON, and told the schema in words.",
        )
    return (
        replace(asked.known, output="text"),
        f"{asked.model} cannot be held to JSON: it is told the schema in words.",
    )


def _images(said: str, asked: Asked) -> Lesson | None:
    if "image" in asked.kinds and NO_IMAGES.search(said.lower()):
        return replace(asked.known, images=False), ""
    return None


def _named_images(said: str, asked: Asked) -> Lesson | None:
    """A refusal that names images in words of its own."""
    said = said.lower()
    if "image" in asked.kinds and "image_url" in said and not IMAGE_ITSELF.search(said):
        return replace(asked.known, images=False), ""
    return None


def _order(said: str, asked: Asked) -> Lesson | None:
    """Which roles may follow on which."""
    said = said.lower()
    if SYSTEM_FIRST.search(said):
        return replace(asked.known, system_first=True), ""
    if ALTERNATE.search(said):
        return replace(asked.known, alternates=True), ""
    return None


def _choice(said: str, asked: Asked) -> Lesson | None:
    if "tool_choice" in said and asked.options.get("tool_choice") == "none":
        return replace(asked.known, forbids=False), ""
    return None


def _files(said: str, asked: Asked) -> Lesson | None:
    if "file" in asked.kinds and NO_FILES.search(said.lower()):
        return replace(asked.known, files=False), ""
    return None


RULES: tuple[Callable[[str, Asked], Lesson | None], ...] = (
    _stream_options,
    _parallel,
    _schema,
    _strict,
    _output,
    _images,
    _files,
    _effort,
    _named_images,
    _order,
    _choice,
)
