"""The watchdog of the event loop: a standstill is measured, and the log says what ran."""

import asyncio
import logging
import time

import pytest

from tilewright.web import metrics as module
from tilewright.web.metrics import LIMIT, Watchdog


def busy(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def watched(*standstills: float) -> Watchdog:
    """A loop that stood still for so long, each time."""
    watchdog = Watchdog()
    watchdog.start()
    try:
        for seconds in standstills:
            await asyncio.sleep(0.05)
            busy(seconds)
            await asyncio.sleep(0.05)
    finally:
        watchdog.stop()
    return watchdog


def counted(watchdog: Watchdog, name: str) -> float:
    """The value of a sample of its histogram."""
    return next(one.value for metric in watchdog.late.collect() for one in metric.samples if one.name.endswith(name))


def test_a_standstill_is_measured_and_the_log_says_what_ran(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PACKAGE", __file__)
    with caplog.at_level(logging.WARNING, "tilewright"):
        watchdog = asyncio.run(watched(0.4))
    assert 0.3 < watchdog.most < 2.0
    assert watchdog.longest.collect()[0].samples[0].value == watchdog.most
    assert counted(watchdog, "_sum") > 0.3
    assert "the event loop stood still for" in caplog.text
    assert "test_web_watchdog.py" in caplog.text and " busy < " in caplog.text


@pytest.mark.long
def test_the_log_has_one_of_many_standstills(caplog: pytest.LogCaptureFixture) -> None:
    watchdog = asyncio.run(watched(0.6, 0.3, 0.3))
    lines = [record for record in caplog.records if "stood still" in record.message]
    assert len(lines) == 1
    assert counted(watchdog, "_count") > 3


def test_a_loop_that_only_waits_does_not_stand_still(caplog: pytest.LogCaptureFixture) -> None:
    """Not even where the machine is busy: what it waits for a processor is not counted."""
    assert asyncio.run(watched(0.0)).most < LIMIT
    assert caplog.text == ""
