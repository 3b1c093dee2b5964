"""OpenAPI documents as tools that make real requests.

`document` reads them, `request` makes a request of an operation and a model's arguments, `exchange`
sends it and says what came; `toolset` joins the three.
"""

from nbagents.openapi.document import DocumentError
from nbagents.openapi.record import RequestTools, request_tool
from nbagents.openapi.request import Operation
from nbagents.openapi.toolset import OpenAPI

__all__ = ["DocumentError", "OpenAPI", "Operation", "RequestTools", "request_tool"]
