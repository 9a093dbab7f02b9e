"""Documents on the page: requests in; a person's rulesets and mods, and the bundled ones to start from, out.

A document is kept under the key of its author; anybody with its link may read it. The workshop reads texts, this does
not. Knows no table and no rule.
"""

import re
from typing import Any

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.presentation.catalogue import translations
from tilewright.web.documents.rules import result
from tilewright.web.documents.shelf import Shelf
from tilewright.web.documents.work import done
from tilewright.web.http.bodies import body_as, json_content, json_response, person_of
from tilewright.web.http.requests import NewDocument
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.spec import ID
from tilewright.web.protocol.strict_json import json_bytes
from tilewright.web.storage import DocumentKind
from tilewright.web.text.names import clean_name
from tilewright.web.workers.packing import unpacked

Plain = dict[str, Any]

KINDS: tuple[DocumentKind, ...] = ("ruleset", "mod")
MOST_TEXT = 256_000  # bytes
MOST_BODY = 1_600_000  # bytes: a text as JSON may write each byte as six
MOST_NAME = 100  # characters
NAME = re.compile(r"^name:[ \t]*+(?:\{[ \t]*+(?:en|zh)[ \t]*+:[ \t]*+)?[\"']?([^,}\"'#\n]+)", re.MULTILINE)

NO_DOCUMENT = translations("server.no_document")
NO_TEXT = translations("server.no_document_text")
LONG = translations("server.document_too_long", most=f"{MOST_TEXT:,}")
CHANGED = translations("server.document_conflict")
NO_BUNDLED = translations("server.not_bundled")


# --- a person's documents


async def listed(request: Request) -> Response:
    """The person's rulesets and mods, latest first, and the bundled ones."""
    own = json_bytes({"own": await SHELF.own(request)})
    bundled = unpacked(await result(request, ("documents",), "bundled-outlines", {}))
    return json_content(b'%s,"bundled":%s}' % (own[:-1], bytes(msgspec.json.decode(bundled, type=Bundled).documents)))


async def created(request: Request) -> Response:
    """A new document: with a `text`, as a copy of a bundled one (`fork`), or from a `template`."""
    person, body = await person_of(request), await body_as(request, NewDocument, MOST_BODY)
    text = await text_to_begin_with(request, body)
    kind: DocumentKind = (await done(request, "workshop-kind", {"text": text}))["kind"]
    return await SHELF.made(request, person, kind, name_in(body.name, text), text)


async def read_bundled(request: Request) -> Response:
    """A bundled ruleset, base or mod, with its text."""
    id = request.path_params["id"]
    if not ID.fullmatch(id):
        raise Refused("unknown-document", NO_BUNDLED, 404)
    found = await done(request, "bundled-document", {"id": id})
    if not found:
        raise Refused("unknown-document", NO_BUNDLED, 404)
    return json_response(found)


class Bundled(Struct, frozen=True):
    """The bundled documents, as a job lists them."""

    documents: Raw


# --- parts of a request


def text_of(text: str) -> str:
    """A text, if it is short enough to be stored. Raises Refused."""
    if len(text.encode(errors="replace")) > MOST_TEXT:
        raise Refused("too-large", LONG, 413)
    return text


def name_in(name: str | None, text: str) -> str:
    """The name of a document in lists: from the page, else from the text."""
    found = NAME.search(text)
    return clean_name(name or "", MOST_NAME) or clean_name(found[1] if found is not None else "", MOST_NAME)


SHELF = Shelf(KINDS, "unknown-document", NO_DOCUMENT, CHANGED, text_of, name_in, MOST_BODY)


async def text_to_begin_with(request: Request, body: NewDocument) -> str:
    """The text of a new document. Raises Refused."""
    if body.fork is None and body.template not in KINDS:
        if body.text is None:
            raise Refused("bad-message", NO_TEXT)
        return text_of(body.text)
    asked = {"fork": body.fork, "template": body.template, "ruleset": body.ruleset, "name": body.name}
    found = await done(request, "bundled-begun", asked)
    if not found:
        raise Refused("unknown-document", NO_BUNDLED, 404)
    return str(found["text"])


ROUTES: list[BaseRoute] = [
    Route("/api/documents", listed, methods=["GET"]),
    Route("/api/documents", created, methods=["POST"]),
    Route("/api/documents/bundled/{id}", read_bundled, methods=["GET"]),
    *SHELF.routes("/api/documents"),
]
