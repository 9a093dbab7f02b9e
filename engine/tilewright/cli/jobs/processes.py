"""Processes: files in; their results out in the same order, each checked by one of several processes."""

import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import nullcontext

from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.files import without_entries
from tilewright.base.processes import deaf, pool_of, serve_parent
from tilewright.cli.checks.results import DASH, CheckResult
from tilewright.cli.jobs.kept import KeptResults
from tilewright.language.documents.former import OldName


def together(files: Sequence[str], kept: KeptResults, jobs: int, cached: bool) -> Iterator[CheckResult]:
    """The results of files that are checked by several processes; what stands on stdin is checked in this one."""
    with pool_of(min(jobs, len(files)), begin, kept.choices, kept.own, cached, stop=lambda: None) as pool:
        waiting = [None if file == DASH else given_out(pool, file) for file in files]
        for file, found in zip(files, waiting, strict=True):
            yield kept.checked_now(file) if found is None else found.result()


def given_out(pool: ProcessPoolExecutor, file: str) -> "Future[CheckResult]":
    """Submit a file. A process started here ignores Ctrl-C, which is for its parent."""
    with deaf():
        return pool.submit(work, file)


BEGUN: list[tuple[KeptResults, bool]] = []  # what a process works with


def begin(choices: RulesChoice, own: bool, cached: bool) -> None:
    """Make a process ready to check; it exits when its parent is gone."""
    serve_parent()
    warnings.simplefilter("ignore", OldName)  # they are among the problems
    BEGUN.append((KeptResults(choices, own), cached))


def work(file: str) -> CheckResult:
    """The result of a file."""
    kept, cached = BEGUN[-1]
    with nullcontext() if cached else without_entries():
        return kept.checked_now(file)
