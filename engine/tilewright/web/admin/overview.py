"""The overview: who is connected to a server and what it plays, as the administrator's page shows it. Knows no request
and shows no tile.
"""

import time
from collections.abc import Iterable
from dataclasses import asdict
from ipaddress import ip_network
from typing import Any

from starlette.datastructures import State

from tilewright.base.version import __version__
from tilewright.web.cluster.router import TableRouter
from tilewright.web.limits.rates import AddressCounts
from tilewright.web.protocol.client import Client
from tilewright.web.tables.actor import TableActor

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
