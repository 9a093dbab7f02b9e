"""Errors: the JSON responses when something goes wrong; for an unknown address, the page itself shows it."""

import logging
from collections.abc import Awaitable, Callable, Mapping

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tilewright.presentation.catalogue import translations
from tilewright.web.http.bodies import json_response, refuse
from tilewright.web.http.middleware import HEADERS
from tilewright.web.http.static_files import lost_page
from tilewright.web.protocol import refusals
from tilewright.web.protocol.refusals import Refused
from tilewright.web.storage import DatabaseLost

LOG = logging.getLogger("tilewright")


async def missing(request: Request, error: Exception) -> Response:
    """An unknown address, or a method that it does not have."""
    assert isinstance(error, HTTPException)
    if not request.url.path.startswith(("/api/", "/internal/")) and error.status_code == 404:
        return await lost_page(request)
    refused = Refused("unknown", translations("server.nothing_here"), error.status_code)
    return json_response({"error": refused.to_json()}, error.status_code, error.headers)


async def lost(request: Request, error: Exception) -> Response:
    """The database does not answer."""
    LOG.warning("the database fails: %s", error)
    return json_response({"error": refusals.went_wrong().to_json()}, 503)


async def left(request: Request, error: Exception) -> Response:
    """The client went in the middle of its request: nobody reads the answer."""
    return Response(status_code=400)


async def failed(request: Request, error: Exception) -> Response:
    """A bug of ours; the server logs it. No middleware sees this response."""
    return json_response({"error": refusals.went_wrong().to_json()}, 500, HEADERS)


HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    Refused: refuse,
    HTTPException: missing,
    DatabaseLost: lost,
    ClientDisconnect: left,
    Exception: failed,
}
