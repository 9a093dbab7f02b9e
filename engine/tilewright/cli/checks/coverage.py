"""Coverage as `tilewright check --coverage` prints it: a table for each file, and the places that are not reached.

In: files, once they are checked. Out: lines, data or notes, and whether enough is reached.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from tilewright.authoring.coverage import COVERED, KINDS, Coverage, coverage_of, lacks, not_covered
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.library import is_document, kind_at
from tilewright.presentation.console import table


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
