"""How OpenAI's two APIs are reached: clients, transport, one exchange, errors."""

from nbagents.models.openai.client import DEFAULT_BASE_URL, LOOPBACK, account_of
from nbagents.models.openai.errors import BrokenAnswerError
from nbagents.models.openai.json_body import body_json, call_arguments, call_name, is_json
from nbagents.models.openai.model import DEFAULT_MODEL, OpenAIModel, Sending
from nbagents.models.openai.nesting import Nesting
from nbagents.models.openai.parts import Piece, Shape, kinds, label, told_in_text, user_content
from nbagents.models.openai.refused_schemas import loosened, mark_of, refused_function, schema_note
from nbagents.models.openai.settings import TIMEOUT
from nbagents.models.openai.sse import event_json
from nbagents.models.openai.unsent_parts import Heard

__all__ = [
    "DEFAULT_BASE_URL",
    "DEFAULT_MODEL",
    "LOOPBACK",
    "TIMEOUT",
    "BrokenAnswerError",
    "Heard",
    "Nesting",
    "OpenAIModel",
    "Piece",
    "Sending",
    "Shape",
    "account_of",
    "body_json",
    "call_arguments",
    "call_name",
    "event_json",
    "is_json",
    "kinds",
    "label",
    "loosened",
    "mark_of",
    "refused_function",
    "schema_note",
    "told_in_text",
    "user_content",
]
