"""Rules that are played: a ruleset that scores, with its tables. The face of the engine for programs."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from tilewright.play.game import Game
from tilewright.play.program import Program
from tilewright.play.table import Table
from tilewright.scoring.rules import Name, data_of
from tilewright.scoring.rules import Rules as ScoringRules
from tilewright.tiles.notation import read_tiles


class Rules(ScoringRules):
    """A compiled ruleset with everything that scoring and play make of it."""

    @cached_property
    def program(self) -> Program:
        """The play, laid out to be carried out. Raises ValueError for a ruleset without a phase called deal."""
        return Program(self)

    def table(self, seed: int = 0, *, hands: int | None = None, wall: str | Sequence[str] = "") -> Table:
        """A table at its first question. The same seed gives the same walls and dice for ever. `hands`: so many are
        played, else the match; `wall`: tiles that come first out of the first shuffle. Raises NotationError."""
        return Table(self.game(seed, hands=hands, wall=wall))

    def game(
        self,
        seed: int = 0,
        *,
        hands: int | None = None,
        wall: str | Sequence[str] = "",
        listen: bool = True,
        pausing: bool = False,
    ) -> Game:
        """The same as a game that changes where it stands, for those who play many; without events if not `listen`.
        One that is `pausing` stops where players want to look: `course.run` goes on."""
        return Game(self.program, seed, hands, read_tiles(wall, self.data.tiles), listen, pausing=pausing)


def load(name: Name, options: Mapping[str, Any] | None = None, mods: Sequence[Name] = ()) -> Rules:
    """The rules of a bundled ruleset (by id) or of a file, and of mods. Raises RulesetError with every problem."""
    return Rules(data_of(name, options, mods))
