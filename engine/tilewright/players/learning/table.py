"""A table for a player that learns: a match that is played action by action, with masks, observations and rewards.

The match is that of the engine: `LearningTable(spaces, seed)` has the walls of `rules.game(seed)`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from tilewright.base.arguments import expect, index_of, one_of, whole_number
from tilewright.play.legality import illegal as illegal_move
from tilewright.play.model import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.learning.actions import Actions, Open
from tilewright.players.learning.observations import Observations
from tilewright.players.player import Player

Reward = Literal["hand", "match"]


class IllegalAction(ValueError):
    """The action is not one of those that the mask allows; the message says which are."""


@dataclass(frozen=True)
class Spaces:
    """The actions and the observations of a ruleset; shared by its tables."""

    rules: Rules
    actions: Actions
    observations: Observations

    @classmethod
    def of(cls, rules: Rules) -> Self:
        """Raises WrongArgument for what are no rules, and ValueError for a ruleset that is not played."""
        expect("a ruleset", rules, Rules, "given as Rules, which tilewright.load() returns")
        actions = Actions(rules)
        return cls(rules, actions, Observations(actions))

    def __reduce__(self) -> tuple[Any, ...]:
        return Spaces.of, (self.rules,)

    def __deepcopy__(self, memo: object) -> Self:
        return self  # nothing in it changes

    def describe(self) -> str:
        """Every field of an observation and every action, a line each."""
        fields = [
            f"{field.start:6} {field.stop - 1:6}  {field.name} {'x'.join(map(str, field.shape))}: {field.about}"
            for field in self.observations.fields.values()
        ]
        actions = [f"{number:6}  {name}" for number, name in enumerate(self.actions.names)]
        head = [f"{self.observations.size} numbers, {len(actions)} actions", "", "first   last  observation"]
        return "\n".join([*head, *fields, "", "action", *actions])


def played(hands: object, reward: object) -> tuple[int | None, Reward]:
    """How many hands are played, and when points are told. Raises WrongArgument."""
    found: Reward = "hand" if one_of("reward", reward, ("hand", "match")) == "hand" else "match"
    return None if hands is None else whole_number("hands", hands, 1), found


class LearningTable:
    """A match, or its first `hands` hands, before an action. `player`: who acts, None once it is over; `reward`: when
    points are told, after each hand or after the match."""

    def __init__(self, spaces: Spaces, seed: int, hands: int | None = 1, reward: Reward = "hand") -> None:
        hands, self.reward = played(hands, reward)
        self.spaces = expect("spaces", spaces, Spaces, "those of rules: Spaces.of(rules)")
        self.seed = whole_number("seed", seed)
        self.game = spaces.rules.game(seed, hands=hands, listen=False)
        self.begun: list[int] = []
        self.open: Open = {}
        self.told, self.scores = 0, tuple(map(float, self.game.before_hand[:-1]))  # before what the deal pays
        self.ask()

    def __getstate__(self) -> dict[str, Any]:
        """All but what may be chosen, which follows from the rest."""
        return {name: value for name, value in self.__dict__.items() if name != "open"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        begun = [*self.begun]
        self.ask()
        for action in begun:
            self.act(action)

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def player(self) -> int | None:
        """The player that acts: a number that stays the same for the match."""
        asked = self.game.asked
        return self.game.player(asked[0]) if asked else None

    def points(self) -> tuple[float, ...]:
        return tuple(float(score) for score in self.game.scores)

    def ask(self) -> None:
        """Another question, or none."""
        asked = self.game.asked
        self.begun.clear()
        self.open = self.spaces.actions.choices(self.game, asked[0]) if asked else {}

    # --- an action

    def act(self, action: object) -> None:
        """Go on with a move. Raises IllegalAction."""
        number = index_of(action)
        ways = None if number is None else self.open.get(number)
        if number is None or ways is None:
            raise illegal(self.spaces, self.player, [*self.open], action)
        found = self.spaces.actions.following(ways)
        if isinstance(found, Move):
            self.answer(found)
        else:
            self.begun.append(number)
            self.open = found

    def answer(self, move: Move) -> None:
        """Answer with a whole move. Raises IllegalMove."""
        self.game.answer(move)
        self.ask()

    def answer_by(self, players: Sequence[Player | None]) -> None:
        """Have those that are players answer, until another one is asked or the match is over."""
        while (number := self.player) is not None and (player := players[number]) is not None:
            self.answer(player.choose(View(self.game, self.game.asked[0])))

    def actions_of(self, move: Move) -> tuple[int, ...]:
        """The actions that make a legal move of the player that is asked. Raises IllegalMove, and ValueError."""
        if not self.game.allows(move):
            raise illegal_move(self.game, move)
        return self.spaces.actions.spelled(self.game, move)

    # --- what is told

    def rewards(self) -> tuple[float, ...]:
        """What each player has won since rewards were last told: nothing while a hand is played."""
        count = self.game.program.count
        if not self.over and (self.reward == "match" or len(self.game.results) == self.told):
            return (0.0,) * count
        before, self.scores, self.told = self.scores, self.points(), len(self.game.results)
        if not self.over:  # what was paid since the next hand has begun is told after that one
            self.scores = tuple(float(score) for score in self.game.results[-1].scores)
        return tuple(now - old for now, old in zip(self.scores, before, strict=True))

    def told_lines(self) -> Iterator[str]:
        """The table with all tiles face up, for people: the moment, then each seat and the rest of the table."""
        game, view = self.game, View(self.game, None)
        program, asked = game.program, ", ".join(game.program.names[seat] for seat in game.asked)
        now = "over" if game.over else f"{view.phase}: {asked} asked" if asked else view.phase
        yield f"{program.data.id}, round {view.round_number}, hand {view.hand_number}, {now}"
        for zone in program.data.zones.values():
            rows = game.zones[zone.id]
            for seat, row in enumerate(rows):
                tiles = [tile for group in row for tile in group.tiles] if zone.id == "melds" else row
                whose = f" of {program.names[seat]}" if zone.of == "seat" else ""
                yield f"{zone.id}{whose}: {' '.join(program.code[tile] for tile in tiles)}".rstrip()
        scores = (f"{program.names[seat]} {float(game.score_of(seat)):g}" for seat in program.everyone)
        yield f"scores: {', '.join(scores)}; pot {float(game.pot):g}"

    def write_mask(self, row: NDArray[np.bool_]) -> None:
        """Write which actions are legal now."""
        row[:] = False
        row[[*self.open]] = True

    def write(self, player: int, row: NDArray[np.float32]) -> None:
        """Write what a player sees."""
        begun = self.begun if player == self.player else ()
        self.spaces.observations.write(self.game, self.game.seat_of(player), begun, row)


def illegal(spaces: Spaces, player: int | None, legal: Sequence[int], action: object) -> IllegalAction:
    """Why a player, None: nobody, may not choose this action."""
    if player is None:
        return IllegalAction("the match is over: reset it")
    names = spaces.actions.names
    number = index_of(action)
    what = f"{number} ({names[number]})" if number is not None and 0 <= number < len(names) else f"{action!r:.40}"
    shown = ", ".join(f"{number} ({names[number]})" for number in legal[:10])
    more = ", ..." if len(legal) > 10 else ""
    return IllegalAction(f"player {player} may not choose {what}; the mask allows {shown}{more}")
