"""Administration: the requests of those who run a server, behind a token: who is connected and what is played, bans,
closing a table, draining the server. Misses of the token count by address. Shows no tile.
"""

import hmac
import logging
import time
from collections.abc import Iterable
from dataclasses import asdict
from ipaddress import ip_network
from typing import Any

from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.base.version import __version__
from tilewright.presentation.catalogue import translations
from tilewright.web.http import BEARER, body_as, json_response
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import AddressBuckets, AddressCounts, address_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import Client
from tilewright.web.protocol.settings import DAY
from tilewright.web.requests import BanSomebody, CloseTable, Drain, EndBan
from tilewright.web.router import TableRouter
from tilewright.web.static_files import lost_page, page
from tilewright.web.storage.database import now
from tilewright.web.storage.rows import Ban, BanKind
from tilewright.web.tables.actor import TableActor

LOG = logging.getLogger("tilewright")
MISSES, SECONDS = 5, 60.0  # wrong tokens at once from an address, and until another one may be tried


# --- the token


class Gate:
    """A gate that opens for `Authorization: Bearer TOKEN`. Without a token there is nothing behind it."""

    def __init__(self, token: str | None) -> None:
        self.token = token
        self.misses = AddressBuckets(1 / SECONDS, MISSES)

    def check(self, request: Request) -> None:
        """Raises Refused: 404 without a token of the server, 401 for a wrong one, 429 after too many of them."""
        if self.token is None:
            raise Refused("unknown", translations("server.nothing_here"), 404)
        header = request.headers.get("authorization", "")
        if not header.lower().startswith(BEARER):
            raise wrong_token()
        address = address_of(request.scope)
        if not self.misses.take(address):
            raise refusals.too_fast()
        if not hmac.compare_digest(header[len(BEARER) :].strip().encode(), self.token.encode()):
            LOG.warning("a wrong token for %s from %s", request.url.path, address)
            raise wrong_token()
        self.misses.forget(address)


def wrong_token() -> Refused:
    return Refused("wrong-token", translations("server.wrong_token"), 401)


# --- the overview


Plain = dict[str, Any]
MOST = 500  # tables, people and addresses that are listed


def overview(state: State) -> Plain:
    """All of it as plain data. `more`: how many are not listed."""
    router: TableRouter = state.router
    connections: AddressCounts = state.connections
    people = people_of(router.clients.values())
    tables = list(router.tables.owned.values())
    return {
        "version": __version__,
        "draining": router.tables.draining,
        "drained": router.tables.is_drained,
        "seconds": time.monotonic() - state.started,
        "connections": connections.total,
        "queued_bytes": router.queued_bytes,
        "processes": [
            {"use": use, "pid": one.pid, "memory": one.memory, "tables": len(one.tables), "waiting": one.waiting}
            for use, found in state.pool.processes_by_use.items()
            for one in found
        ],
        "tables": [shown_table(actor) for actor in tables[:MOST]],
        "people": people[:MOST],
        "addresses": [{"address": one, "connections": count} for one, count in connections.near.most_common(MOST)],
        "more": {
            "tables": max(0, len(tables) - MOST),
            "people": max(0, len(people) - MOST),
            "addresses": max(0, len(connections.near) - MOST),
        },
        "bans": [asdict(ban) for ban in router.bans.all],
    }


def shown_table(actor: TableActor) -> Plain:
    """A table by its number: whoever has its code may look on."""
    spec, setup = actor.row.spec, actor.row.setup
    ruleset = spec["ruleset"]
    return {
        "id": actor.row.id,
        "name": setup.get("name") or "",
        "ruleset": ruleset.get("id") or ruleset.get("name") or "",
        "state": actor.record.state,
        "created": actor.row.created,
        "pages": len(actor.audience.pages),
        "seats": [seat.row.name or "" for seat in actor.seats.all if not seat.row.bot],
        "bots": sum(bool(seat.row.bot) for seat in actor.seats.all),
    }


def people_of(clients: Iterable[Client]) -> list[Plain]:
    """The people whose pages are open here, each with all addresses."""
    found: dict[int, Plain] = {}
    for client in clients:
        person = found.setdefault(
            client.person.id, {"id": client.person.id, "name": client.person.name, "pages": 0, "addresses": []}
        )
        person["pages"] += 1
        if client.address not in person["addresses"]:
            person["addresses"].append(client.address)
    return list(found.values())


def network_of(text: str) -> str:
    """An address or network as it is banned: of an IPv6 address its network, as where addresses are counted. Raises
    ValueError."""
    network = ip_network(text.strip(), strict=False)
    if network.version == 6 and network.prefixlen > 64:
        network = network.supernet(new_prefix=64)
    return str(network)


# --- requests


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
