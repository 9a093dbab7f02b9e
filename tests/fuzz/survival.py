"""Survival: an input given to a target has to come to an end in time, without an error and without much memory."""

import resource
import signal
import time
from types import FrameType

from fuzz.targets import Target

TOO_SLOW = "more than {} s of processor time"
MEMORY = 600_000  # kB that an input may add to the largest size of the process


class TooSlow(BaseException):
    """Not an Exception, so that nothing on the way takes it for one of its own."""


class TooLarge(AssertionError):
    """The input took too much memory."""


def survive(target: Target, data: bytes) -> None:
    """Raises what the target raises; AssertionError if it takes too long or too much memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    handler = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, target.seconds)
    begun = time.process_time()
    try:
        target.run(data)
    except TooSlow as slow:
        raise AssertionError(TOO_SLOW.format(target.seconds)).with_traceback(slow.__traceback__) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
    if time.process_time() - begun > target.seconds:
        raise AssertionError(TOO_SLOW.format(target.seconds))
    if (more := resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) > MEMORY:
        raise TooLarge(f"{more >> 10} MB more")


def stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow
