"""Reports of `tilewright check` about files that were checked: coverage, what was tried, what is known already.

Files in, once they are checked; lines, data or notes out, and whether the check fails: too little is reached, something
was not tried for no reason, or a problem is not among those that a baseline lists.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from tilewright.authoring.coverage import COVERED, KINDS, Coverage, coverage_of, lacks, not_covered
from tilewright.authoring.findings import Baseline, WrongBaseline
from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.authoring.trials import WrittenEntry, entries_of
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.library import is_document, kind_at
from tilewright.presentation.console import counted, table


@dataclass(slots=True)
class CoverageReport:
    """The coverage of the files that were checked. `least`: the percentage that each has to reach."""

    choices: RulesChoice
    least: float | None = None
    name: str = "coverage"
    files: dict[str, Coverage] = field(default_factory=dict)

    def add(self, file: str) -> None:
        """Cover a file, if it is a ruleset or a mod without errors."""
        found = coverage_at(file, self.choices)
        if found is not None:
            self.files[file] = found

    @property
    def notes(self) -> Iterator[Problem]:
        """What is not reached, as notes for programs that show problems."""
        return (not_covered(part) for one in self.files.values() for part in one.missing)

    @property
    def failing(self) -> list[Coverage]:
        """Those below the percentage."""
        return [one for one in self.files.values() if self.least is not None and one.percent < self.least]

    @property
    def fails(self) -> bool:
        return bool(self.failing)

    def lines(self) -> Iterator[Text | str]:
        """The report for people."""
        for one in self.files.values():
            yield from coverage_lines(one)
        for one in self.failing:
            yield Text(f"{one.ruleset} is below {self.least:g} %: {shown(one.percent)} %", "bold red")

    def as_json(self) -> list[dict[str, Any]]:
        """The report for programs."""
        return [{"file": file, **coverage_json(one)} for file, one in self.files.items()]


def coverage_at(file: str, choices: RulesChoice) -> Coverage | None:
    """The coverage of a ruleset or a mod; None for other files, and for one with errors."""
    path = Path(file)
    if not path.is_file() or not is_document(path) or kind_at(path) not in COVERED:
        return None
    try:
        return coverage_of(path, choices)
    except RulesetError:
        return None  # its errors are reported anyway


def coverage_lines(coverage: Coverage) -> Iterator[Text]:
    """The parts that are not reached, by their places, and the table of all kinds."""
    for part in coverage.missing:
        place = part.place
        yield Text.assemble((f"{place.source.name}:{place.line}:{place.column}", "dim"), f" {lacks(part)}")
    yield Text(f"{coverage.ruleset}: {shown(coverage.percent)} % covered", "bold")
    rows: list[list[Text | str]] = []
    for kind in KINDS:
        reached, outcomes = coverage.counted(kind)
        if outcomes:
            style = "green" if reached == outcomes else "yellow"
            rows.append([f"  {kind}s", Text(f"{reached} of {outcomes}", style)])
    yield from table(rows)


def shown(percent: float) -> str:
    """A percentage with one decimal, rounded down: 100 only where everything is covered."""
    return f"{int(percent * 10) / 10:g}"


def coverage_json(coverage: Coverage) -> dict[str, Any]:
    """The same for programs."""
    kinds = {kind: coverage.counted(kind) for kind in KINDS}
    return {
        "ruleset": coverage.ruleset,
        "percent": float(shown(coverage.percent)),
        "kinds": {f"{kind}s": {"reached": reached, "of": outcomes} for kind, (reached, outcomes) in kinds.items()},
        "missing": [
            {
                "kind": part.kind,
                "id": part.id,
                "file": part.place.source.name,
                "line": part.place.line,
                "column": part.place.column,
                "length": part.place.length,
                "lacks": list(part.lacks),
                "message": lacks(part),
            }
            for part in coverage.missing
        ],
    }


# --- what was tried


NO_REASON = "no trial took it up"


@dataclass(slots=True)
class TriedReport:
    """The examples and cases of the files that were checked, with those that they inherit."""

    choices: RulesChoice
    name: str = "tried"
    entries: dict[WrittenEntry, None] = field(default_factory=dict)

    def add(self, file: str) -> None:
        path = Path(file)
        if path.is_file() and is_document(path):
            try:
                self.entries |= dict.fromkeys(entries_of(path, self.choices))
            except RulesetError:
                return  # its errors are reported anyway

    @property
    def left(self) -> list[WrittenEntry]:
        """Those that were not tried."""
        return [one for one in self.entries if not one.under]

    @property
    def fails(self) -> bool:
        return any(not one.reason for one in self.left)

    @property
    def notes(self) -> Iterator[Problem]:
        for one in self.left:
            message = f"in {one.ruleset}, {one.name} was not tried: {one.reason or NO_REASON}"
            yield Problem("not-tried", message, one.place, severity="note" if one.reason else "error")

    def lines(self) -> Iterator[Text | str]:
        """What was not tried, then for each ruleset how many entries of each document ran under which rules."""
        for one in self.left:
            place = f"{one.place.source.name}:{one.place.line}:{one.place.column}"
            reason = Text(one.reason, "yellow") if one.reason else Text(NO_REASON, "bold red")
            yield Text.assemble((place, "dim"), f" in {one.ruleset}, {one.name} was not tried: ", reason)
        counts: dict[tuple[str, str, str], int] = {}
        for one in self.entries:
            if one.under:
                key = one.ruleset, one.place.source.name, one.under
                counts[key] = counts.get(key, 0) + 1
        yield from table(
            [[name, document, f"{count} ran in {under}"] for (name, document, under), count in counts.items()]
        )
        left = len(self.left)
        yield f"{counted(len(self.entries), 'example')}: {len(self.entries) - left} tried, {left} not"

    def as_json(self) -> list[dict[str, Any]]:
        return [
            {
                "ruleset": one.ruleset,
                "name": one.name,
                "file": one.place.source.name,
                "line": one.place.line,
                "under": one.under or None,
                "reason": None if one.under else one.reason or NO_REASON,
            }
            for one in self.entries
        ]


# --- what is known


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
