"""From an operation and a model's arguments to a request; nothing is sent here."""

from nbagents.openapi.request.body import Objects, form_content
from nbagents.openapi.request.naming import operation_names, written_name
from nbagents.openapi.request.operation import Operation, path_names
from nbagents.openapi.request.parameter import is_json
from nbagents.openapi.request.request import Fitting, HttpRequest, fitting, request_of
from nbagents.openapi.request.security import ClientGrant, Secret, Security, Sent
from nbagents.openapi.request.server import Servers, base_of, checked_base

__all__ = [
    "ClientGrant",
    "Fitting",
    "HttpRequest",
    "Objects",
    "Operation",
    "Secret",
    "Security",
    "Sent",
    "Servers",
    "base_of",
    "checked_base",
    "fitting",
    "form_content",
    "is_json",
    "operation_names",
    "path_names",
    "request_of",
    "written_name",
]
