"""Work that requests have done in processes for untrusted texts, within the share of their address.

On a public server an address has a rate of such work and a share of the processes (see `Limits`), with or without a
key, since anybody can make keys. Cached results cost nothing. Knows no job.
"""

from typing import Any

from starlette.requests import Request

from tilewright.presentation.catalogue import translations
from tilewright.web.limits.rates import Buckets, address_of
from tilewright.web.protocol import refusals
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Limits
from tilewright.web.workers.pool import BadSpec, GameFailed, NoWorkerFree, WorkerLost

Plain = dict[str, Any]

SECONDS = {  # of processor time
    "workshop-check": 10.0,
    "workshop-complete": 4.0,
    "workshop-describe": 4.0,
    "workshop-definition": 6.0,
    "workshop-references": 8.0,
    "workshop-rename": 8.0,
    "workshop-format": 4.0,
    "workshop-examples": 15.0,
    "workshop-coverage": 30.0,
    "workshop-score": 8.0,
    "workshop-evaluate": 8.0,
    "workshop-games": 6.0,
    "workshop-kind": 4.0,
    "pack-read": 6.0,
    "pack-write": 6.0,
}
TOO_LONG = translations("server.document_too_slow")
SIMPLER = translations("server.simplify_document")
BUSY = translations("server.documents_busy")


def work_buckets(limits: Limits) -> Buckets:
    """The remaining work of each address."""
    return Buckets(limits.work, limits.work_burst)


def check_work(request: Request) -> None:
    """Raises Refused (429) for an address that may have no work done now, before anything is looked up for it."""
    if request.app.state.settings.public and not request.app.state.work.has(address_of(request.scope)):
        raise refusals.too_fast()


async def worked(request: Request, job: str, payload: Plain, seconds: float) -> Plain:
    """The result of a job. Raises Refused (429) for an address that asks for too much; BadSpec, GameFailed,
    NoWorkerFree, WorkerLost."""
    state, by = request.app.state, asker(request)
    if by is not None and not state.work.take(by):
        raise refusals.too_fast()
    found: Plain = await state.pool.job(job, payload, seconds, by)
    return found


async def done(request: Request, job: str, payload: Plain) -> Plain:
    """The result of a worker. Raises Refused if it fails or takes too long."""
    try:
        return dict(await worked(request, job, payload, SECONDS[job]))
    except (NoWorkerFree, WorkerLost):
        raise Refused("busy", BUSY, 503) from None
    except GameFailed:
        raise Refused("too-slow", TOO_LONG, 422, SIMPLER) from None
    except BadSpec as error:
        raise Refused("bad-spec", str(error), 422, problems=error.problems) from None


def asker(request: Request) -> str | None:
    """The address that work is counted for; None if it is not counted."""
    return address_of(request.scope) if request.app.state.settings.public else None
