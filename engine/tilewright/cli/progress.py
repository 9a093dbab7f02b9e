"""Progress: how far a long job is, on stderr: a bar on a terminal, a line now and then elsewhere. Knows no job."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Protocol

from rich.text import Text

from tilewright.base.spelling import seen
from tilewright.presentation.console import console_for

SECONDS_A_LINE = 10  # between two lines, without a terminal


@contextmanager
def passing_line(text: str) -> Iterator[None]:
    """A line on a terminal that stands there until the block ends; none elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    line = Text(seen(text))
    line.truncate(max(0, console_for(sys.stderr).width - 1), overflow="ellipsis")
    sys.stderr.write(line.plain)
    sys.stderr.flush()
    try:
        yield
    finally:
        sys.stderr.write("\r" + " " * line.cell_len + "\r")
        sys.stderr.flush()


class Progress(Protocol):
    """Receives the number of finished games, and shows it."""

    def update(self, done: int) -> None: ...


@contextmanager
def progress_of(games: int, noun: str = "games") -> Iterator[Progress]:
    """The progress of a job of this many games, or of another noun; it leaves nothing on the screen."""
    if not sys.stderr.isatty():
        yield ProgressLines(games, noun)
        return
    from rich import progress as rich

    columns = (rich.BarColumn(), rich.MofNCompleteColumn(), rich.TextColumn("{task.fields[speed]}"))
    console = console_for(sys.stderr)
    with rich.Progress(
        *columns,
        rich.TimeRemainingColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as drawn:
        yield ProgressBar(drawn, drawn.add_task("", total=games, speed=""))


class ProgressBar:
    """A bar that fills."""

    def __init__(self, drawn: Any, task: int) -> None:
        self.drawn, self.task = drawn, task
        self.started = monotonic()

    def update(self, done: int) -> None:
        self.drawn.update(self.task, completed=done, speed=speed_text(done, monotonic() - self.started))


class ProgressLines:
    """A line every few seconds."""

    def __init__(self, games: int, noun: str) -> None:
        self.games, self.noun = games, noun
        self.started = self.shown = monotonic()

    def update(self, done: int) -> None:
        now = monotonic()
        if now - self.shown >= SECONDS_A_LINE:
            self.shown = now
            speed = speed_text(done, now - self.started)
            print(f"{done:,} of {self.games:,} {self.noun}, {speed}", file=sys.stderr, flush=True)


def speed_text(done: int, seconds: float) -> str:
    """How fast it goes, for people."""
    speed = done / max(seconds, 1e-9)
    return f"{speed:,.1f} a second" if speed < 100 else f"{speed:,.0f} a second"
