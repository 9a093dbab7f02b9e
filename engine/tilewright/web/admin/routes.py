"""The administrator's requests, behind a token: the overview, bans, closing a table, draining the server."""

import logging

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.presentation.catalogue import translations
from tilewright.web.admin.gate import Gate
from tilewright.web.admin.overview import network_of, overview
from tilewright.web.cluster.router import TableRouter
from tilewright.web.http.bodies import body_as, json_response
from tilewright.web.http.requests import BanSomebody, CloseTable, Drain, EndBan
from tilewright.web.http.static_files import lost_page, page
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import DAY
from tilewright.web.storage import Ban, BanKind
from tilewright.web.storage.database import now

LOG = logging.getLogger("tilewright")
MOST_BODY = 16_000  # bytes
WIDEST = {4: 8, 6: 16}  # the shortest prefix of a network that may be banned, by version


async def admin_page(request: Request) -> Response:
    """The page, if the server has a token."""
    return await (lost_page if gate_of(request).token is None else page)(request)


async def show(request: Request) -> Response:
    """The overview: tables, people, bans, load."""
    gate_of(request).check(request)
    return json_response(overview(request.app.state))


async def ban(request: Request) -> Response:
    """Ban a person or an address, for some days or for ever, and close their pages."""
    gate_of(request).check(request)
    body = await body_as(request, BanSomebody, MOST_BODY)
    router: TableRouter = request.app.state.router
    subject = subject_of(body.kind, body.subject)
    until = None if body.days is None else now() + body.days * DAY
    await router.store.ban(Ban(body.kind, subject, body.reason, now(), until))
    await router.bans.read()
    LOG.info("banned: %s %s", body.kind, subject)
    return json_response(overview(request.app.state))


async def unban(request: Request) -> Response:
    """End the ban of a person or an address."""
    gate_of(request).check(request)
    body = await body_as(request, EndBan, MOST_BODY)
    router: TableRouter = request.app.state.router
    if not await router.store.unban(body.kind, body.subject):
        raise Refused("unknown-ban", translations("server.no_ban"), 404)
    await router.bans.read()
    LOG.info("no longer banned: %s %s", body.kind, body.subject)
    return json_response(overview(request.app.state))


async def close_table(request: Request) -> Response:
    """End the game of a table that this server plays."""
    gate_of(request).check(request)
    body = await body_as(request, CloseTable, MOST_BODY)
    router: TableRouter = request.app.state.router
    if not router.tables.close_table(body.table):
        raise Refused("unknown-table", translations("server.no_table"), 404)
    LOG.info("table %s is closed", body.table)
    return json_response({"ok": True})


async def drain(request: Request) -> Response:
    """Make no new tables from now on, or make them again."""
    gate_of(request).check(request)
    body = await body_as(request, Drain, MOST_BODY)
    router: TableRouter = request.app.state.router
    router.tables.draining = body.on
    LOG.info("no new tables are made" if body.on else "new tables are made again")
    return json_response(overview(request.app.state))


def subject_of(kind: BanKind, subject: str) -> str:
    """A person's number or a network, as it is stored. Raises Refused."""
    if kind == "person":
        if not (subject.isascii() and subject.isdigit() and len(subject) <= 18):
            raise Refused("bad-subject", translations("server.bad_person"))
        return str(int(subject))
    try:
        network = network_of(subject)
    except ValueError:
        raise Refused("bad-subject", translations("server.bad_address")) from None
    if int(network.rpartition("/")[2]) < WIDEST[6 if ":" in network else 4]:
        raise Refused("bad-subject", translations("server.wide_network"))
    return network


def gate_of(request: Request) -> Gate:
    gate: Gate = request.app.state.admin_gate
    return gate


ROUTES: list[BaseRoute] = [
    Route("/admin", admin_page, methods=["GET"]),
    Route("/api/admin", show, methods=["GET"]),
    Route("/api/admin/ban", ban, methods=["POST"]),
    Route("/api/admin/unban", unban, methods=["POST"]),
    Route("/api/admin/close", close_table, methods=["POST"]),
    Route("/api/admin/drain", drain, methods=["POST"]),
]
