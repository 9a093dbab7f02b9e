"""Requests: the body and the person of an HTTP request; refusals as JSON. Shared by all modules with routes.

A handler takes `request.app.state`: `.settings`, `.store`, `.workers`, `.router`. It raises `Refused` to refuse; the
application answers with `{"error": {...}}`. Knows no table.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tilewright.presentation.catalogue import translations
from tilewright.web.limits.budgets import BytesBudget
from tilewright.web.limits.rates import address_of, shared_by
from tilewright.web.protocol import refusals
from tilewright.web.protocol.messages import is_key
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.shape import read_json
from tilewright.web.protocol.strict_json import json_bytes
from tilewright.web.workers.packing import parts

if TYPE_CHECKING:
    from tilewright.web.cluster.router import TableRouter
    from tilewright.web.storage import Person, Store


T = TypeVar("T")
BEARER = "bearer "
MOST_BODY = 300_000  # bytes
SECONDS = 30.0  # for a body to arrive

UNKNOWN_PERSON = translations("server.unknown_person")
TOO_LARGE = translations("server.too_large")


# --- bodies


async def body_as(request: Request, kind: type[T], most: int = MOST_BODY) -> T:
    """The body of a request, a JSON object, as its typed class. Raises Refused."""
    content = await bytes_of(request, most)
    await request.app.state.reading.wait(len(content))
    return read_json(kind, content, "body")


async def bytes_of(request: Request, most: int = MOST_BODY) -> bytes:
    """The body of a request, never more than `most` bytes, and not for ever. Raises Refused."""
    length = request.headers.get("content-length")
    if length is None:  # a body of many tiny chunks costs far more than its size
        raise Refused("no-length", translations("server.no_length"), 411)
    if not length.isascii() or not length.isdigit() or int(length[:20]) > most:
        raise too_large()
    try:
        async with asyncio.timeout(SECONDS):
            return await received(request, most)
    except TimeoutError:
        raise Refused("too-slow", translations("server.too_slow_body"), 408) from None


async def received(request: Request, most: int) -> bytes:
    """Raises Refused, also when too much is on its way to this server already."""
    budget: BytesBudget = request.app.state.bodies
    with budget.share_of(shared_by(address_of(request.scope))) as share:
        found = bytearray()
        async for chunk in request.stream():
            if not share.take(len(chunk)):
                raise Refused("busy", translations("server.busy_receiving"), 503)
            found += chunk
            if len(found) > most:
                raise too_large()
        return bytes(found)


def too_large() -> Refused:
    return Refused("too-large", TOO_LARGE, 413)


# --- people


async def person_of(request: Request) -> "Person":
    """The person whose key a request has. Raises Refused: 401 for a missing or unknown key, 403 for a banned person."""
    person = await known_person(request)
    if person is None:
        raise Refused("unknown-person", UNKNOWN_PERSON, 401)
    router: TableRouter = request.app.state.router
    if router.bans.has_person(person.id):
        raise refusals.banned()
    return person


async def known_person(request: Request) -> "Person | None":
    """The person whose key a request has, if it has one that is known."""
    key = key_of(request)
    store: Store = request.app.state.store
    return await store.person_by_key(key) if key is not None else None


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
    return json_content(json_bytes(content), status, headers)


def json_content(content: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The same of JSON that is encoded already."""
    return Response(content, status, {"cache-control": "no-store", **(headers or {})}, "application/json")


def packed_response(
    request: Request, content: bytes, headers: Mapping[str, str] | None = None, media_type: str = "application/json"
) -> Response:
    """A response whose content a worker has packed; it is not cached, unless the headers say so."""
    headers = {"cache-control": "no-store", "vary": "accept-encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content, 200, {**headers, "content-encoding": "gzip"}, media_type)
    return StreamingResponse(in_parts(content), 200, headers, media_type)


async def in_parts(content: bytes) -> AsyncIterator[bytes]:
    """What is packed, as fast as it is read."""
    for part in parts(content):
        yield part


async def refuse(request: Request, error: Exception) -> Response:
    """The response to a refused request: an exception handler of the application."""
    assert isinstance(error, Refused)
    return json_response({"error": error.to_json()}, error.status)
