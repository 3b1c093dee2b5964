"""Requests sent and answers taken: connections, redirects, limits, tokens, pages, results."""

from nbagents.openapi.exchange.answer import result_of
from nbagents.openapi.exchange.connections import Connections
from nbagents.openapi.exchange.reach import Named, Reach, named_by, named_host
from nbagents.openapi.exchange.sending import SAFE, Answer, Patience, send
from nbagents.openapi.exchange.token import Tokens

__all__ = [
    "SAFE",
    "Answer",
    "Connections",
    "Named",
    "Patience",
    "Reach",
    "Tokens",
    "named_by",
    "named_host",
    "result_of",
    "send",
]
