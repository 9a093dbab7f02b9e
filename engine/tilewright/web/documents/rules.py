"""Requests about rules: what can be played, rules as a page needs them, faces of tiles, rulebooks.

Workers make everything, and it is cached here by the digest of the rules; the server itself only draws faces, from
cached data. `?table=CODE` with a digest names a table with these rules, for a server that does not play it. Knows no
running table.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.presentation.catalogue import translations
from tilewright.presentation.tiles.svg import SETS, drawings_in, sprite_of
from tilewright.web.cluster.access import Access, Seeker
from tilewright.web.documents.work import worked
from tilewright.web.http.bodies import body_as, json_response, known_person
from tilewright.web.http.requests import AskAbout, AskRulebook
from tilewright.web.protocol.messages import MOST_CODE
from tilewright.web.protocol.rates import address_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.spec import BadSpec, Spec, read_spec
from tilewright.web.workers.pool import GameFailed, NoWorkerFree, WorkerLost

Plain = dict[str, Any]
DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_KEPT = 200  # of each kind, in a server
SECONDS = 20.0  # of processor time for one piece of work
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
LANGUAGE = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{1,8})*")

UNKNOWN_RULES = translations("server.unknown_rules")
UNKNOWN_RULESET = translations("server.unknown_ruleset")
BAD_RULES = translations("server.bad_rules")
BUSY = translations("server.rules_busy")
BROKEN = translations("server.rules_too_slow")


class RulesCache:
    """Results by key, the latest last, as many as fit."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self.most = most
        self.found: OrderedDict[object, Any] = OrderedDict()
        self.making: dict[object, asyncio.Future[Any]] = {}

    async def get(self, key: object, make: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """The cached result of the key, or a new one; made once, however many ask meanwhile."""
        if key not in self.found:
            if key not in self.making:
                self.making[key] = asyncio.ensure_future(self.made(key, make))
            return await asyncio.shield(self.making[key])
        self.found.move_to_end(key)
        return self.found[key]

    async def made(self, key: object, make: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Make a result, and cache it on success."""
        try:
            value = await make()
            self.put(key, value)
            return value
        finally:
            del self.making[key]

    def put(self, key: object, value: Any) -> None:
        self.found[key] = value
        self.found.move_to_end(key)
        while len(self.found) > self.most:
            self.found.popitem(last=False)


def kept(request: Request) -> RulesCache:
    """The results of this server."""
    found: RulesCache = request.app.state.rules
    return found


# --- handlers


async def rulesets(request: Request) -> Response:
    """Every bundled ruleset with options, mods and presets."""
    found = await kept(request).get("rulesets", lambda: work(request, "about-rulesets", {}))
    return json_response(found["rulesets"])


async def about_spec(request: Request) -> Response:
    """The rules of a spec as a page needs them."""
    return json_response(await about_of(request, (await body_as(request, AskAbout)).spec))


async def about_digest(request: Request) -> Response:
    """The same of rules with a known digest."""
    return json_response(await known(request), headers=FOR_EVER)


async def faces(request: Request) -> Response:
    """The sprite of the tiles of rules with a known digest; `set`: plain, four or contrast."""
    style = request.query_params.get("set", SETS[0])
    if style not in SETS:
        style = SETS[0]
    about = await known(request)
    found = await kept(request).get(("faces", about["digest"], style), lambda: drawn(about, style))
    return Response(found, 200, FOR_EVER, "image/svg+xml")


async def drawn(about: Plain, style: str) -> str:
    return await asyncio.to_thread(lambda: sprite_of(drawings_in(about["tiles"]), style))


async def rulebook_bundled(request: Request) -> Response:
    """The rulebook of a bundled ruleset with default options."""
    id, language = request.path_params["id"], language_in(request.query_params.get("lang"))
    offered = await kept(request).get("rulesets", lambda: work(request, "about-rulesets", {}))
    if not any(one["id"] == id for one in offered["rulesets"]):
        raise Refused("unknown-ruleset", UNKNOWN_RULESET, 404)
    payload = {"spec": {"ruleset": {"id": id}}, "lang": language}
    key = ("rulebook", id, language)
    return json_response(await kept(request).get(key, lambda: work(request, "about-rulebook", payload)))


async def rulebook_spec(request: Request) -> Response:
    """The rulebook of any rules, with their options and mods; with `table`, of the rules played there."""
    body = await body_as(request, AskRulebook)
    spec = body.spec if body.table is None else await spec_at(request, body.table)
    if spec is None:
        raise Refused("unknown-rules", UNKNOWN_RULES, 404)
    language = language_in(body.lang)
    payload = {"spec": spec, "lang": language}
    key = ("rulebook", spec.key, language)
    return json_response(await kept(request).get(key, lambda: work(request, "about-rulebook", payload)))


# --- shared parts


async def about_of(request: Request, spec: Spec) -> Plain:
    """The rules of a spec as a page needs them; also cached by their digest."""
    found: Plain = await kept(request).get(("about", spec.key), lambda: work(request, "about", {"spec": spec}))
    kept(request).put(("digest", found["digest"]), found)
    return found


async def known(request: Request) -> Plain:
    """The rules with the digest of a request: cached here, or those of a table. Raises Refused."""
    digest = request.path_params["digest"]
    if DIGEST.fullmatch(digest):
        found: Plain | None = kept(request).found.get(("digest", digest)) or request.app.state.pool.about(digest)
        if found is None and (spec := await spec_of_table(request)) is not None:
            found = await about_of(request, spec)
        if found is not None and found["digest"] == digest:
            return found
    raise Refused("unknown-rules", UNKNOWN_RULES, 404)


async def spec_of_table(request: Request) -> Spec | None:
    """The spec of the table that a request names."""
    return await spec_at(request, request.query_params.get("table", ""))


async def spec_at(request: Request, code: str) -> Spec | None:
    """The spec of the table with this code. Raises Refused."""
    if not code:
        return None
    access: Access = request.app.state.router.access
    seeker = Seeker(address_of(request.scope), await known_person(request))
    row = await access.table(code[:MOST_CODE], seeker, Refused("unknown-rules", UNKNOWN_RULES, 404))
    return read_spec(row.spec)


async def work(request: Request, job: str, payload: Plain) -> Plain:
    """The result of a job with limits. Raises Refused if it fails."""
    try:
        return await worked(request, job, payload, SECONDS)
    except BadSpec as error:
        raise Refused("bad-spec", BAD_RULES, problems=error.problems) from None
    except NoWorkerFree:
        raise Refused("too-many", BUSY, 503) from None
    except (GameFailed, WorkerLost):
        raise Refused("broken", BROKEN, 422) from None


def language_in(language: str | None) -> str:
    """The requested language, English if it is not one."""
    return language if language and LANGUAGE.fullmatch(language) else "en"


ROUTES: list[BaseRoute] = [
    Route("/api/rulesets", rulesets),
    Route("/api/about", about_spec, methods=["POST"]),
    Route("/api/about/{digest}", about_digest),
    Route("/api/faces/{digest}.svg", faces),
    Route("/api/rulebook", rulebook_spec, methods=["POST"]),
    Route("/api/rulebook/{id}", rulebook_bundled),
]
