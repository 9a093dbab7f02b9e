"""A process that is killed in the middle of its work is one error, whoever notices it first."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from typing import Any

import pytest

from tilewright.base.problem import WorkLost
from tilewright.base.processes import pool_of, serve_parent


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def await_it(pool: ProcessPoolExecutor, lost: Future[Any]) -> None:
    lost.result()


def give_it_more(pool: ProcessPoolExecutor, lost: Future[Any]) -> None:
    wait([lost])
    pool.submit(die)


@pytest.mark.slow
@pytest.mark.parametrize("notice", [await_it, give_it_more])
def test_a_lost_process_is_one_error(notice: Callable[[ProcessPoolExecutor, Future[Any]], None]) -> None:
    with pytest.raises(WorkLost, match="a process ended"), pool_of(1, serve_parent, stop=lambda: None) as pool:
        notice(pool, pool.submit(die))
