"""People over HTTP: the own person, a shelf of documents of some kinds; the state of a table, invite codes, the health
of the server.

A document is kept under the key of its author; anybody with its link may read it. Knows no text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.base.version import __version__
from tilewright.presentation.catalogue import translations
from tilewright.web.access import Seeker
from tilewright.web.http import MOST_BODY, body_as, json_response, known_person, person_of
from tilewright.web.protocol.limits import Misses, address_of
from tilewright.web.protocol.messages import MOST_CODE
from tilewright.web.protocol.refusals import Refused
from tilewright.web.requests import ChangePerson, SaveText
from tilewright.web.router import TableRouter
from tilewright.web.storage.rows import Conflict, Document, DocumentKind, DocumentOutline, NotFound, Person, StorageFull
from tilewright.web.storage.store import Store
from tilewright.web.tables.record import MOST_CARD

MOST_SETTINGS = 16_000  # bytes


# --- a person


async def me(request: Request) -> Response:
    """Name and settings of the person."""
    return json_response(as_json(await person_of(request)))


async def change_me(request: Request) -> Response:
    """Another name, other settings (all of them), or both."""
    person, body = await person_of(request), await body_as(request, ChangePerson, MOST_SETTINGS)
    store: Store = request.app.state.store
    router: TableRouter = request.app.state.router
    if body.settings is not None:
        person = await store.update_person(person.id, settings=body.settings)
    if body.name is not None:
        await router.rename_person(person, body.name)
        person = await person_of(request)
    return json_response(as_json(person))


def as_json(person: Person) -> dict[str, object]:
    return {"name": person.name, "settings": dict(person.settings)}


async def wins(request: Request) -> Response:
    """The lines of a card that the person has won with: how often, and when last."""
    person = await person_of(request)
    store: Store = request.app.state.store
    found = await store.wins(person.id, request.path_params["card"][:MOST_CARD])
    return json_response({"wins": [{"line": one.line, "count": one.count, "last": one.last} for one in found]})


# --- tables


async def table(request: Request) -> Response:
    """The state of a table, for anybody with its code."""
    person = await person_of(request)
    router: TableRouter = request.app.state.router
    return json_response(await router.info(code_in(request), person, address_of(request.scope)))


async def invite(request: Request) -> Response:
    """The table of an invite code."""
    person = await person_of(request)
    router: TableRouter = request.app.state.router
    row = await router.access.invited(code_in(request), Seeker(address_of(request.scope), person))
    return json_response({"table": row.code})


def code_in(request: Request) -> str:
    """The code that the path of a request names."""
    code: str = request.path_params["code"]
    return code.upper()[:MOST_CODE]


async def health(request: Request) -> Response:
    """Whether the server runs and its database can be read and written."""
    router: TableRouter = request.app.state.router
    await router.store.table("")
    await router.tables.check_database()
    counts = {"tables": len(router.tables.owned), "pages": len(router.clients)}
    return json_response({"ok": True, "version": __version__, **counts})


# --- a shelf


ROUTES: list[BaseRoute] = [
    Route("/api/me", me, methods=["GET"]),
    Route("/api/me", change_me, methods=["PUT"]),
    Route("/api/wins/{card}", wins, methods=["GET"]),
    Route("/api/tables/{code}", table, methods=["GET"]),
    Route("/api/invites/{code}", invite, methods=["GET"]),
    Route("/api/health", health, methods=["GET"]),
]


Plain = dict[str, Any]
Names = Mapping[str, str]

LOOK_FIRST = translations("server.compare_versions")
NO_MORE = translations("server.too_many_documents")
DELETE_ONE = translations("server.delete_one")


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents of these kinds. `unknown`: the error code for a missing one, with the message `missing`; `changed`: the
    message if another page saved it; `text_of` and `name_in`: how the text (raises Refused) and the name of a request
    are stored; `most`: bytes of a request."""

    kinds: tuple[DocumentKind, ...]
    unknown: str
    missing: Names
    changed: Names
    text_of: Callable[[str], str]
    name_in: Callable[[str | None, str], str]
    most: int = MOST_BODY

    def routes(self, path: str) -> list[BaseRoute]:
        """The routes of one document, under a path."""
        return [
            Route(f"{path}/shared/{{code}}", self.read_shared, methods=["GET"]),
            Route(f"{path}/{{id}}", self.read, methods=["GET"]),
            Route(f"{path}/{{id}}", self.saved, methods=["PUT"]),
            Route(f"{path}/{{id}}", self.deleted, methods=["DELETE"]),
            Route(f"{path}/{{id}}/share", self.shared, methods=["POST"]),
        ]

    async def own(self, request: Request) -> list[Plain]:
        """This person's documents, latest first."""
        person = await person_of(request)
        return [outline(one) for one in await request.app.state.store.documents(person.id, self.kinds)]

    async def made(self, request: Request, person: Person, kind: DocumentKind, name: str, text: str) -> Response:
        """Create a document of a person."""
        try:
            document = await request.app.state.store.new_document(person.id, kind, name, text)
        except StorageFull:
            raise Refused("too-many", NO_MORE, 409, DELETE_ONE) from None
        return json_response(whole(document), 201)

    async def read(self, request: Request) -> Response:
        """One of this person's documents, with its text."""
        return json_response(whole(await self.named(request)))

    async def saved(self, request: Request) -> Response:
        """Save a new text of a document. `expected`: when it was last saved, as far as the page knows; without it the
        text replaces whatever is there."""
        document, body = await self.named(request), await body_as(request, SaveText, self.most)
        text, store = self.text_of(body.text), request.app.state.store
        name = self.name_in(body.name, text)
        try:
            done = await store.save_document(document.id, document.person, name, text, body.expected)
        except Conflict:
            raise Refused("conflict", self.changed, 409, LOOK_FIRST) from None
        except NotFound:
            raise self.none() from None
        return json_response(outline(done))

    async def deleted(self, request: Request) -> Response:
        """Delete a document and its link."""
        document = await self.named(request)
        try:
            await request.app.state.store.delete_document(document.id, document.person)
        except NotFound:
            raise self.none() from None
        return json_response({"id": document.id, "deleted": True})

    async def shared(self, request: Request) -> Response:
        """The code with which everybody may read a document."""
        document = await self.named(request)
        try:
            code = await request.app.state.store.share(document.id, document.person)
        except NotFound:
            raise self.none() from None
        return json_response({"id": document.id, "share": code})

    async def read_shared(self, request: Request) -> Response:
        """A shared document: its text, and nothing about its author."""
        misses: Misses = request.app.state.router.tables.misses
        address, person = address_of(request.scope), await known_person(request)
        found = await request.app.state.store.shared(request.path_params["code"])
        if found is not None and found.kind not in self.kinds:
            found = None
        misses.count(found is None, address, person)
        if found is None:
            raise self.none()
        return json_response({"kind": found.kind, "name": found.name, "text": found.text, "updated": found.updated})

    async def named(self, request: Request) -> Document:
        """The document that a request names, if it is this person's. Raises Refused."""
        person = await person_of(request)
        found: Document | None = await request.app.state.store.document(request.path_params["id"])
        if found is None or found.person != person.id or found.kind not in self.kinds:
            raise self.none()
        return found

    def none(self) -> Refused:
        return Refused(self.unknown, self.missing, 404)


def outline(document: Document | DocumentOutline) -> Plain:
    """A document as lists show it."""
    return {
        "id": document.id,
        "kind": document.kind,
        "name": document.name,
        "share": document.share,
        "created": document.created,
        "updated": document.updated,
    }


def whole(document: Document) -> Plain:
    return {**outline(document), "text": document.text}
