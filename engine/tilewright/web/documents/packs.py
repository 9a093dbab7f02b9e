"""Packs on the page: an archive in, its documents on a person's shelf; a document of the shelf in, the pack that it is
the head of out, also by its link, for `tilewright add`.

Workers for untrusted texts read and write archives (`jobs/shelf`). Knows no rule.
"""

import re
from base64 import b64decode
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.presentation.catalogue import translations
from tilewright.web.documents.beside import texts_beside
from tilewright.web.documents.rulesets import MOST_BODY, MOST_TEXT, SHELF, name_in
from tilewright.web.documents.shelf import NO_MORE, outline
from tilewright.web.documents.work import check_work, done
from tilewright.web.http.bodies import body_as, json_response, known_person, person_of
from tilewright.web.http.requests import ImportPack
from tilewright.web.limits.rates import address_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.storage import Document, StorageFull
from tilewright.web.text.names import id_in

Plain = dict[str, Any]

PUBLISHER = re.compile(r"^publisher:[ \t]*\S", re.MULTILINE)
NO_PACK = translations("server.no_pack")
BAD_PACK = translations("server.bad_pack")
PUBLISH_FIRST = translations("server.publish_first")


async def taken_in(request: Request) -> Response:
    """The documents of an archive, put on the person's shelf. Raises Refused."""
    person, body = await person_of(request), await body_as(request, ImportPack, MOST_BODY)
    found = await done(request, "pack-read", {"content": body.content})
    if "problems" in found:
        raise Refused("bad-pack", BAD_PACK, 422, problems=found["problems"])
    texts = [one for one in found["documents"] if len(one["text"].encode()) <= MOST_TEXT]
    made: list[Plain] = []
    try:
        for one in texts:
            name = name_in(None, one["text"])
            made.append(outline(await request.app.state.store.new_document(person.id, one["kind"], name, one["text"])))
    except StorageFull:
        raise Refused("too-many", NO_MORE, 409) from None
    return json_response(
        {"name": found["name"], "version": found["version"], "needs": found["needs"], "made": made}, 201
    )


async def given_out(request: Request) -> Response:
    """The pack of one of this person's documents. Raises Refused."""
    return archive(await packed(request, await SHELF.named(request)))


async def shared(request: Request) -> Response:
    """The pack of a shared document, for anybody with its code. Raises Refused."""
    misses = request.app.state.router.tables.misses
    address, person = address_of(request.scope), await known_person(request)
    found: Document | None = await request.app.state.store.shared(request.path_params["code"])
    if found is not None and found.kind not in SHELF.kinds:
        found = None
    misses.count(found is None, address, person)
    if found is None:
        raise SHELF.none()
    return archive(await packed(request, found))


async def packed(request: Request, document: Document) -> Plain:
    """The archive of a document and of the texts of its shelf that it names, except other packs. Raises Refused."""
    if not PUBLISHER.search(document.text):
        raise Refused("no-pack", NO_PACK, 422, PUBLISH_FIRST)
    check_work(request)
    beside = await texts_beside(request, document.person, document.text)
    texts = {one["name"]: one["text"] for one in beside if not PUBLISHER.search(one["text"])}
    found = await done(request, "pack-write", {"texts": {**texts, id_in(document.text): document.text}})
    if "problems" in found:
        raise Refused("no-pack", NO_PACK, 422, problems=found["problems"])
    return found


def archive(found: Plain) -> Response:
    """The answer that is the file of a pack."""
    headers = {"content-disposition": f'attachment; filename="{found["file"]}"', "cache-control": "no-store"}
    return Response(b64decode(found["content"]), 200, headers, "application/zip")


ROUTES: list[BaseRoute] = [
    Route("/api/packs", taken_in, methods=["POST"]),
    Route("/api/packs/{id}.zip", given_out, methods=["GET"]),
    Route("/api/packs/shared/{code}.zip", shared, methods=["GET"]),
]
