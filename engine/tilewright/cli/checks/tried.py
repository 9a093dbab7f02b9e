"""What was tried as `tilewright check --tried` prints it: every example and case with the rules that it ran under.

In: files, once they are checked. Out: lines, data or notes. It fails where something was not tried for no reason.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import WrittenEntry, entries_of
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.library import is_document
from tilewright.presentation.console import counted, table

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
