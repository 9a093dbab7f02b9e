"""Many tables at once: an action of each in, arrays of what follows out. Finished tables begin again."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tilewright.base.compute.kernels import are_compiled
from tilewright.base.data.arguments import WrongArgument, whole_number
from tilewright.play.compiled.play import CompiledPlay
from tilewright.play.compiled.writer import NotSayable
from tilewright.play.rules import Rules
from tilewright.players.learning.arrays import Plan, Tables
from tilewright.players.learning.kernel.tables import WORD, choose_any, first_illegal
from tilewright.players.learning.machine import MachineTables
from tilewright.players.learning.matches import MatchTables
from tilewright.players.learning.table import Reward, Spaces, illegal, played
from tilewright.players.levels import BOTS


class VectorTables:
    """Tables of one ruleset, stepped together. The first match of table t has the seed `seed` + t, the next one that
    plus the number of tables, and so on, so no match is played twice. `hands`: of a match, by default one; None: all.
    `others`: bots that choose for themselves, by the number of the player: `random`, `fast`; only the rest acts.
    `copy`: arrays are new with each step; else they are the same, read-only, and each step writes into them.
    `compiled`: compiled play, which is fast, plays what it can; `why_not`: why it does not, empty where it does. Raises
    ValueError for a ruleset that is not played, and WrongArgument for what is none of these."""

    def __init__(
        self,
        rules: Rules,
        tables: int,
        seed: int = 0,
        *,
        hands: int | None = 1,
        reward: Reward = "hand",
        others: Mapping[int, str] | None = None,
        copy: bool = True,
        compiled: bool = True,
    ) -> None:
        self.spaces, self.count, self.copy = Spaces.of(rules), whole_number("tables", tables, 1), copy
        self.plan = Plan(self.spaces, self.count, *played(hands, reward), self.bots_among(others))
        self.arrays = Tables.empty(self.spaces, tables)
        self.shown = Tables(*map(read_only, self.arrays.parts))
        masks = self.arrays.masks.reshape(-1)
        self.words = masks[: len(masks) // WORD * WORD].view(np.int64)  # actions, eight to a number
        self.why_not = "" if compiled else "it is not wanted"
        self.playing = self.machine() or MatchTables(self.plan, self.arrays)
        self.reset(seed)

    def bots_among(self, others: object) -> dict[int, str]:
        """The bots among the players. Raises WrongArgument."""
        if not isinstance(others, Mapping | None):
            raise WrongArgument(f"others is a mapping of players to bots, not {others!r:.40}")
        players = self.spaces.rules.program.count
        found = {whole_number("others: a player", player): name for player, name in (others or {}).items()}
        if not set(found) < set(range(players)):
            raise WrongArgument(f"others: players are 0 to {players - 1}, and one of them has to be left to act")
        for name in found.values():
            if name not in BOTS:
                raise WrongArgument(f"others: {name!r:.40} is no bot; bots are {', '.join(BOTS)}")
        return found

    def machine(self) -> MachineTables | None:
        """The tables by compiled play; None, and why, where that cannot be."""
        try:
            if not self.why_not and not are_compiled():
                raise NotSayable("kernels are not compiled")
            return None if self.why_not else MachineTables(self.plan, self.arrays, CompiledPlay(self.spaces.rules))
        except NotSayable as error:
            self.why_not = str(error)
            return None

    @property
    def players(self) -> int:
        """How many players a table has."""
        return self.plan.players

    def reset(self, seed: int) -> Tables:
        """Every table begins anew, from this seed. Raises WrongArgument for one that is no whole number."""
        self.playing.reset(whole_number("seed", seed))
        self.arrays.rewards[:] = 0
        self.arrays.over[:] = False
        return self.look()

    def step(self, actions: ArrayLike) -> Tables:
        """The tables after an action of each. Raises IllegalAction for one that the masks do not allow; then nothing
        has changed."""
        chosen = array_of("actions", actions, None)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise WrongArgument(f"actions: {self.count} whole numbers are needed, one for each table")
        chosen = chosen.astype(np.int64, "C", copy=False)
        if not self.playing.step(chosen):
            wrong = first_illegal.run(self.arrays.masks, np.arange(self.count), chosen)
            legal = np.flatnonzero(self.arrays.masks[wrong]).tolist()
            raise illegal(self.spaces, int(self.arrays.players[wrong]), legal, int(chosen[wrong]))
        return self.look()

    def look(self) -> Tables:
        """The tables now, which `now` is from now on."""
        self.now = Tables(*(part.copy() for part in self.arrays.parts)) if self.copy else self.shown
        return self.now

    def any_legal(self, lots: ArrayLike) -> NDArray[np.int64]:
        """A legal action for each table by lot: a number from 0 to below 1 each."""
        drawn = array_of("lots", lots, np.float64)
        actions = np.empty(self.count, np.int64)
        if drawn.shape != (self.count,) or not choose_any.run(self.arrays.masks, self.words, drawn, actions):
            raise WrongArgument(f"lots: {self.count} numbers from 0 to below 1 are needed, one for each table")
        return actions


def array_of(what: str, given: ArrayLike, kind: type | None) -> NDArray[Any]:
    """The array of an argument. Raises WrongArgument."""
    try:
        return np.asarray(given, kind, "C")
    except (TypeError, ValueError):
        raise WrongArgument(f"{what} are an array of numbers, one for each table, not {given!r:.40}") from None


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array, for those who may not write into it."""
    view = array.view()
    view.flags.writeable = False
    return view
