"""The workshop on the page: a person's rulesets and mods, and the bundled ones to start from; a text and a question in,
the workers' answer out; an archive of a pack in, its documents on the shelf, and the other way round, also by a link,
for `tilewright add`.

Everything that reads a text or an archive is done in a process for untrusted texts (`jobs/workshop`), with limits; a
text that exceeds them is refused with the reason. Knows no table and no rule.
"""

import json
import re
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, ClassVar

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tilewright.presentation.catalogue import translations
from tilewright.web.http import body_as, json_content, json_response, known_person, person_of
from tilewright.web.people import NO_MORE, Shelf, outline
from tilewright.web.protocol.limits import address_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.shape import json_bytes
from tilewright.web.protocol.spec import ID, MOST_GAMES, MOST_TEXT
from tilewright.web.requests import (
    AskAtPlace,
    Body,
    CheckText,
    EvaluateExpression,
    ImportPack,
    NewDocument,
    RenameAtPlace,
    ScoreHand,
    SimulateGames,
    TryRules,
)
from tilewright.web.rules import result
from tilewright.web.storage.rows import Document, DocumentKind, StorageFull, clean_name, id_in
from tilewright.web.work import asker, check_work, done, sent, texts_beside
from tilewright.web.workers.wire import unpacked

Plain = dict[str, Any]

KINDS: tuple[DocumentKind, ...] = ("ruleset", "mod")
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


# --- a text and a question


MOST_SIMULATIONS = 4  # of a server at a time,
SIMULATIONS_OF_ONE = 2  # and from one address; only on a public server
LINES = "application/x-ndjson"

TOO_MANY = translations("server.simulations_busy")
QUESTIONS: dict[str, tuple[str, type[Body], str]] = {  # the end of the address: a job, what is sent, what it is for
    "check": ("workshop-check", CheckText, "The problems of a text, its head, its outline."),
    "complete": ("workshop-complete", AskAtPlace, "What can be written at a line and a column."),
    "describe": ("workshop-describe", AskAtPlace, "The meaning of the text at a line and a column."),
    "definition": ("workshop-definition", AskAtPlace, "Where the name at a line and a column is declared."),
    "references": ("workshop-references", AskAtPlace, "Every place of the name at a line and a column."),
    "rename": ("workshop-rename", RenameAtPlace, "The edits that give the name at a line and a column another."),
    "format": ("workshop-format", CheckText, "The edits that lay a text out."),
    "upgrade": ("workshop-upgrade", CheckText, "The edits that upgrade a text to the newest edition of the language."),
    "examples": ("workshop-examples", TryRules, "The examples and cases of a text, each with its outcome."),
    "coverage": ("workshop-coverage", TryRules, "What the examples and cases of a text reach, and what not."),
    "score": ("workshop-score", ScoreHand, "The score of a hand under a text."),
    "evaluate": ("workshop-evaluate", EvaluateExpression, "An expression in a hand under a text."),
}


def answering(job: str, kind: type[Body], doc: str) -> Callable[[Request], Awaitable[Response]]:
    """What answers a request with the result of a job."""

    async def answered(request: Request) -> Response:
        return await sent(request, job, await asked(request, kind))

    answered.__doc__ = doc
    return answered


async def asked(request: Request, kind: type[Body]) -> Plain:
    """The text and the other fields of a request of a known person, with the texts of their shelf that it names.
    Raises Refused."""
    person = await person_of(request)
    check_work(request)
    body: Plain = msgspec.to_builtins(await body_as(request, kind, MOST_BODY))
    text = text_of(body["text"])
    return body | {"text": text, "beside": await texts_beside(request, person.id, text)}


# --- many games


class Simulations:
    """How many simulations are running on a server, by the address that they are counted for."""

    by: ClassVar[Counter[str | None]] = Counter()


async def simulated(request: Request) -> Response:
    """Games between bots, up to a thousand: a line of JSON each time some are done, with the summary of all so far. No
    more games are played once the client has gone. Raises Refused."""
    payload = await asked(request, SimulateGames)
    games: int = payload.pop("games", MOST_GAMES)
    by = asker(request)
    if Simulations.by.total() >= MOST_SIMULATIONS or (by is not None and Simulations.by[by] >= SIMULATIONS_OF_ONE):
        raise Refused("busy", TOO_MANY, 503)
    first = await done(request, "workshop-games", part(payload, 0, games, None))
    return StreamingResponse(
        summaries(request, payload, games, first), media_type=LINES, headers={"cache-control": "no-store"}
    )


async def summaries(request: Request, payload: Plain, games: int, found: Plain) -> AsyncIterator[str]:
    """A summary after each part of the games, until all are played or something is wrong."""
    by = asker(request)
    Simulations.by[by] += 1
    try:
        count = 0
        while True:
            count += found.get("done", 0)
            so_far = found.pop("so_far", None)
            yield line({**found, "done": count, "of": games})
            if "problems" in found or count >= games or await request.is_disconnected():
                return
            try:
                found = await done(request, "workshop-games", part(payload, count, games, so_far))
            except Refused as error:
                yield line({"error": error.to_json(), "done": count, "of": games})
                return
    finally:
        Simulations.by[by] -= 1
        if not Simulations.by[by]:
            del Simulations.by[by]


def part(payload: Plain, first: int, games: int, so_far: Plain | None) -> Plain:
    """The request for the next games; the tally so far is always the server's, whatever a page sends."""
    return {**payload, "first": first, "games": games - first, "so_far": so_far}


def line(data: Plain) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


# --- packs


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
    Route("/api/documents", listed, methods=["GET"]),
    Route("/api/documents", created, methods=["POST"]),
    Route("/api/documents/bundled/{id}", read_bundled, methods=["GET"]),
    *SHELF.routes("/api/documents"),
    *(Route(f"/api/workshop/{name}", answering(*one), methods=["POST"]) for name, one in QUESTIONS.items()),
    Route("/api/workshop/simulate", simulated, methods=["POST"]),
    Route("/api/packs", taken_in, methods=["POST"]),
    Route("/api/packs/{id}.zip", given_out, methods=["GET"]),
    Route("/api/packs/shared/{code}.zip", shared, methods=["GET"]),
]
