"""Work that requests have done in processes for untrusted texts, within the share of their address.

On a public server an address has a rate of such work and a share of the processes (see `Limits`), with or without a
key, since anybody can make keys. Cached results cost nothing. Knows no job.
"""

from typing import Any

from starlette.requests import Request

from tilewright.web.limits.rates import Buckets, address_of
from tilewright.web.protocol import refusals
from tilewright.web.protocol.settings import Limits

Plain = dict[str, Any]


def work_buckets(limits: Limits) -> Buckets:
    """The remaining work of each address."""
    return Buckets(limits.work, limits.work_burst)


async def worked(request: Request, job: str, payload: Plain, seconds: float) -> Plain:
    """The result of a job. Raises Refused (429) for an address that asks for too much; BadSpec, GameFailed,
    NoWorkerFree, WorkerLost."""
    state, by = request.app.state, asker(request)
    if by is not None and not state.work.take(by):
        raise refusals.too_fast()
    found: Plain = await state.pool.job(job, payload, seconds, by)
    return found


def asker(request: Request) -> str | None:
    """The address that work is counted for; None if it is not counted."""
    return address_of(request.scope) if request.app.state.settings.public else None
