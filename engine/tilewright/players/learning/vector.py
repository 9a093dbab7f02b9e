"""Many tables at once: an action of each in, arrays of what follows out. Finished tables begin again."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tilewright.play.rules import Rules
from tilewright.players.learning.table import LearningTable, Reward, Spaces
from tilewright.players.levels import BOTS, bot
from tilewright.players.player import Player


@dataclass(frozen=True)
class Tables:
    """Each table before its next action. Of n tables: what the player sees that acts (n, size of an observation), which
    actions it may choose (n, actions), which player it is (n), what each player has won by the last action
    (n, players), whether that ended the match (n): then everything else is of the next one."""

    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    players: NDArray[np.intp]
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]


class VectorTables:
    """Tables of one ruleset, stepped together. The first match of table t has the seed `seed` + t, the next one that
    plus the number of tables, and so on, so no match is played twice. `hands`: of a match, by default one; None: all.
    `others`: bots that choose for themselves, by the number of the player: `random`, `fast`; only the rest acts. Raises
    ValueError for a ruleset that is not played, and for players and bots that are none."""

    def __init__(
        self,
        rules: Rules,
        tables: int,
        seed: int = 0,
        *,
        hands: int | None = 1,
        reward: Reward = "hand",
        others: Mapping[int, str] | None = None,
    ) -> None:
        self.spaces, self.count, self.hands, self.reward = Spaces.of(rules), tables, hands, reward
        players = rules.program.count
        self.others = {**(others or {})}
        if tables < 1:
            raise ValueError(f"{tables} tables: at least one is needed")
        if not set(self.others) < set(range(players)):
            raise ValueError(f"others: players are 0 to {players - 1}, and one of them has to be left to act")
        if unknown := set(self.others.values()) - set(BOTS):
            raise ValueError(f"others: {min(unknown)!r} is no bot; bots are {', '.join(BOTS)}")
        self.reset(seed)

    def reset(self, seed: int) -> Tables:
        """Every table begins anew, from this seed."""
        self.seeds = [seed + table for table in range(self.count)]
        self.bots = [self.players_of(seed) for seed in self.seeds]
        self.tables = [self.begun(table) for table in range(self.count)]
        self.now = self.looked(np.zeros((self.count, self.players), np.float32), np.zeros(self.count, np.bool_))
        return self.now

    @property
    def players(self) -> int:
        """How many players a table has."""
        return self.spaces.rules.program.count

    def players_of(self, seed: int) -> list[Player | None]:
        """The players that choose for themselves."""
        named = (self.others.get(player) for player in range(self.players))
        return [None if name is None else bot(name, self.spaces.rules, seed) for name in named]

    def begun(self, number: int) -> LearningTable:
        """The next match of a table. Matches that nobody here acts in are skipped."""
        while True:
            table = LearningTable(self.spaces, self.seeds[number], self.hands, self.reward)
            table.answer_by(self.bots[number])
            if not table.over:
                return table
            self.seeds[number] += self.count

    def step(self, actions: ArrayLike) -> Tables:
        """The tables after an action of each. Raises IllegalAction for one that the masks do not allow; then nothing
        has changed."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.count} whole numbers are needed, one for each table")
        for table, action in zip(self.tables, chosen.tolist(), strict=True):
            if action not in table.open:
                raise table.illegal(action)
        rewards, over = np.zeros((self.count, self.players), np.float32), np.zeros(self.count, np.bool_)
        for number, action in enumerate(chosen.tolist()):
            table = self.tables[number]
            table.act(action)
            table.answer_by(self.bots[number])
            rewards[number] = table.rewards()
            if table.over:
                over[number] = True
                self.seeds[number] += self.count
                self.bots[number] = self.players_of(self.seeds[number])
                self.tables[number] = self.begun(number)
        self.now = self.looked(rewards, over)
        return self.now

    def looked(self, rewards: NDArray[np.float32], over: NDArray[np.bool_]) -> Tables:
        """What is seen at every table."""
        observations = np.empty((self.count, self.spaces.observations.size), np.float32)
        masks = np.empty((self.count, len(self.spaces.actions)), np.bool_)
        players = np.empty(self.count, np.intp)
        for number, table in enumerate(self.tables):
            player = table.player
            assert player is not None
            players[number] = player
            table.write(player, observations[number])
            table.write_mask(masks[number])
        return Tables(observations, masks, players, rewards, over)
