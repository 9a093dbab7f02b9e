"""Many tables as arrays, and what is played at them. Knows neither `Match` nor the machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tilewright.players.learning.table import Reward, Spaces
from tilewright.players.levels import bot
from tilewright.players.player import Player


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
