"""Known problems as `tilewright check --baseline FILE` leaves them out, or `--write-baseline` writes them down."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from tilewright.authoring.findings import Baseline, WrongBaseline
from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.problem import Problem
from tilewright.presentation.console import counted


@dataclass(slots=True)
class KnownReport:
    """The baseline of a check. `before`: what it knows; `met`: the problems met so far, where one is written."""

    path: Path
    before: Baseline
    writes: bool
    name: str = "baseline"
    met: list[Problem] = field(default_factory=list)

    @classmethod
    def at(cls, path: Path, writes: bool) -> "KnownReport":
        """The baseline of a file; an empty one to be written."""
        try:
            return cls(path, Baseline(path.parent) if writes else Baseline.read(path), writes)
        except WrongBaseline as error:
            raise CannotBegin(f"{path} is no baseline: {error}", "write it with --write-baseline") from None
        except OSError as error:
            why = error.strerror or str(error)
            raise CannotBegin(f"the baseline {path} cannot be read: {why}", "write it with --write-baseline") from None

    def new(self, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """The problems that are not known; none where they are written down."""
        if self.writes:
            self.met += problems
            return ()
        return tuple(self.before.new(problems))

    def add(self, file: str) -> None:
        """Files are looked at when their problems come."""

    def write(self) -> None:
        """Write down what was met, if that is wanted."""
        if not self.writes:
            return
        try:
            Baseline.of(dict.fromkeys(self.met), self.path.parent).write(self.path)
        except OSError as error:
            raise CannotBegin(f"the baseline {self.path} cannot be written: {error.strerror or error}") from None

    @property
    def fails(self) -> bool:
        return False

    @property
    def notes(self) -> Iterator[Problem]:
        if not self.writes and self.before.gone:
            yield Problem("stale-baseline", self.stale, None, "write it again with --write-baseline", "note")

    @property
    def stale(self) -> str:
        return f"{counted(self.before.gone, 'problem')} of the baseline {self.path} are gone"

    def lines(self) -> Iterator[Text | str]:
        if self.writes:
            yield f"{counted(len(dict.fromkeys(self.met)), 'problem')} written to {self.path}"
        elif self.before.gone:
            yield Text(f"{self.stale}: write it again with --write-baseline", "yellow")

    def as_json(self) -> list[dict[str, Any]]:
        return [{"file": str(self.path), "written": len(self.met), "gone": 0 if self.writes else self.before.gone}]
