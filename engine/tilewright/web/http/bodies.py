"""Requests: the body and the person of an HTTP request; refusals as JSON. Shared by all modules with routes.

A handler takes `request.app.state`: `.settings`, `.store`, `.workers`, `.router`. It raises `Refused` to refuse; the
application answers with `{"error": {...}}`. Knows no table.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol import refusals
from tilewright.web.protocol.messages import is_key
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.shape import read_as
from tilewright.web.protocol.strict_json import json_bytes, read_object

if TYPE_CHECKING:
    from tilewright.web.cluster.router import TableRouter
    from tilewright.web.storage import Person, Store


T = TypeVar("T")
BEARER = "bearer "
MOST_BODY = 300_000  # bytes

UNKNOWN_PERSON = translations("server.unknown_person")
TOO_LARGE = translations("server.too_large")


# --- bodies


async def body_of(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The JSON object of a request. Raises Refused for one that is too large (413) or not a JSON object."""
    return read_object(await bytes_of(request, most))


async def bytes_of(request: Request, most: int = MOST_BODY) -> bytes:
    """The body of a request, never more than `most` bytes. Raises Refused."""
    length = request.headers.get("content-length", "0")
    if length.isascii() and length.isdigit() and int(length[:20]) > most:
        raise too_large()
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise too_large()
    return bytes(found)


def too_large() -> Refused:
    return Refused("too-large", TOO_LARGE, 413)


async def body_as(request: Request, kind: type[T], most: int = MOST_BODY) -> T:
    """The body of a request, as its typed class. Raises Refused."""
    return read_as(kind, await body_of(request, most), "body")


# --- people


async def person_of(request: Request) -> "Person":
    """The person whose key a request has. Raises Refused: 401 for a missing or unknown key, 403
    for a banned person."""
    key = key_of(request)
    store: Store = request.app.state.store
    person = await store.person_by_key(key) if key is not None else None
    if person is None:
        raise Refused("unknown-person", UNKNOWN_PERSON, 401)
    router: TableRouter = request.app.state.router
    if router.bans.has_person(person.id):
        raise refusals.banned()
    return person


def key_of(request: Request) -> str | None:
    """The key in `Authorization: Bearer KEY`, if it has the form of one."""
    header = request.headers.get("authorization", "")
    if not header.lower().startswith(BEARER):
        return None
    key = header[len(BEARER) :].strip()
    return key if is_key(key) else None


# --- answers


def json_response(content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response that is not cached."""
    return Response(json_bytes(content), status, {"cache-control": "no-store", **(headers or {})}, "application/json")


async def refuse(request: Request, error: Exception) -> Response:
    """The response to a refused request: an exception handler of the application."""
    assert isinstance(error, Refused)
    return json_response({"error": error.to_json()}, error.status)
