"""People and tables over HTTP: who one is, how a table stands, whether the server is well."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.base.version import __version__
from tilewright.presentation.catalogue import translations
from tilewright.web.http.bodies import body_of, json_response, person_of
from tilewright.web.protocol.messages import MOST_NAME, clean_name
from tilewright.web.protocol.refusals import Refused
from tilewright.web.storage import Person, Store
from tilewright.web.tables.registry import Lives

MOST_SETTINGS = 16_000  # bytes


async def me(request: Request) -> Response:
    """Name and settings of the person."""
    return json_response(as_json(await person_of(request)))


async def change_me(request: Request) -> Response:
    """Another name, other settings (all of them), or both."""
    person, body = await person_of(request), await body_of(request, MOST_SETTINGS)
    store: Store = request.app.state.store
    lives: Lives = request.app.state.lives
    settings, name = body.get("settings"), body.get("name")
    if settings is not None and not isinstance(settings, dict):
        raise Refused("bad-message", translations("server.bad_settings"))
    if name is not None and not (isinstance(name, str) and clean_name(name, MOST_NAME)):
        raise Refused("bad-message", translations("server.bad_name"))
    if settings is not None:
        person = await store.update_person(person.id, settings=settings)
    if name is not None:
        await lives.rename_person(person, clean_name(name, MOST_NAME))
        person = await person_of(request)
    return json_response(as_json(person))


def as_json(person: Person) -> dict[str, object]:
    return {"name": person.name, "settings": dict(person.settings)}


async def table(request: Request) -> Response:
    """How a table stands, for whoever has its code."""
    person = await person_of(request)
    lives: Lives = request.app.state.lives
    return json_response(await lives.info(request.path_params["code"].upper()[:16], person))


async def health(request: Request) -> Response:
    """The server runs, and its database answers."""
    lives: Lives = request.app.state.lives
    await lives.store.table("")
    counts = {"tables": len(lives.owned), "pages": len(lives.clients)}
    return json_response({"ok": True, "version": __version__, **counts})


ROUTES: list[BaseRoute] = [
    Route("/api/me", me, methods=["GET"]),
    Route("/api/me", change_me, methods=["PUT"]),
    Route("/api/tables/{code}", table, methods=["GET"]),
    Route("/api/health", health, methods=["GET"]),
]
