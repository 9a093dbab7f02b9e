"""Work: what a request has done in processes for untrusted texts, within the share of its address.

Where the server is public, an address has a rate of such work and its share of the processes (see `Limits`), whether it
brings a key or none: keys are made by whoever wants one. What is known already costs nothing. Knows no work.
"""

from typing import Any

from starlette.requests import Request

from tilewright.web.protocol import refusals
from tilewright.web.protocol.rates import Buckets, address_of
from tilewright.web.protocol.settings import Limits

Plain = dict[str, Any]


def work_buckets(limits: Limits) -> Buckets:
    """How much work each address may still ask for."""
    return Buckets(limits.work, limits.work_burst)


async def worked(request: Request, job: str, payload: Plain, seconds: float) -> Plain:
    """What a process says of a job. Raises Refused (429) for an address that asks for too much; BadSpec, GameFailed,
    NoWorkerFree, WorkerLost."""
    state, by = request.app.state, asker(request)
    if by is not None and not state.work.take(by):
        raise refusals.too_fast()
    found: Plain = await state.pool.job(job, payload, seconds, by)
    return found


def asker(request: Request) -> str | None:
    """The address for which work is counted; None where it is not."""
    return address_of(request.scope) if request.app.state.settings.public else None
