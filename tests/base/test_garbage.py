"""Garbage collections: what is left out of them stays so, and what is made while they pause counts as old."""

import subprocess
import sys

import pytest

LEFT_OUT = """
import gc
from tilewright.base.garbage import collector_paused, {how}
{how}()
before = gc.get_freeze_count()
with collector_paused():
    made = [[] for _ in range(1_000)]
print(before > 1_000 and gc.get_freeze_count() >= before and gc.isenabled())
"""

OLD = """
import gc
from tilewright.base.garbage import collector_paused
with collector_paused():
    made = [[] for _ in range(1_000)]
print(any(one is made[500] for one in gc.get_objects(generation=2)) and gc.get_freeze_count() == 0)
"""


@pytest.mark.parametrize("how", ["leave_alone", "collect_rarely"])
def test_what_is_left_out_stays_so_after_a_pause(how: str) -> None:
    assert answer(LEFT_OUT.format(how=how)) == "True"


def test_what_is_made_in_a_pause_counts_as_old() -> None:
    assert answer(OLD) == "True"


def answer(script: str) -> str:
    """What a process of its own prints: these tests are about all of its objects."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
