"""Work that requests have done in processes for untrusted texts, within the share of their address; and the texts that
go with it, which a text of the same person names.

On a public server an address has a rate of such work and a share of the processes (see `Limits`), with or without a
key, since anybody can make keys. Cached results cost nothing. Reads no text as YAML: the workers do. Knows no job.
"""

import re
from collections.abc import Coroutine, Iterator
from itertools import islice
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.packs import document_id
from tilewright.presentation.catalogue import translations
from tilewright.web.http import packed_response, while_connected
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import AddressBuckets, address_of, shared_by
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Limits
from tilewright.web.protocol.spec import MOST_BESIDE
from tilewright.web.storage.rows import Document, id_in
from tilewright.web.storage.store import Store
from tilewright.web.workers.pool import BadSpec, GameFailed, NoWorkerFree, WorkerLost, WorkerPool

T = TypeVar("T")
Plain = dict[str, Any]

SECONDS = {  # of processor time
    "workshop-check": 10.0,
    "workshop-complete": 4.0,
    "workshop-describe": 4.0,
    "workshop-definition": 6.0,
    "workshop-references": 8.0,
    "workshop-rename": 8.0,
    "workshop-format": 4.0,
    "workshop-upgrade": 8.0,
    "workshop-examples": 15.0,
    "workshop-coverage": 30.0,
    "workshop-score": 8.0,
    "workshop-evaluate": 8.0,
    "workshop-games": 6.0,
    "workshop-kind": 4.0,
    "bundled-document": 6.0,
    "bundled-begun": 8.0,
    "pack-read": 6.0,
    "pack-write": 6.0,
}
TOO_LONG = translations("server.document_too_slow")
SIMPLER = translations("server.simplify_document")
BUSY = translations("server.documents_busy")


def work_buckets(limits: Limits) -> AddressBuckets:
    """The remaining work of each address."""
    return AddressBuckets(limits.work, limits.work_burst)


def check_work(request: Request) -> None:
    """Raises Refused (429) for an address that may have no work done now, before anything is looked up for it."""
    if request.app.state.settings.public and not request.app.state.work.has(address_of(request.scope)):
        raise refusals.too_fast()


async def worked(request: Request, job: str, payload: Plain, seconds: float) -> Plain:
    """The result of a job. Raises Refused (429) for an address that asks for too much; BadSpec, GameFailed,
    NoWorkerFree, WorkerLost."""
    return await pool_for(request).job(job, payload, seconds, asker(request))


async def packed(request: Request, job: str, payload: Plain, seconds: float) -> bytes:
    """The same with a result that is passed on unread, for `packed_response`."""
    return await pool_for(request).packed_job(job, payload, seconds, asker(request))


def pool_for(request: Request) -> WorkerPool:
    """The workers, for one more piece of work. Raises Refused (429)."""
    state = request.app.state
    if state.settings.public and not state.work.take(address_of(request.scope)):
        raise refusals.too_fast()
    pool: WorkerPool = state.pool
    return pool


async def done(request: Request, job: str, payload: Plain) -> Plain:
    """The result of a worker. Raises Refused if it fails or takes too long."""
    return await answered(request, worked(request, job, payload, SECONDS[job]))


async def sent(request: Request, job: str, payload: Plain) -> Response:
    """The result of a worker as the answer to a request. Raises Refused if it fails or takes too long."""
    return packed_response(request, await answered(request, packed(request, job, payload, SECONDS[job])))


async def answered(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What a worker answers, as long as somebody waits for it. Raises Refused if it fails or takes too long."""
    try:
        return await while_connected(request, work)
    except (NoWorkerFree, WorkerLost):
        raise Refused("busy", BUSY, 503) from None
    except GameFailed:
        raise Refused("too-slow", TOO_LONG, 422, SIMPLER) from None
    except BadSpec as error:
        raise Refused("bad-spec", str(error), 422, problems=error.problems) from None


def asker(request: Request) -> str | None:
    """Whom turns and results are counted for; None if they are not counted."""
    return shared_by(address_of(request.scope)) if request.app.state.settings.public else None


# --- texts beside a text


MOST_BYTES = 600_000  # of all of them
MOST_READ = 2 * MOST_BESIDE  # texts, of which some may be too large
MOST_NAMES = 16  # that are looked up at once,
MOST_NAMED = 64  # in one text, and of all of them together,
MOST_WORDS = 2_000  # among so many words
NAMING = re.compile(r"^[ \t-]*(?:extends|needs|for|only|mods)[ \t]*:(.*(?:\n[ \t]*-.*)*)", re.MULTILINE)
NAME = re.compile(r"[a-z][a-z0-9_]*(?:/[a-z][a-z0-9_]*)*")


async def texts_beside(request: Request, person: int, text: str) -> list[dict[str, str]]:
    """The texts on a person's shelf that a text names, directly or not, the nearest first, each with its id as
    `name`; as many as are allowed."""
    store: Store = request.app.state.store
    found, room, tries = {id_in(text): text}, MOST_BYTES, MOST_READ
    asked = set(found)
    todo = named_in(text)
    while len(found) <= MOST_BESIDE and len(asked) <= MOST_NAMED:
        wanted = [*dict.fromkeys(id for id in todo if id not in asked)][:MOST_NAMES]
        if not wanted:
            break
        asked |= set(wanted)
        there: dict[str, str] = await store.documents_called(person, wanted)
        for id in (id for id in wanted if id in there):
            if tries == 0 or len(found) > MOST_BESIDE:
                break
            tries -= 1
            one: Document | None = await store.document(there[id])
            if one is not None and (size := len(one.text.encode(errors="replace"))) <= room:
                found[id] = one.text
                room -= size
                todo += named_in(one.text) if len(todo) < MOST_NAMED else ()
    return [{"name": id, "text": one} for id, one in [*found.items()][1:]]


def named_in(text: str) -> list[str]:
    """The ids of documents that a text may name and that are not bundled; the first ones, of very many."""
    words: dict[str, None] = {}
    for word in islice(words_of(text), MOST_WORDS):
        words[word] = None
        if len(words) == MOST_NAMED:
            break
    own = [word for word in words if "/" in word or bundled_file(word) is None]
    return [id for word in own for id in (document_id(word), *word.split("/")[1:2])]


def words_of(text: str) -> Iterator[str]:
    """The words where a text names others."""
    for part in NAMING.finditer(text):
        yield from (name[0] for name in NAME.finditer(re.sub(r"@[^,\]\s]*|#.*", "", part[1])))
