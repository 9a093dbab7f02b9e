"""Rules that score and play: a compiled ruleset with its tables. The face of the engine for programs.

The modules of play are imported when a table is first made, so that scoring alone starts fast.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tilewright.base.arguments import expect, truth, whole_number
from tilewright.scoring.rules import Name, ScoringRules, data_of

if TYPE_CHECKING:
    from tilewright.play.chance import HandSeeds
    from tilewright.play.layout import TableLayout
    from tilewright.play.match import Match
    from tilewright.play.program import Program
    from tilewright.play.table import Table


class Rules(ScoringRules):
    """A compiled ruleset with everything that scoring and play derive from it."""

    @cached_property
    def program(self) -> "Program":
        """The play, compiled. Raises ValueError for a ruleset without a phase called deal."""
        from tilewright.play.compile import compile_program

        return compile_program(self)

    def table(
        self, seed: int = 0, *, hands: int | None = None, layout: "TableLayout | Mapping[str, Any] | None" = None
    ) -> "Table":
        """A table at its first question. The same seed always gives the same walls and dice. `hands`: how many are
        played, by default the whole match; `layout`: the starting position, as `layout()` takes it. Raises
        CaseError, and WrongArgument for what is no seed, number of hands or layout."""
        from tilewright.play.table import Table

        return Table(self.game(seed, hands=hands, layout=layout))

    def game(
        self,
        seed: "int | HandSeeds" = 0,
        *,
        hands: int | None = None,
        layout: "TableLayout | Mapping[str, Any] | None" = None,
        listen: bool = True,
        pausing: bool = False,
    ) -> "Match":
        """The same as a match that changes in place, which is faster for many games; without events if not `listen`.
        `seed`: of all hands, or the seeds of each, for fair deals. A `pausing` match stops where players may want to
        look; `Match.run` continues it. Raises as `table`."""
        from tilewright.play.chance import HandSeeds
        from tilewright.play.layout import TableLayout, read_layout
        from tilewright.play.match import Match

        seeds = seed if isinstance(seed, HandSeeds) else whole_number("seed", seed)
        number = None if hands is None else whole_number("hands", hands, 1)
        laid = read_layout(self, layout) if isinstance(layout, Mapping) else layout
        if laid is not None:
            expect("layout", laid, TableLayout, "a mapping (docs/tables.md), or what layout() returns")
        return Match(self.program, seeds, number, laid, truth("listen", listen), truth("pausing", pausing))

    def layout(self, **given: Any) -> "TableLayout":
        """Where a game begins: the state of the match, the walls of its hands, what is on the table, under the keys of
        docs/tables.md. Raises CaseError."""
        from tilewright.play.layout import read_layout

        return read_layout(self, given)


def load(name: Name, options: Mapping[str, Any] | None = None, mods: Name | Sequence[Name] = ()) -> Rules:
    """The rules of a bundled ruleset (by id) or of a file, and of a mod or several. Raises RulesetError with every
    problem."""
    return Rules(data_of(name, options, mods))
