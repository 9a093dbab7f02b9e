"""Replays on the page: the code of a finished table in; its hands, every moment of them as a viewer saw it, and its log
out.

The game is replayed in a process for untrusted texts (`jobs/replays`); the result is cached, as it never changes. A
table that is not over has no replay for anybody. Knows no rule.
"""

import gzip
import json
from asyncio import to_thread
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.play.fairness import all_disclosed
from tilewright.play.model.deals import TableSecret
from tilewright.presentation.catalogue import translations
from tilewright.web.cluster.access import Access, Seeker
from tilewright.web.documents.work import asker, worked
from tilewright.web.http.bodies import json_response, known_person, person_of
from tilewright.web.jobs.replays import OPEN
from tilewright.web.limits.rates import address_of
from tilewright.web.protocol.moments import ALL
from tilewright.web.protocol.refusals import Refused
from tilewright.web.storage import Person, SeatRow, TableRow
from tilewright.web.tables.record import own_rules, public_spec
from tilewright.web.workers.pool import BadSpec, GameFailed, NoWorkerFree, WorkerLost

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
    found = json.loads(gzip.decompress(await worked_out(request, row, "replay-index")))
    return json_response(found | outline(row, seats, person))


async def read_hand(request: Request) -> Response:
    """Every moment of a hand, as seen by a player (by number), by spectators (`all`), or with all tiles open
    (`open`)."""
    row = await finished(request)
    eye = request.query_params.get("eye", ALL)
    hand = hand_number(request.path_params["hand"])
    if not 0 < hand <= MOST_HANDS or not (eye in (ALL, OPEN) or (eye.isascii() and eye.isdigit() and len(eye) < 3)):
        raise Refused("unknown-replay", NO_REPLAY, 404)
    content = await worked_out(request, row, "replay-steps", eye=eye, hand=hand - 1)
    return answered(request, content)


def hand_number(text: str) -> int:
    """The number of a hand; 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MOST_HANDS)) else 0


async def read_log(request: Request) -> Response:
    """The log, as a file, with the seeds of all hands."""
    row = await finished(request)
    lines: Sequence[str] = await request.app.state.store.lines(row.id)
    if lines and row.state == BROKEN and row.secret is not None:
        lines = await to_thread(all_disclosed, lines, TableSecret(row.secret))
    text = "".join(f"{line}\n" for line in lines)
    named = {"content-disposition": f'attachment; filename="{row.code}.jsonl"'}
    return Response(text, headers=named, media_type=JSONL)


async def finished(request: Request) -> TableRow:
    """The table that a request names, if it is over or broken. Raises Refused."""
    access: Access = request.app.state.router.access
    seeker = Seeker(address_of(request.scope), await known_person(request))
    row = await access.table(request.path_params["code"].upper(), seeker, Refused("unknown-replay", NO_REPLAY, 404))
    if row.state not in ENDS:
        raise Refused("not-over", STILL_ON, 409)
    return row


async def worked_out(request: Request, row: TableRow, job: str, **asked: Any) -> bytes:
    """The result of a worker for a game, compressed; from the cache, if possible. Raises Refused."""
    state = request.app.state
    key = (row.id, job, *sorted(asked.items()))
    content: bytes | None = state.replays.get(key)
    if content is None:
        lines = await state.store.lines(row.id)
        secret = row.secret if row.state == BROKEN else None  # other logs have all seeds
        texts = await state.store.kept_texts(row.id)
        payload = {"spec": dict(row.spec), "kept": texts, "digest": row.digest, "secret": secret, "lines": lines}
        payload |= asked
        found = await done(request, job, payload)
        content = await to_thread(compressed, found)
        state.replays.put(key, content, asker(request))
    return content


def compressed(found: Plain) -> bytes:
    return gzip.compress(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode(), 5)


async def done(request: Request, job: str, payload: Plain) -> Plain:
    """What a worker says. Raises Refused where it cannot, or not in time."""
    try:
        found = dict(await worked(request, job, payload, SECONDS))
    except (NoWorkerFree, WorkerLost):
        raise Refused("busy", BUSY, 503) from None
    except GameFailed:
        raise Refused("too-slow", TOO_LONG, 422) from None
    except BadSpec as error:
        raise Refused("bad-spec", CANNOT, 422, problems=error.problems) from None
    if "problems" in found:
        raise Refused("bad-log", CANNOT, 422, problems=found["problems"])
    return found


def answered(request: Request, content: bytes) -> Response:
    """A response of JSON that is already compressed."""
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content, 200, {**headers, "content-encoding": "gzip"}, "application/json")
    return Response(gzip.decompress(content), 200, headers, "application/json")


ROUTES: list[BaseRoute] = [
    Route("/api/replays", listed, methods=["GET"]),
    Route("/api/replays/{code}", read, methods=["GET"]),
    Route("/api/replays/{code}/hands/{hand}", read_hand, methods=["GET"]),
    Route("/api/replays/{code}/log", read_log, methods=["GET"]),
]
