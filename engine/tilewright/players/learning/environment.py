"""A table as an environment of PettingZoo: the agents `player_0` ... take turns (AEC). Needs tilewright[rl]."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tilewright.base.arguments import one_of, whole_number
from tilewright.play.rules import Rules
from tilewright.players.learning.table import LearningTable, Reward, Spaces, played
from tilewright.players.learning.vector import box

try:
    from gymnasium.spaces import Box, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    message = f"this needs {error.name}, which is not installed: pip install 'tilewright[rl]'"
    raise ModuleNotFoundError(message, name=error.name) from None

Agent = str
RenderMode = Literal["ansi", "human"]
MODES = ["ansi", "human"]
Observation = NDArray[np.float32]


def env(
    rules: Rules, *, hands: int | None = 1, reward: Reward = "hand", render_mode: RenderMode | None = None
) -> OrderEnforcingWrapper[Agent, Observation, int]:
    """The environment of a ruleset, wrapped so that wrong use is told. Options as of `TableEnv`."""
    return OrderEnforcingWrapper(TableEnv(rules, hands=hands, reward=reward, render_mode=render_mode))


class TableEnv(AECEnv[Agent, Observation, int]):  # type: ignore[misc]  # PettingZoo says nothing of its types
    """An environment of any ruleset that is played. `hands`: of a match, by default one; None: all. `reward`: points
    are told after each hand, or after the match. Raises ValueError for a ruleset that is not played,
    and WrongArgument for any other wrong argument.

    An observation is a row of numbers (see `describe`); `action_mask` in the infos says what an agent may choose, all 0
    for one that is not asked. An action that the mask forbids raises IllegalAction. `reset(seed)` plays the walls of
    `rules.game(seed)`; without a seed the next ones."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tilewright_v0",
        "render_modes": MODES,
        "is_parallelizable": False,
    }

    def __init__(
        self, rules: Rules, *, hands: int | None = 1, reward: Reward = "hand", render_mode: RenderMode | None = None
    ) -> None:
        super().__init__()
        if render_mode is not None:
            one_of("render_mode", render_mode, MODES)
        self.render_mode = render_mode
        self.spaces = Spaces.of(rules)
        self.hands, self.reward = played(hands, reward)
        self.seed: int | None = None
        self.possible_agents = [f"player_{number}" for number in range(rules.program.count)]
        actions, size = len(self.spaces.actions), self.spaces.observations.size
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: box((size,)) for agent in self.possible_agents}

    def describe(self) -> str:
        """Every field of an observation and every action, a line each."""
        return self.spaces.describe()

    def known(self, agent: Agent) -> Agent:
        """The agent, which is one of this environment. Raises WrongArgument."""
        return one_of("an agent", agent, self.possible_agents)

    def observation_space(self, agent: Agent) -> Box:
        """What observations of an agent are like."""
        return self.observation_spaces[self.known(agent)]

    def action_space(self, agent: Agent) -> Discrete:
        """The actions of an agent."""
        return self.action_spaces[self.known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match. `options` are not used. Raises WrongArgument for a seed that is no whole number."""
        next_one = 0 if self.seed is None else self.seed + 1
        self.seed = next_one if seed is None else whole_number("seed", seed)
        self.table = LearningTable(self.spaces, self.seed, self.hands, self.reward)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.select()

    def select(self) -> None:
        """The agent that acts, and what each may choose; once the match is over, the first agent acts."""
        for player, agent in enumerate(self.agents):
            mask = np.zeros(len(self.spaces.actions), np.bool_)
            if player == self.table.player:
                self.table.write_mask(mask)
            self.infos[agent] = {"action_mask": mask.astype(np.int8)}
        self.agent_selection = self.possible_agents[self.table.player or 0]
        if self.table.over:
            self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: Agent) -> Observation:
        """What an agent sees."""
        observation = np.empty(self.spaces.observations.size, np.float32)
        self.table.write(self.possible_agents.index(self.known(agent)), observation)
        return observation

    def step(self, action: int | None) -> None:
        """The agent that is selected acts; one that is done goes, with the action None. Raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.table.act(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.table.rewards(), strict=True))
        self._accumulate_rewards()
        self.select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table with all tiles face up: as text for `ansi`, printed for `human`, nothing without a mode."""
        if self.render_mode is None:
            return None
        text = "\n".join(self.table.told_lines())
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is left open."""
