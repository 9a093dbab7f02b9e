"""Many tables at once: an action of each in, arrays of what follows out. Finished tables begin again."""

from collections.abc import Mapping
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tilewright.base.arguments import WrongArgument, truth, whole_number
from tilewright.play.compiled.play import CompiledPlay
from tilewright.play.compiled.writing.writer import NotSayable
from tilewright.play.rules import Rules
from tilewright.players.learning.kernel.tables import WORD, choose_any, first_illegal
from tilewright.players.learning.machine import MachineTables
from tilewright.players.learning.matches import MatchTables, Plan, Tables
from tilewright.players.learning.table import Reward, Spaces, illegal, played
from tilewright.players.player import BOTS

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Discrete, MultiDiscrete


MOST_TABLES, MOST_SEED = 1 << 20, 1 << 62
MOST_KEPT = 4096  # steps, before those that no match under way needs are forgotten


class VectorTables:
    """Tables of one ruleset, stepped together. The first match of table t has the seed `seed` + t, the next one that
    plus the number of tables, and so on, so no match is played twice. `hands`: of a match, by default one; None: all.
    `others`: bots that choose for themselves, by the number of the player: `random`, `fast`, `careful`, `strong`; only
    the rest acts.
    `copy`: arrays are new with each step; else they are the same, read-only, and each step writes into them.
    `compiled`: compiled play, which is fast, plays what it can; `why_not`: why it does not, empty where it does. Raises
    ValueError for a ruleset that is not played, and WrongArgument for any other wrong argument."""

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
        self.spaces, self.num_envs, self.copy = (
            Spaces.of(rules),
            whole_number("tables", tables, 1, MOST_TABLES),
            truth("copy", copy),
        )
        self.plan = Plan(self.spaces, self.num_envs, *played(hands, reward), self.bots_among(others))
        self.arrays = Tables.empty(self.spaces, self.num_envs)
        self.shown = Tables(*map(read_only, self.arrays.parts))
        masks = self.arrays.masks.reshape(-1)
        self.words = masks[: len(masks) // WORD * WORD].view(np.int64)  # actions, eight to a number
        self.history: list[NDArray[np.int64]] = []  # the actions since the first match under way began
        self.begun = np.zeros(self.num_envs, np.int64)  # how many of them came before the match of each table
        self.compiled = truth("compiled", compiled)
        self.why_not = "" if compiled else "it is not wanted"
        self.playing = self.machine() or MatchTables(self.plan, self.arrays)
        self.seed = whole_number("seed", seed, -MOST_SEED, MOST_SEED)
        self.reset()

    def bots_among(self, others: object) -> dict[int, str]:
        """The bots among the players. Raises WrongArgument."""
        if not isinstance(others, Mapping | None):
            raise WrongArgument(f"others is a mapping of players to bots, not {others!r:.40}")
        players = self.spaces.rules.program.count
        found = {whole_number("others: a player", player): name for player, name in (others or {}).items()}
        if not set(found) < set(range(players)):
            raise WrongArgument(f"others: players are 0 to {players - 1}, and one of them has to be left to act")
        for name in found.values():
            if not isinstance(name, str) or name not in BOTS:
                raise WrongArgument(f"others: {name!r:.40} is no bot; bots are {', '.join(BOTS)}")
        return found

    def machine(self) -> MachineTables | None:
        """The tables by compiled play; None, and why, where that cannot be."""
        try:
            return None if self.why_not else MachineTables(self.plan, self.arrays, CompiledPlay(self.spaces.rules))
        except NotSayable as error:
            self.why_not = str(error)
            return None

    @cached_property
    def single_observation_space(self) -> "Box":
        """What an observation of a table is like, in terms of Gymnasium, which has to be installed."""
        return box((self.spaces.observations.size,))

    @cached_property
    def observation_space(self) -> "Box":
        """The same of all tables together."""
        return box((self.num_envs, self.spaces.observations.size))

    @cached_property
    def single_action_space(self) -> "Discrete":
        """The actions of a table."""
        from gymnasium.spaces import Discrete

        return Discrete(len(self.spaces.actions))

    @cached_property
    def action_space(self) -> "MultiDiscrete":
        """An action of each table."""
        from gymnasium.spaces import MultiDiscrete

        return MultiDiscrete(np.full(self.num_envs, len(self.spaces.actions)))

    def close(self) -> None:
        """Nothing is left open."""

    @property
    def players(self) -> int:
        """How many players a table has."""
        return self.plan.players

    def reset(self, seed: int | None = None, options: object = None) -> Tables:
        """Every table begins anew, from this seed, or without one from where it was last reset. `options` are not used.
        Raises WrongArgument for a seed that is no whole number."""
        self.seed = self.seed if seed is None else whole_number("seed", seed, -MOST_SEED, MOST_SEED)
        self.playing.reset(self.seed)
        self.history.clear()
        self.begun[:] = 0
        self.arrays.rewards[:] = 0
        self.arrays.terminations[:] = False
        return self.look()

    def step(self, actions: ArrayLike) -> Tables:
        """The tables after an action of each. Raises IllegalAction for one that the masks do not allow; then nothing
        has changed."""
        chosen = array_of("actions", actions, None)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise WrongArgument(f"actions: {self.num_envs} whole numbers are needed, one for each table")
        chosen = chosen.astype(np.int64, "C", copy=False)
        if not self.playing.step(chosen):
            wrong = first_illegal.run(self.arrays.masks, np.arange(self.num_envs), chosen)
            legal = np.flatnonzero(self.arrays.masks[wrong]).tolist()
            raise illegal(self.spaces, int(self.arrays.players[wrong]), legal, int(chosen[wrong]))
        self.history.append(chosen.copy())
        self.begun[self.arrays.terminations] = len(self.history)
        if len(self.history) > MOST_KEPT:
            forgotten = int(self.begun.min())
            del self.history[:forgotten]
            self.begun -= forgotten
        return self.look()

    def __getstate__(self) -> dict[str, Any]:
        """The rules and options, and of each table the seed of its match and the actions so far."""
        plan, first = self.plan, int(self.begun.min())
        actions = np.array(self.history[first:], np.int64).reshape(-1, self.num_envs)
        begun = (self.begun - first).tolist()
        return {
            "options": (self.spaces.rules, self.num_envs, self.seed),
            "named": {
                "hands": plan.hands,
                "reward": plan.reward,
                "others": dict(plan.others),
                "copy": self.copy,
                "compiled": self.compiled,
            },
            "kept": [(self.playing.seed_of(n), actions[at:, n][actions[at:, n] >= 0]) for n, at in enumerate(begun)],
            "told": (self.arrays.rewards.copy(), self.arrays.terminations.copy()),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state["options"], **state["named"])  # type: ignore[misc]
        self.playing.restore(state["kept"])
        self.history = [*np.array(list(zip_longest(*(kept for _, kept in state["kept"]), fillvalue=-1)), np.int64)]
        self.arrays.rewards[:], self.arrays.terminations[:] = state["told"]
        self.look()

    def look(self) -> Tables:
        """The tables now, which `now` is from now on."""
        self.now = Tables(*(part.copy() for part in self.arrays.parts)) if self.copy else self.shown
        return self.now

    def any_legal(self, lots: ArrayLike) -> NDArray[np.int64]:
        """A legal action for each table by lot: a number from 0 to below 1 each."""
        drawn = array_of("lots", lots, np.float64)
        actions = np.empty(self.num_envs, np.int64)
        if drawn.shape != (self.num_envs,) or not choose_any.run(self.arrays.masks, self.words, drawn, actions):
            raise WrongArgument(f"lots: {self.num_envs} numbers from 0 to below 1 are needed, one for each table")
        return actions


def box(shape: tuple[int, ...]) -> "Box":
    """Rows of finite numbers."""
    from gymnasium.spaces import Box

    most = float(np.finfo(np.float32).max)
    return Box(-most, most, shape, np.float32)


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
