"""Replays on the page: the code of a finished table in; its hands, every moment of them as a viewer saw it, and its log
out.

The game is replayed in a process for untrusted texts (`jobs/replays`); the result is cached, as it never changes. A
table that is not over has no replay for anybody. Knows no rule.
"""

from asyncio import to_thread
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.play.chance import TableSecret
from tilewright.play.resume import all_disclosed
from tilewright.presentation.catalogue import translations
from tilewright.web import work
from tilewright.web.access import Access, Seeker
from tilewright.web.http import json_content, json_response, known_person, packed_response, person_of, while_connected
from tilewright.web.protocol.limits import MadeOnce, address_of
from tilewright.web.protocol.moments import ALL, OPEN
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.shape import json_bytes
from tilewright.web.storage.rows import Person, SeatRow, TableRow
from tilewright.web.tables.record import own_rules, public_spec
from tilewright.web.work import asker
from tilewright.web.workers.pool import BadSpec, GameFailed, NoWorkerFree, WorkerLost
from tilewright.web.workers.wire import packed, unpacked

Plain = dict[str, Any]

SECONDS = 60.0  # of processor time
MOST_LISTED = 40
MOST_HANDS = 10_000
OVER, BROKEN = "over", "broken"
ENDS = (OVER, BROKEN)
JSONL = "application/x-ndjson"

NO_REPLAY = translations("server.no_replay")
STILL_ON = translations("server.still_played")
TOO_LONG = translations("server.replay_too_slow")
BUSY = translations("server.replays_busy")
CANNOT = translations("server.replay_changed")


# --- lists


async def listed(request: Request) -> Response:
    """Finished tables of this person, and public ones, newest first."""
    person, store = await person_of(request), request.app.state.store
    own = await store.tables_of(person.id, MOST_LISTED, (OVER,))
    mine = {row.id for row in own}
    public = [row for row in await store.finished_tables(MOST_LISTED) if row.id not in mine]
    seats = await store.seats_at([row.id for row in (*own, *public)])
    return json_response(
        {
            "own": [outline(row, seats[row.id], person) for row in own],
            "public": [outline(row, seats[row.id], person) for row in public],
        }
    )


def outline(row: TableRow, seats: list[SeatRow], person: Person | None) -> Plain:
    """A finished table as lists show it. `me`: this person's player."""
    return {
        "code": row.code,
        "name": str(row.setup.get("name", "")),
        "spec": without_texts(row.spec),
        "own": own_rules(row.spec),
        "finished": row.finished,
        "scores": list(row.scores),
        "players": [{"name": seat.name, "kind": seat.kind, "bot": seat.bot} for seat in seats],
        "me": next((seat.player for seat in seats if person is not None and seat.person == person.id), None),
    }


def without_texts(spec: Any) -> Plain:
    """What was played, by ids and names."""
    found = public_spec(spec)
    return {"ruleset": found["ruleset"], "mods": [without_options(mod) for mod in found["mods"]]}


def without_options(mod: Plain) -> Plain:
    return {key: value for key, value in mod.items() if key != "options"}


# --- one replay


async def read(request: Request) -> Response:
    """A finished table: its hands with their results, the points after each, the rules as a page needs them."""
    row = await finished(request)
    seats = await request.app.state.store.seats(row.id)
    person = await known_person(request)
    found = await to_thread(unpacked, await worked_out(request, row, "replay-index"))
    return json_content(merged(found, json_bytes(outline(row, seats, person))))


def merged(*objects: bytes) -> bytes:
    """JSON objects as one: they may be too large to be read here."""
    return b"{" + b",".join(one[1:-1] for one in objects) + b"}"


async def read_hand(request: Request) -> Response:
    """Every moment of a hand, as seen by a player (by number), by spectators (`all`), or with all tiles open
    (`open`)."""
    row = await finished(request)
    eye = request.query_params.get("eye", ALL)
    hand = hand_number(request.path_params["hand"])
    if not 0 < hand <= MOST_HANDS or not (eye in (ALL, OPEN) or (eye.isascii() and eye.isdigit() and len(eye) < 3)):
        raise Refused("unknown-replay", NO_REPLAY, 404)
    return packed_response(request, await worked_out(request, row, "replay-steps", eye=eye, hand=hand - 1))


def hand_number(text: str) -> int:
    """The number of a hand; 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MOST_HANDS)) else 0


async def read_log(request: Request) -> Response:
    """The log, as a file, with the seeds of all hands."""
    row = await finished(request)
    named = {"content-disposition": f'attachment; filename="{row.code}.jsonl"'}

    async def make() -> bytes:
        lines = await request.app.state.store.lines(row.id)
        return await to_thread(log_of, lines, row)

    content = await kept(request).get((row.id, "log"), asker(request), make)
    return packed_response(request, content, named, JSONL)


def log_of(lines: Sequence[str], row: TableRow) -> bytes:
    """The log of a table, packed."""
    if lines and row.state == BROKEN and row.secret is not None:
        lines = all_disclosed(lines, TableSecret(row.secret))
    return packed("".join(f"{line}\n" for line in lines))


async def finished(request: Request) -> TableRow:
    """The table that a request names, if it is over or broken. Raises Refused."""
    access: Access = request.app.state.router.access
    seeker = Seeker(address_of(request.scope), await known_person(request))
    row = await access.table(request.path_params["code"].upper(), seeker, Refused("unknown-replay", NO_REPLAY, 404))
    if row.state not in ENDS:
        raise Refused("not-over", STILL_ON, 409)
    return row


async def worked_out(request: Request, row: TableRow, job: str, **asked: Any) -> bytes:
    """The result of a worker for a game, packed; from the cache, if possible. Raises Refused."""

    async def make() -> bytes:
        lines = await request.app.state.store.lines(row.id)
        secret = row.secret if row.state == BROKEN else None  # other logs have all seeds
        texts = await request.app.state.store.kept_texts(row.id)
        payload = {"spec": dict(row.spec), "kept": texts, "digest": row.digest, "secret": secret, "lines": lines}
        return await done(request, job, payload | asked)

    key = (row.id, job, *sorted(asked.items()))
    return await while_connected(request, kept(request).get(key, asker(request), make))


def kept(request: Request) -> MadeOnce:
    """The results of this server."""
    found: MadeOnce = request.app.state.replays
    return found


async def done(request: Request, job: str, payload: Plain) -> bytes:
    """What a worker makes. Raises Refused where it cannot, or not in time."""
    try:
        return await work.packed(request, job, payload, SECONDS)
    except (NoWorkerFree, WorkerLost):
        raise Refused("busy", BUSY, 503) from None
    except GameFailed:
        raise Refused("too-slow", TOO_LONG, 422) from None
    except BadSpec as error:
        raise Refused("bad-spec", CANNOT, 422, problems=error.problems) from None


ROUTES: list[BaseRoute] = [
    Route("/api/replays", listed, methods=["GET"]),
    Route("/api/replays/{code}", read, methods=["GET"]),
    Route("/api/replays/{code}/hands/{hand}", read_hand, methods=["GET"]),
    Route("/api/replays/{code}/log", read_log, methods=["GET"]),
]
