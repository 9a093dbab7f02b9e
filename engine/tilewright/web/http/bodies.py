"""Requests: the body of an HTTP request, and whose it is; refusals as JSON. What every module with routes builds on.

A handler takes `request.app.state`: `.settings`, `.store`, `.workers`, `.router`. It raises `Refused` for whatever it
does not do; the application answers with `{"error": {...}}`. Knows no table.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.messages import is_key
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.shape import read_as
from tilewright.web.protocol.strict_json import json_bytes, read_object

if TYPE_CHECKING:
    from tilewright.web.storage import Person, Store


T = TypeVar("T")
BEARER = "bearer "
MOST_BODY = 300_000  # bytes

UNKNOWN_PERSON = translations("server.unknown_person")
TOO_LARGE = translations("server.too_large")


# --- what a request brings


async def body_of(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The JSON object that a request brings. Raises Refused for one that is too large (413) or is none."""
    return read_object(await bytes_of(request, most))


async def bytes_of(request: Request, most: int = MOST_BODY) -> bytes:
    """What a request brings, never more than `most` bytes of it. Raises Refused."""
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
    """What a request brings, as what it is to be. Raises Refused."""
    return read_as(kind, await body_of(request, most), "body")


# --- whose it is


async def person_of(request: Request) -> "Person":
    """The person whose key a request brings. Raises Refused (401) where there is none or nobody knows it."""
    key = key_of(request)
    store: Store = request.app.state.store
    person = await store.person_by_key(key) if key is not None else None
    if person is None:
        raise Refused("unknown-person", UNKNOWN_PERSON, 401)
    return person


def key_of(request: Request) -> str | None:
    """The key in `Authorization: Bearer KEY`, if it is shaped like one."""
    header = request.headers.get("authorization", "")
    if not header.lower().startswith(BEARER):
        return None
    key = header[len(BEARER) :].strip()
    return key if is_key(key) else None


# --- answers


def json_response(content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer as JSON, which nobody keeps."""
    return Response(json_bytes(content), status, {"cache-control": "no-store", **(headers or {})}, "application/json")


async def refuse(request: Request, error: Exception) -> Response:
    """The answer to a request that was refused: an exception handler of the application."""
    assert isinstance(error, Refused)
    return json_response({"error": error.to_json()}, error.status)
