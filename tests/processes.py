"""Processes that tests start: none outlives its block, whatever happens there."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def process(words: Sequence[str | Path], **how: Any) -> Iterator["subprocess.Popen[str]"]:
    """A process while the block runs; `how` as for Popen."""
    with subprocess.Popen(words, encoding="utf-8", **how) as running:
        try:
            yield running
        finally:
            running.kill()
