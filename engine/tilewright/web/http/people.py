"""People and tables over HTTP: the own person, the state of a table, the health of the server."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.base.version import __version__
from tilewright.web.cluster.router import TableRouter
from tilewright.web.http.bodies import body_as, json_response, person_of
from tilewright.web.http.requests import ChangePerson
from tilewright.web.storage import Person, Store

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


async def table(request: Request) -> Response:
    """The state of a table, for anybody with its code."""
    person = await person_of(request)
    router: TableRouter = request.app.state.router
    return json_response(await router.info(request.path_params["code"].upper()[:16], person))


async def health(request: Request) -> Response:
    """Whether the server runs and its database answers."""
    router: TableRouter = request.app.state.router
    await router.store.table("")
    counts = {"tables": len(router.tables.owned), "pages": len(router.clients)}
    return json_response({"ok": True, "version": __version__, **counts})


ROUTES: list[BaseRoute] = [
    Route("/api/me", me, methods=["GET"]),
    Route("/api/me", change_me, methods=["PUT"]),
    Route("/api/tables/{code}", table, methods=["GET"]),
    Route("/api/health", health, methods=["GET"]),
]
