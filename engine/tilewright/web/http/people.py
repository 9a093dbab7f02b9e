"""People and tables over HTTP: the own person, the state of a table, invite codes, the health of the server."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.base.version import __version__
from tilewright.web.cluster.access import Seeker
from tilewright.web.cluster.router import TableRouter
from tilewright.web.http.bodies import body_as, json_response, person_of
from tilewright.web.http.requests import ChangePerson
from tilewright.web.limits.rates import address_of
from tilewright.web.protocol.messages import MOST_CODE
from tilewright.web.storage import Person, Store
from tilewright.web.tables.record import MOST_CARD

MOST_SETTINGS = 16_000  # bytes


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


ROUTES: list[BaseRoute] = [
    Route("/api/me", me, methods=["GET"]),
    Route("/api/me", change_me, methods=["PUT"]),
    Route("/api/wins/{card}", wins, methods=["GET"]),
    Route("/api/tables/{code}", table, methods=["GET"]),
    Route("/api/invites/{code}", invite, methods=["GET"]),
    Route("/api/health", health, methods=["GET"]),
]
