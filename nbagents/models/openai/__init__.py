"""How OpenAI's two APIs are reached: clients, transport, one exchange, errors."""

from nbagents.models.openai.answer_parts import (
    CUT_OFF,
    FAILED,
    FILTERED,
    NAMELESS,
    WITHHELD,
    Reading,
)
from nbagents.models.openai.client import DEFAULT_BASE_URL, LOOPBACK, account_of
from nbagents.models.openai.errors import BrokenAnswerError
from nbagents.models.openai.json_body import body_json, call_arguments, call_name, is_json
from nbagents.models.openai.model import DEFAULT_MODEL, OpenAIModel, Sending
from nbagents.models.openai.nesting import Nesting
from nbagents.models.openai.parts import (
    Piece,
    Shape,
    data_url,
    kinds,
    label,
    told_in_text,
    user_content,
)
from nbagents.models.openai.refused_schemas import loosened, mark_of, refused_function, schema_note
from nbagents.models.openai.request_parts import Asking, Head, kept_in

__all__ = [
    "CUT_OFF",
    "DEFAULT_BASE_URL",
    "DEFAULT_MODEL",
    "FAILED",
    "FILTERED",
    "LOOPBACK",
    "NAMELESS",
    "WITHHELD",
    "Asking",
    "BrokenAnswerError",
    "Head",
    "Nesting",
    "OpenAIModel",
    "Piece",
    "Reading",
    "Sending",
    "Shape",
    "account_of",
    "body_json",
    "call_arguments",
    "call_name",
    "data_url",
    "is_json",
    "kept_in",
    "kinds",
    "label",
    "loosened",
    "mark_of",
    "refused_function",
    "schema_note",
    "told_in_text",
    "user_content",
]
