"""Many tables as arrays, and those whose matches are played by `Match`, which plays every ruleset. Knows no machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tilewright.base.arrays import Array
from tilewright.players.learning.kernel.tables import first_illegal
from tilewright.players.learning.table import LearningTable, Reward, Spaces
from tilewright.players.player import Player, bot


@dataclass(frozen=True)
class Tables:
    """Each table before its next action. Of n tables: what the player sees that acts (n, size of an observation), which
    actions it may choose (n, actions), which player it is (n), what each player has won by the last action
    (n, players), whether that ended the match (n): then everything else is of the next one. No match is cut short, so
    `truncations` are all false."""

    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    players: NDArray[np.int64]
    rewards: NDArray[np.float32]
    terminations: NDArray[np.bool_]

    @classmethod
    def empty(cls, spaces: Spaces, tables: int) -> Self:
        """Room for so many tables, with nothing in it."""
        return cls(
            np.zeros((tables, spaces.observations.size), np.float32),
            np.zeros((tables, len(spaces.actions)), np.bool_),
            np.zeros(tables, np.int64),
            np.zeros((tables, spaces.rules.program.count), np.float32),
            np.zeros(tables, np.bool_),
        )

    @property
    def truncations(self) -> NDArray[np.bool_]:
        """Which matches were cut short: none."""
        return np.zeros_like(self.terminations)

    @property
    def parts(self) -> tuple[NDArray[Any], ...]:
        """The arrays, in the order of the fields."""
        return self.observations, self.masks, self.players, self.rewards, self.terminations


@dataclass(frozen=True)
class Plan:
    """What is played: `hands` of a match (None: all), when points are told, and the bots among the players."""

    spaces: Spaces
    tables: int
    hands: int | None
    reward: Reward
    others: Mapping[int, str]

    @property
    def players(self) -> int:
        """How many players a table has."""
        return self.spaces.rules.program.count

    def bots(self, seed: int) -> list[Player | None]:
        """The players of a match that choose for themselves."""
        named = (self.others.get(player) for player in range(self.players))
        return [None if name is None else bot(name, self.spaces.rules, seed) for name in named]


KeptMatch = tuple[int, Sequence[int]]  # its seed, and the actions so far


class MatchTable:
    """The match of one of many tables, whose `number` says which rows of `arrays` are its own."""

    def __init__(self, plan: Plan, arrays: Tables, number: int, table: LearningTable) -> None:
        self.plan, self.arrays, self.number, self.table = plan, arrays, number, table
        self.bots = plan.bots(table.seed)
        table.answer_by(self.bots)

    @classmethod
    def of_kept(cls, plan: Plan, arrays: Tables, number: int, kept: KeptMatch) -> Self:
        """The match of this seed after these actions."""
        seed, actions = kept
        made = cls(plan, arrays, number, LearningTable(plan.spaces, seed, plan.hands, plan.reward))
        for action in actions:
            made.act(int(action))
        made.look()
        return made

    def act(self, action: int) -> None:
        """Play on by an action, and tell what it came to."""
        self.table.act(action)
        self.table.answer_by(self.bots)
        self.tell()

    def tell(self) -> None:
        """Write what each player has won, whether the match is over and, unless it is, what is seen."""
        arrays, number, table = self.arrays, self.number, self.table
        arrays.rewards[number] = table.rewards()
        arrays.terminations[number] = table.over
        self.look()

    def look(self) -> None:
        """Write what the player sees that acts, if any does."""
        arrays, number, player = self.arrays, self.number, self.table.player
        if player is not None:
            arrays.players[number] = player
            self.table.write(player, arrays.observations[number])
            self.table.write_mask(arrays.masks[number])


class MatchTables:
    """Many tables. The next match of a table has its seed plus the number of tables."""

    def __init__(self, plan: Plan, arrays: Tables) -> None:
        self.plan, self.arrays = plan, arrays
        self.tables: list[MatchTable] = []

    def reset(self, seed: int) -> None:
        """Every table begins anew."""
        self.tables = [self.begun(number, seed + number) for number in range(self.plan.tables)]

    def seed_of(self, number: int) -> int:
        """The seed of the match of a table."""
        return self.tables[number].table.seed

    def restore(self, kept: Sequence[KeptMatch]) -> None:
        """The matches of all tables, as they were."""
        self.tables = [MatchTable.of_kept(self.plan, self.arrays, number, one) for number, one in enumerate(kept)]

    def begun(self, number: int, seed: int) -> MatchTable:
        """A match of a table. Matches that nobody here acts in are skipped."""
        plan = self.plan
        while True:
            table = MatchTable(plan, self.arrays, number, LearningTable(plan.spaces, seed, plan.hands, plan.reward))
            if not table.table.over:
                table.look()
                return table
            seed += plan.tables

    def step(self, actions: Array) -> bool:
        """Step every table by its action. False, and nothing has changed, where one is illegal."""
        if first_illegal.run(self.arrays.masks, np.arange(self.plan.tables), actions) >= 0:
            return False
        for number, action in enumerate(actions.tolist()):
            table = self.tables[number]
            table.act(action)
            if table.table.over:
                self.tables[number] = self.begun(number, table.table.seed + self.plan.tables)
        return True
