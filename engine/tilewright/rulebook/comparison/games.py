"""Games that go otherwise under two rulesets: the same walls and the same players, in step up to the first difference.

Bots know the rules that they play by, so a game also differs where a rule only changes what is worth trying.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest

from rich.text import Text

from tilewright.play.log import event_json
from tilewright.play.match import Match
from tilewright.play.model import Event, Move, Pick
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import Player, player_of
from tilewright.players.simulation.run import seed_of
from tilewright.presentation.events import EventTeller
from tilewright.presentation.line import LineWriter
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.examples import shown

FAST_EVERY = 5  # games: one of so many is played by fast bots, the others at random
HANDS = {"fast": 1, "random": 2}
MOST_ANSWERS = 5_000  # of a game


@dataclass(frozen=True, slots=True)
class GameChange:
    """The first difference of a game. `hand`: from 1; `event`: the number of the event; `was`, `now`: what happens, or
    what a seat may do; empty if nothing does. `asks`: it is in what a seat may do."""

    number: int
    seed: int
    players: str
    hand: int
    event: int
    was: str
    now: str
    asks: bool = False


def game_change(old: Rules, new: Rules, number: int, seed: int, language: str = "en") -> GameChange | None:
    """The first difference of the game with this number; None if there is none, or if the two cannot be played."""
    if old.data.play is None or new.data.play is None:
        return None
    name = "random" if (number + 1) % FAST_EVERY else "fast"
    of_game = seed_of(seed, number)
    with ExitStack() as stack:
        one, other = (GameInStep(rules, name, of_game, stack) for rules in (old, new))
        found = first_difference(one, other)
    if found is None:
        return None
    was, now, asks = found
    before, after = one.sentence(was, language), other.sentence(now, language)
    if isinstance(was, Event) and isinstance(now, Event) and before == after:
        before, after = details(one.plain(was), other.plain(now))
    return GameChange(number + 1, of_game, name, one.hand, one.seen + 1, before, after, asks)


Choice = Move | Pick
Difference = tuple[Event | Sequence[Choice] | None, Event | Sequence[Choice] | None, bool]


def first_difference(one: "GameInStep", other: "GameInStep") -> Difference | None:
    """What happens, or may be done, in the one game and not in the other."""
    for _ in range(MOST_ANSWERS):
        for was, now in zip_longest(one.new_events(), other.new_events()):
            if was is None or now is None or one.plain(was) != other.plain(now):
                return was, now, False
            one.pass_event(was)
            other.pass_event(now)
        if one.match.over and other.match.over:
            return None
        may, might = one.may(), other.may()
        if may != might:
            return sorted(may - might, key=str), sorted(might - may, key=str), True
        one.answer()
        other.answer()
    return None


def details(was: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """What two events that read the same do not have in common."""
    keys = [key for key in dict.fromkeys((*was, *now)) if was.get(key) != now.get(key)]
    return [", ".join(f"{key}: {shown(one.get(key))}" for key in keys) for one in (was, now)]


class GameInStep:
    """A game that is played one answer at a time. `seen`: how many events were compared; `hand`: the one at present."""

    def __init__(self, rules: Rules, name: str, seed: int, stack: ExitStack) -> None:
        self.rules, self.seen, self.hand = rules, 0, 0
        count = rules.data.seats.count
        self.players: list[Player] = [player_of(name, rules, seed) for _ in range(count)]
        for player in self.players:
            stack.callback(player.close)
        self.match: Match = rules.game(seed, hands=HANDS[name])
        self.ended = 0

    def new_events(self) -> list[Event]:
        return list(self.match.events[self.seen :])

    def pass_event(self, event: Event) -> None:
        self.seen += 1
        self.hand += event.kind == "hand"

    def plain(self, event: Event) -> dict[str, object]:
        return event_json(event, self.match.program)

    def may(self) -> frozenset[Choice]:
        """What the asked seat may do."""
        if self.match.over:
            return frozenset()
        seat = self.match.asked[0]
        question = View(self.match, seat).question
        return frozenset() if question is None else frozenset((*question.moves, *question.picks))

    def answer(self) -> None:
        """Have the first asked seat answer, and tell players of hands that ended."""
        if not self.match.over:
            seat = self.match.asked[0]
            self.match.answer(self.players[self.match.player(seat)].choose(View(self.match, seat)))
        if len(self.match.results) > self.ended:
            self.ended = len(self.match.results)
            for number, player in enumerate(self.players):
                player.ended(View(self.match, self.match.seat_of(number)))

    # --- for people

    def sentence(self, what: Event | Sequence[Choice] | None, language: str) -> str:
        """An event as a line, or moves by their names."""
        names = RulesetNames(self.rules.data, language)
        if what is None:
            return ""
        if isinstance(what, Event):
            teller = EventTeller(self.rules.data, record=True)
            ((_, line),) = teller.lines([what], lambda event: True)
            return LineWriter(names, lambda slot, does: Text(slot.seat)).text(line).plain
        return ", ".join(dict.fromkeys(self.moves(what, names)))

    def moves(self, moves: Sequence[Choice], names: RulesetNames) -> Iterator[str]:
        for move in moves:
            text = names.move_text(move) if isinstance(move, Move) else names.pick_label(move)
            yield text.plain.strip()
